/**
 * De-duplication: copies of documents, and paragraphs or documents of which too much was seen before (rule.ts), are
 * dropped or marked. Two passes over the input, so that memory holds only what occurs more than once:
 *
 *   hash     blocks of documents → hashes of n-grams, in buckets on disk       all threads
 *   repeats  a bucket → the hashes that are in it more than once               all threads
 *   decide   blocks → for each n-gram its slot among the repeated              all threads
 *            slots → what is a duplicate; what is kept is written              this thread, in the order of the input
 *
 * Nothing that a thread does depends on another, and all is decided in order: the result is the same for any number of them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { readSource, type Source } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import { writing } from "../stream/output.js";
import { type Step, type StepContext, type StepReport, Tally, Warnings } from "../stream/report.js";
import { blocksOf, rereadable } from "./blocks.js";
import { closeBuckets, openBuckets } from "./buckets.js";
import { formatOf, type StreamFormat } from "./format.js";
import type { Setup } from "./performer.js";
import { Decider, type Rule } from "./rule.js";
import { HashTable } from "./table.js";
import { Threads } from "./threads.js";
import { DedupWriter } from "./writer.js";

export interface DedupOptions {
  /** What the inputs are (default: told by how they begin). */
  format?: StreamFormat;
  /** Words in an n-gram (default: 7). */
  ngram?: number;
  /** A unit is dropped if more of it was seen (default: 0.5). */
  threshold?: number;
  /** What is dropped: paragraphs, or documents as a whole (default: paragraph). */
  unit?: "paragraph" | "document";
  /** Drop what is left between duplicates if it is not more than this (default: 20 words). */
  stub?: number;
  /** Do so at all (default: true). */
  smoothing?: boolean;
  /** Drop exact copies of documents first (default: true). */
  exact?: boolean;
  /** Drop lines that were seen before, exactly, instead of looking for n-grams (default: false). */
  lines?: boolean;
  /** Drop nothing, but say in attributes what would be (default: false). */
  mark?: boolean;
  /** Vertical streams: the tags of documents and paragraphs (default: doc, p). */
  document?: string;
  paragraph?: string;
  /** Where hashes are put meanwhile, 8 bytes a word (default: the system's folder for such things). */
  temp?: string;
  /** Threads (default: one for each core). The result does not depend on it. */
  workers?: number;
}

/** Input so small that it is done before threads have started. */
const smallBytes = 4 * 1024 * 1024;
/** About; it decides on how many buckets there are, not on the result. */
const compressionRatio = 5;

export const dedup: Step<DedupOptions> = async ({ inputs, output }, options, context = {}) => {
  const settings = checked(options);
  const folder = mkdtempSync(join(settings.temp, "dugong-dedup-"));
  try {
    const sources = await rereadable(inputs, folder);
    return await deduplicate(sources, output, folder, settings, context);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Settings = ReturnType<typeof checked>;

function checked(options: DedupOptions) {
  const settings = {
    format: options.format,
    ngram: options.ngram ?? 7,
    threshold: options.threshold ?? 0.5,
    unit: options.unit ?? ("paragraph" as const),
    stub: options.smoothing === false ? -1 : (options.stub ?? 20),
    exact: options.exact ?? true,
    lines: options.lines ?? false,
    mark: options.mark ?? false,
    document: options.document ?? "doc",
    paragraph: options.paragraph ?? "p",
    temp: options.temp ?? tmpdir(),
    workers: options.workers,
  };
  const wrong = (message: string, hint?: string) => new DugongError("bad_option", message, hint);
  const { ngram, threshold, unit, lines, mark, format, document, paragraph } = settings;
  if (!Number.isInteger(ngram) || ngram < 1 || ngram > limits.ngramMax)
    throw wrong(`n-grams of ${ngram} words`, `Use a whole number from 1 to ${limits.ngramMax}.`);
  if (!(threshold >= 0 && threshold <= 1)) throw wrong(`a threshold of ${threshold}`, "It is from 0 to 1.");
  if (unit !== "paragraph" && unit !== "document")
    throw wrong(`no unit "${unit}"`, "There are paragraph and document.");
  if (format !== undefined && format !== "text" && format !== "vertical")
    throw wrong(`no format "${format}" of streams`, "There are text and vertical.");
  if (lines && mark) throw wrong("lines cannot be marked", "Leave out --mark or --lines.");
  if (lines && unit === "document")
    throw wrong("lines are dropped one by one", "Leave out --unit or --lines.");
  for (const name of [document, paragraph]) {
    if (!/^[\p{L}_][\p{L}\p{Nd}_.:-]*$/u.test(name)) throw wrong(`"${name}" is no name of a tag`);
  }
  return settings;
}

async function deduplicate(
  sources: Source[],
  output: string,
  folder: string,
  settings: Settings,
  context: StepContext,
): Promise<StepReport> {
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  // Both passes read all of it.
  const tally = new Tally("dedup", 2 * bytes, context);
  const { ngram, exact, lines, mark } = settings;
  const format = settings.format ?? (await sniffed(sources));
  if (format === "vertical" && lines)
    throw new DugongError("bad_option", "--lines is for text; this is a vertical stream");
  const workers = bytes < smallBytes && settings.workers === undefined ? 0 : threadsOf(settings.workers);
  const isText = format === "text";
  const document = isText ? "doc" : settings.document;
  const setup: Setup = {
    format,
    lines,
    ngram,
    document,
    paragraph: isText ? "p" : settings.paragraph,
    exact,
  };
  const repeated = await repeatedHashes(sources, folder, workers, setup, tally);
  const rule: Rule = { ...settings, clusters: mark };
  const decider = new Decider(repeated.capacity, rule);
  const threads = new Threads(workers, { ...setup, repeated: repeated.lanes });
  try {
    const details = await writing(output, async (out) => {
      const writer = new DedupWriter(out, decider, { mark, lines }, tally);
      const blocks = blocksOf(sources, document, {
        warnings: tally.warnings,
        onRead: (read) => (tally.bytesRead = bytes + read),
        signal: context.signal,
      });
      const read = threads.inOrder<Awaited<ReturnType<typeof blocks.next>>["value"], "read">(
        blocks,
        (block) => ({ kind: "read", bytes: block.bytes, source: block.source }),
      );
      for await (const [block, result] of read) await writer.take(block, result);
      return writer.counts;
    });
    tally.wordsIn ??= 0;
    return tally.report({
      format,
      ...details,
      repeatedHashes: repeated.count,
      tableBytes: 12 * repeated.capacity,
    });
  } finally {
    await threads.close();
  }
}

function threadsOf(workers?: number): number {
  return workers ?? availableParallelism();
}

/** The first pass. */
async function repeatedHashes(
  sources: Source[],
  folder: string,
  workers: number,
  setup: Setup,
  tally: Tally,
): Promise<HashTable & { count: number }> {
  const textBytes = sources.reduce(
    (sum, { bytes, compression }) => sum + bytes * (compression === "none" ? 1 : compressionRatio),
    0,
  );
  const buckets = openBuckets(folder, textBytes);
  const threads = new Threads(workers, { ...setup, buckets });
  try {
    const blocks = blocksOf(sources, setup.document, {
      // The second pass tells of them.
      warnings: new Warnings(),
      onRead: (read) => (tally.bytesRead = read),
      signal: tally.context.signal,
    });
    for await (const _ of threads.inOrder<{ bytes: Uint8Array }, "hash">(blocks, ({ bytes }) => ({
      kind: "hash",
      bytes,
    })))
      tally.tick();
    await threads.each({ kind: "flush" });
    const found = await Promise.all(
      buckets.map((_, bucket) => threads.run<"repeats">({ kind: "repeats", bucket })),
    );
    const count = found.reduce((sum, lanes) => sum + lanes.length / 2, 0);
    const table = new HashTable(count);
    while (found.length > 0) {
      const lanes = found.pop()!;
      for (let i = 0; i < lanes.length; i += 2) table.add(lanes[i], lanes[i + 1]);
    }
    return Object.assign(table, { count });
  } finally {
    await threads.close();
    closeBuckets(buckets);
  }
}

const sniffedBytes = 256 * 1024;

/** The format of the first source that has any text. */
async function sniffed(sources: Source[]): Promise<StreamFormat> {
  for (const source of sources) {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of readSource(source, () => {})) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= sniffedBytes) break;
    }
    if (length > 0) return formatOf(Buffer.concat(chunks).subarray(0, sniffedBytes).toString());
  }
  return "text";
}
