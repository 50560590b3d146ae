/** Runs through the command line: killed at any moment and run again, from text to a corpus that answers. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seed } from "../seed.js";
import { writeSteps } from "./steps.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-pipeline-kill-"));
  mkdirSync(join(folder, "texts"));
  writeSteps(folder);
  for (let file = 0; file < 4; file++) {
    const documents = Array.from({ length: 30 }, (_, i) => {
      // Every third document is in all files.
      const from = i % 3 === 0 ? i : 1000 * file + i;
      const words = Array.from({ length: 60 }, (_, k) => `w${from}x${k}`).join(" ");
      const url = `https://example.org/?file=${file}&amp;n=${i}`;
      return `<doc url="${url}" fetched="2024-05-0${file + 1}T10:00:00Z" hash="sha256:${file}${i}" lang="eng" licence="CC BY">\n<p>\nAll a ${words}\n</p>\n</doc>\n`;
    });
    writeFileSync(join(folder, `texts/${file}.txt`), documents.join(""));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, more = ""): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `inputs: ["texts/*.txt"]\nmodules: [steps.mjs]\nwork: ${name}.work\n${more}steps:
  - replace: { from: All, to: ALL, waitMs: 40 }
  - dedup: { workers: 2 }
  - tokenise
  - encode: { corpus: ${name}, attributes: [word], unique: [doc.url, doc.hash], workers: 1 }\n`,
  );
  return file;
}

const data = () => ["--data", join(folder, "data")];
const dugong = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args, ...data()]);

/** All outputs, by key; none if the run was killed before it began. */
function outputs(work: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(join(folder, work, "tasks"))) return found;
  for (const key of readdirSync(join(folder, work, "tasks"))) {
    for (const name of readdirSync(join(folder, work, "tasks", key))) {
      if (name.startsWith("output"))
        found[key] = readFileSync(join(folder, work, "tasks", key, name), "latin1");
    }
  }
  return found;
}

const ended = (child: ChildProcess) =>
  new Promise<string | number>((done) => child.once("exit", (code, by) => done(by ?? code!)));

describe("the command line", () => {
  it("runs a pipeline from text to a corpus that answers", async () => {
    const file = write("news");
    const { stdout } = await dugong("pipeline", "run", file, "--json");
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ isComplete: true, inputs: { files: 4 }, languages: { eng: 120 } });
    // Of ten that are in all four files one is kept each.
    expect(report.stages.map(({ documentsOut }: { documentsOut: number }) => documentsOut)).toEqual([
      120, 90, 90, 90,
    ]);
    expect(JSON.parse((await dugong("query", "news", '"ALL"', "--count", "--json")).stdout)).toMatchObject({
      hits: 90,
    });
    const where = '[] within <doc url="https://example.org/\\?file=3&n=1" & licence="CC BY" & lang="eng"/>';
    const found = await dugong("query", "news", where, "--count", "--json");
    expect(JSON.parse(found.stdout)).toMatchObject({ hits: 62 });
    const again = JSON.parse((await dugong("pipeline", "run", file, "--json")).stdout);
    expect(
      again.stages.every(({ tasks, reused }: { tasks: number; reused: number }) => tasks === reused),
    ).toBe(true);
    // The corpus is made again if it is gone.
    await dugong("remove", "news", "--yes");
    expect((await dugong("pipeline", "run", file, "--dry-run")).stdout).toMatch(
      /encode: 1 of 1 task\n {2}the corpus is gone/,
    );
    expect((await dugong("pipeline", "run", file)).stdout).toMatch(/encode +90 /);
    expect((await dugong("pipeline", "status", file)).stdout).toMatch(
      /finished\n {2}replace: 4 of 4 tasks done/,
    );
    expect((await dugong("pipeline", "clean-up", file)).stdout).toMatch(/removed the outputs of 0 tasks/);
  });

  it("replaces the corpus that it made, and no other", async () => {
    const file = write("mine");
    await dugong("pipeline", "run", file);
    writeFileSync(file, readFileSync(file, "utf8").replace("to: ALL", "to: EACH"));
    await dugong("pipeline", "run", file);
    expect(JSON.parse((await dugong("query", "mine", '"EACH"', "--count", "--json")).stdout)).toMatchObject({
      hits: 90,
    });
    const other = write("other");
    writeFileSync(other, readFileSync(other, "utf8").replace("corpus: other", "corpus: mine"));
    await expect(dugong("pipeline", "run", other)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is a corpus mine already"),
    });
    writeFileSync(other, readFileSync(other, "utf8").replace("corpus: mine", "corpus: mine, replace: true"));
    expect((await dugong("pipeline", "run", other)).stdout).toMatch(/encode +90 /);
  });

  it("ends with 1 if something failed, with 2 if it is used wrongly, and writes no file over another", async () => {
    const file = write("wrong");
    writeFileSync(file, readFileSync(file, "utf8").replace("workers: 2", "lines: true, mark: true"));
    await expect(dugong("pipeline", "run", file)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/failed:\n {2}dedup, 4 files: lines cannot be marked/),
    });
    await expect(dugong("pipeline", "run", file, "--workers", "0")).rejects.toMatchObject({ code: 2 });
    const init = join(folder, "init.yaml");
    await dugong("pipeline", "init", init);
    await expect(dugong("pipeline", "init", init)).rejects.toMatchObject({ code: 1 });
  });

  it("goes on after it was killed at any moment, to the same bytes", async () => {
    const began = performance.now();
    await dugong("pipeline", "run", write("whole"));
    const tookMs = performance.now() - began;
    const expected = outputs("whole.work");
    expect(Object.keys(expected)).toHaveLength(6);
    const file = write("killed");
    const shares = fc.sample(fc.double({ min: 0.1, max: 0.95, noNaN: true }), { numRuns: 9, seed });
    let killed = 0;
    for (const share of shares) {
      const child = spawn(process.execPath, [main, "pipeline", "run", file, ...data()], { stdio: "ignore" });
      const end = ended(child);
      await Promise.race([wait(share * tookMs), end]);
      child.kill("SIGKILL");
      const isKilled = (await end) === "SIGKILL";
      if (isKilled) killed++;
      for (const [key, text] of Object.entries(outputs("killed.work"))) {
        if (!key.startsWith(".")) expect(text === expected[key]).toBe(true);
      }
      if (isKilled) continue;
      // It had little left to do, and came to its end: the next one begins anew.
      rmSync(join(folder, "killed.work"), { recursive: true });
      await dugong("remove", "killed", "--yes");
    }
    expect(killed).toBeGreaterThan(2);
    await dugong("pipeline", "run", file);
    expect(outputs("killed.work")).toEqual(expected);
    expect(readdirSync(join(folder, "killed.work")).sort()).toEqual([
      ...["hashes.json", "log.jsonl", "report.json", "report.txt", "state.json", "tasks"],
    ]);
    const count = JSON.parse((await dugong("query", "killed", '"ALL"', "--count", "--json")).stdout);
    expect(count).toMatchObject({ hits: 90 });
  });

  it("stops at Ctrl-C, and goes on", async () => {
    const file = write("stopped");
    const child = spawn(process.execPath, [main, "pipeline", "run", file, ...data()], { stdio: "ignore" });
    const end = ended(child);
    while (!readdirSync(folder).includes("stopped.work")) await wait(20);
    child.kill("SIGINT");
    expect([130, 0]).toContain(await end);
    expect(readdirSync(join(folder, "stopped.work"))).not.toContain("lock");
    expect((await dugong("pipeline", "run", file)).stdout).toMatch(/encode +90 /);
  });
});

describe("dedup on the command line", () => {
  it("reads standard input, and says on the other stream what came of it", async () => {
    const child = spawn(process.execPath, [main, "dedup", "--json", "--unit", "document"], { stdio: "pipe" });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    const text = readFileSync(join(folder, "texts/0.txt"), "utf8");
    child.stdin.end(text + text);
    expect(await ended(child)).toBe(0);
    await wait(50);
    expect(out).toBe(text);
    const report = JSON.parse(err.trim().split("\n").at(-1)!);
    expect(report).toMatchObject({
      step: "dedup",
      documentsIn: 60,
      documentsOut: 30,
      details: { copies: 30 },
    });
  });

  it("refuses what makes no sense", async () => {
    await expect(dugong("dedup", join(folder, "texts"), "--threshold", "2")).rejects.toMatchObject({
      code: 2,
    });
    await expect(dugong("dedup", join(folder, "texts"), "--lines", "--mark")).rejects.toMatchObject({
      code: 2,
    });
    await expect(dugong("dedup", join(folder, "nothing"))).rejects.toMatchObject({ code: 1 });
  });
});
