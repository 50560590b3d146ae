/**
 * `npm run bench -- tokenise`: tokens and sentences found in raw text, beside those of treebanks, and how fast.
 *
 * Raw text is made of a treebank so: a sentence is its surface tokens, with a space after each but those with SpaceAfter=No;
 * the sentences of a paragraph stand behind each other in the same way; a paragraph begins at `# newpar` and `# newdoc`,
 * or, in a treebank without either, with every twentieth sentence. Paragraphs are cut one by one, so their ends are known; the
 * evaluation of CoNLL 2018 gives systems an empty line there. As it does, tokens and sentences are compared as ranges of
 * characters that are not white space: one that begins and ends at the same places counts, F1 is of all documents together.
 *
 * `tokens` counts the surface tokens of the treebank ("don't" is one), `words` its words ("do", "n't"; words of a range whose
 * forms do not give back the range are taken as the range). Both are held against the target.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesOf } from "../ingest/stream/lines.js";
import { Warnings } from "../ingest/stream/report.js";
import { escapeText, tagOf } from "../ingest/stream/tags.js";
import { type GoldSentence, treebank } from "../ingest/tag/conllu.js";
import { tables } from "../ingest/tokenise/languages/index.js";
import { rulesOf } from "../ingest/tokenise/rules.js";
import { SentenceCutter } from "../ingest/tokenise/sentences.js";
import { tableOf } from "../ingest/tokenise/table.js";
import { tokenise } from "../ingest/tokenise/tokenise.js";
import { printTable, printTargets, type Target } from "./table.js";

const shared = join(import.meta.dirname, "../../../shared/data");

const treebanks: [name: string, language: string, file: string, words?: number, sentences?: number][] = [
  ["EWT test", "en", "ud/en_ewt-test.conllu.gz", 0.97, 0.87],
  ["EWT dev", "en", "ud/en_ewt-dev.conllu.gz"],
  ["English PUD", "en", "parallel/en_pud-ud-test.conllu.gz"],
  ["German PUD", "de", "parallel/de_pud-ud-test.conllu.gz"],
  ["French PUD", "fr", "parallel/fr_pud-ud-test.conllu.gz"],
  ["Czech PUD", "cs", "parallel/cs_pud-ud-test.conllu.gz"],
  ["Faroese OFT", "fo", "ud/fo_oft-ud-test.conllu.gz"],
  ["Faroese FarPaHC", "fo", "ud/fo_farpahc-ud-test.conllu.gz"],
];

export interface Gold {
  paragraphs: string[];
  /** Ends and starts of ranges as one key each: characters without white space. */
  tokens: Set<string>;
  words: Set<string>;
  sentences: Set<string>;
}

export async function goldOf(path: string): Promise<Gold> {
  const sentences: GoldSentence[] = [];
  for await (const sentence of treebank([path], { warnings: new Warnings() })) sentences.push(sentence);
  const hasParagraphs = sentences.some(({ startsParagraph }, i) => i > 0 && startsParagraph);
  const gold: Gold = { paragraphs: [], tokens: new Set(), words: new Set(), sentences: new Set() };
  let at = 0;
  sentences.forEach(({ surface, tokens, startsParagraph }, i) => {
    const starts = hasParagraphs ? startsParagraph : i % 20 === 0;
    if (starts || i === 0) gold.paragraphs.push("");
    const from = at;
    for (const [list, into] of [
      [surface, gold.tokens],
      [tokens, gold.words],
    ] as const) {
      at = from;
      for (const { form } of list) {
        const length = form.replace(/\s+/g, "").length;
        into.add(`${at} ${at + length}`);
        at += length;
      }
    }
    gold.sentences.add(`${from} ${at}`);
    const last = gold.paragraphs.length - 1;
    for (const { form, glued } of surface)
      gold.paragraphs[last] += gold.paragraphs[last] !== "" && !glued ? ` ${form}` : form;
  });
  return gold;
}

export function foundIn(vertical: string, from: number, words: Set<string>, sentences: Set<string>): number {
  let at = from;
  let start = at;
  for (const line of vertical.split("\n")) {
    if (line === "<s>") start = at;
    else if (line === "</s>") sentences.add(`${start} ${at}`);
    else if (line !== "<g/>" && line !== "") {
      words.add(`${at} ${at + line.length}`);
      at += line.length;
    }
  }
  return at;
}

export function f1(found: Set<string>, gold: Set<string>): number {
  let same = 0;
  for (const range of found) if (gold.has(range)) same++;
  return (2 * same) / (found.size + gold.size);
}

export function cutterOf(language: string): SentenceCutter {
  return new SentenceCutter(rulesOf(language, tableOf(tables, language)));
}

export async function run(): Promise<void> {
  if (!existsSync(shared)) throw new Error(`there is no ${shared}`);
  const rows: string[][] = [];
  const targets: Target[] = [];
  for (const [name, language, file, wordsAim, sentencesAim] of treebanks) {
    const gold = await goldOf(join(shared, file));
    const cutter = cutterOf(language);
    const words = new Set<string>();
    const sentences = new Set<string>();
    let at = 0;
    for (const paragraph of gold.paragraphs)
      at = foundIn(cutter.paragraph(paragraph).text, at, words, sentences);
    const figures = [f1(words, gold.words), f1(words, gold.tokens), f1(sentences, gold.sentences)];
    rows.push([name, ...figures.map((figure) => figure.toFixed(4))]);
    if (wordsAim !== undefined && sentencesAim !== undefined)
      targets.push(
        { what: `F1 of words, ${name}`, value: figures[0], least: wordsAim, digits: 4 },
        { what: `F1 of tokens, ${name}`, value: figures[1], least: wordsAim, digits: 4 },
        { what: `F1 of sentences, ${name}`, value: figures[2], least: sentencesAim, digits: 4 },
      );
  }
  printTable("F1 on raw text", ["", "words", "tokens", "sentences"], rows);
  printTargets([...targets, ...(await measureSpeed())]);
}

/** Articles as raw text, in one process and without threads: the cutter alone, and the step from file to file. */
async function measureSpeed(): Promise<Target[]> {
  const paragraphs = await articles(20e6);
  const bytes = Buffer.byteLength(paragraphs.join("\n"));
  const rate = (began: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(began);
    return bytes / (user + system);
  };
  const rows: [string, number][] = [];
  for (const language of ["en", "und"]) {
    const began = process.cpuUsage();
    const cutter = cutterOf(language);
    for (const paragraph of paragraphs) cutter.paragraph(paragraph);
    rows.push([`the cutter, ${language}`, rate(began)]);
  }
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  try {
    const input = join(folder, "articles.txt");
    writeFileSync(input, paragraphs.map((text) => `${escapeText(text)}\n\n`).join(""));
    const began = process.cpuUsage();
    await tokenise(
      { inputs: [input], output: join(folder, "articles.vert") },
      { language: "en", workers: 1 },
    );
    rows.push(["the step, file to file, en", rate(began)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(
    `MB per CPU second on ${(bytes / 1e6).toFixed(0)} MB`,
    ["", "MB/s"],
    rows.map(([what, value]) => [what, value.toFixed(1)]),
  );
  return rows.map(([what, value]) => ({ what: `MB/s, ${what}`, value, least: 8, digits: 1 }));
}

/** Paragraphs of articles, put together from their tokens. */
async function articles(chars: number): Promise<string[]> {
  const paragraphs: string[] = [];
  let text = "";
  let isGlued = true;
  let size = 0;
  for await (const { lines } of linesOf([join(shared, "elife20m.vert.gz")], { warnings: new Warnings() })) {
    for (const line of lines) {
      if (line === "<g/>") isGlued = true;
      else if (line === "</p>") {
        paragraphs.push(text);
        size += text.length;
        text = "";
        isGlued = true;
      } else if (tagOf(line) === null) {
        const word = line.slice(0, line.indexOf("\t"));
        text += isGlued ? word : ` ${word}`;
        isGlued = false;
      }
    }
    if (size > chars) break;
  }
  return paragraphs;
}
