/**
 * Gzip: one or more members, one after the other.
 *
 *   member = 1f 8b 08 flags time:4 extra os  [ length:2 field ]  [ name 00 ]  [ comment 00 ]  [ check:2 ]
 *            deflated data  crc32:4  length:4                                     (numbers little-endian)
 *
 * The frame of members is read here and only the data inflated by node:zlib, whose own reader of gzip loses
 * text when garbage follows the last member. Small members that lie whole in memory are inflated at once,
 * for a stream costs more than they do: files made of many are common (bgzip, or cat *.gz).
 */

import { constants, crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { DugongError } from "../errors.js";
import { type Engine, engineBytes, throughEngine } from "./engine.js";
import type { ByteFeed } from "./feed.js";

export type OnCompressionIssue = (
  kind: "truncated_compression" | "trailing_garbage",
  message: string,
) => void;

const headerBytes = 10;
const trailerBytes = 8;
/** A member smaller than this is a small one, and the next is expected to be one too. */
const smallMemberBytes = 256 * 1024;
const smallTextBytesMax = 4 * 1024 * 1024;

const hasHeaderCheck = 2;
const hasExtra = 4;
const hasName = 8;
const hasComment = 16;
const reservedFlags = 0xe0;

/** Yields the text of all members. Throws broken_compression if data is corrupt. */
export async function* readGzip(
  feed: ByteFeed,
  name: string,
  onIssue: OnCompressionIssue,
): AsyncGenerator<Uint8Array> {
  let small = false;
  for (let member = 1; ; member++) {
    const header = await skipHeader(feed);
    if (header === "cut") return truncated(name, onIssue);
    if (header === "none") {
      if (member === 1) throw broken(name, "it has a header that is not known");
      if (await feed.has(1))
        onIssue("trailing_garbage", `${name}: what follows the compressed text is left out`);
      return;
    }
    let check = 0;
    let length = 0;
    const whole = small ? inflateWhole(feed.rest) : undefined;
    if (whole) {
      feed.drop(whole.used);
      check = crc32(whole.text);
      length = whole.text.length;
      if (length > 0) yield whole.text;
    } else {
      const engine: Engine = createInflateRaw({ chunkSize: engineBytes });
      const inflating = throughEngine(engine, () => feed.take());
      let step = await inflating.next();
      try {
        for (; !step.done; step = await inflating.next()) {
          check = crc32(step.value, check);
          length += step.value.length;
          yield step.value;
        }
      } finally {
        await inflating.return({ unused: feed.rest });
      }
      const { error, unused } = step.value;
      if (error?.code === "Z_BUF_ERROR") return truncated(name, onIssue);
      if (error) throw broken(name, error.message);
      feed.rest = unused;
      small = engine.bytesWritten < smallMemberBytes;
    }
    if (!(await feed.has(trailerBytes))) return truncated(name, onIssue);
    const trailer = new DataView(feed.rest.buffer, feed.rest.byteOffset, trailerBytes);
    if (trailer.getUint32(0, true) !== check) throw broken(name, "incorrect data check");
    if (trailer.getUint32(4, true) !== length % 2 ** 32) throw broken(name, "incorrect length check");
    feed.drop(trailerBytes);
  }
}

/** Drops the header of a member. "none": no member starts here. "cut": the input ends within the header. */
async function skipHeader(feed: ByteFeed): Promise<"read" | "none" | "cut"> {
  const complete = await feed.has(headerBytes);
  const start = feed.rest;
  if (start.length < 2 || start[0] !== 0x1f || start[1] !== 0x8b) return "none";
  if (!complete) return "cut";
  const flags = start[3];
  if (start[2] !== 8 || (flags & reservedFlags) !== 0) return "none";
  feed.drop(headerBytes);
  if (flags & hasExtra) {
    if (!(await feed.has(2))) return "cut";
    const length = 2 + feed.rest[0] + 256 * feed.rest[1];
    if (!(await feed.has(length))) return "cut";
    feed.drop(length);
  }
  if (flags & hasName && !(await skipString(feed))) return "cut";
  if (flags & hasComment && !(await skipString(feed))) return "cut";
  if (flags & hasHeaderCheck) {
    if (!(await feed.has(2))) return "cut";
    feed.drop(2);
  }
  return "read";
}

async function skipString(feed: ByteFeed): Promise<boolean> {
  while (await feed.has(1)) {
    const end = feed.rest.indexOf(0);
    feed.drop(end < 0 ? feed.rest.length : end + 1);
    if (end >= 0) return true;
  }
  return false;
}

/** Inflates a member that lies whole in these bytes; undefined if it does not, is large, or is corrupt. */
function inflateWhole(bytes: Uint8Array): { text: Uint8Array; used: number } | undefined {
  try {
    const options = { info: true, chunkSize: 128 * 1024, maxOutputLength: smallTextBytesMax };
    const whole = inflateRawSync(bytes, { ...options, finishFlush: constants.Z_FINISH }) as unknown as {
      buffer: Uint8Array;
      engine: Engine;
    };
    return { text: whole.buffer, used: whole.engine.bytesWritten };
  } catch {
    return undefined;
  }
}

function truncated(name: string, onIssue: OnCompressionIssue): void {
  onIssue(
    "truncated_compression",
    `${name}: the compressed text ends too soon; what there is of it was read`,
  );
}

function broken(name: string, what: string): DugongError {
  return new DugongError(
    "broken_compression",
    `cannot decompress ${name}: ${what}`,
    "Test it with gzip -t, and get it again from where it came from.",
  );
}
