/**
 * `npm run bench -- stats [--quick]`: what is done with hits, on 100 M generated tokens (10 M with --quick), warm: the hits of
 * a word that occurs about a million times, counted, sorted, filtered, looked around; word lists of the whole corpus.
 *
 * Each question is asked in a process of its own, so that its memory can be told: `memory` is what the process has at its
 * most above what it had with the corpus open and all extents that the question reads in the pool.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
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
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const size = args.includes("--quick") ? 10 : 100;
  try {
    const path = join(folder, "generated.vert");
    generate(path, size * 1e6);
    await encodeCorpus({
      data: folder,
      corpus: "generated",
      inputs: [path],
      attributes: ["word", "lemma", "tag"],
      workers: 2,
    });
    rmSync(path);
    const rows = Object.keys(questions).map((name) => {
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
    rmSync(folder, { recursive: true, force: true });
  }
}

function ask(data: string, question: string): Answered {
  const child = fileURLToPath(new URL("./stats-child.js", import.meta.url));
  const output = execFileSync(process.execPath, ["--expose-gc", child, data, question], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.toString()) as Answered;
}
