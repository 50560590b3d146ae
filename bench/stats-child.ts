/**
 * Asks one question of bench/stats.ts in a process of its own: prints one JSON document.
 *
 * Memory is what the process has at its most, the buffer pool left out, above what it had when the corpus was open, its
 * threads started and a number asked for: whatever the question loads, keeps and needs for a while. The system notes the most there was
 * (VmHWM), also in the middle of what does not come back to the event loop.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { countHits, Desk } from "../ql/index.js";
import { Pool } from "../storage/index.js";
import { frequentWord, questions } from "./stats-questions.js";

const poolBytes = 2 ** 31;
const [data, name] = process.argv.slice(2);
const pool = Pool.create(poolBytes);
const desk = Desk.open({ data, corpus: "generated", workers: 2, pool });
const word = frequentWord(desk, 0.01);
const question = questions[name];

const status = (field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "latin1"))?.[1] ?? 0) *
  1024;

/** What lies in memory of the pool: it is the one mapping of its size. */
function pooled(): number {
  const mappings = readFileSync("/proc/self/smaps", "latin1").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const sizes = mappings.map((mapping) => {
    const [from, to] = /^([0-9a-f]+)-([0-9a-f]+)/
      .exec(mapping)!
      .slice(1)
      .map((hex) => Number.parseInt(hex, 16));
    if (to - from < poolBytes / 2 || !/^\S+ rw/.test(mapping)) return 0;
    return Number(/^Rss:\s+(\d+)/m.exec(mapping)?.[1] ?? 0) * 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function once(): Promise<{ ms: number; hits: number; rows: number }> {
  desk.results.clear();
  const began = performance.now();
  const answer = await question(desk, word);
  return { ms: performance.now() - began, ...answer };
}

await countHits(desk, [{ step: "query", query: `[word=="${word}"] [tag="NN"]` }]);
globalThis.gc?.();
const open = status("VmRSS") - pooled();
const first = await once();
await once();
globalThis.gc?.();
writeFileSync("/proc/self/clear_refs", "5");
const times: number[] = [];
for (let i = 0; i < 7; i++) times.push((await once()).ms);
const most = status("VmHWM") - pooled();
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
