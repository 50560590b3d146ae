/**
 * Zstandard: one or more frames, one after the other (RFC 8878).
 *
 *   frame     = 28 b5 2f fd  descriptor:1  rest of the header  block*  [ check:4 ]
 *   block     = header:3 (bit 0: last one; bits 1-2: type; bits 3-23: size)  content
 *   skippable = 5x 2a 4d 18  length:4  content                              (numbers little-endian)
 *
 * The frames are told apart here, by walking over their blocks, so that each can be given alone to the
 * decompressor: node:zlib's, where this Node has one, stops after the first frame; and so that a file cut
 * short is known from one that is corrupt. Where node:zlib has none, fzstd does it in JavaScript, several
 * times slower and without comparing the check, which is done here: the low half of the xxh64 of the text.
 */

import zlib from "node:zlib";
import { Decompress } from "fzstd";
import xxhash, { type XXHashAPI } from "xxhash-wasm";
import { DugongError } from "../errors.js";
import { type Engine, engineBytes, throughEngine } from "./engine.js";
import type { ByteFeed } from "./feed.js";
import type { OnCompressionIssue } from "./gzip.js";

const native = (zlib as { createZstdDecompress?: (options: { chunkSize: number }) => Engine })
  .createZstdDecompress;

const magicBytes = 4;
/** Only where node:zlib does not compare the check: compiled when the first such file is read. */
let hashing: Promise<XXHashAPI> | undefined;

/** Compressed bytes given to fzstd at a time: it gives back all that they hold at once. */
const sliceBytes = 64 * 1024;

/** Whether a frame, skippable or not, starts here. */
export function startsZstdFrame(bytes: Uint8Array): boolean {
  if (bytes.length < magicBytes) return false;
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return true;
  return bytes[0] >> 4 === 5 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
}

/** Yields the text of all frames. Throws broken_compression if data is corrupt. */
export async function* readZstd(
  feed: ByteFeed,
  name: string,
  onIssue: OnCompressionIssue,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    await feed.has(magicBytes);
    if (!startsZstdFrame(feed.rest)) {
      if (feed.rest.length > 0) {
        onIssue("trailing_garbage", `${name}: what follows the compressed text is left out`);
      }
      return;
    }
    const skippable = feed.rest[0] !== 0x28;
    const frame = new ZstdFrame();
    const input = () => frame.take(feed);
    if (skippable) while (await input());
    else if (native) yield* withNode(native({ chunkSize: engineBytes }), input, frame, name);
    else yield* withFzstd(input, frame, name);
    if (frame.corrupt) throw broken(name, "a block is of no known type");
    if (!frame.complete) {
      onIssue(
        "truncated_compression",
        `${name}: the compressed text ends too soon; what there is of it was read`,
      );
      return;
    }
  }
}

async function* withNode(
  engine: Engine,
  input: () => Promise<Uint8Array | undefined>,
  frame: ZstdFrame,
  name: string,
): AsyncGenerator<Uint8Array> {
  const { error } = yield* throughEngine(engine, input);
  if (error && (frame.complete || error.code !== "Z_BUF_ERROR")) throw broken(name, error.message);
}

async function* withFzstd(
  input: () => Promise<Uint8Array | undefined>,
  frame: ZstdFrame,
  name: string,
): AsyncGenerator<Uint8Array> {
  hashing ??= xxhash();
  const hash = (await hashing).create64();
  let blocks: Uint8Array[] = [];
  const decompressor = new Decompress((block) => {
    if (block.length === 0) return;
    if (frame.hasCheck) hash.update(block);
    blocks.push(block);
  });
  const push = (bytes: Uint8Array, last: boolean) => {
    blocks = [];
    try {
      decompressor.push(bytes, last);
    } catch (error) {
      throw broken(name, (error as Error).message);
    }
    return blocks;
  };
  for (let piece = await input(); piece !== undefined; piece = await input()) {
    for (let start = 0; start < piece.length; start += sliceBytes) {
      yield* push(piece.subarray(start, start + sliceBytes), false);
    }
  }
  // It holds back the first few bytes until it knows that no more come.
  if (!frame.complete) return;
  yield* push(new Uint8Array(0), true);
  if (frame.hasCheck && Number(hash.digest() & 0xffffffffn) !== frame.check) {
    throw broken(name, "the text is not the one that its check was made of");
  }
}

/** Walks over one frame without decompressing it, to know where it ends. */
export class ZstdFrame {
  /** All bytes of the frame went by. */
  complete = false;
  /** A block has no known type, so nobody knows where the frame ends. */
  corrupt = false;
  /** Whether the header says that a check of the text ends the frame, and the check when it went by. */
  hasCheck = false;
  check = 0;
  /** Bytes to pass over before the next number is read. */
  #skip = 0;
  /** What the next number says, and how many bytes it has. */
  #next: "magic" | "length" | "descriptor" | "block" | "check" | "end" = "magic";
  #number = 0;
  #bytesRead = 0;

  /** Takes from the feed what there is of this frame; undefined if it is over, or the input is. */
  async take(feed: ByteFeed): Promise<Uint8Array | undefined> {
    if (this.complete || this.corrupt || !(await feed.has(1))) return undefined;
    const taken = feed.rest.subarray(0, this.walk(feed.rest));
    feed.drop(taken.length);
    return taken;
  }

  /** Walks over the next bytes of the file and says how many of them belong to the frame. */
  walk(bytes: Uint8Array): number {
    let at = 0;
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      at += skipped;
      this.#skip -= skipped;
      if (this.#skip > 0) return at;
      if (this.#next === "end") this.complete = true;
      if (this.complete || this.corrupt || at === bytes.length) return at;
      this.#number += bytes[at++] * 256 ** this.#bytesRead++;
      if (this.#bytesRead === numberBytes[this.#next]) this.#read();
    }
  }

  #read(): void {
    const number = this.#number;
    switch (this.#next) {
      case "magic":
        this.#next = number === 0xfd2fb528 ? "descriptor" : "length";
        break;
      case "length":
        this.#skip = number;
        this.#next = "end";
        break;
      case "descriptor": {
        const single = (number >> 5) & 1;
        const sizeBytes = [single, 2, 4, 8][number >> 6];
        this.#skip = 1 - single + [0, 1, 2, 4][number & 3] + sizeBytes;
        this.hasCheck = (number & 4) !== 0;
        this.#next = "block";
        break;
      }
      case "check":
        this.check = number;
        this.#next = "end";
        break;
      case "block": {
        const type = (number >> 1) & 3;
        if (type === 3) this.corrupt = true;
        this.#skip = type === 1 ? 1 : number >> 3;
        if (number & 1) this.#next = this.hasCheck ? "check" : "end";
        break;
      }
    }
    this.#number = 0;
    this.#bytesRead = 0;
  }
}

const numberBytes = { magic: 4, length: 4, descriptor: 1, block: 3, check: 4, end: 0 };

function broken(name: string, what: string): DugongError {
  return new DugongError(
    "broken_compression",
    `cannot decompress ${name}: ${what}`,
    "Test it with zstd -t, and get it again from where it came from.",
  );
}
