/** Encodes once in a process of its own, so that its memory can be told: prints one JSON document. */
import { readFileSync } from "node:fs";
import { encodeCorpus } from "../storage/index.js";

const [data, corpus, input, attributes, workers] = process.argv.slice(2);
const phases: Record<string, number> = {};
const result = await encodeCorpus({
  data,
  corpus,
  inputs: [input],
  attributes: attributes.split(","),
  workers: Number(workers),
  replace: true,
  onProgress: ({ phase, seconds }) => {
    phases[phase] ??= seconds;
  },
});
const status = readFileSync("/proc/self/status", "latin1");
const usage = process.cpuUsage();
console.log(
  JSON.stringify({
    tokens: result.manifest.tokens,
    seconds: result.seconds,
    cpuSeconds: (usage.user + usage.system) / 1e6,
    peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    phases,
    manifest: result.manifest,
  }),
);
