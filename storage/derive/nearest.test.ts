import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest.js";

const attributes = ["word", "lemma", "tag", "lc"];

describe("the nearest name", () => {
  it.each([
    ["lema", "lemma"],
    ["lemmma", "lemma"],
    ["lmema", "lemma"],
    ["lemna", "lemma"],
    ["wrod", "word"],
    ["LEMMA", "lemma"],
    ["Tag", "tag"],
    ["ta", "tag"],
    ["le", "lc"],
    ["lem", "lemma"],
  ])("of %s is %s", (wanted, name) => {
    expect(nearestName(wanted, attributes)).toBe(name);
  });

  it.each(["deprel", "", "x", "zz", "lemmatised form"])("of %j is none", (wanted) => {
    expect(nearestName(wanted, attributes)).toBeUndefined();
  });

  it("is the first of those equally near", () => {
    expect(nearestName("cat", ["bat", "rat"])).toBe("bat");
    expect(nearestName("low", ["lowercase", "lowest"])).toBe("lowest");
  });

  it("is the name itself if it is there", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(), (names, pick) => {
        const name = names[pick % names.length];
        expect(nearestName(name, names)?.toLowerCase()).toBe(name.toLowerCase());
      }),
    );
  });

  it("is not sought long in names of another length", () => {
    const start = performance.now();
    expect(nearestName("x".repeat(1_000_000), attributes)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(200);
  });
});
