/**
 * The text of a segment, a slice at a time. A slice is some whole lines: little enough to stay in the caches of a core
 * while it is copied, checked and read. So text takes no memory to speak of, however large a segment is; only where a
 * piece has to be converted, it is there as a whole.
 */
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { DugongError } from "../errors.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";
import type { ReadingConfig } from "./config.js";
import type { Piece } from "./parse.js";
import { countNewlines, isConverted, longLine, pieceText, repairUtf8, withoutMark } from "./text.js";
import type { WarningCollector } from "./warnings.js";

/** Besides what caches hold: a kernel that is still unoptimised stays so until it returns. */
const sliceBytes = 1 << 18;
const newline = 10;

/** Brings `bytes` of a piece, from `at` on, into a part of the arena. */
type Bring = (at: number, target: Uint8Array) => void;
/** What is done with a slice: where it lies in the arena, and how many newlines it has. */
type Use = (start: number, end: number, newlines: number) => void;

export class Slices {
  #start = 0;
  #room = 0;
  /** Where a slice lies that was mended. */
  #mended = 0;
  #mendedRoom = 0;

  constructor(
    readonly arena: Arena,
    readonly config: ReadingConfig,
    readonly warnings: WarningCollector,
  ) {
    this.#grow(sliceBytes);
  }

  /** Reads a piece; returns how many newlines it has, and whether its lines are those of its file. */
  read(piece: Piece, index: number, use: Use): { lines: number; linesKept: boolean } {
    const bytes = piece.end - piece.start;
    const source = sourceOf(piece);
    try {
      if (!isConverted(this.config))
        return { lines: this.#readPlain(piece, index, source.bring, use), linesKept: true };
      const raw = Buffer.allocUnsafeSlow(bytes);
      source.bring(0, raw);
      const refused = this.#refuse(raw, piece, index);
      if (refused !== undefined) return { lines: refused, linesKept: true };
      const text = pieceText(raw, { ...piece, index }, this.config, this.warnings);
      this.#each(
        text.bytes.length,
        (at, target) => target.set(text.bytes.subarray(at, at + target.length)),
        use,
      );
      return text;
    } finally {
      source.close();
    }
  }

  #readPlain(piece: Piece, index: number, bring: Bring, use: Use): number {
    const { arena, warnings } = this;
    let lines = 0;
    let cutShort = false;
    const read: Use = (start, end, newlines) => {
      let bytes = arena.bytes(start, end - start);
      if (piece.startsFile && lines === 0) bytes = withoutMark(bytes, index, warnings);
      cutShort = bytes.length > 0 && bytes[bytes.length - 1] !== newline;
      if (isUtf8(bytes)) use(bytes.byteOffset, end, newlines);
      else {
        const mended = this.#mend(repairUtf8(bytes, index, lines, warnings));
        use(mended.start, mended.end, newlines);
      }
      lines += newlines;
    };
    const fits = this.#each(piece.end - piece.start, bring, read, limits.lineBytesMax);
    if (!fits) warnings.add("line_too_long", 1, () => ({ piece: index, line: lines }));
    if (cutShort && piece.endsFile)
      warnings.add("no_final_newline", 1, () => ({ piece: index, line: lines }));
    return lines;
  }

  /** Counts a line or sentence of a piece that has to be converted if it is too long, and says which line that is. */
  #refuse(raw: Buffer, { tooLong }: Piece, piece: number): number | undefined {
    const long = longLine(raw);
    if (long === undefined && !tooLong) return undefined;
    const start = long ?? Math.max(raw.lastIndexOf("\n\n"), raw.lastIndexOf("\n\r\n")) + 2;
    const line = start < 2 ? 0 : countNewlines(raw.subarray(0, start));
    const kind = long === undefined ? "sentence_too_long" : "line_too_long";
    this.warnings.add(kind, 1, () => ({ piece, line }));
    return line;
  }

  /** Whole lines, as many as there is room for. False if one is longer than `lineMax`: it is not used, nor what follows. */
  #each(length: number, bring: Bring, use: Use, lineMax = Number.POSITIVE_INFINITY): boolean {
    const { arena } = this;
    let held = 0;
    for (let at = 0; at < length; ) {
      if (held === this.#room) this.#grow(Math.min(this.#room * 2, lineMax + 1), held);
      const start = this.#start;
      const bytes = Math.min(this.#room - held, length - at);
      bring(at, arena.bytes(start + held, bytes));
      at += bytes;
      held += bytes;
      const isAll = at === length && held <= lineMax;
      const whole = isAll ? held : arena.bytes(start, held).lastIndexOf(newline) + 1;
      if (whole === 0) {
        if (held > lineMax) return false;
        continue;
      }
      use(start, start + whole, arena.kernels.countNewlines(start, whole));
      held -= whole;
      if (held > 0) arena.u8.copyWithin(start, start + whole, start + whole + held);
      if (at === length && held > 0) use(start, start + held, 0);
    }
    return true;
  }

  /** A line is longer than a slice. */
  #grow(room: number, held = 0): void {
    const start = this.arena.allocate(room);
    if (held > 0) this.arena.u8.copyWithin(start, this.#start, this.#start + held);
    this.#start = start;
    this.#room = room;
  }

  #mend(bytes: Uint8Array): { start: number; end: number } {
    const { arena } = this;
    if (bytes.length > this.#mendedRoom) {
      this.#mendedRoom = Math.max(bytes.length, this.#mendedRoom * 2);
      this.#mended = arena.allocate(this.#mendedRoom);
    }
    arena.u8.set(bytes, this.#mended);
    return { start: this.#mended, end: this.#mended + bytes.length };
  }
}

function sourceOf(piece: Piece): { bring: Bring; close(): void } {
  const { buffer, start, name } = piece;
  if (buffer) {
    return {
      bring: (at, target) => target.set(new Uint8Array(buffer, start + at, target.length)),
      close: () => {},
    };
  }
  const fd = openSync(piece.path as string, "r");
  const bring = (at: number, target: Uint8Array) => {
    for (let done = 0; done < target.length; ) {
      const got = readSync(fd, target, done, target.length - done, start + at + done);
      if (got === 0) {
        throw new DugongError(
          "input_changed",
          `${name} became shorter while it was read`,
          "Run the command again.",
        );
      }
      done += got;
    }
  };
  return { bring, close: () => closeSync(fd) };
}
