/**
 * Keywords: the values of an attribute that are more frequent in a corpus, or a part of one, than in a reference, by
 * one or several measures (keyness.ts has the formulas).
 *
 * Both lexicons meet by their strings (types.ts); counts come from lexicons, or from one pass over a subcorpus.
 */
import { DugongError } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { column, mapped, pieces } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { tokensOf, typeCounts, typeDocuments } from "./counts.js";
import {
  type KeyColumns,
  type KeynessOptions,
  keyColumns,
  keyness,
  keynessOf,
  type Sizes,
} from "./keyness.js";
import { type Page, pageOf } from "./ranking.js";
import { meeting, NO_TYPE, type Types, typesOf } from "./types.js";
import { documentNotices } from "./wordlist.js";

/** What a focus is compared with: another corpus, or a part of the same or another one. */
export interface Reference {
  desk: Desk;
  subcorpus?: string | SubcorpusDefinition;
}

export interface KeywordsOptions extends Page, KeynessOptions {
  attribute: string;
  subcorpus?: string | SubcorpusDefinition;
  reference: Reference;
  /** What values must match as a whole. */
  pattern?: string;
  /** Occurrences in the focus at least. Default: 1. */
  minCount?: number;
  /** … and in the reference. Default: 0. */
  minReferenceCount?: number;
  /** Documents of the focus with an occurrence at least. */
  minDocuments?: number;
}

export interface KeywordRow extends KeyColumns {
  value: string;
  count: number;
  documents: number;
}

export interface Keywords<Row> {
  corpus: string;
  reference: string;
  rows: Row[];
  /** Rows on all pages. */
  types: number;
  /** Of the focus and the reference. */
  tokens: number;
  referenceTokens: number;
  notices: Notice[];
}

export async function keywords(desk: Desk, options: KeywordsOptions): Promise<Keywords<KeywordRow>> {
  const { pattern, minCount = 1, minReferenceCount = 0, minDocuments = 0 } = options;
  const { measures, smoothing } = keynessOf(options);
  const { focus, reference, sizes } = await facing(desk, options, smoothing);
  const { checkpoint } = desk;
  const types = await typesOf(desk, options.attribute);
  const others = await referenceTypes(reference.desk, options.attribute);
  const counts = await typeCounts(desk, types, focus);
  const documents = await typeDocuments(desk, types, focus);
  const inReference = await typeCounts(reference.desk, others, reference.subcorpus);
  await desk.turn();
  const referenceCounts = countsOfOthers(types, others, inReference, checkpoint);
  await desk.turn();
  const marks = pattern === undefined ? undefined : types.matching(pattern);
  const candidates = new Uint32Array(types.size);
  const scores = new Float64Array(types.size);
  let found = 0;
  for (const [from, to] of pieces(types.size, checkpoint)) {
    for (let type = from; type < to; type++) {
      const [count, other] = [counts[type], referenceCounts[type]];
      if (count === 0 || count < minCount || other < minReferenceCount) continue;
      if (documents[type] < minDocuments || (marks && !marks[type])) continue;
      scores[found] = keyness(measures[0], count, other, sizes);
      candidates[found++] = type;
    }
  }
  const compare = (a: number, b: number) => counts[b] - counts[a] || types.ranks[a] - types.ranks[b];
  await desk.turn();
  const page = pageOf(candidates.subarray(0, found), scores.subarray(0, found), compare, options, checkpoint);
  return {
    corpus: desk.snapshot.citation,
    reference: reference.desk.snapshot.citation,
    types: found,
    tokens: sizes.focus,
    referenceTokens: sizes.reference,
    notices: documentNotices(desk),
    rows: mapped(
      page.rows,
      (type) => ({
        value: types.text(type),
        count: counts[type],
        documents: documents[type],
        ...keyColumns(measures, counts[type], referenceCounts[type], sizes),
      }),
      checkpoint,
    ),
  };
}

/** The two bodies of text that options name. */
export async function facing(
  desk: Desk,
  options: { subcorpus?: string | SubcorpusDefinition; reference: Reference },
  smoothing: number,
): Promise<{ focus?: Subcorpus; reference: { desk: Desk; subcorpus?: Subcorpus }; sizes: Sizes }> {
  const part = (of: Desk, subcorpus: string | SubcorpusDefinition | undefined) =>
    subcorpus === undefined ? undefined : resolveSubcorpus(of, subcorpus);
  const focus = await part(desk, options.subcorpus);
  const subcorpus = await part(options.reference.desk, options.reference.subcorpus);
  const reference = { desk: options.reference.desk, subcorpus };
  const sizes = { focus: tokensOf(desk, focus), reference: tokensOf(reference.desk, subcorpus), smoothing };
  for (const [what, tokens] of [
    ["focus", sizes.focus],
    ["reference", sizes.reference],
  ] as const)
    if (tokens === 0) throw new DugongError("nothing_to_compare", `there are no tokens in the ${what}`);
  return { focus, reference, sizes };
}

/** The types of the reference under the same name. */
export async function referenceTypes(desk: Desk, name: string): Promise<Types> {
  try {
    return await typesOf(desk, name);
  } catch (error) {
    if (!(error instanceof DugongError) || error.code !== "unknown_attribute") throw error;
    const { corpus, attributes } = desk.snapshot;
    throw new DugongError(
      "unknown_attribute",
      `the reference ${corpus} has no attribute ${JSON.stringify(name)} (it has ${attributes.map((one) => one.name).join(", ")})`,
      "Compare by an attribute that both corpora have.",
    );
  }
}

/** For each type, what is counted of the same text elsewhere. */
function countsOfOthers(
  types: Types,
  others: Types,
  counts: Float64Array,
  checkpoint: () => void,
): Float64Array {
  const met = meeting(types, others, checkpoint);
  return column(met, (other) => (other === NO_TYPE ? 0 : counts[other]), checkpoint);
}
