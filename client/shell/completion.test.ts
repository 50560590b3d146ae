/** Where somebody is in a query, and what Tab offers there. */
import { describe, expect, it } from "vitest";
import { commands } from "./commands.js";
import { complete, type Names } from "./completion.js";
import { isUnfinished, placeIn } from "./place.js";
import { settable } from "./state.js";

const values: Record<string, string[]> = {
  word: ["the", "that", "U.S.", 'say "no"', "a\\b"],
  lemma: ["go", "grey", "good"],
  "doc.year": ["1999", "2000"],
};
const names: Names = {
  corpora: async () => ["brown", "tales"],
  attributes: async () => ["word", "lemma", "tag"],
  structures: async () => ({ doc: ["id", "year"], s: [], div: ["type"] }),
  subcorpora: async () => ["old"],
  values: async (attribute = "word", prefix) =>
    (values[attribute] ?? []).filter((one) => one.startsWith(prefix)),
};
const offered = async (text: string) => {
  const { word, matches } = await complete(text, names, { commands, settings: settable });
  expect(text.endsWith(word)).toBe(true);
  return matches;
};

describe("a place in a query", () => {
  it("is in a string of an attribute, or of none", () => {
    expect(placeIn('[lemma="go').string).toMatchObject({ attribute: "lemma", from: 8 });
    expect(placeIn('[word="a" & tag != "V').string).toMatchObject({ attribute: "tag" });
    expect(placeIn('"the').string).toEqual({ quote: '"', from: 1 });
    expect(placeIn("[word='it\\'s").string).toMatchObject({ quote: "'", attribute: "word" });
    expect(placeIn('[word="a""b').string).toMatchObject({ attribute: "word", from: 7 });
    expect(placeIn('<doc year="19').string).toMatchObject({ attribute: "doc.year" });
    expect(placeIn('<doc id="x" & year="19').string).toMatchObject({ attribute: "doc.year" });
    expect(placeIn('[word="a"]').string).toBeUndefined();
  });

  it("is unfinished while a bracket, a brace, a tag or a quote is open", () => {
    for (const text of [
      '[word="a"',
      '"a',
      "(",
      '[word="a"]{2',
      "<doc",
      '<doc year="1"',
      '([word="]"]',
      '["]',
    ])
      expect(isUnfinished(text), text).toBe(true);
    for (const text of [
      '[word="a"]',
      '"a" "b"',
      '("a" | "b"){2,3}',
      '<doc year="1"/>',
      '"a" within <s/>',
      '[head<="-10"]',
      "1:[] 2:[] & 1.word < 2.word",
      "a:[] b:[] & a.word<b.word",
      "a:[] b:[] & distance(a,b) < 5",
      "[word='\"']",
      '"\\""',
      "]",
    ])
      expect(isUnfinished(text), text).toBe(false);
  });
});

describe("Tab", () => {
  it("offers commands, and what they take", async () => {
    expect(await offered("\\co")).toEqual(["\\corpora ", "\\coll ", "\\context "]);
    expect(await offered("\\use t")).toEqual(["tales"]);
    expect(await offered("\\sort le")).toEqual(["lemma"]);
    expect(await offered("\\sort word 1R, doc.")).toEqual(["doc.id", "doc.year"]);
    expect(await offered("\\set str")).toEqual(["strategy "]);
    expect(await offered("\\set strategy lo")).toEqual(["longest"]);
    expect(await offered("\\sub ")).toEqual(["old"]);
    expect(await offered('\\filter [lemma="gr')).toEqual(['grey"']);
    expect(await offered("\\timing ")).toEqual(["on", "off"]);
    expect(await offered("\\help que")).toEqual([]);
    expect(await offered("\\nothing x")).toEqual([]);
  });

  it("offers attributes where a condition begins", async () => {
    expect(await offered("[")).toEqual(['word="', 'lemma="', 'tag="']);
    expect(await offered('[word="a" & l')).toEqual(['lemma="']);
    expect(await offered("[word")).toEqual(['word="']);
    expect(await offered("[word ")).toEqual([]);
  });

  it("offers structures and their attributes in tags", async () => {
    expect(await offered("<d")).toEqual(["doc", "div"]);
    expect(await offered("</s")).toEqual(["s>"]);
    expect(await offered('"a" within <')).toEqual(["doc", "s", "div"]);
    expect(await offered("<doc y")).toEqual(['year="']);
    expect(await offered('<doc id="1" & ')).toEqual(['id="', 'year="']);
  });

  it("offers values of the attribute, as patterns that mean them", async () => {
    expect(await offered('[lemma="g')).toEqual(["go", "grey", "good"]);
    expect(await offered('[lemma="gr')).toEqual(['grey"']);
    expect(await offered('"th')).toEqual(["the", "that"]);
    expect(await offered('"U')).toEqual(['U\\.S\\."']);
    expect(await offered('"U\\.')).toEqual(['U\\.S\\."']);
    expect(await offered('"say')).toEqual(['say \\"no\\""']);
    expect(await offered('"a\\\\')).toEqual(['a\\\\b"']);
    expect(await offered('<doc year="19')).toEqual(['1999"']);
    // What is a pattern already is not the beginning of a value.
    expect(await offered('[lemma="g.*')).toEqual([]);
    expect(await offered('[nothing="g')).toEqual([]);
  });

  it("offers words of the language between tokens", async () => {
    expect(await offered('"a" w')).toEqual(["within "]);
    expect(await offered("me")).toEqual(["meet "]);
    expect(await offered("")).toEqual([]);
  });
});
