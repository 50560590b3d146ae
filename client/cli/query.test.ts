/** `dugong query` and `dugong explain` as a shell sees them: what they print, and how they end. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder = "";

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. A reader that has had enough closes the pipe after the first bytes. */
function run(args: string[], { input = "", enough = false } = {}): Promise<Ended> {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    if (enough) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** What a command says that must succeed. */
async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** One JSON document of a command that must succeed. */
async function json(...args: string[]) {
  const stdout = await said(...args, "--json");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(stdout);
}

/** The answers to a batch, a document a line. */
async function batch(lines: (object | string)[], ...args: string[]) {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { code, stdout, stderr } = await run(["query", "tiny", "--batch", "-", ...args], { input });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

/** Sentences in documents; "word/lemma/tag", and no blank before a full stop. */
function vertical(documents: string[][]): string {
  const token = (text: string) => (text === "." ? "<g/>\n.\t.\t." : text.replaceAll("/", "\t"));
  const sentence = (text: string) => `<s>\n${text.split(" ").map(token).join("\n")}\n</s>\n`;
  return documents
    .map((sentences, i) => `<doc id="d${i}">\n${sentences.map(sentence).join("")}</doc>\n`)
    .join("");
}

/** Tokens 0 to 6, 7 to 10; 11 to 14. */
const tiny = [
  ["The/the/DT old/old/JJ cat/cat/NN sees/see/VB a/a/DT dog/dog/NN .", "A/a/DT dog/dog/NN sleeps/sleep/VB ."],
  ["Dogs/dog/NN see/see/VB dogs/dog/NN ."],
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cli-query-"));
  const columns = ["--attributes", "word,lemma,tag", "--workers", "1", "--json"];
  expect(await run(["encode", "tiny", file("tiny.vert", vertical(tiny)), ...columns])).toMatchObject({
    code: 0,
  });
  const many = Array.from({ length: 2000 }, () => tiny[0]);
  const pieces = [...columns, "--segment-bytes", "30k"];
  expect(await run(["encode", "many", file("many.vert", vertical(many)), ...pieces])).toMatchObject({
    code: 0,
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("dugong query", () => {
  it("shows each match in the middle of its line, put together as it was written", async () => {
    const lines = (await said("query", "tiny", '[lemma="dog"]')).trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
      " 5  The old cat sees a [dog] . A dog sleeps. Dogs see dogs.",
      " 8  The old cat sees a dog. A [dog] sleeps. Dogs see dogs.",
      "11  old cat sees a dog. A dog sleeps. [Dogs] see dogs.",
      "13  sees a dog. A dog sleeps. Dogs see [dogs] .",
      "4 matches in tiny@1",
    ]);
    expect(new Set(lines.slice(0, 4).map((line) => line.indexOf("["))).size).toBe(1);
  });

  it("shows as much context, as many lines and from where it is told", async () => {
    const args = ["--context", "1", "--limit", "1", "--from", "1"];
    const lines = (await said("query", "tiny", '[lemma="dog"]', ...args)).trimEnd().split("\n");
    expect(lines.map((line) => line.trim().replace(/ {2,}/g, "  "))).toEqual([
      "8  A [dog] sleeps",
      "4 matches in tiny@1, 2 to 2 shown",
    ]);
    expect(await said("query", "tiny", '"cat"', "--context", "0")).toMatch(
      /^2 +\[cat\] *\n1 match in tiny@1\n$/,
    );
    expect(await said("query", "many", "[]")).toMatch(/\n22,000 matches in many@1, 1 to 20 shown\n$/);
  });

  it("gives programs lines with positions", async () => {
    expect(await json("query", "tiny", '"cat"', "--context", "2")).toEqual({
      hits: 1,
      exact: true,
      corpus: "tiny@1",
      lines: [{ begin: 2, end: 3, left: "The old", match: "cat", right: "sees a" }],
    });
  });

  it("counts", async () => {
    expect(await json("query", "tiny", '[tag="NN"]', "--count")).toEqual({
      hits: 5,
      exact: true,
      corpus: "tiny@1",
    });
    expect(await said("query", "many", "[] []", "--count")).toBe("21,999\n");
  });

  it("gives positions, all or some, with what labels are bound to", async () => {
    const cql = '1:[tag="DT"] []? 2:[tag="NN"]';
    const items = [
      { begin: 0, end: 3, labels: { 1: { begin: 0, end: 1 }, 2: { begin: 2, end: 3 } } },
      { begin: 4, end: 6, labels: { 1: { begin: 4, end: 5 }, 2: { begin: 5, end: 6 } } },
      { begin: 7, end: 9, labels: { 1: { begin: 7, end: 8 }, 2: { begin: 8, end: 9 } } },
    ];
    expect(await json("query", "tiny", cql, "--positions")).toEqual({ hits: 3, items });
    const some = async (...args: string[]) => json("query", "tiny", cql, "--positions", ...args);
    expect(await some("--limit", "2")).toEqual({ hits: 3, items: items.slice(0, 2) });
    expect(await some("--from", "2")).toEqual({ hits: 3, items: items.slice(2) });
    expect(await some("--limit", "1", "--from", "1")).toEqual({ hits: 3, items: [items[1]] });
    expect(await some("--limit", "0")).toEqual({ hits: 3, items: [] });
    expect(await some("--from", "9")).toEqual({ hits: 3, items: [] });
    expect(await said("query", "tiny", cql, "--positions", "--limit", "1")).toBe("0-3 1:0-1 2:2-3\n");
    expect(await json("query", "tiny", '"cat"', "--positions")).toEqual({
      hits: 1,
      items: [{ begin: 2, end: 3, labels: {} }],
    });
  });

  it("gives labels of matches that were made wider", async () => {
    const cql = 'x:[tag="VB"] expand to s';
    expect(await json("query", "tiny", cql, "--positions", "--limit", "1")).toEqual({
      hits: 3,
      items: [{ begin: 0, end: 7, labels: { x: { begin: 3, end: 4 } } }],
    });
    const [answer] = await batch([{ query: cql, positions: true, limit: 1 }]);
    expect(answer.items[0].labels).toEqual({ x: { begin: 3, end: 4 } });
  });

  it("keeps the matches that a strategy keeps", async () => {
    const cql = '[tag="DT"] []* [tag="NN"] within <s/>';
    const ranges = async (...args: string[]) =>
      (await said("query", "tiny", cql, "--positions", ...args)).trim().split("\n");
    expect(await ranges()).toEqual(["0-3", "0-6", "4-6", "7-9"]);
    expect(await ranges("--strategy", "longest")).toEqual(["0-6", "7-9"]);
    expect(await ranges("--strategy", "shortest")).toEqual(["0-3", "4-6", "7-9"]);
  });

  it("takes lists of words from files", async () => {
    const args = ["--list", `animals=${file("animals.txt", "cat\r\ndog\n\nemu\n")}`];
    expect(await json("query", "tiny", "[lemma=$animals]", "--count", ...args)).toMatchObject({ hits: 5 });
    const two = [...args, "--list", `verbs=${file("verbs.txt", "see")}`];
    expect(await json("query", "tiny", "[lemma=$animals] [lemma=$verbs]", "--count", ...two)).toMatchObject({
      hits: 2,
    });
    const missing = await run(["query", "tiny", "[lemma=$animals]", "--list", "animals=nowhere", "--json"]);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout).error).toMatchObject({ message: expect.stringContaining("nowhere") });
  });

  it("says when the gap limit may have cut something", async () => {
    const args = ["query", "tiny", '"The" []* "Dogs"', "--count", "--gap-max", "3"];
    expect(await json(...args)).toEqual({
      hits: 0,
      exact: true,
      corpus: "tiny@1",
      notices: [{ code: "gap_limit", message: expect.stringContaining("gapMax") }],
    });
    expect(await run(args)).toMatchObject({
      code: 0,
      stdout: "0\n",
      stderr: expect.stringMatching(/^note: /),
    });
    expect(await json(...args.slice(0, 4))).toEqual({ hits: 1, exact: true, corpus: "tiny@1" });
    expect(await json("query", "tiny", '"The" []* "Dogs"', "--positions", "--gap-max", "3")).toMatchObject({
      hits: 0,
      items: [],
      notices: [{ code: "gap_limit" }],
    });
  });

  it.each(['TAB "The" * "Dogs"', '"The" []* <s/>', '("The" []* "Dogs" cut 9) "see"'])(
    "says so wherever a repeat stands: %s",
    async (cql) => {
      const [cut, whole] = await batch([{ query: cql }, { query: `${cql} within <s/>` }], "--gap-max", "1");
      expect(cut.notices).toMatchObject([{ code: "gap_limit" }]);
      if (!cql.includes("cut")) expect(whole.notices).toBeUndefined();
    },
  );

  it.each([
    ['[tag="DT"] []{0,3} 1:[tag="NN"] within <s/>', []],
    ['"dog" "."', ["--limit", "5"]],
    ['[tag="DT"] []* [tag="NN"]', ["--strategy", "shortest", "--limit", "9"]],
    ['[word="(.).*\\1"] cut 12', []],
    ["<s/> expand to doc", ["--limit", "3"]],
  ])("finds with two threads what it finds with one: %s", async (cql, args) => {
    const one = await json("query", "many", cql, "--positions", ...args);
    expect(one.hits).toBeGreaterThan(0);
    expect(await json("query", "many", cql, "--positions", "--workers", "2", ...args)).toEqual(one);
    expect((await json("query", "many", cql, "--count", "--workers", "2", ...args)).hits).toBe(one.hits);
  });

  it("says that a label is bound twice, however it is asked", async () => {
    const cql = '1:[tag="DT"] 1:[tag="NN"]';
    const notices = [{ code: "repeated_label", message: expect.stringContaining("label 1"), span: [13, 25] }];
    for (const how of [["--count"], ["--positions"], ["--limit", "1"]])
      expect(await json("query", "tiny", cql, ...how), how[0]).toMatchObject({ hits: 2, notices });
    expect(await batch([{ query: cql }])).toMatchObject([{ hits: 2, notices }]);
    expect(await json("explain", "tiny", cql)).toMatchObject({ notices });
    expect(await json("explain", "tiny", cql, "--analyze")).toMatchObject({ hits: 2, notices });
    const { stderr } = await run(["query", "tiny", cql]);
    expect(stderr).toBe("note: label 1 is bound twice in one sequence. Give one of the two another name.\n");
  });

  it("says what was found last of all: nothing", async () => {
    const { code, stdout, stderr } = await run(["query", "tiny", '"emu"']);
    expect([code, stdout]).toEqual([0, "0 matches in tiny@1\n"]);
    expect(stderr).toMatch(/^note: no word in tiny matches/);
  });

  it("ends quietly when nobody reads on", async () => {
    for (const args of [["--positions"], ["--positions", "--json"], ["--limit", "40000"]]) {
      const ended = await run(["query", "many", "a:[]", ...args], { enough: true });
      expect(ended, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("dugong query, lines", () => {
  const lines = async (...args: string[]) => (await json("query", "tiny", ...args)).lines;

  it("shows sentences, tags, references and attributes as it is told", async () => {
    const args = [
      "--view",
      "sentence",
      "--tags",
      "s,doc",
      "--refs",
      "doc.id,s,#",
      "--node-attributes",
      "word,tag",
    ];
    expect(await lines('"dog"', ...args)).toEqual([
      {
        begin: 5,
        end: 6,
        left: '<doc id="d0"><s>The old cat sees a',
        match: "dog/NN",
        right: ".</s>",
        gluedRight: true,
        refs: { "doc.id": "d0", s: 0, "#": 5 },
      },
      {
        begin: 8,
        end: 9,
        left: "<s>A",
        match: "dog/NN",
        right: "sleeps.</s></doc>",
        refs: { "doc.id": "d0", s: 1, "#": 8 },
      },
    ]);
    const text = await said("query", "tiny", '"dog"', ...args, "--width", "60");
    expect(text).toBe(
      [
        'd0  0  5  <doc id="d0"><s>The old cat sees a [dog/NN].</s>',
        "d0  1  8  <s>A [dog/NN] sleeps.</s></doc>",
        "2 matches in tiny@1",
        "",
      ].join("\n"),
    );
  });

  it("shows context in tokens, characters and structures", async () => {
    const around = async (context: string) => {
      const [{ left, right }] = await lines('"sleeps"', "--context", context);
      return [left, right];
    };
    expect(await around("1")).toEqual(["dog", "."]);
    expect(await around("6c")).toEqual(["A dog", ". Dogs"]);
    expect(await around("1s")).toEqual(["A dog", "."]);
    expect(await around("2 s")).toEqual(["The old cat sees a dog. A dog", ". Dogs see dogs."]);
    expect(await around("1 doc")).toEqual(["The old cat sees a dog. A dog", "."]);
  });

  it("shows what labels are bound to", async () => {
    const cql = '1:[tag="JJ"] noun:[tag="NN"]';
    expect(await lines(cql, "--context", "0")).toEqual([
      {
        begin: 1,
        end: 3,
        left: "",
        match: "old cat",
        right: "",
        labels: { 1: { begin: 1, end: 2 }, noun: { begin: 2, end: 3 } },
      },
    ]);
    expect(await said("query", "tiny", cql, "--labels")).toContain("[{1:old} {noun:cat}]");
  });

  it("shows the target, which has no colon", async () => {
    const cql = '[tag="JJ"] @[tag="NN"]';
    const labels = { target: { begin: 2, end: 3 } };
    expect(await lines(cql)).toMatchObject([{ begin: 1, end: 3, labels }]);
    expect(await said("query", "tiny", cql, "--labels")).toContain("[old {target:cat}]");
    const positions = { hits: 1, items: [{ begin: 1, end: 3, labels }] };
    expect(await json("query", "tiny", cql, "--positions")).toEqual(positions);
    expect(await batch([{ query: cql, positions: true }])).toEqual([positions]);
  });

  it("takes the steps of a chain, and pages through what comes out", async () => {
    const args = ["[]", "--sort", "word/i 0", "--collation", "bytes", "--context", "0"];
    const all = (await lines(...args, "--limit", "99")).map(({ begin }: { begin: number }) => begin);
    expect(all).toHaveLength(15);
    expect(await json("query", "tiny", ...args, "--from", "4", "--limit", "3")).toMatchObject({
      hits: 15,
      exact: true,
      corpus: "tiny@1",
      lines: all.slice(4, 7).map((begin: number) => ({ begin })),
    });
    expect(await json("query", "tiny", '"dog"', "--drop", '0..3 "sleeps"', "--count")).toMatchObject({
      hits: 1,
    });
    const positions = await json("query", "tiny", "[]", "--sort", "word/- 0", "--positions", "--limit", "1");
    expect(positions).toEqual({ hits: 15, items: [{ begin: 0, end: 1, labels: {} }] });
    const filtered = await lines('"see"', "--filter", 's first as:who [tag="NN"]', "--context", "0");
    expect(filtered[0].labels).toEqual({ who: { begin: 11, end: 12 } });
    const chain = file(
      "chain.json",
      JSON.stringify([
        { step: "query", query: '"dog"' },
        { step: "first", structure: "doc" },
      ]),
    );
    expect(await json("query", "tiny", "--chain", chain, "--count")).toMatchObject({ hits: 1 });
  });

  it("looks at one match closely", async () => {
    expect(await json("query", "tiny", '"dog"', "--expand", "2", "--context", "1 doc")).toEqual({
      hits: 2,
      exact: true,
      corpus: "tiny@1",
      number: 2,
      lines: [{ begin: 8, end: 9, left: "The old cat sees a dog. A", match: "dog", right: "sleeps." }],
    });
    expect(await said("query", "tiny", '"dog"', "--expand", "1", "--refs", "doc.id", "--width", "40")).toBe(
      "doc.id d0\n\nThe old cat sees a [dog]. A dog sleeps.\nDogs see dogs.\n\nmatch 1 of 2 in tiny@1\n",
    );
    const none = await run(["query", "tiny", '"dog"', "--expand", "3", "--json"]);
    expect([none.code, JSON.parse(none.stdout).error.code]).toEqual([1, "no_hit"]);
  });

  it("gives the best examples", async () => {
    const best = await lines('"dog"', "--examples", "1", "--formula", "length", "--context", "0");
    expect(best).toMatchObject([{ begin: 5 }]);
    const wrong = await run(["query", "tiny", '"dog"', "--examples", "1", "--formula", "lenght"]);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean length?") });
    // The place is in the formula, not in the query.
    expect(wrong.stderr).toMatch(/\n {2}lenght\n {2}\^{6}\n$/);
  });

  it("exports everything to standard output or a file", async () => {
    const args = ["query", "many", '"cat"', "--context", "1", "--refs", "doc.id"];
    const csv = (await said(...args, "--format", "csv")).split("\r\n");
    expect(csv).toHaveLength(2002);
    expect(csv.slice(0, 2)).toEqual(["begin,end,doc.id,left,match,right", "2,3,d0,old,cat,sees"]);
    const some = (await said(...args, "--format", "jsonl", "--from", "10", "--limit", "2"))
      .trimEnd()
      .split("\n");
    expect(some.map((line) => JSON.parse(line).refs["doc.id"])).toEqual(["d10", "d11"]);
    expect(await said(...args, "--output", "cats.tsv")).toBe("2,000 lines of many@1 written to cats.tsv\n");
    expect(readFileSync(join(folder, "cats.tsv"), "utf8").split("\n")).toHaveLength(2002);
    expect(await json(...args, "--output", "cats.xlsx")).toEqual({
      written: 2000,
      corpus: "many@1",
      format: "xlsx",
      output: "cats.xlsx",
      sheets: 1,
    });
    expect(readFileSync(join(folder, "cats.xlsx")).toString("latin1", 0, 4)).toBe("PK\x03\x04");
    const failed = await run([...args, "--output", "missing/cats.csv"]);
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    const empty = await said("query", "tiny", '"emu"', "--format", "csv");
    expect(empty).toBe("begin,end,left,match,right\r\n");
  });

  it("shows what belongs to a match in another corpus", async () => {
    const sentences = (...texts: string[]) =>
      texts.map((text, i) => `<s id="${i}">\n${text.replaceAll(" ", "\n")}\n</s>\n`).join("");
    for (const [name, text] of [
      ["en", sentences("The cat sleeps", "Dogs bark", "Yes")],
      ["de", sentences("Die Katze schläft", "Hunde bellen")],
    ]) {
      const made = await run(["encode", name, file(`${name}.vert`, text), "--attributes", "word", "--json"]);
      expect(made.code, made.stderr).toBe(0);
    }
    await said("align", "en", "de", "--match", "s.id");
    const unknown = await run(["query", "en", '[wrd="x"] within de: [wort="y"]']);
    expect(unknown.stderr.match(/no attribute "w\w+" in corpus \w+/g)).toEqual([
      'no attribute "wrd" in corpus en',
      'no attribute "wort" in corpus de',
    ]);
    const args = ["query", "en", '"cat|Yes"', "--aligned", "de", "--context", "0"];
    expect((await json(...args)).lines.map(({ aligned }: { aligned: unknown }) => aligned)).toEqual([
      { de: [{ begin: 0, end: 3, text: "Die Katze schläft" }] },
      { de: [] },
    ]);
    expect(await said(...args)).toMatch(/\[cat\].*\n {2}de: Die Katze schläft\n.*\[Yes\].*\n {2}de: –\n/);
    expect(await said(...args, "--format", "tsv", "--limit", "1")).toBe(
      "begin\tend\tleft\tmatch\tright\tde\n1\t2\t\tcat\t\tDie Katze schläft\n",
    );
    const apart = await run(["query", "en", '"cat"', "--aligned", "tiny", "--json"]);
    expect([apart.code, JSON.parse(apart.stdout).error.code]).toEqual([1, "no_alignment"]);
  });

  it("shows where an error is in the query that has it", async () => {
    const { code, stderr } = await run(["query", "tiny", '"dog"', "--filter", 's [lema="x"]']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Did you mean lemma\?\n {2}\[lema="x"\]\n {3}\^\^\^\^\n$/);
  });

  it("says what is wrong with a chain, and with a filter", async () => {
    const chain = (text: string) => run(["query", "tiny", "--chain", "-"], { input: text });
    expect(await chain('{"step":"query"}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("list of steps"),
    });
    expect(await chain('[{"step":')).toMatchObject({ code: 2, stderr: expect.stringContaining("not JSON") });
    expect(await chain("[null]")).toMatchObject({ code: 1, stderr: expect.stringContaining("step 1") });
    for (const option of ["seed=3", "collation=cs", "formula=length", "blacklist=words.txt"])
      expect(await run(["query", "tiny", '"dog"', "--outermost", `--${option}`])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/belongs to --(sample or --shuffle|sort|examples)/),
      });
    for (const filter of ["-3..3", "s", "first outside"])
      expect(await run(["query", "tiny", '"dog"', "--filter", filter])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("Write a query behind the window"),
      });
  });

  it("answers batches with steps, from lines or from options", async () => {
    const steps = [{ step: "first", structure: "doc" }];
    const answers = await batch(
      [
        { query: '"dog"' },
        { query: '"dog"', steps },
        { query: '"dog"', steps: [], positions: true, limit: 1 },
        { query: '"dog"', steps: [{ step: "frist" }] },
        { query: '"dog"', steps: 3 },
      ],
      "--drop",
      '0..0 "dog"',
    );
    expect(answers).toEqual([
      { hits: 0, exact: true, corpus: "tiny@1" },
      { hits: 1, exact: true, corpus: "tiny@1" },
      { hits: 2, items: [{ begin: 5, end: 6, labels: {} }] },
      {
        error: { code: "bad_chain", message: expect.stringContaining("step 2"), hint: "Did you mean first?" },
      },
      { error: { code: "bad_line", message: expect.stringContaining("steps") } },
    ]);
  });
});

describe("dugong query --batch", () => {
  it("answers line by line, in order, and goes on behind what is wrong", async () => {
    const answers = await batch([
      { query: '[tag="NN"]' },
      "no json",
      { query: '[lema="dog"]' },
      "",
      { query: "[" },
      { query: '1:"cat"', positions: true },
      { query: "[]", positions: true, limit: 1 },
      "null",
      { cql: "[]" },
      { query: "[word=$nowhere]", count: true },
      { query: "[] []", count: true },
    ]);
    expect(answers).toEqual([
      { hits: 5, exact: true, corpus: "tiny@1" },
      { error: { code: "bad_line", message: expect.any(String) } },
      {
        error: {
          code: "unknown_attribute",
          message: expect.stringContaining('"lema"'),
          hint: "Did you mean lemma?",
          span: [1, 5],
        },
      },
      { error: { code: "unbalanced", message: "a [ has no ]", span: [0, 1] } },
      { hits: 1, items: [{ begin: 2, end: 3, labels: { 1: { begin: 2, end: 3 } } }] },
      { hits: 15, items: [{ begin: 0, end: 1, labels: {} }] },
      { error: { code: "bad_line", message: expect.any(String) } },
      { error: { code: "bad_line", message: expect.any(String) } },
      {
        error: { code: "unknown_list", message: expect.any(String), hint: expect.any(String), span: [6, 14] },
      },
      { hits: 14, exact: true, corpus: "tiny@1" },
    ]);
  });

  it("refuses what a line cannot mean", async () => {
    const answers = await batch([
      { query: "[]", strategy: "greedy" },
      { query: "[]", positions: true, limit: -1 },
      { query: "[]", positions: true, limit: "all" },
      { query: "[]", count: "yes" },
      { query: "[]", count: true, positions: true },
    ]);
    expect(answers.map(({ error }) => error?.code)).toEqual(Array(5).fill("bad_line"));
    expect(answers[0].error.message).toContain("strategy");
    expect(answers[1].error.message).toContain("limit");
  });

  it("takes strategies from lines, and what no line says from the options", async () => {
    const query = '[tag="DT"] []* [tag="NN"] within <s/>';
    const lines = [{ query }, { query, strategy: "all" }];
    const answers = await batch(lines, "--strategy", "longest");
    expect(answers.map(({ hits }) => hits)).toEqual([2, 4]);
  });

  it("answers a thousand queries from a file, with one thread or two", async () => {
    const words = ["cat", "dog", "a", "A", "emu"];
    const counts = [1, 2, 1, 1, 0];
    const lines = Array.from({ length: 1000 }, (_, i) => ({ query: `[] "${words[i % 5]}" []` }));
    const path = file("thousand.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    for (const workers of ["1", "2"]) {
      const answers = (await said("query", "tiny", "--batch", path, "--workers", workers)).trim().split("\n");
      expect(answers).toHaveLength(1000);
      expect(answers.map((line) => JSON.parse(line).hits)).toEqual(lines.map((_, i) => counts[i % 5]));
    }
  });

  it("says that there is no such file", async () => {
    const { code, stdout } = await run(["query", "tiny", "--batch", "nowhere.jsonl", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ message: expect.stringContaining("nowhere.jsonl") });
  });
});

describe("what is wrong", () => {
  it.each([
    ["query"],
    ["query", "tiny"],
    ["query", "tiny", "[]", "--batch", "-"],
    ["query", "tiny", "[]", "--count", "--positions"],
    ["query", "tiny", "[]", "--strategy", "greedy"],
    ["query", "tiny", "[]", "--limit", "few"],
    ["query", "tiny", "[]", "--list", "animals"],
    ["query", "tiny", "[]", "--workers", "0"],
    ["query", "tiny", "[]", "--context", "x"],
    ["query", "tiny", "[]", "--count", "--format", "csv"],
    ["query", "tiny", "[]", "--expand", "0"],
    ["query", "tiny", "[]", "--output", "lines"],
    ["query", "tiny", "[]", "--structure", "s"],
    ["query", "tiny", "[]", "--view", "page"],
    ["explain", "tiny"],
    ["explain", "tiny", "[]", "--count"],
  ])("is the usage: %s %s %s %s %s", async (...args) => {
    const { code, stdout, stderr } = await run(args.filter((arg) => arg !== undefined));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^dugong: .+\n.+\n$/);
  });

  it.each(["query", "explain"])("is the query: %s shows where, once", async (command) => {
    const { code, stdout, stderr } = await run([command, "tiny", '[lema="dog"]']);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^dugong: no attribute "lema" in corpus tiny \(it has .*\)\. Did you mean lemma\?\n {2}\[lema="dog"\]\n {3}\^\^\^\^\n$/,
    );
    const names = await run([command, "tiny", '[lema="x"] within <dok/>']);
    expect(names.stderr).toMatch(/\n {3}\^{4}\n\nno structure "dok" .*\n.*\n {21}\^{3}\n$/);
    const two = await run([command, "tiny", '[word="a" [']);
    expect(two.code).toBe(1);
    expect(two.stderr.match(/a \[ has no \]\n {2}\[word="a" \[\n +\^\n/g)).toHaveLength(2);
  });

  it.each(["query", "explain"])("is the query: %s tells programs where", async (command) => {
    const { code, stdout } = await run([command, "tiny", '[lema="dog"]', "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "unknown_attribute",
        message: expect.stringContaining('no attribute "lema" in corpus tiny'),
        hint: "Did you mean lemma?",
        span: [1, 5],
      },
    });
  });

  it("is the query, and shows only when it runs", async () => {
    const cql = '1:[]* 2:[]* 3:[]* & 1.word = "x" & 2.word = "y" & 3.word = "z"';
    for (const args of [["query"], ["explain", "--analyze"]]) {
      const { code, stderr } = await run([args[0], "many", cql, ...args.slice(1)]);
      expect(code, stderr).toBe(1);
      expect(stderr).toContain("derivations");
    }
  });

  it.each(["query", "explain"])("is the corpus: %s knows none of that name", async (command) => {
    const { code, stdout, stderr } = await run([command, "tyni", "[]", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: "no_corpus", hint: "Did you mean tiny?" });
    expect(stderr).toContain("Did you mean tiny?");
  });
});

describe("dugong explain", () => {
  const cql = '[tag="DT"] []{0,4} [tag="NN"] within <s/>';
  const step = {
    operator: expect.any(String),
    estimatedRows: expect.any(Number),
    estimatedMs: expect.any(Number),
  };

  it("draws the plan as a tree", async () => {
    const lines = (await said("explain", "tiny", cql)).trimEnd().split("\n");
    expect(lines[0]).toBe(cql);
    expect(lines[1]).toBe("filter within <s/>");
    expect(lines[2]).toMatch(/^│ about \d+ ranges, [\d.e-]+ ms$/);
    expect(lines[3]).toMatch(/^└ \w.* \[tag="DT"\] \[\]\{0,4\} \[tag="NN"\]$/);
  });

  it("shows what each step found and took", async () => {
    const text = await said("explain", "tiny", cql, "--analyze");
    expect(text).toMatch(/about \d+ ranges, [\d.e-]+ ms; found 4, took [\d.]+ ms\n/);
    expect(text).toMatch(/\n4 matches in [\d.]+ ms, planned in [\d.]+ ms\n$/);
  });

  it("gives programs the tree, and what was measured", async () => {
    const plan = await json("explain", "tiny", cql);
    expect(plan).toEqual({
      corpus: "tiny@1",
      query: cql,
      strategy: "all",
      planMs: expect.any(Number),
      plan: {
        ...step,
        detail: "within <s/>",
        inputs: [expect.objectContaining({ ...step, why: expect.any(String) })],
      },
    });
    const measured = { ...step, rows: 4, ms: expect.any(Number) };
    expect(await json("explain", "tiny", cql, "--analyze", "--strategy", "longest")).toMatchObject({
      strategy: "longest",
      hits: 2,
      runMs: expect.any(Number),
      plan: { inputs: [{ operator: plan.plan.inputs[0].operator }] },
    });
    expect(await json("explain", "tiny", cql, "--analyze")).toMatchObject({
      hits: 4,
      plan: { ...measured, inputs: [measured] },
    });
  });
});
