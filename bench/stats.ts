/**
 * `npm run bench -- stats [--quick]`: what is done with hits, on 100 M generated tokens (10 M with --quick), warm: the hits of
 * a word that occurs about a million times, counted, sorted, filtered, looked around; word lists of the whole corpus.
 *
 * Each question is asked in a process of its own, so that its memory can be told: `memory` is what the process has at its
 * most above what it had with the corpus open (stats-child.ts). `--keep FOLDER` leaves the corpus there, and takes the one
 * that is there; `--only TEXT` asks the questions that have it in their name.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeCorpus } from "../storage/index.js";
import { generate } from "./generate.js";
import { questions } from "./stats-questions.js";
import { printTable } from "./table.js";

interface Answered {
  asked: string;
  hits: number;
  rows: number;
  firstMs: number;
  medianMs: number;
  memoryBytes: number;
}

export async function run(args: string[]): Promise<void> {
  const value = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const kept = value("--keep");
  const folder = kept ?? mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const size = args.includes("--quick") ? 10 : 100;
  const asked = Object.keys(questions).filter((name) => name.includes(value("--only") ?? ""));
  try {
    if (!existsSync(join(folder, "generated"))) {
      mkdirSync(folder, { recursive: true });
      await build(folder, size * 1e6);
    }
    const rows = asked.map((name) => {
      const answer = ask(folder, name);
      return [
        name,
        String(answer.hits),
        String(answer.rows),
        answer.firstMs.toFixed(0),
        answer.medianMs.toFixed(0),
        `${(answer.memoryBytes / 2 ** 20).toFixed(0)} MB`,
      ];
    });
    printTable(
      `${size} M tokens, ${Math.min(2, availableParallelism())} threads, ms`,
      ["", "hits", "rows", "first time", "warm", "memory"],
      rows,
    );
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function build(folder: string, tokens: number): Promise<void> {
  const path = join(folder, "generated.vert");
  generate(path, tokens);
  await encodeCorpus({
    data: folder,
    corpus: "generated",
    inputs: [path],
    attributes: ["word", "lemma", "tag"],
    workers: 2,
  });
  rmSync(path);
}

function ask(data: string, question: string): Answered {
  const child = fileURLToPath(new URL("./stats-child.js", import.meta.url));
  const output = execFileSync(process.execPath, ["--expose-gc", child, data, question], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.toString()) as Answered;
}
