/**
 * The sketch of a head: for each relation its collocates, the most typical first (score.ts has the formulas). The other way round, of a
 * collocate: for each relation the heads that have it.
 *
 *   share   of a relation: of the head's occurrences in all relations; of a unary one: of the head's occurrences in the corpus, or in
 *           what is looked at of it
 *   score   of a relation: how many times as large its share is here as among all heads
 */
import { QueryError } from "../plan/errors.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { type ClusterOption, Clusters } from "./cluster.js";
import { findCollocate, findHead, headsNamed } from "./head.js";
import { limits } from "./limits.js";
import type { Occurrences, RelationInfo, SketchReader } from "./reader.js";
import { logDice, mutualInformation } from "./score.js";
import {
  collocatesIn,
  headsIn,
  headTotalsIn,
  isInside,
  occurrencesIn,
  standingWith,
  totalsIn,
  type View,
} from "./view.js";

export interface SketchOptions {
  word: string;
  /** "noun", "n" or "-n", where heads have suffixes. */
  pos?: string;
  /** The word is a collocate, and what is shown are the heads that have it. */
  reverse?: boolean;
  /** Put what is shown of a relation into clusters (cluster.ts), at the usual similarity or at this one. */
  cluster?: ClusterOption;
  /** Names of relations, headings of families, or names that do not depend on the language (*UNIMAP); all, if none are named. */
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
  /** How many tokens of the head these are; all of the corpus, unless it is said. */
  tokens?: (head: string) => number;
  /** Says the typical phrase of a pair that stands there: phrase.ts. */
  phraseOf?: (occurrences: Occurrences) => string | undefined;
  checkpoint?: () => void;
}

export interface SketchItem {
  /** In the sketch of a collocate: the head. */
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
  /** Where they were asked for: the collocates of the items, those that belong together together. */
  clusters?: string[][];
  /** What the grammar says of it: *UNIMAP, *SEPARATEPAGE, *CONSTRUCTION. */
  unimap?: string;
  page?: string;
  construction?: true;
}

export interface Sketch {
  head: string;
  /** The head is a collocate. */
  reverse?: boolean;
  /** Occurrences in what is looked at of the corpus, whether in a relation or not. */
  count: number;
  /** In all relations, as far as they are looked at. */
  occurrences: number;
  relations: SketchRelation[];
  others: { head: string; count: number }[];
  grammar: string;
}

export function sketchOf(reader: SketchReader, options: SketchOptions): Sketch {
  const { reverse = false } = options;
  if (reverse && options.with)
    throw new QueryError("bad_option", "the sketch of a collocate is not filtered by another collocate");
  const find = reverse ? findCollocate : findHead;
  const { word, text, others } = find(reader, options.word, options.pos);
  const standing = options.with && withCollocate(reader, word, text, options.with);
  const places = new Set(standing);
  const view: View = {
    ...(options.part && { part: options.part }),
    ...(options.keeps && { keeps: options.keeps }),
    ...(standing && { keeps: (position) => places.has(position) }),
  };
  const found = relationsIn(reader, word, view, options);
  const relations = found.filter(({ items }) => items !== undefined);
  const all = sum(found.filter(({ kind }) => kind !== "unary").map(({ count }) => count));
  const binary = sum(reader.info.relations.filter(({ kind }) => kind !== "unary").map(({ count }) => count));
  const count =
    options.tokens?.(text) ?? standing?.filter(isInside(options.part)).length ?? reader.corpusCount(word);
  return {
    head: text,
    ...(reverse && { reverse }),
    count,
    occurrences: all,
    relations: relations.map(({ number, items = [], ...one }) => {
      const isUnary = one.kind === "unary";
      const share = one.count / Math.max(1, isUnary ? count : all);
      const usual = reader.info.relations[number].count / Math.max(1, isUnary ? reader.info.tokens : binary);
      return { ...one, name: one.name.replaceAll("%w", text), share, score: share / usual, items };
    }),
    others,
    grammar: reader.info.grammar,
  };
}

/** Where the head stands with that collocate. */
function withCollocate(
  reader: SketchReader,
  head: number,
  text: string,
  { collocate, relation }: NonNullable<SketchOptions["with"]>,
): number[] {
  const collocates = headsNamed(reader, collocate);
  if (collocates.length === 0)
    throw new QueryError(
      "no_collocate",
      `${JSON.stringify(collocate)} is a collocate of no head, so not of ${text}`,
    );
  if (relation !== undefined) checkRelations(reader, [relation]);
  return standingWith(reader, head, collocates, (number) =>
    relation === undefined ? true : isNamed(reader.info.relations[number], [relation]),
  );
}

/** By its own name, by its family's, or by the one that does not depend on the language. */
function isNamed({ name, base, unimap }: RelationInfo, names: readonly string[]): boolean {
  return names.includes(name) || names.includes(base) || (unimap !== undefined && names.includes(unimap));
}

function checkRelations({ info }: SketchReader, names: readonly string[]): void {
  for (const name of names)
    if (!info.relations.some((relation) => isNamed(relation, [name])))
      throw new QueryError(
        "unknown_relation",
        `there is no relation ${JSON.stringify(name)} in these sketches`,
        `There are ${[...new Set(info.relations.map(({ base }) => base))].join(", ")}.`,
      );
}

/** A relation as it is found; those that are not asked for have no items: they count all the same. */
type FoundRelation = Omit<SketchRelation, "share" | "score" | "items"> & {
  number: number;
  items?: SketchItem[];
};

/** Relations in the order in which they are shown: as the grammar says, the others by their counts. */
function relationsIn(
  reader: SketchReader,
  word: number,
  view: View,
  options: SketchOptions,
): FoundRelation[] {
  const { info } = reader;
  const { checkpoint = () => {}, relations: wanted, reverse = false } = options;
  if (wanted) checkRelations(reader, wanted);
  const clusters = options.cluster ? new Clusters(reader, options.cluster, checkpoint) : undefined;
  const all = reverse ? reader.relationsOfCollocate(word) : reader.relationsOf(word);
  const found: FoundRelation[] = [];
  for (const number of all.relations.subarray(0, limits.relationsShownMax)) {
    checkpoint();
    const own = info.relations[number];
    // The empty collocate of unary relations is nobody's.
    if (reverse && own.kind === "unary") continue;
    const relation = relationOf(reader, word, own, view, options, checkpoint, clusters);
    if (relation) found.push(relation);
  }
  const rank = new Map(info.order.map((name, i) => [name, i]));
  const place = ({ number }: FoundRelation) =>
    rank.get(info.relations[number].name) ?? rank.get(info.relations[number].base) ?? info.order.length;
  return found.sort((a, b) => place(a) - place(b) || b.count - a.count || (a.name < b.name ? -1 : 1));
}

function relationOf(
  reader: SketchReader,
  word: number,
  relation: RelationInfo,
  view: View,
  options: SketchOptions,
  checkpoint: () => void,
  clusters?: Clusters,
): FoundRelation | undefined {
  const { number, name, kind, unimap, page, isConstruction } = relation;
  const { reverse = false, relations: wanted } = options;
  const found = reverse
    ? headsIn(reader, word, number, view, checkpoint)
    : collocatesIn(reader, word, number, view);
  const count = sum(found.counts);
  if (count === 0) return undefined;
  const own: FoundRelation = {
    ...{ number, name, kind, count, collocates: 0 },
    ...(unimap !== undefined && { unimap }),
    ...(page !== undefined && { page }),
    ...(isConstruction && { construction: true as const }),
  };
  if (wanted && !isNamed(relation, wanted)) return own;
  if (kind === "unary") return { ...own, items: [] };
  const items = itemsOf(reader, relation, found, count, view, options, checkpoint);
  const shown = items.slice(0, Math.min(options.maxItems ?? limits.itemsDefault, limits.comparedMax));
  return {
    ...own,
    collocates: items.length,
    items: shown.map(({ word: other, ...item }) => {
      checkpoint();
      const pair: [number, number] = reverse ? [other, word] : [word, other];
      const example = options.phraseOf?.(occurrencesIn(reader, [pair[0], number, pair[1]], view));
      return { collocate: reader.words.text(other), ...item, ...(example !== undefined && { example }) };
    }),
    ...(clusters && {
      clusters: clusters
        .of(shown.map((item) => item.word))
        .map((places) => places.map((i) => reader.words.text(shown[i].word))),
    }),
  };
}

function itemsOf(
  reader: SketchReader,
  { number, count: n }: RelationInfo,
  { words, counts }: { words: Uint32Array; counts: Uint32Array },
  own: number,
  view: View,
  { minCount = 1, order = "score", reverse = false }: SketchOptions,
  checkpoint: () => void,
): (Omit<SketchItem, "collocate"> & { word: number })[] {
  const places = Array.from(words.keys()).filter((i) => counts[i] >= minCount);
  const kept = Uint32Array.from(places, (i) => words[i]);
  const totals = (reverse ? headTotalsIn : totalsIn)(reader, number, kept, view, checkpoint);
  // Both scores are the same whichever of the two is the head.
  const items = places.map((i, k) => ({
    word: words[i],
    count: counts[i],
    score: logDice(counts[i], own, totals[k]),
    mi: mutualInformation(counts[i], own, totals[k], n),
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
