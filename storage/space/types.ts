/**
 * What a space is, as it is asked. A unit of a corpus (a document, a sentence, a token) is a point, or several, in an array of a few
 * dimensions; coordinates are whole numbers, and what should come early lies near the origin.
 */
import type { PositionCursor } from "../cursor.js";

/** How values become coordinates (quantise.ts). */
export type QuantiserKind = "word" | "linear" | "logarithmic" | "rank" | "date" | "category";

export interface DimensionInfo {
  name: string;
  kind: QuantiserKind;
  /** Coordinates are 0 to max. The last one is that of units without a value. */
  max: number;
  /** Has a unit one value of it? A unit has several words, and a point for each. */
  single: boolean;
  /** Where values come from, for people: "doc.year", "attribute word", "computed: tokens". */
  source: string;
}

export interface SpaceInfo {
  corpus: string;
  snapshot: number;
  name: string;
  /** A structure, or "token". Units are numbered as the corpus numbers them: structures from 0, tokens by position. */
  unit: string;
  dimensions: DimensionInfo[];
  points: number;
  units: number;
  segments: number;
  bytes: number;
  created: string;
}

/** Coordinates from `low` to `high`, both included, for each dimension; 0 and its max where a dimension is open. */
export interface Box {
  low: Uint32Array;
  high: Uint32Array;
  /**
   * Do all points in it fulfil the conditions that it was made of? A cell of a coarse scale has several values: then the box has all that
   * do, and some that do not, and whoever needs to know looks at the values themselves. A box without the word is exact.
   */
  exact?: boolean;
}

/** year>=1990, word=economy, genre=fiction: what a dimension's values are compared with, as it is written. */
export interface Condition {
  dimension: string;
  operator: "=" | "<" | "<=" | ">" | ">=";
  value: string;
}

/** Points in columns: none is an object. Only the first `count` are good. */
export interface Points {
  count: number;
  /** Numbers of units. */
  units: Float64Array;
  /** Weighted sums of coordinates: what they are ordered by, lowest first. */
  scores: Float64Array;
  /** For each dimension the coordinate of each point. */
  coordinates: Uint32Array[];
}

export function emptyPoints(k: number, room: number): Points {
  return {
    count: 0,
    units: new Float64Array(room),
    scores: new Float64Array(room),
    coordinates: Array.from({ length: k }, () => new Uint32Array(room)),
  };
}

export interface Asking {
  /** Called at least once for some hundred leaves; what it throws ends the work. */
  checkpoint?: () => void;
}

/** Points one after the other, nearest first; of equal scores in an order that is the same whenever it is asked. */
export interface BestFirst {
  /** Moves to the next point; false at the end, again and again. */
  next(): boolean;
  readonly unit: number;
  readonly score: number;
  coordinate(dimension: number): number;
  /** No point that is still to come has a lower score than this; Infinity at the end. */
  readonly bound: number;
  /** Leaves that were read so far. */
  readonly leaves: number;
}

/**
 * A space that is open: all its segments as one. Costs: a leaf is a few microseconds; what lies inside a box whole is counted and
 * not read.
 */
export interface Space {
  readonly info: SpaceInfo;
  /** The number of a dimension, or an error that names those there are. */
  dimension(name: string): number;
  /** All of the space. */
  everything(): Box;
  /** What the conditions leave of it. A word or category that the space does not have leaves nothing: low is above high there. */
  box(conditions: readonly Condition[]): Box;
  /** The value of a coordinate as people write it: a word, a year, a genre; of a range, where it begins. "" for units without one. */
  value(dimension: number, coordinate: number): string;
  /** Weights by dimension from names: {rank: 1, year: -0.5}. */
  weights(byName: Readonly<Record<string, number>>): Float64Array;

  /** How many points lie in a box: exact. */
  count(box: Box, asking?: Asking): number;
  /** The units with a point in a box, ascending, each once; they are looked for at the first move. `remaining` is an upper bound. */
  units(box: Box, asking?: Asking): PositionCursor;
  /** The points of a box with the lowest Σ weight × coordinate. */
  top(box: Box, weights: Float64Array, limit: number, asking?: Asking): Points;
  /** The same without a limit, one after the other. */
  bestFirst(box: Box, weights: Float64Array, asking?: Asking): BestFirst;
  /**
   * Units that have a point in every box (one for each word): the best by dimensions that a unit has one value of. Coordinates are
   * those of the unit's point in the box with the fewest points.
   */
  topOfAll(boxes: readonly Box[], weights: Float64Array, limit: number, asking?: Asking): Points;
  /** How many units have a point in every box: exact; all of the rarest are looked at. */
  countOfAll(boxes: readonly Box[], asking?: Asking): number;
  /** Of one dimension that units have one value of: the coordinate of each unit, by its number; max where it has none. */
  coordinatesOfUnits(dimension: number, asking?: Asking): Uint32Array;
  /** All points of a box, block by block, in the order in which they lie; scores are 0. What is given is good until the next step. */
  blocks(box: Box, asking?: Asking): Generator<Points>;
  close(): void;
}
