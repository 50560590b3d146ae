/**
 * Looks for units in a box. A unit has one value of most dimensions, the same in all of its points, so that it can only be in few
 * leaves: where few units are looked for they go down the tree together, and a leaf is read once for all of them. Where they are many, every
 * leaf is read that lies where units are, and its units are looked up in a table.
 */
import { leafPointsMax } from "./format.js";
import type { PageReader } from "./segment.js";
import type { Asking, Box, Points } from "./types.js";
import { lookMask } from "./walk.js";

/** With a unit for so many points, all points are looked up in the table. */
const pointsForUnit = 32;

export class Finder {
  readonly #found: Uint8Array;
  readonly #table: UnitTable;
  /** Units that may be below a node: those of its children lie behind its own. */
  #stack = new Uint32Array(0);
  #steps = 0;
  readonly #single: number[];
  readonly #several: number[];
  /** The box, as far as units lie in it, and from which unit to which. */
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  #firstUnit = 0;
  #lastUnit = 0;

  constructor(
    readonly readers: readonly PageReader[],
    readonly box: Box,
    single: readonly boolean[],
    readonly candidates: Points,
    readonly asking: Asking,
  ) {
    this.#found = new Uint8Array(candidates.count);
    this.#table = new UnitTable(candidates);
    this.#single = [...single.keys()].filter((d) => single[d]);
    this.#several = [...single.keys()].filter((d) => !single[d]);
    this.#low = Uint32Array.from(box.low);
    this.#high = Uint32Array.from(box.high);
  }

  /** Those of the chosen candidates that are there, in their order. */
  find(chosen: Uint32Array): Uint32Array {
    this.#narrow(chosen);
    this.#stack = new Uint32Array(chosen.length * 8);
    this.#table.fill(chosen);
    for (const reader of this.readers) {
      const { pages, meta, lows, highs, k } = reader.segment;
      if (pages === 0) continue;
      if (meta.unitBase + lows[k * 2 + 1] > this.#lastUnit) continue;
      if (meta.unitBase + highs[k * 2 + 1] < this.#firstUnit) continue;
      this.#stack.set(chosen);
      this.#descend(reader, 1, 0, chosen.length);
    }
    return chosen.filter((candidate) => this.#found[this.#table.sameUnit[candidate]] === 1);
  }

  /** Of dimensions with one value for a unit, and of units, only what candidates have. */
  #narrow(chosen: Uint32Array): void {
    const { coordinates, units } = this.candidates;
    for (const d of this.#single) {
      const column = coordinates[d];
      let [low, high] = [0xffffffff, 0];
      for (let i = 0; i < chosen.length; i++) {
        const value = column[chosen[i]];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.#low[d] = Math.max(low, this.#low[d]);
      this.#high[d] = Math.min(high, this.#high[d]);
    }
    this.#firstUnit = Number.POSITIVE_INFINITY;
    this.#lastUnit = -1;
    for (let i = 0; i < chosen.length; i++) {
      const unit = units[chosen[i]];
      if (unit < this.#firstUnit) this.#firstUnit = unit;
      if (unit > this.#lastUnit) this.#lastUnit = unit;
    }
  }

  /** May a node or a leaf have something that is looked for? */
  #isNear(lows: Uint32Array, highs: Uint32Array, at: number, { segment }: PageReader): boolean {
    const [low, high] = [this.#low, this.#high];
    for (let d = 0; d < segment.k; d++) if (highs[at + d] < low[d] || lows[at + d] > high[d]) return false;
    const base = segment.meta.unitBase;
    return base + highs[at + segment.k] >= this.#firstUnit && base + lows[at + segment.k] <= this.#lastUnit;
  }

  /** Have all points there what the box wants of dimensions with several values? Of the others, candidates have it. */
  #isWhole(lows: Uint32Array, highs: Uint32Array, at: number): boolean {
    const { low, high } = this.box;
    for (const d of this.#several) if (lows[at + d] < low[d] || highs[at + d] > high[d]) return false;
    return true;
  }

  #descend(reader: PageReader, node: number, from: number, to: number): void {
    if ((this.#steps++ & lookMask) === 0) this.asking.checkpoint?.();
    const { segment } = reader;
    const { lows, highs, points, firstPage } = segment;
    const at = node * (segment.k + 1);
    if (!this.#isNear(lows, highs, at, reader)) return;
    // As long as other words are below a node, too, it says little of where units are.
    let [first, end] = [from, to];
    if (this.#isWhole(lows, highs, at) && (to - from) * pointsForUnit < points[node]) {
      first = to;
      end = this.#among(lows, highs, at, reader, from, to);
      if (end === first) return;
    }
    if (node >= firstPage) this.#lookThrough(reader, node - firstPage, first, end);
    else {
      this.#descend(reader, node * 2, first, end);
      this.#descend(reader, node * 2 + 1, first, end);
    }
  }

  /** Points of [from, to) that a box may have, copied behind them; returns where they end. */
  #among(
    lows: Uint32Array,
    highs: Uint32Array,
    at: number,
    { segment }: PageReader,
    from: number,
    to: number,
  ): number {
    if (to + to - from > this.#stack.length) {
      const larger = new Uint32Array(this.#stack.length * 2);
      larger.set(this.#stack);
      this.#stack = larger;
    }
    const stack = this.#stack;
    const { units, coordinates } = this.candidates;
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
    const width = reader.segment.k + 1;
    reader.open(page);
    const { lows, highs, counts, leaves } = reader;
    for (let leaf = 0; leaf < leaves; leaf++) {
      const at = leaf * width;
      if (!this.#isNear(lows, highs, at, reader)) continue;
      const isWhole = this.#isWhole(lows, highs, at);
      if (to - from >= counts[leaf]) {
        this.#lookUp(reader, leaf, isWhole);
        continue;
      }
      const end = this.#among(lows, highs, at, reader, from, to);
      if (end > to) this.#lookInto(reader, leaf, isWhole, to, end);
    }
  }

  /** Looks all units of a leaf up among the candidates. */
  #lookUp(reader: PageReader, leaf: number, isWhole: boolean): void {
    const { units, count } = reader.units(leaf);
    const base = reader.segment.meta.unitBase;
    const table = this.#table;
    const { places } = table;
    const likely = table.likely(units, count, base);
    if (likely === 0) return;
    const coordinates = isWhole ? undefined : reader.coordinates(leaf).coordinates;
    for (let i = 0; i < likely; i++) {
      const place = places[i];
      const candidate = table.find(base + units[place]);
      if (candidate < 0 || this.#found[candidate]) continue;
      if (!coordinates || this.#isWithin(coordinates, place)) this.#found[candidate] = 1;
    }
  }

  #lookInto(reader: PageReader, leaf: number, isWhole: boolean, from: number, to: number): void {
    const { units, count } = reader.units(leaf);
    const base = reader.segment.meta.unitBase;
    let coordinates: readonly Uint32Array[] | undefined;
    for (let i = from; i < to; i++) {
      const candidate = this.#table.sameUnit[this.#stack[i]];
      if (this.#found[candidate]) continue;
      const unit = this.candidates.units[candidate] - base;
      for (let place = lowerBound(units, count, unit); place < count && units[place] === unit; place++) {
        if (!isWhole) coordinates ??= reader.coordinates(leaf).coordinates;
        if (!coordinates || this.#isWithin(coordinates, place)) {
          this.#found[candidate] = 1;
          break;
        }
      }
    }
  }

  /** Has a point what the box wants of dimensions with several values? */
  #isWithin(coordinates: readonly Uint32Array[], place: number): boolean {
    const { low, high } = this.box;
    for (const d of this.#several) {
      const value = coordinates[d][place];
      if (value < low[d] || value > high[d]) return false;
    }
    return true;
  }
}

/** Points by their units: a hash table, and bits before it, as most units that are looked up are not there. */
class UnitTable {
  /** By candidate: the first that has its unit. */
  readonly sameUnit: Uint32Array;
  /** Places of a leaf whose units are likely there. */
  readonly places = new Uint32Array(leafPointsMax);
  readonly #units: Float64Array;
  #slots = new Int32Array(0);
  #bits = new Uint32Array(0);

  constructor(candidates: Points) {
    this.#units = candidates.units;
    this.sameUnit = new Uint32Array(candidates.count);
  }

  fill(chosen: Uint32Array): void {
    let size = 512;
    while (size < chosen.length * 2) size *= 2;
    const slots = new Int32Array(size).fill(-1);
    // Sixteen bits for a slot: of thirty units that are not there, one is taken for likely.
    const bits = new Uint32Array(size / 2);
    this.#slots = slots;
    this.#bits = bits;
    for (let i = 0; i < chosen.length; i++) {
      const candidate = chosen[i];
      const unit = this.#units[candidate];
      let at = hash(unit) & (size - 1);
      while (slots[at] >= 0 && this.#units[slots[at]] !== unit) at = (at + 1) & (size - 1);
      if (slots[at] < 0) slots[at] = candidate;
      this.sameUnit[candidate] = slots[at];
      bits[(unit >>> 5) & (bits.length - 1)] |= 1 << unit;
    }
  }

  /** Writes the places of units that are likely there to `places`; returns how many. */
  likely(units: Uint32Array, count: number, base: number): number {
    const { places } = this;
    const bits = this.#bits;
    const mask = bits.length - 1;
    let likely = 0;
    for (let place = 0; place < count; place++) {
      const unit = (base + units[place]) >>> 0;
      places[likely] = place;
      likely += (bits[(unit >>> 5) & mask] >>> unit) & 1;
    }
    return likely;
  }

  find(unit: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = hash(unit) & mask; ; at = (at + 1) & mask) {
      const candidate = slots[at];
      if (candidate < 0 || this.#units[candidate] === unit) return candidate;
    }
  }
}

function hash(unit: number): number {
  return Math.imul(unit | 0, 0x9e3779b1) >>> 8;
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
