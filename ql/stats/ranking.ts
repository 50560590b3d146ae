/** The first rows of a table, by a column of numbers, without sorting those that are not wanted. */
import { DugongError } from "../../storage/index.js";
import { type Compare, column, comparing, filtered, numberAt, upTo } from "../pace.js";

export interface Page {
  /** Rows that are left out before the first. Default: 0. */
  from?: number;
  /** At most so many rows. Default: all. */
  limit?: number;
}

/** Limits on counts that leave something. */
export function checkCounts({ minCount = 0, maxCount }: { minCount?: number; maxCount?: number }): void {
  if (maxCount === undefined || minCount <= maxCount) return;
  throw new DugongError(
    "bad_option",
    `no count is at least ${minCount} and at most ${maxCount}`,
    "Give other limits on counts.",
  );
}

/**
 * Of some rows, those on a page when all are sorted by `score`, the highest first; `compare` decides between equals.
 * `score` has as many numbers as there are rows, in their order; `rows` is left as it is.
 */
export function pageOf(
  rows: Uint32Array,
  score: Float64Array,
  compare: Compare,
  { from = 0, limit = Number.POSITIVE_INFINITY }: Page,
  checkpoint: () => void = () => {},
): { rows: Uint32Array; scores: Float64Array } {
  const end = Math.min(rows.length, from + limit);
  let places = upTo(rows.length);
  if (end < rows.length) {
    // What is below the last one on the page need not be compared at all.
    const own = score.subarray(0, rows.length);
    const least = numberAt(own, rows.length - Math.max(1, end), checkpoint);
    places = filtered(places, (place) => score[place] >= least, checkpoint);
  }
  places.sort(comparing((a, b) => score[b] - score[a] || compare(rows[a], rows[b]), checkpoint));
  const page = places.subarray(Math.min(from, end), end);
  return {
    rows: page.map((place) => rows[place]),
    scores: column(page, (place) => score[place], checkpoint),
  };
}
