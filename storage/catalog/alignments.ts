/**
 * Alignments between two corpora, as the catalogue keeps them: one for a pair of corpora, in the folder of the first.
 *
 *   ["alignment", first, second]   AlignmentRecord
 *
 * Structures are told by their numbers, which an append leaves as they are. A corpus that was encoded anew has another
 * `origin`: numbers of before mean nothing there.
 */
import { DugongError } from "../errors.js";
import type { Catalog } from "./catalog.js";
import type { NumberedFile } from "./numbered.js";

/** What an alignment says of one of its corpora. */
export interface AlignedSide {
  corpus: string;
  snapshot: number;
  origin: number;
  structure: string;
  /** The attribute whose values were matched, or that a file told structures by. */
  attribute?: string;
}

export interface AlignmentRecord extends NumberedFile {
  first: string;
  second: string;
  created: string;
  /** match: structures with the same value of an attribute; file: as somebody has written down. */
  kind: "match" | "file";
  sides: [AlignedSide, AlignedSide];
  /** How many rows: structures here that belong to structures there. */
  beads: number;
}

export function alignmentsOf(catalog: Catalog, corpus?: string): AlignmentRecord[] {
  const range = { start: ["alignment"], end: ["alignment\u0001"] };
  const all = [...catalog.database.getRange(range)].map(({ value }) => value as AlignmentRecord);
  return corpus === undefined
    ? all
    : all.filter(({ first, second }) => first === corpus || second === corpus);
}

/** The alignment of two corpora, whichever was named first when it was made. */
export function findAlignment(catalog: Catalog, a: string, b: string): AlignmentRecord | undefined {
  const { database } = catalog;
  return (database.get(["alignment", a, b]) ?? database.get(["alignment", b, a])) as
    | AlignmentRecord
    | undefined;
}

/** Inside a transaction: names an alignment in the place of the one before; returns that. */
export function putAlignment(catalog: Catalog, record: AlignmentRecord): AlignmentRecord | undefined {
  const before = findAlignment(catalog, record.first, record.second);
  if (before) catalog.database.removeSync(["alignment", before.first, before.second]);
  catalog.database.putSync(["alignment", record.first, record.second], record);
  return before;
}

export function removeAlignment(catalog: Catalog, a: string, b: string): AlignmentRecord {
  catalog.checkWritable();
  const removed = catalog.database.transactionSync(() => {
    const record = findAlignment(catalog, a, b);
    if (!record) throw noAlignment(catalog, a, b);
    catalog.database.removeSync(["alignment", record.first, record.second]);
    return record;
  });
  catalog.removeParts(removed.first, [removed]);
  return removed;
}

export function noAlignment(catalog: Catalog, a: string, b: string): DugongError {
  const others = alignmentsOf(catalog, a).map(({ first, second }) => (first === a ? second : first));
  return new DugongError(
    "no_alignment",
    `${a} is not aligned with a corpus ${JSON.stringify(b)}${others.length > 0 ? ` (it is with ${others.join(", ")})` : ""}`,
    catalog.corpora().includes(b)
      ? `Align them with \`dugong align ${a} ${b}\`.`
      : "`dugong align list` shows which corpora are aligned.",
  );
}
