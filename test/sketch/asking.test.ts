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

  it("of a collocate has the heads that maps of plain occurrences have, also in a part of the corpus", () => {
    fc.assert(
      fc.property(occurrences, fc.nat(40), fc.nat(40), (list, a, b) => {
        const [begin, end] = [Math.min(a, b), Math.max(a, b) + 1];
        const part = { begins: Uint32Array.of(begin), ends: Uint32Array.of(end) } as unknown as Subcorpus;
        const reader = memoryReader(list);
        for (const inside of [undefined, part]) {
          const seen = list.filter(([, , , p]) => !inside || (p >= begin && p < end));
          const [, , collocate] = list[0];
          const found = sketchOf(reader, { word: collocate, reverse: true, ...(inside && { part: inside }) });
          const told = found.relations.flatMap(({ name, items }) =>
            items.map((item) => [name, item.collocate, item.count, item.score.toFixed(6)].join(" ")),
          );
          const own = seen.filter(([, , c]) => c === collocate);
          const expected = [...new Set(own.map(([h, r]) => `${r} ${h}`))].map((triple) => {
            const [r, h] = triple.split(" ");
            const f12 = own.filter((one) => one[0] === h && one[1] === r).length;
            const f1 = seen.filter((one) => one[0] === h && one[1] === r).length;
            const f2 = own.filter((one) => one[1] === r).length;
            return [r, h, f12, (14 + Math.log2((2 * f12) / (f1 + f2))).toFixed(6)].join(" ");
          });
          expect(told.sort()).toEqual(expected.sort());
          expect(found.reverse).toBe(true);
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

  it("puts collocates together that are used alike, and says which relations there are", () => {
    const alike: Occurrence[] = [
      ["war-n", "object_of", "end-v", 1, 2],
      ["war-n", "object_of", "lose-v", 3, 4],
      ["war-n", "object_of", "stop-v", 5, 6],
      // To end and to stop are alike: who does either, and what with.
      ["end-v", "subject", "king-n", 7, 8],
      ["stop-v", "subject", "king-n", 9, 10],
      ["end-v", "object", "war-n", 11, 12],
      ["stop-v", "object", "war-n", 13, 14],
      ["lose-v", "subject", "man-n", 15, 16],
    ];
    const [relation] = sketchOf(memoryReader(alike), { word: "war", cluster: true }).relations;
    expect(relation.items.map(({ collocate }) => collocate)).toEqual(["end-v", "lose-v", "stop-v"]);
    expect(relation.clusters).toEqual([["end-v", "stop-v"], ["lose-v"]]);
    const [apart] = sketchOf(memoryReader(alike), { word: "war", cluster: 1 }).relations;
    // Their contexts are the same, each with the same weight.
    expect(apart.clusters).toEqual([["end-v", "stop-v"], ["lose-v"]]);
    expect(sketchOf(memoryReader(alike), { word: "war" }).relations[0].clusters).toBeUndefined();
    expect(() => sketchOf(reader, { word: "war", relations: ["objct"] })).toThrow(/no relation "objct"/);
    expect(() => sketchOf(reader, { word: "war", with: { collocate: "great", relation: "x" } })).toThrow(
      /"x"/,
    );
  });

  it("shares of relations are of all of them, though only some are asked for", () => {
    const all = sketchOf(reader, { word: "war" });
    const some = sketchOf(reader, { word: "war", relations: ["modifier"] });
    expect(some.relations).toEqual(all.relations.filter(({ name }) => name === "modifier"));
    expect(some.occurrences).toBe(all.occurrences);
  });

  it("leads to the words that share its contexts", () => {
    const { items: similar } = similarTo(reader, reader.words.id("war-n")!);
    expect(similar.map(({ word }) => word)).toEqual(["battle-n"]);
    expect(similar[0].shared).toBe(2);
    expect(similar[0].similarity).toBeGreaterThan(0);
    expect(similar[0].similarity).toBeLessThan(1);
  });
});
