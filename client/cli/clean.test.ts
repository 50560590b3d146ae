/** `dugong clean` as a shell sees it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "dugong-cli-clean-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sentence = "It was the best of times and it was the worst of times for all of us in the city. ";
const html = `<html lang="en"><title>Two cities</title><ul><li><a href="/">Home</a></ul><h1>Two cities</h1><p>${sentence.repeat(4)}</p><p>${sentence.repeat(5)}</p></html>`;
const page = join(folder, "page.html");
writeFileSync(page, html);
const run = (args: string[], input = "") => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "clean", ...args], {
    input,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
};

describe("dugong clean", () => {
  it("writes the text to stdout and the report to stderr", () => {
    const { code, stdout, stderr } = run([page, "--workers", "1"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^<doc url="[^"]*page\.html" title="Two cities" hash="[0-9a-f]{40}" charset="utf-8" declared="en">\n/,
    );
    expect(stdout).toContain(`<p>\n${sentence.repeat(4).trim()}\n</p>\n`);
    expect(stdout).not.toContain("Home");
    expect(stderr).toContain("clean: 1 document");
  });

  it("reads stdin, and writes a file with the report on stdout", () => {
    const out = join(folder, "out.gz");
    const { code, stdout } = run(
      ["--algorithm", "justext", "--language", "en", "--out", out, "--json"],
      html,
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      step: "clean",
      documentsIn: 1,
      documentsOut: 1,
      details: { algorithm: "justext" },
    });
    expect(gunzipSync(readFileSync(out)).toString()).toContain('<p heading="1">\nTwo cities\n</p>');
  });

  it("passes jusText its parameters", () => {
    const texts = (...args: string[]) => run([page, "--algorithm", "justext", ...args]).stdout;
    expect(texts()).toContain('heading="1"');
    expect(texts("--no-headings")).not.toContain("Two cities\n</p>");
    expect(texts("--length-high", "10000")).toBe("");
    expect(texts("--stopwords-low", "0.99", "--stopwords-high", "0.99")).toBe("");
    expect(texts("--no-stopwords", "--length-low", "10")).toContain(sentence.trim());
  });

  it.each([
    [["--language", "en"], "--language is for --algorithm justext"],
    [["--no-stopwords"], "--no-stopwords is for --algorithm justext"],
    [["--length-low", "10"], "--length-low is for --algorithm justext"],
    [["--algorithm", "justext", "--stopwords-low", "2"], "Use a number from 0 to 1"],
    [["--algorithm", "justext", "--language", "en", "--no-stopwords"], "not both"],
    [["--algorithm", "other"], "Allowed choices are default, justext"],
    [["--workers", "0"], "whole number from 1"],
  ])("refuses %j", (args, message) => {
    const { code, stderr } = run([page, ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it("says what it cannot find", () => {
    expect(run([join(folder, "none.html")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no file"),
    });
    const { code, stderr } = run([page, "--algorithm", "justext", "--language", "tlh"]);
    expect(code).toBe(1);
    expect(stderr).toContain('no list of stop words for the language "tlh"');
  });

  it("explains itself with examples", () => {
    const { code, stdout } = run(["--help"]);
    expect(code).toBe(0);
    expect(stdout.slice(stdout.indexOf("Examples:")).split("dugong clean").length).toBe(4);
  });
});
