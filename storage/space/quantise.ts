/**
 * Quantisers: from values to coordinates, and back to where a coordinate's values begin. What a quantiser is made of is kept with the space, so
 * that what is appended is measured by the same scale; values beyond its ends get its first or last cell.
 *
 *   linear       cell = ⌊(value − low) / step⌋
 *   logarithmic  cell = ⌊perOctave · log2(value − low + 1)⌋
 *   rank         cell = how many cuts lie above the value: as many units in each cell, the highest values first
 *   date         days since 1970-01-01, then as linear; 1990, 1990-05, 1990-05-17, 1990-05-17T12:00 are dates
 *   category     the place in a dictionary, the most frequent first; the dictionary grows with appends
 *   word         the id in the corpus's lexicon, where the most frequent come first; or, of several attributes together, a dictionary
 *
 * The cell behind the last, `max`, is that of units without a value.
 */
import { DugongError } from "../errors.js";
import { coordinateMax } from "./format.js";
import type { Condition } from "./types.js";

export type Scale =
  | { kind: "linear" | "date"; low: number; step: number; cells: number; whole: boolean }
  | { kind: "logarithmic"; low: number; perOctave: number; cells: number; whole: boolean }
  | { kind: "rank"; cuts: number[] }
  | { kind: "category" | "word" };

/** Coordinates [low, high]; `exact` if all values in these cells are meant. */
export interface Interval {
  low: number;
  high: number;
  exact: boolean;
}

const dayMs = 86_400_000;

/** A number, or NaN. */
export function numberOf(text: string): number {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
}

/** The first and the last day of what is written, or undefined. */
export function daysOf(text: string): [first: number, last: number] | undefined {
  const match =
    /^\s*([+-]?\d{1,6})(?:-(\d\d?)(?:-(\d\d?))?)?(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\s*$/.exec(
      text,
    );
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const first = dayNumber(year, month, day);
  if (first === undefined) return undefined;
  if (match[3] !== undefined) return [first, first];
  const next =
    match[2] === undefined || month === 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1);
  return next === undefined ? undefined : [first, next - 1];
}

function dayNumber(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const same = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return same ? Math.round(date.getTime() / dayMs) : undefined;
}

export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** How many cells a scale has; of a dictionary, as many as there are strings. */
export function cellsOf(scale: Scale, strings: number): number {
  if (scale.kind === "rank") return scale.cuts.length + 1;
  return "cells" in scale ? scale.cells : strings;
}

/** The cell of a number (of a day, for dates). Values beyond the ends get the first or the last. */
export function cellOf(scale: Scale, value: number): number {
  switch (scale.kind) {
    case "rank":
      return cutsAbove(scale.cuts, value);
    case "logarithmic":
      return clamp(Math.floor(scale.perOctave * Math.log2(Math.max(0, value - scale.low) + 1)), scale.cells);
    case "linear":
    case "date":
      return clamp(Math.floor((value - scale.low) / scale.step), scale.cells);
    default:
      throw new Error(`a ${scale.kind} is no number`);
  }
}

/** Does a value lie beyond the ends of a scale? */
export function isBeyond(scale: Scale, value: number): boolean {
  if (scale.kind === "linear" || scale.kind === "date")
    return value < scale.low || Math.floor((value - scale.low) / scale.step) >= scale.cells;
  if (scale.kind === "logarithmic")
    return value < scale.low || Math.floor(scale.perOctave * Math.log2(value - scale.low + 1)) >= scale.cells;
  return false;
}

function clamp(cell: number, cells: number): number {
  return Math.max(0, Math.min(cells - 1, cell));
}

/** Cuts fall: the number of those that are above the value. */
function cutsAbove(cuts: readonly number[], value: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cuts[middle] > value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The least value of a cell, as people write it. */
export function cellText(scale: Scale, cell: number): string {
  switch (scale.kind) {
    case "rank":
      return cell < scale.cuts.length ? String(scale.cuts[cell]) : "0";
    case "logarithmic":
      return String(scale.low + Math.ceil(2 ** (cell / scale.perOctave) - 1 - 1e-9));
    case "linear":
      return String(Number((scale.low + cell * scale.step).toPrecision(12)));
    case "date":
      return dayText(scale.low + cell * scale.step);
    default:
      throw new Error(`a ${scale.kind} is no number`);
  }
}

/** Cells whose values may fulfil a condition on a number or a date. `closed`: no value lies beyond the ends of the scale. */
export function intervalOf(scale: Scale, condition: Condition, closed = false): Interval {
  const { operator, value, dimension } = condition;
  const range = scale.kind === "date" ? daysOf(value) : twice(numberOf(value));
  if (!range)
    throw new DugongError(
      "bad_condition",
      `${JSON.stringify(value)} is no ${scale.kind === "date" ? "date" : "number"}, and ${dimension} has nothing else`,
      scale.kind === "date" ? "Write 1990, 1990-05 or 1990-05-17." : "Write a number: 1990, 0.5.",
    );
  const [first, last] = range;
  const next = "whole" in scale && scale.whole ? 1 : 0;
  // Values from `from` to `to`, both included.
  const from = operator === ">=" || operator === "=" ? first : operator === ">" ? last + next : -Infinity;
  const to = operator === "<=" || operator === "=" ? last : operator === "<" ? first - next : Infinity;
  const interval = cellsBetween(scale, from, to, closed);
  // Between fractions there is no next one: the value itself is let in.
  const strict = operator === "<" || operator === ">";
  return strict && next === 0 && interval.low <= interval.high ? { ...interval, exact: false } : interval;
}

function twice(value: number): [number, number] | undefined {
  return Number.isNaN(value) ? undefined : [value, value];
}

function cellsBetween(scale: Scale, from: number, to: number, closed: boolean): Interval {
  const cells = cellsOf(scale, 0);
  const nothing = { low: 1, high: 0, exact: true };
  if (from > to) return nothing;
  if (scale.kind === "rank") {
    // The highest values have the lowest cells.
    const low = to === Infinity ? 0 : cutsAbove(scale.cuts, to);
    const high = from === -Infinity ? cells - 1 : cutsAbove(scale.cuts, from);
    const exact = to === Infinity && (from === -Infinity || scale.cuts[high] === from);
    return { low, high, exact };
  }
  if (!("cells" in scale)) throw new Error(`a ${scale.kind} is no number`);
  if (closed && ((from > scale.low && isBeyond(scale, from)) || to < scale.low)) return nothing;
  // Values that were cut off lie in the first and the last cell: of these nothing is known.
  const low = from === -Infinity ? 0 : cellOf(scale, from);
  const high = to === Infinity ? cells - 1 : cellOf(scale, to);
  const isStart =
    from === -Infinity ||
    (closed && from <= scale.low) ||
    (from > scale.low && !isBeyond(scale, from) && startsAt(scale, low, from));
  const isEnd =
    to === Infinity ||
    (closed && scale.whole && isBeyond(scale, to + 1)) ||
    (high < cells - 1 && to >= scale.low && startsAt(scale, high + 1, to + 1));
  return { low, high, exact: isStart && isEnd };
}

/** Is a whole value the first of its cell? */
function startsAt(scale: Scale, cell: number, value: number): boolean {
  if (!("whole" in scale && scale.whole && Number.isInteger(value))) return false;
  return cellOf(scale, value) === cell && cellOf(scale, value - 1) < cell;
}

/** A scale for numbers that lie between two, in whole steps where they are whole and there is room for them. */
export function linearScale(low: number, high: number, isWhole: boolean, cells: number | undefined): Scale {
  const whole = isWhole;
  if (!(high > low)) return { kind: "linear", low, step: 1, cells: 1, whole };
  const most = cells ?? 65_536;
  if (isWhole && high - low + 1 <= most)
    return { kind: "linear", low, step: 1, cells: high - low + 1, whole };
  const step = isWhole ? Math.ceil((high - low + 1) / most) : (high - low) / Math.max(1, most - 1);
  return { kind: "linear", low, step, cells: Math.floor((high - low) / step) + 1, whole };
}

/** Cells of the same number of units, by values and how often each occurs. */
export function rankScale(values: { value: number; count: number }[], cells = 256): Scale {
  const sorted = values.filter(({ count }) => count > 0).sort((a, b) => b.value - a.value);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const cuts: number[] = [];
  let since = 0;
  let left = total;
  for (const { value, count } of sorted) {
    since += count;
    left -= count;
    // A cut is the least value above it: what is lower lies in the next cell.
    if (cuts.length === cells - 1 || left === 0 || since < total / cells) continue;
    cuts.push(value);
    since = 0;
  }
  return { kind: "rank", cuts };
}

export function checkCells(cells: number, what: string): void {
  if (Number.isInteger(cells) && cells >= 1 && cells <= coordinateMax) return;
  throw new DugongError(
    "bad_dimensions",
    `${what} cannot have ${cells} cells`,
    `Use a whole number from 1 to ${coordinateMax}.`,
  );
}
