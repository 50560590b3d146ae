/** Steps of pipelines have the parameters of their commands, and what is wrong with several of them is said before anything runs. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addClean } from "../../client/cli/clean.js";
import { addCrawl } from "../../client/cli/crawl.js";
import { addDedup } from "../../client/cli/dedup.js";
import { addEncode } from "../../client/cli/encode.js";
import { addLanguage } from "../../client/cli/language.js";
import { addRead } from "../../client/cli/read.js";
import { addTag } from "../../client/cli/tag.js";
import { addTokenise } from "../../client/cli/tokenise.js";
import { cleanOptions } from "../../ingest/pipeline/clean.js";
import { crawlParameters } from "../../ingest/pipeline/crawl.js";
import { steps } from "../../ingest/pipeline/steps.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "dugong-parameters-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => {
  mkdirSync(join(folder, "texts"));
  writeFileSync(join(folder, "texts/a.txt"), "Some text stands here.\n");
});

/** What a pipeline does in another way: outputs, and where things are put meanwhile. */
const elsewhere: Record<string, string[]> = { read: ["list"], language: ["split"], dedup: ["temp"] };

function run(...args: string[]) {
  const data = ["--data", join(folder, "data")];
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "pipeline", ...args, ...data], {
    encoding: "utf8",
    cwd: folder,
  });
  return { status, stdout, stderr };
}

function pipeline(name: string, list: string): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, `inputs: [texts]\nwork: ${name}.work\nsteps: [${list}]\n`);
  return file;
}

describe("the parameters of a step", () => {
  const commands = new Command();
  for (const add of [addRead, addClean, addLanguage, addDedup, addTokenise, addTag, addCrawl, addEncode])
    add(commands);
  const named = [...steps, { name: "crawl", options: crawlParameters }];

  for (const { name, options } of named) {
    it(`are those of its command: ${name}`, () => {
      const command = commands.commands.find((one) => one.name() === name)!;
      for (const option of command.options) {
        const attribute = option.attributeName();
        if (attribute === "out" || elsewhere[name]?.includes(attribute)) continue;
        const negated = `no${attribute[0].toUpperCase()}${attribute.slice(1)}`;
        const names = option.negate ? [negated, attribute] : [attribute];
        expect(
          names.some((one) => one in options),
          `${name} ${option.long}`,
        ).toBe(true);
      }
    });
  }

  it("are those of its command: encode", () => {
    // What the command line knows of corpora is asked as people ask it: by a name that there is not.
    const { stderr } = run("run", pipeline("unknown", "encode: { corpus: x, nothing: 1 }"));
    const [, list] = /it has ([^)]*)\)/.exec(stderr)!;
    const known = list.split(", ");
    const command = commands.commands.find((one) => one.name() === "encode")!;
    for (const option of command.options) expect(known, option.long).toContain(option.attributeName());
  });

  it("reach jusText under the names of the command and under the older ones", () => {
    expect(
      cleanOptions({ algorithm: "justext", lengthLow: 50, stopwordsLow: 0.1, maxLinkDensity: 0.5 }),
    ).toMatchObject({
      algorithm: "justext",
      parameters: { lengthLow: 50, stopWordsLow: 0.1, linkDensityMax: 0.5 },
    });
    for (const name of ["stopwords", "stopWords"])
      expect(cleanOptions({ [name]: "x" })).toMatchObject({ stopWords: "x", parameters: {} });
    expect(cleanOptions({ noStopWords: true }).noStopWords).toBe(true);
  });

  it("stand in the list that init writes", () => {
    run("init", "made.yaml");
    const text = readFileSync(join(folder, "made.yaml"), "utf8");
    for (const name of ["warcSize", "resolve", "lengthLow", "stopwords"])
      expect(text).toContain(`#   ${name}: `);
    expect(text).not.toContain("stopWords");
  });
});

describe("what is wrong together", () => {
  it.each([
    ["tag: { model: wink-english, command: cat }", "model or command, and not both"],
    ["tag", "model or command"],
    ["tag: { command: cat, output: [word] }", "leave output out"],
    ["clean, clean", "step clean reads pages, and clean before it writes a text stream"],
    [
      "tokenise, language",
      "step language reads a text stream, and tokenise before it writes a vertical stream",
    ],
    ["clean, dedup, tag: { command: cat }", "step tag reads a vertical stream, and clean before it"],
    ["clean: { lengthLow: 50 }", "lengthLow is for algorithm: justext"],
    ["clean: { algorithm: justext, language: cs, noStopwords: true }", "not both"],
    ["encode: { corpus: ../bad }", "cannot be the name of a corpus"],
  ])("is refused before anything runs: %s", (list, message) => {
    const file = pipeline("wrong", list);
    for (const args of [
      ["run", file, "--dry-run"],
      ["run", file],
    ]) {
      const { status, stderr } = run(...args);
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/wrong\.yaml:3:\d+/);
      expect(status).not.toBe(0);
    }
    expect(() => readFileSync(join(folder, "wrong.work/state.json"))).toThrow();
  });
});

it("a script that tags is noticed when it changes", () => {
  const script = join(folder, "tagger.sh");
  const file = pipeline("tagged", `tokenise, tag: { command: "bash '${script}'" }`);
  const tagging = (mark: string) => {
    writeFileSync(script, `sed 's/$/\\t${mark}/'\n`);
    const { stdout, stderr } = run("run", file, "--json");
    const report = JSON.parse(stdout);
    expect(report.isComplete, stderr).toBe(true);
    const { reused } = report.stages[1].tasks ? report.stages[1] : report.stages[1];
    const grep = spawnSync("grep", ["-rl", `text\t${mark}`, join(folder, "tagged.work/tasks")]);
    return { reused, isThere: grep.status === 0 };
  };
  expect(tagging("A").isThere).toBe(true);
  expect(tagging("B").isThere).toBe(true);
  execFileSync("touch", [script]);
  const { stdout } = run("run", file, "--dry-run");
  expect(stdout).toMatch(/tag: nothing to do/);
});
