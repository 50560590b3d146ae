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
  occurrencesOfEachIn,
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
  /** What %w in the name of a relation becomes, if not the head. */
  shownAs?: string;
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
      return {
        ...one,
        name: shownName(one.name, options.shownAs ?? text),
        share,
        score: share / usual,
        items,
      };
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
  if (relation !== undefined) checkRelations(reader, text, [relation]);
  return standingWith(reader, head, collocates, (number) =>
    relation === undefined ? true : isNamed(reader.info.relations[number], text, [relation]),
  );
}

/** By its own name, as it is shown or stored, by its family's, or by the one that does not depend on the language. */
function isNamed({ name, base, unimap }: RelationInfo, head: string, names: readonly string[]): boolean {
  return [name, shownName(name, head), base, unimap].some((own) => own !== undefined && names.includes(own));
}

/** %w in a name is the head. */
export function shownName(name: string, head: string): string {
  return name.replaceAll("%w", () => head);
}

function checkRelations({ info }: SketchReader, head: string, names: readonly string[]): void {
  for (const name of names)
    if (!info.relations.some((relation) => isNamed(relation, head, [name])))
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
  if (wanted) checkRelations(reader, reader.words.text(word), wanted);
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
  if (wanted && !isNamed(relation, reader.words.text(word), wanted)) return own;
  if (kind === "unary") return { ...own, items: [] };
  const { items: shown, collocates } = itemsOf(reader, relation, found, count, view, options, checkpoint);
  const others = shown.map((item) => item.word);
  const examples = options.phraseOf && examplesOf(reader, word, number, others, view, options);
  return {
    ...own,
    collocates,
    items: shown.map(({ word: other, ...item }, i) => {
      const example = examples?.[i];
      return { collocate: reader.words.text(other), ...item, ...(example !== undefined && { example }) };
    }),
    ...(clusters && {
      clusters: clusters.of(others).map((places) => places.map((i) => reader.words.text(shown[i].word))),
    }),
  };
}

/** A typical phrase of the word with each of the others, if it can be told. */
function examplesOf(
  reader: SketchReader,
  word: number,
  relation: number,
  others: number[],
  view: View,
  { reverse = false, phraseOf, checkpoint = () => {} }: SketchOptions,
): (string | undefined)[] {
  const found = reverse
    ? others.map((other) => occurrencesIn(reader, [other, relation, word], view))
    : occurrencesOfEachIn(reader, word, relation, others, view);
  return found.map((occurrences) => {
    checkpoint();
    return phraseOf?.(occurrences);
  });
}

type Item = Omit<SketchItem, "collocate"> & { word: number };

/**
 * The first of them in order, and how many are frequent enough. They are taken by their counts: how often one occurs elsewhere is not
 * looked up where it would come behind the others even if it did not at all.
 */
function itemsOf(
  reader: SketchReader,
  { number, count: n }: RelationInfo,
  { words, counts }: { words: Uint32Array; counts: Uint32Array },
  own: number,
  view: View,
  { minCount = 1, order = "score", reverse = false, maxItems = limits.itemsDefault }: SketchOptions,
  checkpoint: () => void,
): { items: Item[]; collocates: number } {
  const places = byCount(counts, minCount);
  const by: (a: Item, b: Item) => number =
    order === "count"
      ? (a, b) => b.count - a.count || b.score - a.score || a.word - b.word
      : (a, b) => b.score - a.score || b.count - a.count || a.word - b.word;
  const most = Math.min(maxItems, limits.comparedMax);
  /** Can one that is so frequent come before the last of those there are? */
  const isGood = (count: number, last: Item) =>
    order === "count" ? count >= last.count : logDice(count, own, count) >= last.score;
  let items: Item[] = [];
  for (let at = 0, size = Math.max(64, most); at < places.length; at += size) {
    if (items.length === most && !isGood(counts[places[at]], items[most - 1])) break;
    const some = places.subarray(at, at + size);
    const others = some.map((i) => words[i]);
    const totals = (reverse ? headTotalsIn : totalsIn)(reader, number, others, view, checkpoint);
    // Both scores are the same whichever of the two is the head.
    for (let k = 0; k < some.length; k++) {
      const count = counts[some[k]];
      const score = logDice(count, own, totals[k]);
      items.push({ word: others[k], count, score, mi: mutualInformation(count, own, totals[k], n) });
    }
    items = items.sort(by).slice(0, most);
  }
  return { items, collocates: places.length };
}

/** Places of those that are frequent enough, the most frequent first: as numbers that sort by themselves. */
function byCount(counts: Uint32Array, minCount: number): Uint32Array {
  const one = 2 ** 32;
  const keys = new Float64Array(counts.length);
  let kept = 0;
  for (let i = 0; i < counts.length; i++) if (counts[i] >= minCount) keys[kept++] = i - counts[i] * one;
  return Uint32Array.from(keys.subarray(0, kept).sort(), (key) => key - Math.floor(key / one) * one);
}

function sum(numbers: ArrayLike<number>): number {
  let all = 0;
  for (let i = 0; i < numbers.length; i++) all += numbers[i];
  return all;
}
