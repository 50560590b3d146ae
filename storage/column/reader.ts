/** Reads columns (writer.ts has the format): one value, a stretch, or all of it. */
import type { FileReader } from "../file/reader.js";
import { broken, readFully } from "../file/reader.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";
import { canGlance, type Pool, PooledFile } from "../pool/pool.js";
import { GatherBatch } from "./gather.js";
import { type ColumnShape, extentsOf } from "./writer.js";

const blockBytes = limits.blockValues * 4;

/** Of a whole column, values that are decoded without a break. */
const wholeValues = 1 << 18;

const encodings: ColumnShape["encoding"][] = ["packed", "ordered", "raw8", "raw16"];

export function columnShape(file: FileReader, name: string): ColumnShape {
  const shape = (file.contents.meta.columns as Record<string, ColumnShape> | undefined)?.[name];
  if (!shape) throw broken(file.path, `it has no column ${name}`);
  return shape;
}

/** A column that stays in its file and is read through the pool. Costs: `get` one extent; `read` its extents. */
export class Column {
  readonly count: number;
  readonly shape: ColumnShape;
  readonly perExtent: number;
  readonly extents: number;
  readonly #pooled: PooledFile;
  readonly #start: number;
  readonly #end: number;
  readonly #extents: Uint32Array | undefined;
  readonly #width: number;
  /** The encoding as kernels know it. */
  readonly #code: number;
  /** For each extent the frame where it was last, with the encoding above its 24 bits, and the frame's version then;
   *  frame 0 and −1, which is no version, where it has not been read. */
  readonly #seen: Int32Array;

  constructor(
    readonly pool: Pool,
    pooled: PooledFile,
    name: string,
  ) {
    const file = pooled.reader;
    this.#pooled = pooled;
    this.shape = columnShape(file, name);
    this.count = this.shape.count;
    const [start, bytes] = file.section(name);
    this.#start = start;
    this.#end = start + bytes;
    this.#width = this.shape.encoding === "raw8" ? 1 : this.shape.encoding === "raw16" ? 2 : 0;
    this.perExtent = this.shape.perExtent;
    this.extents = Math.ceil(this.count / this.perExtent);
    this.#code = encodings.indexOf(this.shape.encoding);
    this.#extents = this.#width === 0 ? file.integers(extentsOf(name)) : undefined;
    this.#seen = new Int32Array(this.extents * 2).map((_, i) => -(i & 1));
  }

  /** Pins an extent; returns its frame, to be released on the pool. */
  acquire(extent: number): number {
    const from = this.#offsetOf(extent);
    const to = extent + 1 < this.extents ? this.#offsetOf(extent + 1) : this.#end;
    const frame = this.pool.acquire(this.#pooled, from, to - from, this.#seen[extent * 2] & 0xffff);
    this.#seen[extent * 2] = frame | (this.#code << 24);
    this.#seen[extent * 2 + 1] = this.pool.versionOf(frame);
    return frame;
  }

  #offsetOf(extent: number): number {
    return this.#start + (this.#extents ? this.#extents[extent] : extent * limits.extentBytes);
  }

  /** The value at `index`, which must be below `count`. */
  get(index: number): number {
    const { perExtent } = this;
    const extent = (index / perExtent) >>> 0;
    const place = index - extent * perExtent;
    const { pool } = this;
    if (canGlance) {
      const seen = this.#seen;
      const value = pool.kernels.glance(pool.firstFrame, seen[extent * 2], seen[extent * 2 + 1], place);
      if (value !== -1) return value >>> 0;
    }
    return this.#getPinned(extent, place);
  }

  #getPinned(extent: number, place: number): number {
    const { pool } = this;
    const frame = this.acquire(extent);
    const value = pool.kernels.valueIn(pool.addressOf(frame), place, this.#code) >>> 0;
    pool.release(frame);
    return value;
  }

  /** The values at many indexes, in any order. */
  gather(indexes: ArrayLike<number>, out: Uint32Array, count = indexes.length): void {
    const { perExtent } = this;
    const batch = new GatherBatch(this.pool, count);
    for (let done = 0; done < count; done += batch.size) {
      const here = Math.min(batch.size, count - done);
      for (let i = 0; i < here; i++) {
        const index = indexes[done + i];
        const extent = (index / perExtent) >>> 0;
        batch.extents[i] = extent;
        batch.places[i] = index - extent * perExtent;
      }
      batch.read([this], here, out, done);
    }
  }

  /** Values number places[i] of one extent to `target`; both are addresses in the pool's memory. */
  readPlaces(extent: number, places: number, count: number, target: number): void {
    const frame = this.acquire(extent);
    this.pool.kernels.valuesIn(this.pool.addressOf(frame), places, count, this.#code, target);
    this.pool.release(frame);
  }

  /** The values at ascending indexes: no sorting, each extent once. */
  gatherAscending(indexes: Uint32Array, count: number, out: Uint32Array): void {
    const { pool } = this;
    const { u8, u32, scratch } = pool;
    const { perExtent } = this;
    const places = scratch >>> 2;
    const half = pool.scratchBytes >>> 3;
    for (let done = 0; done < count; ) {
      const extent = (indexes[done] / perExtent) >>> 0;
      const base = extent * perExtent;
      const last = base + perExtent;
      if (this.#width === 1) {
        const frame = this.acquire(extent);
        const address = pool.addressOf(frame) - base;
        for (; done < count && indexes[done] < last; done++) out[done] = u8[address + indexes[done]];
        pool.release(frame);
        continue;
      }
      let own = 0;
      for (; own < half && done + own < count && indexes[done + own] < last; own++) {
        u32[places + own] = indexes[done + own] - base;
      }
      if (own === 1) {
        // Far apart: a kernel call and two copies for one value would be most of the work.
        out[done] = this.get(indexes[done]);
        done++;
        continue;
      }
      this.readPlaces(extent, places * 4, own, (places + half) * 4);
      out.set(u32.subarray(places + half, places + half + own), done);
      done += own;
    }
  }

  /**
   * Of ascending places, from number `from` to `to`, those whose value the table has a 1 for: moved to the front, behind the
   * first `kept`. Their indexes are `shift` more. Returns how many are in front then. For a column of single bytes.
   */
  siftBytes(
    places: Uint32Array,
    from: number,
    to: number,
    shift: number,
    table: Uint8Array,
    kept: number,
  ): number {
    const { pool, perExtent } = this;
    const { u8 } = pool;
    for (let i = from; i < to; ) {
      const extent = Math.floor((places[i] + shift) / perExtent);
      const frame = this.acquire(extent);
      const address = pool.addressOf(frame) - extent * perExtent + shift;
      const last = (extent + 1) * perExtent - shift;
      for (; i < to && places[i] < last; i++) {
        const place = places[i];
        places[kept] = place;
        // No branch to guess.
        kept += table[u8[address + place]];
      }
      pool.release(frame);
    }
    return kept;
  }

  /** Values [from, from + count) into `out`, which lies in any memory. */
  read(from: number, count: number, out: Uint32Array): void {
    const scratchValues = this.pool.scratchBytes / 4;
    const { u32, scratch } = this.pool;
    for (let done = 0; done < count; ) {
      const got = this.decode(from + done, Math.min(count - done, scratchValues - blockBytes), scratch);
      const start = (scratch + got.skip * 4) >>> 2;
      out.set(u32.subarray(start, start + got.count), done);
      done += got.count;
    }
  }

  /** The same of a column of single bytes, as they are. */
  readBytes(from: number, count: number, out: Uint8Array): void {
    const { extentBytes } = limits;
    for (let done = 0; done < count; ) {
      const extent = Math.floor((from + done) / extentBytes);
      const place = from + done - extent * extentBytes;
      const here = Math.min(count - done, extentBytes - place);
      const frame = this.acquire(extent);
      const address = this.pool.addressOf(frame) + place;
      out.set(this.pool.u8.subarray(address, address + here), done);
      this.pool.release(frame);
      done += here;
    }
  }

  /**
   * Of a column of single bytes: a bit for each value of [from, from + count) that is in a set (32 bytes, as the kernels
   * have them: assembly/match.ts), lowest first, from bit number `first` of `out` on, where nothing is yet. Nothing but the
   * bits is copied.
   */
  memberBits(from: number, count: number, set: Uint8Array, out: Uint32Array, first: number): void {
    const { pool } = this;
    const { extentBytes } = limits;
    const target = pool.scratch + 64;
    pool.u8.set(set, pool.scratch);
    for (let done = 0; done < count; ) {
      const extent = Math.floor((from + done) / extentBytes);
      const place = from + done - extent * extentBytes;
      const here = Math.min(count - done, extentBytes - place);
      const words = (here + 31) >>> 5;
      // The kernel writes halves of words.
      pool.u32[(target >>> 2) + words - 1] = 0;
      const frame = this.acquire(extent);
      pool.kernels.selectBits(pool.addressOf(frame) + place, here, pool.scratch, target);
      pool.release(frame);
      appendBits(pool.u32, target >>> 2, words, out, first + done);
      done += here;
    }
  }

  readonly #got = { skip: 0, count: 0 };

  /**
   * Decodes values from `from` on to an address in the pool's memory, up to `count` and within one extent. Whole
   * blocks are written: the values wanted begin `skip` values behind `target`, and `count` of them were read.
   * The object returned is the same at every call.
   */
  decode(from: number, count: number, target: number): { skip: number; count: number } {
    const { perExtent, encoding } = this.shape;
    const extent = Math.floor(from / perExtent);
    const place = from - extent * perExtent;
    const here = Math.min(count, perExtent - place, this.count - from);
    const frame = this.acquire(extent);
    const address = this.pool.addressOf(frame);
    const got = this.#got;
    got.count = here;
    got.skip = 0;
    if (this.#width === 1) this.pool.kernels.widen8(address + place, here, target);
    else if (this.#width === 2) this.pool.kernels.widen16(address + place * 2, here, target);
    else {
      const first = place >>> 7;
      const last = (place + here + 127) >>> 7;
      this.pool.kernels.decodeExtent(address, first, last - first, encoding === "ordered", target);
      got.skip = place - (first << 7);
    }
    this.pool.release(frame);
    return got;
  }

  /** All of it. */
  toArray(): Uint32Array {
    const all = new Uint32Array(this.count);
    for (let from = 0; from < this.count; from += wholeValues) {
      const to = Math.min(this.count, from + wholeValues);
      this.read(from, to - from, all.subarray(from, to));
      this.pool.checkpoint();
    }
    return all;
  }

  /** The first index in [low, high) whose value is greater than `value`, in a column that never falls. */
  upperBound(value: number, low = 0, high = this.count): number {
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.get(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A column decoded into an encoder's memory; returns its address. */
export function decodeColumn(arena: Arena, file: FileReader, name: string): number {
  const { count } = columnShape(file, name);
  const target = arena.allocate((Math.ceil(count / limits.blockValues) + 1) * blockBytes);
  decodeColumnTo(arena, file, name, target);
  return target;
}

/** The same to an address, where there must be room for whole blocks. */
export function decodeColumnTo(arena: Arena, file: FileReader, name: string, target: number): void {
  const { count, encoding, perExtent } = columnShape(file, name);
  const mark = arena.mark();
  const [start, bytes] = file.section(name);
  const width = encoding === "raw8" ? 1 : encoding === "raw16" ? 2 : 0;
  const extents = width === 0 ? file.integers(extentsOf(name)) : undefined;
  const buffer = arena.allocate(limits.extentBytes);
  for (let extent = 0; extent * perExtent < count; extent++) {
    const from = extents ? extents[extent] : extent * limits.extentBytes;
    const to = extents ? extents[extent + 1] : Math.min(bytes, from + limits.extentBytes);
    readFully(file.fd, arena.bytes(buffer, to - from), start + from);
    const done = extent * perExtent;
    const here = Math.min(perExtent, count - done);
    const place = target + done * 4;
    if (width === 1) arena.kernels.widen8(buffer, here, place);
    else if (width === 2) arena.kernels.widen16(buffer, here, place);
    else {
      const blocks = Math.ceil(here / limits.blockValues);
      arena.kernels.decodeExtent(buffer, 0, blocks, encoding === "ordered", place);
    }
  }
  arena.release(mark);
}

/** A section as it is, read into an encoder's memory; returns its address. */
export function loadSection(arena: Arena, file: FileReader, name: string): number {
  const [offset, bytes] = file.section(name);
  const address = arena.allocate(bytes);
  readFully(file.fd, arena.bytes(address, bytes), offset);
  return address;
}

/** A whole column of a small file, decoded at once. */
export function loadColumn(pool: Pool, file: FileReader, name: string): Uint32Array {
  return new Column(pool, new PooledFile(file), name).toArray();
}

/** Loads a whole column of a file: how depends on whose memory it is decoded in. */
export type ColumnLoader = (file: FileReader, name: string) => Uint32Array;

export function columnsOf(pool: Pool): ColumnLoader {
  return (file, name) => loadColumn(pool, file, name);
}

export function columnsOfArena(arena: Arena): ColumnLoader {
  return (file, name) => {
    const mark = arena.mark();
    const address = decodeColumn(arena, file, name);
    const values = arena.integers(address, columnShape(file, name).count).slice();
    arena.release(mark);
    return values;
  };
}

/** Words of bits, from word number `from` on, behind the first bits of others, where nothing is yet. */
function appendBits(words: Uint32Array, from: number, count: number, out: Uint32Array, first: number): void {
  const shift = first & 31;
  let at = first >>> 5;
  let carried = shift === 0 ? 0 : out[at] | 0;
  for (let i = 0; i < count; i++, at++) {
    const word = words[from + i] | 0;
    out[at] = carried | (word << shift);
    carried = shift === 0 ? 0 : word >>> (32 - shift);
  }
  if (carried !== 0) out[at] = carried;
}
