/** The command line with a server elsewhere: it asks the same questions, and gets the same answers as from a directory. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer, Tokens } from "../../server/index.js";
import { Catalog, encodeCorpus } from "../../storage/index.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder = "";
let data = "";
let server: RunningServer;
let token = "";

function run(args: string[], { input = "", env = {} as Record<string, string> } = {}) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env }, cwd: folder });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

const elsewhere = () => ["--server", server.address, "--token", token];
const here = () => ["--data", data];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cli-server-"));
  data = join(folder, "data");
  for (const corpus of ["one", "two"]) {
    const text = Array.from({ length: 40 }, (_, i) => {
      const words = [
        "The",
        i % 3 ? "old" : "new",
        `noun${i % 9}`,
        "sees",
        "a",
        corpus === "one" ? "cat" : "dog",
      ];
      const rows = words.map((word, n) => `${word}\t${"DANVDN"[n]}`);
      return `<doc id="${i}" year="${1990 + (i % 7)}">\n<s id="${i}">\n${rows.join("\n")}\n</s>\n</doc>`;
    });
    const input = join(folder, `${corpus}.vert`);
    writeFileSync(input, `${text.join("\n")}\n`);
    await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "tag"], workers: 1 });
  }
  const aligned = await run(["align", "one", "two", "--match", "s.id", ...here()]);
  expect(aligned.code, aligned.stderr).toBe(0);
  const catalog = Catalog.open(data);
  token = new Tokens(catalog).create("tester", { "*": "write" }).token;
  await catalog.close();
  // Whoever wants all rows of a list has to ask several times.
  const config = { port: 0, logLevel: "silent", threads: 1, anonymous: "none", tableRowsMax: 4 } as const;
  server = await startServer({ data, config, version: "test" });
});

afterAll(async () => {
  await server.close(0);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("a server in the process", () => {
  it("loads nothing that is for sockets, logs or metrics, and starts no thread for a small question", async () => {
    const loaded = join(folder, "loaded");
    const args = ["query", "one", '"old"', "--sort", "word 1R", "--json", ...here()];
    const { code } = await run(args, { env: { NODE_V8_COVERAGE: loaded } });
    expect(code).toBe(0);
    // One report for each thread.
    const [report, ...others] = readdirSync(loaded);
    expect(others).toEqual([]);
    const { result } = JSON.parse(readFileSync(join(loaded, report), "utf8")) as {
      result: { url: string }[];
    };
    const packages = new Set(result.map(({ url }) => /node_modules\/([^/]+)/.exec(url)?.[1]));
    expect(packages).toContain("lmdb");
    for (const name of ["ws", "pino", "prom-client", "wink-nlp"]) expect(packages).not.toContain(name);
  });
});

describe("a server elsewhere", () => {
  it.each([
    ["corpora"],
    ["info", "one"],
    ["query", "one", '"old" []', "--count"],
    ["query", "one", '1:"old" 2:[]', "--positions", "--from", "3", "--limit", "5"],
    ["query", "one", '"old"', "--refs", "doc.year", "--aligned", "two", "--limit", "3"],
    ["query", "one", '"old"', "--sort", "word 1R", "--expand", "2"],
    ["freq", "one", '[tag="N"]', "--by", "word 0"],
    ["freq", "one", '"old"', "--over", "doc.year"],
    ["freq", "one", '"old"', "--distribution", "4"],
    ["freq", "one", '"old"'],
    ["coll", "one", '"old"', "--min-count", "1", "--min-total", "1"],
    ["coll", "one", '"old"', "--lines", "The"],
    ["wordlist", "one"],
    ["wordlist", "one", "--from", "1", "--limit", "7"],
    ["wordlist", "one", "--attribute", "doc.year", "--order", "value"],
    ["keywords", "one", "--reference", "two"],
    ["ngrams", "one", "--length", "2..3", "--min-count", "2"],
    ["terms", "one", "--grammar", '[tag="A"] [tag="N"]'],
    ["subcorpus", "list", "one"],
    ["align", "list"],
  ])("answers %s %s %s %s %s as a directory does", async (...given) => {
    const args = [...given.filter((arg) => arg !== undefined), "--json"];
    const [own, other] = await Promise.all([run([...args, ...here()]), run([...args, ...elsewhere()])]);
    expect([own.code, own.stderr]).toEqual([0, ""]);
    expect([other.code, other.stderr]).toEqual([0, ""]);
    const answer = JSON.parse(own.stdout);
    expect(JSON.parse(other.stdout)).toEqual(answer);
    if ("rows" in answer) expect(answer.rows.length).toBeGreaterThan(0);
  });

  it("explains, with errors under the text", async () => {
    const plan = await run(["explain", "one", '"old" []', "--analyze", ...elsewhere()]);
    expect(plan.stdout).toMatch(/found 26[\s\S]*\n26 matches in [\d.]+ ms/);
    const wrong = await run(["query", "one", '"old"', "--filter", '[wrod="x"]', ...elsewhere()]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/Did you mean word\?\n {2}\[wrod="x"\]\n {3}\^\^\^\^\n$/);
  });

  it("answers a batch in order, and goes on behind what is wrong", async () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify(i % 7 === 3 ? { query: "[" } : { query: `"noun${i % 9}"` }),
    );
    const input = `${lines.join("\n")}\n`;
    const [own, other] = await Promise.all([
      run(["query", "one", "--batch", "-", ...here()], { input }),
      run(["query", "one", "--batch", "-", ...elsewhere()], { input }),
    ]);
    expect(other.stdout).toBe(own.stdout);
    const answers = own.stdout.trimEnd().split("\n");
    expect(answers).toHaveLength(60);
    expect(JSON.parse(answers[3]).error.code).toBe("unbalanced");
    expect(JSON.parse(answers[4])).toEqual({ hits: 4, exact: true, corpus: "one@1" });
  });

  it("exports, and makes and removes subcorpora", async () => {
    const args = ["query", "one", '"old"', "--format", "csv", "--context", "2"];
    const [own, other] = await Promise.all([run([...args, ...here()]), run([...args, ...elsewhere()])]);
    expect(other.stdout).toBe(own.stdout);
    expect(own.stdout.split("\r\n")).toHaveLength(28);
    const made = ["subcorpus", "create", "one", "late", "--within", '<doc year="1996"/>', "--json"];
    expect(JSON.parse((await run([...made, ...elsewhere()])).stdout)).toMatchObject({
      corpus: "one@1",
      name: "late",
      documents: 5,
    });
    const count = ["query", "one", "[]", "--count", "--subcorpus", "late", "--json", ...here()];
    expect(JSON.parse((await run(count)).stdout)).toMatchObject({ hits: 30 });
    expect((await run(["subcorpus", "remove", "one", "late", ...elsewhere()])).code).toBe(0);
  });

  it("may be named once for all, and --data is stronger", async () => {
    const env = { DUGONG_SERVER: server.address, DUGONG_TOKEN: token };
    const { stdout } = await run(["query", "one", '"old"', "--count"], { env });
    expect(stdout).toBe("26\n");
    const none = await run(["query", "one", '"old"', "--count", "--data", join(folder, "none")], { env });
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("there are no corpora in")]);
  });

  it("says what is wrong", async () => {
    const count = ["query", "one", '"old"', "--count", "--json"];
    const refused = await run([...count, "--server", server.address]);
    expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([1, "unauthorised"]);
    const nobody = await run([...count, "--server", "ws://127.0.0.1:1"]);
    expect([nobody.code, JSON.parse(nobody.stdout).error.code]).toEqual([1, "disconnected"]);
    for (const args of [
      [...count, ...elsewhere(), "--workers", "2"],
      [...count, ...elsewhere(), "--data", data],
      [...count, "--token", token, ...here()],
    ])
      expect((await run(args)).code, args.join(" ")).toBe(2);
  });
});
