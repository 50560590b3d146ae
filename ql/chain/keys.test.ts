import { describe, expect, it } from "vitest";
import { parseKey, parseKeys, printKey } from "./keys.js";

describe("keys", () => {
  it("say which token, from the beginning or from the end of a hit", () => {
    expect(parseKey("word 0").place).toEqual({
      from: { of: "begin", tokens: 0 },
      to: { of: "begin", tokens: 0 },
    });
    expect(parseKey("word").place).toEqual(parseKey("word first").place);
    expect(parseKey("word -2").place).toEqual(parseKey("word 2L").place);
    expect(parseKey("word 1").place).toEqual({
      from: { of: "end", tokens: 1 },
      to: { of: "end", tokens: 1 },
    });
    expect(parseKey("word 1").place).toEqual(parseKey("word 1R").place);
    expect(parseKey("word node").place).toEqual({
      from: { of: "begin", tokens: 0 },
      to: { of: "end", tokens: 0 },
    });
    expect(parseKey("word -1..-3").place?.to.tokens).toBe(-3);
    expect(parseKey("lemma x:node").place?.label).toBe("x");
    expect(parseKey("lemma x:")).toEqual(parseKey("lemma x:node"));
  });

  it("carry flags, and belong to structures where they have a dot", () => {
    expect(parseKey("word/ir -1")).toMatchObject({ attribute: "word", ignoreCase: true, retrograde: true });
    expect(parseKey("doc.year/-")).toMatchObject({ attribute: "doc.year", falling: true });
    expect(parseKey("doc.year").place).toBeUndefined();
    expect(parseKeys("lemma 0, tag 1R, doc.id")).toHaveLength(3);
  });

  it("are printed as they can be read again", () => {
    for (const text of [
      "word 0",
      "word/i -1",
      "tag 1",
      "word node",
      "word last",
      "lemma 2:0",
      "word -3..-1",
      "doc.year/f-",
    ]) {
      expect(printKey(parseKey(text))).toBe(text);
    }
    expect(printKey(parseKey("word 2L"))).toBe("word -2");
  });

  it("are refused where they mean nothing, and say why", () => {
    for (const [text, why] of [
      ["", "one attribute"],
      ["word 0 1", "one attribute"],
      ["word/q 0", 'no flag "q"'],
      ["word here", '"here" is not a place'],
      ["word 0L", "write 1L"],
      ["word :0", "label before the colon"],
      ["doc.year 1", "has no place"],
      ["word 99999999", "is not a place"],
    ]) {
      expect(() => parseKey(text), text).toThrow(why);
    }
  });
});
