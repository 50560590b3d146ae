/** `dugong wordlist`, `keywords`, `ngrams` and `terms` as a shell sees them: what they print, and how they end. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder = "";

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function failure(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect(stderr).not.toBe("");
  return { exit: code, ...JSON.parse(stdout).error };
}

/** "word/lemma/tag" */
function vertical(documents: string[][]): string {
  const sentence = (text: string) => `<s>\n${text.replaceAll("/", "\t").replaceAll(" ", "\n")}\n</s>\n`;
  return documents
    .map(
      (sentences, i) =>
        `<doc id="d${i}" kind="${i % 2 ? "odd" : "even"}">\n${sentences.map(sentence).join("")}</doc>\n`,
    )
    .join("");
}

const animals = [
  [
    "The/the/DET old/old/ADJ cat/cat/NOUN sees/see/VERB a/a/DET dog/dog/NOUN",
    "A/a/DET dog/dog/NOUN sleeps/sleep/VERB",
  ],
  [
    "Dogs/dog/NOUN see/see/VERB old/old/ADJ cats/cat/NOUN",
    "The/the/DET old/old/ADJ cat/cat/NOUN sleeps/sleep/VERB",
  ],
];
const plants = [
  [
    "The/the/DET tree/tree/NOUN grows/grow/VERB",
    "A/a/DET cat/cat/NOUN sees/see/VERB the/the/DET tree/tree/NOUN",
  ],
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-lists-cli-"));
  for (const [name, documents] of Object.entries({ animals, plants })) {
    writeFileSync(join(folder, `${name}.vert`), vertical(documents));
    const { code, stderr } = await run("encode", name, `${name}.vert`, "--attributes", "word,lemma,tag");
    expect(code, stderr).toBe(0);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("dugong wordlist", () => {
  it("lists values with counts, documents and ARF for programs", async () => {
    const { rows, ...rest } = await json("wordlist", "animals", "--attribute", "lemma", "--min-count", "3");
    expect(rest).toEqual({ corpus: "animals@1", types: 3, occurrences: 9, tokens: 17 });
    expect(
      rows.map(({ value, count, documents }: Record<string, unknown>) => [value, count, documents]),
    ).toEqual([
      ["cat", 3, 2],
      ["dog", 3, 2],
      ["old", 3, 2],
    ]);
    for (const { arf } of rows) expect(arf).toBeGreaterThan(1);
  });

  it("lists pairs, structures, patterns and what files name", async () => {
    const pairs = await json(
      "wordlist",
      "animals",
      "--attribute",
      "word/i,tag",
      "--pattern",
      "d.*",
      "--order",
      "value",
    );
    expect(pairs.rows.map(({ value, values }: Record<string, unknown>) => [value, values])).toEqual([
      ["dog\tNOUN", ["dog", "NOUN"]],
      ["dogs\tNOUN", ["dogs", "NOUN"]],
    ]);
    const kinds = await json("wordlist", "animals", "--attribute", "doc.kind", "--order", "value");
    expect(kinds.rows).toMatchObject([
      { value: "even", count: 1, tokens: 9 },
      { value: "odd", count: 1, tokens: 8 },
    ]);
    writeFileSync(join(folder, "some.txt"), "cat\ndog\r\nnone\n");
    writeFileSync(join(folder, "not.txt"), "dog\n");
    const some = await json(
      "wordlist",
      "animals",
      "--attribute",
      "lemma",
      "--include",
      "some.txt",
      "--exclude",
      "not.txt",
    );
    expect(some.rows).toMatchObject([{ value: "cat", count: 3 }]);
  });

  it("shows people a table and where they are in it", async () => {
    const { stdout } = await run("wordlist", "animals", "--attribute", "tag", "--limit", "2", "--from", "1");
    expect(stdout.split("\n").map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      "tag",
      "DET",
      "VERB",
      "4 values of 17 in 17 tokens of animals@1, 2 to 3 shown",
      "",
    ]);
  });

  it("says what is wrong", async () => {
    expect(await failure("wordlist", "animals", "--attribute", "lema")).toMatchObject({
      exit: 1,
      code: "unknown_attribute",
      hint: "Did you mean lemma?",
    });
    expect(await failure("wordlist", "animals", "--pattern", "(")).toMatchObject({
      exit: 1,
      code: "bad_pattern",
    });
    expect(await failure("wordlist", "animals", "--order", "size")).toMatchObject({
      exit: 2,
      code: "bad_usage",
    });
    expect(await failure("wordlist", "animals", "--attribute", "doc.kind", "--order", "arf")).toMatchObject({
      exit: 2,
      code: "bad_option",
    });
    expect(await failure("wordlist", "animals", "--include", "missing.txt")).toMatchObject({
      code: "system_error",
    });
  });
});

describe("dugong keywords", () => {
  it("compares two corpora, or parts of one", async () => {
    const { rows, ...rest } = await json(
      "keywords",
      "animals",
      "--reference",
      "plants",
      "--attribute",
      "lemma",
    );
    expect(rest).toMatchObject({
      corpus: "animals@1",
      reference: "plants@1",
      tokens: 17,
      referenceTokens: 8,
    });
    expect(rows[0]).toMatchObject({ value: "dog", count: 3, referenceCount: 0 });
    expect(rows[0].score).toBeCloseTo(3e6 / 17 + 1, 6);
    await run("subcorpus", "create", "animals", "odd", "--within", '<doc kind="odd"/>');
    const parts = await json(
      ...["keywords", "animals", "--reference-subcorpus", "odd", "--attribute", "lemma"],
      ...["--measure", "log-likelihood,log-ratio", "--limit", "1"],
    );
    expect(parts.rows[0]).toMatchObject({ value: "a", count: 2, referenceCount: 0 });
    expect(Object.keys(parts.rows[0].scores)).toEqual(["log-likelihood", "p", "log-ratio"]);
    expect(parts.rows[0].score).toBe(parts.rows[0].scores["log-likelihood"]);
  });

  it("needs something to compare with that has the attribute", async () => {
    expect(await failure("keywords", "animals")).toMatchObject({ exit: 2, code: "bad_usage" });
    expect(await failure("keywords", "animals", "--reference", "nowhere")).toMatchObject({ exit: 1 });
    writeFileSync(join(folder, "bare.vert"), "<doc>\ntree\n</doc>\n");
    await run("encode", "bare", "bare.vert", "--attributes", "word");
    expect(await failure("keywords", "animals", "--reference", "bare", "--attribute", "lemma")).toMatchObject(
      {
        exit: 1,
        code: "unknown_attribute",
        message: 'the reference bare has no attribute "lemma" (it has word)',
      },
    );
    expect(await failure("keywords", "animals", "--reference", "plants", "--measure", "chi")).toMatchObject({
      exit: 2,
    });
    expect(await failure("keywords", "animals", "--reference", "plants", "--smoothing", "0")).toMatchObject({
      exit: 2,
    });
  });
});

describe("dugong ngrams", () => {
  it("counts stretches of words inside sentences, and hides nested ones", async () => {
    const asked = ["ngrams", "animals", "--attribute", "lemma", "--min-count", "2"];
    const { rows } = await json(...asked, "--length", "2..3", "--documents");
    expect(
      rows.map(({ value, count, documents }: Record<string, unknown>) => [value, count, documents]),
    ).toEqual([
      ["old cat", 3, 2],
      ["a dog", 2, 1],
      ["the old", 2, 2],
      ["the old cat", 2, 2],
    ]);
    const hidden = await json(...asked, "--length", "2..3", "--hide-nested");
    expect(hidden.rows.map(({ value }: { value: string }) => value)).toEqual([
      "old cat",
      "a dog",
      "the old cat",
    ]);
    expect(hidden.hidden).toBe(1);
    const across = await json(...asked, "--across", "--starting", "dog");
    expect(across.rows).toEqual([]);
    const key = await json(...asked, "--reference", "plants", "--limit", "1");
    expect(key.rows[0]).toMatchObject({ value: "old cat", count: 3, referenceCount: 0 });
  });

  it("says what is wrong", async () => {
    expect(await failure("ngrams", "animals", "--length", "0")).toMatchObject({
      exit: 2,
      code: "bad_option",
    });
    expect(await failure("ngrams", "animals", "--length", "4..2")).toMatchObject({ exit: 2 });
    expect(await failure("ngrams", "animals", "--length", "two")).toMatchObject({ exit: 2 });
    expect(await failure("ngrams", "animals", "--within", "p")).toMatchObject({
      exit: 1,
      code: "unknown_structure",
    });
    expect(await failure("ngrams", "animals", "--within", "s", "--across")).toMatchObject({ exit: 2 });
    expect(await failure("ngrams", "animals", "--measure", "log-ratio")).toMatchObject({ exit: 2 });
  });
});

describe("dugong terms", () => {
  it("finds noun phrases, or what a grammar says, by C-value or against a reference", async () => {
    const { rows, ...rest } = await json("terms", "animals");
    expect(rest).toMatchObject({ corpus: "animals@1", attribute: "lemma", types: 1, tokens: 17 });
    expect(rows).toMatchObject([{ value: "old cat", count: 3, documents: 2, rules: ["phrase"] }]);
    expect(rows[0].score).toBeCloseTo(3 * Math.log2(3), 12);
    writeFileSync(join(folder, "grammar.txt"), 'noun = [tag="NOUN"]\nphrase = [tag="ADJ"]? [tag="NOUN"]\n');
    const own = await json("terms", "animals", "--grammar", "grammar.txt", "--reference", "plants");
    expect(
      own.rows.map(({ value, referenceCount }: Record<string, unknown>) => [value, referenceCount]),
    ).toEqual([
      ["dog", 0],
      ["old cat", 0],
      ["cat", 1],
    ]);
    const longest = await json(
      "terms",
      "animals",
      "--grammar",
      '[tag="ADJ|NOUN"]+',
      "--strategy",
      "longest",
      "--attribute",
      "word/i",
      "--min-count",
      "1",
    );
    expect(longest.rows.map(({ value }: { value: string }) => value).sort()).toEqual([
      "dog",
      "dogs",
      "old cat",
      "old cats",
    ]);
  });

  it("shows where a grammar is wrong", async () => {
    const { code, stderr } = await run("terms", "animals", "--grammar", '[tag="NOUN"');
    expect(code).toBe(1);
    expect(stderr).toContain('[tag="NOUN"');
    expect(stderr).toContain("^");
    writeFileSync(join(folder, "wrong.txt"), '[tag="NOUN"]\n');
    expect(await failure("terms", "animals", "--grammar", "wrong.txt")).toMatchObject({
      exit: 1,
      code: "bad_grammar",
    });
    expect(await failure("terms", "bare")).toMatchObject({ exit: 1, code: "no_grammar" });
  });
});

describe("the help of lists", () => {
  it.each(["wordlist", "keywords", "ngrams", "terms"])("of %s has three examples", async (command) => {
    const { code, stdout } = await run(command, "--help");
    expect(code).toBe(0);
    expect(stdout.split("Examples:")[1].match(new RegExp(`^  dugong ${command} demo `, "gm"))?.length).toBe(
      3,
    );
  });
});
