/** `dugong subcorpus` and `dugong align` as a shell sees them: what they print, and how they end. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
let folder: string;

function dugong(args: string[], input = "") {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env,
    input,
    cwd: folder,
  });
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() };
}

function json(args: string[], input = "") {
  const { code, stdout } = dugong([...args, "--json"], input);
  return { code, ...JSON.parse(stdout) };
}

/** Ten documents of two sentences: one of the word w<n>, one of it and another. */
const text = Array.from(
  { length: 10 },
  (_, n) => `<doc id="d${n}">\n<s id="${n}.1">\nw${n}\n</s>\n<s id="${n}.2">\nw${n}\nx\n</s>\n</doc>\n`,
).join("");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cli-parts-"));
  writeFileSync(join(folder, "text.vert"), text);
  for (const corpus of ["one", "two"])
    expect(dugong(["encode", corpus, "text.vert", "--attributes", "word"]).code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("dugong subcorpus", () => {
  it("names parts of a corpus, lists and describes them, and lets them go", () => {
    const create = (...args: string[]) => json(["subcorpus", "create", "one", ...args]);
    expect(create("first", "--within", '<doc id="d[0-3]"/>')).toMatchObject({
      code: 0,
      corpus: "one@1",
      name: "first",
      kind: "query",
      tokens: 12,
      share: 0.4,
      documents: 4,
      ranges: 1,
    });
    expect(create("second", "--from-query", '"w[2-5]"', "--first", "doc", "--structure", "s")).toMatchObject({
      kind: "hits",
      tokens: 4,
      documents: 4,
    });
    expect(create("common", "--intersection", "first,second")).toMatchObject({ tokens: 2, documents: 2 });
    expect(create("rest", "--difference", "first,second")).toMatchObject({ tokens: 10, documents: 4 });
    const listed = json(
      ["subcorpus", "create", "one", "ids", "--values", "doc.id", "--file", "-"],
      "d1\r\nd7\nzz\n",
    );
    expect(listed).toMatchObject({ tokens: 6, notices: [{ code: "unknown_values" }] });
    const { subcorpora } = json(["subcorpus", "list", "one"]);
    expect(subcorpora.map(({ name }: { name: string }) => name)).toEqual([
      "common",
      "first",
      "ids",
      "rest",
      "second",
    ]);
    const people = dugong(["subcorpus", "list", "one"]).stdout.split("\n");
    expect(people[0]).toMatch(/^name +tokens +share +documents +definition$/);
    expect(people[2]).toMatch(/^first +12 +40\.0 % +4 +<doc id="d\[0-3\]"\/>$/);
    const { definition } = json(["subcorpus", "info", "one", "common"]);
    writeFileSync(join(folder, "definition.json"), JSON.stringify(definition));
    expect(create("copy", "--definition", "definition.json")).toMatchObject({
      kind: "intersection",
      tokens: 2,
    });
    expect(json(["subcorpus", "remove", "one", "copy"])).toEqual({ code: 0, corpus: "one", removed: "copy" });
    expect(dugong(["verify", "one"]).code).toBe(0);
  });

  it("says what is wrong, and ends with 1 or 2", () => {
    const failing = (...args: string[]) => {
      const { code, error } = json(["subcorpus", ...args]);
      return [code, error.code];
    };
    expect(failing("create", "one", "x")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x", "--query", "[]", "--union", "a")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x", "--query", "[]", "--structure", "s")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x", "--query", "[]", "--sample", "3")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x", "--values", "doc.id")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x", "--values", "doc", "--file", "text.vert")).toEqual([2, "bad_usage"]);
    expect(failing("create", "one", "x y", "--query", "[]")).toEqual([2, "bad_name"]);
    expect(failing("create", "one", "x", "--query", "[")).toEqual([1, expect.stringMatching(/./)]);
    expect(failing("create", "one", "x", "--union", "nowhere")).toEqual([1, "no_subcorpus"]);
    expect(failing("info", "one", "nowhere")).toEqual([1, "no_subcorpus"]);
    expect(failing("list", "none")).toEqual([1, "no_corpus"]);
    expect(dugong(["subcorpus", "info", "one", "frist"]).stderr).toContain("Did you mean first?");
    const wrong = dugong(["subcorpus", "create", "one", "x", "--query", '[wrd="x"]']);
    expect(wrong.stderr).toContain("^^^");
  });
});

describe("dugong align", () => {
  it("aligns two corpora, which can then be asked together", () => {
    const refused = dugong(["query", "one", "[] within two: []"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("dugong align one two")]);
    expect(json(["align", "one", "two", "--match", "s.id"])).toEqual({
      code: 0,
      corpora: ["one@1", "two@1"],
      structures: ["s", "s"],
      kind: "match",
      beads: 20,
      pairs: 20,
      aligned: [20, 20],
      total: [20, 20],
      warnings: [],
    });
    for (const workers of ["1", "2"])
      expect(json(["query", "one", '[] within two: "x"', "--count", "--workers", workers])).toMatchObject({
        hits: 20,
      });
    expect(json(["query", "two", '"w.*" !within one: "x"', "--count"])).toMatchObject({ hits: 10 });
    writeFileSync(join(folder, "rows.tsv"), "0\t1\n2,3\t-1\n77\t2\n");
    const again = dugong(["align", "two", "one", "--file", "rows.tsv"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("--replace")]);
    const replaced = dugong(["align", "two", "one", "--file", "rows.tsv", "--replace"]);
    expect(replaced.stdout.split("\n").slice(0, 3)).toEqual([
      "two@1 and one@1 are aligned: 3 rows (1 with both sides)",
      "3 of 20 s of two@1, 2 of 20 s of one@1",
      "  numbers of s that two does not have (it has 20) (1×): line 3: 77",
    ]);
    expect(json(["query", "two", '[] within one: "x"', "--positions"]).items).toEqual([
      { begin: 0, end: 1, labels: {} },
    ]);
    expect(json(["align", "list"]).alignments).toMatchObject([
      { kind: "file", beads: 3, sides: [{ corpus: "two", structure: "s" }, { corpus: "one" }] },
    ]);
    expect(dugong(["align", "list", "one"]).stdout).toMatch(/two, one +s, s +3 +a file/);
    expect(json(["align", "remove", "one", "two"])).toEqual({ code: 0, removed: ["one", "two"] });
    expect(json(["align", "remove", "one", "two"])).toMatchObject({
      code: 1,
      error: { code: "no_alignment" },
    });
    expect(json(["align", "one", "two"])).toMatchObject({ code: 2, error: { code: "bad_usage" } });
    expect(dugong(["align", "--help"]).stdout).toContain("two\ncolumns with a tab between");
  });
});
