import { describe, expect, it } from "vitest";
import { caseVariants, classSet, hasCode } from "./codes.js";
import { compilePattern } from "./match.js";
import { type PatternError, type PatternNode, parsePattern } from "./syntax.js";

function failure(pattern: string): PatternError {
  try {
    compilePattern(pattern);
  } catch (error) {
    return error as PatternError;
  }
  throw new Error(`nothing was thrown for ${pattern}`);
}

describe("a pattern", () => {
  it.each<[pattern: string, matching: string[], others: string[]]>([
    ["", [""], ["a"]],
    ["abc", ["abc"], ["ab", "abcd", "Abc"]],
    ["a.c", ["abc", "aéc", "a😀c", "a\nc"], ["ac", "abbc"]],
    ["a|bc|", ["a", "bc", ""], ["b", "abc"]],
    ["(a|b)(c|d)", ["ac", "bd"], ["ab"]],
    ["(?:a|b)+", ["a", "abba"], [""]],
    ["(?<first>a)b", ["ab"], ["b"]],
    ["(?P<first>a)b", ["ab"], ["b"]],
    ["a(?#a comment)b", ["ab"], ["b"]],
    ["a?b*c+", ["c", "abbcc", "bc"], ["ab", "aac"]],
    ["a{2}", ["aa"], ["a", "aaa"]],
    ["a{2,}", ["aa", "aaaa"], ["a"]],
    ["a{,2}", ["", "a", "aa"], ["aaa"]],
    ["a{1,3}", ["a", "aaa"], ["", "aaaa"]],
    ["a{0}", [""], ["a"]],
    ["a*?b+?c??d{1,2}?", ["bd", "aabbcdd"], ["a"]],
    ["a*+b++c?+d{1,2}+", ["bd", "aabbcdd"], ["a"]],
    ["ab{2}", ["abb"], ["abab"]],
    ["😀{2}", ["😀😀"], ["😀"]],
    ["^ab$", ["ab"], ["a"]],
    ["\\Aab\\z", ["ab"], ["a"]],
    ["a^b|a$b", [], ["ab", "a^b"]],
    ["(^a|b)*", ["", "a", "abb", "bb"], ["aa", "ba"]],
    ["{", ["{"], [""]],
    ["a{b}", ["a{b}"], ["a"]],
    ["a{,}", ["a{,}"], ["a"]],
    ["]}", ["]}"], [""]],
    ["\\.\\*\\[\\\\\\-\\😀", [".*[\\-😀"], []],
    ["\\t\\n\\r\\f\\v\\0", ["\t\n\r\f\v\0"], []],
    ["\\x41\\x{1F600}\\u0042\\u{43}\\uD83D\\uDE00", ["A😀BC😀"], []],
    // Classes.
    ["[abc]", ["a", "b"], ["d", ""]],
    ["[a-ce]", ["b", "e"], ["d"]],
    ["[^a-c]", ["d", "😀"], ["a", ""]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[^]a]", ["b"], ["]", "a"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[-a]", ["a", "-"], ["b"]],
    ["[\\d-x]", ["1", "-", "x"], ["w"]],
    ["[a-\\d]", ["1", "-", "a"], ["b"]],
    ["[\\]\\\\^]", ["]", "\\", "^"], ["a"]],
    ["[\\x41-\\x43\\u{1F600}]", ["B", "😀"], ["D"]],
    ["[^\\x00-\\x7F]", ["é", "😀"], ["a"]],
    ["[à-ü]", ["é"], ["e"]],
    ["[[]", ["["], ["]"]],
    ["[[:upper:]]", ["A", "É", "Σ"], ["a", "1"]],
    ["[[:^upper:]]", ["a", "1"], ["A"]],
    ["[[:alpha:][:digit:]_]", ["a", "é", "9", "_"], ["-"]],
    ["[[:punct:]]", [".", "$", "«"], ["a", "€"]],
    ["[[:space:]]", [" ", "\t", "\u00a0"], ["a"]],
    ["[[:blank:]]", [" ", "\t"], ["\n"]],
    ["[[:xdigit:]]", ["a", "F", "0"], ["g"]],
    ["[[:alnum:]]", ["a", "7", "Ⅻ"], ["_"]],
    ["[[:lower:]]", ["ß", "a"], ["A"]],
    ["[[:cntrl:]]", ["\0", "\x7f"], ["a"]],
    ["[[:print:]]", ["a", " "], ["\0"]],
    ["[[:graph:]]", ["a", "."], [" "]],
    ["[[:word:]]", ["a", "_", "é"], ["-"]],
    ["[[:ascii:]]", ["a"], ["é"]],
    ["\\d+", ["12", "٣"], ["a", "½"]],
    ["\\D", ["a"], ["1"]],
    ["\\w+", ["a_1", "x²", "žluť", "e\u0301", "日本"], ["a-b", ""]],
    ["\\W", ["-", "€"], ["a", "_"]],
    ["\\s", [" ", "\u2003"], ["a"]],
    ["\\S", ["a"], [" "]],
    ["\\p{Lu}", ["A", "Ž"], ["a"]],
    ["\\pL", ["a", "Ž"], ["1"]],
    ["\\P{Lu}", ["a", "1"], ["A"]],
    ["\\p{^Lu}", ["a", "1"], ["A"]],
    ["\\p{L&}", ["a", "A"], ["日"]],
    ["\\p{Greek}+", ["αβγ"], ["abc"]],
    ["\\p{Script=Greek}+", ["αβγ"], ["abc"]],
    ["\\p{Alphabetic}", ["a"], ["1"]],
    ["[\\p{Lu}\\d]+", ["A1"], ["a"]],
    ["[^\\W\\d]+", ["ab"], ["a1"]],
    // Case.
    ["(?i)dna", ["dna", "DNA", "dNa"], ["DN"]],
    ["(?i)σ", ["σ", "ς", "Σ"], ["s"]],
    ["(?i)k", ["k", "K", "\u212a"], []],
    ["(?i)straße", ["STRAẞE"], ["STRASSE"]],
    ["(?i)ı", ["ı"], ["i", "I", "İ"]],
    ["(?i)[a-c]", ["B"], ["d"]],
    ["(?i)[^a]", ["b"], ["a", "A"]],
    ["(?i)\\p{Lu}", ["a", "A"], ["1"]],
    ["(?i)\\P{Lu}", ["1"], ["a", "A"]],
    ["a(?i)b", ["ab", "aB"], ["Ab"]],
    ["a(?i:b)c", ["aBc"], ["abC", "Abc"]],
    ["(a(?i)b)c", ["aBc"], ["aBC"]],
    ["(?i)a(?-i)b", ["Ab"], ["AB"]],
    ["(?i)a|b", ["B"], []],
    ["((?i)a|b)c", ["Bc"], ["BC"]],
    ["(?si)a", ["A"], []],
    // Lookahead.
    ["(?!un).*able", ["able", "table"], ["unable", "undoable"]],
    ["(?=.*a)(?=.*b).*", ["xaxb", "ba"], ["a"]],
    ["(?:(?!ab).)*", ["", "ba", "aab".slice(1)].slice(0, 2), ["ab", "cabc"]],
    ["a(?=b)b", ["ab"], ["a"]],
    ["a(?=b)", [], ["a", "ab"]],
    ["(?=.*ing$)[a-m]+n?g?", [], ["runs"]],
    ["(?!.*ing$).*", ["ings", "run"], ["running", "ing"]],
    ["((?=a)[ab]|(?!a)[bc])+", ["abc", "a"], ["d"]],
    ["(?=(?!a)..)(?=.(?=c)).*", ["bc", "bcd"], ["ac", "bd"]],
    ["(?!(?!a)).*", ["ab"], ["b", ""]],
    [".*(?!é|$).*", ["éa", "a"], ["", "é"]],
    ["(?:(?=.*b)a|b)*", ["aab", "ab", "b", ""], ["aba", "a"]],
    ["(?=a){2}ab?", ["a", "ab"], ["b"]],
  ])("%s matches %j and not %j", (pattern, matching, others) => {
    const compiled = compilePattern(pattern);
    for (const value of matching) expect(compiled.matches(value), `${pattern} on ${value}`).toBe(true);
    for (const value of others) expect(compiled.matches(value), `${pattern} on ${value}`).toBe(false);
  });

  it.each<[pattern: string, offset: number, message: RegExp]>([
    ["ab)", 2, /without its "\("/],
    ["a(b(c)", 1, /without its "\)"/],
    ["a[bc", 1, /without its "\]"/],
    ["a[", 1, /without its "\]"/],
    ["a[\\", 1, /without its "\]"/],
    ["*a", 0, /nothing to repeat/],
    ["a|+b", 2, /nothing to repeat/],
    ["(?:{2})", 3, /nothing to repeat/],
    ["ab**", 3, /behind a quantifier/],
    ["a{2}{3}", 4, /behind a quantifier/],
    ["a^*", 1, /anchor cannot be repeated/],
    ["ab{3,2}", 2, /first number is the larger/],
    ["a\\", 1, /backslash at the end/],
    ["ab\\q", 2, /unknown escape \\q/],
    ["[a\\q]", 2, /unknown escape \\q/],
    ["\\01", 0, /unknown escape \\0/],
    ["a\\p{Foo}", 1, /no Unicode property "Foo"/],
    ["a\\p", 1, /needs a property/],
    ["\\xg0", 0, /hexadecimal/],
    ["\\x{110000}", 0, /10FFFF/],
    ["a\\u12", 1, /hexadecimal/],
    ["x[z-a]", 2, /wrong order/],
    ["[[:foo:]]", 1, /no class \[:foo:\]/],
    ["[[=a=]]", 1, /collating/],
    ["(a)\\2", 3, /\\2 refers to a group that is not there: it has one group/],
    ["\\1", 0, /no groups/],
    ["\\k<x>", 0, /no group is named "x"/],
    ["\\kx", 0, /needs the name/],
    ["(?<x>a)(?<x>b)", 7, /second group named "x"/],
    ["a(?<=b)", 1, /lookbehind is not supported/],
    ["a(?<!b)", 1, /lookbehind is not supported/],
    ["a\\bb", 1, /\\b is not supported/],
    ["(?>a)", 0, /atomic groups/],
    ["(?*a)", 0, /unknown kind of group/],
    ["(?mi)a", 2, /no flag m/],
    ["(?#a", 0, /comment/],
    ["\\Qa\\E", 0, /unknown escape \\Q/],
  ])("%s is refused at %i", (pattern, offset, message) => {
    const error = failure(pattern);
    expect(error.message).toMatch(message);
    expect(error.code).toBe("bad_pattern");
    expect(error.offset).toBe(offset);
  });

  it("is refused when it is too large, and the limit is named", () => {
    for (const [pattern, limit] of [
      ["(a{1000}){1000}", "automatonNodesMax"],
      ["((a{100}){100}){1000}", "automatonNodesMax"],
      ["((a?b?){1000}){1000}", "automatonNodesMax"],
      ["a{100001}", "repeatMax"],
      ["a{99999999999999999999}", "repeatMax"],
      [`${"(".repeat(10_000)}a${")".repeat(10_000)}`, "groupDepthMax"],
      ["(?=".repeat(10_000), "groupDepthMax"],
    ]) {
      const error = failure(pattern);
      expect(error.code, pattern.slice(0, 30)).toBe("pattern_too_large");
      expect(error.message).toContain(`limit ${limit}`);
    }
  });

  it("may have groups in groups up to the limit", () => {
    const compiled = compilePattern(`${"(?=(".repeat(200)}a.*${"))".repeat(200)}.b`);
    expect(compiled.matches("ab")).toBe(true);
    expect(compiled.matches("bb")).toBe(false);
  });

  it("becomes a tree with text in one piece", () => {
    expect(parsePattern("ab(c|d)e")).toEqual<PatternNode>({
      kind: "sequence",
      items: [
        { kind: "literal", text: "ab", ignoreCase: false },
        {
          kind: "group",
          number: 1,
          item: {
            kind: "alternation",
            items: [
              { kind: "literal", text: "c", ignoreCase: false },
              { kind: "literal", text: "d", ignoreCase: false },
            ],
          },
        },
        { kind: "literal", text: "e", ignoreCase: false },
      ],
    });
  });

  it("matches nothing with half a surrogate pair, and everything without one", () => {
    expect(compilePattern("a\ud800").matches("a\ufffd")).toBe(false);
    expect(compilePattern("\\uD800").matches("\ufffd")).toBe(false);
    expect(compilePattern("(?i)\ud800").matches("\ufffd")).toBe(false);
    expect(compilePattern("[\ud800-\udfff]").matches("\ufffd")).toBe(false);
    expect(compilePattern("[^\ud800]").matches("a")).toBe(true);
    expect(compilePattern("[\\uD800-\\uE000]").matches("\ue000")).toBe(true);
  });
});

describe("case variants", () => {
  it("are those of JavaScript's expressions that ignore case", () => {
    const cased = classSet("\\p{Changes_When_Casemapped}");
    const codes: number[] = [];
    for (let i = 0; i < cased.length; i += 2)
      for (let code = cased[i]; code <= cased[i + 1]; code++) codes.push(code);
    const text = codes.map((code) => String.fromCodePoint(code)).join("");
    const wrong: string[] = [];
    for (const code of codes) {
      const engine = [...text.matchAll(new RegExp(`\\u{${code.toString(16)}}`, "giu"))].map(
        ([found]) => found.codePointAt(0)!,
      );
      if (engine.join() !== caseVariants(code).join())
        wrong.push(`${code.toString(16)}: ${engine} ${caseVariants(code)}`);
    }
    expect(wrong).toEqual([]);
    expect(codes.length).toBeGreaterThan(2500);
    expect(hasCode(cased, 0x61)).toBe(true);
  });
});
