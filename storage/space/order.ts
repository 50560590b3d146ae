/**
 * Points in memory put in kd-order: they are parted by one dimension, each part by another, until a part is a leaf.
 *
 * Which dimension: the first one (the word) as long as it differs, then the one whose halves need the fewest bits. Where: between two values, so that
 * the parts share none, as near to the middle as it can be at a whole number of leaves. A word's points so lie side by side in
 * leaves of their own, and frequent words are parted by what else is known of their units.
 *
 * Points come sorted by the first dimension: parting by it moves nothing.
 */
import { gallop } from "../cursor.js";
import { boundsOf } from "./leaf.js";

/** Called with the points [from, to) of each leaf, in order. */
export type LeafSink = (columns: readonly Uint32Array[], from: number, to: number) => void;

/** The rule that is used, and those that the bench compares it with. */
export type SplitRule = "first" | "first-widest" | "widest" | "bits";

const digitBits = 11;
/** How full leaves are meant to be. */
const leafFill = 0.875;

export class KdOrder {
  readonly #counts = new Uint32Array(1 << digitBits);
  readonly #lows: Uint32Array;
  readonly #highs: Uint32Array;

  constructor(
    /** Coordinates, then units. */
    readonly columns: readonly Uint32Array[],
    readonly leafPoints: number,
    readonly sink: LeafSink,
    readonly rule: SplitRule = "first",
    readonly checkpoint: () => void = () => {},
  ) {
    this.#lows = new Uint32Array(columns.length);
    this.#highs = new Uint32Array(columns.length);
  }

  run(from: number, to: number): void {
    // Parts that are still to be done; the one to the left is on top.
    const stack = [from, to];
    while (stack.length > 0) {
      const end = stack.pop() as number;
      const begin = stack.pop() as number;
      if (end - begin <= this.leafPoints) {
        if (end > begin) this.sink(this.columns, begin, end);
        continue;
      }
      if (end - begin > 1 << 16) this.checkpoint();
      const middle = this.#part(begin, end);
      stack.push(middle, end, begin, middle);
    }
  }

  /** Parts points so that those before the place that is returned come first. */
  #part(from: number, to: number): number {
    const [words] = this.columns;
    if (this.rule.startsWith("first") && words[from] !== words[to - 1])
      return this.#betweenWords(words, from, to);
    boundsOf(this.columns, from, to, { lows: this.#lows, highs: this.#highs });
    const wanted = this.#half(to - from);
    const d = this.#dimensionFor(from, to, wanted);
    const { value, before } = this.#cut(d, from, to, wanted);
    if (before > 0) {
      partition(this.columns, d, from, to, value);
      return from + before;
    }
    // All have one value in each dimension, units too: they are parted anywhere.
    return from + wanted;
  }

  /** Half of so many points, in whole leaves: not quite full ones, so that a few more than wanted need no leaf of their own. */
  #half(count: number): number {
    const usual = Math.max(1, Math.floor(this.leafPoints * leafFill));
    const leaves = Math.max(2, Math.round(count / usual));
    return Math.max(1, Math.min(count - 1, Math.round((count * (leaves >> 1)) / leaves)));
  }

  /** Where the wanted word begins, or ends if that is nearer. */
  #betweenWords(words: Uint32Array, from: number, to: number): number {
    const wanted = from + this.#half(to - from);
    const word = words[wanted];
    const begin = gallop(words, word, from, to);
    const end = word === 0xffffffff ? to : gallop(words, word + 1, from, to);
    return begin > from && (end === to || wanted - begin <= end - wanted) ? begin : end;
  }

  #dimensionFor(from: number, to: number, wanted: number): number {
    const units = this.columns.length - 1;
    let best = units;
    let most = 0;
    for (let d = 0; d < units; d++) {
      const extent = this.#highs[d] - this.#lows[d];
      if (extent === 0) continue;
      const gain = this.rule.endsWith("widest") ? extent : this.#saved(d, from, to, wanted);
      if (best === units || gain > most) {
        most = gain;
        best = d;
      }
    }
    return best;
  }

  /** Bits that boxes are narrower by, in this dimension, if it is the one. */
  #saved(d: number, from: number, to: number, wanted: number): number {
    const { value, before } = this.#cut(d, from, to, wanted);
    const [low, high] = [this.#lows[d], this.#highs[d]];
    const all = to - from;
    return (
      all * Math.log2(high - low + 1) -
      before * Math.log2(value - low) -
      (all - before) * Math.log2(high - value + 1)
    );
  }

  /** The value at which to part: `before` points are below it, as near to `wanted` as they can be. 0 where all are the same. */
  #cut(d: number, from: number, to: number, wanted: number): { value: number; before: number } {
    const column = this.columns[d];
    const counts = this.#counts;
    let low = this.#lows[d];
    let high = this.#highs[d];
    if (high === low) return { value: low, before: 0 };
    const [lowest, highest] = [low, high];
    let below = 0;
    // Digit by digit: the bucket with the wanted place, then the buckets inside it.
    for (;;) {
      const shift = Math.max(0, 32 - Math.clz32(high - low) - digitBits);
      const buckets = ((high - low) >>> shift) + 1;
      counts.fill(0, 0, buckets);
      for (let i = from; i < to; i++) {
        const value = column[i];
        if (value >= low && value <= high) counts[(value - low) >>> shift]++;
      }
      let bucket = 0;
      while (bucket < buckets - 1 && below + counts[bucket] <= wanted) below += counts[bucket++];
      const bucketLow = low + bucket * 2 ** shift;
      if (shift > 0) {
        low = bucketLow;
        high = Math.min(high, bucketLow + 2 ** shift - 1);
        if (high > low) continue;
      }
      // A single value: part before it or behind it, whichever is nearer, but never so that one part has nothing.
      const own = shift > 0 ? countOf(column, from, to, bucketLow) : counts[bucket];
      const behind = below + own;
      if (bucketLow === lowest) return { value: bucketLow + 1, before: behind };
      if (bucketLow === highest || wanted - below <= behind - wanted)
        return { value: bucketLow, before: below };
      return { value: bucketLow + 1, before: behind };
    }
  }
}

function countOf(column: Uint32Array, from: number, to: number, value: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (column[i] === value) count++;
  return count;
}

/** Moves points whose coordinate is below a value before the others. */
function partition(
  columns: readonly Uint32Array[],
  d: number,
  from: number,
  to: number,
  value: number,
): void {
  const key = columns[d];
  let left = from;
  let right = to - 1;
  for (;;) {
    while (left <= right && key[left] < value) left++;
    while (left <= right && key[right] >= value) right--;
    if (left >= right) return;
    for (let c = 0; c < columns.length; c++) {
      const column = columns[c];
      const moved = column[left];
      column[left] = column[right];
      column[right] = moved;
    }
    left++;
    right--;
  }
}
