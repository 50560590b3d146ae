/** A computation of sketches, or of a thesaurus, that is killed at any moment goes on when it is asked for again, and ends in the same bytes. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeSketches, type SketchProgress } from "../../ql/sketch/compute.js";
import { computeThesaurus } from "../../ql/sketch/thesaurus/compute.js";
import { builtFile } from "../../storage/built.js";
import {
  Catalog,
  encodeCorpus,
  removeSketches,
  type SketchesRecord,
  sketchesRecords,
} from "../../storage/index.js";

let data = "";
const grammar = [
  "*STRUCTLIMIT s",
  ...Array.from({ length: 12 }, (_, i) => `*DUAL\n=a${i}/b${i}\n1:[tag="N"] []{0,${i % 4}} 2:[tag="V"]`),
].join("\n");

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "dugong-sketch-kill-"));
  const lines: string[] = [];
  let state = 1;
  for (let i = 0; i < 20_000; i++) {
    state = (state * 48_271) % 2_147_483_647;
    if (i % 12 === 0) lines.push(i > 0 ? "</s>\n<s>" : "<s>");
    lines.push(`w${state % 97}\tw${state % 97}\t${"NVD"[state % 3]}`);
  }
  writeFileSync(join(data, "text.vert"), `${lines.join("\n")}\n</s>\n`);
  writeFileSync(join(data, "grammar.txt"), grammar);
  await encodeCorpus({
    data,
    corpus: "c",
    inputs: [join(data, "text.vert")],
    attributes: ["word", "lemma", "tag"],
    segmentBytes: 40_000,
    workers: 1,
  });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

/**
 * Runs the command; kills it some moments after it has reported so many tasks as done in this run, or that it merges. Resolves to
 * whether it came to its end before.
 */
function run(name: string, tasks: number, laterMs: number): Promise<boolean> {
  const args = ["--grammar", join(data, "grammar.txt"), "--name", name, "--workers", "2", "--json"];
  return killed(
    [builtFile("client/cli/main.js"), "sketch-compute", "c", "--data", data, ...args],
    tasks,
    laterMs,
  );
}

function killed(command: string[], tasks: number, laterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "ignore", "pipe"] });
  let timer: NodeJS.Timeout | undefined;
  let first: number | undefined;
  createInterface({ input: child.stderr! }).on("line", (line) => {
    const { progress } = JSON.parse(line) as { progress: SketchProgress };
    first ??= progress.tasks;
    if (progress.tasks - first >= tasks || ["merge", "write"].includes(progress.phase))
      timer ??= setTimeout(() => child.kill("SIGKILL"), laterMs);
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      expect(code === 0 || signal === "SIGKILL").toBe(true);
      resolve(code === 0);
    });
  });
}

function recordOf(name: string): SketchesRecord {
  const catalog = Catalog.open(data);
  const record = sketchesRecords(catalog, "c").find((one) => one.name === name)!;
  void catalog.close();
  return record;
}

function bytesOf(name: string): Buffer {
  return readFileSync(join(data, "c", "parts", recordOf(name).file));
}

describe("sketches that are computed", () => {
  it("end in the same bytes though they are killed at 10 random moments", { timeout: 120_000 }, async () => {
    const options = { data, corpus: "c", grammar, grammarName: "grammar.txt" };
    await computeSketches({ ...options, name: "killed" });
    const whole = bytesOf("killed");
    const forget = async () => {
      const catalog = Catalog.open(data);
      removeSketches(catalog, "c", "killed");
      await catalog.close();
    };
    await forget();
    let killed = 0;
    while (killed < 10) {
      const ended = await run("killed", 1 + Math.floor(Math.random() * 12), Math.random() * 20);
      if (!ended) killed++;
      else {
        // It was quicker than we: that, too, must be the whole.
        expect(bytesOf("killed").equals(whole)).toBe(true);
        await forget();
      }
    }
    const last = await computeSketches({ ...options, name: "killed" });
    // The last one that was killed had done something.
    expect(last.known || last.resumed > 0).toBe(true);
    expect(bytesOf("killed").equals(whole)).toBe(true);
  });
});

describe("sketches that are gone on with", () => {
  it("tell what is left by what this run has done, not by what was there", async () => {
    const options = { data, corpus: "c", grammar, grammarName: "grammar.txt", name: "left" };
    const half = ({ tasks, tasksTotal }: SketchProgress) => {
      if (tasks > tasksTotal / 2) throw new Error("enough");
    };
    await expect(computeSketches({ ...options, onProgress: half })).rejects.toThrow("enough");
    const reports: SketchProgress[] = [];
    const { resumed } = await computeSketches({ ...options, onProgress: (report) => reports.push(report) });
    expect(resumed).toBeGreaterThan(0);
    expect(reports[0]).toMatchObject({ tasks: resumed, secondsLeft: undefined });
    expect(reports.some(({ secondsLeft }) => secondsLeft !== undefined && secondsLeft > 0)).toBe(true);
  });
});

describe("a thesaurus that is computed", () => {
  it("ends in the same bytes though it is killed at 3 random moments", { timeout: 120_000 }, async () => {
    await computeSketches({ data, corpus: "c", grammar, grammarName: "grammar.txt", name: "like" });
    const options = { data, corpus: "c", name: "like", minCount: 1, limit: 20, headsMax: 4, rowsMax: 200 };
    await computeThesaurus(options);
    const bytes = () => readFileSync(join(data, "c", "parts", recordOf("like").thesaurus!.file));
    const whole = bytes();
    // Of another size: then it is not there.
    const forget = () => computeThesaurus({ ...options, limit: 1 });
    await forget();
    const script = `
      import { computeThesaurus } from ${JSON.stringify(builtFile("ql/index.js"))};
      const onProgress = (progress) => process.stderr.write(JSON.stringify({ progress }) + "\\n");
      await computeThesaurus({ ...${JSON.stringify(options)}, workers: 2, onProgress });`;
    const command = [join(data, "thesaurus.mjs")];
    writeFileSync(command[0], script);
    for (let times = 0; times < 3; ) {
      const ended = await killed(command, 1 + Math.floor(Math.random() * 20), Math.random() * 10);
      if (!ended) times++;
      else {
        expect(bytes().equals(whole)).toBe(true);
        await forget();
      }
    }
    const last = await computeThesaurus(options);
    expect(last.known || last.resumed > 0).toBe(true);
    expect(bytes().equals(whole)).toBe(true);
  });
});
