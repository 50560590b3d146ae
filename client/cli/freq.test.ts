/** `dugong freq` as a shell sees it: what it prints, and how it ends. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder = "";

function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
}

async function freq(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("freq", "tiny", ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function json(...args: string[]) {
  const stdout = await freq(...args, "--json");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(stdout);
}

/** Twelve tokens: years 1990, 1991, 1995 with 1, 2 and 3 dogs of four tokens each. */
const tiny = [
  ["1990", "dog", "Cat", "cat", "cow"],
  ["1991", "Dog", "dog", "cat", "cow"],
  ["1995", "dog", "dog", "dog", "cow"],
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-freq-"));
  const lines = tiny.flatMap(([year, ...words]) => [`<doc year="${year}">`, ...words, "</doc>"]);
  writeFileSync(join(folder, "tiny.vert"), `${lines.join("\n")}\n`);
  const { code, stderr } = await run("encode", "tiny", "tiny.vert", "--attributes", "word");
  expect(code, stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dogs = '[word="(?i)dog"]';

describe("dugong freq", () => {
  it("gives programs a list by keys, the most frequent first", async () => {
    expect(await json(dogs, "--by", "word 0")).toEqual({
      hits: 6,
      tokens: 12,
      perMillion: 500_000,
      documents: 3,
      by: ["word 0"],
      rows: [
        { values: ["dog"], count: 5, perMillion: expect.closeTo(5e6 / 12, 6), documents: 3 },
        { values: ["Dog"], count: 1, perMillion: expect.closeTo(1e6 / 12, 6), documents: 1 },
      ],
      rowsTotal: 2,
      rowsAll: 2,
      corpus: "tiny@1",
    });
    const { rows } = await json(dogs, "--by", "word/i 0, doc.year", "--order", "value", "--falling");
    expect(rows.map(({ values, count }: { values: string[]; count: number }) => [...values, count])).toEqual([
      ["dog", "1995", 3],
      ["dog", "1991", 2],
      ["dog", "1990", 1],
    ]);
    expect(rows[0]).toMatchObject({ textTypeTokens: 4, perMillion: 750_000, density: 150 });
  });

  it("gives people a table, and says how much of it", async () => {
    expect(await freq("[]", "--by", "word/i 0", "--limit", "1", "--from", "1")).toBe(
      [
        "word/i 0  count  per million  documents",
        "cat           3   250,000.00          2",
        "12 matches in tiny@1; 3 rows, 2 to 2 shown",
        "",
      ].join("\n"),
    );
  });

  it("gives totals without keys", async () => {
    expect(await json(dogs)).toMatchObject({ hits: 6, documents: 3, parts: { kind: "documents", count: 3 } });
    expect(await json(dogs, "--parts", "2")).toMatchObject({ parts: { kind: "equal", count: 2 } });
    expect(await freq(dogs)).toMatch(/^matches +6\n.*ARF +\d\.\d{3}\n.*in tiny@1, 12 tokens/s);
  });

  it("measures every row if asked to", async () => {
    const { rows, arf } = await json(dogs, "--by", "word 0", "--dispersion");
    expect(rows[0]).toEqual(expect.objectContaining({ dp: expect.any(Number), arf: expect.any(Number) }));
    expect(arf).toBeGreaterThan(rows[1].arf);
    expect(await freq(dogs, "--by", "word 0", "--dispersion")).toMatch(/ALDF +D +DP +DPnorm\n/);
  });

  it("gives a distribution, and points over time with a trend", async () => {
    const { distribution } = await json(dogs, "--distribution", "3");
    expect(distribution.map(({ hits }: { hits: number }) => hits)).toEqual([1, 2, 3]);
    const { points, trend } = await json(dogs, "--over", "doc.year");
    expect(points[2]).toEqual({ value: 1995, tokens: 4, hits: 3, perMillion: 750_000 });
    expect(trend).toMatchObject({ slope: 100_000, s: 3 });
    const bins = await freq(dogs, "--over", "doc.year", "--bin", "5");
    expect(bins).toContain(
      "doc.year from  tokens  matches  per million\n         1990       8        3   375,000.00",
    );
    expect(bins).toMatch(/trend: \+75,000\.0 per million/);
  });

  it("counts what is left of a chain", async () => {
    expect(await json(dogs, "--first", "doc", "--sort", "word 0", "--by", "word 0")).toMatchObject({
      hits: 3,
      rows: [
        { values: ["dog"], count: 2 },
        { values: ["Dog"], count: 1 },
      ],
    });
  });

  it.each([
    [["--by", "word 0", "--over", "doc.year"], "give --by or --over, not both"],
    [["--min-count", "2"], "--min-count belongs to --by"],
    [["--dispersion"], "--dispersion belongs to --by"],
    [["--by", "word 0", "--bin", "2"], "--bin belongs to --over"],
    [["--by", "word 0", "--rising", "--falling"], "give --rising or --falling, not both"],
    [["--over", "doc.year", "--parts", "2"], "--parts does not go with --over"],
    [["--over", "doc.year", "--bin", "0"], "It is not a number above 0."],
    [["--by", "word 0", "--order", "size"], "Allowed choices are count, value"],
    [["--parts", "13"], "cannot divide 12 tokens into 13 parts"],
  ])("calls %j wrong usage", async (args, message) => {
    const { code, stderr } = await run("freq", "tiny", dogs, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("fails with a code that programs can read", async () => {
    const { code, stdout } = await run("freq", "tiny", dogs, "--by", "wrd 0", "--json");
    expect([code, JSON.parse(stdout).error]).toEqual([
      1,
      expect.objectContaining({ code: "unknown_attribute", hint: "Did you mean word?" }),
    ]);
  });
});

it("the command line offers all orders there are", async () => {
  const { frequencyOrders } = await import("../../ql/index.js");
  const { stdout } = await run("freq", "--help");
  const offered = stdout.replaceAll(/[\s"]+/g, "");
  expect(offered).toContain(`choices:${frequencyOrders.join(",")})`);
});
