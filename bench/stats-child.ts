/** Asks one question of bench/stats.ts in a process of its own: prints one JSON document. */
import { readFileSync } from "node:fs";
import { Desk } from "../ql/index.js";
import { Pool } from "../storage/index.js";
import { frequentWord, questions } from "./stats-questions.js";

const [data, name] = process.argv.slice(2);
const pool = Pool.create(2 ** 31);
const desk = Desk.open({ data, corpus: "generated", workers: 2, pool });
const word = frequentWord(desk, 0.01);
const question = questions[name];

const memory = (field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? 0) *
  1024;

async function once(): Promise<{ ms: number; hits: number; rows: number }> {
  desk.results.clear();
  const began = performance.now();
  const answer = await question(desk, word);
  return { ms: performance.now() - began, ...answer };
}

const first = await once();
await once();
// What is in the pool stays there: the corpus, as far as the question reads it.
globalThis.gc?.();
const open = memory("VmRSS");
let most = open;
const watch = setInterval(() => {
  most = Math.max(most, memory("VmRSS"));
}, 5);
const times: number[] = [];
for (let i = 0; i < 7; i++) {
  const { ms } = await once();
  times.push(ms);
  most = Math.max(most, memory("VmRSS"));
}
clearInterval(watch);
times.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    asked: name,
    hits: first.hits,
    rows: first.rows,
    firstMs: first.ms,
    medianMs: times[times.length >> 1],
    memoryBytes: most - open,
  }),
);
await desk.close();
process.exit(0);
