/** jusText: each rule by itself, the rules together on pages made by hand, and the second pass against its definition. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { layoutOf } from "./blocks.js";
import {
  type BlockClass,
  classAlone,
  inContext,
  judgingFor,
  justext,
  justextDefaults,
  stopWordDensity,
} from "./justext.js";
import {
  bestList,
  densityScale,
  listedLanguage,
  stopWordLanguages,
  stopWordsFrom,
  stopWordsOf,
  wordsOf,
} from "./stopwords.js";

const english = stopWordsOf("en");
const sentence = "It was the best of times and it was the worst of times for all of us in the city. ";
const good = sentence.repeat(3).trim();
const near = sentence.repeat(2).trim();
const names =
  "Prague Vienna Budapest Bratislava Warsaw Berlin Hamburg Munich Frankfurt Cologne Stuttgart Dresden Leipzig";

function alone(html: string, stopWords: typeof english | null = english): BlockClass[] {
  const layout = layoutOf(html);
  return layout.blocks.map((_, i) => classAlone(layout, i, stopWords, justextDefaults));
}

describe("a block by itself", () => {
  it("is bad with many links", () => {
    expect(alone(`<p>${good}</p><p><a href=x>${good}</a></p>`)).toEqual(["good", "bad"]);
    expect(alone(`<p>${good} <a href=x>and more</a></p>`)).toEqual(["good"]);
  });

  it("is bad with a copyright sign, or in a list of choices", () => {
    expect(alone(`<p>© ${good}</p><p>&copy; ${good}</p>`)).toEqual(["bad", "bad"]);
    expect(alone(`<select><option>${good}</select>`)).toEqual(["bad"]);
  });

  it("is short below 70 characters, and bad if it is short and has a link", () => {
    expect(alone("<p>Just a few words of it.</p>")).toEqual(["short"]);
    expect(alone(`<p>Just a few words of it, in a sentence that is <a href=x>rather</a>.</p>`)).toEqual([
      "bad",
    ]);
    expect(alone(`<p>${"x".repeat(69)}</p><p>${"x".repeat(70)}</p>`)).toEqual(["short", "bad"]);
  });

  it("is good if it is long and has stop words, near good if it is not so long", () => {
    expect(alone(`<p>${good}</p><p>${near}</p>`)).toEqual(["good", "neargood"]);
    const exactly = (length: number) => `<p>${"of the ".repeat(40).slice(0, length - 1)}x</p>`;
    expect(alone(exactly(200) + exactly(201))).toEqual(["neargood", "good"]);
  });

  it("is near good with nearly enough stop words, bad with few", () => {
    const mixed = (stop: number, other: number) =>
      `<p>${"the ".repeat(stop)}${"Bratislava ".repeat(other)}</p>`;
    expect(alone(mixed(32, 68) + mixed(31, 69) + mixed(30, 70) + mixed(29, 71))).toEqual([
      "good",
      "neargood",
      "neargood",
      "bad",
    ]);
    expect(alone(`<p>${names}</p>`)).toEqual(["bad"]);
  });

  it("needs no stop words in the mode without them", () => {
    expect(alone(`<p>${names}</p><p>${names} ${names} ${names}</p>`, null)).toEqual(["neargood", "good"]);
  });
});

const b = "bad";
const g = "good";
const n = "neargood";
const s = "short";
const among = (classes: BlockClass[], headings: number[] = [], lengths = classes.map(() => 50)) =>
  inContext(
    classes,
    lengths,
    classes.map((_, i) => headings.includes(i)),
    200,
  );

describe("a block among others", () => {
  it("is what its neighbours are, if it is short", () => {
    expect(among([g, s, s, g])).toEqual([g, g, g, g]);
    expect(among([b, s, b])).toEqual([b, b, b]);
    expect(among([s, s])).toEqual([b, b]);
    expect(among([g, s, b])).toEqual([g, b, b]);
  });

  it("is good between a good and a bad one if something near good comes before the bad one", () => {
    expect(among([g, s, n, b])).toEqual([g, g, g, b]);
    expect(among([b, n, s, g])).toEqual([b, g, g, g]);
    expect(among([b, n, s, b])).toEqual([b, b, b, b]);
  });

  it("is bad if it is near good between bad ones, else good", () => {
    expect(among([b, n, b])).toEqual([b, b, b]);
    expect(among([b, n, n, g])).toEqual([b, g, g, g]);
    expect(among([n])).toEqual([b]);
  });

  it("is good if it is a heading with something good soon after it", () => {
    expect(among([b, s, g])).toEqual([b, b, g]);
    expect(among([b, s, g], [1])).toEqual([b, g, g]);
    expect(among([b, s, b, g], [1])).toEqual([b, g, b, g]);
    // Counted from behind the heading.
    expect(among([b, s, b, b, g], [1], [50, 50, 100, 100, 300])).toEqual([b, g, b, b, g]);
    expect(among([b, s, b, b, g], [1], [50, 50, 101, 100, 300])).toEqual([b, b, b, b, g]);
    // Not if it was bad by itself.
    expect(among([b, b, g], [1])).toEqual([b, b, g]);
  });

  it("is decided as the definition says", () => {
    const one = fc.record({
      kind: fc.constantFrom<BlockClass>("good", "neargood", "short", "bad"),
      length: fc.integer({ min: 1, max: 150 }),
      heading: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 14 }), (blocks) => {
        const kinds = blocks.map(({ kind }) => kind);
        const lengths = blocks.map(({ length }) => length);
        const headings = blocks.map(({ heading }) => heading);
        expect(inContext(kinds, lengths, headings, 200)).toEqual(byDefinition(kinds, lengths, headings, 200));
      }),
      { numRuns: 2000 },
    );
  });
});

/** The same, block by block, by walking to its neighbours. */
function byDefinition(
  alone: BlockClass[],
  lengths: number[],
  headings: boolean[],
  distanceMax: number,
): BlockClass[] {
  const toNeighbour = (classes: BlockClass[], i: number, step: number, stopsAtNear: boolean): BlockClass => {
    for (let j = i + step; j >= 0 && j < classes.length; j += step) {
      if (classes[j] === "good" || classes[j] === "bad") return classes[j];
      if (classes[j] === "neargood" && stopsAtNear) return "neargood";
    }
    return "bad";
  };
  const isGoodAhead = (classes: BlockClass[], i: number) => {
    for (
      let j = i + 1, distance = 0;
      j < classes.length && distance <= distanceMax;
      distance += lengths[j], j++
    )
      if (classes[j] === "good") return true;
    return false;
  };
  const first = alone.map((one, i) =>
    headings[i] && one === "short" && isGoodAhead(alone, i) ? "neargood" : one,
  );
  const second = first.map((one, i) => {
    if (one !== "short") return one;
    const before = toNeighbour(first, i, -1, false);
    const after = toNeighbour(first, i, 1, false);
    if (before === after) return before;
    const isNear =
      (before === "bad" && toNeighbour(first, i, -1, true) === "neargood") ||
      (after === "bad" && toNeighbour(first, i, 1, true) === "neargood");
    return isNear ? "good" : "bad";
  });
  const third = second.map((one, i) => {
    if (one !== "neargood") return one;
    return toNeighbour(second, i, -1, false) === "bad" && toNeighbour(second, i, 1, false) === "bad"
      ? "bad"
      : "good";
  });
  const last = [...third];
  last.forEach((one, i) => {
    if (headings[i] && one === "bad" && alone[i] !== "bad" && isGoodAhead(last, i)) last[i] = "good";
  });
  return last;
}

describe("a page", () => {
  const html = `<html lang=en><body><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul>
    <h1>A city of two times</h1><p>${good}</p><p>Short one.</p><p>${good}</p><p>${near}</p>
    <div>Share this</div><div><a href=1>More</a> | <a href=2>Even more</a></div><p>© 2020 The Company</p></body>`;
  const kept = (page: string, parameters = justextDefaults) => {
    const layout = layoutOf(page);
    const isText = justext(layout, english, parameters);
    return layout.blocks.filter((_, i) => isText[i]).map(({ text }) => text);
  };

  it("keeps its text, its headings, and what is short in between", () => {
    expect(kept(html)).toEqual(["A city of two times", good, "Short one.", good, near]);
  });

  it("has no headings if it is told so", () => {
    expect(kept(html, { ...justextDefaults, noHeadings: true })).toEqual([good, "Short one.", good, near]);
  });

  it("follows its parameters", () => {
    expect(kept(html, { ...justextDefaults, lengthHigh: 1000 })).toEqual([]);
    expect(kept(html, { ...justextDefaults, stopWordsLow: 1, stopWordsHigh: 1 })).toEqual([]);
    // One link in a long block is allowed, or not.
    const linked = html.replaceAll("worst", "<a href=x>worst</a>");
    expect(kept(linked)).toContain(good);
    expect(kept(linked, { ...justextDefaults, linkDensityMax: 0 })).not.toContain(good);
  });
});

describe("stop words", () => {
  const folder = mkdtempSync(join(tmpdir(), "dugong-stopwords-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (text: string) => {
    writeFileSync(join(folder, "words.txt"), text);
    return join(folder, "words.txt");
  };

  it("are there for the languages that the package has", () => {
    expect(stopWordLanguages().length).toBeGreaterThanOrEqual(60);
    expect(listedLanguage("pt-BR")).toBe("por");
    expect(listedLanguage("EN_us")).toBe("eng");
    expect(listedLanguage("ces")).toBe("ces");
    expect(listedLanguage("tlh")).toBeUndefined();
    expect(listedLanguage("")).toBeUndefined();
    expect(() => stopWordsOf("tlh")).toThrow(/no list of stop words for the language "tlh"/);
    expect(stopWordsOf("de").has("und")).toBe(true);
  });

  it("are asked for less where a list covers less of the language, and not at all where it covers next to nothing", () => {
    expect(densityScale("en")).toBe(1);
    expect(densityScale("cs")).toBeCloseTo(0.3 / 0.45);
    expect(densityScale("th")).toBe(0);
    expect(densityScale("br")).toBe(1);
    expect(judgingFor("en", justextDefaults)).toEqual({ stopWords: english, parameters: justextDefaults });
    const czech = judgingFor("cs", justextDefaults);
    expect(czech.stopWords).toBe(stopWordsOf("cs"));
    expect(czech.parameters).toEqual({
      ...justextDefaults,
      stopWordsLow: expect.closeTo(0.2),
      stopWordsHigh: expect.closeTo(0.2133, 3),
    });
    expect(judgingFor("ko", justextDefaults)).toEqual({ stopWords: null, parameters: justextDefaults });
    expect(judgingFor(undefined, justextDefaults)).toEqual({ stopWords: null, parameters: justextDefaults });
  });

  it("come from a list, or from the most frequent words of one", () => {
    expect([...stopWordsFrom(file("# mine\nthe\nOf\n\nand\n"))]).toEqual(["the", "of", "and"]);
    const frequencies = Array.from({ length: 1000 }, (_, i) => `w${"abcdefghij"[i % 10]}${i}\t${i}`);
    const learnt = stopWordsFrom(file(`the 5000\n, 9000\n${frequencies.join("\n")}`));
    expect(learnt.size).toBe(400);
    expect(learnt.has("the")).toBe(true);
    expect(learnt.has(",")).toBe(false);
    expect(learnt.has("wj999")).toBe(true);
    expect(learnt.has("wa0")).toBe(false);
    expect(() => stopWordsFrom(file("\n"))).toThrow(/no words/);
    expect(() => stopWordsFrom(join(folder, "none"))).toThrow(/cannot read/);
  });

  it("tell languages apart well enough to choose a list", () => {
    expect(bestList(wordsOf(good))).toBe("eng");
    expect(
      bestList(
        wordsOf(
          "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt",
        ),
      ),
    ).toBe("deu");
    expect(
      bestList(
        wordsOf(
          "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství",
        ),
      ),
    ).toBe("ces");
    expect(
      bestList(
        wordsOf("人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"),
      ),
    ).toBe("zho");
    expect(bestList(wordsOf("xyzzy plugh 123"))).toBeUndefined();
    expect(bestList([])).toBeUndefined();
  });

  it("are counted by words", () => {
    expect(stopWordDensity("The cat, THE dog!", new Set(["the"]))).toBe(0.5);
    expect(stopWordDensity("…", new Set(["the"]))).toBe(0);
    expect(stopWordDensity("我的书", new Set(["的"]))).toBeCloseTo(1 / 3);
  });
});
