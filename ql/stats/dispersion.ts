/**
 * How evenly hits are spread over the whole. With N tokens and f hits at places p₁ ≤ … ≤ p_f (where each begins):
 *
 *   distances  dᵢ = pᵢ₊₁ − pᵢ, and d_f = p₁ + N − p_f: the whole is closed to a ring, so that they sum up to N
 *   ARF        average reduced frequency: (1/v) · Σ min(dᵢ, v) with v = N/f. f hits at equal distances have f, hits
 *              that are all beside each other nearly 1.
 *   ALDF       average logarithmic distance frequency: N · exp(−(1/N) · Σ dᵢ · ln dᵢ), where 0 · ln 0 is 0
 *
 * With n parts of s₁ … s_n tokens (Σ sᵢ = N) that have f₁ … f_n hits:
 *
 *   D          Juilland's: 1 − V/√(n−1), with V = σ/µ of the relative frequencies fᵢ/sᵢ (σ over all n, not n−1): 1 is
 *              even. Where all hits are in one part it is 0.
 *   DP         Gries' deviation of proportions: ½ · Σ |fᵢ/f − sᵢ/N|: 0 is even, nearly 1 is not
 *   DPnorm     DP / (1 − min sᵢ/N): reaches 1
 *
 * ARF and ALDF need at least one hit, D and DPnorm two parts as well: otherwise they are null.
 *
 * Hits of many rows come in one stream, in order; for each row there are some numbers, nothing for a hit. v and f must
 * be known before: hits are counted first.
 */
import { looking } from "../pace.js";
import type { Parts } from "./dispersion-parts.js";

export interface Dispersion {
  arf: number | null;
  aldf: number | null;
  juillandD: number | null;
  dp: number | null;
  dpNorm: number | null;
}

export const dispersionMeasures = ["arf", "aldf", "juillandD", "dp", "dpNorm"] as const;

/** Of many rows: NaN where a measure is not defined. */
export type DispersionColumns = Record<keyof Dispersion, Float64Array>;

export function dispersionAt(columns: DispersionColumns, row: number): Dispersion {
  const number = (measure: keyof Dispersion) => {
    const value = columns[measure][row];
    return Number.isNaN(value) ? null : value;
  };
  return {
    arf: number("arf"),
    aldf: number("aldf"),
    juillandD: number("juillandD"),
    dp: number("dp"),
    dpNorm: number("dpNorm"),
  };
}

export class Dispersions {
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #reduced: Float64Array;
  readonly #logarithmic: Float64Array;
  /** The part that the last hit was in, and how many there are in it so far. */
  readonly #part: Float64Array;
  readonly #inPart: Float64Array;
  /** Hits in the part that is in pieces. */
  readonly #inPieces: Float64Array;
  /**
   * Over the parts that have hits: how many, the mean of relative frequencies and the squares of deviations from it
   * (both kept up to date: a difference of large sums would lose what is small), |fᵢ/f − sᵢ/N|, and sᵢ/N.
   */
  readonly #filled: Float64Array;
  readonly #mean: Float64Array;
  readonly #squares: Float64Array;
  readonly #deviation: Float64Array;
  readonly #covered: Float64Array;

  constructor(
    readonly tokens: number,
    /** Of each row. */
    readonly counts: Float64Array,
    readonly parts?: Parts,
  ) {
    const column = () => new Float64Array(counts.length);
    this.#first = column().fill(-1);
    this.#last = column();
    this.#reduced = column();
    this.#logarithmic = column();
    this.#part = column().fill(-1);
    this.#inPart = column();
    this.#inPieces = column();
    this.#filled = column();
    this.#mean = column();
    this.#squares = column();
    this.#deviation = column();
    this.#covered = column();
  }

  /** The next hit of a row: its place, and the part it is in if there are parts. */
  add(row: number, place: number, part: number): void {
    if (this.#first[row] < 0) this.#first[row] = place;
    else this.#step(row, place - this.#last[row]);
    this.#last[row] = place;
    if (!this.parts) return;
    if (part === this.parts.inPieces) {
      this.#inPieces[row]++;
      return;
    }
    if (this.#part[row] !== part) {
      if (this.#part[row] >= 0) this.#closePart(row, this.#part[row], this.#inPart[row]);
      this.#part[row] = part;
      this.#inPart[row] = 0;
    }
    this.#inPart[row]++;
  }

  #step(row: number, distance: number): void {
    if (distance <= 0) return;
    const average = this.tokens / this.counts[row];
    this.#reduced[row] += Math.min(distance, average);
    this.#logarithmic[row] += distance * Math.log(distance);
  }

  #closePart(row: number, part: number, hits: number): void {
    const size = this.parts!.sizes[part];
    // An empty match can stand behind the last token of its part, where that has none.
    const relative = size > 0 ? hits / size : 0;
    const above = relative - this.#mean[row];
    this.#mean[row] += above / ++this.#filled[row];
    this.#squares[row] += above * (relative - this.#mean[row]);
    this.#deviation[row] += Math.abs(hits / this.counts[row] - size / this.tokens);
    this.#covered[row] += size / this.tokens;
  }

  /** What the hits of all rows come to. Once, at the end. */
  finish(checkpoint: () => void = () => {}): DispersionColumns {
    const { tokens, counts } = this;
    const column = () => new Float64Array(counts.length).fill(Number.NaN);
    const columns = { arf: column(), aldf: column(), juillandD: column(), dp: column(), dpNorm: column() };
    const look = looking(checkpoint);
    for (let row = 0; row < counts.length; row++) {
      look();
      if (this.#first[row] < 0 || tokens === 0) continue;
      this.#step(row, this.#first[row] + tokens - this.#last[row]);
      columns.arf[row] = (this.#reduced[row] * counts[row]) / tokens;
      columns.aldf[row] = tokens * Math.exp(-this.#logarithmic[row] / tokens);
      if (this.parts) this.#finishParts(row, this.parts, columns);
    }
    return columns;
  }

  #finishParts(row: number, { count, smallest, inPieces }: Parts, columns: DispersionColumns): void {
    if (this.#part[row] >= 0) this.#closePart(row, this.#part[row], this.#inPart[row]);
    if (this.#inPieces[row] > 0) this.#closePart(row, inPieces!, this.#inPieces[row]);
    const filled = this.#filled[row];
    const mean = (this.#mean[row] * filled) / count;
    // The parts without hits: they are below the mean by all of it, and the others above.
    const squares = this.#squares[row] + this.#mean[row] * mean * (count - filled);
    const dp = Math.max(0, this.#deviation[row] + 1 - this.#covered[row]) / 2;
    columns.dp[row] = dp;
    if (count < 2) return;
    if (mean > 0) columns.juillandD[row] = 1 - Math.sqrt(squares / count) / mean / Math.sqrt(count - 1);
    columns.dpNorm[row] = dp / (1 - smallest / this.tokens);
  }
}
