/**
 * Spaces, as the catalogue keeps them: of one snapshot each, several under names of their own. A space is a list of segments, each a file; what is
 * appended to a corpus becomes one more.
 *
 *   ["spaces", corpus, snapshot, name]   SpaceRecord
 *   ["spacing", corpus, name]            BuildingRecord: who builds it, in which folder
 *
 * They go when their snapshot does, but for the last one of each name: what is appended is added to it. Segments are shared by the records that
 * name them. Compaction leaves units and their numbers as they were, and hands spaces on.
 */
import { DugongError } from "../errors.js";
import type { DimensionRecord } from "../space/dimensions.js";
import type { Catalog } from "./catalog.js";
import type { NumberedFile } from "./numbered.js";
import { identify, isRunning, type ProcessIdentity } from "./process.js";

export interface SpaceSegmentRecord extends NumberedFile {
  points: number;
  /** Number of its first unit, and how many there are. */
  unitBase: number;
  units: number;
}

export interface SpaceRecord {
  name: string;
  snapshot: number;
  unit: string;
  dimensions: DimensionRecord[];
  /** Of what was asked for, and of the corpus as it was encoded: appends leave it as it is. */
  fingerprint: string;
  /** The job that encoded the corpus anew. */
  origin: number;
  /** Units of these tokens are in it. */
  tokens: number;
  points: number;
  units: number;
  /** Values beyond the ends of a scale, which have its first or its last coordinate; by dimension. */
  beyond: number[];
  segments: SpaceSegmentRecord[];
  created: string;
}

export function spaceRecords(catalog: Catalog, corpus: string, snapshot?: number): SpaceRecord[] {
  const [from, to] = snapshot === undefined ? [0, Number.MAX_SAFE_INTEGER] : [snapshot, snapshot + 1];
  const range = { start: ["spaces", corpus, from], end: ["spaces", corpus, to] };
  return [...catalog.database.getRange(range)].map(({ value }) => value as SpaceRecord);
}

export function spaceRecord(
  catalog: Catalog,
  corpus: string,
  snapshot: number,
  name: string,
): SpaceRecord | undefined {
  return catalog.database.get(["spaces", corpus, snapshot, name]) as SpaceRecord | undefined;
}

export function noSpace(catalog: Catalog, corpus: string, snapshot: number, name: string): DugongError {
  const names = spaceRecords(catalog, corpus, snapshot).map((one) => one.name);
  const own = name === "default" ? "" : ` --name ${name}`;
  return new DugongError(
    "no_space",
    `no space ${name} for this snapshot: ${corpus}@${snapshot} has ${names.join(", ") || "none"}`,
    `Build it with \`dugong space-build ${corpus} --unit doc --dimensions word,…${own}\`.`,
  );
}

/** Inside a transaction: names a space in the place of the one before. Not if the snapshot is gone. */
export function putSpace(
  catalog: Catalog,
  corpus: string,
  record: SpaceRecord,
): { named: boolean; before?: SpaceRecord } {
  const { snapshot, name } = record;
  if (!catalog.database.doesExist(["snapshot", corpus, snapshot])) return { named: false };
  const before = spaceRecord(catalog, corpus, snapshot, name);
  catalog.database.putSync(["spaces", corpus, snapshot, name], record);
  return { named: true, before };
}

/** Files of records that are gone, without those that others still name. */
export function unnamedSpaceFiles(catalog: Catalog, corpus: string, gone: SpaceRecord[]): NumberedFile[] {
  const named = new Set(
    spaceRecords(catalog, corpus).flatMap(({ segments }) => segments.map(({ file }) => file)),
  );
  return gone.flatMap(({ segments }) => segments).filter(({ file }) => !named.has(file));
}

/** Inside a transaction: the spaces of one snapshot are those of another, too, which has the same tokens. */
export function carrySpaces(catalog: Catalog, corpus: string, from: number, to: number): void {
  for (const record of spaceRecords(catalog, corpus, from))
    catalog.database.putSync(["spaces", corpus, to, record.name], { ...record, snapshot: to });
}

/** Forgets the spaces of snapshots that are gone, but for those that an append can go on with. Inside a transaction. */
export function pruneSpaces(
  catalog: Catalog,
  corpus: string,
  kept: { snapshot: number; origin?: number }[],
): void {
  const origin = kept.at(-1)?.origin ?? 0;
  const all = spaceRecords(catalog, corpus);
  for (const { snapshot, name, ...record } of all) {
    if (kept.some((manifest) => manifest.snapshot === snapshot)) continue;
    const isLast = !all.some((other) => other.name === name && other.snapshot > snapshot);
    if (!isLast || record.origin !== origin) catalog.database.removeSync(["spaces", corpus, snapshot, name]);
  }
}

/** Forgets the space of that name, of all snapshots. */
export function removeSpace(catalog: Catalog, corpus: string, name: string): SpaceRecord[] {
  catalog.checkWritable();
  const removed = catalog.database.transactionSync(() => {
    const own = spaceRecords(catalog, corpus).filter((record) => record.name === name);
    for (const { snapshot } of own) catalog.database.removeSync(["spaces", corpus, snapshot, name]);
    return own;
  });
  if (removed.length === 0)
    throw new DugongError(
      "no_space",
      `corpus ${corpus} has no space ${name}`,
      `\`dugong spaces ${corpus}\` lists those there are.`,
    );
  catalog.removeParts(corpus, unnamedSpaceFiles(catalog, corpus, removed));
  return removed;
}

interface BuildingRecord {
  /** In the corpus's folder "spacing". */
  folder: string;
  snapshot: number;
  process: ProcessIdentity;
}

/** What this process is at: another call is kept out as another process is. */
const underWay = new Set<string>();

/** Takes a name for building; another process that has it is an error. Returns how to give it back. */
export function beginBuilding(
  catalog: Catalog,
  corpus: string,
  name: string,
  own: Omit<BuildingRecord, "process">,
): { release(options: { forget: boolean }): void } {
  const { database } = catalog;
  const key = ["spacing", corpus, name];
  const known = JSON.stringify([catalog.folder, corpus, name]);
  database.transactionSync(() => {
    const held = database.get(key) as BuildingRecord | undefined;
    const isOurs = held?.process.pid === process.pid;
    if (underWay.has(known) || (held && !isOurs && isRunning(held.process)))
      throw new DugongError(
        "space_busy",
        `space ${name} of ${corpus} is being built by process ${held?.process.pid ?? process.pid}`,
        "Wait until it is done, or build another beside it with --name.",
      );
    database.putSync(key, { ...own, process: identify() } satisfies BuildingRecord);
  });
  underWay.add(known);
  return {
    release({ forget }) {
      underWay.delete(known);
      if (forget) database.removeSync(key);
    },
  };
}

/** Folders of builds that go on, or may be gone on with. Records of others are forgotten. */
export function buildingFolders(catalog: Catalog, corpus: string): Set<string> {
  const { database } = catalog;
  return database.transactionSync(() => {
    const kept = new Set<string>();
    const range = { start: ["spacing", corpus], end: ["spacing", `${corpus}\u0001`] };
    for (const { key, value } of [...database.getRange(range)]) {
      const { folder, snapshot, process: own } = value as BuildingRecord;
      if (isRunning(own) || snapshot === catalog.current(corpus)) kept.add(folder);
      else database.removeSync(key);
    }
    return kept;
  });
}
