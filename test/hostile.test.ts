/**
 * Queries that mean harm, from their text to their answer, over a small corpus with hostile values and one with
 * 200,000 different words: each ends soon, with an answer or with an error that has a code. The times are generous;
 * they are there to catch what grows exponentially.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAll } from "../ql/index.js";
import { encodeCorpus, openCorpus, type Snapshot } from "../storage/index.js";

const typesCount = 200_000;
const secondsMax = 30;

type Corpus = "small" | "large";

interface Hostile {
  name: string;
  query: string;
  /** How many hits it has, in either corpus, where it is not an error. */
  hits?: Partial<Record<Corpus, number>>;
  /** Errors that it may end in. An error is the only right answer where there are no hits above. */
  codes?: string[];
  lists?: Record<string, string[]>;
}

const longA = "a".repeat(3_000);
const small = [
  "a",
  "b",
  "aab",
  `${"a".repeat(40)}c`,
  `${longA}c`,
  longA,
  "x",
  "abab",
  "nul\u0000nul",
  "\ufffd",
  "😀",
  "(",
  '"',
  "\\",
];
const isLong = (word: string) => [...word].length >= 2_000;
const tooMuch = ["pattern_too_large", "pattern_too_costly"];

const patterns: Hostile[] = [
  { name: "repeats in repeats", query: '[word="(a+)+b"]', hits: { small: 1, large: 0 } },
  { name: "repeats of anything", query: '[word="(.*)*x"]', hits: { small: 1, large: 0 } },
  { name: "repeats of alternatives", query: '[word="(a|a|aa)*c"]', hits: { small: 2, large: 0 } },
  { name: "deeper repeats", query: '[word="((((a*)*)*)*)*c"]', hits: { small: 2, large: 0 } },
  { name: "lookaheads with repeats", query: '[word="(?=(a+)+b)(a+)+c"]', hits: { small: 0, large: 0 } },
  {
    name: "large counts around a star",
    query: '[word=".{1000}.*.{1000}"]',
    hits: { small: small.filter(isLong).length, large: 0 },
    codes: tooMuch,
  },
  { name: "counts in counts", query: '[word="((a{1,100}){1,100}){1,100}"]', codes: tooMuch, hits: {} },
  { name: "a count over the limit", query: '[word="a{1000000}"]', codes: tooMuch },
  {
    name: "a large window before the end",
    query: '[word=".*a.{500}"]',
    hits: { small: 2, large: 0 },
    codes: tooMuch,
  },
  {
    name: "100,000 alternatives",
    query: `[word="${Array.from({ length: 100_000 }, (_, i) => `w${i}`).join("|")}"]`,
    hits: { small: 0, large: 100_000 },
  },
  {
    name: "100,000 alternatives that are patterns",
    query: `[word="${Array.from({ length: 100_000 }, (_, i) => `w${i}x?`).join("|")}"]`,
    hits: { small: 0, large: 100_000 },
    codes: tooMuch,
  },
  {
    name: "groups 10,000 deep",
    query: `[word="${"(".repeat(10_000)}a${")".repeat(10_000)}"]`,
    codes: ["pattern_too_large"],
  },
  {
    name: "lookaheads 10,000 deep",
    query: `[word="${"(?=".repeat(10_000)}a${")".repeat(10_000)}.*"]`,
    codes: ["pattern_too_large"],
  },
  { name: "a class that never ends", query: '[word="[a-"]', codes: ["bad_pattern"] },
  { name: "a class that runs backwards", query: '[word="[z-a]"]', codes: ["bad_pattern"] },
  { name: "a group that never ends", query: '[word="(a"]', codes: ["bad_pattern"] },
  { name: "nothing to repeat", query: '[word="*a"]', codes: ["bad_pattern"] },
  { name: "NUL in a pattern", query: '[word="nul\u0000.*"]', hits: { small: 1, large: 0 } },
  { name: "NUL as an escape", query: '[word="nul\\x00nul"]', hits: { small: 1, large: 0 } },
  { name: "NUL in a literal", query: '[word=="nul\u0000nul"]', hits: { small: 1, large: 0 } },
  {
    name: "half a character in a pattern",
    query: '[word="\ud83d"]',
    hits: { small: 0, large: 0 },
    codes: ["bad_pattern"],
  },
  {
    name: "half a character in a class",
    query: '[word="[\ud83d\ue000]"]',
    hits: { small: 0, large: 0 },
    codes: ["bad_pattern"],
  },
  {
    name: "half a character in a literal",
    query: '[word=="\ude00"]',
    hits: { small: 0, large: 0 },
  },
  {
    name: "half a character in order",
    query: '[word>="\ud83d" & word<"\ud83d"]',
    hits: { small: 0, large: 0 },
  },
  { name: "a backreference", query: '[word="(.)(.)\\1\\2"]', hits: { small: 1, large: 0 } },
  {
    name: "a backreference that takes for ever",
    query: '[word="(.*)*(a+)+(a*)\\2\\3b"]',
    hits: {},
    codes: ["pattern_timeout", ...tooMuch],
  },
  { name: "a backreference to nothing", query: '[word="\\1(a)"]', hits: {}, codes: ["bad_pattern"] },
];

const inBrackets = (depth: number, inside: string) => `${"(".repeat(depth)}${inside}${")".repeat(depth)}`;
const limits = [
  "pattern_too_large",
  "too_many_derivations",
  "too_deep",
  "limit_exceeded",
  "pattern_too_costly",
];

const queries: Hostile[] = [
  { name: "brackets 10,000 deep", query: inBrackets(10_000, "[]"), codes: ["too_deep"] },
  { name: "brackets that are never closed", query: "(".repeat(10_000), codes: ["unbalanced", "too_deep"] },
  { name: "conditions 10,000 deep", query: `[${inBrackets(10_000, 'word="a"')}]`, codes: ["too_deep"] },
  { name: "10,000 negations", query: `[${"!".repeat(10_000)} word="a"]`, codes: ["too_deep"], hits: {} },
  {
    name: "10,000 conditions",
    query: `[${Array.from({ length: 10_000 }, (_, i) => `word!="zz${i}"`).join(" & ")}]`,
    hits: { small: small.length, large: typesCount },
    codes: limits,
  },
  {
    name: "1,000 tokens in a row",
    query: Array.from({ length: 1_000 }, () => "[]").join(" "),
    hits: { small: 0, large: typesCount - 999 },
    codes: limits,
  },
  { name: "text over the limit", query: `[word="${"a".repeat(3 << 20)}"]`, codes: ["too_long"] },
  {
    name: "repeats in repeats",
    query: '(([word="a"]*)*)* [word="b"]',
    hits: { small: 2, large: 0 },
    codes: limits,
  },
  {
    name: "optional tokens in a row",
    query: `${"[]? ".repeat(300)}[word="zzz"]`,
    hits: { small: 0, large: 0 },
  },
  {
    name: "counts in counts",
    query: '(([]{1,1000}){1,1000}){1,1000} [word="zzz"]',
    hits: { small: 0, large: 0 },
    codes: limits,
  },
  {
    name: "labels in repeats in repeats",
    query: "(a:[] | b:[] | []*)* c:[] & a.word = b.word & b.word = c.word & distance(a,c) = -1",
    hits: {},
    codes: limits,
  },
  { name: "a window without end", query: '(meet "a" "b" -9000000000 9000000000)', hits: {}, codes: limits },
  { name: "a list of a million words", query: "[word=$many]", hits: { small: 0, large: typesCount } },
];
queries[queries.length - 1].lists = { many: Array.from({ length: 1_000_000 }, (_, i) => `w${i}`) };

let folder = "";
const snapshots = {} as Record<Corpus, Snapshot>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-hostile-"));
  const words = { small, large: Array.from({ length: typesCount }, (_, i) => `w${i}`) };
  for (const corpus of ["small", "large"] as const) {
    const path = join(folder, `${corpus}.vert`);
    writeFileSync(path, `<doc>\n${words[corpus].join("\n")}\n</doc>\n`);
    await encodeCorpus({ data: folder, corpus, inputs: [path], attributes: ["word"], workers: 1 });
    snapshots[corpus] = openCorpus({ data: folder, corpus });
  }
});
afterAll(async () => {
  for (const snapshot of Object.values(snapshots)) await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["small", "large"] as const)("over the %s corpus", (corpus) => {
  it.each(patterns)("a pattern ends soon: $name", (hostile) => check(corpus, hostile));
  it.each(queries)("a query ends soon: $name", (hostile) => check(corpus, hostile));
});

function check(corpus: Corpus, { query, hits, codes = [], lists }: Hostile): void {
  const start = performance.now();
  const { count, code } = answer(corpus, query, lists);
  expect(performance.now() - start).toBeLessThan(secondsMax * 1_000);
  if (code !== undefined) expect(codes).toContain(code);
  else {
    expect(hits, `an answer of ${count} hits instead of ${codes.join(" or ")}`).toBeDefined();
    const wanted = hits?.[corpus];
    if (wanted !== undefined) expect(count).toBe(wanted);
  }
}

function answer(
  corpus: Corpus,
  query: string,
  lists?: Record<string, string[]>,
): { count?: number; code?: string } {
  try {
    return { count: findAll(snapshots[corpus], query, { lists }).count };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // Anything without a code of ours is a bug, a RangeError of the stack among them.
    if (!code) throw error;
    expect(message.length).toBeLessThan(2_000);
    return { code };
  }
}
