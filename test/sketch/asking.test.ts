import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffOf } from "../../ql/sketch/diff.js";
import { findHead } from "../../ql/sketch/head.js";
import { sketchOf } from "../../ql/sketch/sketch.js";
import { similarTo } from "../../ql/sketch/thesaurus/similar.js";
import type { Subcorpus } from "../../ql/subcorpus/subcorpus.js";
import { memoryReader, type Occurrence } from "./memory.js";

const word = fc.constantFrom("war-n", "peace-n", "keep-v", "war-v", "great-j");
const occurrences: fc.Arbitrary<Occurrence[]> = fc.uniqueArray(
  fc.tuple(word, fc.constantFrom("object", "modifier"), word, fc.nat(40), fc.nat(40)),
  { minLength: 1, maxLength: 60, selector: (one) => one.join(" ") },
);

describe("a sketch", () => {
  it("has the counts and scores that maps of plain occurrences have, also in a part of the corpus", () => {
    fc.assert(
      fc.property(occurrences, fc.nat(40), fc.nat(40), (list, a, b) => {
        const [begin, end] = [Math.min(a, b), Math.max(a, b) + 1];
        const part = { begins: Uint32Array.of(begin), ends: Uint32Array.of(end) } as unknown as Subcorpus;
        const reader = memoryReader(list);
        for (const inside of [undefined, part]) {
          const seen = list.filter(([, , , p]) => !inside || (p >= begin && p < end));
          const head = list[0][0];
          const { relations } = sketchOf(reader, { word: head, ...(inside && { part: inside }) });
          const told = relations.flatMap(({ name, items }) =>
            items.map(({ collocate, count, score }) => [name, collocate, count, score.toFixed(6)].join(" ")),
          );
          const own = seen.filter(([h]) => h === head);
          const triples = new Set(own.map(([, r, c]) => `${r} ${c}`));
          const expected = [...triples].map((triple) => {
            const [r, c] = triple.split(" ");
            const f12 = own.filter((one) => one[1] === r && one[2] === c).length;
            const f1 = own.filter((one) => one[1] === r).length;
            const f2 = seen.filter((one) => one[1] === r && one[2] === c).length;
            return [r, c, f12, (14 + Math.log2((2 * f12) / (f1 + f2))).toFixed(6)].join(" ");
          });
          expect(told.sort()).toEqual(expected.sort());
        }
      }),
    );
  });

  const list: Occurrence[] = [
    ["war-n", "modifier", "great-j", 1, 0],
    ["war-n", "modifier", "great-j", 11, 10],
    ["war-n", "modifier", "civil-j", 21, 20],
    ["war-n", "object_of", "wage-v", 1, 3],
    ["war-n", "object_of", "end-v", 21, 23],
    ["war-n", "plural", "", 1, 1],
    ["war-v", "adverb", "still-a", 31, 30],
    ["battle-n", "modifier", "great-j", 41, 40],
    ["battle-n", "object_of", "wage-v", 41, 43],
    ["sky-n", "modifier", "blue-j", 51, 50],
  ];
  const reader = memoryReader(list);

  it("is that of the most frequent head, and names the others", () => {
    const { head, others, relations } = sketchOf(reader, { word: "war" });
    expect(head).toBe("war-n");
    expect(others).toEqual([{ head: "war-v", count: 1 }]);
    expect(relations.find(({ name }) => name === "plural")).toMatchObject({
      count: 1,
      items: [],
      share: 1 / 3,
    });
    expect(findHead(reader, "war", "verb").text).toBe("war-v");
    expect(() => findHead(reader, "war", "gerund")).toThrow(/no part of speech/);
    expect(() => findHead(reader, "bat")).toThrow(/no sketch of "bat"/);
  });

  it("keeps what is frequent enough, as many as are wanted, in the order that is wanted", () => {
    const asked = { word: "war", relations: ["modifier"], order: "count" as const };
    const [modifier] = sketchOf(reader, { ...asked, maxItems: 1 }).relations;
    expect(modifier.items.map(({ collocate }) => collocate)).toEqual(["great-j"]);
    expect(modifier.collocates).toBe(2);
    const [frequent] = sketchOf(reader, { ...asked, minCount: 2 }).relations;
    expect(frequent.items).toHaveLength(1);
  });

  it("of several words has the occurrences that have the other collocate too", () => {
    const { relations } = sketchOf(reader, { word: "war", with: { collocate: "great" } });
    expect(relations.find(({ name }) => name === "object_of")?.items).toMatchObject([
      { collocate: "wage-v", count: 1 },
    ]);
    expect(() => sketchOf(reader, { word: "war", with: { collocate: "purple" } })).toThrow(/purple/);
  });

  it("differs from another by what one of them has and by what both have", () => {
    const all = { maxItems: 1000 };
    const diff = diffOf(
      sketchOf(reader, { word: "war", ...all }),
      sketchOf(reader, { word: "battle", ...all }),
    );
    const modifier = diff.relations.find(({ name }) => name === "modifier")!;
    expect(modifier.first.map(({ collocate }) => collocate)).toEqual(["civil-j"]);
    expect(modifier.common).toMatchObject([{ collocate: "great-j", counts: [2, 1] }]);
    expect(modifier.second).toEqual([]);
  });

  it("takes a rare collocate of the other side for common, and leaves out what is rare on both", () => {
    const all = { maxItems: 1000 };
    const sides = [sketchOf(reader, { word: "war", ...all }), sketchOf(reader, { word: "battle", ...all })];
    const diff = diffOf(sides[0], sides[1], { minCount: 2 });
    const modifier = diff.relations.find(({ name }) => name === "modifier")!;
    expect(modifier.first).toEqual([]);
    expect(modifier.common).toMatchObject([{ collocate: "great-j", counts: [2, 1] }]);
    expect(diff.relations.find(({ name }) => name === "object_of")!.common).toEqual([]);
  });

  it("leads to the words that share its contexts", () => {
    const { items: similar } = similarTo(reader, reader.words.id("war-n")!);
    expect(similar.map(({ word }) => word)).toEqual(["battle-n"]);
    expect(similar[0].shared).toBe(2);
    expect(similar[0].similarity).toBeGreaterThan(0);
    expect(similar[0].similarity).toBeLessThan(1);
  });
});
