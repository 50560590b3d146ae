/** Computes sketches or a thesaurus once, in a process of its own, so that its memory can be told: prints one JSON document. */
import { computeSketches, computeThesaurus, grammarText } from "../ql/index.js";

const [what, data, corpus, workers, grammar] = process.argv.slice(2);
const phases: Record<string, number> = {};
const options = {
  data,
  corpus,
  workers: Number(workers),
  onProgress: ({ phase, seconds }: { phase: string; seconds: number }) => {
    phases[phase] ??= seconds;
  },
};
const compute = () => {
  if (what === "thesaurus") return computeThesaurus(options);
  const { text, name: grammarName } = grammarText(grammar);
  return computeSketches({ ...options, grammar: text, grammarName });
};
const { record, seconds, known } = await compute();
const megabytes = process.resourceUsage().maxRSS / 1024;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ record, seconds, cpuSeconds: (user + system) / 1e6, known, megabytes, phases }));
