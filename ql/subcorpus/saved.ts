/** Subcorpora with names: made, listed, described and removed, as people and programs ask for it. */
import {
  checkFree,
  checkSubcorpusName,
  type SubcorpusRecord,
  type SubcorpusSizes,
} from "../../storage/index.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { findStructure } from "../plan/names.js";
import { checkDefinition, describeDefinition, type SubcorpusDefinition, withoutNames } from "./definition.js";
import { limits } from "./limits.js";
import { resolveSubcorpus, sizesOf } from "./resolve.js";
import { structuresWithValues } from "./structures.js";

export interface SubcorpusInfo {
  name: string;
  kind: SubcorpusDefinition["kind"];
  /** The definition in a few words. */
  description: string;
  created: string;
  /** In this snapshot, or else in the latest one for which that is known; null where it is for none. */
  size: SubcorpusSize | null;
}

export interface SubcorpusSize {
  snapshot: number;
  tokens: number;
  /** Of the snapshot's tokens, from 0 to 1. */
  share: number;
  /** null where the corpus has no documents. */
  documents: number | null;
  ranges: number;
}

export interface CreateOptions {
  /** Take the name from a subcorpus that has it. */
  replace?: boolean;
}

/**
 * Saves a definition under a name, with its ranges in this snapshot. Names in it are replaced by what they mean now: a
 * subcorpus does not change when one that it was made of does.
 */
export async function createSubcorpus(
  desk: Desk,
  name: string,
  definition: SubcorpusDefinition,
  { replace = false }: CreateOptions = {},
): Promise<SubcorpusInfo & { notices: Notice[] }> {
  const { subcorpora, snapshot } = desk;
  checkSubcorpusName(name);
  subcorpora.catalog.checkWritable();
  if (!replace) checkFree(subcorpora.catalog, snapshot.corpus, name);
  const whole = withoutNames(checkDefinition(definition), (other) =>
    subcorpora.definition(subcorpora.find(other)),
  );
  const part = await resolveSubcorpus(desk, whole);
  const sizes = sizesOf(desk, part);
  const record = await subcorpora.save(name, whole, part, sizes, replace);
  // Results of what had the name before mean something else now.
  if (replace) desk.results.clear();
  const notices = noticesOf(desk, whole);
  if (part.tokens === 0) notices.push({ code: "empty_subcorpus", message: `${name} has no tokens` });
  return { ...infoOf(desk, record, sizeOf(desk, sizes, snapshot.number)), notices };
}

/** What a list of values has in vain. */
function noticesOf({ snapshot }: Desk, definition: SubcorpusDefinition): Notice[] {
  if (definition.kind !== "values") return [];
  const { structure, attribute, values } = definition;
  const { missing } = structuresWithValues(snapshot, findStructure(snapshot, structure), attribute, values);
  if (missing.length === 0) return [];
  const shown = missing.slice(0, limits.missingShownMax).map((value) => JSON.stringify(value));
  if (missing.length > shown.length) shown.push("…");
  const count = `${missing.length.toLocaleString("en")} of ${values.length.toLocaleString("en")} values`;
  return [
    { code: "unknown_values", message: `${count} are of no ${structure}.${attribute}: ${shown.join(", ")}` },
  ];
}

/** By name. */
export function listSubcorpora(desk: Desk): SubcorpusInfo[] {
  const { subcorpora, snapshot } = desk;
  const sizes = subcorpora.sizes();
  return subcorpora.list().map((record) => {
    const known = sizes.filter(({ id }) => id === record.id);
    const own = known.find((one) => one.snapshot === snapshot.number) ?? known.at(-1);
    return infoOf(desk, record, own && sizeOf(desk, own, own.snapshot));
  });
}

/** One of them, in this snapshot: it is computed for it if it was not yet. */
export async function subcorpusInfo(
  desk: Desk,
  name: string,
): Promise<SubcorpusInfo & { definition: SubcorpusDefinition }> {
  const record = desk.subcorpora.find(name);
  const part = await resolveSubcorpus(desk, name);
  const size = sizeOf(desk, sizesOf(desk, part), desk.snapshot.number);
  return { ...infoOf(desk, record, size), definition: desk.subcorpora.definition(record) };
}

function infoOf(desk: Desk, record: SubcorpusRecord, size: SubcorpusSize | undefined): SubcorpusInfo {
  const definition = desk.subcorpora.definition(record);
  const { name, created } = record;
  return {
    name,
    kind: definition.kind,
    description: describeDefinition(definition),
    created,
    size: size ?? null,
  };
}

function sizeOf(desk: Desk, { tokens, ranges, documents }: SubcorpusSizes, snapshot: number): SubcorpusSize {
  const total = tokensAt(desk, snapshot);
  return {
    snapshot,
    tokens,
    share: total > 0 ? tokens / total : 0,
    documents: documents >= 0 ? documents : null,
    ranges,
  };
}

function tokensAt({ snapshot, subcorpora }: Desk, number: number): number {
  if (number === snapshot.number) return snapshot.tokens;
  return subcorpora.catalog.snapshots(snapshot.corpus).find((one) => one.snapshot === number)?.tokens ?? 0;
}

export function removeSubcorpus(desk: Desk, name: string): void {
  desk.subcorpora.remove(name);
  desk.results.clear();
}
