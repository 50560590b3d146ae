/** The word sketches of the corpus `demo`: computed where there are none, so that they can be asked at once. */
import type { SketchComputeResult, SketchProgress } from "../../ql/index.js";
import type { Manifest } from "../../storage/index.js";
import { type DemoOptions, demoCorpus } from "./demo.js";
import { counted, duration } from "./format.js";
import { resumable } from "./interrupt.js";
import { dataFolder } from "./options.js";
import { progressOn } from "./progress.js";

const grammar = "english-universal";

/** Somebody's own corpus may have the name as well: only one that the grammar fits is given sketches. */
export function isSketchable({ config: { attributes, structures } }: Manifest): boolean {
  const has = (list: readonly { name: string }[], name: string) => list.some((one) => one.name === name);
  return ["word", "lemma", "tag"].every((name) => has(attributes, name)) && has(structures, "s");
}

/** `from`: how much of the whole work is done before. Sketches that are there, by whatever grammar, stay as they are. */
export async function sketchDemo(options: DemoOptions, from = 0): Promise<SketchComputeResult> {
  const data = dataFolder(options);
  const { fromCatalog } = await import("./catalog.js");
  const { sketchesRecords, sketchVersion } = await import("../../storage/index.js");
  const there = await fromCatalog(data, (catalog) => {
    const { snapshot, tokens } = catalog.manifest(demoCorpus);
    const record = sketchesRecords(catalog, demoCorpus, snapshot).find(
      ({ name, version }) => name === "default" && version === sketchVersion,
    );
    return record && { record, kept: tokens };
  });
  if (there) return { corpus: demoCorpus, ...there, known: true, resumed: 0, seconds: 0 };
  const { availableParallelism } = await import("node:os");
  const { computeSketches, grammarText } = await import("../../ql/index.js");
  const json = options.json ?? false;
  const progress = progressOn(process.stderr, demoCorpus, json);
  const { text, name: grammarName } = grammarText(grammar);
  return resumable(progress, json, () =>
    computeSketches({
      ...{ data, corpus: demoCorpus, grammar: text, grammarName, workers: availableParallelism() },
      onProgress: (report) => progress.report(reported(report, from)),
    }),
  );
}

function reported({ phase, fraction, ...report }: SketchProgress, from: number) {
  const sofar = { ...report, fraction: from + (1 - from) * fraction, tokens: 0, tokensPerSecond: 0 };
  return phase === "done" ? { ...sofar, phase } : { ...sofar, phase: "sketch" as const };
}

export function sketchesLine({ record, known, seconds }: SketchComputeResult): string {
  const { relations, triples, grammar: by } = record;
  const size = `${counted(relations, "relation")}, ${counted(triples, "triple")}`;
  return `word sketches: ${known ? `there already, by ${by}` : `${size} in ${duration(seconds)}`}`;
}
