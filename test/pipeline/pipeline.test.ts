/** Pipelines: what has not changed is not done again, what fails is set aside, and nothing depends on how a run went. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Executor, Task } from "../../ingest/pipeline/executor.js";
import { readPipeline } from "../../ingest/pipeline/file.js";
import { cleanUp, dryRun, pipelineStatus } from "../../ingest/pipeline/look.js";
import { mergedDetails } from "../../ingest/pipeline/report.js";
import { type RunOptions, runPipeline } from "../../ingest/pipeline/run.js";
import { writeSteps } from "./steps.js";

const root = mkdtempSync(join(tmpdir(), "dugong-pipeline-"));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
let made = 0;

beforeEach(() => {
  folder = join(root, String(made++));
  mkdirSync(join(folder, "texts"), { recursive: true });
  writeSteps(folder);
  for (const [i, name] of ["one", "two", "three", "four"].entries()) text(name, i);
});

/** Two documents each; the second is in all files. */
function text(name: string, seed: number, extra = ""): void {
  const words = (from: number) => Array.from({ length: 40 }, (_, i) => `a${from}w${i}`).join(" ");
  const doc = (n: number) => `<doc id="${n}" lang="eng">\n<p>\n${words(n)}${extra}\n</p>\n</doc>\n`;
  writeFileSync(join(folder, "texts", `${name}.txt`), doc(seed) + doc(99));
}

const usual = `  - replace: { from: a, to: b }\n  - dedup\n  - tokenise\n`;

async function run(steps = usual, options: RunOptions = {}, more = "") {
  const file = join(folder, "p.yaml");
  writeFileSync(file, `inputs: [texts]\nmodules: [steps.mjs]\nwork: work\n${more}steps:\n${steps}`);
  const pipeline = await readPipeline(file);
  const began: string[] = [];
  const report = await runPipeline(pipeline, {
    workers: 2,
    retryMs: 1,
    ...options,
    onEvent: ({ event, step, name }) => {
      if (event === "task_begins") began.push(`${step} ${name}`);
    },
  });
  return { report, began: began.sort(), pipeline };
}

/** The outputs of the last run's stages, in order. */
function outputs(work = "work"): string[][] {
  const { stages } = JSON.parse(readFileSync(join(folder, work, "state.json"), "utf8"));
  return stages.map(({ tasks }: { tasks: { key: string }[] }) =>
    tasks.map(({ key }) => {
      const task = join(folder, work, "tasks", key);
      const name = readdirSync(task).find((entry) => entry.startsWith("output"))!;
      return readFileSync(join(task, name), "latin1");
    }),
  );
}

describe("a run", () => {
  it("does everything once, and nothing when it is repeated", async () => {
    const first = await run();
    expect(first.began).toEqual([
      "dedup 4 files",
      ...["four", "one", "three", "two"].map((name) => `replace texts/${name}.txt`),
      "tokenise 4 files",
    ]);
    expect(first.report.isComplete).toBe(true);
    expect(
      first.report.stages.map(({ step, documentsOut, wordsOut }) => [step, documentsOut, wordsOut]),
    ).toEqual([
      ["replace", 8, 320],
      ["dedup", 5, 200],
      ["tokenise", 5, 200],
    ]);
    expect(first.report.stages[1].shareOfBefore).toBeCloseTo(200 / 320);
    expect(first.report.stages[2].shareOfFirst).toBeCloseTo(200 / 320);
    expect(first.report.languages).toEqual({ eng: 8 });
    expect(first.report.stages.every(({ peakBytes }) => peakBytes > 1e6)).toBe(true);
    const before = outputs();
    const second = await run();
    expect(second.began).toEqual([]);
    expect(second.report.stages.map(({ reused, tasks }) => [reused, tasks])).toEqual([
      [4, 4],
      [1, 1],
      [1, 1],
    ]);
    expect(outputs()).toEqual(before);
    expect(readFileSync(join(folder, "work/report.txt"), "utf8")).toMatch(/dedup +5 +200 +62\.5%/);
    expect(JSON.parse(readFileSync(join(folder, "work/report.json"), "utf8")).stages).toHaveLength(3);
    for (const line of readFileSync(join(folder, "work/log.jsonl"), "utf8").trim().split("\n")) {
      expect(JSON.parse(line)).toHaveProperty("event");
    }
    expect(existsSync(join(folder, "work/lock"))).toBe(false);
  });

  it("does only what follows, when a parameter, an input or a model changes", async () => {
    await run();
    const dedup = usual.replace(
      "dedup",
      "dedup: { ngram: 5, exact: false, smoothing: false, threshold: 0.99 }",
    );
    // With other parameters the same comes out: what follows has nothing to do.
    expect((await run(dedup)).began).toEqual(["dedup 4 files"]);
    const document = usual.replace("dedup", "dedup: { mark: true }");
    expect((await run(document)).began).toEqual(["dedup 4 files", "tokenise 4 files"]);
    // What was done with other parameters is still there.
    expect((await run()).began).toEqual([]);
    text("two", 77);
    expect((await run()).began).toEqual(["dedup 4 files", "replace texts/two.txt", "tokenise 4 files"]);
    // A file that is the same in another place, or at another time, is the same.
    utimesSync(join(folder, "texts/two.txt"), 1, 1);
    expect((await run()).began).toEqual([]);
    // Threads and the like change nothing.
    expect((await run(usual.replace("dedup", "dedup: { workers: 1 }"))).began).toEqual([]);
    writeFileSync(join(folder, "table"), "c");
    const table = usual.replace("to: b", "table: table");
    expect((await run(table)).began).toHaveLength(6);
    expect((await run(table)).began).toEqual([]);
    writeFileSync(join(folder, "table"), "d");
    expect((await run(table)).began).toHaveLength(6);
    appendFileSync(join(folder, "steps.mjs"), "// another version\n");
    // Modules are loaded once in a process; children are new.
    expect((await run(table)).began).not.toContain("dedup 4 files");
  });

  it("makes what is missing or cut short again", async () => {
    await run();
    const before = outputs();
    const { stages } = JSON.parse(readFileSync(join(folder, "work/state.json"), "utf8"));
    rmSync(join(folder, "work/tasks", stages[0].tasks[1].key), { recursive: true });
    writeFileSync(join(folder, "work/tasks", stages[1].tasks[0].key, "output.txt"), "cut");
    expect((await run()).began).toEqual(["dedup 4 files", "replace texts/one.txt"]);
    expect(outputs()).toEqual(before);
  });

  it("gives the same bytes for any number of workers, and compressed", async () => {
    await run(usual, { workers: 1 });
    const serial = outputs();
    rmSync(join(folder, "work"), { recursive: true });
    await run(usual, { workers: 3 });
    expect(outputs()).toEqual(serial);
    await run(usual, {}, "compress: true\n");
    const { stages } = JSON.parse(readFileSync(join(folder, "work/state.json"), "utf8"));
    expect(readdirSync(join(folder, "work/tasks", stages[2].tasks[0].key)).sort()).toEqual([
      "output.vert.gz",
      "task.json",
    ]);
  });

  it("does inputs that are the same under two names in one go", async () => {
    mkdirSync(join(folder, "texts/again"));
    writeFileSync(join(folder, "texts/again/one.txt"), readFileSync(join(folder, "texts/one.txt")));
    const { began, report } = await run();
    expect(began.filter((task) => task.startsWith("replace"))).toHaveLength(4);
    expect(report.stages[0]).toMatchObject({ tasks: 5, documentsOut: 10 });
  });

  it("gives its tasks to any executor", async () => {
    const given: Task[] = [];
    const executor: Executor = {
      slots: 1,
      run: async (task) => {
        given.push(task);
        writeFileSync(task.output, "x\n");
        const report = {
          step: task.step,
          documentsIn: 1,
          documentsOut: 1,
          wordsOut: 1,
          seconds: 0,
          warnings: [],
        };
        return { report, output: { bytes: 2, hash: "h" }, peakBytes: 1 };
      },
      close: async () => {},
    };
    const { report } = await run(usual, { executor });
    expect(given.map(({ step }) => step)).toEqual([
      "replace",
      "replace",
      "replace",
      "replace",
      "dedup",
      "tokenise",
    ]);
    expect(report.isComplete).toBe(true);
  });
});

describe("a task that fails", () => {
  const fragile = (more = "") => `  - fragile: { unless: ${folder}/good${more} }\n  - replace\n  - dedup\n`;

  it("is tried again, and set aside; the others go on as far as they can", async () => {
    text("two", 7, " BAD");
    const { report, began } = await run(fragile());
    expect(began.filter((task) => task === "fragile texts/two.txt")).toHaveLength(3);
    expect(began.filter((task) => task.startsWith("replace"))).toHaveLength(3);
    expect(report.failed).toEqual([
      { step: "fragile", name: "texts/two.txt", message: "it is BAD", attempts: 3 },
    ]);
    expect(report).toMatchObject({ isComplete: false, notBegun: ["dedup"] });
    const status = pipelineStatus((await run(fragile())).pipeline)!;
    expect(status.failed).toEqual([{ step: "fragile", name: "texts/two.txt", message: "it is BAD" }]);
    expect(status.stages[0]).toMatchObject({ tasks: 4, done: 3, failed: 1 });
    const going = await run(fragile(), { keepGoing: true });
    expect(going.report.stages.at(-1)).toMatchObject({ step: "dedup", documentsIn: 6 });
    expect(going.report.isComplete).toBe(false);
    // When it can be done, only that and what follows is.
    writeFileSync(join(folder, "good"), "");
    const good = await run(fragile());
    expect(good.began).toEqual(["dedup 4 files", "fragile texts/two.txt", "replace texts/two.txt"]);
    expect(good.report.isComplete).toBe(true);
  });

  it("may take its process with it", async () => {
    text("two", 7, " BAD");
    const { report } = await run(fragile(", crash: true"));
    expect(report.failed).toMatchObject([{ code: "task_lost", name: "texts/two.txt", attempts: 3 }]);
    expect(report.stages[1]).toMatchObject({ step: "replace", done: 3 });
  });

  it("and then does not, is done", async () => {
    for (const name of ["two", "three", "four"]) rmSync(join(folder, `texts/${name}.txt`));
    const { report, began } = await run(`  - flaky: { count: ${folder}/count }\n`);
    expect(began).toHaveLength(3);
    expect(report.isComplete).toBe(true);
  });

  it("because of its parameters is not tried again", async () => {
    const { report, began } = await run(`  - dedup: { lines: true, mark: true }\n`);
    expect(began).toHaveLength(1);
    expect(report.failed).toMatchObject([{ code: "bad_option", attempts: 1 }]);
  });
});

describe("a look", () => {
  it("says what would be done, and why, and does nothing", async () => {
    const { pipeline } = await run();
    const dry = async (steps: string) => {
      writeFileSync(pipeline.file, `inputs: [texts]\nmodules: [steps.mjs]\nwork: work\nsteps:\n${steps}`);
      return (await dryRun(await readPipeline(pipeline.file))).map(({ toDo, why }) => [
        toDo,
        Object.keys(why).join(),
      ]);
    };
    const state = readFileSync(join(folder, "work/state.json"), "utf8");
    expect(await dry(usual)).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
    ]);
    expect(await dry(usual.replace("dedup", "dedup: { ngram: 5 }"))).toEqual([
      [0, ""],
      [1, "ngram was not set, and is 5"],
      [1, "what comes before it has to be done"],
    ]);
    text("five", 5);
    text("one", 50);
    expect(await dry(usual)).toEqual([
      [2, "the input is new,the input has changed"],
      [1, "what comes before it has to be done"],
      [1, "what comes before it has to be done"],
    ]);
    expect(readFileSync(join(folder, "work/state.json"), "utf8")).toBe(state);
    rmSync(join(folder, "work"), { recursive: true });
    expect((await dry(usual))[0]).toEqual([5, "it was never done"]);
    expect(existsSync(join(folder, "work"))).toBe(false);
  });

  it("at what is no longer needed removes it, and nothing else", async () => {
    const { pipeline } = await run();
    const marked = usual.replace("dedup", "dedup: { mark: true }");
    await run(marked);
    mkdirSync(join(folder, "work/tasks/.left.over"));
    const removed = await cleanUp(await readPipeline(pipeline.file));
    expect(removed.tasks).toBe(2);
    expect(removed.bytes).toBeGreaterThan(1000);
    expect((await run(marked)).began).toEqual([]);
    expect(readdirSync(join(folder, "work/tasks"))).toHaveLength(6);
    await run(usual, { prune: true });
    expect(readdirSync(join(folder, "work/tasks"))).toHaveLength(6);
  });
});

describe("a pipeline's file", () => {
  it.each([
    ["inputs: [a\nsteps: []\n", /p\.yaml:2:1: /],
    ["- a\n", /p\.yaml:1:1: a pipeline is a map/],
    [
      "inputs: texts\nsteps:\n  - dedup: { ngrm: 5 }\n",
      /p\.yaml:3:14: step dedup: no parameter "ngrm".*Did you mean ngram\?/,
    ],
    ["inputs: texts\nsteps:\n  - dedpu\n", /p\.yaml:3:5: no step "dedpu".*Did you mean dedup\?/],
    ["inputs: texts\nstep: [dedup]\n", /p\.yaml:2:1: no setting "step".*Did you mean steps\?/],
    [
      "inputs: texts\nsteps: [dedup: { ngram: many }]\n",
      /p\.yaml:2:18: step dedup: ngram has to be a number, and is "many"/,
    ],
    ["inputs: texts\nsteps: [dedup: { threshold: 2 }]\n", /threshold has to be from 0 to 1/],
    ["inputs: texts\nsteps: [dedup: { unit: paragraf }]\n", /no value "paragraf".*Did you mean paragraph\?/],
    ["inputs: texts\nsteps: [dedup: 5]\n", /p\.yaml:2:16: the parameters of dedup have to be a map/],
    ["inputs: texts\nsteps: []\n", /p\.yaml:2:8: no steps/],
    ["inputs: texts\nsteps: [encode: {}]\n", /it needs the parameter corpus/],
    ["inputs: texts\nsteps: [encode: { corpus: a }, dedup]\n", /encode is the last step/],
    [
      "inputs: texts\nmodules: steps.mjs\nsteps: [replace: { table: nowhere }]\n",
      /p\.yaml:3:27: .*no file nowhere/,
    ],
    ["steps: [dedup]\n", /p\.yaml:1:1: no inputs/],
    ["inputs: texts\nworkers: 0\nsteps: [dedup]\n", /p\.yaml:2:10: workers has to be from 1 to 256/],
  ])("that is wrong says where: %j", async (yaml, message) => {
    const file = join(folder, "p.yaml");
    writeFileSync(file, yaml);
    const encode = {
      version: "1",
      options: { corpus: { type: "string" as const, isRequired: true, summary: "" } },
    };
    await expect(readPipeline(file, encode)).rejects.toMatchObject({
      code: "bad_pipeline",
      message: expect.stringMatching(message),
    });
  });

  it("names inputs by path, directory and glob", async () => {
    mkdirSync(join(folder, "texts/deep/er"), { recursive: true });
    for (const name of ["texts/deep/er/a1.txt", "texts/deep/b2.txt", "texts/.hidden.txt", "texts/x.html"])
      writeFileSync(join(folder, name), "x");
    const { findInputs } = await import("../../ingest/pipeline/inputs.js");
    const find = (...patterns: string[]) =>
      findInputs({
        folder,
        inputs: patterns.map((pattern) => ({ pattern, place: "p.yaml:1:1" })),
      } as never).map((path) => path.slice(folder.length + 7));
    expect(find("texts/*.txt")).toEqual(["four.txt", "one.txt", "three.txt", "two.txt"]);
    expect(find("texts/**/*[0-9].txt")).toEqual(["deep/b2.txt", "deep/er/a1.txt"]);
    expect(find("texts/x.html", "texts/t??.txt", "texts/t*.txt")).toEqual(["x.html", "two.txt", "three.txt"]);
    expect(find("texts/[!ot]*.txt")).toEqual(["four.txt"]);
    expect(find("texts")).toHaveLength(7);
    expect(() => find("texts/*.pdf")).toThrow("p.yaml:1:1: no file matches texts/*.pdf");
    expect(() => find("nothing")).toThrow(/p.yaml:1:1: .*nothing/);
    expect(() => find("-")).toThrow("standard input");
  });

  it("as it is written to begin with can be read", async () => {
    const { examplePipeline } = await import("../../ingest/pipeline/example.js");
    const file = join(folder, "p.yaml");
    writeFileSync(file, examplePipeline());
    const options = {
      corpus: { type: "string" as const, summary: "" },
      attributes: { type: "strings" as const, summary: "" },
      unique: { type: "strings" as const, summary: "" },
    };
    const { stages } = await readPipeline(file, { version: "1", options });
    expect(stages.map(({ step }) => step)).toEqual([
      "clean",
      "language",
      "dedup",
      "tokenise",
      "tag",
      "encode",
    ]);
  });
});

it("two runs do not work in one folder", async () => {
  const { pipeline } = await run();
  writeFileSync(join(folder, "texts/five.txt"), "<doc>\na b\n</doc>\n");
  const slow = usual.replace("to: b", "to: b, waitMs: 700");
  const first = run(slow);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await expect(runPipeline(pipeline)).rejects.toMatchObject({ code: "already_running" });
  await first;
  // A lock of a process that is gone holds nobody up.
  writeFileSync(join(folder, "work/lock"), JSON.stringify({ pid: 2 ** 22 + 1, began: "1" }));
  expect((await run(slow)).began).toEqual([]);
  expect(statSync(join(folder, "work")).isDirectory()).toBe(true);
});

it("details of tasks are added up", () => {
  expect(
    mergedDetails([
      { a: 1, l: { x: 1, y: { n: 2 } }, f: "t" },
      { a: 2, l: { x: 3 }, f: "v", g: "w" },
    ]),
  ).toEqual({
    a: 3,
    l: { x: 4, y: { n: 2 } },
    g: "w",
  });
});
