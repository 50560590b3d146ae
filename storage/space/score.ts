/** Scores of points: weighted sums of their coordinates; the lowest comes first. */
import type { Box } from "./types.js";

export class Score {
  /** Dimensions with a weight. */
  readonly weighted: readonly number[];

  constructor(
    readonly weights: Float64Array,
    readonly box: Box,
  ) {
    this.weighted = [...weights.keys()].filter((d) => weights[d] !== 0);
  }

  /** The lowest that a point between lows and highs, and in the box, may have. */
  bound(lows: Uint32Array, highs: Uint32Array, at: number): number {
    const { low, high } = this.box;
    let bound = 0;
    for (const d of this.weighted) {
      const weight = this.weights[d];
      bound += weight * (weight > 0 ? Math.max(lows[at + d], low[d]) : Math.min(highs[at + d], high[d]));
    }
    return bound;
  }
}
