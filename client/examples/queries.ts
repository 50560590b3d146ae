/**
 * Thousands of queries from a file, overnight: how many hits each has. May be stopped at any time; run again, it goes on
 * where it was. A query that is wrong gets an error, and the others go on.
 *
 *   node queries.js ws://localhost:7717 demo queries.txt answers.jsonl
 *
 * Reads a query a line; writes {"line":1,"query":"…","hits":42} or {"line":2,"query":"…","error":{…}}, in the order in
 * which they are done.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync, truncateSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Corpus, connect, type DugongClientError } from "dugong";

/** So many are under way at once. The server has room for more, but we are not alone there. */
const atOnce = 32;

const [address, corpusName, input, output] = process.argv.slice(2);
if (output === undefined) {
  console.error("usage: queries.js ADDRESS CORPUS QUERIES ANSWERS");
  process.exit(2);
}

const done = answeredBefore(output);
const answers = createWriteStream(output, { flags: "a" });
const session = await connect(address);
const corpus = session.corpus(corpusName);
let answered = 0;
let failed = 0;

const underWay = new Set<Promise<void>>();
let line = 0;
for await (const text of createInterface({
  input: createReadStream(input),
  crlfDelay: Number.POSITIVE_INFINITY,
})) {
  line++;
  if (text.trim() === "" || done.has(line)) continue;
  const one = answer(corpus, line, text).finally(() => underWay.delete(one));
  underWay.add(one);
  if (underWay.size >= atOnce) await Promise.race(underWay);
}
await Promise.all(underWay);
await new Promise<void>((resolve) => answers.end(resolve));
await session.close();
console.error(`${answered} answered, ${failed} of them with an error; ${done.size} had been answered before`);

async function answer(from: Corpus, number: number, query: string): Promise<void> {
  let found: object;
  try {
    const { hits } = await patiently(() => from.count(query));
    found = { hits: hits.value };
  } catch (error) {
    const { code, message, span } = error as DugongClientError;
    // Without a server there is nothing to go on with: what was answered is kept, and the next run does the rest.
    if (code === "disconnected" || code === "closed") throw error;
    failed++;
    found = { error: { code, message, span } };
  }
  answered++;
  if (!answers.write(`${JSON.stringify({ line: number, query, ...found })}\n`))
    await new Promise<void>((resolve) => answers.once("drain", resolve));
}

/** A server that has too much to do just now is asked again a little later. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let wait = 100; ; wait *= 2) {
    try {
      return await ask();
    } catch (error) {
      const { retryable, code } = error as DugongClientError;
      if (!retryable || code === "disconnected" || wait > 60_000) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Numbers of the lines that have an answer. What was being written when we were stopped is cut off. */
function answeredBefore(file: string): Set<number> {
  if (!existsSync(file)) return new Set();
  const content = readFileSync(file);
  const whole = content.subarray(0, content.lastIndexOf(10) + 1);
  if (whole.length < content.length) truncateSync(file, whole.length);
  const lines = whole.toString().split("\n").slice(0, -1);
  return new Set(lines.map((text) => (JSON.parse(text) as { line: number }).line));
}
