/**
 * Many values at once, in any order, from one column or several: sorted by extent, so that each extent is looked up
 * once in a batch, and read while it is near. On large columns that is several times as fast as one by one, where
 * every value waits for memory.
 */
import type { Pool } from "../pool/pool.js";
import type { Column } from "./reader.js";

/** Values that are sorted at once: the more of them, the more each extent has. They take 16 bytes each meanwhile. */
const batchMax = 1 << 20;
/** Values of one extent that a kernel reads at once: places and values of them fit a thread's scratch. */
const kernelMax = 1 << 16;

export class GatherBatch {
  readonly size: number;
  /** For each value wanted: its extent, counted through all columns, and its place there. To be filled by the caller. */
  readonly extents: Uint32Array;
  readonly places: Uint32Array;
  readonly #order: Uint32Array;
  readonly #sorted: Uint32Array;

  constructor(
    readonly pool: Pool,
    count: number,
  ) {
    this.size = Math.max(1, Math.min(batchMax, count));
    this.extents = new Uint32Array(this.size);
    this.places = new Uint32Array(this.size);
    this.#order = new Uint32Array(this.size);
    this.#sorted = new Uint32Array(this.size);
  }

  /** Reads the first `count` values wanted to `out`, from `start` on. */
  read(columns: readonly Column[], count: number, out: Uint32Array, start: number): void {
    const ends = this.#count(columns, count);
    // Sorting moves the start of each extent to its end.
    const moved = this.#sort(ends, count);
    const values = moved ? this.extents : out.subarray(start, start + count);
    let extent = 0;
    let from = 0;
    for (const column of columns) {
      for (let own = 0; own < column.extents; own++, extent++) {
        for (const to = ends[extent]; from < to; ) {
          const here = Math.min(kernelMax, to - from);
          this.#readExtent(column, own, from, here, values);
          from += here;
        }
      }
    }
    if (moved) for (let i = 0; i < count; i++) out[start + this.#order[i]] = values[i];
  }

  #readExtent(column: Column, extent: number, from: number, count: number, values: Uint32Array): void {
    const { u32, scratch } = this.pool;
    const places = scratch >>> 2;
    const target = places + kernelMax;
    u32.set(this.#sorted.subarray(from, from + count), places);
    column.readPlaces(extent, places * 4, count, target * 4);
    values.set(u32.subarray(target, target + count), from);
  }

  /** Where the values of each extent will begin when they are sorted. */
  #count(columns: readonly Column[], count: number): Uint32Array {
    let extents = 0;
    for (const column of columns) extents += column.extents;
    const starts = new Uint32Array(extents);
    for (let i = 0; i < count; i++) starts[this.extents[i]]++;
    let sum = 0;
    for (let extent = 0; extent < extents; extent++) {
      const own = starts[extent];
      starts[extent] = sum;
      sum += own;
    }
    return starts;
  }

  /** Puts the places into the order of their extents, and keeps where each came from; false if that changes nothing. */
  #sort(next: Uint32Array, count: number): boolean {
    const { extents, places } = this;
    const order = this.#order;
    const sorted = this.#sorted;
    let moved = false;
    for (let i = 0; i < count; i++) {
      const at = next[extents[i]]++;
      if (at !== i) moved = true;
      order[at] = i;
      sorted[at] = places[i];
    }
    return moved;
  }
}
