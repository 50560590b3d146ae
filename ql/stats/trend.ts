/**
 * Does a series rise or fall? Of points (x₁, y₁) … (x_n, y_n) whose x ascend:
 *
 *   slope      Theil–Sen: the median of (yⱼ − yᵢ)/(xⱼ − xᵢ) over all pairs with xᵢ < xⱼ
 *   intercept  the median of yᵢ − slope · xᵢ
 *   s          Mann–Kendall: Σ sign(yⱼ − yᵢ) over all i < j
 *   z          (s − sign s)/√var, with var = (n(n−1)(2n+5) − Σ t(t−1)(2t+5))/18 over groups of t equal y: the normal
 *              approximation with a correction for ties and one for continuity; 0 where var is 0
 *   p          two-sided: how likely a z at least so far from 0 is where there is no trend, erfc(|z|/√2)
 *
 * The median of an even number of values is the mean of the two in the middle. Cost: O(n² log n).
 */
import { erfc } from "./erfc.js";

export interface Trend {
  slope: number;
  intercept: number;
  s: number;
  z: number;
  p: number;
}

/** Undefined for fewer than two points. */
export function trendOf(x: ArrayLike<number>, y: ArrayLike<number>): Trend | undefined {
  const n = x.length;
  if (n < 2) return undefined;
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let count = 0;
  let s = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      slopes[count++] = (y[j] - y[i]) / (x[j] - x[i]);
      s += Math.sign(y[j] - y[i]);
    }
  }
  const slope = median(slopes);
  const intercept = median(Float64Array.from(x, (value, i) => y[i] - slope * value));
  const variance = (tiesTerm(n) - tiesIn(y)) / 18;
  const z = variance > 0 ? (s - Math.sign(s)) / Math.sqrt(variance) : 0;
  return { slope, intercept, s, z, p: erfc(Math.abs(z) / Math.SQRT2) };
}

function tiesTerm(t: number): number {
  return t * (t - 1) * (2 * t + 5);
}

function tiesIn(y: ArrayLike<number>): number {
  const sorted = Float64Array.from(y).sort();
  let sum = 0;
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    sum += tiesTerm(to - from);
  }
  return sum;
}

function median(values: Float64Array): number {
  values.sort();
  const middle = values.length >>> 1;
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}
