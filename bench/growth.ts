/**
 * `npm run bench -- growth [--data FOLDER] [--class NAME]`: queries on generated corpora of 20 M and 100 M tokens, one thread, to
 * see how cost grows with a corpus. Each query is asked of each corpus in a process of its own; medians.
 *
 *   at once   the same query again and again. What it reads of the small corpus may stay in the caches of the processor
 *             then, where the large one has no room: that says as much of these as of the engine
 *   among     the same, but between two runs the caches are swept, as by other queries: both corpora are read from memory
 *   growth    time per token on the large corpus by time per token on the small one: 1 is linear, less is better
 *
 * With --data the corpora are kept in a folder, and taken from there the next time.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeCorpus, openCorpus } from "../storage/index.js";
import { generate } from "./generate.js";
import { ms } from "./measure.js";
import { printTable } from "./table.js";

/** Queries of the same kinds as those on the eLife sample, in the words of generated corpora. */
const queries: [name: string, query: string][] = [
  ["single frequent", '"ne"'],
  ["single rare", '"sotu|hade"'],
  ["tag", '[tag="NN"]'],
  ["negation", '[tag!="NN"]'],
  ["suffix regex", '".*ta"'],
  ["infix regex", '".*sona.*"'],
  ["regex and tag", '[word=".*e" & tag="VB"]'],
  ["frequent sequence", '"ne" "se"'],
  ["word then tag", '[lemma="fa"] [tag="NN"]'],
  ["tag bigram", '[tag="JJ"] [tag="NN"]'],
  ["noun phrase", '[tag="DT"]? [tag="JJ"]* [tag="NN"]'],
  ["gap frequent", '[tag="VB"] []{0,5} [tag="NN"]'],
  ["gap within s", '"fa" []* "ka" within <s/>'],
  ["within doc", '[lemma="fa"] within <doc genre="news"/>'],
  ["containing", '<s/> containing "sota"'],
  ["not containing", '<s/> !containing [tag="NN"]'],
  ["sentence start", '<s> [tag="RB"]'],
  ["meet", '(meet [lemma="fa"] [tag="NN"] 1 3)'],
  ["repeated word", "1:[] 2:[] & 1.word=2.word"],
  ["long pattern", '[tag="PRP"] [tag="MD"]? [tag="RB"]? [tag="VB"] [tag="DT"] [tag="JJ"]* [tag="NN"]'],
];

const sizes = [20, 100];

interface Answered {
  hits: number;
  atOnceMs: number;
  amongOthersMs: number;
  firstMs: number;
  plan: string;
}

export async function run(args: string[]): Promise<void> {
  const after = (option: string) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
  const kept = after("--data");
  const only = after("--class");
  const folder = kept ?? mkdtempSync(join(tmpdir(), "dugong-bench-"));
  try {
    for (const size of sizes) await makeCorpus(folder, size);
    const rows: string[][] = [];
    for (const [name, query] of queries) {
      if (only !== undefined && name !== only) continue;
      const [small, large] = sizes.map((size) => ask(folder, size, query));
      const growth = (field: "atOnceMs" | "amongOthersMs") =>
        (large[field] / small[field] / (sizes[1] / sizes[0])).toFixed(2);
      rows.push([
        name,
        String(small.hits),
        String(large.hits),
        ms(small.atOnceMs),
        ms(large.atOnceMs),
        growth("atOnceMs"),
        ms(small.amongOthersMs),
        ms(large.amongOthersMs),
        growth("amongOthersMs"),
        ms(large.firstMs),
        large.plan,
      ]);
    }
    const [small, large] = sizes.map((size) => `${size} M`);
    printTable(
      `generated corpora of ${small} and ${large} tokens, list, ms (growth: 1 is linear, less is better)`,
      [
        "",
        `hits, ${small}`,
        `hits, ${large}`,
        `${small} at once`,
        large,
        "growth",
        `${small} among`,
        large,
        "growth",
        "first 50",
        "plan",
      ],
      rows,
    );
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = (size: number) => `generated${size}`;

async function makeCorpus(data: string, size: number): Promise<void> {
  const corpus = nameOf(size);
  try {
    await openCorpus({ data, corpus }).close();
    return;
  } catch {
    // Not there yet.
  }
  const path = join(data, "generated.vert");
  generate(path, size * 1e6);
  await encodeCorpus({ data, corpus, inputs: [path], attributes: ["word", "lemma", "tag"], workers: 2 });
  rmSync(path);
}

function ask(data: string, size: number, query: string): Answered {
  const child = fileURLToPath(new URL("./growth-child.js", import.meta.url));
  const output = execFileSync(process.execPath, [child, data, nameOf(size), query], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(output.toString()) as Answered;
}
