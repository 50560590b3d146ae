/**
 * Many queries, one a line: {query, strategy?, subcorpus?, steps?, count?, positions?, limit?}. One answer a line, in the
 * order of the questions; a bad one gets an error, and the next goes on. What a line does not say is as the options say.
 * A few are under way at a time; each answer is written as soon as those before it are.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Chain, Corpus, Step, Strategy } from "../index.js";
import { strategies, withNotices } from "./asking.js";
import { failureOf } from "./failure.js";
import { limits } from "./limits.js";
import { writeJson } from "./output.js";
import { positions as positionsOf } from "./positions.js";

interface BatchLine {
  query: string;
  strategy?: Strategy;
  subcorpus?: string;
  /** What is done with the matches, as in a chain. */
  steps?: Step[];
  count?: boolean;
  positions?: boolean;
  limit?: number;
}

type Unread = Partial<Record<keyof BatchLine, unknown>>;

/** What lines mean that do not say otherwise. */
export interface Usual {
  /** Its steps, and how queries are meant; not its query. */
  chain: Chain;
  positions?: boolean;
  limit?: number;
}

export async function batch(corpus: Corpus, file: string, usual: Usual): Promise<void> {
  const lines = createInterface({
    input: file === "-" ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const written: Promise<void>[] = [];
  let last = Promise.resolve();
  for await (const line of lines) {
    if (line.trim() === "") continue;
    last = writtenBehind(last, answered(corpus, line, usual));
    // Whoever waits for it hears of its failure.
    last.catch(() => {});
    written.push(last);
    if (written.length >= limits.batchAhead) await written.shift();
  }
  await last;
}

async function writtenBehind(before: Promise<void>, answer: Promise<object>): Promise<void> {
  const [document] = await Promise.all([answer, before]);
  await writeJson(document);
}

async function answered(corpus: Corpus, text: string, usual: Usual): Promise<object> {
  const line = readLine(text);
  const wrong = wrongIn(line);
  if (wrong) return { error: { code: "bad_line", message: wrong } };
  try {
    return await answer(corpus, line as BatchLine, usual);
  } catch (error) {
    const { exitCode: _, ...document } = failureOf(error);
    // There is nobody left to ask.
    if (document.code === "disconnected" || document.code === "closed") throw error;
    return { error: document };
  }
}

function readLine(text: string): Unread | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What a line cannot mean. */
function wrongIn(line: Unread | undefined): string | undefined {
  if (typeof line?.query !== "string") return 'not a line of the form {"query":"…"}';
  const { strategy, subcorpus, steps, count = false, positions = false, limit = 0 } = line;
  if (strategy !== undefined && !(strategies as unknown[]).includes(strategy))
    return `strategy is one of ${strategies.join(", ")}`;
  if (subcorpus !== undefined && typeof subcorpus !== "string") return "subcorpus is a name";
  if (steps !== undefined && !Array.isArray(steps)) return "steps is a list of steps";
  if (typeof count !== "boolean" || typeof positions !== "boolean")
    return "count and positions are true or false";
  if (count && positions) return "count or positions can be true, not both";
  if (!Number.isSafeInteger(limit) || (limit as number) < 0) return "limit is a whole number";
  return undefined;
}

async function answer(corpus: Corpus, line: BatchLine, usual: Usual): Promise<object> {
  const { query, strategy, subcorpus, steps, count, limit = usual.limit } = line;
  const { positions = usual.positions && !count } = line;
  const [first, ...later] = usual.chain;
  const chain: Chain = [
    { ...first, query, ...(strategy && { strategy }), ...(subcorpus !== undefined && { subcorpus }) },
    ...(steps ?? later),
  ];
  if (!positions) {
    const { hits, corpus: citation, notices } = await corpus.count(chain);
    return withNotices({ hits: hits.value, exact: true, corpus: citation }, notices);
  }
  const { hits, items, notices } = await positionsOf(corpus, chain, 0, limit ?? Number.POSITIVE_INFINITY);
  return withNotices({ hits, items }, notices);
}
