/**
 * Frequency lists: hits counted by what they have at one or more keys (chain/keys.ts).
 *
 *   count           hits with these values; where an attribute has several at once, a hit counts for each of them
 *   textTypeTokens  of keys that ask structures (doc.category): tokens whose innermost such structures have the values
 *   perMillion      count · 10⁶ / textTypeTokens; without such keys, / N, the tokens of the corpus or subcorpus
 *   density         how much more frequent here than in all the text, in percent: 100 · (count / textTypeTokens) / (hits / N)
 *   documents       in how many documents these hits are
 *
 * and, if asked for, how evenly the hits of the row are spread (dispersion.ts). Rows are ordered by one of these, by
 * default the most frequent first; rows that are equal, by their values in the order of code points.
 *
 * Cost: O(hits), once, or twice with dispersion; memory by rows, not by hits.
 */
import { DugongError } from "../../storage/index.js";
import { type Key, labelsOfKeys, parseKeys, printKey } from "../chain/keys.js";
import type { Chain } from "../chain/steps.js";
import { keyNotices } from "../chain/values.js";
import type { Desk } from "../desk.js";
import { mapped, pieces } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import { type Dispersion, dispersionMeasures } from "./dispersion.js";
import { RowDispersions } from "./dispersion-rows.js";
import { Documents } from "./documents.js";
import { columnFor } from "./frequency-columns.js";
import { selectRows } from "./frequency-order.js";
import { RowNumbers, Rows } from "./frequency-rows.js";
import { limits } from "./limits.js";
import { OrderedHits } from "./ordered.js";
import { checkCounts } from "./ranking.js";
import { RowTextTypes } from "./text-types.js";
import {
  documentNotices,
  type PartsMeasured,
  partsMeasured,
  partsOf,
  perMillion,
  TotalCount,
  type Totals,
} from "./totals.js";
import { Whole } from "./whole.js";

export const frequencyOrders = [
  "count",
  "value",
  "perMillion",
  "documents",
  "textTypeTokens",
  "density",
  ...dispersionMeasures,
] as const;
export type FrequencyOrder = (typeof frequencyOrders)[number];

export interface FrequencyOptions {
  /** "lemma 0, tag 1R", or keys that were read. */
  by: string | Key[];
  /** Only rows that have at least, or at most, so many hits. */
  minCount?: number;
  maxCount?: number;
  /** Rows [from, from + limit) of the order. Default: all. */
  from?: number;
  limit?: number;
  /** Default: count. */
  order?: FrequencyOrder;
  /** Smallest first? Default: only for `value`. */
  rising?: boolean;
  /** How evenly each row's hits are spread, and all hits. */
  dispersion?: boolean;
  /** So many parts of equal length to measure that by, instead of documents. */
  parts?: number;
}

export interface FrequencyRow extends Partial<Dispersion> {
  /** One for each key; "" where there is none. */
  values: string[];
  count: number;
  perMillion: number;
  /** Absent in a corpus without documents. */
  documents?: number;
  /** Only with a key that asks a structure. */
  textTypeTokens?: number;
  density?: number;
}

export interface FrequencyList extends Totals, Partial<Dispersion & PartsMeasured> {
  /** The keys, as they can be read again. */
  by: string[];
  rows: FrequencyRow[];
  /** How many there are within the limits on counts; and how many without. */
  rowsTotal: number;
  rowsAll: number;
  notices: Notice[];
}

export async function frequency(desk: Desk, chain: Chain, options: FrequencyOptions): Promise<FrequencyList> {
  const { snapshot } = desk;
  const keys = typeof options.by === "string" ? parseKeys(options.by) : options.by;
  checkOptions(options, keys, Documents.of(snapshot) !== undefined);
  const { order = "count", minCount = 0, maxCount = Number.POSITIVE_INFINITY } = options;
  const byDispersion = isDispersion(order);
  const dispersed = options.dispersion || options.parts !== undefined || byDispersion;

  const { checkpoint } = desk;
  const rows = new Rows(
    keys.map((key) => columnFor(snapshot, key)),
    checkpoint,
  );
  const whole = await Whole.of(desk, chain);
  const parts = dispersed ? partsOf(whole, options) : undefined;
  const ordered = new OrderedHits(desk, chain, labelsOfKeys(keys), dispersed);
  const counted = await count(ordered, rows, new TotalCount(whole));
  await desk.turn();
  const lines = new Lines(rows, counted, new RowTextTypes(whole, rows, checkpoint), checkpoint);
  const within = rowsWithin(rows.size, counted.counts, minCount, maxCount, checkpoint);
  const measure = (wanted: Uint32Array) =>
    RowDispersions.measure(
      whole,
      ordered,
      { rows, wanted, counts: counted.counts, hits: counted.totals.hits },
      parts,
      checkpoint,
    );

  let dispersions = byDispersion ? await measure(within) : undefined;
  const numbers = byDispersion ? dispersions!.column(order) : lines.column(order);
  const { from = 0, limit = Number.POSITIVE_INFINITY, rising = order === "value" } = options;
  const most = limits.frequencyRowsShownMax;
  const to = from + Math.min(limit, most);
  await desk.turn();
  const shown = selectRows(rows, within, { from, to, measure: numbers, rising }, checkpoint);
  if (dispersed) dispersions ??= await measure(shown);

  const notices = [
    ...ordered.running.notices,
    ...rows.columns.flatMap(keyNotices),
    ...documentNotices(whole, dispersed ? { parts } : undefined),
    ...(limit > most && within.length - from > most ? [cutNotice(most)] : []),
  ];
  return {
    ...counted.totals,
    ...(dispersions && { ...dispersions.all, ...partsMeasured(parts) }),
    by: keys.map(printKey),
    rows: mapped(shown, (row) => ({ ...lines.line(row), ...dispersions?.of(row) }), checkpoint),
    rowsTotal: within.length,
    rowsAll: rows.size,
    notices,
  };
}

function isDispersion(order: FrequencyOrder): order is keyof Dispersion {
  return (dispersionMeasures as readonly string[]).includes(order);
}

function cutNotice(most: number): Notice {
  const message = `only ${most.toLocaleString("en")} rows are given at once (limit frequencyRowsShownMax)`;
  return { code: "limit_hit", message };
}

function checkOptions(options: FrequencyOptions, keys: readonly Key[], hasDocuments: boolean): void {
  const { order = "count" } = options;
  const wrong = (message: string, hint?: string) => new DugongError("bad_option", message, hint);
  for (const name of ["minCount", "maxCount", "from", "limit"] as const) {
    const number = options[name];
    if (number !== undefined && !(Number.isSafeInteger(number) && number >= 0))
      throw wrong(`${name} is ${JSON.stringify(number)}, not a whole number`);
  }
  for (const name of ["rising", "dispersion"] as const)
    if (options[name] !== undefined && typeof options[name] !== "boolean")
      throw wrong(`${name} is ${JSON.stringify(options[name])}, neither true nor false`);
  if (keys.length === 0) throw wrong("there is no key to count by", 'Give one, as "word 0" or "doc.year".');
  if (!frequencyOrders.includes(order))
    throw wrong(`cannot order by ${JSON.stringify(order)}`, `Order by one of ${frequencyOrders.join(", ")}.`);
  checkCounts(options);
  if ((order === "textTypeTokens" || order === "density") && !keys.some(({ place }) => !place))
    throw wrong(
      `cannot order by ${order}: no key asks a structure`,
      "Count by an attribute of a structure, as doc.year.",
    );
  if (order === "documents" && !hasDocuments)
    throw wrong("cannot order by documents: the corpus has none", "Order by count.");
}

interface Counted {
  totals: Totals;
  /** By row: hits, and documents that have some. */
  counts: Float64Array;
  documents: Float64Array;
}

async function count(ordered: OrderedHits, rows: Rows, total: TotalCount): Promise<Counted> {
  const [counts, documents] = [new RowNumbers(), new RowNumbers()];
  /** The document of each row's last hit, plus 1. */
  const last = new RowNumbers();
  for await (const hits of ordered.blocks()) {
    const numbers = total.add(hits);
    const entries = rows.read(hits);
    const [own, ofDocuments, lastOnes] = [counts, documents, last].map((one) => one.reach(rows.size));
    for (let i = 0; i < entries.count; i++) own[entries.rows[i]]++;
    if (!numbers) continue;
    for (let i = 0; i < entries.count; i++) {
      const document = numbers[entries.hits ? entries.hits[i] : i] + 1;
      const row = entries.rows[i];
      if (document === 0 || document === lastOnes[row]) continue;
      lastOnes[row] = document;
      ofDocuments[row]++;
    }
  }
  return { totals: total.totals, counts: counts.numbers, documents: documents.numbers };
}

function rowsWithin(
  size: number,
  counts: Float64Array,
  least: number,
  most: number,
  checkpoint: () => void,
): Uint32Array {
  const within = new Uint32Array(size);
  let count = 0;
  for (const [from, to] of pieces(size, checkpoint))
    for (let row = from + 1; row <= to; row++)
      if (counts[row] >= least && counts[row] <= most) within[count++] = row;
  return within.subarray(0, count);
}

/** The lines of the list, but for their dispersion. */
class Lines {
  constructor(
    readonly rows: Rows,
    readonly counted: Counted,
    readonly types: RowTextTypes,
    readonly checkpoint: () => void,
  ) {}

  #perMillion(row: number): number {
    const { counts, totals } = this.counted;
    return perMillion(counts[row], this.types.tokens(row) ?? totals.tokens);
  }

  line(row: number): FrequencyRow {
    const { counts, documents, totals } = this.counted;
    const textTypeTokens = this.types.tokens(row);
    const relative = this.#perMillion(row);
    return {
      values: this.rows.texts(row),
      count: counts[row],
      perMillion: relative,
      ...(totals.documents !== null && { documents: documents[row] }),
      ...(textTypeTokens !== undefined && {
        textTypeTokens,
        density: (100 * relative) / totals.perMillion,
      }),
    };
  }

  /** What rows are ordered by; undefined for their values. */
  column(order: Exclude<FrequencyOrder, keyof Dispersion>): Float64Array | undefined {
    const { counts, documents } = this.counted;
    if (order === "value") return undefined;
    if (order === "documents") return documents;
    // Without text types all are relative to the same: the order is that of the counts.
    if (order === "count" || !this.types.asked) return counts;
    const column = new Float64Array(this.rows.size + 1);
    for (const [from, to] of pieces(this.rows.size, this.checkpoint))
      for (let row = from + 1; row <= to; row++)
        column[row] = order === "textTypeTokens" ? this.types.tokens(row)! : this.#perMillion(row);
    return column;
  }
}
