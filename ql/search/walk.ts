/**
 * A walk over the places of a term, unit by unit. The lists of all its ids (spellings in upper and lower case) are read side by side,
 * segment by segment; nothing is made for a place. Going on to a unit far away passes whole blocks of lists over.
 */

import { gallop } from "../../storage/cursor.js";
import type { PositionCursor, Segment, Snapshot } from "../../storage/index.js";
import { limits } from "./limits.js";
import type { Term } from "./terms.js";
import { type Units, unitAt } from "./units.js";

const blockLength = 512;

/** One list of one segment, read by blocks. */
class ListReader {
  readonly #block = new Uint32Array(blockLength);
  #at = 0;
  #count = 0;
  #cursor: PositionCursor | undefined;
  /** The next place in the segment; Infinity at the end. */
  head = Number.POSITIVE_INFINITY;

  open(cursor: PositionCursor): void {
    this.#cursor = cursor;
    this.#fill(0);
  }

  #fill(have: number): void {
    const got = this.#cursor!.fill(have === 0 ? this.#block : this.#block.subarray(have));
    this.#at = 0;
    this.#count = have + got;
    this.head = this.#count === 0 ? Number.POSITIVE_INFINITY : this.#block[0];
  }

  seek(target: number): void {
    if (this.head >= target) return;
    if (this.#block[this.#count - 1] >= target) {
      this.#at = gallop(this.#block, target, this.#at, this.#count);
      this.head = this.#block[this.#at];
      return;
    }
    const cursor = this.#cursor!;
    const found = cursor.seek(target);
    if (cursor.remaining === 0 && found === 0xffffffff) {
      this.#count = this.#at = 0;
      this.head = Number.POSITIVE_INFINITY;
      return;
    }
    this.#block[0] = found;
    this.#fill(1);
  }

  /** Moves the places before `end`, less `base`, and says how many they were. */
  take(end: number, base: number, to: Places): number {
    let taken = 0;
    while (this.head < end) {
      const stop =
        this.#block[this.#count - 1] < end ? this.#count : gallop(this.#block, end, this.#at, this.#count);
      to.add(this.#block, this.#at, stop, base);
      taken += stop - this.#at;
      if (stop < this.#count) {
        this.#at = stop;
        this.head = this.#block[stop];
      } else this.#fill(0);
    }
    return taken;
  }
}

/** Where a term is in a unit, counted from the unit's begin: as many as there are, up to the limit. */
export class Places {
  values = new Uint32Array(256);
  length = 0;

  add(block: Uint32Array, from: number, to: number, base: number): void {
    const wanted = Math.min(limits.placesMax, this.length + to - from);
    if (wanted > this.values.length) {
      const larger = new Uint32Array(Math.min(limits.placesMax, Math.max(wanted, this.values.length * 2)));
      larger.set(this.values);
      this.values = larger;
    }
    const { values } = this;
    for (let i = from; this.length < wanted; i++) values[this.length++] = block[i] - base;
  }

  #spare = new Uint32Array(0);

  /** Two sorted runs, [first, middle) and the rest, become one. */
  merge(first: number, middle: number): void {
    const { values, length } = this;
    if (middle === length || values[middle - 1] < values[middle]) return;
    if (this.#spare.length < length - middle) this.#spare = new Uint32Array(values.length);
    const spare = this.#spare;
    const count = length - middle;
    for (let i = 0; i < count; i++) spare[i] = values[middle + i];
    // From the end: what is moved makes room for what comes next.
    for (let to = length - 1, left = middle - 1, right = count - 1; right >= 0; to--)
      values[to] = left >= first && values[left] > spare[right] ? values[left--] : spare[right--];
  }
}

export class TermWalk {
  /** The unit of the next place; `units.count` at the end. */
  unit = 0;
  /** How often the term is in the unit that was taken, and where. */
  count = 0;
  readonly places = new Places();
  readonly #readers: ListReader[] = [];
  #open = 0;
  #segment = -1;
  readonly #snapshot: Snapshot;
  readonly #segments: Segment[];

  constructor(
    readonly term: Term,
    readonly units: Units,
  ) {
    this.#snapshot = units.snapshot;
    this.#segments = this.#snapshot.segments;
    this.#nextSegment();
    this.#locate();
  }

  #nextSegment(): void {
    const segment = this.#segments[++this.#segment];
    this.#open = 0;
    if (!segment) return;
    const { attribute, ids } = this.term;
    for (const id of ids) {
      const cursor = segment.positions(attribute, id);
      if (cursor.remaining === 0) continue;
      if (this.#open === this.#readers.length) this.#readers.push(new ListReader());
      this.#readers[this.#open++].open(cursor);
    }
  }

  /** The next place of the corpus; Infinity at the end. */
  #head(): number {
    for (;;) {
      const segment = this.#segments[this.#segment];
      if (!segment) return Number.POSITIVE_INFINITY;
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < this.#open; i++) if (this.#readers[i].head < least) least = this.#readers[i].head;
      if (least !== Number.POSITIVE_INFINITY) return segment.start + least;
      this.#nextSegment();
    }
  }

  #seek(position: number): void {
    for (;;) {
      const segment = this.#segments[this.#segment];
      if (!segment) return;
      if (position < segment.start + segment.tokens) break;
      this.#nextSegment();
    }
    const local = position - this.#segments[this.#segment].start;
    for (let i = 0; i < this.#open; i++) this.#readers[i].seek(local);
  }

  /** Finds the unit of the next place; places outside all units are passed over. */
  #locate(): void {
    const { units } = this;
    for (;;) {
      const head = this.#head();
      if (head === Number.POSITIVE_INFINITY) {
        this.unit = units.count;
        return;
      }
      const at = unitAt(units, head, this.unit);
      this.unit = at;
      if (at === units.count || head >= units.begins[at]) return;
      this.#seek(units.begins[at]);
    }
  }

  /** Goes on to a unit, or to the first behind it that has the term. */
  seek(unit: number): void {
    if (this.unit >= unit) return;
    if (unit >= this.units.count) {
      this.unit = this.units.count;
      return;
    }
    this.#seek(this.units.begins[unit]);
    this.unit = unit;
    this.#locate();
  }

  /** Takes the places of the unit it stands at, ascending, and goes on to the next that has some. */
  take(): number {
    const { begins, ends } = this.units;
    const begin = begins[this.unit];
    const end = ends[this.unit];
    this.count = 0;
    this.places.length = 0;
    const here = this.#segments[this.#segment];
    if (this.#open === 1 && end <= here.start + here.tokens) {
      this.count = this.#readers[0].take(end - here.start, begin - here.start, this.places);
      this.#locate();
      return this.count;
    }
    for (;;) {
      const segment = this.#segments[this.#segment];
      if (!segment || segment.start >= end) break;
      this.#takeFrom(segment, begin, end);
      if (segment.start + segment.tokens >= end) break;
      this.#nextSegment();
    }
    this.#locate();
    return this.count;
  }

  #takeFrom({ start }: Segment, begin: number, end: number): void {
    const { places } = this;
    const first = places.length;
    for (let i = 0; i < this.#open; i++) {
      const reader = this.#readers[i];
      if (reader.head >= end - start) continue;
      const middle = places.length;
      this.count += reader.take(end - start, begin - start, places);
      // Several lists: each is sorted, all together are not.
      if (middle > first) places.merge(first, middle);
    }
  }
}
