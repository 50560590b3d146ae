/** One run of de-duplication in a process of its own: `dedup-child.js input workers`. Prints what it took, as JSON. */
import { rmSync } from "node:fs";
import { dedup } from "../ingest/dedup/dedup.js";

const [input, workers] = process.argv.slice(2);
const output = `${input}.unique`;
const began = performance.now();
const report = await dedup({ inputs: [input], output }, { workers: Number(workers) });
const seconds = (performance.now() - began) / 1000;
rmSync(output);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
console.log(JSON.stringify({ report, seconds, cpuSeconds, peakBytes: maxRSS * 1024 }));
