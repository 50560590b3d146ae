/**
 * Which rows of a long list are shown: those from one place of its order to another. Rows are told apart by a number
 * first. Only where numbers are equal, and the rows are shown or might be, it is asked what their values are.
 */
import { type Compare, comparing } from "../pace.js";
import type { Rows } from "./frequency-rows.js";

/**
 * Rows [from, to) in the order of a number, then of their values; without a number, of their values. O(rows), and the
 * sort of those that are shown. The order of `rows` is lost.
 */
export function selectRows(
  table: Rows,
  rows: Uint32Array,
  { from, to, measure, rising }: { from: number; to: number; measure?: Float64Array; rising: boolean },
  checkpoint: () => void = () => {},
): Uint32Array {
  const end = Math.min(to, rows.length);
  const start = Math.min(from, end);
  if (start === end) return new Uint32Array(0);
  if (!measure) {
    const byValue = table.ranked(rows);
    const compare = comparing(rising ? byValue : (a, b) => byValue(b, a), checkpoint);
    return ordered(rows, start, end, compare);
  }
  const byNumber = comparing(byMeasure(measure, rising), checkpoint);
  const [first, last] = [atPlace(rows, start, byNumber), atPlace(rows, end - 1, byNumber)];
  let before = 0;
  const candidates = rows.filter((row) => {
    const order = byNumber(row, first);
    if (order < 0) before++;
    return order >= 0 && byNumber(row, last) <= 0;
  });
  const byValue = table.ranked(candidates);
  return ordered(candidates, start - before, end - before, (a, b) => byNumber(a, b) || byValue(a, b));
}

/** By a number of each row. What is not a number comes last, whichever way. */
function byMeasure(measure: Float64Array, rising: boolean): Compare {
  const sign = rising ? 1 : -1;
  return (a, b) => {
    const [x, y] = [measure[a], measure[b]];
    if (x < y) return -sign;
    if (x > y) return sign;
    return x === y ? 0 : Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  };
}

function ordered(rows: Uint32Array, start: number, end: number, compare: Compare): Uint32Array {
  if (start > 0) atPlace(rows, start, compare);
  if (end < rows.length) atPlace(rows, end, compare);
  return rows.subarray(start, end).sort(compare);
}

/** The row at a place of the order. Rows are moved: those before the place come before it. */
function atPlace(rows: Uint32Array, place: number, compare: Compare): number {
  let [low, high] = [0, rows.length];
  while (high - low > 1) {
    const pivot = middle(rows[low], rows[(low + high) >>> 1], rows[high - 1], compare);
    let [left, right] = [low, high - 1];
    while (left <= right) {
      while (compare(rows[left], pivot) < 0) left++;
      while (compare(rows[right], pivot) > 0) right--;
      if (left > right) break;
      const row = rows[left];
      rows[left++] = rows[right];
      rows[right--] = row;
    }
    if (place <= right) high = right + 1;
    else if (place >= left) low = left;
    else break;
  }
  return rows[place];
}

function middle(a: number, b: number, c: number, compare: Compare): number {
  if (compare(a, b) > 0) [a, b] = [b, a];
  if (compare(b, c) <= 0) return b;
  return compare(a, c) > 0 ? a : c;
}
