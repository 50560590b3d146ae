/** Leaves: some hundred points as bits, and back (format.ts has the grammar). */
import type { Pool } from "../pool/pool.js";
import type { BitWriter } from "./bits.js";
import { type Group, groupsOf, leafPointsMax, onesMax } from "./format.js";

/** A box around points. */
export interface Bounds {
  lows: Uint32Array;
  highs: Uint32Array;
}

/** Sorts points [from, to) of columns by their units, the last column; equal ones keep their order. */
export class UnitOrder {
  #places = new Uint32Array(leafPointsMax);
  #other = new Uint32Array(leafPointsMax);
  readonly #moved = new Uint32Array(leafPointsMax);
  readonly #counts = new Uint32Array(256);

  sort(columns: readonly Uint32Array[], from: number, to: number): void {
    const count = to - from;
    const units = columns[columns.length - 1];
    let isSorted = true;
    let [low, high] = [units[from], units[from]];
    for (let i = from + 1; i < to; i++) {
      const unit = units[i];
      if (unit < units[i - 1]) isSorted = false;
      if (unit < low) low = unit;
      else if (unit > high) high = unit;
    }
    if (isSorted) return;
    for (let i = 0; i < count; i++) this.#places[i] = i;
    for (let shift = 0; shift < 32 && (high - low) >>> shift > 0; shift += 8)
      this.#pass(units, from, count, low, shift);
    const places = this.#places;
    const moved = this.#moved;
    for (const column of columns) {
      for (let i = 0; i < count; i++) moved[i] = column[from + places[i]];
      for (let i = 0; i < count; i++) column[from + i] = moved[i];
    }
  }

  /** Orders places by one digit of their units. */
  #pass(units: Uint32Array, from: number, count: number, low: number, shift: number): void {
    const counts = this.#counts;
    const places = this.#places;
    const other = this.#other;
    counts.fill(0);
    for (let i = 0; i < count; i++) counts[((units[from + i] - low) >>> shift) & 255]++;
    let sum = 0;
    for (let digit = 0; digit < 256; digit++) {
      const own = counts[digit];
      counts[digit] = sum;
      sum += own;
    }
    for (let i = 0; i < count; i++) {
      const place = places[i];
      other[counts[((units[from + place] - low) >>> shift) & 255]++] = place;
    }
    this.#places = other;
    this.#other = places;
  }
}

/** The tight box of points [from, to). */
export function boundsOf(columns: readonly Uint32Array[], from: number, to: number, bounds: Bounds): void {
  for (let d = 0; d < columns.length; d++) {
    const column = columns[d];
    let low = column[from];
    let high = low;
    for (let i = from + 1; i < to; i++) {
      const value = column[i];
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    bounds.lows[d] = low;
    bounds.highs[d] = high;
  }
}

export class LeafEncoder {
  readonly #groups: Group[] = [];
  readonly #extents: Uint32Array;
  readonly #codes = new Uint32Array(leafPointsMax);

  constructor(readonly k: number) {
    this.#extents = new Uint32Array(k);
  }

  /** Puts points [from, to), sorted by unit, behind what was written; returns their Rice parameter. */
  encode(
    columns: readonly Uint32Array[],
    from: number,
    to: number,
    { lows, highs }: Bounds,
    out: BitWriter,
  ): number {
    const { k } = this;
    const extents = this.#extents;
    const codes = this.#codes;
    for (let d = 0; d < k; d++) extents[d] = highs[d] - lows[d];
    const count = groupsOf(extents, k, this.#groups);
    for (let g = 0; g < count; g++) {
      const { first, end, width } = this.#groups[g];
      for (let d = first; d < end; d++) {
        const [column, low, size] = [columns[d], lows[d], extents[d] + 1];
        if (d === first) for (let i = from; i < to; i++) codes[i - from] = column[i] - low;
        else if (size > 1)
          for (let i = from; i < to; i++) codes[i - from] = codes[i - from] * size + column[i] - low;
      }
      out.putAll(codes, to - from, width);
    }
    const b = putGaps(columns[k], from, to, out);
    out.align();
    return b;
  }
}

/** Gaps from the second unit to the last but one; returns their parameter. */
function putGaps(units: Uint32Array, from: number, to: number, out: BitWriter): number {
  const b = riceParameter(units, from, to);
  const mask = b === 0 ? 0 : 0xffffffff >>> (32 - b);
  for (let i = from + 1; i < to - 1; i++) {
    const gap = units[i] - units[i - 1];
    const ones = gap >>> b;
    if (ones + 1 + b <= 32 && ones < onesMax)
      out.put((2 ** ones - 1) | ((gap & mask) << (ones + 1)), ones + 1 + b);
    else if (ones < onesMax) {
      out.putOnes(ones);
      out.put(gap & mask, b);
    } else {
      out.put(2 ** onesMax - 1, onesMax);
      out.put(gap, 32);
    }
  }
  return b;
}

/** The parameter with which the gaps take the fewest bits: near the logarithm of what half of them are below. */
function riceParameter(units: Uint32Array, from: number, to: number): number {
  const gaps = to - from - 2;
  if (gaps <= 0) return 0;
  const half = ((units[to - 1] - units[from]) / (gaps + 1)) * Math.LN2;
  const near = half < 1 ? 0 : Math.min(30, Math.floor(Math.log2(half)));
  return gapBits(units, from, to, near) <= gapBits(units, from, to, near + 1) ? near : near + 1;
}

function gapBits(units: Uint32Array, from: number, to: number, b: number): number {
  let bits = 0;
  for (let i = from + 1; i < to - 1; i++) {
    const ones = (units[i] - units[i - 1]) >>> b;
    bits += ones < onesMax ? ones + 1 + b : onesMax + 32;
  }
  return bits;
}

/**
 * A leaf decoded, as far as somebody wants: coordinates first, units only when a point is wanted. One object is used for leaf after leaf.
 */
export class DecodedLeaf {
  count = 0;
  readonly coordinates: Uint32Array[];
  readonly units = new Uint32Array(leafPointsMax);
  readonly lows: Uint32Array;
  readonly extents: Uint32Array;
  readonly #groups: Group[] = [];
  /** Bits of all tails. */
  #tailBits = 0;
  /** Which dimensions are filled with their one value, and which value that is. */
  readonly #filled: Float64Array;
  #groupCount = 0;

  constructor(readonly k: number) {
    this.coordinates = Array.from({ length: k }, () => new Uint32Array(leafPointsMax));
    this.lows = new Uint32Array(k + 1);
    this.extents = new Uint32Array(k + 1);
    this.#filled = new Float64Array(k).fill(-1);
  }

  /** Says which leaf: `count`, `lows` and `extents` are set. */
  begin(): void {
    this.#groupCount = groupsOf(this.extents, this.k, this.#groups);
    let width = 0;
    for (let g = 0; g < this.#groupCount; g++) width += this.#groups[g].width;
    this.#tailBits = width * this.count;
  }

  decodeCoordinates(pool: Pool, address: number): void {
    const { count, extents, lows, coordinates } = this;
    for (let d = 0; d < this.k; d++) {
      if (extents[d] > 0) this.#filled[d] = -1;
      else if (this.#filled[d] !== lows[d]) {
        coordinates[d].fill(lows[d]);
        this.#filled[d] = lows[d];
      }
    }
    let bit = 0;
    for (let g = 0; g < this.#groupCount; g++) {
      const { first, end, width } = this.#groups[g];
      this.#decodeGroup(pool, address, bit, first, end, width);
      bit += width * count;
    }
  }

  #decodeGroup(pool: Pool, address: number, bit: number, first: number, end: number, width: number): void {
    const { count, extents, lows, coordinates } = this;
    // The last dimension that is not constant is the lowest digit; before it are quotients.
    let only = -1;
    let several = false;
    for (let d = first; d < end; d++) {
      if (extents[d] === 0) continue;
      if (only >= 0) several = true;
      only = d;
    }
    const codes = coordinates[only];
    pool.kernels.unpackCodes(address, bit, width, count, pool.scratch);
    copy(pool, count, codes, 0);
    for (let d = only; several; ) {
      // Digit d stays in its column; what is left goes to the next higher one that is not constant.
      let next = d - 1;
      while (next >= first && extents[next] === 0) next--;
      if (next < first) break;
      split(coordinates[d], coordinates[next], count, extents[d] + 1, lows[d]);
      d = next;
      only = next;
    }
    const low = lows[only];
    const highest = coordinates[only];
    if (low > 0) for (let i = 0; i < count; i++) highest[i] += low;
  }

  decodeUnits(pool: Pool, address: number, parameter: number): void {
    const { count, units } = this;
    const first = this.lows[this.k];
    units[0] = first;
    if (count < 2) return;
    units[count - 1] = first + this.extents[this.k];
    pool.kernels.unpackGaps(address, this.#tailBits, parameter, count - 2, first, pool.scratch);
    copy(pool, count - 2, units, 1);
  }
}

/** What a kernel has put out. */
function copy({ u32, scratch }: Pool, count: number, target: Uint32Array, at: number): void {
  const from = scratch >>> 2;
  for (let i = 0; i < count; i++) target[at + i] = u32[from + i];
}

/** Codes become their lowest digits, plus `low`; what is left of them goes to `rest`. */
function split(codes: Uint32Array, rest: Uint32Array, count: number, size: number, low: number): void {
  for (let i = 0; i < count; i++) {
    const code = codes[i];
    const quotient = (code / size) >>> 0;
    rest[i] = quotient;
    codes[i] = code - quotient * size + low;
  }
}
