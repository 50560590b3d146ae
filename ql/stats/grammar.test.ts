import { describe, expect, it } from "vitest";
import { readGrammar } from "./grammar.js";

describe("a term grammar", () => {
  it("is read line by line, with comments", () => {
    const text = '# nouns\nphrase = [tag="ADJ"]* [tag="NOUN"]+\n\n of phrase=1:[tag="NOUN"] "of" []\r\n';
    expect(readGrammar(text)).toEqual([
      { name: "phrase", query: '[tag="ADJ"]* [tag="NOUN"]+' },
      { name: "of phrase", query: '1:[tag="NOUN"] "of" []' },
    ]);
  });

  it("says which line it cannot read", () => {
    expect(() => readGrammar('a = []\n[tag="NOUN"]')).toThrow(/line 2 .*\[tag="NOUN"\]/);
    expect(() => readGrammar("a = []\na = []")).toThrow(/line 2 .*name a again/);
    expect(() => readGrammar("# nothing\n")).toThrow(/no rule/);
  });
});
