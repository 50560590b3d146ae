/**
 * `dugong clean` as a step: from pages to the text stream. The main thread reads pages and writes documents, in the order of the
 * input; threads do the rest.
 */
import { availableParallelism } from "node:os";
import { limits } from "../limits.js";
import { pagesOf } from "../read/pages.js";
import { bytesOf } from "../stream/lines.js";
import { writing } from "../stream/output.js";
import type { Page } from "../stream/page.js";
import { type Step, Tally } from "../stream/report.js";
import type { BatchResult } from "./batch.js";
import { type JustextParameters, judgingFor, justextDefaults } from "./justext.js";
import type { Cleaning } from "./page.js";
import { stopWordsFrom, stopWordsOf } from "./stopwords.js";
import { CleaningThreads } from "./threads.js";

export interface CleanOptions {
  /** How text is told from boilerplate (default: "default"). */
  algorithm?: "default" | "justext";
  /** Leave out readers' comments where the page says which they are (default: as the algorithm judges them). */
  noComments?: boolean;
  /** For jusText: the language whose stop words are used (default: what each page says, else what fits it best). */
  language?: string;
  /** For jusText: a file with stop words, or with words and their frequencies. */
  stopWords?: string;
  /** For jusText: use none. */
  noStopWords?: boolean;
  /** For jusText: other parameters than those published. */
  parameters?: Partial<JustextParameters>;
  /** Threads (default: one for each core). */
  workers?: number;
}

export const clean: Step<CleanOptions> = async ({ inputs, output }, options, context) => {
  const tally = new Tally("clean", bytesOf(inputs), context);
  tally.wordsIn = 0;
  const { warnings } = tally;
  const charsets = new Map<string, number>();
  const stopWords = new Map<string, number>();
  const passed = new Map<string, number>();
  const threads = new CleaningThreads(options.workers ?? availableParallelism(), cleaningOf(options));
  const reading = {
    warnings,
    passed,
    onRead: (bytes: number) => {
      tally.bytesRead = bytes;
    },
    signal: context?.signal,
  };
  try {
    await writing(output, async (out) => {
      const ahead: Promise<BatchResult>[] = [];
      const writeFirst = async () => {
        const result = await (ahead.shift() as Promise<BatchResult>);
        for (const { kind, message, place } of result.odd) warnings.add(kind, message, place);
        tally.documentsIn += result.pages;
        tally.documentsOut += result.documents;
        tally.wordsIn! += result.wordsIn;
        tally.wordsOut += result.wordsOut;
        add(charsets, result.charsets);
        add(stopWords, result.stopWords);
        tally.tick();
        await out.write(result.text);
      };
      for await (const batch of batchesOf(pagesOf(inputs, reading))) {
        const cleaned = threads.clean(batch);
        // It is awaited in its turn; until then nobody would hear of its failure.
        cleaned.catch(() => {});
        ahead.push(cleaned);
        if (ahead.length >= threads.count * limits.batchesAhead) await writeFirst();
      }
      while (ahead.length > 0) await writeFirst();
    });
  } finally {
    await threads.close();
  }
  const details: Record<string, unknown> = {
    algorithm: options.algorithm ?? "default",
    charsets: falling(charsets),
  };
  if (stopWords.size > 0) details["stop words"] = falling(stopWords);
  if (passed.size > 0) details["no pages"] = falling(passed);
  return tally.report(details);
};

/** What the options mean. Throws if there is no such list of stop words. */
export function cleaningOf(options: CleanOptions): Cleaning {
  const noComments = options.noComments ?? false;
  if (options.algorithm !== "justext") return { algorithm: "default", noComments };
  const { language, stopWords: file, noStopWords, parameters } = options;
  const all = { ...justextDefaults, ...parameters };
  if (noStopWords) return { algorithm: "justext", noComments, stopWords: null, parameters: all };
  if (file !== undefined) {
    return { algorithm: "justext", noComments, stopWords: stopWordsFrom(file), parameters: all };
  }
  if (language === undefined)
    return { algorithm: "justext", noComments, stopWords: undefined, parameters: all };
  // It says which there are if there is none.
  stopWordsOf(language);
  return { algorithm: "justext", noComments, ...judgingFor(language, all) };
}

/** Pages in batches that are worth sending to a thread. */
async function* batchesOf(pages: AsyncIterable<Page>): AsyncGenerator<Page[]> {
  let batch: Page[] = [];
  let bytes = 0;
  for await (const page of pages) {
    batch.push(page);
    bytes += page.body.length;
    if (batch.length < limits.batchPages && bytes < limits.batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function add(counts: Map<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Most frequent first. */
function falling(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
