import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DugongError, Pool } from "../../storage/index.js";
import { Arena } from "../../storage/kernels/arena.js";
import { Lexicon } from "../../storage/lexicon/lexicon.js";
import { writeLexicon } from "../../storage/lexicon/writer.js";
import { translate } from "./backreference.js";
import { withoutMarks, withoutMarksSet } from "./codes.js";
import { compilePattern, idsMatching, idsOfStrings, type PatternOptions, regexLimits } from "./index.js";
import { parsePattern } from "./syntax.js";

const usual = { ...regexLimits };
afterEach(() => {
  Object.assign(regexLimits, usual);
});

let folder: string;
let pool: Pool;
let arena: Arena;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-regex-"));
  pool = Pool.create(16 * 1024 * 1024);
  arena = new Arena();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A lexicon on disk; ids are given in the order of the strings, generation by generation. */
async function lexiconOf(...generations: string[][]): Promise<Lexicon> {
  const paths: string[] = [];
  let base = 0;
  for (const strings of generations) {
    const order = [...strings.keys()].sort((a, b) =>
      Buffer.compare(Buffer.from(strings[a]), Buffer.from(strings[b])),
    );
    const sorted = order.map((i) => Buffer.from(strings[i]));
    const ends = new Uint32Array(sorted.length);
    let end = 0;
    for (const [i, bytes] of sorted.entries()) ends[i] = end += bytes.length;
    const starts = Uint32Array.from(ends, (_, i) => (i === 0 ? 0 : ends[i - 1]));
    const path = join(folder, `${files++}.lexicon`);
    const heap = Buffer.concat(sorted);
    await writeLexicon(path, arena, { heap, starts, ends }, Uint32Array.from(order), base);
    paths.push(path);
    base += strings.length;
  }
  return new Lexicon(pool, { size: base, generations: paths, statistics: "" });
}

function found(lexicon: Lexicon, pattern: string, options?: PatternOptions): string[] {
  const { count, ids } = idsMatching(lexicon, compilePattern(pattern, options));
  expect(ids.length).toBe(count);
  expect(ids).toEqual(ids.slice().sort());
  return [...ids].map((id) => lexicon.string(id));
}

const words = [
  ["the", "of", "running", "sing", "DNA", "dna", "Dna", "undoable", "unable", "table", "kůň", "žluť", ""],
  ["Žluť", "zlut", "kun", "élan", "e\u0301lan", "elan", "noon", "deed", "abab", "phosphate", "Σίσυφος", "😀"],
];

describe("patterns over a lexicon", () => {
  it("find ids in all generations, ascending", async () => {
    const lexicon = await lexiconOf(...words);
    expect(found(lexicon, ".*ing")).toEqual(["running", "sing"]);
    expect(found(lexicon, "un.*able")).toEqual(["undoable", "unable"]);
    expect(found(lexicon, "(?!un).*able")).toEqual(["table"]);
    expect(found(lexicon, ".*phosph.*")).toEqual(["phosphate"]);
    expect(found(lexicon, "(?i)dna")).toEqual(["DNA", "dna", "Dna"]);
    expect(found(lexicon, "dna", { ignoreCase: true })).toEqual(["DNA", "dna", "Dna"]);
    expect(found(lexicon, "noon|the|nothing")).toEqual(["the", "noon"]);
    expect(found(lexicon, ".*")).toEqual(words.flat());
    expect(found(lexicon, "")).toEqual([""]);
    expect(found(lexicon, "\\p{Lu}.*")).toEqual(["DNA", "Dna", "Žluť", "Σίσυφος"]);
    expect(found(lexicon, "nothing.+")).toEqual([]);
  });

  it("ignore diacritics, and case too", async () => {
    const lexicon = await lexiconOf(...words);
    const marks = { ignoreDiacritics: true };
    expect(found(lexicon, "élan", marks)).toEqual(["élan", "e\u0301lan", "elan"]);
    expect(found(lexicon, "elan", marks)).toEqual(["élan", "e\u0301lan", "elan"]);
    expect(found(lexicon, "e\u0301.*", marks)).toEqual(["élan", "e\u0301lan", "elan"]);
    expect(found(lexicon, "zlut", marks)).toEqual(["žluť", "zlut"]);
    expect(found(lexicon, "ŽLUŤ", { ...marks, ignoreCase: true })).toEqual(["žluť", "Žluť", "zlut"]);
    expect(found(lexicon, "k[úů][^n]", marks)).toEqual([]);
    expect(found(lexicon, "k[úů][n]", marks)).toEqual(["kůň", "kun"]);
    expect(found(lexicon, "[^k].{3}", marks)).toEqual([
      "sing",
      "žluť",
      "Žluť",
      "zlut",
      "élan",
      "e\u0301lan",
      "elan",
      "noon",
      "deed",
      "abab",
    ]);
    expect(found(lexicon, "k\\p{M}u\\p{M}n\\p{M}", marks)).toEqual(["kůň", "kun"]);
    expect(found(lexicon, "σισυφοσ", { ...marks, ignoreCase: true })).toEqual(["Σίσυφος"]);
    expect(found(lexicon, "\\w{4}", marks)).toContain("žluť");
    expect(compilePattern("élan", marks).matches("ELAN")).toBe(false);
    expect(compilePattern("élan", marks).matches("elàn")).toBe(true);
    expect(compilePattern("élan", marks).matches(Buffer.from("elàn"))).toBe(true);
  });

  it("agree with the definition, whatever is ignored", async () => {
    const unit = fc.constantFrom("a", "á", "A", "Á", "b", "\u0301", "σ", "ς", "Σ");
    const strings = fc.uniqueArray(fc.string({ unit, maxLength: 4 }), { maxLength: 60 });
    const atom = fc.oneof(
      unit,
      fc.constantFrom(".", "[áb]", "[^á]", "(?:a|Áb)", "\\p{Lu}", "\\w", "(?=.*b)", "(?!á)"),
    );
    const pattern = fc
      .array(
        fc
          .tuple(atom, fc.constantFrom("", "", "*", "+", "?"))
          .map(([item, quantifier]) => (item.startsWith("(?") ? item : item + quantifier)),
        { maxLength: 4 },
      )
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        strings,
        strings,
        pattern,
        fc.boolean(),
        fc.boolean(),
        async (one, two, text, c, d) => {
          const second = two.filter((string) => !one.includes(string));
          const lexicon = await lexiconOf(one, second);
          const compiled = compilePattern(text, { ignoreCase: c, ignoreDiacritics: d });
          const expected = [...one, ...second].filter((string) => compiled.matches(string));
          expect([...idsMatching(lexicon, compiled).ids].map((id) => lexicon.string(id))).toEqual(expected);
          if (d) {
            // Values that differ in marks only go together.
            for (const string of expected) expect(compiled.matches(withoutMarks(string))).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are answered once, until there are too many answers", async () => {
    const lexicon = await lexiconOf(["a", "b", "ab"], ["c"]);
    const first = idsMatching(lexicon, compilePattern("a.*"));
    expect(idsMatching(lexicon, compilePattern("a.*"))).toBe(first);
    expect(idsMatching(lexicon, compilePattern("a.*", { ignoreCase: true }))).not.toBe(first);
    expect(idsMatching(await lexiconOf(["a"]), compilePattern("a.*"))).not.toBe(first);
    Object.assign(regexLimits, { resultBytesMax: 2000 });
    for (const pattern of ["b.*", "c.*", "d.*", "e.*", "f.*", "g.*", "h.*", "i.*", "k.*"]) {
      idsMatching(lexicon, compilePattern(pattern));
    }
    const again = idsMatching(lexicon, compilePattern("a.*"));
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });

  it("can be lists of strings, short or long", async () => {
    const strings = Array.from({ length: 3000 }, (_, i) => `w${i}`);
    const lexicon = await lexiconOf(strings.slice(0, 2000), strings.slice(2000));
    const wanted = ["w5", "w2999", "x", "w5", "", "w\ud800"];
    expect([...idsOfStrings(lexicon, wanted).ids]).toEqual([5, 2999]);
    const many = Array.from({ length: 5000 }, (_, i) => `w${i * 2}`);
    expect(idsOfStrings(lexicon, [...many, ...many]).count).toBe(1500);
    expect(found(lexicon, many.join("|")).length).toBe(1500);
  });

  it("are read piece by piece where a lexicon is too large to be kept decoded", async () => {
    Object.assign(regexLimits, { decodedBytesMax: 100, decodedBlocksMax: 2 });
    const strings = Array.from({ length: 500 }, (_, i) => `word${i}s`);
    const lexicon = await lexiconOf(strings);
    expect(found(lexicon, ".*9s")).toEqual(strings.filter((string) => string.endsWith("9s")));
    expect(found(lexicon, ".*word49.*")).toEqual(strings.filter((string) => string.includes("word49")));
    expect(found(lexicon, ".*(.)\\1s")).toEqual(strings.filter((string) => /(.)\1s$/.test(string)));
  });

  it("can be interrupted", async () => {
    const lexicon = await lexiconOf(["a", "b"]);
    const checkpoint = () => {
      throw new Error("enough");
    };
    for (const pattern of ["a.*", ".*b", "(.).*\\1"]) {
      expect(() => idsMatching(lexicon, compilePattern(pattern), { checkpoint })).toThrow("enough");
    }
  });

  it("find the same ids when states are forgotten or not kept", async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const strings = new Set<string>();
    while (strings.size < 2000)
      strings.add(Array.from({ length: random(30) }, () => "abé"[random(3)]).join(""));
    const lexicon = await lexiconOf([...strings]);
    for (const pattern of [".*a.{9}", "(?=.*a.{9}b)(?!.*b.{5}é).*", ".*(a.{4}|b.{6})b"]) {
      const expected = [...strings].filter((string) => new RegExp(`^(?:${pattern})$`, "u").test(string));
      for (const limits of [
        {},
        { stateBytesMax: 20_000, flushesMax: 1000 },
        { stateBytesMax: 20_000, flushesMax: 2 },
      ]) {
        Object.assign(regexLimits, usual, limits);
        const compiled = compilePattern(pattern);
        expect([...compiled.run(lexicon, {}).ids].map((id) => lexicon.string(id))).toEqual(expected);
      }
    }
  });
});

describe("a backreference", () => {
  it("finds what JavaScript's engine finds", async () => {
    const lexicon = await lexiconOf(...words);
    expect(found(lexicon, "(.)(.)\\2\\1")).toEqual(["noon", "deed"]);
    expect(found(lexicon, "(?<pair>..)\\k<pair>")).toEqual(["abab"]);
    expect(found(lexicon, "(.)(?!\\1).*\\1")).toEqual(["noon", "deed"]);
    expect(found(lexicon, "(?i)(.).*\\1")).toEqual(["noon", "deed", "Σίσυφος"]);
    expect(found(lexicon, "(k).(\\p{Ll})|(n)o\\3?o(n)", { ignoreDiacritics: true })).toEqual([
      "kůň",
      "kun",
      "noon",
    ]);
    expect(found(lexicon, "(d)(e)\\2\\1")).toEqual(["deed"]);
    expect(compilePattern("(a|b)\\1").matches("bb")).toBe(true);
    expect(compilePattern("(a|b)\\1").matches("ab")).toBe(false);
  });

  it("matches what JavaScript's engine matches on random patterns", async () => {
    const strings = [
      "",
      "a",
      "b",
      "A",
      "aa",
      "ab",
      "bb",
      "aA",
      "aba",
      "abab",
      "aab",
      "éé",
      "éaé",
      "abba",
      "baab",
    ];
    const lexicon = await lexiconOf(strings);
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "(?:a|b)",
      "\\1",
      "\\2",
      "(?=.*\\1)",
      "(?!\\2)",
      "é",
      "b*",
      ".?",
      "(?:\\1|a)*",
    );
    const pattern = fc
      .tuple(
        fc.array(piece, { maxLength: 2 }),
        fc.array(piece, { maxLength: 2 }),
        fc.array(piece, { maxLength: 3 }),
      )
      .map(([one, two, rest]) => `(${one.join("")}.?)${two.join("")}(${two.join("")}|b)?\\1${rest.join("")}`);
    fc.assert(
      fc.property(pattern, fc.boolean(), (text, ignoreCase) => {
        const engine = new RegExp(`^(?:${text})$`, ignoreCase ? "usi" : "us");
        expect(found(lexicon, text, { ignoreCase })).toEqual(strings.filter((string) => engine.test(string)));
      }),
      { numRuns: 150 },
    );
  });

  it("that takes too long ends in an error that says where, and leaves the next one alone", async () => {
    const lexicon = await lexiconOf(["caacb", `c${"a".repeat(40)}db`]);
    const compiled = compilePattern("(.)(?:(a+)+)+\\1b");
    expect(compiled.matches("caacb")).toBe(true);
    const act = () => idsMatching(lexicon, compiled, { backreferenceMs: 200 });
    let error: unknown;
    const before = performance.now();
    try {
      act();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DugongError);
    expect((error as DugongError).code).toBe("pattern_timeout");
    expect((error as DugongError).message).toMatch(
      /took longer than 200 ms; it had come to value 1 of 2, "ca+db"/,
    );
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(compiled.matches("caacb")).toBe(true);
  });

  it("that ignores case only in part is refused", () => {
    expect(() => compilePattern("(a)(?i)\\1")).toThrow(/ignores case in a pattern that elsewhere does not/);
    expect(translate(parsePattern("(?i)(a)(?-i)\\1"), false)).toEqual({
      source: "^(?:([\\u{41}\\u{61}])(?:\\1))$",
      flags: "u",
    });
  });
});

describe("a set without marks", () => {
  it("has what its members are without theirs, one character each", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code === 0xd800) code = 0xe000;
      // Everything is in the first planes; the rest has no marks.
      if (code === 0x30000) break;
      if ([...withoutMarks(String.fromCodePoint(code))].length > 1) expect(code).toBe("one character");
    }
    expect([...withoutMarksSet(Uint32Array.of(0xe9, 0xe9))]).toEqual([0x65, 0x65]);
    expect([...withoutMarksSet(Uint32Array.of(0x300, 0x301))]).toEqual([]);
    expect([...withoutMarksSet(Uint32Array.of(0x61, 0x62, 0xac00, 0xac01))]).toEqual([
      0x61, 0x62, 0xac00, 0xac01,
    ]);
  });
});

describe("a list of many words", () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}`);
  const over = new Error("nobody wants it any more");
  /** Throws at the given look. */
  const endingAt = (last: number) => {
    let looks = 0;
    return () => {
      if (++looks === last) throw over;
    };
  };

  it("can be ended while it is read", () => {
    for (const last of [1, 10, 20, 40])
      expect(() => compilePattern(words.join("|"), {}, endingAt(last))).toThrow(over);
  });

  it("can be ended while it is looked up, one by one or in one pass", async () => {
    const [small, large] = [await lexiconOf(["a", "w1"]), await lexiconOf(words)];
    const few = words.slice(0, 690);
    for (const [lexicon, strings] of [
      [small, words],
      [large, words],
      [large, [...few, ...few]],
    ] as const)
      expect(() => idsOfStrings(lexicon, strings.concat(words), endingAt(2))).toThrow(over);
    expect(idsOfStrings(large, words).count).toBe(words.length);
  });
});
