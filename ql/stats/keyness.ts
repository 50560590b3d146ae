/**
 * Keyness: how much more often something occurs in one body of text than in another.
 *
 *   f, N     occurrences in the focus, and its tokens            fpm = f · 10⁶ / N
 *   r, R     occurrences in the reference, and its tokens        rpm = r · 10⁶ / R
 *
 *   simple-maths     (fpm + n) / (rpm + n), with the smoothing n: the larger, the more frequent the words it prefers
 *   log-likelihood   2 (f ln(f / e) + r ln(r / d)), with e = N (f + r) / (N + R) and d = R (f + r) / (N + R), what would
 *                    be expected if both were alike; 0 ln 0 = 0. Negative where fpm < rpm.
 *     p              the probability of a value as far from 0, or farther, if both were alike: erfc(√(|G| / 2)), as
 *                    of χ² with one degree of freedom
 *   log-ratio        log₂((f / N) / (r / R)): 1 is twice as often, 2 four times. 0 occurrences count as 0.5.
 *   percent-diff     100 (fpm − rpm) / rpm. 0 occurrences in the reference count as 0.5.
 */
import { DugongError } from "../../storage/index.js";
import { erfc } from "./erfc.js";

export const keynessMeasures = ["simple-maths", "log-likelihood", "log-ratio", "percent-diff"] as const;

export type KeynessMeasure = (typeof keynessMeasures)[number];

/** The two bodies of text. */
export interface Sizes {
  /** N and R. */
  focus: number;
  reference: number;
  /** n */
  smoothing: number;
}

export interface KeynessOptions {
  /** What rows are scored and sorted by: the first; the others are told as well. Default: simple-maths. */
  measures?: readonly KeynessMeasure[];
  /** Of simple maths. Default: 1. */
  smoothing?: number;
}

/** The measures that were asked for, checked. */
export function keynessOf({ measures = [], smoothing = 1 }: KeynessOptions): {
  measures: readonly KeynessMeasure[];
  smoothing: number;
} {
  const unknown = measures.find((measure) => !keynessMeasures.includes(measure));
  if (unknown !== undefined)
    throw new DugongError(
      "bad_option",
      `there is no measure ${JSON.stringify(unknown)}`,
      `There are ${keynessMeasures.join(", ")}.`,
    );
  if (!(smoothing > 0 && Number.isFinite(smoothing)))
    throw new DugongError("bad_option", "the smoothing of simple maths is a number above 0");
  return { measures: measures.length > 0 ? measures : ["simple-maths"], smoothing };
}

export function keyness(measure: KeynessMeasure, f: number, r: number, sizes: Sizes): number {
  const { focus, reference, smoothing } = sizes;
  switch (measure) {
    case "simple-maths":
      return (perMillion(f, focus) + smoothing) / (perMillion(r, reference) + smoothing);
    case "log-likelihood":
      return logLikelihood(f, r, focus, reference);
    case "log-ratio":
      return Math.log2((f || 0.5) / focus / ((r || 0.5) / reference));
    case "percent-diff": {
      const expected = perMillion(r || 0.5, reference);
      return (100 * (perMillion(f, focus) - expected)) / expected;
    }
  }
}

export function perMillion(count: number, tokens: number): number {
  return tokens > 0 ? (count * 1e6) / tokens : 0;
}

function logLikelihood(f: number, r: number, focus: number, reference: number): number {
  const share = (f + r) / (focus + reference);
  const term = (observed: number, tokens: number) =>
    observed === 0 ? 0 : observed * Math.log(observed / (tokens * share));
  // Rounding may leave a little less than nothing.
  const value = Math.max(0, 2 * (term(f, focus) + term(r, reference)));
  return f * reference < r * focus ? -value : value;
}

/** p of a log-likelihood. */
export function significance(value: number): number {
  return erfc(Math.sqrt(Math.abs(value) / 2));
}

/** What rows say about the reference. */
export interface KeyColumns {
  referenceCount: number;
  perMillion: number;
  referencePerMillion: number;
  /** The first measure's. */
  score: number;
  /** Each measure's by its name, and `p` where there is log-likelihood. */
  scores: Record<string, number>;
}

export function keyColumns(
  measures: readonly KeynessMeasure[],
  f: number,
  r: number,
  sizes: Sizes,
): KeyColumns {
  const scores: Record<string, number> = {};
  for (const measure of measures) {
    scores[measure] = keyness(measure, f, r, sizes);
    if (measure === "log-likelihood") scores.p = significance(scores[measure]);
  }
  return {
    referenceCount: r,
    perMillion: perMillion(f, sizes.focus),
    referencePerMillion: perMillion(r, sizes.reference),
    score: scores[measures[0]],
    scores,
  };
}
