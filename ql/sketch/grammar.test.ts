/** Sketch grammars are read as the field writes them; what is wrong with one is told by line and column. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QueryError } from "../plan/errors.js";
import { type GrammarDiagnostic, readSketchGrammar } from "./grammar.js";
import { expandMacros } from "./macros.js";
import { filled, parseTemplate } from "./template.js";

const grammar = `
# English, a little of it
*STRUCTLIMIT s
*DEFAULTATTR tag
*WSPOSLIST ",noun,-n,verb,-v"
*FIXORDER ;modifier;object of

*DUAL
*UNIMAP obj/obj_of
=object/object of
	1:"V.*" "DT"? "JJ"{0,2} 2:"N.*"
#=disabled
* DUAL
=object/object of
	2:"N.*" [lemma="be"] 1:"VVN"
=and/or
*SYMMETRIC
	1:"N.*" [word="and|or"] 2:"N.*" & 1.tag = 2.tag
*UNARY
=plural
  1:"NNS"
*TRINARY
*DUAL
*COLLOC "%(2.word)_%(3.word)"
=pp_%(3.lemma)/%(3.lemma)_pp of %w
	1:"N.*" 3:"IN" 2:"N.*"
*SEPARATEPAGE "Constructions and more"
*CONSTRUCTION
=x/y
	1:[] 2:[]
`;

describe("a sketch grammar", () => {
  it("has relations with the directives that stand around their headings", () => {
    const read = readSketchGrammar(grammar);
    expect(read).toMatchObject({
      structure: "s",
      defaultAttribute: "tag",
      partsOfSpeech: [
        { label: "noun", suffix: "-n" },
        { label: "verb", suffix: "-v" },
      ],
      order: ["modifier", "object of"],
    });
    expect(
      read.relations.map(({ name, kind, reverse, queries }) => [name, kind, reverse?.name, queries.length]),
    ).toEqual([
      ["object", "binary", "object of", 2],
      ["and/or", "binary", "and/or", 1],
      ["plural", "unary", undefined, 1],
      ["pp_%(3.lemma)", "trinary", "%(3.lemma)_pp of %w", 1],
      ["x/y", "binary", undefined, 1],
    ]);
    expect(read.relations[0]).toMatchObject({ unimap: "obj", reverseUnimap: "obj_of" });
    expect(read.relations[0].queries.map(({ line }) => line)).toEqual([11, 15]);
    expect(read.relations[3].collocate).toEqual([
      { label: "2", attribute: "word" },
      "_",
      { label: "3", attribute: "word" },
    ]);
    expect(read.relations[4]).toMatchObject({ page: "Constructions and more", isConstruction: true });
  });

  it("says by line and column what is wrong with it, several things at once", () => {
    const text = [
      '1:[] "x"', // no heading
      "=a",
      '  1:"N" 2:[tag="J" & ]', // syntax, inside the query
      '  1:"N" "J"', // no label 2
      "*DUAL",
      "=b",
      "*NOTHING",
      "*WSPOSLIST noun",
      "=c%(3lemma)",
      "1:[] 2:[]",
      "*UNARY",
    ].join("\n");
    const told = diagnosticsOf(text).map(({ code, line, column }) => [line, column, code]);
    expect(told).toContainEqual([1, 1, "no_heading"]);
    expect(told).toContainEqual([3, 21, "syntax_error"]);
    expect(told).toContainEqual([4, 3, "missing_label"]);
    expect(told).toContainEqual([6, 1, "bad_heading"]);
    expect(told).toContainEqual([7, 1, "unknown_directive"]);
    expect(told).toContainEqual([9, 1, "bad_template"]);
    expect(told.map(([, , code]) => code)).toContain("stray_directive");
    expect(() => readSketchGrammar(text, { name: "x.wsdef" })).toThrow(/^x\.wsdef:1:1: a query stands under/);
    expect(diagnosticsOf("# nothing\n")[0].code).toBe("no_relation");
  });

  it("never fails but with its own errors", () => {
    const piece = fc.constantFrom(
      ..."*DUAL|*UNARY|=a/b|=a|1:[]|2:|\n|define(`A',`B')|A(|`|'|divert(-1)|divert|$1|,|)|#|dnl|%(|*COLLOC |  ".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        fc.boolean(),
        (text, macros) => {
          try {
            readSketchGrammar(text, { macros });
          } catch (error) {
            expect(error).toBeInstanceOf(QueryError);
            for (const { line, column } of (error as QueryError).diagnostics as GrammarDiagnostic[]) {
              expect(line).toBeGreaterThan(0);
              expect(line).toBeLessThanOrEqual(text.split("\n").length);
              expect(column).toBeGreaterThan(0);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("macros", () => {
  const expand = (text: string) => expandMacros(text).text;

  it("stand for what was defined, also for positions and bare values, and take arguments", () => {
    const text = [
      "divert(-1)",
      "define(`NOUN',`\"N.*\"')",
      "define(`ADJ',`\"J.*\"')",
      "define(`MOD',`[tag=ADJ & lemma!=$1]')",
      "define(`NP',`MOD(\"x\") 2:NOUN')",
      "divert`'dnl the rest is written",
      "=a # NOUN stays in comments",
      "1:NOUN NP [tag=ADJ] NOUNS `NOUN'",
    ].join("\n");
    expect(expand(text)).toBe(
      '=a # NOUN stays in comments\n1:"N.*" [tag="J.*" & lemma!="x"] 2:"N.*" [tag="J.*"] NOUNS NOUN',
    );
  });

  it("split arguments at commas outside brackets and quotes, and drop white space before them", () => {
    expect(expand("define(`two',`<$1|$2|$3>')two(a(b,c),  `d,e')")).toBe("<a(b,c)|d,e|>");
    expect(expand("define(`f',`$1$1')f(f(x))")).toBe("xxxx");
    expect(expand("define(`it',[`''s])it")).toBe("['s]");
  });

  it("lead errors to where they were called", () => {
    const text = "define(`N',`[tag=')\n=a\n1:[] 2:N";
    expect(diagnosticsOf(text, true)[0]).toMatchObject({ line: 3, column: 8 });
    expect(diagnosticsOf("=a\n`x", true)[0]).toMatchObject({ line: 2, column: 1, code: "unbalanced" });
  });

  it("that lead to themselves end", () => {
    expect(diagnosticsOf("define(`a',`a')a", true)[0].code).toBe("macros_endless");
    expect(diagnosticsOf("define(`a',`a a')a", true)[0].code).toBe("macros_endless");
    expect(diagnosticsOf("define(`a',`a(a)')a", true)[0].code).toMatch(/macros_endless|unbalanced/);
  });

  it("leave text without them as it is, each character from its own place", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "1", " ", "\n", "(", ")", '"', "'", "#", "=") }),
        (text) => {
          const { text: same, origins } = expandMacros(text);
          expect(same).toBe(text);
          expect([...origins]).toEqual(Array.from({ length: text.length + 1 }, (_, i) => i));
        },
      ),
    );
  });
});

it("templates are filled with what a match has", () => {
  const template = parseTemplate("pp_%(3.lemma) of %w");
  expect(filled(template, ({ label, attribute }) => `${attribute}${label}`)).toBe("pp_lemma3 of %w");
});

function diagnosticsOf(text: string, macros = false): GrammarDiagnostic[] {
  try {
    readSketchGrammar(text, { macros });
  } catch (error) {
    return (error as QueryError).diagnostics as GrammarDiagnostic[];
  }
  return [];
}
