import { describe, expect, it } from "vitest";
import { readSketchGrammar } from "./grammar.js";
import { grammarNames, grammarText } from "./grammars.js";

describe("the grammars that come along", () => {
  it.each(grammarNames)("%s can be read, and has some thirty relations", (name) => {
    const { text, name: file } = grammarText(name);
    const { relations, structure } = readSketchGrammar(text, { name: file });
    expect(structure).toBe("s");
    expect(relations.length).toBeGreaterThan(25);
    expect(relations.every(({ queries }) => queries.length > 0)).toBe(true);
  });

  it("takes tags from the attribute that is named", () => {
    const { text, name } = grammarText("english:xpos");
    const grammar = readSketchGrammar(text, { name });
    expect(grammar.defaultAttribute).toBe("xpos");
    expect(grammar.relations[0].queries[0].text).toContain('xpos="N.*"');
    expect(grammar.relations[0].queries[0].text).not.toContain("Tag");
  });

  it("says which there are when a name is none", () => {
    expect(() => grammarText("klingon")).toThrow(/klingon/);
  });
});
