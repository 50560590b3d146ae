/** Sketches as they are asked at a desk and in CQL, over a corpus with sketches in maps. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeSketches, Desk, findAll, sketch, sketchDiff, thesaurus } from "../../ql/index.js";
import { giveSketches } from "../../ql/sketch/open.js";
import { encodeCorpus } from "../../storage/index.js";
import { memoryReader, type Occurrence } from "./memory.js";

let folder = "";
let desk: Desk;
const tokens = 400;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-sketch-"));
  const lines = Array.from({ length: tokens }, (_, i) =>
    i % 3 === 0 ? "war\twar\tNOUN" : i % 3 === 1 ? "wars\twar\tNOUN" : "peace\tpeace\tNOUN",
  );
  const docs = Array.from(
    { length: 8 },
    (_, i) => `<doc n="${i}">\n${lines.slice(i * 50, i * 50 + 50).join("\n")}\n</doc>\n`,
  );
  writeFileSync(join(folder, "text.vert"), docs.join(""));
  const data = join(folder, "data");
  await encodeCorpus({
    ...{ data, corpus: "c", inputs: [join(folder, "text.vert")], attributes: ["word", "lemma", "tag"] },
    ...{ document: "doc", segmentBytes: 200, workers: 1 },
  });
  desk = Desk.open({ data, corpus: "c" });
});

afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begins(query: string): Promise<number[]> {
  return [...findAll(desk.snapshot, query).begins];
}

const word = fc.constantFrom("war-n", "peace-n", "keep-v");
const occurrences: fc.Arbitrary<Occurrence[]> = fc.uniqueArray(
  fc.tuple(word, fc.constantFrom("object", "modifier"), word, fc.nat(tokens - 1), fc.nat(tokens - 1)),
  { minLength: 1, maxLength: 60, selector: (one) => one.join(" ") },
);

describe("sketches of a corpus", () => {
  it("are refused where none were computed", async () => {
    await expect(begins('[ws("war-n","object","keep-v")]')).rejects.toThrow(/no sketches computed/);
    await expect(sketch(desk, { word: "war" })).rejects.toThrow(/no sketches computed/);
  });

  it("lead to their lines in CQL, alone and beside other conditions", async () => {
    await fc.assert(
      fc.asyncProperty(occurrences, async (list) => {
        giveSketches(desk.snapshot, memoryReader(list, tokens));
        const [head, relation, collocate] = list[0];
        const own = list.filter(([h, r, c]) => h === head && r === relation && c === collocate);
        const expected = [...new Set(own.map(([, , , p]) => p))].sort((a, b) => a - b);
        const test = `ws("${head}","${relation}","${collocate.replace(/-.$/, "")}")`;
        expect(await begins(`[${test}]`)).toEqual(expected);
        expect(await begins(`[${test} & word="peace"]`)).toEqual(expected.filter((p) => p % 3 === 2));
        expect(await begins(`[!${test} & word="peace"]`)).toEqual(
          Array.from({ length: tokens }, (_, p) => p).filter((p) => p % 3 === 2 && !expected.includes(p)),
        );
        expect(await begins(`[] [${test}]`)).toEqual(expected.filter((p) => p > 0).map((p) => p - 1));
      }),
      { numRuns: 40 },
    );
  });

  it("are asked at a desk: in parts of the corpus, of two forms, and for similar words", async () => {
    const list: Occurrence[] = [
      ["war-n", "object_of", "wage-v", 0, 2],
      ["war-n", "object_of", "end-v", 301, 302],
      ["war-n", "object_of", "end-v", 304, 305],
      ["peace-n", "object_of", "end-v", 2, 3],
      ["war-n", "object_of", "lose-v", 1, 4],
    ];
    giveSketches(desk.snapshot, memoryReader(list, tokens));
    const subcorpus = { kind: "values" as const, structure: "doc", attribute: "n", values: ["0"] };
    const inside = await sketch(desk, { word: "war", subcorpus });
    expect(inside.relations[0].items.map(({ collocate }) => collocate).sort()).toEqual(["lose-v", "wage-v"]);
    // The head itself is counted there, too.
    expect(inside.count).toBe(34);
    const diff = await sketchDiff(desk, { word: "war", forms: ["war", "wars"] });
    expect(diff.heads).toEqual(["war", "wars"]);
    expect(diff.counts).toEqual([134, 133]);
    expect(diff.relations[0].first.map(({ collocate }) => collocate)).toEqual(["wage-v"]);
    expect(diff.relations[0].second.map(({ collocate }) => collocate).sort()).toEqual(["end-v", "lose-v"]);
    // "end" is rare beside peace, and common all the same.
    const often = await sketchDiff(desk, { word: "war", other: "peace", minCount: 2 });
    expect(often.relations[0]).toMatchObject({ first: [], common: [{ collocate: "end-v", counts: [2, 1] }] });
    // A name with the head in it is one relation of both.
    giveSketches(
      desk.snapshot,
      memoryReader(
        list.map(([h, , ...rest]) => [h, "to_do_%w", ...rest]),
        tokens,
      ),
    );
    const named = await sketchDiff(desk, { word: "war", other: "peace" });
    expect(named.relations).toMatchObject([{ name: "to_do_war-n/peace-n", counts: [4, 1] }]);
    expect((await sketch(desk, { word: "war", relations: ["to_do_war-n"] })).relations).toHaveLength(1);
    expect(await begins('[ws("war-n","to_do_war-n","wage-v")]')).toEqual([0]);
    giveSketches(desk.snapshot, memoryReader(list, tokens));
    const only = await sketch(desk, { word: "war", with: { collocate: "end" } });
    expect(only.count).toBe(2);
    expect(await begins('~3"war-n"')).toEqual(Array.from({ length: 133 }, (_, i) => i * 3 + 2));
    await expect(sketchDiff(desk, { word: "war" })).rejects.toThrow(/nothing to compare/);
    expect(thesaurus(desk, { word: "war" }).items.map(({ word }) => word)).toEqual(["peace-n"]);
  });
});

describe("sketches that are not called default", () => {
  const grammar = '=object\n1:[lemma="war"] 2:[lemma="peace"]\n';
  const compute = (name: string) =>
    computeSketches({
      ...{ data: join(folder, "data"), corpus: "c", grammar, grammarName: "g.wsdef", heads: "lemma", name },
    });

  it("are asked in CQL and without a name where they are the only ones", async () => {
    await compute("penn");
    const own = Desk.open({ data: join(folder, "data"), corpus: "c" });
    try {
      const pairs = findAll(own.snapshot, '[lemma="war"] [lemma="peace"]').begins;
      expect(pairs.length).toBeGreaterThan(100);
      expect([...findAll(own.snapshot, '[ws("war","object","peace")]').begins]).toEqual([...pairs]);
      expect((await sketch(own, { word: "war" })).occurrences).toBe(pairs.length);
      await expect(sketch(own, { word: "war", sketches: "default" })).rejects.toThrow(/no sketches computed/);
    } finally {
      await own.close();
    }
    await compute("other");
    const again = Desk.open({ data: join(folder, "data"), corpus: "c" });
    try {
      await expect(sketch(again, { word: "war" })).rejects.toThrow(/no sketches computed/);
      expect((await sketch(again, { word: "war", sketches: "other" })).head).toBe("war");
    } finally {
      await again.close();
    }
  });
});
