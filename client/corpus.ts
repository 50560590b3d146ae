/** One corpus of a session: everything that can be asked about it. */

import type {
  AskDiffOptions,
  AskSketchOptions,
  Distribution,
  DistributionPart,
  GroupedChain,
  MeasureName,
  Point,
  Sketch,
  SketchDiff,
  SubcorpusInfo,
  Thesaurus,
  ThesaurusOptions,
  Totals,
  TrendResult,
} from "../ql/index.js";
import type {
  Alignment,
  Answered,
  Appended,
  AppendOptions,
  Asked,
  AskOptions,
  Chain,
  CollOptions,
  CollocateOptions,
  CollRow,
  CollSummary,
  ContextOptions,
  CorpusDescription,
  FreqOptions,
  FreqRow,
  FreqSummary,
  KeywordRow,
  KeywordsOptions,
  Line,
  LineOptions,
  Meaning,
  NgramRow,
  NgramsOptions,
  PositionOptions,
  PositionRow,
  Prepared,
  SearchOptions,
  SearchResult,
  SnapshotEntry,
  SubcorpusDefinition,
  TermRow,
  TermsOptions,
  TrendOptions,
  ValueRow,
  ValuesOptions,
  WordlistOptions,
  WordlistRow,
} from "./asking.js";
import { askOnce, type Connection } from "./connection.js";
import type { Amount, Request } from "./protocol/messages.js";
import { plainRow, type RowOf, Rows, type StreamOptions } from "./rows.js";

export class Corpus {
  constructor(
    readonly connection: Connection,
    /** "brown", or "brown@3" for one snapshot. */
    readonly name: string,
  ) {}

  /** One of its snapshots: the same, however much the corpus grows meanwhile. */
  at(snapshot: number): Corpus {
    return new Corpus(this.connection, `${this.name.split("@")[0]}@${snapshot}`);
  }

  // ---- what it is

  describe(options: AskOptions = {}): Promise<CorpusDescription> {
    return this.#ask("describe", {}, options);
  }

  async snapshots(options: AskOptions = {}): Promise<{ current: number; snapshots: SnapshotEntry[] }> {
    return this.#ask("snapshots", {}, options);
  }

  /** Values of "lemma" or "doc.category": those that begin so, the most frequent first. */
  values(attribute: string, options: ValuesOptions = {}): Rows<ValueRow, { values: number }> {
    return this.#rows("values", { attribute }, options);
  }

  // ---- queries

  /** What a query means and will cost, before it runs. A query that cannot be read is an answer, too: see `diagnostics`. */
  prepare(asked: Asked, options: Meaning & AskOptions = {}): Promise<Prepared> {
    return this.#ask("prepare", meant(asked), options);
  }

  /** The same of a query that is run, in one thread: `plan` has what each step found and took. */
  analyze(asked: Asked, options: Meaning & AskOptions = {}): Promise<Omit<Prepared, "text" | "diagnostics">> {
    return this.#ask("analyze", meant(asked), options);
  }

  count(asked: Asked, options: Meaning & AskOptions = {}): Promise<Answered & { hits: Amount }> {
    return this.#ask("count", meant(asked), options);
  }

  /** Hits with what stands around them. */
  query<const Ref extends string = never, const Other extends string = never>(
    asked: Asked,
    options: LineOptions<Ref, Other> = {},
  ): Rows<Line<Ref, Other>> {
    return this.#rows("lines", meant(asked), options);
  }

  /** Where hits are, and nothing else. */
  positions(asked: Asked, options: PositionOptions = {}): Rows<PositionRow> {
    return this.#rows("positions", meant(asked), options);
  }

  /** More of what stands around a place: by default 100 tokens on each side. */
  context(
    begin: number,
    end: number,
    options: ContextOptions = {},
  ): Promise<Line & { from: number; to: number }> {
    return this.#ask("context", { begin, end }, options);
  }

  // ---- statistics of hits

  /** Hits counted by what they have at one key or several; a chain may end in a step that says so (`group`). */
  freq<const Keys extends readonly string[] = string[], const Dispersed extends boolean = false>(
    asked: Asked,
    options: FreqOptions<Keys, Dispersed>,
  ): Rows<FreqRow<Keys, Dispersed>, FreqSummary>;
  freq(asked: GroupedChain, options?: StreamOptions): Rows<FreqRow<string[], false>, FreqSummary>;
  freq(
    asked: Asked | GroupedChain,
    { by, ...options }: Partial<FreqOptions<readonly string[], boolean>> = {},
  ): Rows<FreqRow<string[], false>, FreqSummary> {
    const keys = typeof by === "object" ? by.join(", ") : by;
    return this.#rows("freq", { ...meant(asked), ...(keys !== undefined && { by: keys }) }, options);
  }

  totals(
    asked: Asked,
    options: Meaning & AskOptions & { parts?: number } = {},
  ): Promise<Answered & Totals & Record<string, unknown>> {
    return this.#ask("totals", meant(asked), options);
  }

  /** Hits in equal parts of the corpus, from its beginning to its end. */
  distribution(
    asked: Asked,
    options: Meaning & StreamOptions & { parts?: number } = {},
  ): Rows<DistributionPart, Omit<Distribution, "distribution" | "notices">> {
    return this.#rows("distribution", meant(asked), options);
  }

  /** Hits over time, and whether they rise or fall. */
  trend(asked: Asked, options: TrendOptions): Rows<Point, Omit<TrendResult, "points" | "notices">> {
    return this.#rows("trend", meant(asked), options);
  }

  /** Words near hits. */
  coll<const Measure extends MeasureName = "logDice" | "MI" | "T">(
    asked: Asked,
    options: CollOptions<Measure> = {},
  ): Rows<CollRow<Measure>, CollSummary> {
    return this.#rows("coll", meant(asked), options);
  }

  /** The chain whose hits are the lines with a collocate. */
  async collocateChain(
    asked: Asked,
    value: string,
    options: Meaning & AskOptions & CollocateOptions = {},
  ): Promise<Chain> {
    const { chain } = await this.#ask<{ chain: Chain }>(
      "collocateChain",
      { ...meant(asked), value },
      options,
    );
    return chain;
  }

  // ---- lists

  wordlist<const Names extends readonly string[] = string[]>({
    attributes,
    ...options
  }: WordlistOptions<Names>): Rows<
    WordlistRow<Names>,
    { types: number; occurrences: number; tokens: number }
  > {
    return this.#rows(
      "wordlist",
      { attributes: typeof attributes === "string" ? [attributes] : attributes },
      options,
    );
  }

  /** Values that are more frequent here than in a reference. */
  keywords(
    options: KeywordsOptions,
  ): Rows<KeywordRow, { types: number; tokens: number; referenceTokens: number; reference: string }> {
    return this.#rows("keywords", {}, options);
  }

  ngrams(options: NgramsOptions): Rows<NgramRow, { types: number; hidden: number; tokens: number }> {
    return this.#rows("ngrams", {}, options);
  }

  /** What the corpus's grammar of terms matches, the best first. */
  terms(options: TermsOptions = {}): Rows<TermRow> {
    return this.#rows("terms", {}, options);
  }

  // ---- ranked retrieval

  /** The documents (or other units) that some words fit best, the best first, with snippets. Words in quotes stand side by side. */
  search(words: string, options: SearchOptions = {}): Promise<Answered & SearchResult> {
    return this.#ask("search", { query: words }, options);
  }

  // ---- word sketches

  /** What a word does, relation by relation: its collocates, the most typical first. */
  sketch(
    word: string,
    options: AskOptions & Omit<AskSketchOptions, "word"> & { where?: string } = {},
  ): Promise<Answered & Sketch> {
    return this.#ask("sketch", { word }, options);
  }

  /** Two sketches beside each other: of two words, two forms, or two parts of the corpus. */
  sketchDiff(
    word: string,
    options: AskOptions & Omit<AskDiffOptions, "word"> & { where?: string },
  ): Promise<Answered & SketchDiff> {
    return this.#ask("sketchDiff", { word }, options);
  }

  /** Words that are used like a word. */
  thesaurus(
    word: string,
    options: AskOptions & Omit<ThesaurusOptions, "word"> = {},
  ): Promise<Answered & Thesaurus> {
    return this.#ask("thesaurus", { word }, options);
  }

  // ---- parallel corpora

  async alignments(options: AskOptions = {}): Promise<Alignment[]> {
    const { alignments } = await this.#ask<{ alignments: Alignment[] }>("alignments", {}, options);
    return alignments;
  }

  /** What belongs to a place in an aligned corpus. */
  aligned(
    other: string,
    begin: number,
    end: number,
    options: AskOptions = {},
  ): Promise<Answered & { other: string; ranges: { begin: number; end: number; text: string }[] }> {
    return this.#ask("aligned", { other, begin, end }, options);
  }

  // ---- parts

  async subcorpora(options: AskOptions = {}): Promise<SubcorpusInfo[]> {
    return (await this.listSubcorpora(options)).subcorpora;
  }

  /** The same, and which snapshot was asked. */
  listSubcorpora(options: AskOptions = {}): Promise<{ subcorpora: SubcorpusInfo[]; corpus: string }> {
    return this.#ask("subcorpora", {}, options);
  }

  subcorpus(
    name: string,
    options: AskOptions = {},
  ): Promise<SubcorpusInfo & { definition: SubcorpusDefinition } & Answered> {
    return this.#ask("subcorpus", { name }, options);
  }

  /** Gives a name to a part of the corpus. Needs write access. */
  createSubcorpus(
    name: string,
    definition: SubcorpusDefinition,
    { replace, ...options }: AskOptions & { replace?: boolean } = {},
  ): Promise<SubcorpusInfo & Answered> {
    return this.#ask("createSubcorpus", { name, definition, replace }, options, false);
  }

  async removeSubcorpus(name: string, options: AskOptions = {}): Promise<void> {
    await this.#ask("removeSubcorpus", { name }, options, false);
  }

  // ---- growing

  /** Adds text to the corpus, all of it or nothing: a new snapshot. Needs write access. */
  append(options: AppendOptions & AskOptions): Promise<Appended> {
    return this.#ask("append", {}, options, false);
  }

  // ---- how it is asked

  async #ask<Answer>(
    verb: string,
    parameters: object,
    options: AskOptions,
    repeatable = true,
  ): Promise<Answer> {
    const { signal, ...also } = options;
    const request = { verb, corpus: this.name, ...parameters, ...also };
    const { value, corpus, notices, limits } = await askOnce(this.connection, request, {
      signal,
      repeatable,
    });
    return {
      ...(value as Answer),
      ...(corpus !== undefined && { corpus }),
      ...(notices && { notices }),
      ...(limits && { limits }),
    };
  }

  #rows<Row, Summary>(verb: string, parameters: object, options: StreamOptions): Rows<Row, Summary> {
    const { signal, timeoutMs, windowRows, counting, onProgress, ...also } = options;
    const request = { verb, corpus: this.name, ...parameters, ...also } as Omit<Request, "id">;
    const own = { signal, timeoutMs, windowRows, counting, onProgress };
    return new Rows<Row, Summary>(this.connection, request, own, plainRow as RowOf<Row>);
  }
}

function meant(asked: Asked | GroupedChain): { query: string } | { chain: Chain | GroupedChain } {
  return typeof asked === "string" ? { query: asked } : { chain: asked };
}
