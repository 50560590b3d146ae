/** Words that are similar are what the naive twin says, whether they are found on the spot or were computed before. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clustersOf } from "../../ql/sketch/cluster.js";
import { computeSketches } from "../../ql/sketch/compute.js";
import { readSketchGrammar } from "../../ql/sketch/grammar.js";
import { limits } from "../../ql/sketch/limits.js";
import { thesaurusOf } from "../../ql/sketch/open.js";
import { openSketches } from "../../ql/sketch/stored.js";
import { computeThesaurus } from "../../ql/sketch/thesaurus/compute.js";
import { similarTo } from "../../ql/sketch/thesaurus/similar.js";
import {
  appendToCorpus,
  Catalog,
  compactCorpus,
  encodeCorpus,
  openCorpus,
  removeSketches,
  verifyCorpus,
} from "../../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "../query/corpora.js";
import { seed } from "../seed.js";
import { sketchNaively } from "./naive.js";
import { clusterNaively, NaiveThesaurus } from "./naive-thesaurus.js";
import { grammar } from "./random-grammar.js";

const runs = 20;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-thesaurus-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function sketched(corpus: RandomCorpus, text: string, data: string): Promise<void> {
  const file = join(folder, "text.vert");
  writeFileSync(file, textOf(corpus));
  await encodeCorpus({ data, corpus: "c", inputs: [file], ...encodeOptions(corpus) });
  await computeSketches({ data, corpus: "c", grammar: text, grammarName: "g.txt", heads: "word" });
}

function naively(corpus: RandomCorpus, text: string): NaiveThesaurus {
  const naive = naiveCorpus(corpus);
  const triples = sketchNaively(naive, text, (at) => naive.attributes.word[at]);
  const unary = readSketchGrammar(text).relations.filter(({ kind }) => kind === "unary");
  return new NaiveThesaurus(
    triples,
    (name) => unary.some((relation) => relation.name === name),
    limits.promiscuousMax,
  );
}

describe("similar words", () => {
  it(`of random corpora are what the naive twin says, computed before or not (seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    let serial = 0;
    let found = 0;
    let lookedUp = 0;
    const property = fc.asyncProperty(
      randomCorpus,
      grammar,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(2, 5, 100),
      async (corpus, text, minCount, storedLimit, headsMax) => {
        const data = join(folder, String(serial++));
        await sketched(corpus, text, data);
        const naive = naively(corpus, text);
        const options = { minCount, limit: storedLimit, headsMax, rowsMax: 30 };
        await computeThesaurus({ data, corpus: "c", ...options });
        const snapshot = openCorpus({ data, corpus: "c" });
        const reader = openSketches(snapshot);
        const stored = thesaurusOf(reader)!;
        try {
          for (const head of naive.heads)
            for (const [limit, asked] of [
              [1, minCount],
              [storedLimit, minCount],
              [storedLimit, minCount + 3],
              [3, 1],
            ]) {
              const word = reader.words.id(head)!;
              const wanted = naive.neighbours(head, limit, asked);
              const onTheSpot = similarTo(reader, word, { limit, minCount: asked });
              const known = similarTo(reader, word, { limit, minCount: asked, stored });
              const plain = ({ items }: typeof known) => items.map(({ id: _, ...item }) => item);
              expect(plain(onTheSpot)).toEqual(wanted);
              expect(plain(known)).toEqual(wanted);
              // What it is there for: what was computed is not computed again.
              if (asked === minCount && naive.countOf(head) >= minCount) expect(known.isStored).toBe(true);
              found += wanted.length;
              if (known.isStored) lookedUp += wanted.length;
            }
          expect(verifyCorpus(snapshot).problems).toEqual([]);
        } finally {
          stored.close();
          reader.close();
          await snapshot.close();
          rmSync(data, { recursive: true, force: true });
        }
      },
    );
    await fc.assert(property, { numRuns: runs, seed });
    expect(found).toBeGreaterThan(runs);
    expect(lookedUp).toBeGreaterThan(runs / 2);
  });

  it("are the same bytes whatever the number of threads, and of tasks", { timeout: 60_000 }, async () => {
    const [corpus] = fc.sample(randomCorpus, { seed: 7, numRuns: 1 });
    const data = join(folder, "threads");
    await sketched({ ...corpus, segmentBytes: 100 }, "*DUAL\n=a/b\n1:[] []{0,3} 2:[]", data);
    const bytes: Buffer[] = [];
    for (const [workers, headsMax, rowsMax] of [
      [1, 100, 1_000],
      [2, 1, 3],
      [3, 2, 1],
    ]) {
      // Another limit, so that the last one is not taken for this.
      await computeThesaurus({ data, corpus: "c", limit: 4, minCount: 1, workers });
      const { record, known } = await computeThesaurus({
        ...{ data, corpus: "c", limit: 3, minCount: 1, workers, headsMax, rowsMax },
      });
      expect(known).toBe(false);
      expect(record.neighbours).toBeGreaterThan(0);
      bytes.push(readFileSync(join(data, "c", "parts", record.file)));
    }
    expect(bytes[1].equals(bytes[0])).toBe(true);
    expect(bytes[2].equals(bytes[0])).toBe(true);
    const again = await computeThesaurus({ data, corpus: "c", limit: 3, minCount: 1 });
    expect(again.known).toBe(true);
  });
});

describe("a thesaurus", () => {
  it("belongs to its sketches: compaction hands it on, an append leaves it behind, and it goes with them", async () => {
    const [corpus] = fc.sample(randomCorpus, { seed: 7, numRuns: 1 });
    const data = join(folder, "belongs");
    const text = "*DUAL\n=a/b\n1:[] []{0,3} 2:[]";
    await sketched(corpus, text, data);
    const files = () => readdirSync(join(data, "c", "parts")).filter((name) => name.endsWith(".thesaurus"));
    const lookedUp = async () => {
      const snapshot = openCorpus({ data, corpus: "c" });
      try {
        const reader = openSketches(snapshot);
        return thesaurusOf(reader) !== undefined;
      } finally {
        await snapshot.close();
      }
    };
    expect(await lookedUp()).toBe(false);
    await computeThesaurus({ data, corpus: "c", minCount: 1, limit: 5 });
    await computeThesaurus({ data, corpus: "c", minCount: 1, limit: 4 });
    expect(await lookedUp()).toBe(true);
    expect(files()).toHaveLength(1);
    await compactCorpus({ data, corpus: "c" });
    expect(await lookedUp()).toBe(true);
    await appendToCorpus({ data, corpus: "c", inputs: [join(folder, "text.vert")], again: true });
    await computeSketches({ data, corpus: "c", grammar: text, grammarName: "g.txt", heads: "word" });
    expect(await lookedUp()).toBe(false);
    await computeThesaurus({ data, corpus: "c", minCount: 1 });
    expect(await lookedUp()).toBe(true);
    const catalog = Catalog.open(data);
    removeSketches(catalog, "c", "default");
    await catalog.close();
    expect(files()).toEqual([]);
    await expect(computeThesaurus({ data, corpus: "c" })).rejects.toThrow(/no sketches computed/);
    await expect(computeThesaurus({ data, corpus: "c", limit: 0 })).rejects.toThrow(/cannot keep 0/);
  });
});

describe("clusters", () => {
  it("are those of joining the two that are most similar on average, again and again", () => {
    const similarities = fc.integer({ min: 0, max: 9 }).chain((count) =>
      fc.tuple(
        fc.array(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: count, maxLength: count }), {
          minLength: count,
          maxLength: count,
        }),
        fc.integer({ min: 0, max: 8 }),
      ),
    );
    fc.assert(
      fc.property(similarities, ([table, least]) => {
        const of = (i: number, j: number) => table[Math.min(i, j)][Math.max(i, j)];
        const full = table.map((row, i) => row.map((_, j) => of(i, j)));
        expect(clustersOf(table.length, of, least)).toEqual(clusterNaively(table.length, full, least));
      }),
      { numRuns: 300 },
    );
  });
});
