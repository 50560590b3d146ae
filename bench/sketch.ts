/**
 * `npm run bench -- sketch [--quick] [--data FOLDER] [--grammar NAME]`: word sketches and the thesaurus, by the English grammar.
 *
 *   on the eLife sample, 20 M tokens: computing with one thread and with two, and the speed-up
 *   on 100 M tokens (grown.ts has what they are): computing with two threads; asking (not with --quick)
 *
 * Each is computed in a process of its own; memory is the most that it had, what it shares with the system's caches included. With --data
 * the corpora are kept in a folder, and taken from there the next time; sketches are computed anew.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Desk, grammarText, openSketches, readSketchGrammar, sketch, thesaurus } from "../ql/index.js";
import {
  Catalog,
  encodeCorpus,
  removeSketches,
  type SketchesRecord,
  sketchesRecords,
  type ThesaurusRecord,
} from "../storage/index.js";
import { grow } from "./grown.js";
import { median, ms } from "./measure.js";
import { printTable } from "./table.js";

const elife = fileURLToPath(new URL("../../../shared/data/elife20m.vert.gz", import.meta.url));
const copies = 5;

interface Computed<Record> {
  record: Record;
  seconds: number;
  /** Of processors, all threads together: with two threads nearly twice the seconds, unless others had them. */
  cpuSeconds: number;
  megabytes: number;
  phases: { [phase: string]: number };
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      data: { type: "string" },
      grammar: { type: "string", default: "english-universal" },
    },
  });
  if (!existsSync(elife)) {
    console.log(`no eLife sample at ${elife}: nothing to measure`);
    return;
  }
  const folder = values.data ?? mkdtempSync(join(tmpdir(), "dugong-bench-sketch-"));
  try {
    const { text, name } = grammarText(values.grammar);
    const { relations } = readSketchGrammar(text, { name });
    console.log(`grammar ${name}: ${relations.length} relations`);
    await makeCorpus(folder, "sample", 1);
    await compareThreads(folder, values.grammar);
    if (values.quick) return;
    await makeCorpus(folder, "grown", copies);
    await computeGrown(folder, values.grammar);
    await ask(folder);
  } finally {
    if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function makeCorpus(data: string, corpus: string, times: number): Promise<void> {
  if (existsSync(join(data, corpus))) return;
  const file = times === 1 ? elife : join(data, "grown.vert");
  if (times > 1) await grow(elife, file, times);
  await encodeCorpus({ data, corpus, inputs: [file], attributes: ["word", "lemma", "tag"], workers: 2 });
  if (times > 1) rmSync(file);
}

function compute<Record>(
  what: "sketches" | "thesaurus",
  data: string,
  corpus: string,
  workers: number,
  grammar = "",
): Computed<Record> {
  const child = fileURLToPath(new URL("./sketch-child.js", import.meta.url));
  const parameters = [child, what, data, corpus, String(workers), grammar];
  return JSON.parse(execFileSync(process.execPath, parameters, { encoding: "utf8" }));
}

/** Sketches and their thesaurus; those of before are forgotten. */
async function computeBoth(data: string, corpus: string, workers: number, grammar: string) {
  const catalog = Catalog.open(data);
  if (sketchesRecords(catalog, corpus).length > 0) removeSketches(catalog, corpus, "default");
  await catalog.close();
  return {
    sketches: compute<SketchesRecord>("sketches", data, corpus, workers, grammar),
    thesaurus: compute<ThesaurusRecord>("thesaurus", data, corpus, workers),
  };
}

/** How many times as much two threads do here as one of what needs neither memory nor each other: more cannot be had. */
async function speedUpMax(): Promise<number> {
  const loop =
    "let sum = 0; for (let i = 0; i < 1e9; i++) sum = (Math.imul(sum, 31) + i) | 0; if (sum === 1) throw sum;";
  const seconds = async (threads: number) => {
    const began = performance.now();
    await Promise.all(Array.from({ length: threads }, () => once(new Worker(loop, { eval: true }), "exit")));
    return performance.now() - began;
  };
  await seconds(1);
  const alone = await seconds(1);
  return (2 * alone) / (await seconds(2));
}

async function compareThreads(data: string, grammar: string): Promise<void> {
  const rows: (string | number)[][] = [];
  const alone = await computeBoth(data, "sample", 1, grammar);
  const both = await computeBoth(data, "sample", 2, grammar);
  for (const what of ["sketches", "thesaurus"] as const)
    for (const [workers, own] of [
      [1, alone[what]],
      [2, both[what]],
    ] as const)
      rows.push([
        what,
        workers,
        own.seconds.toFixed(1),
        own.cpuSeconds.toFixed(1),
        (alone[what].seconds / own.seconds).toFixed(2),
        megabytes(own.megabytes),
      ]);
  const { tokens } = alone.sketches.record;
  printTable(
    `${millions(tokens)} tokens of eLife, one thread and two (two that only count reach ${(await speedUpMax()).toFixed(2)} here)`,
    ["computing", "threads", "seconds", "of processors", "speed-up", "memory"],
    rows,
  );
}

async function computeGrown(data: string, grammar: string): Promise<void> {
  const { sketches, thesaurus: words } = await computeBoth(data, "grown", 2, grammar);
  const { tokens, triples, occurrences, bytes } = sketches.record;
  printTable(
    `${millions(tokens)} tokens (eLife ${copies} times, each with a quarter of its lemmas renamed), two threads`,
    ["computing", "seconds", "wanted", "memory", "wanted", "what"],
    [
      [
        "sketches",
        sketches.seconds.toFixed(0),
        "1200",
        megabytes(sketches.megabytes),
        "4096 MB",
        `${millions(triples)} triples, ${millions(occurrences)} occurrences, ${(bytes / triples).toFixed(1)} bytes/triple, merged from ${(sketches.phases.merge ?? 0).toFixed(0)} s on`,
      ],
      [
        "thesaurus",
        words.seconds.toFixed(0),
        "900",
        megabytes(words.megabytes),
        "",
        `${words.record.heads} words, ${words.record.neighbours} neighbours`,
      ],
    ],
  );
}

/** Milliseconds, warm: a desk is open, and the same is asked again and again; and the first time. */
async function ask(data: string): Promise<void> {
  const desk = Desk.open({ data, corpus: "grown" });
  const reader = openSketches(desk.snapshot);
  const nouns: { word: string; count: number }[] = [];
  const counts = reader.headCounts();
  for (let word = 0; word < counts.length; word++) {
    const text = reader.words.text(word);
    if (counts[word] > 0 && text.endsWith("-n")) nouns.push({ word: text, count: counts[word] });
  }
  reader.close();
  nouns.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  const rare = nouns.find(({ count }) => count <= 20)!;
  const rows: (string | number)[][] = [];
  const measure = async (what: string, wanted: string, question: () => unknown) => {
    const time = async () => {
      const began = performance.now();
      await question();
      return performance.now() - began;
    };
    const first = await time();
    rows.push([what, ms(first), ms(await median(time)), wanted]);
  };
  await measure(`sketch of ${rare.word}, ${rare.count} times in relations`, "10", () => sketch(desk, rare));
  await measure(`sketch of ${nouns[0].word}, ${nouns[0].count} times in relations`, "50", () =>
    sketch(desk, nouns[0]),
  );
  await measure(`the same as the command asks, 10 collocates of 2 occurrences or more`, "50", () =>
    sketch(desk, { ...nouns[0], maxItems: 10, minCount: 2 }),
  );
  await measure(`words like ${nouns[0].word}, looked up`, "", () => thesaurus(desk, nouns[0]));
  await measure(`words like ${nouns[0].word}, found on the spot`, "", () =>
    thesaurus(desk, { ...nouns[0], limit: 500 }),
  );
  await desk.close();
  printTable("asking, milliseconds", ["", "first", "warm", "wanted"], rows);
}

function millions(count: number): string {
  return `${(count / 1e6).toFixed(1)} M`;
}

function megabytes(size: number): string {
  return `${Math.round(size)} MB`;
}
