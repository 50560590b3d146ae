/** What can be asked of a corpus, as other rooms see it. */
export { ResultCache } from "./chain/cache.js";
export { checkChain } from "./chain/check.js";
export { checkFormula, defaultFormula, scoreExamples } from "./chain/examples.js";
export { type Hits, type Positions, type Ranges, slice } from "./chain/hits.js";
export { type Key, parseKey, parseKeys, printKey } from "./chain/keys.js";
export { collect, type Running, stream } from "./chain/run.js";
export type * from "./chain/steps.js";
export { type Context, parseContext, printContext } from "./concordance/context.js";
export { filterLabels, LabelReader } from "./concordance/labels.js";
export {
  type Aligned,
  type ExtendedContext,
  extendedContext,
  type Line,
  type LineOptions,
  LineReader,
  lines,
} from "./concordance/lines.js";
export { countHits, hitNumber, type Page, type PageOptions, page } from "./concordance/page.js";
export type { Reference } from "./concordance/references.js";
export type { Query, Span, Strategy } from "./cql/ast.js";
export { renderDiagnostics } from "./cql/diagnose.js";
export { type Diagnostic, parse } from "./cql/parse.js";
export { print } from "./cql/print.js";
export { Desk, type DeskOptions } from "./desk.js";
export {
  type AlignOptions,
  type AlignResult,
  alignCorpora,
  alignedCorpus,
  alignedRanges,
  listAlignments,
} from "./parallel/align.js";
export type { AlignWarning } from "./parallel/beads.js";
export { type Notice, QueryError } from "./plan/errors.js";
export { measure, type PlanStep, planOf } from "./plan/explain.js";
export { Engine } from "./run/engine.js";
export { type FindOptions, type Found, findAll } from "./run/find.js";
export { labelsOf } from "./run/local.js";
export type { Prepared, QueryOptions } from "./run/prepare.js";
export type { Block } from "./run/strategy.js";
export {
  type SearchItem,
  type SearchOptions,
  type SearchResult,
  type SearchTerm,
  search,
} from "./search/ask.js";
export { checkWeights, defaultWeights, type Weights } from "./search/weights.js";
export {
  type AskDiffOptions,
  type AskSketchOptions,
  sketch,
  sketchDiff,
  type Thesaurus,
  type ThesaurusOptions,
  thesaurus,
} from "./sketch/ask.js";
export {
  computeSketches,
  type SketchComputeOptions,
  type SketchComputeResult,
  type SketchProgress,
} from "./sketch/compute.js";
export type { DiffItem, DiffRelation, SketchDiff } from "./sketch/diff.js";
export { readSketchGrammar } from "./sketch/grammar.js";
export { grammarNames, grammarText } from "./sketch/grammars.js";
export type * from "./sketch/reader.js";
export type { Sketch, SketchItem, SketchRelation } from "./sketch/sketch.js";
export { openSketches } from "./sketch/stored.js";
export {
  computeThesaurus,
  type ThesaurusComputeOptions,
  type ThesaurusComputeResult,
  type ThesaurusProgress,
} from "./sketch/thesaurus/compute.js";
export { type Collocation, type Collocations, collocations } from "./stats/collocations.js";
export { collocateChain } from "./stats/collocations-chain.js";
export type { CollocateOptions, CollocationOptions } from "./stats/collocations-options.js";
export { type Dispersion, dispersionMeasures } from "./stats/dispersion.js";
export { type Distribution, type DistributionPart, distribution } from "./stats/distribution.js";
export {
  type FrequencyList,
  type FrequencyOptions,
  type FrequencyOrder,
  type FrequencyRow,
  frequency,
  frequencyOrders,
} from "./stats/frequency.js";
export { type GrammarRule, readGrammar } from "./stats/grammar.js";
export { group, groupOptions, splitGroup } from "./stats/group.js";
export { type KeyColumns, type KeynessMeasure, keynessMeasures } from "./stats/keyness.js";
export { type KeywordRow, type Keywords, type KeywordsOptions, keywords } from "./stats/keywords.js";
export { type Measure, type MeasureName, measures } from "./stats/measures.js";
export { type NgramRow, type Ngrams, type NgramsOptions, ngrams } from "./stats/ngrams.js";
export { type StructureRow, structureList } from "./stats/structure-list.js";
export { type TermRow, type Terms, type TermsOptions, terms } from "./stats/terms.js";
export { type Totals, type TotalsResult, totals } from "./stats/totals.js";
export type { Trend } from "./stats/trend.js";
export { type Point, type TrendOptions, type TrendResult, trend } from "./stats/trend-points.js";
export {
  isOfStructures,
  type Wordlist,
  type WordlistOptions,
  type WordlistOrder,
  type WordlistRow,
  wordlist,
} from "./stats/wordlist.js";
export type { SubcorpusDefinition } from "./subcorpus/definition.js";
export { checkDefinition, describeDefinition } from "./subcorpus/definition.js";
export { planInside } from "./subcorpus/explain.js";
export { resolveSubcorpus } from "./subcorpus/resolve.js";
export {
  createSubcorpus,
  listSubcorpora,
  removeSubcorpus,
  type SubcorpusInfo,
  subcorpusInfo,
} from "./subcorpus/saved.js";
export { Subcorpus } from "./subcorpus/subcorpus.js";
export { type PlannedWhere, planWhere } from "./where/where.js";
