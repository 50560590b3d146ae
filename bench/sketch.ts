/**
 * Computing word sketches: `npm run bench -- sketch <vertical file> --attributes word,tag,lemma --grammar FILE [--heads lemma+tag]`.
 * Prints seconds with one thread and with two, tokens a second, memory, and bytes of the index for each triple.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { computeSketches } from "../ql/index.js";
import { Catalog, encodeCorpus, removeSketches } from "../storage/index.js";
import { printTable } from "./table.js";

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { attributes: { type: "string" }, grammar: { type: "string" }, heads: { type: "string" } },
  });
  if (positionals.length === 0 || !values.grammar || !values.attributes)
    throw new Error(
      "usage: npm run bench -- sketch <vertical file…> --attributes word,tag,lemma --grammar FILE [--heads lemma+tag]",
    );
  const data = mkdtempSync(join(tmpdir(), "dugong-bench-sketch-"));
  try {
    await encodeCorpus({
      data,
      corpus: "bench",
      inputs: positionals,
      attributes: values.attributes.split(","),
    });
    const grammar = readFileSync(values.grammar, "utf8");
    const rows: (string | number)[][] = [];
    let alone = 0;
    for (const workers of [1, 2]) {
      const { record, seconds } = await computeSketches({
        data,
        corpus: "bench",
        grammar,
        grammarName: values.grammar,
        heads: values.heads,
        workers,
      });
      if (workers === 1) alone = seconds;
      rows.push([
        workers,
        seconds.toFixed(1),
        Math.round(record.tokens / seconds),
        (alone / seconds).toFixed(2),
        record.triples,
        record.occurrences,
        (record.bytes / record.triples).toFixed(1),
        `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
      ]);
      const catalog = Catalog.open(data);
      removeSketches(catalog, "bench", "default");
      await catalog.close();
    }
    printTable(
      "computing word sketches",
      [
        "threads",
        "seconds",
        "tokens/s",
        "speed-up",
        "triples",
        "occurrences",
        "bytes/triple",
        "memory so far",
      ],
      rows,
    );
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
