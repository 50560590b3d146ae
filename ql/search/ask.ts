/**
 * Ranked retrieval: the units (documents, or other structures) of a corpus that some words fit best, the best first, with a snippet of
 * each and what its score is made of (formula.ts).
 */
import { DugongError } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { looking } from "../pace.js";
import type { PlanStep } from "../plan/explain.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { planOfPart } from "../subcorpus/explain.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { fieldOf, fieldValue } from "./fields.js";
import { rounded } from "./formula.js";
import { limits } from "./limits.js";
import { rankColumn } from "./page-rank.js";
import { type Ranking, rank } from "./rank.js";
import { type Parts, Scorer } from "./scorer.js";
import { checkSnippetTokens, SnippetReader } from "./snippet.js";
import { readTerms, type Term, TermFinder } from "./terms.js";
import { type Units, unitsOf } from "./units.js";
import { TermWalk } from "./walk.js";
import { checkWeights, partNames, type Weights } from "./weights.js";

export interface SearchOptions {
  /** Words; those in quotes have to stand side by side. */
  query: string;
  /** Only units all of whose tokens meet this: year>=1990 and party="Democratic". */
  where?: string;
  subcorpus?: string | SubcorpusDefinition;
  /** The structure that is ranked. Default: documents. */
  unit?: string;
  /** Default: 10, and 0. */
  limit?: number;
  from?: number;
  /** What counts how much (weights.ts). */
  weights?: unknown;
  /** What terms are values of. Default: the words; with "lemma" each word stands for its lemma. */
  attribute?: string;
  /** Tokens of a snippet; 0: none. Default: 40. */
  snippet?: number;
  /** What stands before and behind a term in a snippet. Default: [ and ]. */
  marks?: [string, string];
  /** Say how it was done, and what each term gave. */
  explain?: boolean;
  /**
   * Count all units that match, however long that takes; or pass over those that cannot be among the best. Default: counted, unless
   * terms are very frequent (limit countedPlacesMax).
   */
  exact?: boolean;
}

export interface SearchItem {
  /** The unit's id or address, where it has one; else # and its number. */
  id: string;
  score: number;
  parts: Parts;
  snippet: string;
  /** The snippet without marks, and where in it terms are. */
  text: string;
  marks: [from: number, to: number][];
  title?: string;
  url?: string;
  /** The unit's number among its kind, and its tokens [begin, end). */
  number: number;
  begin: number;
  end: number;
  /** What each term gave, if that was asked for. */
  terms?: { term: string; count: number; score: number }[];
}

export interface SearchTerm {
  term: string;
  /** Occurrences in the corpus, and units that have some. */
  count: number;
  units: number;
  idf: number;
}

export interface SearchResult {
  /** Units that match: at least so many, where it is not exact. */
  hits: number;
  exact: boolean;
  items: SearchItem[];
  unit: string;
  /** Units of the corpus. */
  units: number;
  terms: SearchTerm[];
  /** Words that the corpus does not have. */
  unknown: { term: string; suggestion?: string }[];
  /** How it was done, if that was asked for. */
  weights?: Weights;
  plan?: PlanStep;
}

export async function search(desk: Desk, options: SearchOptions): Promise<SearchResult> {
  const weights = checkWeights(options.weights);
  const { from = 0, limit = limits.itemsDefault } = options;
  if (from + limit > limits.depthMax)
    throw new DugongError(
      "too_deep",
      `items can be reached up to number ${limits.depthMax.toLocaleString("en")} (limit depthMax)`,
      "Make the query more special, or ask in a part of the corpus (--where).",
    );
  const units = unitsOf(desk.snapshot, options.unit);
  const asked = readTerms(new TermFinder(desk.snapshot, options.attribute), options.query);
  const part = partOf(options);
  const among = part === undefined ? undefined : unitsInside(desk, units, await resolveSubcorpus(desk, part));
  const having = asked.terms.map((term) => unitsWith(desk, units, term));
  const terms = asked.terms.map(
    (term, i): SearchTerm => ({ term: term.text, count: term.frequency, units: having[i], idf: 0 }),
  );
  const answer: SearchResult = {
    hits: 0,
    exact: true,
    items: [],
    unit: units.structure.name,
    units: units.count,
    terms,
    unknown: asked.unknown.map(({ term, suggestion }) => ({
      term,
      ...(suggestion !== undefined && { suggestion }),
    })),
  };
  const isNowhere = asked.terms.length === 0 || asked.phrases.some((phrase) => phrase.includes(-1));
  const scorer = new Scorer(units, asked, having, weights, rankColumn(units, weights));
  for (const [i, term] of terms.entries()) term.idf = rounded(scorer.idfs[i]);
  const places = placesToRead(asked.terms, asked.phrases);
  const counted = options.exact ?? places <= limits.countedPlacesMax;
  const before = performance.now();
  let ranking: Ranking | undefined;
  if (!isNowhere) {
    ranking = await rank(desk, scorer, { size: from + limit, counted, ...(among && { among }) });
    const isOfOne = asked.terms.length === 1 && asked.phrases.length === 0 && !among;
    answer.exact = ranking.exact || isOfOne;
    answer.hits = isOfOne ? having[0] : ranking.hits;
    answer.items = await itemsOf(desk, scorer, ranking.best.slice(from), options);
  }
  if (options.explain) {
    answer.weights = weights;
    answer.plan = await planOf(desk, scorer, part, {
      among,
      ranking,
      counted,
      places,
      ms: performance.now() - before,
    });
  }
  return answer;
}

/** Places that lists have to be read for, at most: of the rarest word of phrases, or of all terms. */
function placesToRead(terms: readonly Term[], phrases: readonly number[][]): number {
  const required = phrases.flat().filter((term) => term >= 0);
  if (required.length > 0) return Math.min(...required.map((term) => terms[term].frequency));
  return terms.reduce((sum, { frequency }) => sum + frequency, 0);
}

/** In how many units a term is: the lexicon knows of documents, others are counted once. */
function unitsWith({ checkpoint }: Desk, units: Units, term: Term): number {
  const { snapshot, structure } = units;
  if (units.isAll && structure.name === snapshot.config.document) {
    if (term.folded) return term.folded.attribute.lexicon.documentFrequency(term.folded.id);
    if (term.ids.length === 1) return term.attribute.lexicon.documentFrequency(term.ids[0]);
  }
  const key = `${term.attribute.name} ${term.ids.join(" ")}`;
  let count = units.counts.get(key);
  if (count !== undefined) return count;
  count = 0;
  const look = looking(checkpoint);
  for (const walk = new TermWalk(term, units); walk.unit < units.count; walk.seek(walk.unit + 1)) {
    look();
    count++;
  }
  if (units.counts.size >= limits.countsKeptMax) units.counts.clear();
  units.counts.set(key, count);
  return count;
}

// ---- parts of a corpus

/** A condition, a subcorpus, or what both have in common. */
function partOf({ where, subcorpus }: SearchOptions): string | SubcorpusDefinition | undefined {
  if (where === undefined) return subcorpus;
  const condition: SubcorpusDefinition = { kind: "where", where };
  return subcorpus === undefined ? condition : { kind: "intersection", of: [subcorpus, condition] };
}

/** The units that lie in a part of the corpus as a whole, ascending. */
function unitsInside({ checkpoint }: Desk, units: Units, part: Subcorpus): Uint32Array {
  const inside = new Uint32Array(units.count);
  const look = looking(checkpoint);
  let count = 0;
  let range = 0;
  for (let unit = 0; unit < units.count; unit++) {
    look();
    while (range < part.begins.length && part.ends[range] <= units.begins[unit]) range++;
    if (range === part.begins.length) break;
    if (part.begins[range] <= units.begins[unit] && units.ends[unit] <= part.ends[range])
      inside[count++] = unit;
  }
  return inside.slice(0, count);
}

// ---- what is shown

async function itemsOf(
  desk: Desk,
  scorer: Scorer,
  best: Ranking["best"],
  { snippet, marks = ["[", "]"], explain }: SearchOptions,
): Promise<SearchItem[]> {
  const { units, asked, weights, having, ranks } = scorer;
  const tokens = checkSnippetTokens(snippet);
  // Walks go one way: the items are read in the order of the corpus.
  const reader = new Scorer(units, asked, having, weights, ranks);
  const snippets = new SnippetReader(reader, { tokens, marks });
  const fields = { title: fieldOf(units, "title", weights), url: fieldOf(units, "url", weights) };
  const items = new Map<number, SearchItem>();
  for (const { number: unit, score } of best.toSorted((a, b) => a.number - b.number)) {
    desk.checkpoint();
    reader.walks.forEach((walk, term) => {
      walk.seek(unit);
      reader.counts[term] = walk.unit === unit ? walk.take() : 0;
    });
    reader.score(unit, Number.NEGATIVE_INFINITY);
    const parts = Object.fromEntries(partNames.map((name) => [name, rounded(reader.parts[name])])) as Parts;
    const found = tokens > 0 ? snippets.of(unit) : undefined;
    const title = fields.title && fieldValue(units, fields.title, unit);
    const url = fields.url && fieldValue(units, fields.url, unit);
    items.set(unit, {
      id: idOf(units, unit, url),
      score,
      parts,
      snippet: found?.marked ?? "",
      text: found?.text ?? "",
      marks: found?.terms ?? [],
      ...(title !== undefined && { title }),
      ...(url !== undefined && { url }),
      number: units.numbers[unit],
      begin: units.begins[unit],
      end: units.ends[unit],
      ...(explain && {
        terms: asked.terms.map(({ text }, term) => ({
          term: text,
          count: reader.counts[term],
          score: rounded(reader.shareOf(term, unit)),
        })),
      }),
    });
  }
  return best.map(({ number }) => items.get(number) as SearchItem);
}

function idOf({ structure, numbers }: Units, unit: number, url: string | undefined): string {
  const own = structure.attributes.some(({ name }) => name === "id")
    ? structure.value(numbers[unit], "id")
    : undefined;
  return own ?? url ?? `#${numbers[unit]}`;
}

// ---- how it was done

/** What an occurrence takes, in nanoseconds (npm run bench -- search). */
const placeCost = 30;

interface Done {
  among: Uint32Array | undefined;
  ranking: Ranking | undefined;
  counted: boolean;
  places: number;
  ms: number;
}

async function planOf(
  desk: Desk,
  scorer: Scorer,
  part: string | SubcorpusDefinition | undefined,
  done: Done,
): Promise<PlanStep> {
  const { asked, units, title, url, date, ranks } = scorer;
  const { among, ranking, counted, places, ms } = done;
  const sources = [title?.path, url?.path, date?.path, ranks?.source].filter(
    (source) => source !== undefined,
  );
  const how =
    asked.phrases.length > 0
      ? "from the rarest word of the phrases"
      : counted
        ? "every unit with a term is counted"
        : `more than ${limits.countedPlacesMax.toLocaleString("en")} places: units that cannot be among the best are passed over`;
  return {
    operator: "rank",
    detail: `${units.structure.name} by ${asked.terms.map(({ text }) => text).join(", ") || "nothing"}`,
    why: `${how}${sources.length > 0 ? `; besides the text: ${sources.join(", ")}` : ""}`,
    estimatedRows: Math.min(among?.length ?? units.count, places),
    estimatedMs: Number(((places * placeCost) / 1e6).toPrecision(3)),
    ...(ranking && { rows: ranking.looked, ms: Number(ms.toFixed(3)) }),
    ...(part !== undefined && { inputs: [await planOfPart(desk, part)] }),
  };
}
