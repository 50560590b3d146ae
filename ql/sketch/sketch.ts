/**
 * The sketch of a head: for each relation its collocates, the most typical first (score.ts has the formulas).
 *
 *   share   of a relation: of the head's occurrences in all relations; of a unary one: of the head's occurrences in the corpus
 *   score   of a relation: how many times as large its share is here as among all heads
 */
import { QueryError } from "../plan/errors.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { findHead, headsNamed } from "./head.js";
import { limits } from "./limits.js";
import type { Occurrences, RelationInfo, SketchReader } from "./reader.js";
import { logDice, mutualInformation } from "./score.js";
import { collocatesIn, occurrencesIn, standingWith, totalsIn, type View } from "./view.js";

export interface SketchOptions {
  word: string;
  /** "noun", "n" or "-n", where heads have suffixes. */
  pos?: string;
  /** Names of relations, or headings of families; all, if none are named. */
  relations?: string[];
  /** Leave out collocates that occur less often. Default: 1. */
  minCount?: number;
  /** Collocates of a relation. Default: 25. */
  maxItems?: number;
  order?: "score" | "count";
  /** Only occurrences that also have this collocate: the sketch of "strong coffee". */
  with?: { collocate: string; relation?: string };
  part?: Subcorpus;
  /** Only occurrences of the head at such positions. */
  keeps?: (position: number) => boolean;
  /** Says the typical phrase of a pair that stands there: phrase.ts. */
  phraseOf?: (occurrences: Occurrences) => string | undefined;
  checkpoint?: () => void;
}

export interface SketchItem {
  collocate: string;
  count: number;
  /** logDice */
  score: number;
  mi: number;
  /** The phrase in which the two typically stand. */
  example?: string;
}

export interface SketchRelation {
  name: string;
  kind: RelationInfo["kind"];
  count: number;
  share: number;
  score: number;
  /** Collocates that occur often enough, shown or not. */
  collocates: number;
  items: SketchItem[];
}

export interface Sketch {
  head: string;
  /** Occurrences in the corpus, whether in a relation or not. */
  count: number;
  /** In all relations, as far as they are looked at. */
  occurrences: number;
  relations: SketchRelation[];
  others: { head: string; count: number }[];
  grammar: string;
}

export function sketchOf(reader: SketchReader, options: SketchOptions): Sketch {
  const { word, text, others } = findHead(reader, options.word, options.pos);
  const view: View = {
    ...(options.part && { part: options.part }),
    ...(options.keeps && { keeps: options.keeps }),
    ...(options.with && { keeps: withCollocate(reader, word, text, options.with) }),
  };
  const relations = relationsIn(reader, word, view, options);
  const occurrences = sum(relations.filter(({ kind }) => kind !== "unary").map(({ count }) => count));
  const binary = sum(reader.info.relations.filter(({ kind }) => kind !== "unary").map(({ count }) => count));
  const count = reader.corpusCount(word);
  for (const one of relations) {
    const all = reader.info.relations.find(({ name }) => name === one.name)!.count;
    const isUnary = one.kind === "unary";
    one.share = one.count / Math.max(1, isUnary ? count : occurrences);
    one.score = one.share / (all / Math.max(1, isUnary ? reader.info.tokens : binary));
  }
  const wanted = options.relations;
  return {
    head: text,
    count,
    occurrences,
    relations: relations
      .filter(({ name }) => !wanted || isWanted(reader, name, wanted))
      .map((one) => ({ ...one, name: one.name.replaceAll("%w", text) })),
    others,
    grammar: reader.info.grammar,
  };
}

function withCollocate(
  reader: SketchReader,
  head: number,
  text: string,
  { collocate, relation }: NonNullable<SketchOptions["with"]>,
): (position: number) => boolean {
  const collocates = headsNamed(reader, collocate);
  if (collocates.length === 0)
    throw new QueryError(
      "no_collocate",
      `${JSON.stringify(collocate)} is a collocate of no head, so not of ${text}`,
    );
  return standingWith(reader, head, collocates, relation);
}

function isWanted({ info }: SketchReader, name: string, wanted: readonly string[]): boolean {
  const base = info.relations.find((one) => one.name === name)?.base;
  return wanted.includes(name) || (base !== undefined && wanted.includes(base));
}

/** Relations in the order in which they are shown: as the grammar says, the others by their counts. */
function relationsIn(
  reader: SketchReader,
  head: number,
  view: View,
  options: SketchOptions,
): SketchRelation[] {
  const { info } = reader;
  const checkpoint = options.checkpoint ?? (() => {});
  const found: SketchRelation[] = [];
  for (const number of reader.relationsOf(head).relations.subarray(0, limits.relationsShownMax)) {
    checkpoint();
    const relation = relationOf(reader, head, info.relations[number], view, options, checkpoint);
    if (relation) found.push(relation);
  }
  const rank = new Map(info.order.map((name, i) => [name, i]));
  const place = ({ name }: SketchRelation) => rank.get(name) ?? info.order.length;
  return found.sort((a, b) => place(a) - place(b) || b.count - a.count || (a.name < b.name ? -1 : 1));
}

function relationOf(
  reader: SketchReader,
  head: number,
  { number, name, kind, count: n }: RelationInfo,
  view: View,
  options: SketchOptions,
  checkpoint: () => void,
): SketchRelation | undefined {
  const { words, counts } = collocatesIn(reader, head, number, view);
  const count = sum(counts);
  if (count === 0) return undefined;
  const own = { name, kind, count, share: 0, score: 0 };
  if (kind === "unary") return { ...own, collocates: 0, items: [] };
  const items = itemsOf(reader, number, { words, counts }, count, n, view, options, checkpoint);
  const most = Math.min(options.maxItems ?? limits.itemsDefault, limits.comparedMax);
  return {
    ...own,
    collocates: items.length,
    items: items.slice(0, most).map(({ word, ...item }) => {
      checkpoint();
      const example = options.phraseOf?.(occurrencesIn(reader, [head, number, word], view));
      return { collocate: reader.words.text(word), ...item, ...(example !== undefined && { example }) };
    }),
  };
}

function itemsOf(
  reader: SketchReader,
  relation: number,
  { words, counts }: { words: Uint32Array; counts: Uint32Array },
  f1: number,
  n: number,
  view: View,
  { minCount = 1, order = "score" }: SketchOptions,
  checkpoint: () => void,
): (Omit<SketchItem, "collocate"> & { word: number })[] {
  const places = Array.from(words.keys()).filter((i) => counts[i] >= minCount);
  const kept = Uint32Array.from(places, (i) => words[i]);
  const totals = totalsIn(reader, relation, kept, view, checkpoint);
  const items = places.map((i, k) => ({
    word: words[i],
    count: counts[i],
    score: logDice(counts[i], f1, totals[k]),
    mi: mutualInformation(counts[i], f1, totals[k], n),
  }));
  const by =
    order === "count"
      ? (a: (typeof items)[0], b: (typeof items)[0]) => b.count - a.count || b.score - a.score
      : (a: (typeof items)[0], b: (typeof items)[0]) => b.score - a.score || b.count - a.count;
  return items.sort((a, b) => by(a, b) || a.word - b.word);
}

function sum(numbers: ArrayLike<number>): number {
  let all = 0;
  for (let i = 0; i < numbers.length; i++) all += numbers[i];
  return all;
}
