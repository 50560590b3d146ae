/** Removes files of a corpus that no snapshot names. Only for whoever holds the corpus for writing. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { alignmentsOf } from "./alignments.js";
import type { Catalog } from "./catalog.js";
import { partEndings } from "./numbered.js";
import { isRunning, type ProcessIdentity } from "./process.js";
import { sketchesRecords, sketchingFolders } from "./sketches.js";
import { buildingFolders, spaceRecords } from "./spaces.js";
import { rangesRecords } from "./subcorpora.js";

/** `job`: a job whose files are kept, though nothing names them yet. */
export function sweep(catalog: Catalog, corpus: string, job?: number): void {
  const folder = catalog.corpusFolder(corpus);
  if (!existsSync(folder)) return;
  const manifests = catalog.prune(corpus);
  const segments = new Set<string>();
  const lexicons = new Set<string>();
  for (const manifest of manifests) {
    for (const { id } of manifest.segments) segments.add(id);
    for (const record of Object.values(manifest.lexicons)) {
      for (const { file } of [...record.generations, record.statistics, ...(record.maps ?? [])])
        lexicons.add(file);
    }
  }
  clear(join(folder, "segments"), (name) => segments.has(name) || name.startsWith(`${job}.`));
  clear(join(folder, "lexicon"), (name) => lexicons.has(name) || name.includes(`.${job}.`));
  clear(join(folder, "work"), (name) => name === String(job));
  sweepParts(catalog, corpus);
  sweepUnfinished(join(folder, "sketching"), () => sketchingFolders(catalog, corpus));
  sweepUnfinished(join(folder, "spacing"), () => buildingFolders(catalog, corpus));
  if (manifests.length === 0 && job === undefined) rmSync(folder, { recursive: true, force: true });
}

function clear(folder: string, keep: (name: string) => boolean): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!keep(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Removes what is left of computations of sketches, and of builds of spaces, that nobody can go on with. */
function sweepUnfinished(folder: string, foldersKept: () => Set<string>): void {
  if (!existsSync(folder)) return;
  const there = readdirSync(folder);
  const kept = foldersKept();
  for (const name of there) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Removes files of subcorpora, alignments, sketches and spaces that no record names and nobody is writing (numbered.ts). */
function sweepParts(catalog: Catalog, corpus: string): void {
  const folder = catalog.partsFolder(corpus);
  if (!existsSync(folder)) return;
  // First what is there, then what is named: a file that appears in between is not looked at.
  const there = readdirSync(folder);
  const kept = namedParts(catalog, corpus);
  for (const name of there) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
}

function namedParts(catalog: Catalog, corpus: string): Set<string> {
  const { database } = catalog;
  return database.transactionSync(() => {
    const kept = new Set<string>();
    const range = { start: ["writing", corpus], end: ["writing", `${corpus}\u0001`] };
    for (const { key, value } of [...database.getRange(range)]) {
      if (isRunning(value as ProcessIdentity))
        for (const ending of partEndings) kept.add(`${key[2]}.${ending}`);
      else database.removeSync(key);
    }
    for (const { file } of rangesRecords(catalog, corpus)) kept.add(file);
    for (const { file } of sketchesRecords(catalog, corpus)) kept.add(file);
    for (const { segments } of spaceRecords(catalog, corpus)) for (const { file } of segments) kept.add(file);
    for (const { first, file } of alignmentsOf(catalog, corpus)) if (first === corpus) kept.add(file);
    return kept;
  });
}

/** Makes the names in a folder safe, as fsync makes the bytes of a file. */
export function syncFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
