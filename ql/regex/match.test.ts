import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { sortedStrings } from "./fold.js";
import { IdCollector } from "./ids.js";
import { regexLimits } from "./limits.js";
import { StringTable } from "./literal.js";
import { type CompiledPattern, compilePattern } from "./match.js";
import { scanBackwards, scanForwards } from "./scan.js";
import type { SortedStrings } from "./strings.js";

const usual = { ...regexLimits };
const setLimits = (limits: Partial<Record<keyof typeof regexLimits, number>>) =>
  Object.assign(regexLimits, limits);
afterEach(() => setLimits(usual));

const alphabet = ["a", "b", "c", "é", "ß", "ſ", "A", "日", "😀"];
const character = fc.constantFrom(...alphabet);

/**
 * Patterns that mean the same here and in JavaScript with the flags u and s. (Not v: some engines negate a class in a
 * repeat twice.)
 */
const patterns = fc.letrec<Record<"alternation" | "sequence" | "item" | "atom", string>>((tie) => ({
  alternation: fc
    .array(tie("sequence"), { minLength: 1, maxLength: 3, depthIdentifier: "pattern" })
    .map((items) => items.join("|")),
  sequence: fc
    .array(tie("item"), { maxLength: 4, depthIdentifier: "pattern" })
    .map((items) => items.join("")),
  item: fc
    .tuple(
      tie("atom"),
      fc.constantFrom("", "", "", "", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?"),
    )
    .map(([atom, quantifier]) => (/^\(\?[=!]/.test(atom) ? atom : atom + quantifier)),
  atom: fc.oneof(
    { maxDepth: 4, depthIdentifier: "pattern" },
    fc.oneof(
      character,
      fc.constantFrom(".", "(?:.*)", "\\p{Lu}", "[^\\p{Lu}]", "\\p{L}", "[^\\p{Ll}]", "\\d"),
      fc
        .tuple(fc.constantFrom("", "^"), character, fc.constantFrom("", "b-z", "😀"))
        .map(([negation, one, more]) => `[${negation}${one}${more}]`),
    ),
    tie("alternation").map((inner) => `(?:${inner})`),
    tie("alternation").map((inner) => `(${inner})`),
    fc
      .tuple(
        fc.constantFrom("?=", "?!"),
        fc.constantFrom("", "", "^"),
        tie("alternation"),
        fc.constantFrom("", "$"),
      )
      .map(([kind, start, inner, end]) => `(${kind}${start}${inner}${end})`),
  ),
}));

const values = fc.uniqueArray(fc.string({ unit: character, maxLength: 7 }), { minLength: 1, maxLength: 40 });

function sorted(strings: string[]): { strings: string[]; coded: SortedStrings } {
  const buffers = strings.map((string) => Buffer.from(string)).sort(Buffer.compare);
  return { strings: buffers.map(String), coded: sortedStrings(buffers) };
}

type Scan = (coded: SortedStrings, found: IdCollector) => void;

function matchesOf(strings: string[], coded: SortedStrings, scan: Scan): string[] {
  const found = new IdCollector();
  scan(coded, found);
  return [...found.finish(coded.count).ids].map((id) => strings[id]);
}

/** What the pattern finds in every way it can be run. */
function everyWay(
  compiled: CompiledPattern,
  strings: string[],
  coded: SortedStrings,
): Record<string, string[]> {
  const { count } = coded;
  const either = (done: number, found: IdCollector) =>
    scanBackwards(coded, done, count, compiled.backward, found);
  return {
    "one by one": strings.filter((string) => compiled.matches(string)),
    "byte by byte": strings.filter((string) => compiled.matches(Buffer.from(string))),
    forwards: matchesOf(strings, coded, (_, found) =>
      either(scanForwards(coded, 0, count, compiled.forward, found), found),
    ),
    backwards: matchesOf(strings, coded, (_, found) => either(0, found)),
    "as planned": matchesOf(strings, coded, (_, found) => compiled.scan(coded, found)),
    ...(compiled.strings && { listed: strings.filter((string) => compiled.strings!.includes(string)) }),
  };
}

function agreesWithJavaScript(runs: number): void {
  fc.assert(
    fc.property(patterns.alternation, fc.boolean(), values, (pattern, ignoreCase, given) => {
      const engine = new RegExp(`^(?:${pattern})$`, ignoreCase ? "usi" : "us");
      const { strings, coded } = sorted(given);
      const expected = strings.filter((string) => engine.test(string));
      const compiled = compilePattern(pattern, { ignoreCase });
      for (const [way, found] of Object.entries(everyWay(compiled, strings, coded))) {
        expect(found, way).toEqual(expected);
      }
    }),
    { numRuns: runs },
  );
}

describe("a compiled pattern", () => {
  it("matches what JavaScript's engine matches, forwards and backwards", () => {
    agreesWithJavaScript(300);
  });

  it("does so when it has to forget its states all the time", () => {
    setLimits({ stateBytesMax: 10_000, flushesMax: 20 });
    agreesWithJavaScript(60);
  });

  it("does so when it gives up keeping states", () => {
    setLimits({ stateBytesMax: 1000, flushesMax: 1 });
    agreesWithJavaScript(60);
    setLimits({ ...usual, pendingConfigurationsMax: 1 });
    agreesWithJavaScript(60);
  });

  it("decides about strings by the thousand as one by one", () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const words = new Set<string>();
    while (words.size < 5000) {
      words.add(Array.from({ length: 1 + random(9) }, () => "abcdeé"[random(6)]).join(""));
    }
    const { strings, coded } = sorted([...words, "", "b".repeat(300), `${"b".repeat(300)}a`]);
    for (const pattern of [
      "a.*",
      "ab.*",
      "[bc]d?.*e",
      "(a|bb|ccc).*",
      ".*ab",
      ".*[de]",
      ".*abc.*",
      ".*abcd.*e",
      ".*a.*",
      ".{3}",
      ".*",
      "b+a?",
      "(?!a).*b",
      "[^a-d].*",
      "x.*",
      ".*x",
    ]) {
      const compiled = compilePattern(pattern);
      const engine = new RegExp(`^(?:${pattern})$`, "u");
      const expected = strings.filter((string) => engine.test(string));
      for (const [way, found] of Object.entries(everyWay(compiled, strings, coded))) {
        expect(found.length, `${pattern} ${way}`).toBe(expected.length);
        expect(found, `${pattern} ${way}`).toEqual(expected);
      }
    }
  });

  it("reads strings in the way that suits it", () => {
    const plans = { ".*ing": "backwards", ".*phosph.*": "inside", "un.*able": "forwards", "a|b": "lookup" };
    for (const [pattern, plan] of Object.entries(plans)) expect(compilePattern(pattern).plan).toBe(plan);
  });

  it("lists the strings it stands for, where it can", () => {
    const listed = (pattern: string) => compilePattern(pattern).strings;
    expect(listed("mouse|rat|fly")).toEqual(["mouse", "rat", "fly"]);
    expect(listed("(un|re)(do|tie)s?")?.length).toBe(8);
    expect(listed("^a$")).toEqual(["a"]);
    expect(listed("(?i)ab")?.toSorted()).toEqual(["AB", "Ab", "aB", "ab"]);
    expect(listed("a{3}")).toEqual(["aaa"]);
    expect(listed("[^\\s\\S]")).toEqual([]);
    expect(listed("a+")).toBeUndefined();
    expect(listed("(?=a)a")).toBeUndefined();
    expect(listed("(?i)international")).toBeUndefined();
  });
});

describe("a hostile pattern", () => {
  /** Steps, not time: a step is a node that is visited on the way to a new state. */
  const stepsOf = (pattern: string, ...strings: string[]) => {
    const compiled = compilePattern(pattern);
    let steps = 0;
    for (const string of strings) {
      compiled.matches(string);
      steps += compiled.effort.visits;
    }
    return steps;
  };

  it.each([
    "(a+)+b",
    "(a*)*b",
    "(a|a)*b",
    "(a|aa)+b",
    "(.*)*x",
    "(.*)*(.*)*(.*)*x",
    "(?:a?){30}a{30}b",
    "(?=(a+)+b)(a+)+c",
    "(?!(a*)*b)(a|aa)*c",
    "((?=a*b)a|(?!a*c)a)*d",
  ])("%s takes steps in proportion to the string at most", (pattern) => {
    const short = stepsOf(pattern, "a".repeat(1000));
    const long = stepsOf(pattern, "a".repeat(10_000));
    expect(short).toBeLessThan(100_000);
    expect(long).toBeLessThan(Math.max(short, 1000) * 15);
  });

  it("with large gaps works", () => {
    const compiled = compilePattern(".{1000}.*.{1000}");
    expect(compiled.matches("é".repeat(1999))).toBe(false);
    expect(compiled.matches("é".repeat(2000))).toBe(true);
    expect(compiled.matches("a".repeat(5000))).toBe(true);
    expect(compiled.effort.visits).toBeLessThan(50_000_000);
  });

  it("with more states than can be kept still takes steps in proportion", () => {
    const compiled = compilePattern(".*a.{25}b?.*c.{25}");
    let seed = 1;
    const string = Array.from({ length: 100_000 }, () => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return "abc"[(seed >> 8) % 3];
    }).join("");
    const tail = "b".repeat(25);
    expect(compiled.matches(`${string}c${tail}`)).toBe(true);
    expect(compiled.forward.gaveUp).toBe(true);
    expect(compiled.matches(`${string}b${tail}`)).toBe(false);
    expect(compiled.effort.visits).toBeLessThan(100_000_000);
  });

  it("with many alternatives works, listed or not", () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `word${(i * 7919) % 100_003}longer`);
    const list = compilePattern(words.join("|"));
    expect(list.strings?.length).toBe(100_000);
    expect(list.matches(words[77])).toBe(true);
    expect(list.matches("word")).toBe(false);
    const automaton = compilePattern(`(?:${words.join("|")}).`);
    expect(automaton.strings).toBeUndefined();
    expect(automaton.matches(`${words[99_999]}é`)).toBe(true);
    expect(automaton.matches(words[99_999])).toBe(false);
    const inside = compilePattern(`.*(?:${words.join("|")}).*`);
    expect(inside.matches(`aword1w${words[5]}b`)).toBe(true);
    expect(inside.matches("aword1w")).toBe(false);
    const unshared = compilePattern(
      words
        .slice(0, 20_000)
        .map((word) => `${word}+`)
        .join("|"),
    );
    expect(unshared.matches(`${words[19_999]}rrr`)).toBe(true);
    expect(unshared.matches("word")).toBe(false);
  });

  it("with a million words is a list", () => {
    const words = Array.from({ length: 1_000_000 }, (_, i) => `word${i}`);
    const compiled = compilePattern(words.join("|"));
    expect(compiled.strings?.length).toBe(1_000_000);
    expect(compiled.matches("word999999")).toBe(true);
    expect(compiled.matches("word1000000")).toBe(false);
  });

  it("with NUL, controls or nothing at all works", () => {
    expect(compilePattern("\0").matches("\0")).toBe(true);
    expect(compilePattern("[\0-\x1f]+").matches("\0\x01\x1f")).toBe(true);
    expect(compilePattern("\\0+.").matches("\0\0a")).toBe(true);
    expect(compilePattern("()").matches("")).toBe(true);
    expect(compilePattern("(|)*").matches("")).toBe(true);
    expect(compilePattern("(()*)*").matches("a")).toBe(false);
    expect(compilePattern("[^\\s\\S]*").matches("")).toBe(true);
  });

  it("that takes too many steps ends in an error", () => {
    setLimits({ visitsMax: 1000 });
    const compiled = compilePattern("(a?b?c?){200}");
    const act = () => compiled.matches("abc".repeat(50));
    expect(act).toThrow(/takes too many steps.*visitsMax/);
    setLimits(usual);
    expect(act()).toBe(true);
  });

  it("can be interrupted at a checkpoint", () => {
    const compiled = compilePattern("(?:a?b?c?){2000}x");
    const checkpoint = () => {
      throw new Error("enough");
    };
    expect(() => compiled.matches("abc".repeat(100), { checkpoint })).toThrow("enough");
  });
});

describe("a table of strings", () => {
  it("has exactly the strings it was made of", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.string()), (strings, others) => {
        const table = new StringTable(strings);
        for (const string of [...strings, ...others]) {
          const bytes = Buffer.from(string);
          expect(table.has(bytes, 0, bytes.length)).toBe(strings.includes(string));
        }
      }),
      { numRuns: 200 },
    );
  });
});
