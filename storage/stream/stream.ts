/**
 * The id at each position of one attribute in one segment, as it is asked for. A derived attribute has no stream of
 * its own: its ids are those of its base, looked up in a table.
 */
import { Column } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import type { DerivedMap } from "../lexicon/derived.js";
import { type Pool, PooledFile } from "../pool/pool.js";
import { streamVersion } from "./format.js";

/** Of a segment or, by global positions, of a whole snapshot. Costs one extent for a position that is not in the pool. */
export interface TokenStream {
  /** How many tokens. */
  readonly count: number;
  /** The id at one position. */
  at(position: number): number;
  /** The ids at many positions, in any order: several times as fast as one by one. */
  gather(positions: ArrayLike<number>, out: Uint32Array, count?: number): void;
  /** The ids at positions [from, from + count) into `out`, which may lie in any memory. */
  read(from: number, count: number, out: Uint32Array): void;
}

/** The stream of one segment. */
export interface SegmentStream extends TokenStream {
  /** Are its ids single bytes, which `readBytes` gives as they are? */
  readonly inBytes: boolean;
  readBytes(from: number, count: number, out: Uint8Array): void;
  /** A bit for each id of [from, from + count) that is in a set, from bit number `first` of `out` on (column/reader.ts). For streams in bytes. */
  memberBits(from: number, count: number, set: Uint8Array, out: Uint32Array, first: number): void;
  /** `gather` for positions that ascend. */
  gatherAscending(positions: Uint32Array, count: number, out: Uint32Array): void;
  /** Keeps those of ascending positions whose id is in a table (column/reader.ts). For streams in bytes. */
  siftBytes(
    positions: Uint32Array,
    from: number,
    to: number,
    shift: number,
    table: Uint8Array,
    kept: number,
  ): number;
}

export class StoredStream implements SegmentStream {
  readonly column: Column;
  readonly #file: FileReader;

  constructor(pool: Pool, path: string) {
    this.#file = FileReader.open(path, "stream", streamVersion);
    this.column = new Column(pool, new PooledFile(this.#file), "ids");
  }

  get count(): number {
    return this.column.count;
  }

  at(position: number): number {
    return this.column.get(position);
  }

  gather(positions: ArrayLike<number>, out: Uint32Array, count = positions.length): void {
    this.column.gather(positions, out, count);
  }

  read(from: number, count: number, out: Uint32Array): void {
    this.column.read(from, count, out);
  }

  get inBytes(): boolean {
    return this.column.shape.encoding === "raw8";
  }

  readBytes(from: number, count: number, out: Uint8Array): void {
    this.column.readBytes(from, count, out);
  }

  memberBits(from: number, count: number, set: Uint8Array, out: Uint32Array, first: number): void {
    this.column.memberBits(from, count, set, out, first);
  }

  gatherAscending(positions: Uint32Array, count: number, out: Uint32Array): void {
    this.column.gatherAscending(positions, count, out);
  }

  siftBytes(
    positions: Uint32Array,
    from: number,
    to: number,
    shift: number,
    table: Uint8Array,
    kept: number,
  ): number {
    return this.column.siftBytes(positions, from, to, shift, table, kept);
  }

  close(): void {
    this.#file.close();
  }
}

/** The stream of an attribute that is derived from another's. */
export function derivedStream(name: string, base: TokenStream, { forward }: DerivedMap): SegmentStream {
  const { values, starts } = forward;
  if (starts) throw new Error(`${name} has no stream: a token may have several of its values`);
  return new DerivedStream(base, values);
}

class DerivedStream implements SegmentStream {
  constructor(
    readonly base: TokenStream,
    /** Base id → derived id. */
    readonly ids: Uint32Array,
  ) {}

  get count(): number {
    return this.base.count;
  }

  at(position: number): number {
    return this.ids[this.base.at(position)];
  }

  gather(positions: ArrayLike<number>, out: Uint32Array, count = positions.length): void {
    this.base.gather(positions, out, count);
    this.#translate(out, count);
  }

  read(from: number, count: number, out: Uint32Array): void {
    this.base.read(from, count, out);
    this.#translate(out, count);
  }

  readonly inBytes = false;

  readBytes(): void {
    throw new Error("a derived stream is not in bytes");
  }

  memberBits(): void {
    throw new Error("a derived stream is not in bytes");
  }

  gatherAscending(positions: Uint32Array, count: number, out: Uint32Array): void {
    this.gather(positions, out, count);
  }

  siftBytes(): number {
    throw new Error("a derived stream is not in bytes");
  }

  #translate(out: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) out[i] = this.ids[out[i]];
  }
}
