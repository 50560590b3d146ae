/** From treebanks to a model's file, and how good it is. */
import { type Warning, Warnings } from "../stream/report.js";
import { writeWhole } from "../stream/whole.js";
import { type Accuracy, accuracyOf } from "./accuracy.js";
import { type GoldSentence, treebank } from "./conllu.js";
import { modelBytes } from "./model.js";
import { type TrainOptions, train } from "./train.js";

export interface TrainingReport {
  model: string;
  bytes: number;
  sentences: number;
  tokens: number;
  columns: string[];
  seconds: number;
  /** On the treebank that it was not trained on. */
  dev?: Accuracy;
  warnings: Warning[];
}

export async function trainModel(
  inputs: readonly string[],
  output: string,
  options: TrainOptions & { dev?: string },
): Promise<TrainingReport> {
  const began = performance.now();
  const warnings = new Warnings();
  const dev = options.dev === undefined ? undefined : await read([options.dev], warnings);
  const model = await train(await read(inputs, warnings), options);
  const bytes = await modelBytes(model);
  writeWhole(output, bytes);
  return {
    model: output,
    bytes: bytes.length,
    sentences: model.sentences,
    tokens: model.tokens,
    columns: ["word", ...(model.lemmas ? ["lemma"] : []), ...model.layers.map(({ name }) => name)],
    seconds: (performance.now() - began) / 1000,
    ...(dev && { dev: accuracyOf(model, dev) }),
    warnings: warnings.list,
  };
}

async function read(inputs: readonly string[], warnings: Warnings): Promise<GoldSentence[]> {
  const sentences: GoldSentence[] = [];
  for await (const sentence of treebank(inputs, { warnings })) sentences.push(sentence);
  return sentences;
}
