/**
 * Ranked retrieval: `npm run bench -- search <vertical file…> [--attributes word,lemma,tag]`. Prints what the ten best take for one
 * frequent and one rare word, for several, for phrases and under conditions, warm: with all that match counted, and with what
 * cannot be among the best passed over; and the first answer of a corpus that was just opened.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Desk, type SearchOptions, search } from "../ql/index.js";
import { encodeCorpus } from "../storage/index.js";
import { median, ms } from "./measure.js";
import { printTable } from "./table.js";

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { attributes: { type: "string", default: "word,lemma,tag" } },
  });
  if (positionals.length === 0)
    throw new Error("usage: npm run bench -- search <vertical file…> [--attributes word,lemma,tag]");
  const data = mkdtempSync(join(tmpdir(), "dugong-bench-search-"));
  try {
    await encodeCorpus({
      ...{ data, corpus: "bench", inputs: positionals, derive: ["lc"] },
      attributes: values.attributes.split(","),
    });
    const desk = Desk.open({ data, corpus: "bench" });
    try {
      await measure(desk);
    } finally {
      await desk.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Words of this corpus by how frequent they are: the bench is the same for any. */
function wordsOf({ snapshot }: Desk) {
  const { lexicon } = snapshot.attribute("lc");
  const { frequencies } = lexicon;
  const isWord = (id: number) => /^[a-z]{3,}$/.test(lexicon.string(id));
  const ids = Array.from({ length: lexicon.size }, (_, id) => id)
    .filter((id) => frequencies[id] > 4)
    .sort((a, b) => frequencies[b] - frequencies[a]);
  const atMost = (count: number) => lexicon.string(ids.find((id) => frequencies[id] <= count && isWord(id))!);
  const most = frequencies[ids[0]];
  return {
    frequent: atMost(most),
    usual: atMost(most / 30),
    other: atMost(most / 100),
    rare: atMost(50),
  };
}

async function measure(desk: Desk): Promise<void> {
  const { frequent, usual, other, rare } = wordsOf(desk);
  const has = (name: string) =>
    desk.snapshot.structures.some(({ attributes }) => attributes.some((own) => own.name === name));
  const questions: Record<string, SearchOptions> = {
    "one frequent word": { query: frequent },
    "one usual word": { query: usual },
    "one rare word": { query: rare },
    "three words": { query: `${usual} ${other} ${rare}` },
    "three words, one frequent": { query: `${frequent} ${usual} ${rare}` },
    "a phrase": { query: `"${frequent} ${usual}"` },
    ...(has("year") && {
      "three words, where year>=2016": { query: `${usual} ${other} ${rare}`, where: "year>=2016" },
    }),
    ...(desk.snapshot.structures.some(({ name }) => name === "s") && {
      "sentences, one frequent word": { query: frequent, unit: "s" },
      "sentences, three words": { query: `${frequent} ${usual} ${rare}`, unit: "s" },
    }),
  };
  const rows: (string | number)[][] = [];
  for (const [name, options] of Object.entries(questions)) {
    const ask = async (exact: boolean) => {
      const before = performance.now();
      await search(desk, { ...options, exact });
      return performance.now() - before;
    };
    const first = await ask(true);
    const { hits, unit, terms } = await search(desk, options);
    rows.push([
      name,
      terms.map(({ term, count }) => `${term} ${count}`).join(", "),
      `${hits} ${unit}`,
      ms(first),
      ms(await median(() => ask(true))),
      ms(await median(() => ask(false))),
    ]);
  }
  printTable(
    `the ten best of ${desk.snapshot.tokens.toLocaleString("en")} tokens, ms`,
    ["question", "words and their occurrences", "match", "first time", "counted", "passed over"],
    rows,
  );
}
