/** What can be asked, and what comes back: types only. Rows are typed by what was asked for. */
import type {
  Chain,
  CollocateOptions,
  Collocation,
  CollocationOptions,
  Collocations,
  Context,
  Dispersion,
  ExtendedContext,
  Line as FoundLine,
  FrequencyList,
  FrequencyOptions,
  FrequencyRow,
  MeasureName,
  PlanStep,
  SearchOptions as QuerySearchOptions,
  Reference,
  Strategy,
  SubcorpusDefinition,
  Weights,
} from "../ql/index.js";
import type { KeywordsOptions as KeyOptions, KeywordRow } from "../ql/stats/keywords.js";
import type { NgramsOptions as GramOptions, NgramRow } from "../ql/stats/ngrams.js";
import type { TermsOptions as TermOptions, TermRow } from "../ql/stats/terms.js";
import type { WordlistOptions as WordsOptions, WordlistRow as WordsRow } from "../ql/stats/wordlist.js";
import type { CorpusInfo } from "../storage/index.js";
import type { Amount, Notice, Span } from "./protocol/messages.js";
import type { StreamOptions } from "./rows.js";

export type {
  Chain,
  Context,
  ExtendedContext,
  PlanStep,
  Query,
  Reference,
  SearchItem,
  SearchResult,
  SearchTerm,
  Step,
  Strategy,
  SubcorpusDefinition,
} from "../ql/index.js";

/** A query in CQL, or a chain: a query and what is done with its hits. */
export type Asked = string | Chain;

/** How a query is meant. For a query that is text: a chain says it itself. */
export interface Meaning {
  /** Which matches to keep. Default: all. */
  strategy?: Strategy;
  /** Words for $name in the query. */
  lists?: Record<string, string[]>;
  gapMax?: number;
  /** Only what lies in this part of the corpus. */
  subcorpus?: string | SubcorpusDefinition;
  /** Only what lies where this holds: year>=1990 and party="Democratic" (docs/SEARCH.md). Also for chains. */
  where?: string;
}

/** What is said of every answer about a corpus. */
export interface Answered {
  /** The snapshot that was asked: "brown@3". */
  corpus?: string;
  notices?: Notice[];
  /** Limits that were hit, by name. */
  limits?: Record<string, number>;
}

export interface AskOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
}

// ---- the catalogue

export interface CorpusEntry {
  name: string;
  snapshot: number;
  tokens: number;
  documents?: number;
  created: string;
  bytes: number;
  language?: string;
  title?: string;
  access: "read" | "write" | "admin";
}

/** What a corpus consists of. */
export type CorpusDescription = CorpusInfo;

export interface ValuesOptions extends StreamOptions {
  /** Values that begin so. */
  prefix?: string;
  /** Default: 100. */
  limit?: number;
  order?: "frequency" | "value";
  ignoreCase?: boolean;
}

export interface ValueRow {
  value: string;
  frequency: number;
}

export interface SnapshotEntry {
  snapshot: number;
  tokens: number;
  segments: number;
  created: string;
}

export interface RunningRequest {
  /** Its number on the server, for `kill`. */
  request: number;
  verb: string;
  corpus: string;
  asked: string;
  user: string;
  state: "waiting" | "going" | "standing";
  elapsedMs: number;
  rows: number;
  [detail: string]: unknown;
}

// ---- queries

export interface Prepared extends Answered {
  text: string;
  /** Absent where the query could not be read. */
  canonical?: string;
  ast?: object;
  diagnostics: { severity: "error" | "warning"; code: string; message: string; hint?: string; span?: Span }[];
  strategy?: Strategy;
  labels?: string[];
  plan?: PlanStep;
  /** Of the query alone, where the chain has more steps. */
  hits?: Amount;
  estimatedMs?: number;
  /** What reading and planning took; and, where it was run, running. */
  planMs?: number;
  runMs?: number;
}

export interface LineOptions<Ref extends string = string, Corpus extends string = string>
  extends Meaning,
    StreamOptions {
  /** On each side: { tokens: 10 }, or as text: tokens "10", characters "40c", structures "1 s". Default: 10 tokens. */
  context?: Context | string;
  /** What is shown of every token. Default: the words. */
  attributes?: readonly string[];
  /** What is shown of the hit's own tokens. Default: the same. */
  nodeAttributes?: readonly string[];
  /** Structures whose tags are shown: "s", "doc" with its attributes, "doc.id" with this one. */
  tags?: readonly string[];
  /** Where each hit is: "#" (its first token's number), "doc" (the structure's number), "doc.id". */
  refs?: readonly Ref[];
  /** What the query's labels are bound to. */
  labels?: boolean;
  /** Mark that in the text: {1:word}. */
  marks?: boolean;
  /** Other corpora whose counterpart of each hit is shown. */
  aligned?: readonly Corpus[];
}

/** A hit with what stands around it. References are there as they were asked for. */
export type Line<Ref extends string = never, Corpus extends string = never> = Omit<
  FoundLine,
  "refs" | "aligned" | "labels" | "gluedLeft" | "gluedRight" | "cut"
> & {
  gluedLeft?: boolean;
  gluedRight?: boolean;
  labels?: Record<string, { begin: number; end: number }>;
  /** Not all is shown: a limit on tokens was hit. */
  cut?: boolean;
} & ([Ref] extends [never] ? unknown : { refs: Record<Ref, Reference> }) &
  ([Corpus] extends [never]
    ? unknown
    : { aligned: Record<Corpus, { begin: number; end: number; text: string }[]> });

export interface PositionOptions extends Meaning, StreamOptions {
  /** What labels are bound to, too. Default: yes. */
  labels?: boolean;
}

export interface PositionRow {
  begin: number;
  end: number;
  /** Of queries with labels. */
  labels?: Record<string, [begin: number, end: number]>;
}

export interface ContextOptions extends AskOptions, ExtendedContext {
  attributes?: readonly string[];
  tags?: readonly string[];
  refs?: readonly string[];
}

// ---- statistics

/** A field that rows have only where it means something. */
type Optional<Row, Field extends keyof Row> = Omit<Row, Field> & { [Name in Field]?: Row[Name] | null };

/** The values of so many keys. */
export type Values<Keys extends readonly string[]> = number extends Keys["length"]
  ? string[]
  : { -readonly [Key in keyof Keys]: string };

export interface FreqOptions<Keys extends readonly string[], Dispersed extends boolean>
  extends Meaning,
    StreamOptions,
    Omit<FrequencyOptions, "by" | "dispersion"> {
  /** "lemma 0", "tag 1R", "doc.year": a value of each row for each of them. */
  by: Keys | string;
  /** How evenly each row's hits are spread. */
  dispersion?: Dispersed;
}

export type FreqRow<Keys extends readonly string[], Dispersed extends boolean> = Optional<
  Omit<FrequencyRow, "values" | keyof Dispersion>,
  "documents" | "textTypeTokens" | "density"
> & { values: Values<Keys> } & (Dispersed extends true ? Dispersion : unknown);

export type FreqSummary = Omit<FrequencyList, "rows" | "notices">;

export interface CollOptions<Measure extends MeasureName>
  extends Meaning,
    StreamOptions,
    Omit<CollocationOptions, "measures" | "chains"> {
  /** Default: logDice, MI, T. */
  measures?: readonly Measure[];
  /** Give the chain of each row's lines. */
  chains?: boolean;
}

/** Scores are null where a measure has none. */
export type CollRow<Measure extends MeasureName> = Omit<Collocation, "scores"> & {
  scores: Record<Measure, number | null>;
};

export type CollSummary = Omit<Collocations, "rows" | "notices">;

export interface WordlistOptions<Names extends readonly string[]>
  extends StreamOptions,
    Omit<WordsOptions, "attributes"> {
  /** "lemma", "word/i", "doc.category"; several are counted together. */
  attributes: Names | Names[number];
  where?: string;
}

export type WordlistRow<Names extends readonly string[]> = Omit<WordsRow, "values" | "documents" | "arf"> & {
  /** Of lists of tokens. */
  documents?: number | null;
  arf?: number | null;
  /** Of several attributes: each one's. */
  values?: Values<Names> | null;
};

/** What a list is compared with: another corpus, or a part of it or of this one. */
export interface Against {
  reference?: string;
  referenceSubcorpus?: string | SubcorpusDefinition;
}

export interface KeywordsOptions extends StreamOptions, Omit<KeyOptions, "reference">, Against {
  where?: string;
}

export interface NgramsOptions extends StreamOptions, Omit<GramOptions, "reference" | "within">, Against {
  /** The structure that n-grams lie inside. Default: s, if there is one. */
  within?: string;
  /** They may cross any. */
  crossing?: boolean;
  where?: string;
}

export interface TrendOptions extends Meaning, StreamOptions {
  /** "doc.year" */
  over: string;
  bin?: number;
}

export interface TermsOptions extends StreamOptions, Omit<TermOptions, "reference" | "grammar">, Against {
  /** Rules, or the text of a file of them: lines of name = query. Default: noun phrases. */
  grammar?: TermOptions["grammar"] | string;
  where?: string;
}

// ---- ranked retrieval

export interface SearchOptions extends AskOptions, Omit<QuerySearchOptions, "query" | "weights"> {
  /** What counts how much: names with numbers (docs/SEARCH.md). */
  weights?: Partial<Omit<Weights, "attributes">> & { attributes?: Weights["attributes"] };
}

// ---- parallel corpora, growing

/** Pairs are one of each corpus. */
export interface Alignment {
  corpora: [string, string];
  structures: [string, string];
  /** By whose values structures are named or matched; null: by their numbers. */
  attributes: [string | null, string | null];
  snapshots: [number, number];
  kind: "match" | "file";
  beads: number;
  created: string;
  bytes: number;
}

export interface AppendOptions {
  /** Vertical text; or the name of a file in the server's inbox. */
  text?: string;
  file?: string;
  format?: "vertical" | "conllu";
  attributes?: string[];
  entities?: boolean;
  strict?: boolean;
  encoding?: string;
  skipComments?: string[];
  /** Append what was appended last once more. */
  again?: boolean;
}

export interface Appended {
  corpus: string;
  snapshot: number;
  tokens: number;
  documents?: number;
  addedTokens: number;
  seconds: number;
  /** The corpus had all of it already. */
  unchanged: boolean;
  resumed: boolean;
  warnings: object[];
}

export type { Amount, CollocateOptions, KeywordRow, NgramRow, TermRow };
