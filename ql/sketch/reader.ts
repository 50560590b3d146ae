/**
 * What is asked of computed sketches: one index over (head, relation, collocate, position) of one snapshot.
 *
 * A triple (head, relation, collocate) has occurrences: pairs of the position of its head and of its collocate. Heads and collocates
 * are words, which share one numbering in the order of their bytes; relations are numbered in the order of the grammar, the
 * names of a family (*TRINARY) in the order of their bytes. Both are numbers of this index and of no other: after an append,
 * others may be given.
 *
 * Numbers that do not exist have nothing: every list is empty, every count 0. Arrays that are returned are the caller's.
 */
import type { RelationKind } from "./grammar.js";

export interface SketchInfo {
  corpus: string;
  snapshot: number;
  /** The name under which these sketches were computed. */
  name: string;
  /** Name of the grammar's file, without its folders. */
  grammar: string;
  /** What the head of a token is: "lempos", "lemma", "lemma+tag". */
  heads: string;
  /** No match crosses this structure. */
  structure?: string;
  partsOfSpeech: { label: string; suffix: string }[];
  /** Names of relations in the order in which they are shown; others come behind. */
  order: string[];
  /** Tokens of the corpus. */
  tokens: number;
  /** Triples, and occurrences of them. */
  triples: number;
  occurrences: number;
  /** Heads with so many occurrences are the most frequent ones, which words are compared with (frequentHeadsMax). */
  frequentCount: number;
  relations: RelationInfo[];
}

export interface RelationInfo {
  number: number;
  /** As it is stored: a family's names are filled in. %w is left, for the head. */
  name: string;
  /** As the heading of the grammar has it: the same for all relations of a family. */
  base: string;
  kind: RelationKind;
  /** Of the same matches with head and collocate swapped: its number (*DUAL; under *SYMMETRIC its own). */
  reverse?: number;
  /** It is the second name under *DUAL. */
  isReverse: boolean;
  unimap?: string;
  page?: string;
  isConstruction: boolean;
  /** Occurrences. */
  count: number;
}

/** Ascending ids of words, and how often each occurs. */
export interface WordCounts {
  words: Uint32Array;
  counts: Uint32Array;
}

/** Positions of heads, ascending, and of the collocate that belongs to each (of a unary relation: the same). */
export interface Occurrences {
  positions: Uint32Array;
  collocates: Uint32Array;
}

export interface SketchWords {
  readonly count: number;
  id(text: string): number | undefined;
  text(id: number): string;
  /** Ids [from, to) of the words that begin so. */
  withPrefix(text: string): [from: number, to: number];
}

/** All collocates of one head in one relation; or, the other way round, `head` is a collocate, and the words are its heads. */
export interface Slice extends WordCounts {
  head: number;
  relation: number;
}

export interface SketchReader {
  readonly info: SketchInfo;
  readonly words: SketchWords;

  /** How often a word is a head: its occurrences in all relations. */
  headCount(word: number): number;
  /** How often a word occurs in the corpus as the head of a token, whether in a relation or not. */
  corpusCount(word: number): number;

  /** The same of all words, by number. */
  headCounts(): Uint32Array;
  /** Σ of the weights of all contexts of a head (similar.ts). */
  weight(word: number): number;

  /** Relations that a head has, ascending, with f(head, R, *). */
  relationsOf(head: number): { relations: Uint32Array; counts: Uint32Array };
  /** The same of a collocate: relations that it stands in, with f(*, R, collocate). */
  relationsOfCollocate(collocate: number): { relations: Uint32Array; counts: Uint32Array };

  collocatesOf(head: number, relation: number): WordCounts;
  headsOf(collocate: number, relation: number): WordCounts;

  /** f(head, R, *) */
  countOfHead(head: number, relation: number): number;
  /** f(*, R, collocate) */
  countOfCollocate(relation: number, collocate: number): number;
  /** The same of many collocates of one relation, in any order. */
  countsOfCollocates(relation: number, collocates: ArrayLike<number>): Uint32Array;
  /** Of each of these contexts, f(*, R, collocate), and how many heads have it. */
  contextsOf(relation: number, collocates: ArrayLike<number>): { counts: Uint32Array; heads: Uint32Array };
  /** f(head, R, collocate) */
  count(head: number, relation: number, collocate: number): number;

  /** Occurrences of a triple, ascending by head, then by collocate. */
  positionsOf(head: number, relation: number, collocate: number): Occurrences;
  /** The same of some collocates of one head in one relation. */
  positionsOfEach(head: number, relation: number, collocates: ArrayLike<number>): Occurrences[];
  /**
   * All occurrences of a head in a relation, one collocate after the other as collocatesOf has them: those of its i-th collocate
   * are counts[i] behind those of the ones before.
   */
  occurrencesOf(head: number, relation: number): WordCounts & Occurrences;
  /** Where the heads of a collocate stand, ascending, whichever heads they are: f(*, R, collocate) inside a subcorpus. */
  positionsOfHeads(collocate: number, relation: number): Uint32Array;

  /** All slices in the order of heads, then of relations. `from`, `to`: of the heads in [from, to) only. */
  slices(from?: number, to?: number): Iterable<Slice>;
  /** The same by collocate: all heads of one collocate in one relation. */
  contexts(from?: number, to?: number): Iterable<Slice>;

  close(): void;
}
