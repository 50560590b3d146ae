/**
 * Compaction: small segments that stand side by side become one, and generations of a lexicon become one. Nothing
 * that can be asked changes: positions, ids, statistics stay as they are. Readers keep the snapshot they have.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Catalog } from "../catalog/catalog.js";
import type { LexiconRecord, Manifest, SegmentRecord } from "../catalog/manifest.js";
import { sweep, syncFolder } from "../catalog/sweep.js";
import { limits } from "../limits.js";
import { type ReadingConfig, storedAttributes } from "./config.js";
import { Threads } from "./threads.js";

export interface CompactResult {
  manifest: Manifest;
  segmentsBefore: number;
  segmentsAfter: number;
  generationsBefore: number;
  generationsAfter: number;
}

/** Joins every run of segments that fits one of `limits.compactTokens`, and all generations. */
export async function compactCorpus(options: {
  data: string;
  corpus: string;
  workers?: number;
}): Promise<CompactResult> {
  const catalog = Catalog.open(options.data);
  try {
    return await compact(catalog, catalog.manifest(options.corpus), options.workers ?? 1, 2);
  } finally {
    await catalog.close();
  }
}

/** After an append: only when so many small segments have gathered that it pays. */
export async function compactAfterAppend(
  catalog: Catalog,
  manifest: Manifest,
  workers: number,
): Promise<Manifest> {
  const longest = Math.max(0, ...runsOf(manifest.segments).map((run) => run.length));
  const generations = Math.max(
    0,
    ...Object.values(manifest.lexicons).map((record) => record.generations.length),
  );
  if (longest < limits.smallSegmentsMax && generations < limits.generationsMax) return manifest;
  return (await compact(catalog, manifest, workers, limits.smallSegmentsMax)).manifest;
}

/** Runs of neighbours that together are no larger than a segment should be. */
export function runsOf(segments: SegmentRecord[]): SegmentRecord[][] {
  const runs: SegmentRecord[][] = [];
  let tokens = 0;
  for (const segment of segments) {
    if (runs.length === 0 || tokens + segment.tokens > limits.compactTokens) {
      runs.push([]);
      tokens = 0;
    }
    runs[runs.length - 1].push(segment);
    tokens += segment.tokens;
  }
  return runs;
}

async function compact(
  catalog: Catalog,
  manifest: Manifest,
  workers: number,
  runLengthMin: number,
): Promise<CompactResult> {
  const { corpus } = manifest;
  const { job } = catalog.beginJob(corpus, "compact", `compact ${manifest.snapshot}`);
  const folder = catalog.corpusFolder(corpus);
  const threads = new Threads(workers, {} as ReadingConfig);
  try {
    sweep(catalog, corpus, job.number);
    const lexicons = await joinLexicons(threads, manifest, folder, job.number);
    const segments = await combineRuns(threads, manifest, lexicons, folder, job.number, runLengthMin);
    const changed =
      segments.length < manifest.segments.length || generationsOf({ lexicons }) < generationsOf(manifest);
    syncFolder(join(folder, "lexicon"));
    syncFolder(join(folder, "segments"));
    if (!changed) catalog.endJob(corpus);
    const next = changed
      ? catalog.publish(
          { ...manifest, created: new Date().toISOString(), segments, lexicons },
          manifest.snapshot,
        )
      : manifest;
    return {
      manifest: next,
      segmentsBefore: manifest.segments.length,
      segmentsAfter: segments.length,
      generationsBefore: generationsOf(manifest),
      generationsAfter: generationsOf(next),
    };
  } catch (error) {
    catalog.endJob(corpus);
    throw error;
  } finally {
    sweep(catalog, corpus);
    await threads.close();
  }
}

function generationsOf({ lexicons }: Pick<Manifest, "lexicons">): number {
  return Object.values(lexicons).reduce((sum, record) => sum + record.generations.length, 0);
}

async function joinLexicons(
  threads: Threads,
  manifest: Manifest,
  folder: string,
  job: number,
): Promise<Record<string, LexiconRecord>> {
  const path = (file: string) => join(folder, "lexicon", file);
  const joined = Object.entries(manifest.lexicons).map(
    async ([key, record]): Promise<[string, LexiconRecord]> => {
      if (record.generations.length < 2 && (record.maps?.length ?? 0) < 2) return [key, record];
      const lexicon = `${key}.${job}.lexicon`;
      const map = `${key}.${job}.map`;
      const { bytes, mapBytes } = await threads.run({
        kind: "join",
        task: {
          generations: record.generations.map(({ file }) => path(file)),
          lexiconPath: path(lexicon),
          maps: record.maps?.map(({ file }) => path(file)),
          mapPath: path(map),
        },
      });
      const next: LexiconRecord = { ...record, generations: [{ file: lexicon, bytes }] };
      if (record.maps) next.maps = [{ file: map, bytes: mapBytes }];
      return [key, next];
    },
  );
  return Object.fromEntries(await Promise.all(joined));
}

async function combineRuns(
  threads: Threads,
  manifest: Manifest,
  lexicons: Record<string, LexiconRecord>,
  folder: string,
  job: number,
  runLengthMin: number,
): Promise<SegmentRecord[]> {
  const attributes = storedAttributes(manifest.config).map(({ name }) => ({
    name,
    derived: Object.entries(lexicons)
      .filter(([, record]) => record.base === name)
      .map(([key, record]) => ({
        key,
        maps: (record.maps ?? []).map(({ file }) => join(folder, "lexicon", file)),
      })),
  }));
  const structures = manifest.config.structures.map(({ name, attributes: own }) => ({
    name,
    attributes: own.map((attribute) => ({ name: attribute.name, unique: attribute.unique ?? false })),
  }));
  mkdirSync(join(folder, "segments"), { recursive: true });
  const combined = runsOf(manifest.segments).map(async (run, ordinal): Promise<SegmentRecord[]> => {
    if (run.length < runLengthMin) return run;
    const id = `${job}.${ordinal}`;
    const {
      tokens,
      glue,
      structures: counts,
      files,
    } = await threads.run({
      kind: "combine",
      task: {
        ordinal,
        parts: run.map((segment) => ({
          folder: join(folder, "segments", segment.id),
          tokens: segment.tokens,
          glue: segment.glue,
          structures: Object.keys(segment.structures),
        })),
        folder: join(folder, "segments", id),
        attributes,
        structures,
        document: manifest.config.document,
      },
    });
    syncFolder(join(folder, "segments", id));
    return [{ id, start: run[0].start, tokens, glue, structures: counts, files }];
  });
  return (await Promise.all(combined)).flat();
}
