/** What a thread does: hashes blocks into buckets, looks for repeats in a bucket, reads blocks with all that is known. */

import type { Warning } from "../stream/report.js";
import { BucketWriter, repeatsIn } from "./buckets.js";
import type { Hashes } from "./hash.js";
import { BlockReader, pieceFields, pieceHashes, type ReadingSetup } from "./reader.js";
import { HashTable } from "./table.js";

export interface Setup extends ReadingSetup {
  exact: boolean;
  /** Descriptors of buckets: in the first pass. */
  buckets?: number[];
  /** Hashes that occur more than once: in the second pass. */
  repeated?: Uint32Array;
}

export type Task =
  | { kind: "hash"; bytes: Uint8Array }
  | { kind: "flush" }
  | { kind: "repeats"; bucket: number }
  | { kind: "read"; bytes: Uint8Array; source: string };

/** A block as documents and pieces (reader.ts), with the slot of each hash that occurs more than once. */
export interface ReadBlock {
  text: string;
  pieces: Int32Array;
  documentEnds: Int32Array;
  loose: boolean[];
  /** For each word (or line), -1 if it ends no n-gram that occurs twice. */
  slots: Int32Array;
  /** For each document. */
  textSlots: Int32Array;
  lines: number;
  warnings: Warning[];
}

export interface Results {
  hash: number;
  flush: null;
  repeats: Uint32Array;
  read: ReadBlock;
}

/** Documents that a thread remembers for each bucket, so as not to hash the n-grams of their copies. */
const rememberedPerBucket = 4096;

export class Performer {
  readonly #reader: BlockReader;
  readonly #buckets: BucketWriter | undefined;
  readonly #repeated: HashTable | undefined;
  #remembered: HashTable | undefined;
  #rememberedCount = 0;

  constructor(readonly setup: Setup) {
    this.#reader = new BlockReader(setup);
    if (setup.buckets) this.#buckets = new BucketWriter(setup.buckets);
    if (setup.repeated) this.#repeated = new HashTable(setup.repeated);
  }

  perform(task: Task): Results[Task["kind"]] {
    if (task.kind === "hash") return this.#hash(task.bytes);
    if (task.kind === "read") return this.#read(task.bytes, task.source);
    if (task.kind === "repeats") return repeatsIn(this.setup.buckets![task.bucket]);
    this.#buckets!.flush();
    return null;
  }

  /** Returns the number of words. */
  #hash(bytes: Uint8Array): number {
    const reader = this.#reader;
    reader.read(decode(bytes), "");
    const { hashes, texts, documentEnds, pieces } = reader;
    const buckets = this.#buckets!;
    if (!this.setup.exact) {
      buckets.add(hashes, 0, hashes.count);
      return hashes.count;
    }
    let piece = 0;
    let from = 0;
    for (let document = 0; document < documentEnds.length; document++) {
      let to = from;
      for (; piece < documentEnds[document]; piece += pieceFields)
        to += Math.max(0, pieces[piece + pieceHashes]);
      if (to === from) continue;
      buckets.add(texts, document, document + 1);
      // A copy is known by its text: its n-grams are never asked for, and need not be taken for repeated.
      if (this.#isNew(texts, document)) buckets.add(hashes, from, to);
      from = to;
    }
    return hashes.count;
  }

  #isNew({ lanes }: Hashes, document: number): boolean {
    const rememberedMax = rememberedPerBucket * this.setup.buckets!.length;
    this.#remembered ??= new HashTable(rememberedMax);
    const low = lanes[2 * document];
    const high = lanes[2 * document + 1];
    if (this.#rememberedCount === rememberedMax) return this.#remembered.find(low, high) < 0;
    const isNew = this.#remembered.add(low, high) >= 0;
    if (isNew) this.#rememberedCount++;
    return isNew;
  }

  #read(bytes: Uint8Array, source: string): ReadBlock {
    const reader = this.#reader;
    reader.read(decode(bytes), source);
    const { text, lines, loose } = reader;
    return {
      text,
      pieces: Int32Array.from(reader.pieces),
      documentEnds: Int32Array.from(reader.documentEnds),
      loose,
      slots: this.#slots(reader.hashes),
      textSlots: this.setup.exact ? this.#slots(reader.texts) : new Int32Array(0),
      lines,
      warnings: reader.warnings.list,
    };
  }

  #slots({ lanes, count }: Hashes): Int32Array {
    const repeated = this.#repeated!;
    const slots = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const low = lanes[2 * i];
      const high = lanes[2 * i + 1];
      slots[i] = low === 0 && high === 0 ? -1 : repeated.find(low, high);
    }
    return slots;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: false });

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
