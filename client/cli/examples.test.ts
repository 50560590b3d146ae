/**
 * Every example in the help of a command that asks a corpus is run, as it stands there, on the demo corpus (all of it:
 * examples speak of years). Files that examples name are made first.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const run = promisify(execFile);
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-examples-"));
  symlinkSync(main, join(folder, "dugong"));
  env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, DUGONG_DATA: join(folder, "data") };
  writeFileSync(join(folder, "queries.jsonl"), '{"query":"[lemma=\\"war\\"]","count":true}\n');
  writeFileSync(join(folder, "weights.yaml"), "title: 2\nrecency: 0\n");
  await shell("dugong demo");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shell(line: string): Promise<{ stdout: string; stderr: string }> {
  return run("bash", ["-o", "pipefail", "-c", line], { cwd: folder, env, maxBuffer: 1 << 28 });
}

/** The commands that ask a corpus, and those below them. */
const commands = [
  "query",
  "search",
  "explain",
  "freq",
  "coll",
  "wordlist",
  "keywords",
  "ngrams",
  "terms",
  "subcorpus",
  "subcorpus create",
  "subcorpus list",
  "subcorpus info",
  "subcorpus remove",
  "align",
  "align create",
  "align list",
  "align remove",
];

async function examplesOf(command: string): Promise<string[]> {
  const { stdout } = await shell(`dugong ${command} --help`);
  const [, examples = ""] = stdout.split("\nExamples:\n");
  return examples
    .split("\n")
    .filter((line) => line.startsWith("  ") && !line.startsWith("  #"))
    .map((line) => line.trim());
}

describe("the examples of a command's help", () => {
  const seen = new Set<string>();
  for (const command of commands) {
    it(`of ${command} work on the demo corpus`, async () => {
      const examples = await examplesOf(command);
      expect(examples.length, command).toBeGreaterThanOrEqual(command.includes(" ") ? 1 : 3);
      for (const line of examples) {
        expect(line).toContain("demo");
        if (seen.has(line)) continue;
        seen.add(line);
        const { stdout } = await shell(line).catch((error) => {
          throw new Error(`${line}\n${error.stderr || error.message}`);
        });
        if (!line.includes("--output")) expect(stdout.trim(), line).not.toBe("");
        // An example that finds nothing shows nothing.
        expect(stdout, line).not.toMatch(/^0 (match|value|collocate|n-gram|term)|"hits":0\b|"rows":\[\]/m);
      }
    });
  }
});
