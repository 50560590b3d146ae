import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Condition, Expression, Query, StructureCondition, Where } from "./ast.js";
import { Grammar } from "./grammar.js";
import { lexerOf } from "./lexer.js";
import { parse } from "./parse.js";
import { withoutSpans } from "./tree.js";

/** Every distinct query that was recorded of Manatee and CQP; `wrong`: what they accept and is an error here. */
const recorded: { right: string[]; wrong: string[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "recorded.json"), "utf8"),
);

function queryOf(text: string): Query {
  const { query, diagnostics } = parse(text);
  expect(diagnostics, text).toEqual([]);
  return withoutSpans(query!);
}

const expressionOf = (text: string): Expression => queryOf(text).expression;

function conditionOf(text: string): Condition | undefined {
  const token = expressionOf(text);
  return token.kind === "token" || token.kind === "lookahead" ? token.condition : undefined;
}

function ofStructure(text: string): StructureCondition | undefined {
  const tag = expressionOf(text);
  return tag.kind === "structure" || tag.kind === "boundary" ? tag.condition : undefined;
}

const whereOf = (text: string): Where | undefined => queryOf(text).where;
const filtersOf = (text: string) => queryOf(text).filters;

/** Nodes as short as they can be told. */
const pattern = (pattern: string, flags = {}) => ({ kind: "pattern", pattern, ...flags });
const literal = (string: string, flags = {}) => ({ kind: "literal", string, ...flags });
const test = (attribute: string, value: unknown, more = {}) => ({
  kind: "attribute",
  attribute,
  negated: false,
  value: typeof value === "string" ? pattern(value) : value,
  ...more,
});
const token = (attribute: string, value: unknown) => ({ kind: "token", condition: test(attribute, value) });
const bare = (value: unknown) => token("", value);
const any = { kind: "token" };
const structure = (name: string, condition?: unknown) => ({
  kind: "structure",
  structure: name,
  ...(condition !== undefined && { condition }),
});
const of = (attribute: string, value: unknown, more = {}) => ({
  ...test(attribute, value, more),
  kind: "structureAttribute",
});
const labelled = (label: string, item: unknown) => ({ kind: "labelled", label, item });
const at = (label: string, attribute: string) => ({ kind: "labelAttribute", label, attribute });
const compare = (left: unknown, comparison: string, right: unknown) => ({
  kind: "compare",
  left,
  comparison,
  right,
});
const number = (number: number) => ({ kind: "number", number });
const [a, b, c] = ["a", "b", "c"].map(bare);

describe("the grammar", () => {
  it("contradicts itself nowhere", () => {
    expect(() => new Grammar({ validate: true })).not.toThrow();
    expect(lexerOf({ validate: true }).lexerDefinitionErrors).toEqual([]);
  });
});

describe("recorded queries", () => {
  it("parse, of both systems, one and all", () => {
    for (const text of recorded.right) {
      const { query, diagnostics } = parse(text);
      expect(diagnostics, text).toEqual([]);
      expect(query, text).toBeDefined();
    }
    expect(recorded.right).toHaveLength(220);
  });

  it("are errors here where they were accepted by mistake", () => {
    const codes = recorded.wrong.map((text) => [text, parse(text).diagnostics.map(({ code }) => code)]);
    expect(codes).toEqual([
      ['1:[tag="JJ"] & 1.word=2.word', ["unknown_label"]],
      ['[tag="NP"]{2,1}', ["bad_repeat"]],
    ]);
  });

  it("mean the same in both spellings", () => {
    const same = [
      ['[word=="."]', '[word="." %l]'],
      ['<doc category="news"> []', '<doc_category="news"> []'],
      ["1:[] 2:[] & 1.word=2.word", "1:[] 2:[] :: 1.word = 2.word"],
      ['(meet "heart" "attack" -5 5)', 'MU(meet "heart" "attack" -5 5)'],
      ['<s id="x"> []* </s>', '<s_id="x"> []* </s_id>'],
      ["<s/>", "<<s>>"],
    ];
    for (const [manatee, cqp] of same) expect(queryOf(cqp)).toEqual(queryOf(manatee));
  });
});

describe("tokens", () => {
  it("are any, by an attribute, or by the default attribute", () => {
    expect(expressionOf("[]")).toEqual(any);
    expect(expressionOf('[lemma="go"]')).toEqual(token("lemma", "go"));
    expect(conditionOf('[lemma!="go"]')).toEqual(test("lemma", "go", { negated: true }));
    expect(expressionOf('"go"')).toEqual(bare("go"));
    expect(expressionOf("'go'")).toEqual(bare("go"));
    expect(conditionOf('["go" | !="a"]')).toEqual({
      kind: "or",
      items: [test("", "go"), test("", "a", { negated: true })],
    });
  });

  it("are compared with literals", () => {
    for (const text of ['[word=="a.b"]', '[word="a.b" %l]', '[word=="a.b"%l]']) {
      expect(expressionOf(text)).toEqual(token("word", literal("a.b")));
    }
    expect(conditionOf('[word!=="a.b"]')).toEqual(test("word", literal("a.b"), { negated: true }));
    expect(expressionOf('=="a.b"')).toEqual(bare(literal("a.b")));
    expect(expressionOf('"a.b"%l')).toEqual(bare(literal("a.b")));
  });

  it("take flags, and leave (?i) to the pattern", () => {
    expect(expressionOf('[word="a" %c]')).toEqual(token("word", pattern("a", { ignoreCase: true })));
    expect(expressionOf('"a"%cd')).toEqual(bare(pattern("a", { ignoreCase: true, ignoreDiacritics: true })));
    expect(expressionOf('=="a" %d')).toEqual(bare(literal("a", { ignoreDiacritics: true })));
    expect(expressionOf('"(?i)a"')).toEqual(bare("(?i)a"));
  });

  it("unescape quotes and leave other backslashes", () => {
    expect(expressionOf('"\\""')).toEqual(bare('"'));
    expect(expressionOf('"say ""so"""')).toEqual(bare('say "so"'));
    expect(expressionOf("'it''s \\'so\\''")).toEqual(bare("it's 'so'"));
    expect(expressionOf('"\\.\\d\\\\"')).toEqual(bare("\\.\\d\\\\"));
    expect(expressionOf("'\\\"'")).toEqual(bare('\\"'));
    expect(expressionOf('=="\\d\\""')).toEqual(bare(literal('\\d"')));
    expect(expressionOf('=="a\\\\"')).toEqual(bare(literal("a\\")));
  });

  it("are ordered, and strings stay as they are", () => {
    const ordered = (order: string, negated = false) => test("head", literal("1\\0"), { order, negated });
    expect(conditionOf('[head>="1\\0"]')).toEqual(ordered(">="));
    expect(conditionOf('[head<"1\\0"]')).toEqual(ordered("<"));
    expect(conditionOf('[head !>= "1\\0"]')).toEqual(ordered(">=", true));
    expect(conditionOf('[head!<="1\\0"]')).toEqual(ordered("<=", true));
  });

  it("bind ! before & before | before ->", () => {
    const [x, y, z] = ["x", "y", "z"].map((name) => test(name, "1"));
    const written = (text: string) => conditionOf(`[${text.replaceAll(/[xyz]/g, '$&="1"')}]`);
    expect(written("x | y & z")).toEqual({ kind: "or", items: [x, { kind: "and", items: [y, z] }] });
    expect(written("(x | y) & z")).toEqual({ kind: "and", items: [{ kind: "or", items: [x, y] }, z] });
    expect(written("!x & y")).toEqual({ kind: "and", items: [{ kind: "not", item: x }, y] });
    expect(written("!!(x & y)")).toEqual({
      kind: "not",
      item: { kind: "not", item: { kind: "and", items: [x, y] } },
    });
    expect(written("x -> y -> z")).toEqual({
      kind: "implies",
      left: x,
      right: { kind: "implies", left: y, right: z },
    });
    expect(written("x | y -> z")).toEqual({ kind: "implies", left: { kind: "or", items: [x, y] }, right: z });
    expect(written("((x))")).toEqual(x);
  });

  it("are found by number, frequency, length and place", () => {
    expect(conditionOf("[#100]")).toEqual({ kind: "position", from: 100, to: 101 });
    expect(conditionOf("[#100-110]")).toEqual({ kind: "position", from: 100, to: 111 });
    const measure = (measure: string, attribute: string, comparison: string, number: number) => ({
      kind: "measure",
      measure: { measure, attribute },
      comparison,
      number,
    });
    expect(conditionOf("[f(word) > 100]")).toEqual(measure("f", "word", ">", 100));
    expect(conditionOf("[strlen(word) != 20]")).toEqual(measure("strlen", "word", "!=", 20));
    expect(conditionOf("[int(head) <= -10]")).toEqual(measure("int", "head", "<=", -10));
    expect(conditionOf("[f(word) !>= 2]")).toEqual({ kind: "not", item: measure("f", "word", ">=", 2) });
    expect(conditionOf("[lbound(s)]")).toEqual({ kind: "bound", edge: "start", structure: "s" });
    expect(conditionOf("[rbound(s)]")).toEqual({ kind: "bound", edge: "end", structure: "s" });
  });

  it("are compared with themselves, with what is around them, with lists and with sketches", () => {
    expect(conditionOf("[word != lemma]")).toEqual({
      kind: "sameToken",
      left: "word",
      right: "lemma",
      comparison: "!=",
    });
    expect(conditionOf('[_.doc_year="19.*"]')).toEqual(test("doc_year", "19.*", { structural: true }));
    expect(conditionOf('[doc_year="19.*"]')).toEqual(test("doc_year", "19.*"));
    expect(conditionOf("[lemma=$animals]")).toEqual(test("lemma", { kind: "list", name: "animals" }));
    expect(conditionOf('[feat contains "a"]')).toEqual({
      kind: "set",
      attribute: "feat",
      operator: "contains",
      negated: false,
      value: pattern("a"),
    });
    expect(conditionOf('[feat not matches "a" %c]')).toEqual({
      kind: "set",
      attribute: "feat",
      operator: "matches",
      negated: true,
      value: pattern("a", { ignoreCase: true }),
    });
    expect(conditionOf('[ws("king", "modifiers", "great")]')).toEqual({
      kind: "sketch",
      head: "king",
      relation: "modifiers",
      collocate: "great",
    });
    expect(expressionOf('~10"king"')).toEqual({ kind: "similar", count: 10, word: "king" });
  });

  it("may have attributes that are called like keywords and functions", () => {
    expect(conditionOf('[within="a" & f="b" & not contains "c" & int=cut]')).toEqual({
      kind: "and",
      items: [
        test("within", "a"),
        test("f", "b"),
        { kind: "set", attribute: "not", operator: "contains", negated: false, value: pattern("c") },
        { kind: "sameToken", left: "int", right: "cut", comparison: "=" },
      ],
    });
  });
});

describe("sequences", () => {
  it("bind closer than alternatives", () => {
    expect(expressionOf('"a" | "b" "c"')).toEqual({
      kind: "alternation",
      items: [a, { kind: "sequence", items: [b, c] }],
    });
    expect(expressionOf('("a" | "b") "c"')).toEqual({
      kind: "sequence",
      items: [{ kind: "alternation", items: [a, b] }, c],
    });
  });

  it("lose brackets that change nothing", () => {
    expect(expressionOf('((("a")))')).toEqual(a);
    expect(expressionOf('(("a" "b"))')).toEqual({ kind: "sequence", items: [a, b] });
  });

  it("repeat tokens and groups", () => {
    const bounds = {
      "?": [0, 1],
      "*": [0, null],
      "+": [1, null],
      "{2}": [2, 2],
      "{2,}": [2, null],
      "{,3}": [0, 3],
      "{2,3}": [2, 3],
    };
    for (const [text, [min, max]] of Object.entries(bounds)) {
      expect(expressionOf(`"a"${text}`)).toEqual({ kind: "repeat", item: a, min, max });
    }
    expect(expressionOf('("a" "b"){ 2 , 3 }')).toEqual({
      kind: "repeat",
      item: { kind: "sequence", items: [a, b] },
      min: 2,
      max: 3,
    });
  });

  it("label tokens and groups", () => {
    expect(expressionOf("1:[]")).toEqual(labelled("1", any));
    expect(expressionOf('x:("a" "b")')).toEqual(labelled("x", { kind: "sequence", items: [a, b] }));
    expect(expressionOf('@"a"')).toEqual(labelled("target", a));
    expect(expressionOf('@:"a"')).toEqual(labelled("target", a));
    expect(expressionOf('target:"a"')).toEqual(labelled("target", a));
    expect(expressionOf('1:"a"*')).toEqual({ kind: "repeat", item: labelled("1", a), min: 0, max: null });
    expect(expressionOf('within:"a" cut:"b"')).toEqual({
      kind: "sequence",
      items: [labelled("within", a), labelled("cut", b)],
    });
  });

  it("look ahead", () => {
    expect(expressionOf('"a" [: tag="N" :]')).toEqual({
      kind: "sequence",
      items: [a, { kind: "lookahead", condition: test("tag", "N") }],
    });
    expect(expressionOf("[::]")).toEqual({ kind: "lookahead" });
  });

  it("have complements", () => {
    expect(expressionOf('!("a" "b")')).toEqual({
      kind: "complement",
      item: { kind: "sequence", items: [a, b] },
    });
    expect(expressionOf('"a" !("b")')).toEqual({
      kind: "sequence",
      items: [a, { kind: "complement", item: b }],
    });
  });
});

describe("structures", () => {
  it("are starts, ends and wholes", () => {
    expect(expressionOf("<s>")).toEqual({ kind: "boundary", edge: "start", structure: "s" });
    expect(expressionOf("</s>")).toEqual({ kind: "boundary", edge: "end", structure: "s" });
    expect(expressionOf("<s/>")).toEqual(structure("s"));
    expect(expressionOf("<<s>>")).toEqual(structure("s"));
    expect(expressionOf('<s>=="a"')).toEqual({
      kind: "sequence",
      items: [{ kind: "boundary", edge: "start", structure: "s" }, bare(literal("a"))],
    });
  });

  it("have conditions", () => {
    expect(ofStructure('<doc year="199.*" & genre!="news"/>')).toEqual({
      kind: "and",
      items: [of("year", "199.*"), of("genre", "news", { negated: true })],
    });
    expect(ofStructure('<doc (a="x" | b="y")>')).toEqual({ kind: "or", items: [of("a", "x"), of("b", "y")] });
    expect(ofStructure('<doc !(a="x")/>')).toEqual({ kind: "not", item: of("a", "x") });
    expect(ofStructure('<doc year>"1990"/>')).toEqual(of("year", literal("1990"), { order: ">" }));
    expect(ofStructure('</doc year>="1990">')).toEqual(of("year", literal("1990"), { order: ">=" }));
    expect(ofStructure("<doc #5/>")).toEqual({ kind: "structureNumber", from: 5, to: 6 });
    expect(ofStructure("<doc #5-7/>")).toEqual({ kind: "structureNumber", from: 5, to: 8 });
  });

  it("are split from their attribute in CQP's tags, and in the end tags that belong to them", () => {
    expect(expressionOf('<doc_year="199.*"> []* </doc_year>')).toEqual({
      kind: "sequence",
      items: [
        { kind: "boundary", edge: "start", structure: "doc", condition: of("year", "199.*") },
        { kind: "repeat", item: any, min: 0, max: null },
        { kind: "boundary", edge: "end", structure: "doc" },
      ],
    });
    expect(expressionOf("</named_entity>")).toEqual({
      kind: "boundary",
      edge: "end",
      structure: "named_entity",
    });
  });
});

describe("filters", () => {
  const matches = (expression: unknown) => ({ kind: "matches", expression });
  const within = (scope: unknown, negated = false) => ({ kind: "within", negated, scope });
  const containing = (scope: unknown, negated = false) => ({ kind: "containing", negated, scope });
  const structures = (structure: string, count = 1) => ({ kind: "structures", structure, count });

  it("are told apart by what they filter by", () => {
    expect(filtersOf('"a" within s')).toEqual([within(structures("s"))]);
    expect(filtersOf('"a" within 2 s')).toEqual([within(structures("s", 2))]);
    expect(filtersOf('"a" within 5')).toEqual([within({ kind: "tokens", count: 5 })]);
    expect(filtersOf('"a" within <s/>')).toEqual([within(matches(structure("s")))]);
    expect(filtersOf('"a" !within "b" "c"')).toEqual([
      within(matches({ kind: "sequence", items: [b, c] }), true),
    ]);
    expect(filtersOf('"a" within c2: "b"')).toEqual([
      within({ kind: "corpus", corpus: "c2", expression: b }),
    ]);
    expect(filtersOf('"a" !within c2: "b"')).toEqual([
      within({ kind: "corpus", corpus: "c2", expression: b }, true),
    ]);
    expect(filtersOf("<s/> containing 60")).toEqual([containing({ kind: "tokens", count: 60 })]);
    expect(filtersOf('<s/> !containing "b"')).toEqual([containing(matches(b), true)]);
  });

  it("apply one after the other, and bind looser than alternatives", () => {
    expect(queryOf('<s/> containing "a" "b" within <doc c="n"/>')).toEqual({
      kind: "query",
      expression: structure("s"),
      filters: [
        containing(matches({ kind: "sequence", items: [a, b] })),
        within(matches(structure("doc", of("c", "n")))),
      ],
    });
    expect(queryOf('"a" | "b" within s')).toEqual({
      kind: "query",
      expression: { kind: "alternation", items: [a, b] },
      filters: [within(structures("s"))],
    });
  });

  it("stay with the brackets they stand in", () => {
    expect(queryOf('("a" within s) "b" within (<p/> containing "c")')).toEqual({
      kind: "query",
      expression: {
        kind: "sequence",
        items: [
          { kind: "filtered", query: { kind: "query", expression: a, filters: [within(structures("s"))] } },
          b,
        ],
      },
      filters: [
        within(
          matches({
            kind: "filtered",
            query: { kind: "query", expression: structure("p"), filters: [containing(matches(c))] },
          }),
        ),
      ],
    });
  });

  it("stand before or after conditions across labels", () => {
    const query = queryOf('1:"a" 2:"b" & 1.x = 2.x within s');
    expect(query.where).toEqual(compare(at("1", "x"), "=", at("2", "x")));
    expect(queryOf('1:"a" 2:"b" within s & 1.x = 2.x')).toEqual(query);
    expect(whereOf('1:"a" & 1.x="1" & 1.y="2" within s & 1.z="3"')).toEqual(
      whereOf('1:"a" & 1.x="1" & 1.y="2" & 1.z="3" within s'),
    );
  });
});

describe("meet, union and TAB", () => {
  const meet = (item: unknown, other: unknown, window: unknown, negated = false) => ({
    kind: "meet",
    item,
    other,
    negated,
    window,
  });

  it("have windows", () => {
    expect(expressionOf('(meet "a" "b" -5 5)')).toEqual(meet(a, b, { from: -5, to: 5 }));
    expect(expressionOf('(meet "a" "b" s)')).toEqual(meet(a, b, { structure: "s" }));
    expect(expressionOf('(meet "a" not "b" 5 -5)')).toEqual(meet(a, b, { from: 5, to: -5 }, true));
    expect(expressionOf('(meet "a" "b")')).toEqual(meet(a, b, { from: 1, to: 1 }));
  });

  it("nest, and stand in sequences", () => {
    expect(expressionOf('MU(meet (union "a" "b") "c" -1 1)')).toEqual(
      meet({ kind: "union", items: [a, b] }, c, { from: -1, to: 1 }),
    );
    expect(expressionOf('(MEET "a" "b" s) "c"')).toEqual({
      kind: "sequence",
      items: [meet(a, b, { structure: "s" }), c],
    });
    expect(expressionOf('(meet:"a" "b")')).toEqual({ kind: "sequence", items: [labelled("meet", a), b] });
  });

  it("have gaps", () => {
    expect(queryOf('TAB "a" {0,3} "b" * "c" "a" within s')).toEqual({
      kind: "query",
      expression: {
        kind: "tab",
        items: [a, b, c, a],
        gaps: [
          { min: 0, max: 3 },
          { min: 0, max: null },
          { min: 0, max: 0 },
        ],
      },
      filters: [{ kind: "within", negated: false, scope: { kind: "structures", structure: "s", count: 1 } }],
    });
  });
});

describe("edges", () => {
  const edge = (head: unknown, dependant: unknown, more = {}) => ({
    kind: "edge",
    head,
    dependant,
    depth: "one",
    negated: false,
    ...more,
  });

  it("have relations, depth and negation", () => {
    expect(expressionOf('"a" >obj "b"')).toEqual(edge(a, b, { relation: "obj" }));
    expect(expressionOf('"a" >nsubj:pass "b"')).toEqual(edge(a, b, { relation: "nsubj:pass" }));
    expect(expressionOf('"a" >"nsubj.*" "b"')).toEqual(edge(a, b, { relation: "nsubj.*" }));
    expect(expressionOf('"a" > "b"')).toEqual(edge(a, b));
    expect(expressionOf('"a" >> "b"')).toEqual(edge(a, b, { depth: "any" }));
    expect(expressionOf('"a" >>obj "b"')).toEqual(edge(a, b, { depth: "any", relation: "obj" }));
    expect(expressionOf('"a" !>obj "b"')).toEqual(edge(a, b, { negated: true, relation: "obj" }));
    expect(expressionOf('"a" !>obj within s')).toEqual(edge(a, any, { negated: true, relation: "obj" }));
  });

  it("tell relations from labels", () => {
    expect(expressionOf('1:"a" >x:"b"')).toEqual(edge(labelled("1", a), labelled("x", b)));
    expect(expressionOf('1:"a" >obj 2:"b"')).toEqual(
      edge(labelled("1", a), labelled("2", b), { relation: "obj" }),
    );
    expect(expressionOf('"a" >2:"b"')).toEqual(edge(a, labelled("2", b)));
  });

  it("chain to the left, and bind closer than sequences", () => {
    expect(expressionOf('"a" >x "b" >y "c" "a"')).toEqual({
      kind: "sequence",
      items: [edge(edge(a, b, { relation: "x" }), c, { relation: "y" }), a],
    });
    expect(expressionOf('"a" > ("b" > "c")')).toEqual(edge(a, edge(b, c)));
  });
});

describe("conditions across labels", () => {
  it("compare attributes, numbers and values", () => {
    expect(whereOf("1:[] 2:[] & 1.tag = 2.tag & f(1.word) > 10 & distance(1,2) < 6")).toEqual({
      kind: "and",
      items: [
        compare(at("1", "tag"), "=", at("2", "tag")),
        compare({ kind: "labelMeasure", label: "1", measure: "f", attribute: "word" }, ">", number(10)),
        compare({ kind: "distance", left: "1", right: "2", absolute: false }, "<", number(6)),
      ],
    });
    expect(whereOf('[] :: match.doc_year="19.*" %c')).toEqual(
      compare(at("match", "doc_year"), "=", { kind: "value", value: pattern("19.*", { ignoreCase: true }) }),
    );
    expect(whereOf('a:[] & a.word == "a.b"')).toEqual(
      compare(at("a", "word"), "=", { kind: "value", value: literal("a.b") }),
    );
    expect(whereOf('a:[] & a.word >= "m"')).toEqual(
      compare(at("a", "word"), ">=", { kind: "value", value: literal("m") }),
    );
    expect(whereOf("a:[] & a.word != $list")).toEqual(
      compare(at("a", "word"), "!=", { kind: "value", value: { kind: "list", name: "list" } }),
    );
    expect(whereOf("[]* & distabs(match, matchend) >= 5")).toEqual(
      compare({ kind: "distance", left: "match", right: "matchend", absolute: true }, ">=", number(5)),
    );
  });

  it("join and negate", () => {
    const test = (n: number) => compare(at("1", "x"), "=", number(n));
    expect(whereOf("1:[] :: 1.x=1 | !(1.x=2) & 1.x=3")).toEqual({
      kind: "or",
      items: [test(1), { kind: "and", items: [{ kind: "not", item: test(2) }, test(3)] }],
    });
    expect(whereOf("1:[] & 1.x=1 -> 1.x=2")).toEqual({ kind: "implies", left: test(1), right: test(2) });
    expect(whereOf("1:[] & 1.x !< 5")).toEqual({ kind: "not", item: compare(at("1", "x"), "<", number(5)) });
  });

  it("ask where structures begin and end", () => {
    const bound = { kind: "labelBound", edge: "start", structure: "s", label: "1" };
    expect(whereOf("1:[] & lbound(1.s)")).toEqual(bound);
    expect(whereOf("1:[] & lbound(s, 1)")).toEqual(bound);
    expect(whereOf("[] & rbound(match.s)")).toEqual({ ...bound, edge: "end", label: "match" });
  });

  it("see labels in brackets, in meet and at the end of edges", () => {
    for (const text of [
      "(1:[] within s)",
      '(meet "a" 1:[] -5 5)',
      '"a" > 1:[]',
      '(1:"a" | "b")',
      "(union 1:[] [])",
    ]) {
      expect(parse(`${text} & 1.word = "x"`).diagnostics).toEqual([]);
    }
  });

  it("do not see labels that bind nothing", () => {
    for (const text of ['"a" within (1:[])', '(meet "a" not 1:[] -5 5)', '"a" !> 1:[]', "!(1:[])"]) {
      const [{ code, severity }] = parse(`${text} & 1.word = "x"`).diagnostics;
      expect([code, severity], text).toEqual(["unknown_label", "error"]);
    }
  });
});

describe("afterwards", () => {
  it("matches are expanded and cut", () => {
    const expand = (text: string) => queryOf(`"a" ${text}`).expand;
    expect(expand("expand to s")).toEqual({ side: "both", structure: "s", count: 1 });
    expect(expand("expand left to 2 s")).toEqual({ side: "left", structure: "s", count: 2 });
    expect(expand("Expand RIGHT To p")).toEqual({ side: "right", structure: "p", count: 1 });
    expect(queryOf('"a" within s expand to p cut 100;')).toMatchObject({
      cut: 100,
      expand: { structure: "p" },
    });
  });

  it("a strategy stands in front", () => {
    expect(queryOf('(?longest) "a"*').strategy).toBe("longest");
    expect(queryOf('(?ALL)"a"').strategy).toBe("all");
    expect(queryOf('"a"').strategy).toBeUndefined();
  });
});
