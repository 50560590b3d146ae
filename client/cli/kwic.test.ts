/** Lines for people: as wide as the terminal, whatever is in them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Line } from "../../ql/index.js";
import { layOut, layOutWhole, layoutOf, type View } from "./kwic.js";
import { cells, first, harmless, last, wrap } from "./width.js";

const line = (left: string, match: string, right: string, more: Partial<Line> = {}): Line => ({
  begin: 7,
  end: 8,
  left,
  match,
  right,
  ...more,
});

function shown(lines: Line[], width = 60, view: View = "kwic"): string[] {
  return layOut(lines, layoutOf(lines, width, view));
}

describe("the width of text", () => {
  it.each([
    ["abc", 3],
    ["", 0],
    ["é", 1],
    ["e\u0301", 1],
    ["漢字", 4],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["👍", 2],
    ["👍🏽", 2],
    ["👨‍👩‍👧", 2],
    ["🇨🇿", 2],
    ["❤️", 2],
    ["กำ", 2],
    ["\u200b", 0],
  ])("of %s is %i cells", (text, count) => {
    expect(cells(text)).toBe(count);
  });

  it("is kept by what is cut from it, which is never half of a character", () => {
    const text = fc.array(fc.constantFrom("a", " ", "漢", "👨‍👩‍👧", "e\u0301", "é", "👍🏽"), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, fc.nat(25), (characters, room) => {
        const whole = characters.join("");
        const [begin, end] = [first(whole, room), last(whole, room)];
        expect(whole.startsWith(begin) && whole.endsWith(end)).toBe(true);
        for (const part of [begin, end]) {
          expect(cells(part)).toBeLessThanOrEqual(room);
          // One more would be too much, if there is one more.
          if (part !== whole) expect(cells(part) + 2).toBeGreaterThan(room);
        }
        expect(first(whole, cells(whole))).toBe(whole);
        expect(last(whole, cells(whole))).toBe(whole);
      }),
    );
  });

  it("is what lines are broken at", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
    expect(wrap("extraordinary", 5)).toEqual(["extra", "ordin", "ary"]);
    const words = fc.array(fc.constantFrom("a", "bcd", "漢字", "long-word-here"), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (list, room) => {
        const lines = wrap(list.join(" "), room);
        for (const one of lines) expect(cells(one)).toBeLessThanOrEqual(room);
        expect(lines.join("").replaceAll(" ", "")).toBe(list.join(""));
      }),
    );
  });
});

describe("a line to read", () => {
  it("is as wide as the terminal, and cut from the outside", () => {
    const [text] = shown([line("left ".repeat(30).trim(), "match", "right ".repeat(30).trim())]);
    expect(text).toMatch(/^7 {2}….*left \[match\] right.*…$/);
    expect(cells(text)).toBe(60);
  });

  it("has a match in it that is cut in its middle if it is longer than half of that", () => {
    const [text] = shown([line("left", `begin ${"and so on ".repeat(30)}end`, "right ".repeat(30).trim())]);
    expect(text).toMatch(/\[begin.*….*end\] right/);
    expect(cells(text)).toBeLessThanOrEqual(60);
  });

  it("has its match under those of the others, also behind wide characters", () => {
    const lines = [
      line("the cat sees a", "dog", "."),
      line("我 看见 一只", "狗", "了 。"),
      line("e\u0301te\u0301 👍", "x", ""),
    ];
    const before = shown(lines).map((text) => cells(text.slice(0, text.indexOf("["))));
    expect(new Set(before).size).toBe(1);
  });

  it("is never wider than it may be", () => {
    const text = fc
      .array(fc.constantFrom("a", "word", "漢字", "👍🏽", "e\u0301"), { maxLength: 40 })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 60, max: 140 }), (left, match, right, width) => {
        for (const view of ["kwic", "sentence"] as const)
          for (const one of shown([line(left, match, right)], width, view))
            expect(cells(one)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("begins with references, aligned", () => {
    const refs = (id: string | null, year: number): Partial<Line> => ({ refs: { "doc.id": id, year } });
    const lines = [line("a", "b", "c", refs("A01", 7)), line("a", "b", "c", refs(null, 1999))];
    expect(shown(lines, 40).map((text) => text.slice(0, 11))).toEqual(["A01     7  ", "     1999  "]);
  });

  it("shows a sentence as it was written, over several lines", () => {
    const sentence = line("The old cat (the one we saw", "yesterday", ") sees a dog.", { gluedRight: true });
    expect(shown([sentence], 30, "sentence")).toEqual([
      "7  The old cat (the one we saw",
      "   [yesterday]) sees a dog.",
    ]);
    expect(layOutWhole(sentence, 60)).toEqual([
      "# 7",
      "",
      "The old cat (the one we saw [yesterday]) sees a dog.",
    ]);
  });

  it("shows what other corpora have for it below", () => {
    const part = (text: string) => ({ begin: 1, end: 3, text });
    const aligned = { cs: [part("starý kocour"), part("spí")], de: [] };
    expect(shown([line("a", "b", "c", { aligned })], 40).slice(1)).toEqual([
      "  cs: starý kocour … spí",
      "  de: –",
    ]);
  });

  it("does nothing to the terminal", () => {
    expect(harmless("a\x1b[31mb\tc\nd\x9be\u202ef")).toBe("a\ufffd[31mb c d\ufffde\ufffdf");
    expect(shown([line("a\x1b[2J", "b\x07", "c")])[0]).not.toMatch(/\p{Cc}/u);
  });
});
