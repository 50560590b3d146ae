/**
 * Computed word sketches, as the catalogue keeps them: of one snapshot each, several under names of their own.
 *
 *   ["sketches", corpus, snapshot, name]   SketchesRecord
 *   ["sketching", corpus, name]            SketchingRecord: who computes them, in which folder
 *
 * They go when their snapshot does, but for the last ones of each name: what is appended is computed alone and merged with them.
 * Compaction hands them on to its snapshot, so that two records may name one file.
 */
import { DugongError } from "../errors.js";
import type { Catalog } from "./catalog.js";
import type { NumberedFile } from "./numbered.js";
import { identify, isRunning, type ProcessIdentity } from "./process.js";

/** Of the file of sketches, and of the file of a thesaurus. */
export const sketchVersion = 2;
export const thesaurusVersion = 1;

export interface SketchesRecord extends NumberedFile {
  /** Of the file's format; those of another are not there for anybody who asks. */
  version?: number;
  name: string;
  snapshot: number;
  /** Name of the grammar's file. */
  grammar: string;
  /** Of what it says, of the heads, and of the corpus as it was encoded: appends leave it as it is. */
  fingerprint: string;
  /** The job that encoded the corpus anew. */
  origin: number;
  heads: string;
  tokens: number;
  relations: number;
  triples: number;
  occurrences: number;
  created: string;
  /** What words are similar, if that was computed. */
  thesaurus?: ThesaurusRecord;
}

export interface ThesaurusRecord extends NumberedFile {
  /** Of how many heads, which are so often in relations, and of each at most so many neighbours. */
  heads: number;
  minCount: number;
  limit: number;
  neighbours: number;
  created: string;
}

export function sketchesRecords(catalog: Catalog, corpus: string, snapshot?: number): SketchesRecord[] {
  const [from, to] = snapshot === undefined ? [0, Number.MAX_SAFE_INTEGER] : [snapshot, snapshot + 1];
  const range = { start: ["sketches", corpus, from], end: ["sketches", corpus, to] };
  return [...catalog.database.getRange(range)].map(({ value }) => value as SketchesRecord);
}

/** Those of a name; without one, those called default, or else the only ones there are. */
export function findSketches(
  catalog: Catalog,
  corpus: string,
  snapshot: number,
  asked?: string,
): SketchesRecord {
  const all = asked === undefined ? sketchesRecords(catalog, corpus, snapshot) : [];
  const name = asked ?? (all.length === 1 ? all[0].name : "default");
  const record = catalog.database.get(["sketches", corpus, snapshot, name]) as SketchesRecord | undefined;
  if (record?.version === sketchVersion) return record;
  const names = sketchesRecords(catalog, corpus, snapshot).map((one) => one.name);
  const own = name === "default" ? "" : ` --name ${name}`;
  const why = record
    ? `those of ${corpus}@${snapshot} are of another version of the format`
    : `${corpus}@${snapshot}${names.length > 0 ? ` has ${names.join(", ")}, not ${name}` : ""}`;
  throw new DugongError(
    "no_sketches",
    `no sketches computed for this snapshot: ${why}`,
    `Compute them with \`dugong sketch-compute ${corpus} --grammar FILE${own}\`${names.length > 0 && !record ? `, or ask others with --sketches: ${names.join(", ")}` : ""}.`,
  );
}

/** Inside a transaction: names sketches in the place of those before; returns these. Not if the snapshot is gone. */
export function putSketches(
  catalog: Catalog,
  corpus: string,
  record: SketchesRecord,
): { named: boolean; before?: SketchesRecord } {
  const { database } = catalog;
  const { snapshot, name } = record;
  if (!database.doesExist(["snapshot", corpus, snapshot])) return { named: false };
  const before = database.get(["sketches", corpus, snapshot, name]) as SketchesRecord | undefined;
  database.putSync(["sketches", corpus, snapshot, name], record);
  return { named: true, before };
}

/** The files that records name. */
export function filesOfSketches(records: readonly SketchesRecord[]): NumberedFile[] {
  return records.flatMap((record) => (record.thesaurus ? [record, record.thesaurus] : [record]));
}

/** Files of records that are gone, without those that others still name. */
export function unnamedSketches(catalog: Catalog, corpus: string, gone: SketchesRecord[]): NumberedFile[] {
  const named = new Set(filesOfSketches(sketchesRecords(catalog, corpus)).map(({ file }) => file));
  return filesOfSketches(gone).filter(({ file }) => !named.has(file));
}

/**
 * Inside a transaction: sketches have a thesaurus, of whichever snapshots they are; returns the records as they were before. None if
 * nobody names that file of sketches any more.
 */
export function putThesaurus(
  catalog: Catalog,
  corpus: string,
  sketches: string,
  thesaurus: ThesaurusRecord,
): SketchesRecord[] {
  const own = sketchesRecords(catalog, corpus).filter(({ file }) => file === sketches);
  for (const record of own)
    catalog.database.putSync(["sketches", corpus, record.snapshot, record.name], { ...record, thesaurus });
  return own;
}

/** Inside a transaction: the sketches of one snapshot are those of another, too, which has the same tokens. */
export function carrySketches(catalog: Catalog, corpus: string, from: number, to: number): void {
  for (const record of sketchesRecords(catalog, corpus, from))
    catalog.database.putSync(["sketches", corpus, to, record.name], { ...record, snapshot: to });
}

/**
 * Forgets the sketches of snapshots that are gone, but for those that an append can go on with: the last of each name, of the
 * corpus as it was encoded last. Inside a transaction.
 */
export function pruneSketches(
  catalog: Catalog,
  corpus: string,
  kept: { snapshot: number; origin?: number }[],
): void {
  const origin = kept.at(-1)?.origin ?? 0;
  const all = sketchesRecords(catalog, corpus);
  for (const { snapshot, name, ...record } of all) {
    if (kept.some((manifest) => manifest.snapshot === snapshot)) continue;
    const isLast = !all.some((other) => other.name === name && other.snapshot > snapshot);
    if (!isLast || record.origin !== origin)
      catalog.database.removeSync(["sketches", corpus, snapshot, name]);
  }
}

export interface SketchingRecord {
  /** In the corpus's folder "sketching". */
  folder: string;
  snapshot: number;
  process: ProcessIdentity;
}

/** What this process is at: another thread of calls is kept out as another process is. */
const underWay = new Set<string>();

/** Takes a name for computing; another process that has it is an error. Returns how to give it back. */
export function beginSketching(
  catalog: Catalog,
  corpus: string,
  name: string,
  own: Omit<SketchingRecord, "process">,
): { release(options: { forget: boolean }): void } {
  const { database } = catalog;
  const key = ["sketching", corpus, name];
  const known = JSON.stringify([catalog.folder, corpus, name]);
  database.transactionSync(() => {
    const held = database.get(key) as SketchingRecord | undefined;
    const isOurs = held?.process.pid === process.pid;
    if (underWay.has(known) || (held && !isOurs && isRunning(held.process)))
      throw new DugongError(
        "sketches_busy",
        `sketches ${name} of ${corpus} are being computed by process ${held?.process.pid ?? process.pid}`,
        "Wait until it is done, or compute others beside them with --name.",
      );
    database.putSync(key, { ...own, process: identify() } satisfies SketchingRecord);
  });
  underWay.add(known);
  return {
    release({ forget }) {
      underWay.delete(known);
      if (forget) database.removeSync(key);
    },
  };
}

/**
 * Folders of computations that go on, or may be gone on with: of a process that runs, or of the current snapshot. Records of
 * others are forgotten.
 */
export function sketchingFolders(catalog: Catalog, corpus: string): Set<string> {
  const { database } = catalog;
  return database.transactionSync(() => {
    const kept = new Set<string>();
    const range = { start: ["sketching", corpus], end: ["sketching", `${corpus}\u0001`] };
    for (const { key, value } of [...database.getRange(range)]) {
      const { folder, snapshot, process: own } = value as SketchingRecord;
      if (isRunning(own) || snapshot === catalog.current(corpus)) kept.add(folder);
      else database.removeSync(key);
    }
    return kept;
  });
}

/** Forgets the sketches of that name, of all snapshots. */
export function removeSketches(catalog: Catalog, corpus: string, name: string): SketchesRecord[] {
  catalog.checkWritable();
  const removed = catalog.database.transactionSync(() => {
    const own = sketchesRecords(catalog, corpus).filter((record) => record.name === name);
    for (const { snapshot } of own) catalog.database.removeSync(["sketches", corpus, snapshot, name]);
    return own;
  });
  if (removed.length === 0)
    throw new DugongError(
      "no_sketches",
      `corpus ${corpus} has no sketches ${name}`,
      `\`dugong sketches ${corpus}\` lists those there are.`,
    );
  catalog.removeParts(corpus, unnamedSketches(catalog, corpus, removed));
  return removed;
}
