/** Sketches of random corpora by random grammars are what the naive twin says: triples, counts, positions, parts of the corpus. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeSketches } from "../../ql/sketch/compute.js";
import { pairedHead } from "../../ql/sketch/heads.js";
import type { SketchReader } from "../../ql/sketch/reader.js";
import { sketchOf } from "../../ql/sketch/sketch.js";
import { openSketches } from "../../ql/sketch/stored.js";
import type { Subcorpus } from "../../ql/subcorpus/subcorpus.js";
import { encodeCorpus, openCorpus, verifyCorpus } from "../../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "../query/corpora.js";
import { seed } from "../seed.js";
import { type NaiveTriple, sketchNaively } from "./naive.js";
import { grammar } from "./random-grammar.js";

const runs = 60;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-sketch-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function encoded(corpus: RandomCorpus, data: string): Promise<void> {
  const file = join(folder, "text.vert");
  writeFileSync(file, textOf(corpus));
  await encodeCorpus({ data, corpus: "c", inputs: [file], ...encodeOptions(corpus) });
}

function triplesOf(reader: SketchReader): NaiveTriple[] {
  const found: NaiveTriple[] = [];
  for (const { head, relation, words, counts } of reader.slices()) {
    const all = reader.occurrencesOf(head, relation);
    const each = reader.positionsOfEach(head, relation, [...words, reader.words.count]);
    expect(each.at(-1)!.positions).toHaveLength(0);
    let at = 0;
    words.forEach((word, i) => {
      const { positions, collocates } = reader.positionsOf(head, relation, word);
      expect(positions.length).toBe(counts[i]);
      expect(each[i]).toEqual({ positions, collocates });
      expect(reader.count(head, relation, word)).toBe(counts[i]);
      expect([...all.positions.subarray(at, at + counts[i])]).toEqual([...positions]);
      at += counts[i];
      found.push({
        head: reader.words.text(head),
        relation: reader.info.relations[relation].name,
        collocate: reader.words.text(word),
        places: Array.from(positions, (position, k) => [position, collocates[k]]),
      });
    });
    expect(reader.countOfHead(head, relation)).toBe(at);
  }
  return found;
}

const byName = (triples: NaiveTriple[]) =>
  triples
    .map(({ head, relation, collocate, places }) => JSON.stringify([head, relation, collocate, places]))
    .sort();

/** The other way round, and in a part of the corpus. */
function checkReverse(reader: SketchReader, triples: NaiveTriple[]): void {
  const sums = new Map<string, { heads: Map<string, number>; positions: number[] }>();
  for (const { head, relation, collocate, places } of triples) {
    const key = JSON.stringify([relation, collocate]);
    const own = sums.get(key) ?? { heads: new Map<string, number>(), positions: [] as number[] };
    own.heads.set(head, places.length);
    own.positions.push(...places.map(([at]) => at));
    sums.set(key, own);
  }
  for (const [key, { heads, positions }] of sums) {
    const [name, collocate] = JSON.parse(key);
    const relation = reader.info.relations.find((one) => one.name === name)!.number;
    const word = reader.words.id(collocate)!;
    const found = reader.headsOf(word, relation);
    expect(new Map(Array.from(found.words, (own, i) => [reader.words.text(own), found.counts[i]]))).toEqual(
      heads,
    );
    expect([...reader.positionsOfHeads(word, relation)]).toEqual(positions.sort((a, b) => a - b));
    expect(reader.countOfCollocate(relation, word)).toBe(positions.length);
  }
  const total = triples.reduce((sum, { places }) => sum + places.length, 0);
  expect(reader.info.occurrences).toBe(total);
  expect(reader.info.relations.reduce((sum, { count }) => sum + count, 0)).toBe(total);
}

/** Lines of sketches, by head, in all of the corpus and in a part of it: relation, collocate, count, logDice, MI. */
function checkLines(reader: SketchReader, triples: NaiveTriple[], [begin, end]: [number, number]): void {
  const part = { begins: Uint32Array.of(begin), ends: Uint32Array.of(end) } as unknown as Subcorpus;
  const countOf = (list: NaiveTriple[]) => list.reduce((sum, { places }) => sum + places.length, 0);
  const inside = triples.map((one) => ({
    ...one,
    places: one.places.filter(([at]) => at >= begin && at < end),
  }));
  for (const [seen, view] of [
    [triples, {}],
    [inside, { part }],
  ] as const)
    for (const word of [...new Set(triples.map(({ head }) => head))].slice(0, 6)) {
      const lines = sketchOf(reader, { word, ...view, maxItems: 1000 }).relations.flatMap(
        ({ name, kind, count, items }) =>
          kind === "unary"
            ? [[name, "", count]]
            : items.map((item) => [
                name,
                item.collocate,
                item.count,
                item.score.toFixed(6),
                item.mi.toFixed(6),
              ]),
      );
      const own = seen.filter(({ head, places }) => head === word && places.length > 0);
      const wanted = own.map(({ relation, collocate, places: { length: f12 } }) => {
        if (reader.info.relations.find(({ name }) => name === relation)!.kind === "unary")
          return [relation, "", f12];
        const f1 = countOf(own.filter((one) => one.relation === relation));
        const f2 = countOf(seen.filter((one) => one.relation === relation && one.collocate === collocate));
        const n = countOf(triples.filter((one) => one.relation === relation));
        const scores = [14 + Math.log2((2 * f12) / (f1 + f2)), Math.log2((f12 * n) / (f1 * f2))];
        return [relation, collocate, f12, ...scores.map((score) => score.toFixed(6))];
      });
      expect(lines.map(String).sort()).toEqual(wanted.map(String).sort());
    }
}

describe("sketches", () => {
  it(`of random corpora are what the naive twin says (seed ${seed})`, { timeout: 300_000 }, async () => {
    let serial = 0;
    let withRows = 0;
    const part = fc
      .tuple(fc.nat(40), fc.nat(40))
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
    const property = fc.asyncProperty(
      randomCorpus,
      grammar,
      fc.boolean(),
      part,
      async (corpus, text, paired, inside) => {
        const data = join(folder, String(serial++));
        await encoded(corpus, data);
        const naive = naiveCorpus(corpus);
        const { word, tag } = naive.attributes;
        const wanted = sketchNaively(naive, text, (at) =>
          paired ? pairedHead(word[at], tag[at]) : word[at],
        );
        await computeSketches({
          data,
          corpus: "c",
          grammar: text,
          grammarName: "g.txt",
          heads: paired ? "word+tag" : "word",
        });
        const snapshot = openCorpus({ data, corpus: "c" });
        const reader = openSketches(snapshot);
        try {
          expect(byName(triplesOf(reader))).toEqual(byName(wanted));
          checkReverse(reader, wanted);
          checkLines(reader, wanted, inside);
          if (wanted.length > 0) withRows++;
          expect(verifyCorpus(snapshot).problems).toEqual([]);
        } finally {
          reader.close();
          await snapshot.close();
          rmSync(data, { recursive: true, force: true });
        }
      },
    );
    await fc.assert(property, { numRuns: runs, seed });
    expect(withRows).toBeGreaterThan(runs / 2);
  });

  it("say by file, line and column what of a grammar the corpus does not have", async () => {
    const [corpus] = fc.sample(randomCorpus, { seed: 7, numRuns: 1 });
    const data = join(folder, "lacking");
    await encoded(corpus, data);
    const compute = (text: string) =>
      computeSketches({ data, corpus: "c", grammar: text, grammarName: "some/g.wsdef.m4", heads: "word" });
    const text = [
      "define(`Noun', `[pos=\"N\"]')*STRUCTLIMIT s",
      "=one",
      '\t\t1:[word="a"] 2:[lema="b"]',
      "=two_%(2.lempos)",
      "\t1:[] 2:Noun",
    ].join("\n");
    await expect(compute(text)).rejects.toThrow(/^g\.wsdef\.m4:3:19: .*lema/m);
    await expect(compute(text)).rejects.toThrow(/^g\.wsdef\.m4:4:1: .*lempos/m);
    await expect(compute(text)).rejects.toThrow(/^g\.wsdef\.m4:5:9: .*pos/m);
    await expect(compute("# a\n *STRUCTLIMIT sentence\n=a\n1:[] 2:[]")).rejects.toThrow(
      /^g\.wsdef\.m4:2:2: .*sentence/m,
    );
    await expect(compute("*DEFAULTATTR tags\n=a\n1:[] 2:[]")).rejects.toThrow(/^g\.wsdef\.m4:1:1: .*tags/m);
  });

  it("are the same bytes whatever the number of threads", { timeout: 60_000 }, async () => {
    const [corpus] = fc.sample(randomCorpus, { seed: 7, numRuns: 1 });
    const text =
      '*DUAL\n=a/b\n1:[] []? 2:[]\n*TRINARY\n=p_%(3.word)\n1:[] 3:[] 2:[]\n*UNARY\n=u\n1:[tag="N"]';
    const bytes: Buffer[] = [];
    for (const workers of [1, 2, 3]) {
      const data = join(folder, `threads-${workers}`);
      await encoded({ ...corpus, segmentBytes: 100 }, data);
      const { record } = await computeSketches({
        data,
        corpus: "c",
        grammar: text,
        grammarName: "g",
        heads: "word",
        workers,
      });
      bytes.push(readFileSync(join(data, "c", "parts", record.file)));
    }
    expect(bytes[1].equals(bytes[0])).toBe(true);
    expect(bytes[2].equals(bytes[0])).toBe(true);
  });
});
