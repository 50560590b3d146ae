/**
 * A chain: how a result is made, step by step. Plain JSON: it can be sent, stored, compared, and run again on another
 * snapshot.
 *
 *   chain = query step* [group]
 *   step  = filter | within | first | outermost | sample | shuffle | sort | examples
 *
 * Each step takes hits and gives hits. Tables (frequencies, collocations) and lines to read are made of what comes out
 * at the end. Two chains that begin with the same steps share what was computed for those (cache.ts).
 */
import type { Query, Strategy } from "../cql/ast.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import type { WindowShape } from "./windows.js";

export type Chain = [QueryStep, ...Step[]];

/** What CQL is asked, and how it is meant. */
export interface Asked {
  query: string | Query;
  strategy?: Strategy;
  /** Lists of words that the query refers to as $name. */
  lists?: Record<string, string[]>;
  gapMax?: number;
}

/** All matches of a query, in a subcorpus if one is named or described. */
export interface QueryStep extends Asked {
  step: "query";
  subcorpus?: string | SubcorpusDefinition;
}

export type Step =
  | FilterStep
  | WithinStep
  | FirstStep
  | OutermostStep
  | SampleStep
  | ShuffleStep
  | SortStep
  | ExamplesStep;

/**
 * Counts hits by keys: rows, not hits, so it can only stand at the end (stats/group.ts). Its properties are those of a
 * frequency list (stats/frequency.ts).
 */
export interface GroupStep {
  step: "group";
  /** "lemma 0, tag 1R" */
  by: string;
  minCount?: number;
  maxCount?: number;
  from?: number;
  limit?: number;
  order?: string;
  rising?: boolean;
  dispersion?: boolean;
  parts?: number;
}

export type GroupedChain = [...Chain, GroupStep];

/**
 * Keeps (or drops) the hits that have a match of another query near them. The match has to lie within the window:
 * `from` tokens before the hit's first token (a negative number) up to `to` tokens behind its last one.
 */
export interface FilterStep extends Asked {
  step: "filter";
  /** Default: keep. */
  drop?: boolean;
  /**
   * Default: 5 tokens on each side; windows.ts has what else they may be. { structure: "s" }: the structure around the
   * hit.
   */
  window?: WindowShape | { structure: string };
  /** Where the match has to lie. Default: anywhere. */
  subcorpus?: string | SubcorpusDefinition;
  /** May the match overlap the hit itself? Default: yes. */
  node?: boolean;
  /** Which match in the window is meant: 1 is the first, -1 the last. There must be so many. Default: any. */
  occurrence?: number;
  /** The match that is meant can be sorted and counted by under this name, like a label of the query. */
  label?: string;
}

/** Keeps (or drops) the hits that lie inside a match of another query: <doc year="199.*"/>. */
export interface WithinStep extends Asked {
  step: "within";
  drop?: boolean;
}

/** The first hits in each structure of a kind; hits in none are dropped. */
export interface FirstStep {
  step: "first";
  structure: string;
  /** Default: 1. */
  count?: number;
}

/** Drops hits that lie inside another hit. */
export interface OutermostStep {
  step: "outermost";
}

/** A random choice that keeps the order: so many hits, or each with so many percent. */
export interface SampleStep {
  step: "sample";
  count?: number;
  percent?: number;
  /** The same seed gives the same hits. Default: 1. */
  seed?: number;
}

/** A random order. */
export interface ShuffleStep {
  step: "shuffle";
  seed?: number;
}

/** Orders hits by keys, the first one first; hits that are equal by all stay in the order they were in. */
export interface SortStep {
  step: "sort";
  /** As keys.ts reads them: "word 1R", "lemma/i node", "doc.year". */
  keys: string[];
  /**
   * How strings are compared: by their bytes, or as a language does ("en", "cs"; "" is the one that Unicode gives to
   * all). Default: "".
   */
  collation?: "bytes" | (string & {});
}

/** Orders hits by how good an example the sentence around them is (examples.ts), the best first. */
export interface ExamplesStep {
  step: "examples";
  /** Keep so many. Default: all. */
  count?: number;
  /** A formula over what examples.ts measures. */
  formula?: string;
  /** The structure that is shown as an example. Default: s. */
  structure?: string;
  /** Words that an example should not have. */
  blacklist?: string[];
}
