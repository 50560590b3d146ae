/**
 * The bytes of an archive, with the place that each came from: the member of a gzip file, or the byte of a plain one.
 *
 * Archives are made of many small members, as a rule one for each record, so that a record can be found by its offset and
 * a broken one does not take the others with it. That is what this reader is for, where storage/input/gzip.ts gives up:
 * after a member that is corrupt it looks for the next one (1f 8b 08 and a header that makes sense, whose data inflate) from the
 * byte after the start of the broken one, and says that something is missing before it.
 *
 * A member that lies whole in memory is inflated in one call, which costs less than a stream; large ones are streamed. A
 * member whose check does not agree is left out, unless it was too large to be held; then it is only counted.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { constants, crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { type Engine, engineBytes, throughEngine } from "../../storage/input/engine.js";
import { ByteFeed } from "../../storage/input/feed.js";
import { readSource, type Source } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import type { Reading } from "../stream/lines.js";

export interface Piece {
  bytes: Uint8Array;
  /** Where the member starts that it came from; of plain bytes, where they lie. Of Zstandard, a place in the text. */
  offset: number;
  /** It is the first of its member. */
  isStart: boolean;
  /** Something is missing before it. */
  isAfterGap: boolean;
}

/** A source, and its bytes where they come from somewhere else than its file. */
export interface OpenSource {
  source: Source;
  stream?: Readable;
}

/** Bytes that are there before a member is tried: most members are smaller. */
const aheadBytes = 256 * 1024;
const trailerBytes = 8;
const magic = Buffer.from([0x1f, 0x8b, 0x08]);
const emptyBytes = new Uint8Array(0);

export async function* piecesOf({ source, stream }: OpenSource, reading: Reading): AsyncGenerator<Piece> {
  if (source.compression === "zstd") return yield* zstdPieces(source, reading);
  const input = stream ?? createReadStream(source.path!, { highWaterMark: engineBytes });
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) {
      reading.signal?.throwIfAborted();
      received += (chunk as Uint8Array).length;
      reading.onRead?.(received);
      yield chunk as Uint8Array;
    }
  }
  const feed = new ByteFeed(counted());
  try {
    await feed.has(4);
    const [first, second] = feed.rest;
    if (first === 0x1f && second === 0x8b) {
      yield* new MemberReader(feed, () => received - feed.rest.length, source.name, reading).pieces();
    } else {
      for (;;) {
        const bytes = await feed.take();
        if (!bytes) return;
        yield { bytes, offset: received - bytes.length, isStart: false, isAfterGap: false };
      }
    }
  } finally {
    input.destroy();
  }
}

async function* zstdPieces(source: Source, { warnings, onRead }: Reading): AsyncGenerator<Piece> {
  const onIssue = ({ kind, message }: { kind: string; message: string }) =>
    warnings.add(kind, message, { source: source.name });
  let offset = 0;
  for await (const bytes of readSource(source, onIssue, onRead)) {
    yield { bytes, offset, isStart: false, isAfterGap: false };
    offset += bytes.length;
  }
}

type Inflated = { text: Uint8Array; used: number } | "cut" | "large" | "broken";

class MemberReader {
  /** What was read last could not be used, and somebody was told. */
  #isAfterGap = false;

  constructor(
    readonly feed: ByteFeed,
    /** Where the first byte of the feed lies. */
    readonly position: () => number,
    readonly name: string,
    readonly reading: Reading,
  ) {}

  async *pieces(): AsyncGenerator<Piece> {
    const { feed } = this;
    while (await feed.has(1)) {
      await feed.has(aheadBytes);
      const header = headerBytesOf(feed.rest);
      if (header === undefined) {
        this.#gap("broken_member", "what is not a gzip member is left out");
        if (!(await this.#findMember(1))) return;
        continue;
      }
      const offset = this.position();
      let found = inflateWhole(feed.rest.subarray(header));
      while (found === "cut" && !feed.ended && feed.rest.length < limits.memberBytesMax) {
        await feed.has(2 * feed.rest.length);
        found = inflateWhole(feed.rest.subarray(header));
      }
      if (found === "broken") {
        this.#gap("broken_member", "a gzip member that is corrupt is left out");
        if (!(await this.#findMember(1))) return;
      } else if (found === "large" || (found === "cut" && !feed.ended)) {
        feed.drop(header);
        yield* this.#stream(offset);
      } else if (found === "cut") {
        const bytes = inflateStart(feed.rest.subarray(header));
        if (bytes.length > 0) yield this.#piece(bytes, offset, true);
        this.#gap("truncated_member", "a gzip member ends too soon; what there is of it is read");
        if (!(await this.#findMember(1))) return;
      } else {
        yield* this.#whole(found, header, offset);
      }
    }
  }

  async *#whole(
    { text, used }: Exclude<Inflated, string>,
    header: number,
    offset: number,
  ): AsyncGenerator<Piece> {
    const { feed } = this;
    if (await feed.has(header + used + trailerBytes)) {
      const { buffer, byteOffset } = feed.rest;
      const trailer = new DataView(buffer, byteOffset + header + used, trailerBytes);
      const isRight =
        trailer.getUint32(0, true) === crc32(text) && trailer.getUint32(4, true) === text.length % 2 ** 32;
      feed.drop(header + used + (isRight ? trailerBytes : 0));
      if (!isRight) {
        this.#gap("broken_member", "a gzip member that is corrupt is left out", offset);
        await this.#findMember(0);
        return;
      }
    } else {
      feed.drop(feed.rest.length);
      this.#warn("truncated_member", "a gzip member ends too soon; what there is of it is read", offset);
    }
    yield this.#piece(text, offset, true);
  }

  /** A member that is too large to be held. The feed stands at its data. */
  async *#stream(offset: number): AsyncGenerator<Piece> {
    const { feed } = this;
    const engine: Engine = createInflateRaw({ chunkSize: engineBytes });
    const inflating = throughEngine(engine, () => feed.take());
    let check = 0;
    let length = 0;
    let step = await inflating.next();
    try {
      for (; !step.done; step = await inflating.next()) {
        check = crc32(step.value, check);
        yield this.#piece(step.value, offset, length === 0);
        length += step.value.length;
      }
    } finally {
      await inflating.return({ unused: emptyBytes });
    }
    const { error, unused } = step.value;
    feed.rest = unused;
    if (error) {
      const isCut = error.code === "Z_BUF_ERROR";
      const message = isCut
        ? "a gzip member ends too soon; what there is of it is read"
        : "a gzip member is corrupt; what stands before that is read";
      this.#gap(isCut ? "truncated_member" : "broken_member", message, offset);
      await this.#findMember(0);
      return;
    }
    if (!(await feed.has(trailerBytes))) {
      this.#warn("truncated_member", "a gzip member ends too soon; what there is of it is read", offset);
      feed.drop(feed.rest.length);
      return;
    }
    const trailer = new DataView(feed.rest.buffer, feed.rest.byteOffset, trailerBytes);
    if (trailer.getUint32(0, true) === check && trailer.getUint32(4, true) === length % 2 ** 32) {
      feed.drop(trailerBytes);
    } else {
      this.#warn("wrong_check", "a large gzip member is not what it was when it was made", offset);
      await this.#findMember(0);
    }
  }

  #piece(bytes: Uint8Array, offset: number, isStart: boolean): Piece {
    const isAfterGap = this.#isAfterGap;
    this.#isAfterGap = false;
    return { bytes, offset, isStart, isAfterGap };
  }

  /** Drops all before the next place, so many bytes on at least, where a member may start. */
  async #findMember(from: number): Promise<boolean> {
    const { feed } = this;
    feed.drop(from);
    for (;;) {
      const rest = Buffer.from(feed.rest.buffer, feed.rest.byteOffset, feed.rest.length);
      const at = rest.indexOf(magic);
      if (at >= 0) {
        feed.drop(at);
        return true;
      }
      feed.drop(Math.max(0, rest.length - magic.length + 1));
      if (!(await feed.has(feed.rest.length + 1))) {
        feed.drop(feed.rest.length);
        return false;
      }
    }
  }

  /** One warning for all that cannot be used before the next good member. */
  #gap(kind: string, message: string, offset = this.position()): void {
    if (!this.#isAfterGap) this.#warn(kind, message, offset);
    this.#isAfterGap = true;
  }

  #warn(kind: string, message: string, offset: number): void {
    this.reading.warnings.add(kind, message, { source: this.name, offset });
  }
}

/** How long the header of a member is that starts here; undefined if none does. */
function headerBytesOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined;
  const flags = bytes[3];
  if ((flags & 0xe0) !== 0) return undefined;
  let at = 10;
  if (flags & 4) at += 2 + bytes[at] + 256 * bytes[at + 1];
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at < bytes.length ? at : undefined;
}

const inflateOptions = { info: true, chunkSize: 128 * 1024, maxOutputLength: limits.memberTextBytesMax };

function inflateWhole(bytes: Uint8Array): Inflated {
  try {
    const { buffer, engine } = inflateRawSync(bytes, inflateOptions) as unknown as {
      buffer: Uint8Array;
      engine: Engine;
    };
    return { text: buffer, used: engine.bytesWritten };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") return "cut";
    return code === "ERR_BUFFER_TOO_LARGE" ? "large" : "broken";
  }
}

/** The text of a member that is cut off, as far as it goes. */
function inflateStart(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: limits.memberTextBytesMax,
    });
  } catch {
    return emptyBytes;
  }
}
