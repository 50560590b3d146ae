/** Sketches after an append, or a compaction, are the bytes that they are when all is computed anew. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeSketches } from "../../ql/sketch/compute.js";
import {
  appendToCorpus,
  Catalog,
  compactCorpus,
  encodeCorpus,
  openCorpus,
  removeSketches,
  verifyCorpus,
} from "../../storage/index.js";
import { encodeOptions, randomCorpus, textOf } from "../query/corpora.js";
import { seed } from "../seed.js";
import { grammar } from "./random-grammar.js";

const runs = 20;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-sketch-append-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inputOf(text: string, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function forget(data: string): Promise<void> {
  const catalog = Catalog.open(data);
  removeSketches(catalog, "c", "default");
  await catalog.close();
}

const bytesOf = (data: string, file: string) => readFileSync(join(data, "c", "parts", file));

describe("sketches of a corpus that has grown", () => {
  it(`are those of computing from scratch (seed ${seed})`, { timeout: 300_000 }, async () => {
    let serial = 0;
    let went = 0;
    const property = fc.asyncProperty(
      randomCorpus,
      fc.array(randomCorpus, { minLength: 1, maxLength: 2 }),
      grammar,
      fc.constantFrom("word", "word+tag"),
      fc.constantFrom(1, 3, 20, 1_000_000),
      fc.boolean(),
      async (corpus, appended, text, heads, rowsMax, isCompacted) => {
        const data = join(folder, String(serial++));
        await encodeCorpus({
          data,
          corpus: "c",
          inputs: [inputOf(textOf(corpus), "first")],
          ...encodeOptions(corpus),
        });
        const options = { data, corpus: "c", grammar: text, grammarName: "g.txt", heads };
        await computeSketches({ ...options, rowsMax });
        for (const more of appended) {
          const inputs = [inputOf(textOf(more), "more")];
          await appendToCorpus({ data, corpus: "c", inputs, again: true, compact: isCompacted });
        }
        if (isCompacted) await compactCorpus({ data, corpus: "c" });
        const grown = await computeSketches({ ...options, rowsMax });
        if (grown.kept > 0) went++;
        const found = bytesOf(data, grown.record.file);
        const snapshot = openCorpus({ data, corpus: "c" });
        expect(verifyCorpus(snapshot).problems).toEqual([]);
        await snapshot.close();
        await forget(data);
        const anew = await computeSketches(options);
        expect(anew.kept).toBe(0);
        expect(found.equals(bytesOf(data, anew.record.file))).toBe(true);
        rmSync(data, { recursive: true, force: true });
      },
    );
    await fc.assert(property, { numRuns: runs, seed });
    expect(went).toBeGreaterThan(runs / 4);
  });
});
