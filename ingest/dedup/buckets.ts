/**
 * Hashes on disk, in buckets by their first bits: all that are equal lie in one, and a bucket is small enough to look at
 * as a whole. Threads append to the same files; in which order is of no account.
 *
 *   bucket = hash*        (low and high lane, 4 bytes each, as the machine has them)
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DugongError } from "../../storage/errors.js";
import type { Hashes } from "./hash.js";
import { HashTable } from "./table.js";

const bucketsMax = 256;
/** Text for which a bucket is good: some millions of hashes lie in one of a billion words. */
const bucketBytes = 1024 * 1024;
/** Lanes that a thread gathers for a bucket before it writes. */
const bufferLanes = 4096;

/** Opens files for so much text, for all threads: descriptors are those of the process. Their number is a power of two. */
export function openBuckets(folder: string, textBytes: number): number[] {
  let length = 1;
  while (length < bucketsMax && length * bucketBytes < textBytes) length *= 2;
  return Array.from({ length }, (_, i) => openSync(join(folder, `bucket-${i}`), "a+"));
}

export function closeBuckets(files: readonly number[]): void {
  for (const file of files) closeSync(file);
}

export class BucketWriter {
  readonly #buffers: Uint32Array;
  readonly #lengths: Uint32Array;
  /** What to divide the high lane by. */
  readonly #shift: number;

  constructor(readonly files: readonly number[]) {
    this.#buffers = new Uint32Array(files.length * bufferLanes);
    this.#lengths = new Uint32Array(files.length);
    this.#shift = 32 - Math.log2(files.length);
  }

  /** Adds the hashes from one index to another; (0, 0) is none. */
  add({ lanes }: Hashes, from: number, to: number): void {
    const lengths = this.#lengths;
    const buffers = this.#buffers;
    const shift = this.#shift;
    for (let i = 2 * from; i < 2 * to; i += 2) {
      const low = lanes[i];
      const high = lanes[i + 1];
      if (low === 0 && high === 0) continue;
      const bucket = shift === 32 ? 0 : high >>> shift;
      const at = bucket * bufferLanes + lengths[bucket];
      buffers[at] = low;
      buffers[at + 1] = high;
      if ((lengths[bucket] += 2) === bufferLanes) this.#write(bucket);
    }
  }

  flush(): void {
    for (let bucket = 0; bucket < this.files.length; bucket++) this.#write(bucket);
  }

  #write(bucket: number): void {
    const start = bucket * bufferLanes;
    const bytes = new Uint8Array(this.#buffers.buffer, 4 * start, 4 * this.#lengths[bucket]);
    this.#lengths[bucket] = 0;
    try {
      // One write: hashes of two threads are not mixed up.
      if (bytes.length > 0 && writeSync(this.files[bucket], bytes) === bytes.length) return;
      if (bytes.length === 0) return;
    } catch (error) {
      throw noRoom((error as Error).message);
    }
    throw noRoom("only a part was written");
  }
}

function noRoom(why: string): DugongError {
  return new DugongError(
    "cannot_write",
    `cannot write hashes of n-grams: ${why}`,
    "They take 8 bytes for each word of the input; --temp names another folder for them.",
  );
}

/** The hashes of a bucket that are in it more than once, each once. */
export function repeatsIn(file: number): Uint32Array {
  const all = new Uint32Array(fstatSync(file).size / 4);
  const bytes = new Uint8Array(all.buffer);
  for (let read = 0; read < bytes.length; ) {
    const more = readSync(file, bytes, read, Math.min(bytes.length - read, 1 << 30), read);
    if (more === 0) throw new Error("a bucket of hashes has become shorter");
    read += more;
  }
  const table = new HashTable(all.length / 2);
  const isRepeated = new Uint8Array(table.capacity);
  let count = 0;
  for (let i = 0; i < all.length; i += 2) {
    const low = all[i];
    const high = all[i + 1];
    const slot = -1 - table.add(low, high);
    if (slot < 0 || isRepeated[slot] === 1) continue;
    isRepeated[slot] = 1;
    // What is found is put where it has been read already.
    all[count++] = low;
    all[count++] = high;
  }
  return all.slice(0, count);
}
