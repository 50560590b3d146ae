/** Checks a segment of a space from the bytes up: checksums, then every leaf against its box, its page and what the catalogue says. */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Catalog } from "../catalog/catalog.js";
import { noSpace, type SpaceRecord, type SpaceSegmentRecord, spaceRecord } from "../catalog/spaces.js";
import type { Snapshot } from "../corpus/snapshot.js";
import type { Pool } from "../pool/pool.js";
import { hasDictionary } from "./dimensions.js";
import { PageReader, SpaceSegment } from "./segment.js";

/** Problems after which no more are looked for. */
const problemsMax = 20;

export function problemsOfSegment(
  pool: Pool,
  path: string,
  record: Pick<SpaceRecord, "dimensions">,
  own: Pick<SpaceSegmentRecord, "points" | "unitBase" | "units">,
  onProgress: (pages: number, total: number) => void = () => {},
): string[] {
  const segment = new SpaceSegment(pool, path);
  try {
    const damaged = segment.verify();
    if (damaged.length > 0) return damaged;
    const { meta } = segment;
    const problems: string[] = [];
    if (meta.dimensions !== record.dimensions.length)
      return [`it has ${meta.dimensions} dimensions; the catalogue says ${record.dimensions.length}`];
    if (meta.points !== own.points)
      problems.push(`it has ${meta.points} points; the catalogue says ${own.points}`);
    if (meta.unitBase !== own.unitBase)
      problems.push(`its units begin at ${meta.unitBase}; the catalogue says ${own.unitBase}`);
    record.dimensions.forEach((dimension, d) => {
      if (hasDictionary(dimension) && !segment.dictionary(d))
        problems.push(`it has no dictionary of ${dimension.name}`);
    });
    const reader = new PageReader(segment);
    for (let page = 0; page < segment.pages && problems.length < problemsMax; page++) {
      reader.open(page);
      problems.push(
        ...problemsOfPage(
          reader,
          page,
          record.dimensions.map(({ max }) => max),
          own.units,
        ),
      );
      onProgress(page + 1, segment.pages);
    }
    return problems;
  } finally {
    segment.close();
  }
}

function problemsOfPage(reader: PageReader, page: number, maxima: number[], units: number): string[] {
  const problems: string[] = [];
  const { segment, leaves, lows, highs } = reader;
  const { k } = segment;
  const width = k + 1;
  let points = 0;
  for (let leaf = 0; leaf < leaves; leaf++) {
    points += reader.counts[leaf];
    reader.coordinates(leaf);
    const own = reader.units(leaf);
    const where = `leaf ${leaf} of page ${page}`;
    for (let d = 0; d < width; d++) {
      const column = d < k ? own.coordinates[d] : own.units;
      let [low, high] = [column[0], column[0]];
      for (let i = 1; i < own.count; i++) {
        if (d === k && column[i] < column[i - 1]) problems.push(`the units of ${where} do not ascend`);
        low = Math.min(low, column[i]);
        high = Math.max(high, column[i]);
      }
      if (low !== lows[leaf * width + d] || high !== highs[leaf * width + d])
        problems.push(`the box of ${where} is not that of its points in dimension ${d}`);
      const most = d < k ? maxima[d] : units - 1;
      if (high > most) problems.push(`${where} has ${high} in dimension ${d}, which ends at ${most}`);
    }
    if (problems.length >= problemsMax) return problems;
  }
  if (points !== segment.points[segment.firstPage + page])
    problems.push(`the leaves of page ${page} have ${points} points, not what the directory says`);
  return problems;
}

export interface SpaceVerifyReport {
  corpus: string;
  space: string;
  files: number;
  bytes: number;
  problems: string[];
}

/** Checks all segments of a space of a snapshot. */
export function verifySpace(
  snapshot: Snapshot,
  name = "default",
  onProgress: (done: number, total: number, what: string) => void = () => {},
): SpaceVerifyReport {
  const catalog = Catalog.open(dirname(snapshot.folder));
  try {
    const record = spaceRecord(catalog, snapshot.corpus, snapshot.number, name);
    if (!record) throw noSpace(catalog, snapshot.corpus, snapshot.number, name);
    const report: SpaceVerifyReport = {
      ...{ corpus: snapshot.citation, space: name, files: 0, bytes: 0, problems: [] },
    };
    for (const segment of record.segments) {
      const path = join(snapshot.folder, "parts", segment.file);
      report.files++;
      report.bytes += segment.bytes;
      const size = statSync(path, { throwIfNoEntry: false })?.size;
      if (size === undefined) report.problems.push(`${path} is missing`);
      else if (size !== segment.bytes)
        report.problems.push(`${path} has ${size} bytes; the catalogue says ${segment.bytes}`);
      else report.problems.push(...found(snapshot.pool, path, record, segment, onProgress));
    }
    return report;
  } finally {
    void catalog.close();
  }
}

function found(
  pool: Pool,
  path: string,
  record: SpaceRecord,
  segment: SpaceSegmentRecord,
  onProgress: (done: number, total: number, what: string) => void,
): string[] {
  try {
    const problems = problemsOfSegment(pool, path, record, segment, (page, pages) =>
      onProgress(page, pages, "leaves"),
    );
    return problems.map((problem) => (problem.startsWith(path) ? problem : `${path}: ${problem}`));
  } catch (error) {
    const { message } = error as Error;
    return [message.includes(path) ? message : `${path}: ${message}`];
  }
}
