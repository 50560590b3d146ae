/**
 * `npm run bench -- language [--file sentences.tsv.gz] [--model FILE]`: how often the model is right, language by language, on
 * sentences that it was not trained on (lines "code TAB text", codes of ISO 639-1 or 639-3); which of the close ones it takes for
 * which; whether its confidence is how often it is right; and how fast it is.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { languageOf } from "../ingest/language/codes.js";
import { defaultModel } from "../ingest/language/default.js";
import { LanguageModel } from "../ingest/language/model.js";
import { printTable, printTargets } from "./table.js";

/** Languages that people can hardly tell apart in a line, and that have a table of their own. */
const close = [
  ["bos", "hrv", "srp", "slv"],
  ["ind", "msa"],
  ["nob", "nno", "dan", "swe"],
  ["sot", "tsn", "nso"],
  ["xho", "zul"],
  ["ces", "slk"],
  ["cat", "spa", "glg"],
  ["fao", "isl"],
];

interface Row {
  language: string;
  text: string;
}

export async function run(args: string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const shared = join(import.meta.dirname, "../../../shared/data/web/langid/sentences.tsv.gz");
  const path = option("--file") ?? shared;
  const bytes = readFileSync(path);
  const rows = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes)
    .toString()
    .trim()
    .split("\n")
    .map((line): Row => {
      const [code, text] = line.split("\t");
      return { language: languageOf(code) ?? code, text };
    });
  const modelPath = option("--model");
  const began = performance.now();
  const model = modelPath === undefined ? defaultModel() : LanguageModel.open(modelPath);
  console.log(
    `\n${model.languages.length} languages, loaded in ${(performance.now() - began).toFixed(0)} ms`,
  );
  const asked = [...new Set(rows.map(({ language }) => language))].sort();
  const trained = asked.filter((language) => model.languages.includes(language));
  if (trained.length < asked.length)
    console.log(`not trained for: ${asked.filter((language) => !trained.includes(language)).join(" ")}`);
  const known = rows.filter(({ language }) => trained.includes(language));
  const value = accuracy("all languages of the model are possible", model, known);
  accuracy("only those of the test are possible", model, known, trained);
  calibration(model, known);
  printTargets([
    { what: `accuracy over ${trained.length} languages`, value, least: 0.96, digits: 4 },
    { what: "lines/s of one core", value: speed(model, rows), least: 10_000 },
  ]);
}

/** The mean over languages of how often it is right. */
function accuracy(title: string, model: LanguageModel, rows: Row[], languages?: string[]): number {
  const right = new Map<string, number>();
  const all = new Map<string, number>();
  const confused = new Map<string, Map<string, number>>();
  for (const { language, text } of rows) {
    const found = model.classify(text, { threshold: 0, languages }).language;
    all.set(language, (all.get(language) ?? 0) + 1);
    if (found === language) right.set(language, (right.get(language) ?? 0) + 1);
    else {
      const others = confused.get(language) ?? new Map<string, number>();
      confused.set(language, others.set(found, (others.get(found) ?? 0) + 1));
    }
  }
  const share = (language: string) => (right.get(language) ?? 0) / all.get(language)!;
  const names = [...all.keys()].sort();
  const mean = names.reduce((sum, language) => sum + share(language), 0) / names.length;
  printTable(
    `${title}: ${mean.toFixed(4)} over ${names.length} languages`,
    ["", "right", "taken for"],
    names
      .sort((a, b) => share(a) - share(b))
      .map((language) => [
        language,
        share(language).toFixed(3),
        [...(confused.get(language) ?? [])]
          .sort(([, a], [, b]) => b - a)
          .slice(0, 6)
          .map(([other, count]) => `${other} ${count}`)
          .join(", "),
      ]),
  );
  for (const group of close) {
    const taken = (from: string, to: string) =>
      from === to ? (right.get(from) ?? 0) : (confused.get(from)?.get(to) ?? 0);
    const asked = group.filter((language) => all.has(language));
    const rest = (from: string) => all.get(from)! - group.reduce((sum, to) => sum + taken(from, to), 0);
    if (asked.length > 1)
      printTable(
        "close ones: sentences (rows) and what they are taken for (columns)",
        ["", ...group, "others"],
        asked.map((from) => [from, ...group.map((to) => taken(from, to)), rest(from)]),
      );
  }
  return mean;
}

function calibration(model: LanguageModel, rows: Row[]): void {
  const bins = [0, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0001];
  const counts = bins.map(() => ({ all: 0, right: 0, sum: 0 }));
  for (const { language, text } of rows) {
    const found = model.classify(text, { threshold: 0 });
    const bin = counts[bins.findLastIndex((from) => found.confidence >= from)];
    bin.all++;
    bin.sum += found.confidence;
    if (found.language === language) bin.right++;
  }
  printTable(
    "confidence",
    ["from", "sentences", "confidence", "right"],
    counts
      .map(({ all, right, sum }, i) => [
        bins[i].toFixed(2),
        all,
        (sum / Math.max(1, all)).toFixed(3),
        (right / Math.max(1, all)).toFixed(3),
      ])
      .slice(0, -1),
  );
}

function speed(model: LanguageModel, rows: Row[]): number {
  const lines = rows.map(({ text }) => text.slice(0, 100));
  const chars = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4; run++) {
    const before = process.cpuUsage();
    for (const line of lines) model.classify(line);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  console.log(
    `\n${Math.round(lines.length / least)} lines of ${chars.toFixed(0)} characters per second of CPU`,
  );
  return lines.length / least;
}
