/**
 * N-grams: stretches of n words that occur again and again, for a range of lengths. Counted in passes that fit into
 * memory (ngram-count.ts); against a reference, scored as keywords are (keyness.ts).
 *
 * A shorter n-gram is nested, and can be hidden, if a longer one of the list has it inside, and occurs at least `ratio`
 * times as often: with ratio 1, wherever the shorter one occurs the longer one does.
 *
 *   perMillion = count · 10⁶ / N, where N is the tokens of the corpus or subcorpus
 */
import { DugongError, type Structure } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { column, looking, mapped, pieces, upTo } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { tokensOf, typeCounts } from "./counts.js";
import {
  type KeyColumns,
  type KeynessOptions,
  keyColumns,
  keyness,
  keynessOf,
  perMillion,
} from "./keyness.js";
import { facing, type Reference, referenceTypes } from "./keywords.js";
import { limits } from "./limits.js";
import { countNgrams } from "./ngram-count.js";
import { hashOf, NgramTable } from "./ngram-table.js";
import { type Conditions, type Ground, starts, type WindowBlock, windowBlocks } from "./ngram-windows.js";
import { checkCounts, type Page, pageOf } from "./ranking.js";
import { meeting, NO_TYPE, type Types, typesOf } from "./types.js";
import { documentNotices } from "./wordlist.js";

export interface NgramsOptions extends Page, KeynessOptions {
  attribute: string;
  subcorpus?: string | SubcorpusDefinition;
  /** Words, from … to …. */
  lengths: [from: number, to: number];
  /** The structure that n-grams lie inside; null: they may cross any. Default: s, if there is one. */
  within?: string | null;
  /** Default: 5. */
  minCount?: number;
  maxCount?: number;
  /** What each word must match. */
  each?: string;
  /** For each of these patterns, some word must match it. */
  containing?: readonly string[];
  /** What the first and the last word must match. */
  starting?: string;
  ending?: string;
  /** Hide n-grams that are part of longer ones: the ratio of their counts, above 0 and up to 1. */
  hideNested?: number;
  /** Count documents, too. */
  documents?: boolean;
  reference?: Reference;
}

export interface NgramRow extends Partial<KeyColumns> {
  /** The words with spaces between. */
  value: string;
  values: string[];
  count: number;
  perMillion: number;
  documents?: number;
}

export interface Ngrams {
  corpus: string;
  reference?: string;
  rows: NgramRow[];
  /** Rows on all pages, and n-grams that were hidden. */
  types: number;
  hidden: number;
  tokens: number;
  referenceTokens?: number;
  /** Passes over the tokens that counting took. */
  passes: number;
  notices: Notice[];
}

export async function ngrams(desk: Desk, options: NgramsOptions): Promise<Ngrams> {
  const { reference, documents = false, hideNested } = options;
  checkNgrams(options);
  const { measures, smoothing } = keynessOf(options);
  const faced = reference && (await facing(desk, { ...options, reference }, smoothing));
  const subcorpus = faced ? faced.focus : await partOf(desk, options.subcorpus);
  const { checkpoint } = desk;
  const types = await typesOf(desk, options.attribute);
  const ground = await groundOf(desk, types, subcorpus, options);
  const { tables, passes, notices } = await countAll(ground, options);
  if (documents) notices.push(...documentNotices(desk));
  const hidden = tables.map(({ size }) => new Uint8Array(size));
  if (hideNested !== undefined) hideThose(tables, hidden, hideNested, checkpoint);
  await desk.turn();
  const list = new List(tables, hidden, types, checkpoint);
  const elsewhere = faced && (await referenceTypes(faced.reference.desk, types.name));
  const others = elsewhere && (await countReference(list, elsewhere, faced.reference, options));
  const score = column(
    list.rows,
    (row, i) => {
      const count = tables[list.tables[i]].count(row);
      return faced ? keyness(measures[0], count, others![i], faced.sizes) : count;
    },
    checkpoint,
  );
  await desk.turn();
  const all = upTo(list.rows.length);
  const page = pageOf(all, score, (a, b) => list.compare(a, b), options, checkpoint);
  await desk.turn();
  const tokens = tokensOf(desk, subcorpus);
  return {
    corpus: desk.snapshot.citation,
    ...(faced && {
      reference: faced.reference.desk.snapshot.citation,
      referenceTokens: faced.sizes.reference,
    }),
    types: list.rows.length,
    hidden: tables.reduce((sum, { size }) => sum + size, 0) - list.rows.length,
    tokens,
    passes,
    notices,
    rows: mapped(
      page.rows,
      (i) => {
        const count = list.count(i);
        const values = list.values(i);
        return {
          value: values.join(" "),
          values,
          count,
          perMillion: perMillion(count, tokens),
          ...(documents && { documents: tables[list.tables[i]].documents(list.rows[i]) }),
          ...(faced && keyColumns(measures, count, others![i], faced.sizes)),
        };
      },
      checkpoint,
    ),
  };
}

function checkNgrams({ lengths: [from, to], hideNested, ...options }: NgramsOptions): void {
  const { minCount = minCountDefault } = options;
  if (
    !(
      Number.isInteger(from) &&
      Number.isInteger(to) &&
      from >= 1 &&
      to >= from &&
      to <= limits.ngramTokensMax
    )
  )
    throw new DugongError(
      "bad_option",
      `n-grams of ${from === to ? from : `${from}..${to}`} words cannot be counted`,
      `Their length is a whole number from 1 to ${limits.ngramTokensMax} (limit ngramTokensMax), or a range as 2..4.`,
    );
  if (hideNested !== undefined && !(hideNested > 0 && hideNested <= 1))
    throw new DugongError(
      "bad_option",
      "the ratio by which nested n-grams are hidden is above 0 and up to 1",
    );
  if (!(minCount >= 1)) throw new DugongError("bad_option", "n-grams that are listed occur once at least");
  checkCounts({ ...options, minCount });
}

async function partOf(
  desk: Desk,
  subcorpus: string | SubcorpusDefinition | undefined,
): Promise<Subcorpus | undefined> {
  return subcorpus === undefined ? undefined : resolveSubcorpus(desk, subcorpus);
}

/** The structure that n-grams stay inside. */
function structureFor(desk: Desk, within: string | null | undefined): Structure | undefined {
  if (within === null) return undefined;
  if (within !== undefined) return desk.snapshot.structure(within);
  return desk.snapshot.structures.find(({ name }) => name === "s");
}

async function groundOf(
  desk: Desk,
  types: Types,
  subcorpus: Subcorpus | undefined,
  { within, each: pattern, minCount = minCountDefault, lengths }: NgramsOptions,
): Promise<Ground> {
  const each = pattern === undefined ? new Uint8Array(types.size).fill(1) : types.matching(pattern);
  const counts = await typeCounts(desk, types, subcorpus);
  // What is rarer than an n-gram must be is in none.
  for (const [from, to] of pieces(each.length, desk.checkpoint))
    for (let type = from; type < to; type++) if (counts[type] < minCount) each[type] = 0;
  return { desk, types, subcorpus, structure: structureFor(desk, within), each, lengthMax: lengths[1] };
}

const minCountDefault = 5;

async function countAll(
  ground: Ground,
  options: NgramsOptions,
): Promise<{ tables: NgramTable[]; passes: number; notices: Notice[] }> {
  const { starting, ending, containing = [], minCount = minCountDefault, documents = false } = options;
  const { maxCount = Number.POSITIVE_INFINITY } = options;
  const { types } = ground;
  const conditions: Conditions = {
    ...(starting !== undefined && { starting: types.matching(starting) }),
    ...(ending !== undefined && { ending: types.matching(ending) }),
    containing: containing.map((pattern) => types.matching(pattern)),
  };
  const [from, to] = options.lengths;
  const tables: NgramTable[] = [];
  const notices: Notice[] = [];
  let passes = 0;
  for (let length = from; length <= to; length++) {
    const counted = await countNgrams(
      { ...ground, lengthMax: length },
      { length, conditions, minCount, maxCount, documents },
    );
    passes += counted.passes;
    tables.push(counted.table);
    if (counted.cut)
      notices.push({
        code: "too_many_ngrams",
        message: `there are more n-grams of ${length} words than can be kept (limit ngramsMax): only the ${limits.ngramsMax.toLocaleString("en")} most frequent are listed`,
      });
  }
  return { tables, passes, notices };
}

/** Marks rows that are nested in a longer n-gram, whether that one is hidden itself or not. */
function hideThose(
  tables: readonly NgramTable[],
  hidden: readonly Uint8Array[],
  ratio: number,
  checkpoint: () => void,
): void {
  const look = looking(checkpoint);
  for (const [at, longer] of tables.entries()) {
    for (let row = 0; row < longer.size; row++) {
      look();
      for (let below = 0; below < at; below++) {
        const shorter = tables[below];
        for (let skip = 0; skip + shorter.length <= longer.length; skip++) {
          const place = longer.wordsAt(row) + skip;
          const found = shorter.find(longer.rows, place, hashOf(longer.rows, place, shorter.length));
          if (found >= 0 && longer.count(row) >= ratio * shorter.count(found)) hidden[below][found] = 1;
        }
      }
    }
  }
}

/** The rows of all lengths that are not hidden, as one list. */
class List {
  /** For each row: its table, and its row there. */
  readonly tables: Uint8Array;
  readonly rows: Uint32Array;

  constructor(
    readonly ofLengths: readonly NgramTable[],
    hidden: readonly Uint8Array[],
    readonly types: Types,
    checkpoint: () => void,
  ) {
    const all = hidden.reduce((sum, { length }) => sum + length, 0);
    const tables = new Uint8Array(all);
    const rows = new Uint32Array(all);
    let count = 0;
    hidden.forEach((marks, table) => {
      for (const [from, to] of pieces(marks.length, checkpoint)) {
        for (let row = from; row < to; row++) {
          if (marks[row]) continue;
          tables[count] = table;
          rows[count++] = row;
        }
      }
    });
    this.tables = tables.subarray(0, count);
    this.rows = rows.subarray(0, count);
  }

  count(i: number): number {
    return this.ofLengths[this.tables[i]].count(this.rows[i]);
  }

  words(i: number): Uint32Array {
    const table = this.ofLengths[this.tables[i]];
    const at = table.wordsAt(this.rows[i]);
    return table.rows.subarray(at, at + table.length);
  }

  values(i: number): string[] {
    return Array.from(this.words(i), (type) => this.types.text(type));
  }

  /** The more frequent first, then by words in the order of their bytes. */
  compare(a: number, b: number): number {
    const [left, right] = [this.words(a), this.words(b)];
    const { ranks } = this.types;
    let order = this.count(b) - this.count(a);
    for (let i = 0; order === 0 && i < left.length && i < right.length; i++)
      order = ranks[left[i]] - ranks[right[i]];
    return order || left.length - right.length;
  }
}

/** How often each row of a list occurs in the reference: only these are counted there, in a pass for each length. */
async function countReference(
  list: List,
  types: Types,
  { desk, subcorpus }: { desk: Desk; subcorpus?: Subcorpus },
  options: NgramsOptions,
): Promise<Float64Array> {
  const { checkpoint } = desk;
  const counts = new Float64Array(list.rows.length);
  const met = meeting(list.types, types, checkpoint);
  const structure = structureFor(desk, options.within);
  const look = looking(checkpoint);
  for (const [at, { length }] of list.ofLengths.entries()) {
    const table = new NgramTable(length, 2 ** 31, false, checkpoint);
    const rowOf = new Int32Array(list.rows.length).fill(-1);
    const each = new Uint8Array(types.size);
    const words = new Uint32Array(length);
    for (let i = 0; i < list.rows.length; i++) {
      look();
      if (list.tables[i] !== at) continue;
      const own = list.words(i);
      for (let k = 0; k < length; k++) words[k] = met[own[k]];
      if (words.includes(NO_TYPE)) continue;
      rowOf[i] = table.row(words, 0, hashOf(words, 0, length));
      for (const type of words) each[type] = 1;
    }
    await countThose(table, { desk, types, subcorpus, structure, each, lengthMax: length });
    for (const [from, to] of pieces(rowOf.length, checkpoint))
      for (let i = from; i < to; i++) if (rowOf[i] >= 0) counts[i] = table.count(rowOf[i]);
  }
  return counts;
}

/** Counts what a table has already, and nothing else. */
async function countThose(table: NgramTable, ground: Ground): Promise<void> {
  const places = new Uint32Array(limits.blockTokens);
  const { length } = table;
  for await (const block of windowBlocks(ground))
    addKnown(table, block, places, starts(block, length, { containing: [] }, places));
}

function addKnown(table: NgramTable, { types }: WindowBlock, places: Uint32Array, count: number): void {
  for (let n = 0; n < count; n++) {
    const row = table.find(types, places[n], hashOf(types, places[n], table.length));
    if (row >= 0) table.add(row);
  }
}
