/** Subcorpora with names: saved, kept for one more snapshot, and read again. */
import { join } from "node:path";
import type { Catalog } from "../catalog/catalog.js";
import { writeNumbered } from "../catalog/numbered.js";
import {
  checkFree,
  checkSubcorpusName,
  putRanges,
  putSubcorpus,
  type RangesRecord,
  rangesRecord,
  type SubcorpusRecord,
  type SubcorpusSizes,
} from "../catalog/subcorpora.js";
import { readRanges, type StoredRanges, writeRanges } from "./ranges.js";

export interface SavedSubcorpus {
  corpus: string;
  snapshot: number;
  name: string;
  definition: unknown;
  sizes: SubcorpusSizes;
  ranges: StoredRanges;
}

/** Saves a definition under a name, with what it comes to in a snapshot: both are there, or neither. */
export async function saveSubcorpus(
  catalog: Catalog,
  { corpus, snapshot, name, definition, sizes, ranges }: SavedSubcorpus,
  replace: boolean,
): Promise<SubcorpusRecord> {
  catalog.checkWritable();
  checkSubcorpusName(name);
  let saved: SubcorpusRecord | undefined;
  let before: RangesRecord[] = [];
  await writeNumbered(
    catalog,
    corpus,
    "ranges",
    (path) => writeRanges(path, ranges),
    (file) => {
      if (!replace) checkFree(catalog, corpus, name);
      const { record, dropped } = putSubcorpus(catalog, corpus, name, definition);
      saved = record;
      before = dropped;
      return putRanges(catalog, corpus, name, { ...sizes, ...file, ...placeOf(record, snapshot) });
    },
  );
  catalog.removeParts(corpus, before);
  return saved as SubcorpusRecord;
}

function placeOf({ id }: SubcorpusRecord, snapshot: number) {
  return { id, snapshot, created: new Date().toISOString() };
}

/** Keeps what a subcorpus comes to in one more snapshot. */
export function keepRanges(
  catalog: Catalog,
  corpus: string,
  snapshot: number,
  record: SubcorpusRecord,
  sizes: SubcorpusSizes,
  ranges: StoredRanges,
): Promise<void> {
  return writeNumbered(
    catalog,
    corpus,
    "ranges",
    (path) => writeRanges(path, ranges),
    (file) => putRanges(catalog, corpus, record.name, { ...sizes, ...file, ...placeOf(record, snapshot) }),
  );
}

/** What is stored of a subcorpus for a snapshot, or undefined. */
export function loadRanges(
  catalog: Catalog,
  corpus: string,
  snapshot: number,
  { id }: SubcorpusRecord,
): StoredRanges | undefined {
  const record = rangesRecord(catalog, corpus, snapshot, id);
  return record && readRanges(join(catalog.partsFolder(corpus), record.file));
}
