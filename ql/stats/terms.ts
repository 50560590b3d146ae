/**
 * Terms: what a grammar matches (grammar.ts), by the words of an attribute, the best first.
 *
 *   C-value     without a reference. With f(a) occurrences of a candidate a of |a| words, and the set T of longer
 *               candidates with a inside:
 *                 log₂(|a| + 1) · f(a)                             where T is empty
 *                 log₂(|a| + 1) · (f(a) − (1 / |T|) Σ f(b), b ∈ T)  else
 *               |a| + 1, so that single words are not all worth nothing. What occurs on its own is worth more than
 *               what occurs only as a part of something longer. f(a) counts a inside longer matches too, as the
 *               strategy `all` finds them.
 *   keyness     against a reference where the same grammar is looked for: simple maths, or another measure (keyness.ts)
 */
import { DugongError } from "../../storage/index.js";
import type { Running } from "../chain/run.js";
import type { Asked } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { column, looking, mapped, pieces } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import { type CandidateTable, candidates, countCandidates, RangeReader, type Search } from "./candidates.js";
import { tokensOf } from "./counts.js";
import { defaultGrammar, type GrammarRule } from "./grammar.js";
import {
  type KeyColumns,
  type KeynessOptions,
  keyColumns,
  keyness,
  keynessOf,
  perMillion,
} from "./keyness.js";
import { facing, type Reference, referenceTypes } from "./keywords.js";
import { type Page, pageOf } from "./ranking.js";
import { meeting, NO_TYPE, type Types, typesOf } from "./types.js";

export interface TermsOptions extends Page, KeynessOptions, Omit<Asked, "query"> {
  /** Default: one for the tags of the corpus. */
  grammar?: readonly GrammarRule[];
  /** Default: lemma; else lc, or the default attribute without its case. */
  attribute?: string;
  subcorpus?: string | SubcorpusDefinition;
  reference?: Reference;
  /** Default: 2. */
  minCount?: number;
  /** Words of a term. */
  minLength?: number;
  maxLength?: number;
}

export interface TermRow extends Partial<KeyColumns> {
  value: string;
  values: string[];
  count: number;
  documents: number;
  perMillion: number;
  /** C-value, or the first measure of keyness. */
  score: number;
  cValue: number;
  /** The rules that matched it. */
  rules: string[];
}

export interface Terms {
  corpus: string;
  reference?: string;
  attribute: string;
  grammar: readonly GrammarRule[];
  rows: TermRow[];
  /** Rows on all pages, and occurrences of candidates, listed or not. */
  types: number;
  occurrences: number;
  tokens: number;
  referenceTokens?: number;
  notices: Notice[];
}

/** Rules are told apart by bits. */
const rulesMax = 32;

export async function terms(desk: Desk, options: TermsOptions): Promise<Terms> {
  const { grammar = defaultGrammar(desk.snapshot), reference, subcorpus } = options;
  const { strategy, lists, gapMax } = options;
  if (grammar.length > rulesMax)
    throw new DugongError("bad_grammar", `the grammar has more than ${rulesMax} rules`);
  const { measures, smoothing } = keynessOf(options);
  const faced = reference && (await facing(desk, { subcorpus, reference }, smoothing));
  const { checkpoint } = desk;
  const types = await typesOf(desk, options.attribute ?? attributeDefault(desk));
  const others = faced && (await referenceTypes(faced.reference.desk, types.name));
  const running: Running = { notices: [] };
  const asked = { strategy, lists, gapMax };
  const search: Search = { rules: grammar, subcorpus, ...asked };
  const table = await countCandidates(desk, search, types, running);
  const rows = listedRows(table, options, checkpoint);
  await desk.turn();
  const cValues = cValuesOf(table, rows, checkpoint);
  await desk.turn();
  const referenceCounts =
    others &&
    (await countElsewhere(table, types, others, reference.desk, {
      rules: grammar,
      subcorpus: reference.subcorpus,
      ...asked,
    }));
  const score = referenceCounts
    ? column(
        rows,
        (row) => keyness(measures[0], table.counts[row], referenceCounts[row], faced.sizes),
        checkpoint,
      )
    : cValues;
  const compare = (a: number, b: number) =>
    table.counts[b] - table.counts[a] || byWords(types, table.types(a), table.types(b));
  const page = pageOf(rows, score, compare, options, checkpoint);
  await desk.turn();
  const placeOf = placesOf(rows, table, checkpoint);
  const tokens = faced
    ? faced.sizes.focus
    : tokensOf(desk, subcorpus === undefined ? undefined : await resolveSubcorpus(desk, subcorpus));
  return {
    corpus: desk.snapshot.citation,
    attribute: types.name,
    grammar,
    ...(faced && {
      reference: faced.reference.desk.snapshot.citation,
      referenceTokens: faced.sizes.reference,
    }),
    types: rows.length,
    occurrences: table.total,
    tokens,
    notices: running.notices,
    rows: mapped(
      page.rows,
      (row, i) => {
        const values = table.types(row).map((type) => types.text(type));
        const count = table.counts[row];
        return {
          value: values.join(" "),
          values,
          count,
          documents: table.documents[row],
          perMillion: perMillion(count, tokens),
          score: page.scores[i],
          cValue: cValues[placeOf[row] - 1],
          ...(referenceCounts && keyColumns(measures, count, referenceCounts[row], faced.sizes)),
          rules: grammar.filter((_, rule) => (table.rules[row] >>> rule) & 1).map(({ name }) => name),
        };
      },
      checkpoint,
    ),
  };
}

function attributeDefault({ snapshot }: Desk): string {
  const known = ["lemma", "lc"].find((name) => snapshot.attributes.some((one) => one.name === name));
  return known ?? `${snapshot.defaultAttribute.name}/i`;
}

/** The rows of candidates that are frequent and long enough. */
function listedRows(
  table: CandidateTable,
  { minCount = 2, minLength = 1, maxLength }: TermsOptions,
  checkpoint: () => void,
): Uint32Array {
  const rows: number[] = [];
  const look = looking(checkpoint);
  for (let row = 1; row <= table.rows.size; row++) {
    look();
    const count = table.counts[row] ?? 0;
    if (count === 0 || count < minCount) continue;
    const { length } = table.types(row);
    if (length >= minLength && length <= (maxLength ?? Number.POSITIVE_INFINITY)) rows.push(row);
  }
  return Uint32Array.from(rows);
}

/** The C-value of each row; only listed rows are taken to be candidates. */
function cValuesOf(table: CandidateTable, rows: Uint32Array, checkpoint: () => void): Float64Array {
  const places = placesOf(rows, table, checkpoint);
  const look = looking(checkpoint, 1024);
  const sums = new Float64Array(rows.length);
  const longer = new Float64Array(rows.length);
  for (const row of rows) {
    look();
    const types = table.types(row);
    const inside = new Set<number>();
    for (let from = 0; from < types.length; from++) {
      let part = 0;
      for (let to = from; to < types.length; to++) {
        part = table.rows.find(part, types[to]);
        if (part === 0) break;
        if (part !== row && places[part] > 0) inside.add(places[part] - 1);
      }
    }
    for (const place of inside) {
      sums[place] += table.counts[row];
      longer[place]++;
    }
  }
  return column(
    rows,
    (row, i) => {
      const own = table.counts[row] - (longer[i] > 0 ? sums[i] / longer[i] : 0);
      return Math.log2(table.types(row).length + 1) * own;
    },
    checkpoint,
  );
}

/** Where each row of the table is in a list, plus 1; 0 where it is not. */
function placesOf(rows: Uint32Array, table: CandidateTable, checkpoint: () => void): Uint32Array {
  const places = new Uint32Array(table.rows.size + 1);
  for (const [from, to] of pieces(rows.length, checkpoint))
    for (let i = from; i < to; i++) places[rows[i]] = i + 1;
  return places;
}

/** How often each row of a table occurs in a reference, by row. */
async function countElsewhere(
  table: CandidateTable,
  types: Types,
  others: Types,
  desk: Desk,
  search: Search,
): Promise<Float64Array> {
  const counts = new Float64Array(table.rows.size + 1);
  const met = meeting(others, types, desk.checkpoint);
  const reader = new RangeReader(others);
  for await (const found of candidates(desk, search, { notices: [] })) {
    for (let i = 0; i < found.count; i++) {
      if ((i & 0xfff) === 0) desk.checkpoint();
      const count = reader.read(found.begins[i], found.ends[i]);
      let row = 0;
      for (let k = 0; k < count; k++) {
        const type = met[reader.types[k]];
        row = type === NO_TYPE ? 0 : table.rows.find(row, type);
        if (row === 0) break;
      }
      counts[row]++;
    }
  }
  counts[0] = 0;
  return counts;
}

function byWords(types: Types, a: readonly number[], b: readonly number[]): number {
  const { ranks } = types;
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return ranks[a[i]] - ranks[b[i]];
  return a.length - b.length;
}
