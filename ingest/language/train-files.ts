/** `dugong language-train`: a model of sample text, a file for each language, named by its code (fao.txt, isl.txt.gz). */
import { basename } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { findSources } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import { linesOf } from "../stream/lines.js";
import { type Warning, Warnings } from "../stream/report.js";
import { writeWhole } from "../stream/whole.js";
import { type TrainingText, trainModel } from "./train.js";

export interface TrainFilesReport {
  model: string;
  languages: string[];
  bytes: number;
  warnings: Warning[];
}

export async function trainOnFiles(inputs: readonly string[], output: string): Promise<TrainFilesReport> {
  const warnings = new Warnings();
  const texts = new Map<string, string[]>();
  for (const { name } of findSources(inputs)) {
    const [, language] = /^([a-z]{2,3}(?:-[A-Za-z0-9]+)?)(?:[._].*)?$/.exec(basename(name)) ?? [];
    if (language === undefined) {
      warnings.add("no_code", "a file whose name does not begin with a language's code is left out", {
        source: name,
      });
      continue;
    }
    const lines = texts.get(language) ?? [];
    texts.set(language, lines);
    let chars = lines.reduce((sum, line) => sum + line.length, 0);
    for await (const batch of linesOf([name], { warnings })) {
      for (const line of batch.lines) if ((chars += line.length) <= limits.trainingCharsMax) lines.push(line);
    }
    if (chars > limits.trainingCharsMax)
      warnings.add("long_sample", `only the first ${limits.trainingCharsMax} characters are used`, {
        source: name,
      });
  }
  if (texts.size < 2)
    throw new DugongError(
      "no_samples",
      "a model needs text of two languages at least",
      "Give a folder with a file for each, named by its code: fao.txt, isl.txt.",
    );
  const samples: TrainingText[] = [...texts].map(([language, lines]) => ({
    language,
    parts: [{ lines, weight: 1 }],
  }));
  const model = trainModel(samples);
  const bytes = model.toBytes();
  writeWhole(output, bytes);
  return { model: output, languages: [...model.languages], bytes: bytes.length, warnings: warnings.list };
}
