/** `dugong demo` and `npm start`, as a shell sees them, with the first few addresses. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-demo-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** `onText` sees what is written to stderr, and may end the program. */
function run(args: string[], onText: (text: string, kill: () => void) => void = () => {}): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onText(stderr, () => child.kill("SIGKILL"));
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

async function json(args: string[]) {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe("dugong demo", () => {
  it("makes a corpus that is sound and can be asked; the second time it says that it is there", async () => {
    const at = ["--data", join(folder, "first")];
    const made = await run(["demo", "--addresses", "3", ...at]);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toMatch(/^demo: [\d,]+ tokens, 3 documents, .* snapshot 1,/);
    expect(made.stdout).not.toContain("odd in places");
    expect(made.stderr).toContain("demo: tagging 3 of 3 documents");

    expect((await json(["verify", "demo", ...at])).problems).toEqual([]);
    const info = await json(["info", "demo", ...at]);
    expect(info).toMatchObject({ documents: 3, language: "English", document: "doc" });
    expect(Object.keys(info.attributes)).toEqual(["word", "lemma", "tag"]);
    const query = '[lemma="be" & tag="AUX"] within <doc id="1790_washington" & year="1790" & party="none"/>';
    expect((await json(["query", "demo", query, "--count", ...at])).hits).toBeGreaterThan(10);

    const sketch = await json(["sketch", "demo", "war", "--min-count", "1", ...at]);
    expect(sketch).toMatchObject({ head: "war-n", count: expect.any(Number) });
    const [object] = sketch.relations.filter(({ name }: { name: string }) => name === "in_pp_for");
    expect(object).toMatchObject({ count: expect.any(Number), score: expect.any(Number) });
    expect(object.items[0]).toMatchObject({
      collocate: "preparation-n",
      count: 1,
      score: expect.any(Number),
    });

    const asked = ["thesaurus", "demo", "war", "--min-count", "3", "--limit", "5", "--cluster", ...at];
    const found = await json(asked);
    expect(found).toMatchObject({ head: "war-n", minCount: 3, stored: false, clusters: expect.any(Array) });
    expect(found.items).toHaveLength(5);
    const computed = await json(["thesaurus-compute", "demo", "--min-count", "3", ...at]);
    expect(computed).toMatchObject({ known: false, record: { minCount: 3, limit: 100 } });
    expect(await json(asked)).toEqual({ ...found, stored: true });
    const known = await run(["thesaurus-compute", "demo", "--min-count", "3", ...at]);
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to do") });
    expect((await run(["thesaurus-compute", "demo", "--limit", "0", ...at])).code).toBe(2);
    expect((await run(["thesaurus-compute", "demo", "--sketches", "none", ...at])).code).toBe(1);

    const again = await run(["demo", ...at]);
    expect(again).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("there already") });
    expect(await json(["demo", ...at])).toMatchObject({ corpus: "demo", documents: 3, unchanged: true });

    const replaced = await json(["demo", "--addresses", "2", "--replace", ...at]);
    expect(replaced).toMatchObject({
      corpus: "demo",
      documents: 2,
      snapshot: 2,
      unchanged: false,
      warnings: [],
    });
  });

  it("tells programs how far it is", async () => {
    const { stderr } = await run(["demo", "--addresses", "4", "--json", "--data", join(folder, "told")]);
    const reports = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).progress);
    const tagging = reports.filter(({ phase }) => phase === "tag");
    expect(tagging[0]).toMatchObject({
      documentsTotal: 4,
      fraction: expect.any(Number),
      tokens: expect.any(Number),
    });
    const fractions = reports.map(({ fraction }) => fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(reports.at(-1)).toMatchObject({ phase: "done", fraction: 1 });
  });

  it("leaves no half a corpus when it is killed, and begins again", async () => {
    const data = join(folder, "killed");
    const at = ["--data", data];
    const killed = await run(["demo", "--json", ...at], (text, kill) => {
      if (/"documents":[1-9]/.test(text)) kill();
    });
    expect(killed.signal).toBe("SIGKILL");
    expect((await json(["corpora", ...at])).corpora).toEqual([]);
    expect(await json(["demo", "--addresses", "2", ...at])).toMatchObject({ documents: 2, snapshot: 1 });
    expect((await json(["verify", "demo", ...at])).problems).toEqual([]);
    const left = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(left.filter(({ parentPath }) => /\bwork\b/.test(parentPath.slice(data.length)))).toEqual([]);
  });

  it.each(["0", "-1", "many"])("refuses %s addresses", async (count) => {
    const { code, stderr } = await run(["demo", "--addresses", count]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--addresses")]);
  });
});

describe("npm start", () => {
  it("makes the corpus where there is none, and says what to try: each of it works", async () => {
    const data = join(folder, "started");
    const first = await run(["welcome", "--no-serve", "--addresses", "2", "--data", data]);
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain(`data directory: ${data}`);
    const lines = first.stdout.match(/^ {2}npx dugong .*$/gm) ?? [];
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]);
      expect(words.slice(0, 2)).toEqual(["npx", "dugong"]);
      expect((await run(words.slice(2))).code, line).toBe(0);
    }
    const next = await run(["welcome", "--no-serve", "--data", data]);
    expect(next).toMatchObject({ code: 0, stderr: "", stdout: first.stdout });
  });

  it("serves what there is, and tells where, until it is told to stop", async () => {
    const data = join(folder, "served");
    const child = spawn(process.execPath, [
      main,
      "welcome",
      "--port",
      "0",
      "--addresses",
      "2",
      "--data",
      data,
    ]);
    let stdout = "";
    await new Promise<void>((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`it ended with ${code}: ${stdout}`)));
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (stdout.includes("until Ctrl-C")) resolve();
      });
    });
    child.removeAllListeners("exit");
    const [, address] = /serving at (ws:\S+) until/.exec(stdout) ?? [];
    expect(stdout).toContain(`npx dugong shell ${address} --corpus demo`);
    const health = await fetch(`${address.replace("ws:", "http:")}/healthz`);
    expect(health.status).toBe(200);
    const asked = ["--corpus", "demo", "--format", "jsonl", "--command"];
    const lines = await run(["shell", address, ...asked, '[lemma="be"]', "--limit", "3"]);
    expect(lines.stdout.trim().split("\n").length, lines.stderr).toBeGreaterThanOrEqual(3);
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("leaves a data directory alone that has other corpora", async () => {
    const data = join(folder, "other");
    writeFileSync(join(folder, "own.vert"), "<doc>\nword\n</doc>\n");
    await json(["encode", "own", "own.vert", "--attributes", "word", "--data", data]);
    const { code, stdout } = await run(["welcome", "--no-serve", "--data", data]);
    expect(code).toBe(0);
    expect(stdout).toContain(`npx dugong demo --data ${data}`);
    expect((await json(["corpora", "--data", data])).corpora).toMatchObject([{ name: "own" }]);
  });
});
