/**
 * Cuts the input into the text of segments. Where the cuts fall depends on the bytes of the input and the size
 * wanted, and on nothing else: not on compression, nor on how many workers there are.
 *
 * A segment is full when its text reaches `segmentBytes`. It is then cut before the next line that begins a
 * document (or, without documents, any line; in CoNLL-U, after the next blank line), or at the end of a file. If no
 * document begins before `segmentOverrun` times that size, it is cut at the next line, and the document goes on in
 * the next segment.
 *
 * Where nothing ends for longer than a line may be, the cutting ends: who parses that piece refuses it (slices.ts).
 *
 * Uncompressed files are not read here but named: whoever parses a piece reads it. Streams (compressed files,
 * standard input) are collected in shared buffers, of which there are only so many: when all are with parsers,
 * reading waits.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { xxh64Long } from "../file/format.js";
import { readSource, type Source } from "../input/sources.js";
import { limits } from "../limits.js";
import type { InputFormat } from "./config.js";
import type { Piece } from "./parse.js";
import type { WarningKind } from "./warnings.js";

export interface SegmentText {
  ordinal: number;
  pieces: Piece[];
  /** Give it back when the segment is parsed. */
  buffers: SharedArrayBuffer[];
  bytes: number;
}

export interface CutOptions {
  format: InputFormat;
  document: string | null;
  segmentBytes: number;
  /** Shared buffers that may exist at once. */
  buffersMax: number;
  warn(kind: WarningKind, file: string): void;
  /** Bytes of the sources, as they lie on disk, that have been read. */
  onRead(bytes: number): void;
}

/** Where a cut may be, in text that is `complete` to its end or not. */
interface Cut {
  at: number;
  beforeDocument: boolean;
  splitsDocument: boolean;
  /** Nothing ends here: it is only that a line is too long, or a sentence of CoNLL-U. */
  tooLong?: boolean;
}

const tooLong = { beforeDocument: false, splitsDocument: false, tooLong: true };
const slackBytes = 4 << 20;
/** What is read of a file to find a cut: little first, as a document mostly ends soon; then more each time. */
const windowBytesMin = 1 << 16;
const windowBytesMax = 1 << 20;

export class Cutter {
  readonly #options: CutOptions;
  readonly #limit: number;
  readonly #marks: Mark[];
  readonly #free: SharedArrayBuffer[] = [];
  #buffers = 0;
  #waiting: (() => void) | undefined;
  #ordinal = 0;
  #pieces: Piece[] = [];
  #held = new Set<SharedArrayBuffer>();
  #size = 0;
  /** The buffer that streams are collected in, and how much of it is filled. */
  #buffer: SharedArrayBuffer | undefined;
  #filled = 0;
  #window: Buffer | undefined;
  /** A piece was cut where nothing ends: nothing that follows is of use. */
  #tooLong = false;

  constructor(options: CutOptions) {
    this.#options = options;
    this.#limit = options.segmentBytes * limits.segmentOverrun;
    this.#marks = documentMarks(options);
  }

  /** Takes a buffer back. */
  giveBack(buffers: SharedArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (buffer.byteLength > this.#capacity) this.#buffers--;
      else this.#free.push(buffer);
    }
    this.#waiting?.();
  }

  get #capacity(): number {
    return this.#limit + slackBytes;
  }

  async *segments(sources: Source[]): AsyncGenerator<SegmentText> {
    for (const source of sources) {
      if (source.compression === "none" && source.path !== null) yield* this.#cutFile(source);
      else yield* this.#cutStream(source);
      if (this.#tooLong) return;
      if (this.#size >= this.#options.segmentBytes) yield this.#finish();
    }
    if (this.#pieces.length > 0 || this.#ordinal === 0) yield this.#finish();
  }

  #finish(): SegmentText {
    const segment: SegmentText = {
      ordinal: this.#ordinal++,
      pieces: this.#pieces,
      buffers: [...this.#held],
      bytes: this.#size,
    };
    this.#pieces = [];
    this.#held = new Set();
    this.#size = 0;
    this.#buffer = undefined;
    this.#filled = 0;
    return segment;
  }

  *#cutFile(source: Source): Generator<SegmentText> {
    const path = source.path as string;
    const fd = openSync(path, "r");
    try {
      let start = 0;
      let splitsDocument = false;
      while (start < source.bytes || start === 0) {
        const cut =
          this.#size + source.bytes - start <= this.#options.segmentBytes
            ? undefined
            : this.#cutIn(source.bytes - start, (at, target) =>
                readSync(fd, target, 0, target.length, start + at),
              );
        const end = cut ? start + cut.at : source.bytes;
        this.#pieces.push({
          name: source.name,
          path,
          startsFile: start === 0,
          endsFile: end === source.bytes,
          endsDocument: cut?.beforeDocument ?? false,
          splitsDocument,
          tooLong: cut?.tooLong,
          start,
          end,
          identity: `${source.bytes} ${source.mtimeMs} @${start}`,
        });
        this.#size += end - start;
        this.#options.onRead(end - start);
        splitsDocument = cut?.splitsDocument ?? false;
        start = end;
        if (end === source.bytes) return;
        yield this.#finish();
        if (cut?.tooLong) {
          this.#tooLong = true;
          return;
        }
      }
    } finally {
      closeSync(fd);
    }
  }

  /** The cut in a file that goes on for `bytes`, which `read` gives windows of; undefined: at its end. */
  #cutIn(bytes: number, read: (at: number, target: Buffer) => number): Cut | undefined {
    const earliest = Math.max(0, this.#options.segmentBytes - this.#size);
    const latest = Math.max(earliest, this.#limit - this.#size);
    // The byte before the earliest cut must be a newline, so look from there on.
    let from = Math.max(0, earliest - 1);
    let size = windowBytesMin;
    while (from < bytes) {
      this.#window ??= Buffer.allocUnsafe(windowBytesMax);
      const window = this.#window.subarray(0, Math.min(size, bytes - from));
      size = Math.min(size * 2, windowBytesMax);
      const got = read(from, window);
      if (got === 0) return undefined;
      const found = this.#find(window.subarray(0, got), latest - from, from + got === bytes);
      if (found) {
        const at = from + found.at;
        return at < bytes ? { ...found, at } : undefined;
      }
      // Keep enough for a mark that the window's end cuts in two.
      const step = got - 256;
      if (from + got >= bytes) return undefined;
      from += Math.max(1, step);
      if (from > latest + limits.lineBytesMax) return { ...tooLong, at: from };
    }
    return undefined;
  }

  async *#cutStream(source: Source): AsyncGenerator<SegmentText> {
    let pieceStart = -1;
    let startsFile = true;
    let readBefore = 0;
    let splitsDocument = false;
    const open = async () => {
      if (!this.#buffer) {
        this.#buffer = await this.#take();
        this.#filled = 0;
      }
      this.#held.add(this.#buffer);
      pieceStart = this.#filled;
    };
    const close = (end: number, endsFile: boolean, endsDocument: boolean, isTooLong?: boolean) => {
      const buffer = this.#buffer as SharedArrayBuffer;
      this.#pieces.push({
        name: source.name,
        buffer,
        startsFile,
        endsFile,
        endsDocument,
        splitsDocument,
        tooLong: isTooLong,
        start: pieceStart,
        end,
        identity: xxh64Long(new Uint8Array(buffer, pieceStart, end - pieceStart)).toString(16),
      });
      this.#size += end - pieceStart;
      startsFile = false;
    };
    await open();
    const onIssue = (issue: { kind: string }) => this.#options.warn(issue.kind as WarningKind, source.name);
    let searched = 0;
    for await (const chunk of readSource(source, onIssue, (bytes) => {
      this.#options.onRead(bytes - readBefore);
      readBefore = bytes;
    })) {
      this.#append(chunk);
      for (;;) {
        const bytes = this.#filled - pieceStart;
        const earliest = Math.max(0, this.#options.segmentBytes - this.#size);
        if (bytes <= earliest) break;
        const from = pieceStart + Math.max(0, earliest - 1, searched - 256);
        const buffer = this.#buffer as unknown as SharedArrayBuffer;
        const text = Buffer.from(buffer, from, this.#filled - from);
        const latest = pieceStart + Math.max(earliest, this.#limit - this.#size) - from;
        const found = this.#find(text, latest, false);
        searched = bytes;
        if (!found && text.length > latest + limits.lineBytesMax) {
          close(this.#filled, false, false, true);
          yield this.#finish();
          this.#tooLong = true;
          return;
        }
        if (!found || from + found.at >= this.#filled) break;
        const cut = from + found.at;
        close(cut, false, found.beforeDocument);
        splitsDocument = found.splitsDocument;
        const rest = new Uint8Array(buffer, cut, this.#filled - cut);
        yield this.#finish();
        await open();
        this.#append(rest);
        searched = 0;
      }
    }
    close(this.#filled, true, false);
  }

  /**
   * The first place in `text` where a cut may be. Its byte 0 is one before the earliest place; places before
   * `latest` need a mark, those from there on only a new line (in CoNLL-U a blank one). `complete`: nothing follows.
   */
  #find(text: Buffer, latest: number, complete: boolean): Cut | undefined {
    const place = firstMark(text, this.#marks, 0, complete);
    if (place !== undefined && place < latest) {
      return { at: place, beforeDocument: this.#options.document !== null, splitsDocument: false };
    }
    if (text.length <= latest) return undefined;
    const from = Math.max(0, latest - 1);
    const at = firstMark(text, lineMarks(this.#options.format), from, complete);
    return at === undefined
      ? undefined
      : { at, beforeDocument: false, splitsDocument: this.#options.document !== null };
  }

  #append(bytes: Uint8Array): void {
    const buffer = this.#buffer as SharedArrayBuffer;
    if (this.#filled + bytes.length > buffer.byteLength) {
      const larger = (this.#filled + bytes.length) * 1.5;
      // One line is longer than the slack: a buffer for it alone, which is not kept.
      const grown = new SharedArrayBuffer(Math.ceil(larger));
      new Uint8Array(grown).set(new Uint8Array(buffer, 0, this.#filled));
      for (const piece of this.#pieces) if (piece.buffer === buffer) piece.buffer = grown;
      this.#held.delete(buffer);
      this.#held.add(grown);
      this.#buffer = grown;
      if (buffer.byteLength <= this.#capacity) this.#free.push(buffer);
      else this.#buffers--;
      this.#buffers++;
      this.#append(bytes);
      return;
    }
    new Uint8Array(buffer).set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  async #take(): Promise<SharedArrayBuffer> {
    for (;;) {
      const free = this.#free.pop();
      if (free) return free;
      if (this.#buffers < this.#options.buffersMax) {
        this.#buffers++;
        return new SharedArrayBuffer(this.#capacity);
      }
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
      this.#waiting = undefined;
    }
  }
}

/** Bytes that a cut may be at: `before` bytes of them belong to the piece that ends. */
interface Mark {
  bytes: Buffer;
  before: number;
  /** What follows must not go on with a name: "<doc" is not the start of "<docket>". */
  endsName: boolean;
}

function mark(before: string, after = ""): Mark {
  return { bytes: Buffer.from(before + after), before: Buffer.byteLength(before), endsName: after !== "" };
}

function lineMarks(format: InputFormat): Mark[] {
  return format === "conllu" ? [mark("\n\n"), mark("\n\r\n")] : [mark("\n")];
}

function documentMarks({ format, document }: CutOptions): Mark[] {
  if (document === null) return lineMarks(format);
  if (format === "vertical") return [mark("\n", `<${document}`)];
  return ["\n\n", "\n\r\n"].flatMap((blank) => [mark(blank, "# newdoc"), mark(blank, "#newdoc")]);
}

/** The first place from `from` on where a mark allows a cut. */
function firstMark(text: Buffer, marks: Mark[], from: number, complete: boolean): number | undefined {
  let best: number | undefined;
  for (const { bytes, before, endsName } of marks) {
    for (let at = text.indexOf(bytes, from); at >= 0; at = text.indexOf(bytes, at + 1)) {
      const next = at + bytes.length;
      if (
        endsName &&
        (next < text.length ? !" \t>/\r\n".includes(String.fromCharCode(text[next])) : !complete)
      )
        continue;
      if (best === undefined || at + before < best) best = at + before;
      break;
    }
  }
  return best;
}
