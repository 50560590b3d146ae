/** Examples: what is measured, what formulas mean, and what is wrong with them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus } from "../../storage/index.js";
import { Desk } from "../desk.js";
import { defaultFormula, scoreExamples } from "./examples.js";
import { type FormulaError, parseFormula } from "./examples-formula.js";
import { type Hits, pick } from "./hits.js";
import { collect } from "./run.js";

const sentences = [
  "The old cat sleeps on the warm roof of our house every day .",
  "He sleeps on the warm roof of our house every single day too .",
  "the cat sleeps",
  "The cat paid $5 @ home in 1999 to NASA and went home again .",
  'He said : " The cat sleeps on the roof of our old house . "',
  `The ${"cat and the ".repeat(400)} cat .`,
  "Antidisestablishmentarianism bores the cat on the roof of our old house .",
];

let folder = "";
let desk: Desk;
let plain: Desk;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-examples-"));
  const tokens = (text: string) => text.split(" ").join("\n");
  const text = `<doc>\n${sentences.map((one) => `<s>\n${tokens(one)}\n</s>\n`).join("")}cat\n</doc>\n`;
  const file = join(folder, "text.vert");
  writeFileSync(file, text);
  const shared = { data: folder, inputs: [file], attributes: ["word"], workers: 1 };
  await encodeCorpus({ ...shared, corpus: "tiny", segmentBytes: 100 });
  writeFileSync(file, `${tokens(sentences[0])}\n`);
  await encodeCorpus({ ...shared, corpus: "plain", document: "" });
  desk = Desk.open({ data: folder, corpus: "tiny" });
  plain = Desk.open({ data: folder, corpus: "plain" });
});

afterAll(async () => {
  await desk.close();
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a formula gives for the first match in each sentence, as points. */
async function points(formula: string, blacklist?: string[]): Promise<number[]> {
  const { hits } = await collect(desk, [
    { step: "query", query: '[word="(?i)cat|sleeps"]' },
    { step: "first", structure: "s" },
  ]);
  const scores = await scoreExamples(desk, hits, { step: "examples", formula, blacklist });
  return [...scores].map((score) => Number((score * 100).toFixed(6)));
}

describe("what is measured of a sentence", () => {
  it.each([
    ["length", [14, 14, 3, 15, 16, 0, 12]],
    ["words", [13, 13, 3, 13, 12, 0, 11]],
    ["digits", [0, 0, 0, 2, 0, 0, 0]],
    ["symbols", [0, 0, 0, 2, 0, 0, 0]],
    ["capitals", [0, 0, 0, 1, 0, 0, 0]],
    ["longest", [6, 6, 6, 5, 6, 0, 28]],
    ["anaphora", [0, 1, 0, 0, 1, 0, 0]],
    ["is_whole_sentence()", [1, 1, 0, 1, 1, 0, 1]],
    ["long_words(6)", [0, 0, 0, 0, 0, 0, 1]],
    ["blacklist", [0, 1, 0, 0, 1, 0, 0]],
    ['begins_with("THE", "antidisestablishmentarianism")', [1, 0, 1, 1, 0, 0, 1]],
    ['contains("cat", "roof")', [2, 1, 1, 1, 2, 0, 2]],
    ["node", [1, 1, 1, 1, 1, 0, 1]],
    ["100 * position * (length - 1) / 100", [2, 1, 1, 1, 5, 0, 3]],
    ["100 * (rare(1000000) == words - 1) / 100", [1, 1, 1, 1, 1, 0, 1]],
    ["rarest > 1", [1, 1, 1, 1, 1, 0, 1]],
  ])("%s", async (formula, expected) => {
    expect(await points(formula, ["he", "dog"])).toEqual(expected);
  });

  it("counts words that are rare in the corpus, whatever their case, but not the match itself", async () => {
    const tokens = desk.snapshot.tokens;
    const millionth = 1e6 / tokens;
    // "Antidis…" and "bores" occur once; "The" is as frequent as "the".
    expect((await points(`rare(${1.5 * millionth})`))[6]).toBe(2);
    expect((await points(`rare(${1.5 * millionth})`))[2]).toBe(0);
  });

  it("is nothing for hits outside, or in what is too long to be an example", async () => {
    const { hits } = await collect(desk, [{ step: "query", query: '"cat"' }]);
    const scores = await scoreExamples(desk, hits, { step: "examples", formula: "100" });
    const tooLong = 400 + 1;
    expect(scores.filter((score) => score === 0)).toHaveLength(tooLong + 1);
    expect(scores[hits.count - 1]).toBe(0);
  });

  it("is of some tokens around a hit where there are no sentences", async () => {
    const { hits } = await collect(plain, [{ step: "query", query: '"sleeps"' }]);
    const score = async (formula: string) =>
      (await scoreExamples(plain, hits, { step: "examples", formula }))[0] * 100;
    expect(await score("length")).toBeCloseTo(14);
    expect(await score("1 - is_whole_sentence()")).toBe(1);
    await expect(scoreExamples(plain, hits, { step: "examples", structure: "s" })).rejects.toThrow(
      /no structure "s"/,
    );
  });

  it("does not depend on the order of the hits", async () => {
    const { hits } = await collect(desk, [{ step: "query", query: "[]" }]);
    const scores = await scoreExamples(desk, hits, { step: "examples" });
    const order = fc.sample(fc.shuffledSubarray([...scores.keys()], { minLength: hits.count }), {
      numRuns: 1,
      seed: 5,
    })[0];
    const shuffled: Hits = pick(hits, Uint32Array.from(order), false);
    expect([...(await scoreExamples(desk, shuffled, { step: "examples" }))]).toEqual(
      order.map((i) => scores[i]),
    );
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });
});

describe("examples of a chain", () => {
  it("come best first, and as many as are wanted", async () => {
    const { hits } = await collect(desk, [
      { step: "query", query: '"sleeps"' },
      { step: "examples", count: 2 },
    ]);
    // Whole sentences; the one that does not begin with a pronoun first.
    expect([...hits.begins]).toEqual([3, 15]);
  });

  it("are refused before anything is searched for if the formula is wrong", async () => {
    await expect(
      collect(desk, [
        { step: "query", query: '"sleeps"' },
        { step: "examples", formula: "50 *" },
      ]),
    ).rejects.toMatchObject({ code: "bad_formula", span: [4, 4] });
  });
});

describe("a formula", () => {
  const vocabulary = { measures: { x: (x: number) => x }, functions: {}, lists: {} };
  const value = (text: string, x = 0) => parseFormula(text, vocabulary)(x);

  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["2 ^ -1", 0.5],
    ["- - 2", 2],
    ["1 / 0", 0],
    [".5 + 1.25", 1.75],
    ["1 < 2", 1],
    ["2 <= 1", 0],
    ["1 + 1 == 2 and not 1 > 2", 1],
    ["0 or 3", 1],
    ["not not 3", 1],
    ["all(1, 2, 0)", 0],
    ["any(0, 2)", 1],
    ["min(3, 1, 2) + max(3, 1, 2) + abs(0 - 4)", 8],
    ["if(1 > 2, 10, 20)", 20],
    ["between(5, 5, 6) + between(7, 5, 6)", 1],
    ["optimal_interval(12, 10, 14)", 1],
    ["optimal_interval(5, 10, 14)", 0.5],
    ["optimal_interval(21, 10, 14)", 0.5],
    ["optimal_interval(40, 10, 14) + optimal_interval(-1, 0, 0)", 0],
    ["\n 1 +\t1 ", 2],
  ])("%s is %d", (text, expected) => {
    expect(value(text)).toBeCloseTo(expected, 12);
  });

  it("is about what is measured", () => {
    expect(value("x * x", 7)).toBe(49);
  });

  it("gives the same as plain arithmetic", () => {
    const { tree } = fc.letrec<{ tree: { text: string; value: number } }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.nat(9).map((n) => ({ text: String(n), value: n })),
        fc.tuple(tie("tree"), fc.constantFrom("+", "-", "*", "<", ">="), tie("tree")).map(([a, sign, b]) => ({
          text: `(${a.text} ${sign} ${b.text})`,
          value: {
            "+": a.value + b.value,
            "-": a.value - b.value,
            "*": a.value * b.value,
            "<": +(a.value < b.value),
            ">=": +(a.value >= b.value),
          }[sign]!,
        })),
      ),
    }));
    fc.assert(
      fc.property(tree, ({ text, value: expected }) => {
        expect(value(text)).toBe(expected);
      }),
    );
  });

  it.each<[string, [number, number], RegExp, string?]>([
    ["", [0, 0], /a number, a name or a bracket at character 1, where it ends/],
    ["1 +", [3, 3], /at character 4, where it ends/],
    ["(1 + 2", [6, 6], /a closing bracket at character 7/],
    ["1 2", [2, 3], /to end, or an operator at character 3, where there is "2"/],
    ["1 $ 2", [2, 3], /has "\$" at character 3/],
    ["y + 1", [0, 1], /no measure "y", at character 1 of the formula \(there are x\)/],
    ["1 + abss(x)", [4, 8], /no function "abss"/, "Did you mean abs?"],
    ["all + 1", [0, 3], /all at character 1 of the formula is a function/, "Write all(…)."],
    ["abs(1, 2)", [0, 3], /takes 1 argument, not 2/],
    ["min()", [0, 3], /takes at least 1 arguments, not 0/],
    ['"a', [0, 1], /a word that does not end at character 1/],
    ["1 < 2 < 3", [6, 7], /an operator at character 7/],
    [`${"(".repeat(1000)}1`, [200, 201], /more than 200 parts inside each other/],
    ["2^".repeat(1000), [400, 401], /more than 200 parts/],
    [" ".repeat(30_000), [20_000, 30_000], /more than 20000 characters/],
  ])("says what is wrong with it, and where: %#", (text, span, message, hint) => {
    let error: FormulaError | undefined;
    try {
      value(text);
    } catch (thrown) {
      error = thrown as FormulaError;
    }
    expect(error).toMatchObject({ code: "bad_formula", span, message: expect.stringMatching(message) });
    if (hint) expect(error!.hint).toBe(hint);
  });

  it("is one that the head of the module shows", async () => {
    expect((await points(defaultFormula))[0]).toBeGreaterThan((await points(defaultFormula))[1]);
  });
});
