/**
 * Units with a point in every one of several boxes: those of the box with the fewest points are taken, best first, and looked for in the
 * others. A unit has one value of most dimensions: its points in all boxes share these coordinates, so that looking for
 * it goes straight down the tree; many units go down together, and a leaf is read once for all of them.
 */
import { Search } from "./best.js";
import { INSIDE, OUTSIDE, type PageReader } from "./segment.js";
import type { Asking, Box, Points } from "./types.js";
import { countIn, lookMask } from "./walk.js";

export interface ConjunctionSpace {
  readers: readonly PageReader[];
  k: number;
  /** By dimension: has a unit one value of it? */
  single: readonly boolean[];
}

/** Units that are looked for together: few at first, as the best may be found soon. */
const batchFirst = 64;
const batchFactor = 4;
const batchMax = 1 << 16;

/** With so many candidates in a page, all units of its leaves are looked up among them. */
const manyInPage = 128;

/** Candidates in columns. */
interface Batch {
  count: number;
  units: Float64Array;
  scores: Float64Array;
  coordinates: Uint32Array[];
}

/** The best units, up to a limit; with `count` all of them are counted and none is kept. */
export function unitsOfAll(
  space: ConjunctionSpace,
  boxes: readonly Box[],
  weights: Float64Array,
  limit: number,
  asking: Asking,
): { points: Points; total: number } {
  const { readers, k } = space;
  const sizes = boxes.map((box) => readers.reduce((sum, reader) => sum + countIn(reader, box, asking), 0));
  const byCount = [...boxes.keys()].sort((a, b) => sizes[a] - sizes[b]);
  const points = emptyPoints(k, limit === Number.POSITIVE_INFINITY ? 0 : limit);
  if (sizes[byCount[0]] === 0) return { points, total: 0 };
  const others = byCount.slice(1);
  // Without a limit the order does not matter, and is not made.
  const order = limit === Number.POSITIVE_INFINITY ? new Float64Array(k) : weights;
  const search = new Search(readers, boxes[byCount[0]], order, asking);
  let total = 0;
  const seen = new Set<number>();
  for (let size = batchFirst; ; size = Math.min(batchMax, size * batchFactor)) {
    const batch = take(search, k, size, seen);
    if (batch.count === 0) break;
    let kept: Uint32Array = Uint32Array.from({ length: batch.count }, (_, i) => i);
    for (const other of others) {
      if (kept.length === 0) break;
      kept = new Finder(space, boxes[other], batch, asking).find(kept);
    }
    if (limit === Number.POSITIVE_INFINITY) total += kept.length;
    else
      for (const i of kept) {
        if (points.count === limit) return { points, total };
        put(points, batch, i);
        total++;
      }
    if (limit !== Number.POSITIVE_INFINITY && points.count === limit) break;
  }
  return { points, total };
}

export function emptyPoints(k: number, room: number): Points {
  return {
    count: 0,
    units: new Float64Array(room),
    scores: new Float64Array(room),
    coordinates: Array.from({ length: k }, () => new Uint32Array(room)),
  };
}

function put(points: Points, batch: Batch, i: number): void {
  const at = points.count++;
  points.units[at] = batch.units[i];
  points.scores[at] = batch.scores[i];
  points.coordinates.forEach((column, d) => {
    column[at] = batch.coordinates[d][i];
  });
}

/** The next candidates. A unit may have several points in one box: it counts once. */
function take(search: Search, k: number, size: number, seen: Set<number>): Batch {
  let batch = roomFor(k, Math.min(size, 4096));
  while (batch.count < size && search.next()) {
    if (seen.has(search.unit)) continue;
    seen.add(search.unit);
    if (batch.count === batch.units.length) batch = larger(batch, k);
    const i = batch.count++;
    batch.units[i] = search.unit;
    batch.scores[i] = search.score;
    for (let d = 0; d < k; d++) batch.coordinates[d][i] = search.coordinate(d);
  }
  return batch;
}

function roomFor(k: number, room: number): Batch {
  return emptyPoints(k, room);
}

function larger(batch: Batch, k: number): Batch {
  const next = roomFor(k, batch.count * 2);
  next.count = batch.count;
  next.units.set(batch.units);
  next.scores.set(batch.scores);
  next.coordinates.forEach((column, d) => {
    column.set(batch.coordinates[d]);
  });
  return next;
}

/** Looks for candidates in a box. */
class Finder {
  readonly #found: Uint8Array;
  /** Candidates that may be below a node: those of its children lie behind its own. */
  #stack: Uint32Array;
  #steps = 0;
  readonly #single: number[];
  readonly #table = new UnitTable();

  constructor(
    readonly space: ConjunctionSpace,
    readonly box: Box,
    readonly batch: Batch,
    readonly asking: Asking,
  ) {
    this.#found = new Uint8Array(batch.count);
    this.#stack = new Uint32Array(0);
    this.#single = space.single.flatMap((single, d) => (single ? [d] : []));
  }

  /** Those of the candidates that are there, in their order. */
  find(candidates: Uint32Array): Uint32Array {
    this.#stack = new Uint32Array(candidates.length * 40);
    for (const reader of this.space.readers) {
      const { pages, meta } = reader.segment;
      if (pages === 0) continue;
      const width = this.space.k + 1;
      const from = meta.unitBase + reader.segment.lows[width * 2 - 1];
      const to = meta.unitBase + reader.segment.highs[width * 2 - 1];
      let count = 0;
      for (const candidate of candidates) {
        const unit = this.batch.units[candidate];
        if (!this.#found[candidate] && unit >= from && unit <= to) this.#stack[count++] = candidate;
      }
      if (count === 0) continue;
      if (count >= manyInPage) this.#table.fill(this.#stack, count, this.batch.units);
      this.#descend(reader, 1, 0, count);
    }
    return candidates.filter((candidate) => this.#found[candidate] === 1);
  }

  #descend(reader: PageReader, node: number, from: number, to: number): void {
    if ((this.#steps++ & lookMask) === 0) this.asking.checkpoint?.();
    const { segment } = reader;
    const { low, high } = this.box;
    if (node >= segment.firstPage) {
      this.#lookThrough(reader, node - segment.firstPage, from, to);
      return;
    }
    for (let child = node * 2; child <= node * 2 + 1; child++) {
      if (segment.relation(child, low, high) === OUTSIDE) continue;
      const end = this.#among(segment.lows, segment.highs, child * (segment.k + 1), reader, from, to);
      if (end > to) this.#descend(reader, child, to, end);
    }
  }

  /** Candidates of [from, to) that a box may have, copied behind them; returns where they end. */
  #among(
    lows: Uint32Array,
    highs: Uint32Array,
    at: number,
    { segment }: PageReader,
    from: number,
    to: number,
  ): number {
    const stack = this.#stack;
    const { units, coordinates } = this.batch;
    const base = segment.meta.unitBase;
    const [firstUnit, lastUnit] = [base + lows[at + segment.k], base + highs[at + segment.k]];
    const single = this.#single;
    let end = to;
    next: for (let i = from; i < to; i++) {
      const candidate = stack[i];
      for (let s = 0; s < single.length; s++) {
        const d = single[s];
        const value = coordinates[d][candidate];
        if (value < lows[at + d] || value > highs[at + d]) continue next;
      }
      const unit = units[candidate];
      if (unit >= firstUnit && unit <= lastUnit) stack[end++] = candidate;
    }
    return end;
  }

  #lookThrough(reader: PageReader, page: number, from: number, to: number): void {
    const { segment } = reader;
    const { low, high } = this.box;
    const width = segment.k + 1;
    reader.open(page);
    for (let leaf = 0; leaf < reader.leaves; leaf++) {
      const relation = reader.relation(leaf, low, high);
      if (relation === OUTSIDE) continue;
      if (to - from >= manyInPage) {
        this.#lookUp(reader, leaf, relation === INSIDE);
        continue;
      }
      const end = this.#among(reader.lows, reader.highs, leaf * width, reader, from, to);
      if (end > to) this.#lookInto(reader, leaf, to, end);
    }
  }

  /** Looks all units of a leaf up among the candidates. */
  #lookUp(reader: PageReader, leaf: number, inside: boolean): void {
    const { units, count } = reader.units(leaf);
    const base = reader.segment.meta.unitBase;
    const { low, high } = this.box;
    let coordinates: readonly Uint32Array[] | undefined;
    for (let place = 0; place < count; place++) {
      const candidate = this.#table.find(base + units[place]);
      if (candidate < 0 || this.#found[candidate]) continue;
      if (!inside) coordinates ??= reader.coordinates(leaf).coordinates;
      if (!coordinates || isWithin(coordinates, place, low, high)) this.#found[candidate] = 1;
    }
  }

  #lookInto(reader: PageReader, leaf: number, from: number, to: number): void {
    const { units, count } = reader.units(leaf);
    const { low, high } = this.box;
    const base = reader.segment.meta.unitBase;
    let coordinates: readonly Uint32Array[] | undefined;
    const inside = reader.relation(leaf, low, high) === INSIDE;
    for (let i = from; i < to; i++) {
      const candidate = this.#stack[i];
      if (this.#found[candidate]) continue;
      const unit = this.batch.units[candidate] - base;
      for (let place = lowerBound(units, count, unit); place < count && units[place] === unit; place++) {
        if (!inside) coordinates ??= reader.coordinates(leaf).coordinates;
        if (!coordinates || isWithin(coordinates, place, low, high)) {
          this.#found[candidate] = 1;
          break;
        }
      }
    }
  }
}

/** Candidates by their units: a hash table. */
class UnitTable {
  #slots = new Int32Array(0);
  #mask = 0;
  #units: Float64Array = new Float64Array(0);

  fill(candidates: Uint32Array, count: number, units: Float64Array): void {
    let size = 512;
    while (size < count * 4) size *= 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#mask = size - 1;
    this.#units = units;
    for (let i = 0; i < count; i++) {
      let at = this.#slotOf(units[candidates[i]]);
      while (this.#slots[at] >= 0) at = (at + 1) & this.#mask;
      this.#slots[at] = candidates[i];
    }
  }

  #slotOf(unit: number): number {
    return (Math.imul(unit | 0, 0x9e3779b1) >>> 8) & this.#mask;
  }

  find(unit: number): number {
    for (let at = this.#slotOf(unit); ; at = (at + 1) & this.#mask) {
      const candidate = this.#slots[at];
      if (candidate < 0 || this.#units[candidate] === unit) return candidate;
    }
  }
}

function isWithin(
  coordinates: readonly Uint32Array[],
  place: number,
  low: Uint32Array,
  high: Uint32Array,
): boolean {
  for (let d = 0; d < coordinates.length; d++) {
    const value = coordinates[d][place];
    if (value < low[d] || value > high[d]) return false;
  }
  return true;
}

function lowerBound(values: Uint32Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
