/**
 * Word lists: the values of an attribute with how often they occur, in how many documents, and how evenly (counts.ts has
 * the formulas). Of several attributes ("lemma", "tag"): the combinations that occur. Of an attribute of structures
 * ("doc.category"): structure-list.ts.
 *
 *   perMillion = count · 10⁶ / N, where N is the tokens of the corpus or subcorpus
 */
import { DugongError } from "../../storage/index.js";
import { PairTable } from "../chain/pairs.js";
import type { Desk } from "../desk.js";
import { column, looking, mapped, pieces } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import {
  reducedFrequencies,
  reducedFrequenciesOf,
  tally,
  tokensOf,
  typeCounts,
  typeDocuments,
} from "./counts.js";
import { limits } from "./limits.js";
import { checkCounts, type Page, pageOf } from "./ranking.js";
import { type Numbering, type Types, typesOf } from "./types.js";

export type WordlistOrder = "count" | "documents" | "arf" | "value";

export interface WordlistOptions extends Page {
  /** ["lemma"], ["word/i"], ["lemma", "tag"], or ["doc.category"]. */
  attributes: readonly string[];
  subcorpus?: string | SubcorpusDefinition;
  /** What values must match as a whole: a pattern for each attribute, in their order; there may be fewer. */
  patterns?: readonly string[];
  /** Default: 1. */
  minCount?: number;
  maxCount?: number;
  /** Only these values, of the first attribute; or of all attributes, with tabs between. */
  include?: readonly string[];
  /** None of these. */
  exclude?: readonly string[];
  /** The highest first; values in the order of their bytes. Default: count. */
  order?: WordlistOrder;
}

export interface WordlistRow {
  /** The values of several attributes have a tab between. */
  value: string;
  /** Of several attributes: each one's. */
  values?: string[];
  count: number;
  perMillion: number;
  documents: number;
  arf: number;
}

export interface Wordlist<Row> {
  corpus: string;
  rows: Row[];
  /** How many rows there are on all pages, and how many tokens (or structures) they stand for. */
  types: number;
  occurrences: number;
  /** N. */
  tokens: number;
  notices: Notice[];
}

/** Tokens by their values: what is listed. */
interface Listed extends Numbering {
  counts: Float64Array;
  documents(): Promise<Float64Array>;
  /** Of these, in their order. */
  reduced(wanted: Uint32Array): Promise<Float64Array>;
  /** A 1 for each that may be listed; undefined: all may. */
  marks?: Uint8Array;
  values(number: number): string[];
  compare(a: number, b: number): number;
}

export async function wordlist(desk: Desk, options: WordlistOptions): Promise<Wordlist<WordlistRow>> {
  const { attributes, minCount = 1, maxCount = Number.POSITIVE_INFINITY, order = "count" } = options;
  checkOptions(options);
  const subcorpus = options.subcorpus && (await resolveSubcorpus(desk, options.subcorpus));
  const part = subcorpus || undefined;
  const { checkpoint } = desk;
  const listed = await (attributes.length === 1 ? oneAttribute : severalOf)(desk, options, part);
  const { counts, marks } = listed;
  const candidates = new Uint32Array(listed.size);
  let [types, occurrences] = [0, 0];
  for (const [from, to] of pieces(listed.size, checkpoint)) {
    for (let number = from; number < to; number++) {
      const count = counts[number];
      if (count === 0 || count < minCount || count > maxCount || (marks && !marks[number])) continue;
      candidates[types++] = number;
      occurrences += count;
    }
  }
  const found = candidates.subarray(0, types);
  const score = await scoreOf(listed, found, order, checkpoint);
  const { rows: shown, scores } = pageOf(found, score, listed.compare, options, checkpoint);
  await desk.turn();
  const documents = await listed.documents();
  const reduced = order === "arf" ? scores : await listed.reduced(shown);
  const tokens = tokensOf(desk, part);
  return {
    corpus: desk.snapshot.citation,
    types,
    occurrences,
    tokens,
    notices: documentNotices(desk),
    rows: mapped(
      shown,
      (number, i) => {
        const values = listed.values(number);
        return {
          value: values.join("\t"),
          ...(values.length > 1 && { values }),
          count: counts[number],
          perMillion: (counts[number] * 1e6) / tokens,
          documents: documents[number],
          arf: reduced[i],
        };
      },
      checkpoint,
    ),
  };
}

/** Is this a list of structures' values, for `structureList`? */
export function isOfStructures(attributes: readonly string[]): boolean {
  return attributes.length === 1 && attributes[0].includes(".");
}

function checkOptions({ attributes, patterns = [], ...options }: WordlistOptions): void {
  checkCounts(options);
  if (attributes.length === 0) throw new DugongError("bad_option", "a word list needs an attribute");
  if (patterns.length > attributes.length)
    throw new DugongError(
      "bad_option",
      `there are ${patterns.length} patterns for ${attributes.length === 1 ? "one attribute" : `${attributes.length} attributes`}`,
      "Give one for each attribute, in their order.",
    );
}

/** What is worth knowing about document counts. */
export function documentNotices({ snapshot }: Desk): Notice[] {
  if (snapshot.config.document !== null) return [];
  return [{ code: "no_documents", message: `${snapshot.corpus} has no documents: none are counted` }];
}

async function scoreOf(
  listed: Listed,
  found: Uint32Array,
  order: WordlistOrder,
  checkpoint: () => void,
): Promise<Float64Array> {
  if (order === "arf") return listed.reduced(found);
  if (order === "value") return new Float64Array(found.length);
  const numbers = order === "count" ? listed.counts : await listed.documents();
  return column(found, (number) => numbers[number], checkpoint);
}

/** Marks of types that a pattern and lists allow. */
function allowed(
  types: Types,
  pattern: string | undefined,
  include: readonly string[] | undefined,
  exclude: readonly string[] | undefined,
): Uint8Array | undefined {
  const sets = [
    ...(pattern === undefined ? [] : [types.matching(pattern)]),
    ...(include ? [types.among(include)] : []),
  ];
  if (sets.length === 0 && !exclude) return undefined;
  const marks = sets[0] ?? new Uint8Array(types.size).fill(1);
  if (sets[1]) for (let type = 0; type < types.size; type++) marks[type] &= sets[1][type];
  if (exclude) {
    const excluded = types.among(exclude);
    for (let type = 0; type < types.size; type++) if (excluded[type]) marks[type] = 0;
  }
  return marks;
}

async function oneAttribute(
  desk: Desk,
  options: WordlistOptions,
  subcorpus: Subcorpus | undefined,
): Promise<Listed> {
  const { attributes, patterns = [], include, exclude } = options;
  const types = await typesOf(desk, attributes[0]);
  return {
    size: types.size,
    read: (from, count, out) => types.read(from, count, out),
    counts: await typeCounts(desk, types, subcorpus),
    documents: () => typeDocuments(desk, types, subcorpus),
    reduced: (wanted) => reducedFrequenciesOf(desk, types, wanted, subcorpus),
    marks: allowed(types, patterns[0], include, exclude),
    values: (type) => [types.text(type)],
    compare: (a, b) => types.ranks[a] - types.ranks[b],
  };
}

// ---- combinations

/** Combinations of the values of several attributes, numbered as they turn up. */
class Combinations implements Numbering {
  /** For each attribute behind the first: pairs of what comes before it and its own type. */
  readonly #tables: PairTable[];
  readonly #column = new Uint32Array(limits.blockTokens);
  /** The number of each pair of the first two, by first · size of the second + second, where that is not too much. */
  readonly #known: Uint32Array | undefined;

  constructor(
    readonly columns: readonly Types[],
    checkpoint: () => void,
  ) {
    this.#tables = columns.slice(1).map(() => new PairTable(checkpoint));
    const entries = columns[0].size * columns[1].size;
    if (entries <= limits.pairTableEntriesMax) this.#known = new Uint32Array(entries);
  }

  get size(): number {
    return this.#tables[this.#tables.length - 1].size;
  }

  read(from: number, count: number, out: Uint32Array): void {
    this.columns[0].read(from, count, out);
    this.#tables.forEach((table, i) => {
      const column = this.#column;
      this.columns[i + 1].read(from, count, column);
      if (i === 0 && this.#known) numberKnown(this.#known, table, this.columns[1].size, out, column, count);
      else
        for (let token = 0; token < count; token++) out[token] = table.number(out[token], column[token]) - 1;
      if (table.size <= limits.pairsMax) return;
      throw new DugongError(
        "too_many_pairs",
        `there are more than ${limits.pairsMax.toLocaleString("en")} combinations of values (limit pairsMax)`,
        "List fewer attributes, or a subcorpus.",
      );
    });
  }

  /** The types that a combination consists of. */
  types(number: number): number[] {
    const types: number[] = [];
    let left = number;
    for (let i = this.#tables.length - 1; i >= 0; i--) {
      types.unshift(this.#tables[i].right(left + 1));
      left = this.#tables[i].left(left + 1);
    }
    return [left, ...types];
  }
}

function numberKnown(
  known: Uint32Array,
  table: PairTable,
  size: number,
  out: Uint32Array,
  column: Uint32Array,
  count: number,
): void {
  for (let token = 0; token < count; token++) {
    const at = out[token] * size + column[token];
    if (known[at] === 0) known[at] = table.number(out[token], column[token]);
    out[token] = known[at] - 1;
  }
}

async function severalOf(
  desk: Desk,
  options: WordlistOptions,
  subcorpus: Subcorpus | undefined,
): Promise<Listed> {
  const { attributes, patterns = [], include, exclude } = options;
  const { checkpoint } = desk;
  const columns: Types[] = [];
  for (const name of attributes) columns.push(await typesOf(desk, name));
  const combinations = new Combinations(columns, checkpoint);
  const { counts, documents } = await tally(desk, combinations, subcorpus);
  const sets = columns.map((types, i) => allowed(types, patterns[i], undefined, undefined));
  const included = include && rowSet(columns, include);
  const excluded = exclude && rowSet(columns, exclude);
  const marks = new Uint8Array(counts.length);
  const look = looking(checkpoint);
  for (let number = 0; number < marks.length; number++) {
    look();
    const types = combinations.types(number);
    if (types.some((type, i) => sets[i]?.[type] === 0)) continue;
    if (included && !included(types)) continue;
    if (excluded?.(types)) continue;
    marks[number] = 1;
  }
  return {
    get size() {
      return combinations.size;
    },
    read: (from, count, out) => combinations.read(from, count, out),
    counts,
    documents: async () => documents,
    reduced: async (wanted) => {
      const wantedMarks = new Uint8Array(counts.length);
      for (const number of wanted) wantedMarks[number] = 1;
      const reduced = await reducedFrequencies(desk, combinations, counts, subcorpus, wantedMarks);
      return column(wanted, (number) => reduced[number], checkpoint);
    },
    marks,
    values: (number) => combinations.types(number).map((type, i) => columns[i].text(type)),
    compare: (a, b) => {
      const [left, right] = [combinations.types(a), combinations.types(b)];
      const at = left.findIndex((type, i) => type !== right[i]);
      return at < 0 ? 0 : columns[at].ranks[left[at]] - columns[at].ranks[right[at]];
    },
  };
}

/** Is a combination listed, by its first value or as a whole? */
function rowSet(columns: readonly Types[], lines: readonly string[]): (types: readonly number[]) => boolean {
  const firsts = columns[0].among(lines.filter((line) => !line.includes("\t")));
  const wholes = lines
    .map((line) => line.split("\t"))
    .filter(({ length }) => length === columns.length)
    .map((values) => values.map((value, i) => columns[i].find(value)).join(" "));
  const known = new Set(wholes);
  return (types) => firsts[types[0]] === 1 || known.has(types.join(" "));
}
