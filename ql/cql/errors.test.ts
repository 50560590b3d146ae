import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderDiagnostics } from "./diagnose.js";
import { limits } from "./limits.js";
import { parse } from "./parse.js";
import { print } from "./print.js";

const said = (text: string) => renderDiagnostics(text, parse(text).diagnostics);
const codes = (text: string) => parse(text).diagnostics.map(({ code }) => code);

describe("errors", () => {
  it("say what has no partner", () => {
    const partners = {
      '("a"': "a ( has no )",
      '"a")': "a ) has no (",
      '[word="a"': "a [ has no ]",
      '"a"]': "a ] has no [",
      '[: word="a"': "a [: has no :]",
      '"a"{2': "a { has no }",
      '<s "a"': "a < has no >",
      '</s "a" <p>': "a </ has no >",
      "<<s>": "a << has no >>",
      '[word="a]': 'a " has no closing "',
      "'a": "a ' has no closing '",
      '(["a")': "a [ has no ]",
    };
    for (const [text, message] of Object.entries(partners)) {
      expect(
        parse(text).diagnostics.map((found) => [found.code, found.message]),
        text,
      ).toEqual([["unbalanced", message]]);
    }
  });

  it("are told all at once", () => {
    expect(said('[word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"')).toMatchInlineSnapshot(`
      "a value such as "house" is missing after =
        [word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"
              ^

      {2,1} ends before it begins. Write {1,2}.
        [word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"
                   ^^^^^

      a condition such as word="house" is missing after &
        [word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"
                                   ^

      ( ) is empty
        [word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"
                                     ^^^^

      no flag % (there are c: ignoring case, d: ignoring diacritics, l: literally)
        [word=] "a"{2,1} [tag="x" &] (  ) "b" % "c"
                                              ^"
    `);
    expect(codes('[word="a" [tag=] ("b"')).toEqual(["unbalanced", "syntax_error", "unbalanced"]);
    expect(codes('"a" | | "b" | | "c"')).toEqual(["syntax_error", "syntax_error"]);
  });

  it("are told with what is wrong inside patterns", () => {
    expect(said('[word="(a"] >"*" [word="b\\"c)" & tag=="("] [word=]')).toMatchInlineSnapshot(`
      "a "(" without its ")". Write \\( for the character itself.
        [word="(a"] >"*" [word="b\\"c)" & tag=="("] [word=]
               ^

      nothing to repeat before "*". Write \\* for the character itself.
        [word="(a"] >"*" [word="b\\"c)" & tag=="("] [word=]
                      ^

      a ")" without its "(". Write \\) for the character itself.
        [word="(a"] >"*" [word="b\\"c)" & tag=="("] [word=]
                                    ^

      a value such as "house" is missing after =
        [word="(a"] >"*" [word="b\\"c)" & tag=="("] [word=]
                                                         ^"
    `);
    expect(codes('1:"(a" & 2.word = "[b"')).toEqual(["bad_pattern", "unknown_label", "bad_pattern"]);
    expect(codes('"(a"')).toEqual([]);
  });

  it("say what is missing, and what cannot stand where it does", () => {
    const texts = [
      "[word=]",
      '[word="a" tag="b"]',
      "the cat",
      "within s",
      '"a" containing s',
      '"a" |',
      '<doc a="1" b="2"/>',
    ];
    expect(texts.map(said).join("\n")).toMatchInlineSnapshot(`
      "a value such as "house" is missing after =
        [word=]
              ^
      tag cannot stand after "a". Join conditions by & or |.
        [word="a" tag="b"]
                  ^^^
      the stands without quotes. Write "the".
        the cat
        ^^^
      a token such as [lemma="go"] or "go" is missing before within
        within s
        ^^^^^^
      s cannot stand after containing: a query or a number of tokens is expected. A structure is written <s/> here.
        "a" containing s
                       ^
      a token such as [lemma="go"] or "go" is missing after |
        "a" |
             ^
      b cannot stand after "1": > is expected. Join conditions by & or |.
        <doc a="1" b="2"/>
                   ^"
    `);
  });

  it("say what to do about labels", () => {
    const texts = [
      '1:"a" & 1.word = 3.word',
      'adj:"a" & ajd.word = "b"',
      '1:"a" & word = "b"',
      "[word = a.word]",
      '[1.word="a"]',
    ];
    expect(texts.map(said).join("\n")).toMatchInlineSnapshot(`
      "label 3 is never bound (there are 1). Put 3: before a token.
        1:"a" & 1.word = 3.word
                         ^^^^^^
      label ajd is never bound (there are adj). Did you mean adj?
        adj:"a" & ajd.word = "b"
                  ^^^^^^^^
      word has no label. Write 1.word, by the label of a token, or match.word.
        1:"a" & word = "b"
                ^^^^
      . cannot stand after a. Labels are compared after the tokens: … & 1.tag = 2.tag.
        [word = a.word]
                 ^
      1 cannot stand here: a condition such as word="house" is expected. Labels are compared after the tokens: … & 1.tag = 2.tag.
        [1.word="a"]
         ^"
    `);
  });

  it("say what there is where something is unknown", () => {
    const texts = [
      '(?longst) "a"',
      '"a" %x',
      "[strln(word) > 3]",
      '1:"a" & distence(1,1) = 0',
      '1:"a" & 1.word = "a" & (2 < g(1.word)) & !lbond(1.s)',
      '1:"a" & f (1.word) > 3',
    ];
    expect(texts.map(said).join("\n")).toMatchInlineSnapshot(`
      "no strategy "longst" (there are all, shortest, standard, longest, traditional). Did you mean longest?
        (?longst) "a"
        ^^^^^^^^^
      no flag %x (there are c: ignoring case, d: ignoring diacritics, l: literally)
        "a" %x
            ^^
      no function strln (there are f, strlen, int, lbound, rbound, ws, distance, distabs). Did you mean strlen?
        [strln(word) > 3]
         ^^^^^
      no function distence (there are f, strlen, int, lbound, rbound, ws, distance, distabs). Did you mean distance?
        1:"a" & distence(1,1) = 0
                ^^^^^^^^
      no function g (there are f, strlen, int, lbound, rbound, ws, distance, distabs)
        1:"a" & 1.word = "a" & (2 < g(1.word)) & !lbond(1.s)
                                    ^

      no function lbond (there are f, strlen, int, lbound, rbound, ws, distance, distabs). Did you mean lbound?
        1:"a" & 1.word = "a" & (2 < g(1.word)) & !lbond(1.s)
                                                  ^^^^^
      f stands apart from its (. Write f( without a blank.
        1:"a" & f (1.word) > 3
                ^"
    `);
  });

  it("say that orderings know no flags", () => {
    const texts = ['[word > "a" %c]', '<doc year<="a" %cd/>', '1:"a" & 1.word !>= "b" %D'];
    expect(texts.map(said).join("\n")).toMatchInlineSnapshot(`
      "> compares by number or code point, which %c does not change. %c and %d go with = and !=.
        [word > "a" %c]
                    ^^
      <= compares by number or code point, which %cd does not change. %c and %d go with = and !=.
        <doc year<="a" %cd/>
                       ^^^
      >= compares by number or code point, which %D does not change. %c and %d go with = and !=.
        1:"a" & 1.word !>= "b" %D
                               ^^"
    `);
    expect(codes('[word > "a" %l]')).toEqual([]);
    expect(codes('[word == "a" %c & word contains "a" %d]')).toEqual([]);
  });

  it("tell of numbers that make no sense", () => {
    const texts = ['"a"{2,1}', '"a"{}', '"a"{1.5}', "[#7-5]", '"a" cut 99999999999999999999'];
    expect(texts.map(said).join("\n")).toMatchInlineSnapshot(`
      "{2,1} ends before it begins. Write {1,2}.
        "a"{2,1}
           ^^^^^
      { } holds no number. {2}, {2,}, {,3} and {2,3} are repetitions; * is any number.
        "a"{}
           ^^
      1.5 is no whole number
        "a"{1.5}
            ^^^
      #7-5 runs backwards. Write #5-7.
        [#7-5]
         ^^^^
      the number is larger than 9007199254740990
        "a" cut 99999999999999999999
                ^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  it("have codes", () => {
    const known = {
      "": ["empty_query"],
      " \n": ["empty_query"],
      "()": ["syntax_error"],
      '"a"{2,1}': ["bad_repeat"],
      '(?x) "a"': ["unknown_strategy"],
      '"a" cut 1.5': ["bad_number"],
      '"a" & 1.x = 2.x': ["unknown_label", "unknown_label"],
      '"a" cut 5 cut 6': ["repeated"],
      '"a" expand to s expand to p': ["repeated"],
      '"a" cut 5 within s': ["syntax_error"],
      '[word="a" %x]': ["unknown_flag"],
      "[frq(word) > 3]": ["unknown_function"],
      "“a”": ["syntax_error"],
      '"a"*?': ["syntax_error"],
      '"a"* > "b"': ["syntax_error"],
    };
    for (const [text, expected] of Object.entries(known)) {
      expect(codes(text), text).toEqual(expected);
      expect(parse(text).query, text).toBeUndefined();
    }
  });

  it("are none where there is only something to warn of", () => {
    const { query, diagnostics } = parse('1:"a" 1:"b" & target.word = "c"');
    expect(query).toBeDefined();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["repeated_label", "warning"],
      ["unknown_label", "warning"],
    ]);
    const many = parse(Array.from({ length: 100 }, () => "1:[]").join(" "));
    expect(many.query).toBeDefined();
    expect(many.diagnostics).toHaveLength(limits.diagnosticsMax);
  });

  it("stand in the text, whatever it is", () => {
    const words =
      '[ ] ( ) { } < > </ /> << >> = != == ! & | -> : :: @ ~ ? * + , . # - % "a" word 1 within not meet TAB f( $x (?all) ; [: :]';
    const soup = fc
      .array(fc.constantFrom(...words.split(" ")), { maxLength: 12 })
      .map((chosen) => chosen.join(" "));
    fc.assert(
      fc.property(soup, (text) => {
        const { query, diagnostics } = parse(text);
        const errors = diagnostics.filter(({ severity }) => severity === "error");
        expect(query === undefined).toBe(errors.length > 0);
        for (const { span, message } of diagnostics) {
          expect(span[0]).toBeGreaterThanOrEqual(0);
          expect(span[1]).toBeGreaterThanOrEqual(span[0]);
          expect(text.length).toBeGreaterThanOrEqual(span[1]);
          expect(message).not.toMatch(/undefined|NaN|EOF|null|Expecting/);
        }
        expect(() => renderDiagnostics(text, diagnostics)).not.toThrow();
      }),
      { numRuns: 300 },
    );
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => void parse(text)));
  });
});

describe("rendered errors", () => {
  const at = (text: string, span: [number, number], more = {}) =>
    renderDiagnostics(text, [{ code: "x", severity: "error", message: "wrong", span, ...more }]);

  it("mark the span under its line", () => {
    expect(at('[lema="make"]', [1, 5], { hint: "Did you mean lemma?" })).toBe(
      'wrong. Did you mean lemma?\n  [lema="make"]\n   ^^^^',
    );
    expect(at("abc", [3, 3], { severity: "warning" })).toBe("warning: wrong\n  abc\n     ^");
    expect(at("", [0, 0])).toBe("wrong\n  \n  ^");
  });

  it("count columns, not characters", () => {
    expect(at("語é[x]", [3, 4])).toBe("wrong\n  語é[x]\n      ^");
    expect(at("😀e\u0301x", [4, 5])).toBe("wrong\n  😀e\u0301x\n     ^");
    expect(at("語語x", [0, 2])).toBe("wrong\n  語語x\n  ^^^^");
    expect(at("\ta\u001b[31m", [1, 3])).toBe("wrong\n   a\ufffd[31m\n   ^^");
  });

  it("show the line that the span begins in", () => {
    expect(at("ab\ncd ef\ngh", [6, 11])).toBe("wrong\n  cd ef\n     ^^");
    expect(at("ab\r\ncd", [1, 5])).toBe("wrong\n  ab\n   ^");
    expect(at("\nab", [0, 3])).toBe("wrong\n  \n  ^");
    expect(at("ab\n", [3, 3])).toBe("wrong\n  \n  ^");
  });

  it("show of a long line what is near", () => {
    const [, line, marks] = at(`${"a".repeat(1000)}!${"b".repeat(1000)}`, [1000, 1001]).split("\n");
    expect(line.length).toBeLessThan(130);
    expect(line[marks.indexOf("^")]).toBe("!");
    expect(line).toMatch(/^ {2}…a+!b+…$/);
  });
});

describe("hostile queries", () => {
  const size = 1 << 20;

  it("end in an error that says which limit was hit", () => {
    const deep = "more than 1,000 levels of nesting (nestingMax)";
    for (const text of [
      "(".repeat(size),
      `${"(".repeat(1001)}"a"${")".repeat(1001)}`,
      `[${"!".repeat(5000)}a="b"]`,
      `${"a:".repeat(5000)}[]`,
      `[${'a="b" -> '.repeat(5000)}a="b"]`,
      `${'"a" > '.repeat(5000)}"b"`,
    ]) {
      expect(parse(text).diagnostics.map(({ message }) => message)).toEqual([deep]);
    }
    expect(codes(" ".repeat(limits.queryCharsMax + 1))).toEqual(["too_long"]);
  });

  it("end after some errors, however many there are", () => {
    for (const text of ["[", ")", "!", "&", "()", "[word=]", '"a"{2,1}', "<s ", "| "]) {
      const { diagnostics } = parse(text.repeat(20_000));
      expect(diagnostics.length).toBeGreaterThan(0);
      expect(diagnostics.length).toBeLessThanOrEqual(limits.diagnosticsMax);
    }
  });

  it("parse where they are only long", () => {
    const pattern = "a".repeat(size);
    expect(print(parse(`"${pattern}"`).query!)).toBe(`"${pattern}"`);
    const words = Array.from({ length: 100_000 }, (_, index) => `"w${index}"`).join(" | ");
    expect(print(parse(words).query!)).toBe(words);
  });

  it("parse and print up to the limit of nesting", () => {
    expect(print(parse(`${"(".repeat(1000)}"a"${")".repeat(1000)}`).query!)).toBe('"a"');
    const levels = 498;
    const text = `[${"!(".repeat(levels)}a="b"${")".repeat(levels)}]`;
    expect(print(parse(text).query!)).toBe(text);
    const filtered = `${"(".repeat(300)}"a"${" within s)".repeat(300)}`;
    expect(print(parse(filtered).query!)).toBe(filtered);
  });
});
