/** One generation of a lexicon, in memory: sorted strings, still front-coded, and the maps between rank and id. */
import type { ColumnLoader } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import { lexiconVersion, stringsPerBlock } from "./format.js";

/** Strings in blocks of 16, each written as what it does not share with the one before (format.ts). */
export interface FrontCoded {
  readonly count: number;
  readonly strings: Uint8Array;
  readonly blocks: Uint32Array;
}

export class Generation implements FrontCoded {
  private constructor(
    readonly base: number,
    readonly count: number,
    readonly strings: Uint8Array,
    readonly blocks: Uint32Array,
    /** Rank in byte order → id − base. */
    readonly ids: Uint32Array,
    /** Id − base → rank. */
    readonly ranks: Uint32Array,
  ) {}

  static load(load: ColumnLoader, path: string, checkpoint?: () => void): Generation {
    const file = FileReader.open(path, "lexicon", lexiconVersion);
    try {
      return new Generation(
        file.contents.meta.base as number,
        file.contents.meta.count as number,
        file.read("strings", checkpoint),
        load(file, "blocks"),
        load(file, "ids"),
        load(file, "ranks"),
      );
    } finally {
      file.close();
    }
  }

  /** The bytes of the string at `rank`. */
  bytesAt(rank: number): Buffer {
    return stringAt(this, rank);
  }

  /** The rank of the first string that is not before `wanted`. */
  lowerBound(wanted: Uint8Array): number {
    const found = this.#seek(wanted);
    return found < 0 ? ~found : found;
  }

  /** The rank of a string, or −1. */
  find(wanted: Uint8Array): number {
    return Math.max(-1, this.#seek(wanted));
  }

  /** One for all that is looked for: it takes memory that need not be taken for each. */
  #walk: StringWalk | undefined;

  /** The rank of a string; or, where it is not there, ~ the rank of the first behind it. */
  #seek(wanted: Uint8Array): number {
    let low = 0;
    let high = this.blocks.length;
    this.#walk ??= new StringWalk(this, 0);
    const walk = this.#walk;
    while (low < high) {
      const middle = (low + high) >>> 1;
      walk.moveTo(middle * stringsPerBlock);
      walk.next();
      const order = compareBytes(walk.bytes, walk.length, wanted);
      if (order === 0) return middle * stringsPerBlock;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return ~0;
    // The first string of block low − 1 is before `wanted`: the bound is in that block, or is the next block's first.
    let rank = (low - 1) * stringsPerBlock;
    const end = Math.min(this.count, low * stringsPerBlock);
    walk.moveTo(rank);
    for (; rank < end; rank++) {
      walk.next();
      const order = compareBytes(walk.bytes, walk.length, wanted);
      if (order >= 0) return order === 0 ? rank : ~rank;
    }
    return ~end;
  }

  /** Ranks [from, to) of the strings that begin with `prefix`. */
  prefixRange(prefix: Uint8Array): [from: number, to: number] {
    const from = this.lowerBound(prefix);
    const after = Buffer.from(prefix);
    let end = after.length;
    while (end > 0 && after[end - 1] === 255) end--;
    if (end === 0) return [from, this.count];
    after[end - 1]++;
    return [from, this.lowerBound(after.subarray(0, end))];
  }
}

/** The bytes of one string: a walk through its block. */
export function stringAt(strings: FrontCoded, index: number): Buffer {
  const walk = new StringWalk(strings, index & ~(stringsPerBlock - 1));
  const steps = index & (stringsPerBlock - 1);
  for (let i = 0; i <= steps; i++) walk.next();
  return Buffer.from(walk.bytes.subarray(0, walk.length));
}

/** Walks front-coded strings in their order, reusing one buffer. */
export class StringWalk {
  bytes = new Uint8Array(256);
  length = 0;
  /** How many bytes the current string shares with the one before; 0 at the start of a block. */
  shared = 0;
  #rank: number;
  #at: number;

  constructor(
    readonly generation: FrontCoded,
    /** Divisible by 16. */
    rank: number,
  ) {
    this.#rank = rank;
    this.#at = generation.blocks[rank / stringsPerBlock] ?? 0;
  }

  moveTo(rank: number): void {
    this.#rank = rank;
    this.#at = this.generation.blocks[rank / stringsPerBlock];
  }

  /** Reads the next string; false behind the last. */
  next(): boolean {
    const { strings, count } = this.generation;
    if (this.#rank >= count) return false;
    this.shared = 0;
    if (this.#rank % stringsPerBlock > 0) this.shared = this.#varint(strings);
    const rest = this.#varint(strings);
    this.length = this.shared + rest;
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.bytes.subarray(0, this.shared));
      this.bytes = larger;
    }
    const from = this.#at;
    if (rest < 24) for (let i = 0; i < rest; i++) this.bytes[this.shared + i] = strings[from + i];
    else this.bytes.set(strings.subarray(from, from + rest), this.shared);
    this.#at += rest;
    this.#rank++;
    return true;
  }

  #varint(strings: Uint8Array): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = strings[this.#at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

/** The order of the first `length` bytes of `a` and all of `b`. */
export function compareBytes(a: Uint8Array, length: number, b: Uint8Array): number {
  const common = Math.min(length, b.length);
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return length - b.length;
}
