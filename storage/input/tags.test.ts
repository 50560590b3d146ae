import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEntities, isComment, parseTag, printTag, type Tag } from "./tags.js";

const read = (line: string) => parseTag(line, true);

describe("a line of a vertical file", () => {
  it("opens a structure with its attributes, in order", () => {
    expect(read("<doc id=\"a\" year='1999' kind=news>")).toEqual({
      kind: "open",
      name: "doc",
      attributes: [
        ["id", "a"],
        ["year", "1999"],
        ["kind", "news"],
      ],
    });
  });

  it("closes a structure, with white space but no attributes after the name", () => {
    expect(read("</doc>")).toEqual({ kind: "close", name: "doc", attributes: [] });
    expect(read("</doc \t>")).toEqual({ kind: "close", name: "doc", attributes: [] });
    expect(read("</doc a=b>")).toBeNull();
    expect(read("</doc/>")).toBeNull();
  });

  it.each([
    ["<g/>", "empty", []],
    ["<g />", "empty", []],
    ["<a b=c/>", "empty", [["b", "c"]]],
    ["<a b=c//>", "empty", [["b", "c/"]]],
    ["<a href=http://x.org/y/>", "empty", [["href", "http://x.org/y"]]],
    ["<a b=/>", "open", [["b", "/"]]],
    ["<a b=c/ >", "open", [["b", "c/"]]],
    ["<a b='c'/>", "empty", [["b", "c"]]],
  ])("tells the slash of an empty structure from one in a value: %s", (line, kind, attributes) => {
    expect(read(line)).toEqual({ kind, name: "a".includes(line[1]) ? "a" : "g", attributes });
  });

  it("allows white space around the equals sign, and none between quoted attributes", () => {
    expect(read('<a\tb = "1"c= 2 >')?.attributes).toEqual([
      ["b", "1"],
      ["c", "2"],
    ]);
  });

  it("allows any character but the quote in a quoted value", () => {
    expect(read(`<a b="<x> 'y' = /">`)?.attributes).toEqual([["b", "<x> 'y' = /"]]);
    expect(read(`<a b='say "no"'>`)?.attributes).toEqual([["b", 'say "no"']]);
    expect(read('<a b="">')?.attributes).toEqual([["b", ""]]);
  });

  it("allows letters of any script in names", () => {
    expect(read("<größe λ.1:x-y_=1>")).toEqual({
      kind: "open",
      name: "größe",
      attributes: [["λ.1:x-y_", "1"]],
    });
    expect(read("<𐐀>")?.name).toBe("𐐀");
    expect(read("<_a>")?.name).toBe("_a");
  });

  it.each([
    "",
    "<",
    "<>",
    "</>",
    "<3",
    "<3>",
    "<foo",
    "< b >",
    "</ b>",
    "<a b>",
    "<a b=>",
    "<a =c>",
    '<a b="c>',
    "<a b=c'd'>",
    "<a b=c<d>",
    "<a / >",
    "<b> x",
    " <b>",
    "<b> ",
    "<b>x</b>",
    "<b\u00a0c=d>",
    "<john@example.org>",
    "<:->",
    "<!-- x -->",
    "x>",
    "<\u0301>",
  ])("is a token: %j", (line) => {
    expect(read(line)).toBeNull();
  });

  it("keeps the first value of a repeated attribute and tells which were repeated", () => {
    expect(read("<a b=1 c=2 b=3 b=4>")).toEqual({
      kind: "open",
      name: "a",
      attributes: [
        ["b", "1"],
        ["c", "2"],
      ],
      repeated: ["b"],
    });
    expect(read("<a b=1>")).not.toHaveProperty("repeated");
  });

  it("decodes entities only if asked to", () => {
    expect(parseTag('<a b="x &amp; y">', true)?.attributes).toEqual([["b", "x & y"]]);
    expect(parseTag('<a b="x &amp; y">', false)?.attributes).toEqual([["b", "x &amp; y"]]);
  });

  it.each([
    ["quotes", '"'.repeat(1_000_000)],
    ["pairs of quotes", `<a b=${`"'`.repeat(500_000)}>`],
    ["spaces", `<a ${" ".repeat(1_000_000)}>`],
    ["attributes", `<a ${"b='' ".repeat(200_000)}>`],
    [
      "different attributes, each twice",
      `<a ${Array.from({ length: 60_000 }, (_, i) => `b${i}=1 b${i}=2`).join(" ")}>`,
    ],
    ["slashes", `<a b=${"/".repeat(1_000_000)}>`],
    ["opening brackets", `${"<a".repeat(500_000)}>`],
    ["ampersands", `<a b="${"&".repeat(1_000_000)}">`],
    ["numbers without an end", `<a b="${"&#1".repeat(330_000)}">`],
    ["one number without an end", `<a b="&#${"1".repeat(1_000_000)}">`],
  ])("takes time in proportion to its length, even a megabyte of %s", (_, line) => {
    const start = performance.now();
    parseTag(line, true);
    isComment(line);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe("a comment", () => {
  it.each([
    "<!-- a > b -->",
    "<!---->",
    '<?xml version="1.0"?>',
    "<??>",
    "<!DOCTYPE html>",
    "<!doctype html>",
  ])("is a whole line: %s", (line) => {
    expect(isComment(line)).toBe(true);
  });

  it.each([
    "<!-->",
    "<!--->",
    "<!-- a --> b",
    "<!-- a --> b -->",
    "<?>",
    "<?a?> b",
    "<!DOCTYPE>",
    "<!DOCTYPEx>",
    "<!",
    "",
    "x",
  ])("is not: %s", (line) => {
    expect(isComment(line)).toBe(false);
  });
});

describe("entities", () => {
  it.each([
    ["a", "a"],
    ["&lt;&gt;&amp;&quot;&apos;", "<>&\"'"],
    ["&#65;&#x42;&#X43;&#x1F600;", "ABC😀"],
    ["&#0065;", "A"],
    ["&amp;lt;", "&lt;"],
    ["&nbsp; &LT; & &; &# &#; &#x; &#xg; &lt", "&nbsp; &LT; & &; &# &#; &#x; &#xg; &lt"],
    ["&#0; &#xD800; &#xDFFF; &#x110000; &#99999999999999999999;", "\uFFFD \uFFFD \uFFFD \uFFFD \uFFFD"],
    ["a&&lt;b&", "a&<b&"],
  ])("%s", (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});

describe("a printed tag", () => {
  const name = fc.stringMatching(/^[a-zA-Z_é][a-zA-Z0-9_.:é-]{0,6}$/);
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("&", "<", ">", '"', "'", "/", "=", " ", "\t", "\n", "\r", "a", "&amp;", "&#65;"),
    }),
  );
  const tag: fc.Arbitrary<Tag> = fc
    .record({
      kind: fc.constantFrom("open" as const, "close" as const, "empty" as const),
      name,
      attributes: fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 5 }),
    })
    .map((parts) => (parts.kind === "close" ? { ...parts, attributes: [] } : parts));

  it("reads back the same when escaped, and is one line", () => {
    fc.assert(
      fc.property(tag, (tag) => {
        const text = printTag(tag, true);
        expect(text).not.toMatch(/[\n\r]/);
        expect(parseTag(text, true)).toEqual(tag);
      }),
    );
  });

  it("reads back the same when verbatim, unless a value has both kinds of quotes", () => {
    fc.assert(
      fc.property(tag, (tag) => {
        fc.pre(tag.attributes.every(([, value]) => !(value.includes('"') && value.includes("'"))));
        expect(parseTag(printTag(tag), false)).toEqual(tag);
      }),
    );
  });

  it("prefers double quotes", () => {
    const printed = (value: string) => printTag({ kind: "empty", name: "a", attributes: [["b", value]] });
    expect(printed("c")).toBe('<a b="c"/>');
    expect(printed('"c"')).toBe("<a b='\"c\"'/>");
    expect(printed(`"it's"`)).toBe(`<a b="&quot;it's&quot;"/>`);
  });

  it("never reads arbitrary text as a tag that prints differently, white space and quoting apart", () => {
    const piece = fc.constantFrom("<", ">", "/", "a", "b", "=", '"', "'", " ", "\t", "é", "1", "&lt;");
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 14 }), (middle) => {
        const line = `<${middle}>`;
        const tag = parseTag(line, false);
        if (tag === null) return;
        expect(parseTag(printTag(tag, true), true)).toEqual({ ...tag, repeated: undefined });
        const bare = (text: string) => text.replace(/[\s"']/g, "");
        if (!tag.repeated) expect(bare(printTag(tag)).replaceAll("&quot;", "")).toBe(bare(line));
      }),
      { numRuns: 2_000 },
    );
  });
});
