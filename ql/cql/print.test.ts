import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryArbitrary } from "./arbitrary.js";
import type { Node, Query, Span } from "./ast.js";
import { parse } from "./parse.js";
import { print, withoutSpans } from "./print.js";
import { literalOf, offsetInText, patternOf, quoteLiteral, quotePattern } from "./strings.js";

const recorded: string[] = JSON.parse(readFileSync(join(import.meta.dirname, "recorded.json"), "utf8")).right;

/** The tree of a text; or, where there is none, what was said. */
function treeOf(text: string): unknown {
  const { query, diagnostics } = parse(text);
  return query ? withoutSpans(query) : { text, diagnostics };
}

describe("print", () => {
  it("gives text that is the same tree again, for any tree", () => {
    fc.assert(
      fc.property(queryArbitrary(), (query) => {
        expect(treeOf(print(query))).toEqual(query);
      }),
      { numRuns: 250 },
    );
  });

  it("prints what it printed in the same way", () => {
    for (const text of recorded) {
      const query = parse(text).query!;
      const printed = print(query);
      expect(treeOf(printed), text).toEqual(withoutSpans(query));
      expect(print(treeOf(printed) as Query)).toBe(printed);
    }
  });

  it("is canonical", () => {
    const texts = {
      "[word='the' %c]": '[word="the" %c]',
      '( "a" | ("b") "c" )': '"a" | "b" "c"',
      "[]{0,1} []{0,} []{1,} []{2,2}": "[]? []* []+ []{2}",
      '<doc_year="199.*"> []* </doc_year>': '<doc year="199.*"> []* </doc>',
      'MU(meet "a" "b")': '(meet "a" "b" 1 1)',
      "a:[] [] :: a.word=match.word | !f(a.word)<2": "a:[] [] & (a.word = match.word | !(f(a.word) < 2))",
      '"a" within 1 s cut 5': '"a" within s cut 5',
      '"a" within (x:"b")': '"a" within (x:"b")',
      '@:"a" >"obj" "b" >"x.*" "c"': '@"a" >obj "b" >"x.*" "c"',
      '[(word="a" -> (tag="b" -> x!="c"))]': '[word="a" -> tag="b" -> x!="c"]',
      '[(word="a" -> tag="b") -> x!=="c"]': '[(word="a" -> tag="b") -> x!=="c"]',
      "[#5-5 | #5-6]": "[#5 | #5-6]",
    };
    for (const [text, canonical] of Object.entries(texts)) expect(print(parse(text).query!)).toBe(canonical);
  });
});

describe("spans", () => {
  /** Every node with the text that is its own in brackets of its kind. */
  function* nodesOf(node: unknown, text: string): Generator<{ node: Node & { kind: string }; own: string }> {
    if (typeof node !== "object" || node === null) return;
    const { kind, span } = node as Node & { kind?: string };
    if (kind && span) yield { node: node as Node & { kind: string }, own: text.slice(...span) };
    for (const [key, child] of Object.entries(node)) if (key !== "span") yield* nodesOf(child, text);
  }

  it("hold the text of each node, and nothing else", () => {
    const expressions =
      "token sequence alternation repeat labelled boundary structure lookahead filtered meet union tab";
    const kinds = new Set([...expressions.split(" "), "complement", "edge", "similar"]);
    fc.assert(
      fc.property(queryArbitrary({ depth: 3 }), (query) => {
        const text = print(query);
        for (const { node, own } of nodesOf(parse(text).query, text)) {
          if (kinds.has(node.kind)) expect((treeOf(own) as Query).expression).toEqual(withoutSpans(node));
          if (node.kind === "query") expect(treeOf(own)).toEqual(withoutSpans(node));
          if (node.kind === "attribute")
            expect(treeOf(`[${own}]`)).toMatchObject({ expression: { condition: withoutSpans(node) } });
        }
      }),
      { numRuns: 50 },
    );
  });

  it("say where a node has its names", () => {
    const names = (text: string) => {
      const found: string[] = [];
      JSON.stringify(parse(text).query, (key, value) => {
        if (key.endsWith("Span")) found.push(text.slice(...(value as Span)));
        return value;
      });
      return found;
    };
    const texts = {
      '[lemma="a" & _.doc_year>"1" & tag contains "b" & c != d]': ["lemma", "doc_year", "tag", "c", "d"],
      "[f( word ) > 1 | lbound(s)]": ["word", "s"],
      '<doc c="d" & o="c"/>': ["c", "o", "doc"],
      '<doc_year="199.*"> []* </doc_year> </s>': ["year", "doc", "doc", "s"],
      '"x" !>obj:y "y" >> "z" >"n.*" "w"': ['>"n.*"', '"n.*"', ">>", "!>obj:y", "obj:y"],
      '1:"x" & 1.doc_year = f(1.word) & lbound(1.s) & rbound(p,1) expand left to 2 s': [
        ...["doc_year", "word", "s", "p", "s"],
      ],
    };
    for (const [text, expected] of Object.entries(texts)) expect(names(text).sort()).toEqual(expected.sort());
    const { query } = parse('(meet "a" "b" doc)');
    expect(query?.expression).toMatchObject({ window: { structure: "doc", span: [14, 17] } });
  });

  it("are those of the text as it was typed", () => {
    const text = '  ( 1:[ word = "a" %c ] ) within  s ';
    const { query } = parse(text);
    expect([...nodesOf(query, text)].map(({ node, own }) => `${node.kind} ${own}`)).toEqual([
      'query ( 1:[ word = "a" %c ] ) within  s',
      'labelled 1:[ word = "a" %c ]',
      'token [ word = "a" %c ]',
      'attribute word = "a" %c',
      'pattern "a"',
      "within within  s",
      "structures s",
    ]);
  });
});

describe("strings", () => {
  it("come back from quotes as they were", () => {
    const pieces = fc.array(fc.constantFrom("a", "\\", '"', "'", "\n", "😀"), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (pieces) => {
        expect(literalOf(quoteLiteral(pieces.join("")))).toBe(pieces.join(""));
      }),
    );
    const units = fc.array(fc.constantFrom("a", "\\\\", '\\"', '"', "'", "\\d", "\n"), { maxLength: 8 });
    fc.assert(
      fc.property(units, (units) => {
        expect(patternOf(quotePattern(units.join("")))).toBe(units.join(""));
      }),
    );
  });

  it("keep their meaning where text cannot express them", () => {
    expect(patternOf(quotePattern("\\\"\\'"))).toBe("\"\\'");
    expect(patternOf(quotePattern("a\\"))).toBe("a\\\\");
  });

  it("tell where a unit of a pattern stands in the text", () => {
    const text = 'x "a\\"b\\\\c""d"';
    const pattern = patternOf(text.slice(2));
    expect(pattern).toBe('a"b\\\\c"d');
    const places = [...pattern].map((_, offset) => offsetInText(text, 2, offset));
    expect(places.map((place) => text[place])).toEqual(["a", "\\", "b", "\\", "\\", "c", '"', "d"]);
    expect(text[offsetInText(text, 2, pattern.length)]).toBe('"');
  });
});
