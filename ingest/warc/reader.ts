/**
 * Archives of the web: WARC (ISO 28500: 1.0, 1.1, and what was written before it was one) and ARC.
 *
 *   warc   = record*
 *   record = "WARC/" version CRLF ( name ":" value CRLF )* CRLF  block  CRLF CRLF        (Content-Length: of the block)
 *
 *   arc    = record*                                             (the first is filedesc://…, and describes the file)
 *   record = url SP address SP date SP type SP … SP length LF  block  LF
 *
 * Either plain, or gzipped: a record in a member, several in one, or one across several. What is broken is left out and counted
 * with its place, and reading goes on at the next header that makes sense:
 *
 *   no header where one should be, or no length    left out, to the next header or member
 *   the block is longer than the header says       as long as it says; the rest is left out
 *   the block is shorter than the header says      left out, and the record that begins inside it is read
 *   the file or the member ends inside the block   as far as it goes; the record says that it is cut
 */
import { limits } from "../limits.js";
import type { Reading } from "../stream/lines.js";
import { arcHeader, type RecordHeader, startsArcRecord, startsWarcRecord, warcHeader } from "./headers.js";
import { type OpenSource, type Piece, piecesOf } from "./members.js";
import { Tape } from "./tape.js";

export interface ArchiveRecord {
  format: "warc" | "arc";
  /** response, request, resource, revisit, metadata, conversion, continuation, warcinfo. In ARC all are responses but the first. */
  type: string;
  url: string;
  /** ISO 8601; absent where it makes no sense. */
  date?: string;
  /** Of the block: "application/http; msgtype=response", "text/dns". In ARC it is that of the page. */
  contentType: string;
  /** All that the header says, names in lower case. Empty for ARC. */
  headers: Record<string, string>;
  block: Uint8Array;
  /** The file, or what of it can be read, ends inside the block. */
  isCut?: boolean;
  offset: number;
}

/** What a kind of archive is told by. */
interface Format {
  name: "warc" | "arc";
  startsRecord(bytes: Uint8Array): boolean;
  /** The header that starts here: how many bytes it has, and what it says; "more" if it goes on behind these bytes. */
  header(bytes: Uint8Array): RecordHeader | "more" | undefined;
}

const warc: Format = { name: "warc", startsRecord: startsWarcRecord, header: warcHeader };
const arc: Format = { name: "arc", startsRecord: startsArcRecord, header: arcHeader };

/** All records of an archive, in order. */
export async function* recordsOf(
  open: OpenSource,
  format: "warc" | "arc",
  reading: Reading,
): AsyncGenerator<ArchiveRecord> {
  const kind = format === "warc" ? warc : arc;
  const pieces: AsyncGenerator<Piece> = piecesOf(open, reading);
  const isPlain = open.source.compression === "none" || open.source.compression === "unknown";
  const reader = new RecordReader(
    new Tape(pieces, kind.startsRecord, isPlain),
    kind,
    open.source.name,
    reading,
  );
  try {
    yield* reader.records();
  } finally {
    await pieces.return(undefined);
  }
}

class RecordReader {
  constructor(
    readonly tape: Tape,
    readonly format: Format,
    readonly source: string,
    readonly reading: Reading,
  ) {}

  async *records(): AsyncGenerator<ArchiveRecord> {
    const { tape } = this;
    for (;;) {
      await this.#skipBlank();
      if (tape.rest.length === 0) {
        if (!tape.advance()) return;
        continue;
      }
      const { offset } = tape;
      const header = await this.#header();
      if (!header) {
        this.#warn("broken_record", "what is not a record is left out", offset);
        await this.#findHeader();
      } else if (header.length === undefined) {
        this.#warn("broken_record", "a record that does not say how long it is is left out", offset);
        tape.drop(header.bytes);
        await this.#findHeader();
      } else if (header.length > limits.recordBytesMax) {
        this.#warn("large_record", `a record of over ${limits.recordBytesMax} bytes is passed over`, offset);
        tape.drop(header.bytes);
        await tape.skip(header.length);
        await this.#expectHeader(tape.offset);
      } else {
        tape.drop(header.bytes);
        const block = await this.#block(header.length, offset);
        if (!block) continue;
        const isCut = block.length < header.length;
        yield { ...header.record(), block, ...(isCut && { isCut }), offset };
      }
    }
  }

  async #header(): Promise<RecordHeader | undefined> {
    const { tape, format } = this;
    for (;;) {
      const header = format.header(tape.rest);
      if (header !== "more") return header;
      const { length } = tape.rest;
      if (length > limits.recordHeaderBytesMax || !(await tape.has(length + 1))) return undefined;
    }
  }

  /** The block that starts here, as far as it goes, if it can be read; the tape then stands behind it and what fills the space to the next. */
  async #block(length: number, offset: number): Promise<Uint8Array | undefined> {
    const { tape, format } = this;
    const isWhole = await tape.has(length);
    if (isWhole) {
      const block = tape.rest.subarray(0, length);
      // What follows it shows whether the length is right.
      let end = length;
      while ((await tape.has(end + 1)) && isBlank(tape.rest[end])) end++;
      await tape.has(end + 16);
      const rest = tape.rest.subarray(end);
      if (rest.length === 0 || this.#startsHeader(rest)) {
        tape.drop(end);
        return block;
      }
    }
    const inner = format.name === "warc" ? innerHeader(tape.rest.subarray(0, length)) : -1;
    if (inner >= 0) {
      this.#warn("broken_record", "a record that is shorter than it says is left out", offset);
      tape.drop(inner);
      return undefined;
    }
    if (!isWhole) {
      this.#warn("truncated_record", "a record ends too soon", offset);
      const { rest } = tape;
      tape.drop(rest.length);
      return rest;
    }
    const block = tape.rest.subarray(0, length);
    tape.drop(length);
    await this.#expectHeader(offset);
    return block;
  }

  /** The next record should start here. */
  async #expectHeader(offset: number): Promise<void> {
    await this.#skipBlank();
    const { tape } = this;
    if (tape.rest.length === 0) return;
    await tape.has(16);
    if (this.#startsHeader(tape.rest)) return;
    this.#warn("wrong_length", "what follows a record, and is no record, is left out", offset);
    await this.#findHeader();
  }

  #startsHeader(bytes: Uint8Array): boolean {
    const { format } = this;
    // A line of ARC is known when all of it is there: whether it is one is found out when it is read.
    return format.name === "arc" ? format.header(bytes) !== undefined : format.startsRecord(bytes);
  }

  async #skipBlank(): Promise<void> {
    const { tape } = this;
    for (;;) {
      let at = 0;
      while (at < tape.rest.length && isBlank(tape.rest[at])) at++;
      tape.drop(at);
      if (tape.rest.length > 0 || !(await tape.has(1))) return;
    }
  }

  /** Drops all up to the next line that starts a record, or the end of the stretch. */
  async #findHeader(): Promise<void> {
    const { tape, format } = this;
    for (;;) {
      const end = tape.rest.indexOf(0x0a);
      if (end < 0) {
        // A line without an end is no header.
        const { length } = tape.rest;
        if (await tape.has(length + 1)) {
          if (length > limits.recordHeaderBytesMax) tape.drop(length);
          continue;
        }
        tape.drop(length);
        return;
      }
      tape.drop(end + 1);
      if (tape.rest.length < limits.recordHeaderBytesMax) await tape.has(limits.recordHeaderBytesMax);
      if (format.startsRecord(tape.rest)) return;
    }
  }

  #warn(kind: string, message: string, offset: number): void {
    this.reading.warnings.add(kind, message, { source: this.source, offset });
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
}

const warcMark = Buffer.from("\nWARC/");

/** Where a header of WARC starts inside a block that cannot be as long as it should; -1 if none does. */
function innerHeader(block: Uint8Array): number {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  for (let at = bytes.indexOf(warcMark); at >= 0; at = bytes.indexOf(warcMark, at + 1)) {
    const before = bytes[at - 1] === 0x0d ? bytes[at - 2] : bytes[at - 1];
    if (before === 0x0a && startsWarcRecord(bytes.subarray(at + 1))) return at + 1;
  }
  return -1;
}
