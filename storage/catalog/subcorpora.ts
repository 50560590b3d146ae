/**
 * Subcorpora that have names, as the catalogue keeps them.
 *
 *   ["subcorpus", corpus, name]       {id, created}
 *   ["definition", corpus, id]        how it is made, as JSON: ql/subcorpus/definition.ts
 *   ["ranges", corpus, snapshot, id]  what that comes to in a snapshot: sizes, and the file with the ranges
 *
 * A definition is there as long as its name is; ranges go when their snapshot does.
 */
import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import { limits } from "../limits.js";
import type { Catalog } from "./catalog.js";
import type { NumberedFile } from "./numbered.js";

export interface SubcorpusRecord {
  name: string;
  /** Another subcorpus that gets the name later has another one. */
  id: number;
  created: string;
}

export interface SubcorpusSizes {
  tokens: number;
  ranges: number;
  /** Documents that have a token in it; −1 where the corpus has no documents. */
  documents: number;
}

export interface RangesRecord extends SubcorpusSizes, NumberedFile {
  id: number;
  snapshot: number;
  created: string;
}

/** A subcorpus's name: letters, digits, "_", "-" and ".", as a corpus's. */
export function checkSubcorpusName(name: string): string {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) && name.length <= limits.subcorpusNameCharsMax)
    return name;
  throw new DugongError(
    "bad_name",
    `${JSON.stringify(name)} cannot be the name of a subcorpus`,
    `Use up to ${limits.subcorpusNameCharsMax} letters, digits, "_", "-" and ".", beginning with a letter, a digit or "_".`,
  );
}

/** By name. */
export function subcorpusRecords(catalog: Catalog, corpus: string): SubcorpusRecord[] {
  const range = { start: ["subcorpus", corpus], end: ["subcorpus", `${corpus}\u0001`] };
  return [...catalog.database.getRange(range)].map(({ value }) => value as SubcorpusRecord);
}

export function findSubcorpus(catalog: Catalog, corpus: string, name: string): SubcorpusRecord {
  const record = catalog.database.get(["subcorpus", corpus, name]) as SubcorpusRecord | undefined;
  if (record) return record;
  const names = subcorpusRecords(catalog, corpus).map((one) => one.name);
  const near = nearestName(name, names);
  throw new DugongError(
    "no_subcorpus",
    `corpus ${corpus} has no subcorpus ${name}${names.length > 0 && names.length <= 20 ? ` (it has ${names.join(", ")})` : ""}`,
    near
      ? `Did you mean ${near}?`
      : `\`dugong subcorpus list ${corpus}\` lists those there are, \`dugong subcorpus create ${corpus} ${name}\` makes one.`,
  );
}

export function definitionOf(catalog: Catalog, corpus: string, { id }: SubcorpusRecord): unknown {
  return catalog.database.get(["definition", corpus, id]);
}

/** What is stored of the subcorpora of a corpus, snapshot by snapshot. */
export function rangesRecords(catalog: Catalog, corpus: string, snapshot?: number): RangesRecord[] {
  const [from, to] = snapshot === undefined ? [0, Number.MAX_SAFE_INTEGER] : [snapshot, snapshot + 1];
  const range = { start: ["ranges", corpus, from], end: ["ranges", corpus, to] };
  return [...catalog.database.getRange(range)].map(({ value }) => value as RangesRecord);
}

export function rangesRecord(
  catalog: Catalog,
  corpus: string,
  snapshot: number,
  id: number,
): RangesRecord | undefined {
  return catalog.database.get(["ranges", corpus, snapshot, id]) as RangesRecord | undefined;
}

/** Refuses a name that is taken. */
export function checkFree(catalog: Catalog, corpus: string, name: string): void {
  if (!catalog.database.doesExist(["subcorpus", corpus, name])) return;
  throw new DugongError(
    "subcorpus_exists",
    `corpus ${corpus} has a subcorpus ${name} already`,
    "Give it another name, or use --replace to put this in its place.",
  );
}

/** Inside a transaction: gives a name to a definition. Returns also the files of the one that had it before. */
export function putSubcorpus(
  catalog: Catalog,
  corpus: string,
  name: string,
  definition: unknown,
): { record: SubcorpusRecord; dropped: RangesRecord[] } {
  const { database } = catalog;
  const before = database.get(["subcorpus", corpus, name]) as SubcorpusRecord | undefined;
  const dropped = before ? dropSubcorpus(catalog, corpus, before) : [];
  const record = { name, id: catalog.takeNumber(corpus), created: new Date().toISOString() };
  database.putSync(["subcorpus", corpus, name], record);
  database.putSync(["definition", corpus, record.id], definition);
  return { record, dropped };
}

/** Inside a transaction: names the ranges of a subcorpus in a snapshot. Not if either is gone, or they are there. */
export function putRanges(catalog: Catalog, corpus: string, name: string, record: RangesRecord): boolean {
  const { database } = catalog;
  const { id, snapshot } = record;
  const current = database.get(["subcorpus", corpus, name]) as SubcorpusRecord | undefined;
  if (current?.id !== id || !database.doesExist(["snapshot", corpus, snapshot])) return false;
  if (rangesRecord(catalog, corpus, snapshot, id)) return false;
  database.putSync(["ranges", corpus, snapshot, id], record);
  return true;
}

export function removeSubcorpus(catalog: Catalog, corpus: string, name: string): void {
  catalog.checkWritable();
  const files = catalog.database.transactionSync(() =>
    dropSubcorpus(catalog, corpus, findSubcorpus(catalog, corpus, name)),
  );
  catalog.removeParts(corpus, files);
}

function dropSubcorpus(catalog: Catalog, corpus: string, { id, name }: SubcorpusRecord): RangesRecord[] {
  const { database } = catalog;
  const own = rangesRecords(catalog, corpus).filter((ranges) => ranges.id === id);
  for (const { snapshot } of own) database.removeSync(["ranges", corpus, snapshot, id]);
  database.removeSync(["definition", corpus, id]);
  database.removeSync(["subcorpus", corpus, name]);
  return own;
}
