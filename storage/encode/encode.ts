/** Encoding and appending, as the command line and other programs ask for it. */
import { availableParallelism } from "node:os";
import type { Readable } from "node:stream";
import { Catalog } from "../catalog/catalog.js";
import { type Manifest, manifestFormat, structureCount } from "../catalog/manifest.js";
import { sweep } from "../catalog/sweep.js";
import { DugongError } from "../errors.js";
import { xxh64 } from "../file/format.js";
import { findSources, isStream, type Source } from "../input/sources.js";
import { limits } from "../limits.js";
import { compactAfterAppend } from "./compact.js";
import type { ReadingConfig } from "./config.js";
import { type Description, type DescriptionOptions, describe } from "./describe.js";
import { type JobResult, runJob } from "./job.js";
import type { ProgressReport } from "./progress.js";
import { openInputs, sniffDocument } from "./sniff.js";
import { type Warning, warningKinds } from "./warnings.js";

export interface EncodeOptions extends DescriptionOptions {
  data: string;
  corpus: string;
  /** Files, directories, "-" for standard input. */
  inputs: string[];
  /** What "-" reads instead of standard input. */
  stdin?: Readable;
  /** Take the place of a corpus of that name. */
  replace?: boolean;
  workers?: number;
  segmentBytes?: number;
  onProgress?: (report: ProgressReport) => void;
}

export interface AppendOptions
  extends Pick<EncodeOptions, "data" | "corpus" | "inputs" | "workers" | "onProgress">,
    Pick<DescriptionOptions, "format" | "entities" | "strict" | "encoding" | "skipComments" | "attributes"> {
  /** Append what was appended last once more. */
  again?: boolean;
  /** Leave small segments as they are. */
  compact?: boolean;
}

export interface EncodeResult {
  manifest: Manifest;
  warnings: Warning[];
  ignored: Description["ignored"];
  /** Work of an earlier run was taken over. */
  resumed: boolean;
  /** The corpus had all of it already. */
  unchanged: boolean;
  addedTokens: number;
  seconds: number;
}

export async function encodeCorpus(options: EncodeOptions): Promise<EncodeResult> {
  const { corpus } = options;
  const { sources, beginning } = await openInputs(options.inputs, options.stdin);
  const segmentBytes = checkSegmentBytes(options.segmentBytes);
  const sniffed = sniffDocument(beginning, options.format ?? "vertical");
  const { config, reading, ignored } = describe(options, sniffed);
  const fingerprint = fingerprintOf({ segmentBytes, sources, config, reading });
  const catalog = Catalog.open(options.data, { create: true });
  try {
    if (catalog.has(corpus) && !options.replace) {
      const manifest = catalog.manifest(corpus);
      if (manifest.fingerprint === fingerprint && !hasStream(sources)) {
        tidy(catalog, corpus);
        return unchanged(manifest, ignored);
      }
      throw new DugongError(
        "corpus_exists",
        `there is a corpus ${corpus} already`,
        "Use --replace to put this in its place, or `dugong append` to add to it.",
      );
    }
    const result = await runJob({
      catalog,
      corpus,
      command: "encode",
      fingerprint,
      sources,
      config,
      reading,
      segmentBytes,
      workers: checkWorkers(options.workers),
      onProgress: options.onProgress,
    });
    const encoded = { ...done(result), ignored };
    if (options.document === undefined && reading.format === "vertical") tellOfNoDocument(encoded);
    return encoded;
  } finally {
    await catalog.close();
  }
}

export async function appendToCorpus(options: AppendOptions): Promise<EncodeResult> {
  const { corpus } = options;
  const sources = findSources(options.inputs);
  const catalog = Catalog.open(options.data);
  try {
    const base = catalog.manifest(corpus);
    const { config } = base;
    const reading = appendReading(base, options);
    const fingerprint = fingerprintOf({ append: corpus, sources, reading });
    const compacted = (manifest: Manifest) =>
      options.compact === false
        ? manifest
        : compactAfterAppend(catalog, manifest, checkWorkers(options.workers));
    if (base.fingerprint === fingerprint && !options.again && !hasStream(sources)) {
      tidy(catalog, corpus);
      return unchanged(await compacted(base), []);
    }
    const result = await runJob({
      catalog,
      corpus,
      command: "append",
      // The base belongs to the job: a job resumed on another one would be another corpus.
      fingerprint: options.again ? `${fingerprint}+${base.snapshot}` : fingerprint,
      base,
      sources,
      config,
      reading,
      segmentBytes: base.segmentBytes,
      workers: checkWorkers(options.workers),
      onProgress: options.onProgress,
    });
    result.manifest = await compacted(result.manifest);
    return { ...done(result), ignored: [] };
  } finally {
    await catalog.close();
  }
}

/** How an append reads its input: as the corpus was read, but for what it is told. */
function appendReading(base: Manifest, options: AppendOptions): ReadingConfig {
  const { reading } = base;
  const columns = options.attributes ?? reading.columns;
  for (const name of reading.columns) {
    if (columns.includes(name)) continue;
    throw new DugongError(
      "missing_attribute",
      `the input has no column for attribute ${name} of corpus ${base.corpus}`,
      `Its columns are ${reading.columns.join(", ")}; name those of the input in their order with --attributes.`,
    );
  }
  // Names and encodings are checked in the one place that does it.
  const described = describe(
    {
      attributes: columns,
      format: options.format ?? reading.format,
      document: reading.document ?? "",
      entities: options.entities ?? reading.entities,
      strict: options.strict ?? reading.strict,
      encoding: options.encoding ?? reading.encoding,
      skipComments: options.skipComments ?? reading.skipComments,
    },
    reading.document,
  ).reading;
  const unknown = columns.find((name) => !reading.columns.includes(name));
  if (unknown !== undefined) {
    throw new DugongError(
      "unknown_attribute",
      `corpus ${base.corpus} has no attribute ${unknown} (it has ${reading.columns.join(", ")})`,
    );
  }
  return { ...described, defaultValues: reading.defaultValues };
}

/** Structures that begin behind what was looked at: one of them may be the document, and nobody said so. */
function tellOfNoDocument({ manifest, warnings }: EncodeResult): void {
  if (manifest.config.document !== null) return;
  if (manifest.config.structures.every(({ name }) => structureCount(manifest, name) === 0)) return;
  warnings.push({ kind: "no_document", message: warningKinds.no_document, count: 1, places: [] });
}

/** Removes what a run left that was killed after it had published. Not while somebody else is writing. */
function tidy(catalog: Catalog, corpus: string): void {
  try {
    catalog.beginJob(corpus, "tidy", "tidy");
  } catch (error) {
    if (error instanceof DugongError && error.code === "corpus_busy") return;
    throw error;
  }
  sweep(catalog, corpus);
  catalog.endJob(corpus);
}

function done(result: JobResult) {
  const { manifest, warnings, resumed, addedTokens, seconds } = result;
  return { manifest, warnings, resumed, addedTokens, seconds, unchanged: false };
}

function unchanged(manifest: Manifest, ignored: Description["ignored"]): EncodeResult {
  return { manifest, warnings: [], ignored, resumed: false, unchanged: true, addedTokens: 0, seconds: 0 };
}

/** Tells a job: the same input, described in the same way. Standard input is told by its text, segment by segment. */
function fingerprintOf(parts: { sources: Source[] } & Record<string, unknown>): string {
  const sources = parts.sources.map(({ path, bytes, mtimeMs }) =>
    path === null ? ["-"] : [path, bytes, mtimeMs],
  );
  return xxh64(Buffer.from(JSON.stringify({ ...parts, sources, limits, format: manifestFormat }))).toString(
    16,
  );
}

/** Standard input, or a pipe: what comes out of it the next time is something else. */
function hasStream(sources: Source[]): boolean {
  return sources.some(isStream);
}

function checkWorkers(workers: number | undefined): number {
  const count = workers ?? availableParallelism();
  if (!Number.isInteger(count) || count < 1 || count > 256) {
    throw new DugongError(
      "bad_option",
      `${workers} is not a number of workers`,
      "Use a whole number from 1 to 256.",
    );
  }
  return count;
}

function checkSegmentBytes(bytes: number | undefined): number {
  const size = bytes ?? limits.segmentBytesDefault;
  if (!Number.isInteger(size) || size < limits.segmentBytesMin || size > limits.segmentBytesMax) {
    throw new DugongError(
      "bad_option",
      `${bytes} is not a size for segments`,
      `Use ${limits.segmentBytesMin} to ${limits.segmentBytesMax} bytes.`,
    );
  }
  return size;
}
