/** `dugong read`, `dugong language` and `dugong language-train` as a shell sees them. */
import { spawnSync } from "node:child_process";
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
import { afterAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "dugong-cli-language-"));
afterAll(() => rmSync(folder, { recursive: true }));

const english =
  "The weather was cold and the children went home early because nobody wanted to wait for them.";
const german =
  "Das Wetter war kalt und die Kinder gingen früh nach Hause, weil niemand auf sie warten wollte.";
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const stream = file(
  "two.txt",
  `<doc id="1">\n<p>\n${english}\n</p>\n</doc>\n<doc id="2">\n<p>\n${german}\n</p>\n</doc>\n`,
);

const run = (args: string[], input = "") => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    input,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
};

describe.each(["read", "language", "language-train"])("dugong %s --help", (name) => {
  it("shows three examples", () => {
    const { code, stdout } = run([name, "--help"]);
    expect(code).toBe(0);
    const [, shown = ""] = stdout.split("Examples:");
    expect(shown.match(/\bdugong (read|language)/g)?.length).toBeGreaterThanOrEqual(3);
  });
});

describe("dugong read", () => {
  const plain = file("plain.txt", `${english}\n\n${german}\n`);

  it("writes plain text as a stream, with a paragraph between empty lines", () => {
    const { code, stdout, stderr } = run(["read", plain]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`<p>\n${english}\n</p>\n<p>\n${german}\n</p>\n`);
    expect(stdout).toMatch(/^<doc id="[^"]*plain\.txt"/);
  });

  it("writes a file, and the report as JSON", () => {
    const out = join(folder, "read.out");
    const { code, stdout } = run(["read", plain, "--out", out, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ step: "read", documentsOut: 1 });
    expect(readFileSync(out, "utf8")).toContain(german);
  });

  it("takes the format that it is told", () => {
    const { stdout } = run(["read", "--format", "leipzig", "-"], `1\t${english}\n2\t${german}\n`);
    expect(stdout.match(/<doc /g)).toHaveLength(2);
  });

  it("fails for a file that is not there, and refuses a format that there is not", () => {
    expect(run(["read", join(folder, "none.txt")]).code).toBe(1);
    const { code, stderr } = run(["read", plain, "--format", "docx"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Allowed choices are auto, warc");
  });
});

describe("dugong language", () => {
  it("says the language of each document", () => {
    const { code, stdout, stderr } = run(["language", stream]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('<doc id="1" lang="eng">');
    expect(stdout).toContain('<doc id="2" lang="deu">');
  });

  it("keeps a language, and reports as JSON", () => {
    const out = join(folder, "kept.txt");
    const { code, stdout } = run(["language", stream, "--keep", "deu", "--out", out, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      step: "language",
      documentsIn: 2,
      documentsOut: 1,
      details: { languages: { deu: 1, eng: 1 } },
    });
    expect(readFileSync(out, "utf8")).not.toContain(english);
  });

  it("writes a file for each language", () => {
    const split = join(folder, "split");
    expect(run(["language", stream, "--split", split]).code).toBe(0);
    expect(readdirSync(split).sort()).toEqual(["deu.txt", "eng.txt"]);
  });

  it.each([
    [["--threshold", "2"], 2, "from 0 to 1"],
    [["--unit", "word"], 2, "Allowed choices are doc, p, line"],
    [["--split", "x", "--out", "y"], 2, "not both"],
    [["--keep", "qqq"], 1, 'no language "qqq"'],
    [["--model", stream], 1, "is no language model"],
  ])("refuses %j with %i", (args, expected, message) => {
    const { code, stderr } = run(["language", stream, ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});

describe("dugong language-train", () => {
  const samples = join(folder, "samples");
  mkdirSync(samples);
  file("samples/eng.txt", `${english}\n`.repeat(20));
  file("samples/deu.txt", `${german}\n`.repeat(20));
  const model = join(folder, "mine.model");

  it("makes a model that `dugong language` uses", () => {
    const { code, stdout, stderr } = run(["language-train", samples, "--out", model, "--json"]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ model, languages: ["deu", "eng"], warnings: [] });
    const found = run(["language", stream, "--model", model]);
    expect(found.stdout).toContain('<doc id="1" lang="eng">');
    expect(found.stdout).toContain('<doc id="2" lang="deu">');
  });

  it("fails with one language, and writes nothing", () => {
    const none = join(folder, "none.model");
    const { code, stderr } = run(["language-train", join(samples, "eng.txt"), "--out", none]);
    expect(code).toBe(1);
    expect(stderr).toContain("two languages at least");
    expect(existsSync(none)).toBe(false);
  });

  it("refuses to begin without --out", () => {
    expect(run(["language-train", samples]).code).toBe(2);
  });
});
