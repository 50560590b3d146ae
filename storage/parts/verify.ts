/** Checks the subcorpora, sketches and spaces of a snapshot, and the alignments that lie with its corpus. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AlignedSide, alignmentsOf } from "../catalog/alignments.js";
import { Catalog } from "../catalog/catalog.js";
import { structureCount } from "../catalog/manifest.js";
import { sketchesRecords } from "../catalog/sketches.js";
import { spaceRecords } from "../catalog/spaces.js";
import { rangesRecords } from "../catalog/subcorpora.js";
import type { Snapshot } from "../corpus/snapshot.js";
import { FileReader } from "../file/reader.js";
import { problemsOfSegment } from "../space/verify.js";
import { problemsOfAlignment, readAlignment } from "./alignment.js";
import { problemsOfRanges, readRanges } from "./ranges.js";

export interface PartReport {
  path: string;
  bytes: number;
  problems: string[];
}

export function verifyParts(snapshot: Snapshot): PartReport[] {
  const { corpus, number, tokens, folder } = snapshot;
  const catalog = Catalog.open(dirname(folder));
  const report = (file: string, bytes: number, problems: (path: string) => string[]): PartReport => {
    const path = join(folder, "parts", file);
    return { path, bytes, problems: problemsOfFile(path, bytes, problems) };
  };
  try {
    return [
      ...rangesRecords(catalog, corpus, number).map((record) =>
        report(record.file, record.bytes, (path) => problemsOfRanges(readRanges(path), record, tokens)),
      ),
      ...sketchesRecords(catalog, corpus, number).map((record) =>
        report(record.file, record.bytes, (path) => {
          const file = FileReader.open(path, "sketch", 1);
          try {
            return file.verify();
          } finally {
            file.close();
          }
        }),
      ),
      ...spaceRecords(catalog, corpus, number).flatMap((record) =>
        record.segments.map((segment) =>
          report(segment.file, segment.bytes, (path) =>
            problemsOfSegment(snapshot.pool, path, record, segment),
          ),
        ),
      ),
      ...alignmentsOf(catalog, corpus)
        .filter(({ first }) => first === corpus)
        .map((record) =>
          report(record.file, record.bytes, (path) =>
            problemsOfAlignment(
              readAlignment(path),
              record,
              record.sides.map((side) => countOf(catalog, side)),
            ),
          ),
        ),
    ];
  } finally {
    void catalog.close();
  }
}

/** How many structures an alignment could speak of; undefined where its snapshot is gone. */
function countOf(catalog: Catalog, { corpus, snapshot, structure }: AlignedSide): number | undefined {
  const manifest = catalog.snapshots(corpus).find((one) => one.snapshot === snapshot);
  return manifest && structureCount(manifest, structure);
}

function problemsOfFile(path: string, bytes: number, problems: (path: string) => string[]): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [`${path} is missing`];
  if (size !== bytes) return [`${path} has ${size} bytes; the catalogue says ${bytes}`];
  try {
    return problems(path).map((problem) => `${path}: ${problem}`);
  } catch (error) {
    return [(error as Error).message];
  }
}
