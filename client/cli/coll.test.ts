/** `dugong coll` as a shell sees it: what it prints, and how it ends. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureNames } from "../../ql/stats/measures.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder = "";

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(args: string[], input = ""): Promise<Ended> {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      ended[name] += text;
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...ended, code }));
  });
}

async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

async function json(...args: string[]) {
  return JSON.parse(await said(...args, "--json"));
}

/** What a command says on stderr that must fail, and with which code. */
async function refused(code: number, ...args: string[]): Promise<string> {
  const ended = await run(args);
  expect([ended.code, ended.stdout]).toEqual([code, ""]);
  return ended.stderr;
}

const sentences = [
  "the/DT white/JJ house/NN ./PUNCT",
  "a/DT White/JJ ,/PUNCT white/JJ house/NN stands/VB ./PUNCT",
  "no/DT house/NN is/VB white/JJ ./PUNCT",
  "the/DT dog/NN sleeps/VB ./PUNCT",
];
const every = ["--min-count", "1", "--min-total", "1"];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cli-coll-"));
  const tokens = (text: string) => text.split(" ").map((token) => token.replace("/", "\t"));
  const text = sentences.map((sentence) => `<s>\n${tokens(sentence).join("\n")}\n</s>\n`).join("");
  writeFileSync(join(folder, "tiny.vert"), `<doc id="d">\n${text}</doc>\n`);
  const columns = ["--attributes", "word,tag", "--workers", "1"];
  await said("encode", "tiny", "tiny.vert", ...columns);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** value: count/total */
function shown({ rows }: { rows: { value: string; count: number; total: number }[] }): string[] {
  return rows.map(({ value, count, total }) => `${value}: ${count}/${total}`);
}

describe("dugong coll", () => {
  it("gives rows with their scores, ordered by the first measure, to programs", async () => {
    const found = await json(
      ...["coll", "tiny", '"house"', "--window", "-2..-1", "--measure", "logDice,MI", ...every],
    );
    expect(found).toMatchObject({ hits: 3, tokens: 20, windowTokens: 6, corpus: "tiny@1" });
    expect(shown(found)).toEqual(["white: 2/3", ",: 1/1", "no: 1/1", "the: 1/2", ".: 1/4"]);
    expect(found.rows[0].scores).toEqual({
      logDice: 14 + Math.log2(4 / 6),
      MI: Math.log2((2 * 20) / 9),
    });
  });

  it("shows people a table", async () => {
    const text = await said("coll", "tiny", '"house"', "--window", "-2..-1", "--limit", "1", ...every);
    expect(text).toBe(
      [
        "collocate  count  total  logDice     MI      T",
        "white          2      3   13.415  2.152  1.096",
        "1 of 5 collocates (count 1 or more, total 1 or more); 3 hits in tiny@1",
        "",
      ].join("\n"),
    );
  });

  it("folds, skips, and stays inside structures", async () => {
    const ask = (...args: string[]) =>
      json("coll", "tiny", '"house"', "--order", "count", ...every, ...args).then(shown);
    const left = ["--window", "-2..-1"];
    expect(await ask(...left, "--attribute", "word/i", "--skip", '[tag="PUNCT"]')).toEqual([
      "white: 2/4",
      "no: 1/1",
      "stands: 1/1",
      "the: 1/2",
    ]);
    expect(await ask(...left, "--attribute", "word/i", "--skip", '[tag="PUNCT"]', "--every")).toEqual([
      "white: 3/4",
      "no: 1/1",
      "stands: 1/1",
      "the: 1/2",
    ]);
    expect(await ask(...left, "--attribute", "word/i", "--within", "s", "--every")).toEqual([
      "white: 2/4",
      ",: 1/1",
      "no: 1/1",
      "the: 1/2",
    ]);
  });

  it("leads from a row to its lines", async () => {
    const options = ["--attribute", "word/i", "--within", "s", "--skip", '[tag="PUNCT"]'];
    const { rows } = await json("coll", "tiny", '"house"', ...options, ...every, "--chains");
    const white = rows.find(({ value }: { value: string }) => value === "white");
    expect((await run(["coll", "tiny", '"house"', "--chains"])).code).toBe(2);
    expect(white.count).toBe(3);
    const lines = await json("coll", "tiny", '"house"', ...options, "--lines", "WHITE");
    expect(lines).toMatchObject({ value: "WHITE", hits: 3, chain: white.chain, corpus: "tiny@1" });
    const chain = await said("coll", "tiny", '"house"', ...options, "--lines", "white");
    expect(JSON.parse(chain)).toEqual(white.chain);
    const again = await run(["coll", "tiny", "--chain", "-", ...every, "--json"], chain);
    expect(JSON.parse(again.stdout)).toMatchObject({ hits: 3 });
  });

  it("leaves out what may be there by chance", async () => {
    const asked = ["coll", "tiny", '"house"', "--measure", "logRatio", ...every];
    const strict = await json(...asked);
    const all = await json(...asked, "--confidence", "0");
    expect(all.uncertain).toBe(0);
    expect(strict.uncertain).toBeGreaterThan(0);
    expect(strict.rows.length + strict.uncertain).toBe(all.rows.length);
  });

  it("explains every measure in its help, with examples", async () => {
    const help = await said("coll", "--help");
    for (const name of measureNames) expect(help).toContain(`\n  ${name} `);
    expect(help.match(/dugong coll demo/g)).toHaveLength(3);
  });

  it("says what is wrong", async () => {
    const ask = (...args: string[]) => ["coll", "tiny", '"house"', ...args];
    expect(await refused(2, ...ask("--window", "5"))).toContain("-5..5");
    expect(await refused(1, ...ask("--window", "5..1"))).toContain("cannot be");
    expect(await refused(1, ...ask("--window", "0..0"))).toContain("not part of it");
    expect(await refused(1, ...ask("--measure", "logdice"))).toContain("Did you mean logDice?");
    expect(await refused(1, ...ask("--order", "MI4"))).toContain("count, total");
    expect(await refused(2, ...ask("--confidence", "1"))).toContain("0.95");
    expect(await refused(1, ...ask("--attribute", "wrod"))).toContain("Did you mean word?");
    expect(await refused(1, ...ask("--attribute", "word 1"))).toContain("not an attribute of tokens");
    expect(await refused(1, ...ask("--within", "p"))).toContain('no structure "p"');
    expect(await refused(1, ...ask("--skip", '[tag="X"] []'))).toContain("one pair of brackets");
    expect(await refused(1, ...ask("--skip", '[tga="X"]'))).toContain("\n   ^^^");
    expect(await refused(1, ...ask("--lines", "nowhere"))).toContain("no token has");
    expect(await refused(1, ...ask("--subcorpus", "none"))).toContain("none");
    expect(await refused(2, "coll", "tiny")).toContain("give a query");
  });
});
