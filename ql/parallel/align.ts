/** Alignments as people and programs ask for them: made, listed, removed; and what is aligned with a line. */
import {
  type AlignmentRecord,
  alignmentsOf,
  Catalog,
  DugongError,
  findAlignment,
  openCorpus,
  type Snapshot,
} from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { alignedWith, sideOf } from "./aligned.js";
import type { AlignWarning } from "./beads.js";
import { readMapping } from "./mapping.js";
import { type Gathered, matchValues, type Side } from "./match.js";
import { alignmentExists, storeAlignment } from "./store.js";

export interface AlignOptions {
  data: string;
  corpus: string;
  other: string;
  /** Of the first corpus; of the other as well, unless that is named. */
  structure: string;
  otherStructure?: string;
  /** Values that are matched, or that the file tells structures by. */
  attribute?: string;
  otherAttribute?: string;
  /** A mapping that is written down (mapping.ts); without one, values are matched. */
  file?: string;
  /** Take the place of the alignment that there is. */
  replace?: boolean;
}

export interface AlignResult {
  /** "en@1" and "de@1": as they were when they were aligned. */
  corpora: [string, string];
  structures: [string, string];
  kind: "match" | "file";
  /** Rows, and those that have structures on both sides. */
  beads: number;
  pairs: number;
  /** Structures of each side that are in a bead, and how many there are. */
  aligned: [number, number];
  total: [number, number];
  warnings: AlignWarning[];
}

/** Aligns two corpora of a data directory, for both directions. */
export async function alignCorpora(options: AlignOptions): Promise<AlignResult> {
  const { data, corpus, other, file, replace = false } = options;
  if (corpus === other) throw new DugongError("bad_option", "a corpus cannot be aligned with itself");
  const catalog = Catalog.open(data);
  const open: Snapshot[] = [];
  try {
    catalog.checkWritable();
    for (const name of [corpus, other]) open.push(openCorpus({ data, corpus: name, pool: open[0]?.pool }));
    const there = findAlignment(catalog, corpus, other);
    if (there && !replace) throw alignmentExists(there);
    const sides = open.map((snapshot, i) => sideGiven(snapshot, options, i === 1)) as [Side, Side];
    const gathered = file === undefined ? matchValues(sides) : await readMapping(file, sides);
    if (gathered.pairs === 0) throw nothingAligned(gathered, sides);
    const kind = file === undefined ? "match" : "file";
    await storeAlignment(
      catalog,
      {
        first: corpus,
        second: other,
        kind,
        sides: [storedSide(sides[0]), storedSide(sides[1])],
      },
      gathered.beads,
      replace ? "any" : undefined,
    );
    return resultOf(kind, sides, gathered);
  } finally {
    for (const snapshot of open) await snapshot.close();
    await catalog.close();
  }
}

function storedSide({ snapshot, structure, attribute }: Side) {
  return sideOf(snapshot, { structure: structure.name, attribute });
}

function sideGiven(snapshot: Snapshot, options: AlignOptions, isOther: boolean): Side {
  const { structure, attribute, otherStructure = structure, otherAttribute = attribute } = options;
  const name = isOther ? otherAttribute : attribute;
  return {
    snapshot,
    structure: snapshot.structure(isOther ? otherStructure : structure),
    ...(name !== undefined && { attribute: name }),
  };
}

function nothingAligned({ warnings }: Gathered, [a, b]: [Side, Side]): DugongError {
  const [first] = warnings.list();
  const why = first ? `: ${first.message} (${first.count}×, the first: ${first.places[0].what})` : "";
  return new DugongError(
    "nothing_aligned",
    `no ${a.structure.name} of ${a.snapshot.corpus} belongs to a ${b.structure.name} of ${b.snapshot.corpus}${why}`,
    "`dugong align --help` says what a mapping looks like.",
  );
}

function resultOf(
  kind: "match" | "file",
  sides: [Side, Side],
  { beads, pairs, warnings }: Gathered,
): AlignResult {
  const of = <Value>(get: (side: Side, i: 0 | 1) => Value): [Value, Value] => [
    get(sides[0], 0),
    get(sides[1], 1),
  ];
  return {
    corpora: of(({ snapshot }) => snapshot.citation),
    structures: of(({ structure }) => structure.name),
    kind,
    beads: beads.count,
    pairs,
    aligned: of((_, i) => new Set(beads.sides[i].numbers).size),
    total: of(({ structure }) => structure.count),
    warnings: warnings.list(),
  };
}

/** The alignments of a data directory, or those of one corpus. */
export async function listAlignments(data: string, corpus?: string): Promise<AlignmentRecord[]> {
  const catalog = Catalog.open(data);
  try {
    if (corpus !== undefined) catalog.manifestOfAnyFormat(corpus);
    return alignmentsOf(catalog, corpus);
  } finally {
    await catalog.close();
  }
}

/**
 * What is aligned with a line of a concordance: the ranges of tokens [begin, end) in corpus `other` that belong to the
 * structures which [begin, end) of the desk's corpus touches. Ascending; those that overlap or touch are one; none where
 * nothing is aligned. An error (no_alignment) where the corpora are not aligned, with code alignment_outdated where they
 * no longer are. The first call loads the alignment; later ones take microseconds.
 */
export function alignedRanges(
  desk: Desk,
  other: string,
  begin: number,
  end: number,
): [begin: number, end: number][] {
  return alignedWith(desk.snapshot, other).ranges(begin, end);
}

/** The corpus that `alignedRanges` speaks of: its snapshot, open until the desk is closed. Do not close it. */
export function alignedCorpus(desk: Desk, other: string): Snapshot {
  return alignedWith(desk.snapshot, other).snapshot;
}
