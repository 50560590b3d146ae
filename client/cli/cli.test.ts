/** The command line as a shell sees it: child processes of the built program, what they print and how they end. */
import { type ChildProcess, spawn } from "node:child_process";
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
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Catalog } from "../../storage/index.js";
import { duration, grouped, size, table } from "./format.js";
import { byteCount, multivalue, nameList, names } from "./options.js";
import { statusText } from "./progress.js";

const root = join(import.meta.dirname, "../..");
const main = join(root, "dist/client/cli/main.js");
const shared = join(root, "../shared/data");
/** Tests on real corpora are left out where there are none, but not where everything must be tested. */
const needsCorpora = { skip: !existsSync(shared) && process.env.CI !== "true" };

let folder: string;
let data: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cli-"));
  data = join(folder, "data");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Running {
  child: ChildProcess;
  ended: Promise<Ended>;
}

interface Ended {
  code: number | null;
  bytes: Buffer;
  stdout: string;
  stderr: string;
}

interface Options {
  input?: string | Buffer;
  env?: Record<string, string>;
  cwd?: string;
}

function start(args: string[], options: Options = {}): Running {
  const env = { ...process.env, DUGONG_DATA: data, ...options.env };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: options.cwd ?? folder });
  const parts: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const bytes = Buffer.concat(parts);
      resolve({ code, bytes, stdout: bytes.toString(), stderr });
    });
  });
  return { child, ended };
}

function run(args: string[], options: Options = {}): Promise<Ended> {
  const { child, ended } = start(args, options);
  child.stdin?.end(options.input ?? "");
  return ended;
}

/** Runs a command that must succeed with one JSON document. */
async function json(args: string[], options: Options = {}) {
  const { code, stdout, stderr } = await run([...args, "--json"], options);
  expect(code, stderr).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(stdout);
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const text = [
  '<doc id="a" subject="x|y">',
  "<s>",
  "The\tthe\tDT\tA=1|B=2",
  "cat\tcat\tNN\t_",
  "<g/>",
  ".\t.\t.\t_",
  "</s>",
  "</doc>",
  '<doc id="b" subject="y">',
  "<s>",
  "Cats\tcat\tNN\tB=2",
  "</s>",
  "</doc>",
  "",
].join("\n");
const columns = ["--attributes", "word,lemma,tag,feats"];

describe("dugong", () => {
  it("says which version it is", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("explains itself and every command, with examples", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("welcome");
    const commands = ["encode", "append", "corpora", "info", "dump", "verify", "compact", "remove", "demo"];
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    for (const command of [...commands, "welcome"]) {
      const help = await run([command, "--help"]);
      expect(help.code).toBe(0);
      expect(help.stdout).toContain("--data");
      expect(help.stdout).toContain("--json");
      const examples = help.stdout.slice(help.stdout.indexOf("Examples:"));
      expect(examples.split(`dugong ${command}`).length, command).toBeGreaterThanOrEqual(3);
    }
  });

  it.each([
    [[], "no command given"],
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["inf", "x"], "unknown command 'inf'"],
    [["encode"], "missing required argument 'corpus'"],
    [["encode", "c"], "missing required argument 'files'"],
    [["info"], "missing required argument 'corpus'"],
    [["info", "a", "b"], "too many arguments"],
    [["info", "--colour", "c"], "unknown option '--colour'"],
    [["encode", "c", "f", "--format", "xml"], "'--format <format>' argument 'xml' is invalid"],
    [["encode", "c", "f", "--workers", "many"], "It is not a whole number"],
    [["encode", "c", "f", "--workers", "0"], "from 1 to 256"],
    [["encode", "c", "f", "--segment-bytes", "much"], '"48M"'],
    [["encode", "c", "f", "--multivalue", "feats"], '"feats:|"'],
    [["encode", "c", "f", "--attributes", "word,,tag"], "between two commas"],
    [["dump", "c", "--from", "-1"], "It is not a whole number"],
    [["dump", "c", "--from", "5", "--to", "4"], "--from 5 lies behind --to 4"],
    [["remove", "c"], "there is no terminal to ask on"],
  ])("calls %j wrong usage", async (args, message) => {
    const forPeople = await run(args);
    expect(forPeople).toMatchObject({ code: 2, stdout: "" });
    expect(forPeople.stderr).toContain(`dugong: `);
    expect(forPeople.stderr).toContain(message);
    const forPrograms = await run([...args, "--json"]);
    expect(forPrograms.code).toBe(2);
    const { error } = JSON.parse(forPrograms.stdout);
    expect(error).toMatchObject({ code: "bad_usage", hint: expect.any(String) });
    expect(error.message).toContain(message);
  });

  it("suggests the command and the option that were meant", async () => {
    expect((await run(["inof", "c"])).stderr).toContain("Did you mean info?");
    expect((await run(["dump", "c", "--atributes", "word"])).stderr).toContain("Did you mean --attributes?");
  });

  it("says in two lines what failed and what to do, and where only when it is asked to", async () => {
    const args = ["encode", "c", "nowhere.vert", "--attributes", "word"];
    const failed = await run(args);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toBe('dugong: no file nowhere.vert\nCheck the path; "-" is standard input.\n');
    const forPrograms = await run([...args, "--json"]);
    expect(forPrograms).toMatchObject({ code: 1, stderr: failed.stderr });
    expect(JSON.parse(forPrograms.stdout).error.code).toBe("input_not_found");
    expect((await run(args, { env: { DUGONG_DEBUG: "1" } })).stderr).toMatch(/\n {4}at /);
  });
});

describe("dugong encode", () => {
  it("reads standard input, and tells people and programs what came of it", async () => {
    const { code, stdout, stderr } = await run(["encode", "one", "-", ...columns], { input: text });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^one: 4 tokens, 2 documents, 2 s, 1 g in \d+\.\d s \([\d,]+ tokens\/s\), snapshot 1, \d+\.\d kB\n$/,
    );
    expect(stderr).toMatch(/^one: reading/);
    expect(stderr).toMatch(/^one: writing, \d+%/m);

    const again = await run(["encode", "two", "-", ...columns, "--json"], { input: text });
    expect(JSON.parse(again.stdout)).toEqual({
      corpus: "two",
      snapshot: 1,
      tokens: 4,
      addedTokens: 4,
      documents: 2,
      seconds: expect.any(Number),
      tokensPerSecond: expect.any(Number),
      bytes: expect.any(Number),
      resumed: false,
      unchanged: false,
      warnings: [],
      ignored: [],
    });
    const lines = again.stderr.trimEnd().split("\n");
    for (const line of lines) expect(JSON.parse(line).progress.phase).toEqual(expect.any(String));
    expect(lines.length).toBeGreaterThanOrEqual(4);
  });

  it("refuses to write over a corpus, unless told to, and does nothing twice", async () => {
    const path = file("over.vert", text);
    await json(["encode", "over", path, ...columns]);
    expect(await json(["encode", "over", path, ...columns])).toMatchObject({ unchanged: true, snapshot: 1 });
    expect((await run(["encode", "over", path, ...columns])).stdout).toContain(
      "over: already encoded from the same input; nothing to do",
    );
    const other = ["encode", "over", path, ...columns, "--document", ""];
    const refused = await run([...other, "--json"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).error.code).toBe("corpus_exists");
    expect(await json([...other, "--replace"])).toMatchObject({ snapshot: 2, documents: null });
  });

  it("takes every option to the corpus it makes", async () => {
    const path = file("options.vert", `${text}<doc id="c" subject="z">\nA&amp;B\ta&amp;b\tNN\t_\n</doc>\n`);
    await json([
      ...["encode", "options", path, ...columns, "--entities", "--strict", "--language", "English"],
      ...["--multivalue", "feats:|", "--multivalue", "doc.subject:|", "--unique", "doc.id"],
      ...["--derive", "lc", "--derive", "first=getfirstn(lemma,1)", "--default-attribute", "lemma"],
      ...["--workers", "1", "--segment-bytes", "1k"],
    ]);
    const info = await json(["info", "options"]);
    expect(info).toMatchObject({ defaultAttribute: "lemma", language: "English", document: "doc" });
    expect(info.attributes.feats).toMatchObject({ separator: "|", types: 3, values: 3 });
    expect(info.attributes.lc).toMatchObject({ derived: "lowercase(lemma)" });
    expect(info.attributes.first).toMatchObject({ derived: "getfirstn(lemma,1)" });
    expect(info.structures.doc.attributes).toMatchObject({
      id: { unique: true },
      subject: { separator: "|", values: 3 },
    });
    expect((await run(["dump", "options", "--attributes", "word", "--from", "4"])).stdout).toContain(
      "A&amp;B\n",
    );
  });

  it("reads other encodings, and refuses invalid UTF-8 where it is to be strict", async () => {
    const path = file("latin1.vert", Buffer.from("caf\u00e9\n", "latin1"));
    const strict = await run(["encode", "latin", path, "--attributes", "word", "--strict", "--json"]);
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.stdout).error.message).toContain("latin1.vert");
    await json(["encode", "latin", path, "--attributes", "word", "--encoding", "latin1"]);
    expect((await run(["dump", "latin"])).stdout).toBe("café\n");
  });

  it("reads CoNLL-U without being told its columns", async () => {
    const sentence =
      "# newdoc id = d\n# text = Cats\n# note = n\n1\tCats\tcat\tNOUN\tNNS\t_\t0\troot\t_\t_\n\n";
    const path = file("ud.conllu", sentence);
    await json(["encode", "ud", path, "--format", "conllu", "--skip-comments", "text,note"]);
    const info = await json(["info", "ud"]);
    expect(info).toMatchObject({ tokens: 1, documents: 1 });
    expect(Object.keys(info.attributes)).toContain("deprel");
    expect(JSON.stringify(info.structures)).not.toContain("note");
    expect(await json(["append", "ud", path])).toMatchObject({ tokens: 2, documents: 2 });
  });

  it("reads directories in order, plain and compressed", async () => {
    const folders = join(folder, "many");
    mkdirSync(join(folders, "b"), { recursive: true });
    writeFileSync(join(folders, "b", "2.vert.gz"), gzipSync("two\n"));
    writeFileSync(join(folders, "a.vert"), "one\n");
    writeFileSync(join(folders, "c.vert.gz"), Buffer.concat([gzipSync("three\n"), gzipSync("four\n")]));
    expect(await json(["encode", "many", folders, "--attributes", "word"])).toMatchObject({ tokens: 4 });
    expect((await run(["dump", "many"])).stdout).toBe("one\ntwo\nthree\nfour\n");
  });

  it("sums up what was odd about the input, with places", async () => {
    const path = file("odd.vert", "<s>\na\tb\n\nc\n</p>\n</s>\n\n");
    const args = ["encode", "odd", path, "--attributes", "word,tag", "--replace"];
    const { stdout } = await run(args);
    expect(stdout).toContain(`missing_columns: token lines had too few columns`);
    expect(stdout).toContain(`(1×): ${path}:4`);
    const { warnings } = await json(args);
    expect(warnings).toContainEqual({
      kind: "empty_line",
      message: expect.any(String),
      count: 2,
      places: expect.arrayContaining([{ file: path, line: 3 }]),
    });
  });

  it("says which registry options have no effect: ten of them to people, all to programs", async () => {
    const path = file("registry.vert", "a\n");
    const ignored = Array.from({ length: 12 }, () => 'PATH "/nowhere"').join("\n");
    const registry = file("registry.regi", `${ignored}\nATTRIBUTE word\n`);
    const args = ["encode", "registry", path, "--registry", registry, "--replace"];
    const { stdout } = await run(args);
    expect(stdout.match(/^ {2}line \d+: PATH: /gm)).toHaveLength(10);
    expect(stdout).toContain("and 2 more");
    expect((await json(args)).ignored).toHaveLength(12);
  });

  it.each([
    [["no/slash", "over.vert", "--attributes", "word"], "bad_name"],
    [["-c", "over.vert"], "bad_usage"],
    [["nameless", "over.vert"], "no_attributes"],
    [["big", "over.vert", "--attributes", "word", "--segment-bytes", "1G"], "bad_option"],
    [["odd", "over.vert", "--attributes", "word", "--encoding", "klingon"], "unknown_encoding"],
    [["odd", "over.vert", "--registry", "nowhere.regi"], "input_not_found"],
    [["odd", "over.vert", "--attributes", "word", "--derive", "x=shout(word)"], "unknown_derivation"],
  ])("refuses %j", async (args, code) => {
    file("over.vert", text);
    const ended = await run(["encode", ...args, "--json"]);
    expect(JSON.parse(ended.stdout).error.code).toBe(code);
    // Only what depends on files is no matter of how the command was given.
    expect(ended.code).toBe(code === "input_not_found" ? 1 : 2);
  });

  it("goes on where Ctrl-C stopped it", async () => {
    const long = "<doc>\nword\n</doc>\n".repeat(150_000);
    const args = ["encode", "long", "-", "--attributes", "word", "--segment-bytes", "512k"];
    const { child, ended } = start(args);
    child.stderr?.once("data", () => setTimeout(() => child.kill("SIGINT"), 300));
    child.stdin?.write(long);
    const stopped = await ended;
    expect(stopped).toMatchObject({ code: 130, stdout: "" });
    expect(stopped.stderr).toMatch(/^stopped; run the same command again to resume\n$/m);
    expect(await json(args, { input: long })).toMatchObject({ tokens: 150_000, resumed: true });
  });
});

describe("dugong append", () => {
  it("adds text, once, and again where it is wanted", async () => {
    const path = file("append.vert", text);
    await json(["encode", "grows", path, ...columns]);
    const more = file("more.vert", '<doc id="c">\nmore\tmore\tJJ\t_\n</doc>\n');
    const { stdout } = await run(["append", "grows", more]);
    expect(stdout).toMatch(/^grows: 1 token added, now 5 tokens, 3 documents, .*, snapshot 2, /);
    expect(await json(["append", "grows", more])).toMatchObject({
      unchanged: true,
      tokens: 5,
      addedTokens: 0,
    });
    expect((await run(["append", "grows", more])).stdout).toContain("nothing to do without --again");
    const again = await json(["append", "grows", more, "--again", "--no-compact"]);
    expect(again).toMatchObject({ unchanged: false, tokens: 6, addedTokens: 1, snapshot: 3 });
    expect((await run(["dump", "grows", "--snapshot", "2", "--from", "4"])).stdout).toContain("more\tmore");
  });

  it("takes columns in another order, and says which it has no use for", async () => {
    const path = file("order.vert", "word\tlemma\n");
    await json(["encode", "order", path, "--attributes", "word,lemma"]);
    const other = file("other.vert", "l\tw\n");
    await json(["append", "order", other, "--attributes", "lemma,word"]);
    expect((await run(["dump", "order"])).stdout).toBe("word\tlemma\nw\tl\n");
    const unknown = await run(["append", "order", other, "--attributes", "lemma,word,tag", "--json"]);
    expect(JSON.parse(unknown.stdout).error.code).toBe("unknown_attribute");
  });

  it("does not make a corpus that is not there", async () => {
    const { code, stderr } = await run(["append", "grwos", file("more.vert", "a\n")]);
    expect(code).toBe(1);
    expect(stderr).toContain("Did you mean grows?");
  });
});

describe("dugong corpora", () => {
  it("finds none where there is no data directory", async () => {
    const args = ["corpora", "--data", join(folder, "nowhere")];
    expect(await json(args)).toEqual({ corpora: [] });
    expect(await run(args)).toMatchObject({ code: 0, stdout: expect.stringContaining("no corpora") });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  it("lists what there is, wherever --data stands, and in ./dugong-data if nobody says where", async () => {
    const here = join(folder, "here");
    mkdirSync(here);
    const path = file("here.vert", text);
    const options = { cwd: here, env: { DUGONG_DATA: "" } };
    await json(["encode", "b", path, ...columns], options);
    await json(["encode", "a", path, ...columns, "--document", ""], options);
    const listed = await json(["corpora"], options);
    expect(listed.corpora).toMatchObject([
      { name: "a", tokens: 4, documents: null, snapshot: 1, bytes: expect.any(Number) },
      { name: "b", tokens: 4, documents: 2, snapshot: 1, created: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect(await json(["corpora", "--data", join(here, "dugong-data")])).toEqual(listed);
    expect(await json(["--data", join(here, "dugong-data"), "corpora"])).toEqual(listed);
    const { stdout } = await run(["corpora"], options);
    expect(stdout.split("\n")[0].split(/ {2,}/)).toEqual([
      "name",
      "tokens",
      "documents",
      "snapshot",
      "bytes",
      "created",
    ]);
    expect(stdout).toMatch(/^b +4 +2 +1 +\d+\.\d kB +\d{4}-\d\d-\d\d \d\d:\d\d$/m);
  });

  it("lists and removes what an older version wrote, though nothing else can be done with it", async () => {
    const older = join(folder, "older");
    const options = { env: { DUGONG_DATA: older } };
    await json(["encode", "old", file("older.vert", text), ...columns], options);
    const catalog = Catalog.open(older);
    catalog.database.putSync(["snapshot", "old", 1], { ...catalog.manifest("old"), format: 1 });
    await catalog.close();
    const info = await run(["info", "old"], options);
    expect([info.code, info.stderr]).toEqual([1, expect.stringMatching(/was written in format 1/)]);
    expect(await json(["corpora"], options)).toMatchObject({
      corpora: [{ name: "old", tokens: 4, documents: 2 }],
    });
    expect(await json(["remove", "old", "--yes"], options)).toEqual({ removed: "old" });
  });

  it("welcomes with what there is and what to try", async () => {
    const options = { cwd: join(folder, "here"), env: { DUGONG_DATA: "" } };
    const { code, stdout } = await run(["welcome", "--no-serve"], options);
    expect(code).toBe(0);
    expect(stdout).toContain(join(folder, "here", "dugong-data"));
    expect(stdout.match(/^ {2}npx dugong /gm)).toHaveLength(3);
    expect((await json(["welcome", "--no-serve"], options)).corpora).toHaveLength(2);
  });
});

describe("a corpus that is there", () => {
  const corpus = "there";

  beforeAll(async () => {
    const path = file("there.vert", text);
    await json(["encode", corpus, path, ...columns, "--multivalue", "feats:|", "--unique", "doc.id"]);
  });

  it("is described: one document for programs", async () => {
    expect(await json(["info", corpus])).toMatchObject({
      name: corpus,
      snapshot: 1,
      tokens: 4,
      documents: 2,
      attributes: { word: { types: 4 }, lemma: { types: 3 }, tag: { types: 3 }, feats: { types: 3 } },
      structures: { s: { count: 2 }, doc: { count: 2 }, g: { count: 1 } },
      bytes: expect.any(Number),
      segments: 1,
    });
  });

  it("is described: tables for people", async () => {
    const { code, stdout } = await run(["info", corpus]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^there@1: 4 tokens, 2 documents, 1 segment, /);
    expect(stdout).toMatch(/^attribute +types$/m);
    expect(stdout).toMatch(/^feats +3 {2}several values between "\|": 3 values$/m);
    expect(stdout).toMatch(/^ {2}\.id +unique$/m);
    expect(stdout).toMatch(/^all +[\d, ]+ {2}\d+\.\d{3}$/m);
    expect(stdout).toMatch(/^1 +4 +1 +\d{4}-/m);
  });

  it("comes back as it went in, and in part", async () => {
    expect((await run(["dump", corpus])).stdout).toBe(text);
    const part = ["dump", corpus, "--from", "1", "--to", "3", "--no-structures", "--attributes", "tag,word"];
    expect((await run(part)).stdout).toBe("NN\tcat\n.\t.\n");
    const lines = (await run(["dump", corpus, "--json", "--from", "3"])).stdout;
    expect(lines).toBe('{"position":3,"word":"Cats","lemma":"cat","tag":"NN","feats":"B=2"}\n');
    expect((await run(["dump", corpus, "--from", "100"])).stdout).toBe("");
  });

  it("is verified, and told to be broken when it is", async () => {
    const intact = await run(["verify", corpus]);
    expect(intact).toMatchObject({ code: 0, stdout: expect.stringContaining("no problems") });
    expect(await json(["verify", corpus, "--quick"])).toMatchObject({ corpus: "there@1", problems: [] });

    await json(["encode", "broken", join(folder, "there.vert"), ...columns]);
    const broken = readdirSync(join(data, "broken"), { recursive: true, encoding: "utf8" }).find((path) =>
      path.endsWith("lemma.stream"),
    ) as string;
    const bytes = readFileSync(join(data, "broken", broken));
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(join(data, "broken", broken), bytes);
    const found = await run(["verify", "broken"]);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("lemma.stream");
    expect(found.stdout).toMatch(/\d+ problems?\n$/);
    const forPrograms = await run(["verify", "broken", "--quick", "--json"]);
    expect(forPrograms.code).toBe(1);
    expect(JSON.parse(forPrograms.stdout).problems.length).toBeGreaterThan(0);
  });

  it("is compacted", async () => {
    const path = join(folder, "there.vert");
    const args = [...columns, "--segment-bytes", "40", "--replace"];
    await json(["encode", "parts", path, ...args]);
    const before = await json(["info", "parts"]);
    expect(before.segments).toBe(2);
    expect(await json(["compact", "parts", "--workers", "2"])).toMatchObject({
      corpus: "parts",
      changed: true,
      segmentsBefore: 2,
      segmentsAfter: 1,
      bytesBefore: before.bytes,
      bytesAfter: expect.any(Number),
      snapshot: 2,
    });
    expect((await run(["dump", "parts"])).stdout).toBe(text);
    expect((await run(["compact", "parts"])).stdout).toMatch(/^parts: nothing to join \(1 segment, /);
    await json(["encode", "parts", path, ...args]);
    expect((await run(["compact", "parts"])).stdout).toMatch(/^parts: 2 → 1 segment, /);
  });

  it("is removed when that is certain", async () => {
    await json(["encode", "gone", join(folder, "there.vert"), ...columns]);
    expect((await run(["remove", "gone"])).code).toBe(2);
    expect((await json(["info", "gone"])).tokens).toBe(4);
    expect(await json(["remove", "gone", "--yes"])).toEqual({ removed: "gone" });
    expect((await run(["remove", "gone", "--yes"])).code).toBe(1);
    expect(existsSync(join(data, "gone"))).toBe(false);
  });

  it.each([
    ["info", ["ther"], "no_corpus", "Did you mean there?"],
    ["dump", ["ther"], "no_corpus", "Did you mean there?"],
    ["verify", ["ther"], "no_corpus", "Did you mean there?"],
    ["compact", ["ther"], "no_corpus", "Did you mean there?"],
    ["remove", ["ther", "--yes"], "no_corpus", "Did you mean there?"],
    ["info", ["../there"], "bad_name", "Use up to"],
    ["info", ["there", "--snapshot", "7"], "no_snapshot", "The current one is 1."],
    ["dump", ["there", "--attributes", "lema"], "unknown_attribute", "Did you mean lemma?"],
  ])("%s %j says what is wrong", async (command, args, code, hint) => {
    const ended = await run([command, ...args, "--json"]);
    expect(ended.code).toBe(code === "bad_name" ? 2 : 1);
    const { error } = JSON.parse(ended.stdout);
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
    expect(ended.stderr).toBe(`dugong: ${error.message}\n${error.hint}\n`);
  });

  it("ends quietly when nobody reads on", async () => {
    const path = file("wide.vert", `${"w".repeat(50)}\n`.repeat(40_000));
    await json(["encode", "wide", path, "--attributes", "word"]);
    for (const args of [
      ["dump", "wide"],
      ["dump", "wide", "--json"],
      ["info", "wide"],
    ]) {
      const { child, ended } = start(args);
      child.stdin?.end();
      if (args[0] === "dump") child.stdout?.once("data", () => child.stdout?.destroy());
      else child.stdout?.destroy();
      expect(await ended, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("real corpora", () => {
  const countTokens = (vertical: string) =>
    vertical.split("\n").filter((line) => line !== "" && !/^<.*>$/.test(line)).length;

  it("brown comes back byte for byte (needs ../shared/data)", needsCorpora, async () => {
    const path = join(shared, "brown.vert.gz");
    const encoded = await json(["encode", "brown", path, "--attributes", "word,tag,lemma"]);
    expect(encoded).toMatchObject({ tokens: 1_161_192, documents: 500, warnings: [] });
    const info = await json(["info", "brown"]);
    expect(info.tokens).toBe(1_161_192);
    expect(info.structures.s.count).toBe(57_340);
    const dump = await run(["dump", "brown"]);
    expect(dump.bytes.equals(gunzipSync(readFileSync(path)))).toBe(true);
  });

  it("ewt comes back byte for byte (needs ../shared/data)", needsCorpora, async () => {
    const path = join(shared, "ewt.vert.gz");
    const attributes = ["--attributes", "word,lemma,tag,xpos,deprel,head"];
    expect(await json(["encode", "ewt", path, ...attributes])).toMatchObject({ tokens: 254_818 });
    const dump = await run(["dump", "ewt"]);
    expect(dump.bytes.equals(gunzipSync(readFileSync(path)))).toBe(true);
  });

  const parliaments = ["AT", "HU", "IS"].flatMap((country) => [
    [country, "in its own language"],
    [country, "in English"],
  ]);
  it.each(parliaments)(
    "the parliament of %s %s is read by its registry file (needs ../shared/data)",
    needsCorpora,
    async (country, language) => {
      const place = join(shared, "manatee/parlamint", country);
      const english = language === "in English";
      const paths = readdirSync(place)
        .filter((name) => name.endsWith(".vert") && name.includes("-en_") === english)
        .sort()
        .map((name) => join(place, name));
      expect(paths).toHaveLength(3);
      const corpus = `parliament.${country}${english ? "-en" : ""}`;
      const registry = join(place, `parlamint50_${country.toLowerCase()}.regi`);
      const encoded = await json([
        "encode",
        corpus,
        ...paths,
        "--registry",
        registry,
        "--segment-bytes",
        "200k",
      ]);
      const vertical = paths.map((path) => readFileSync(path, "utf8")).join("");
      expect(encoded.tokens).toBe(countTokens(vertical));
      expect(encoded.documents).toBe(vertical.match(/^<speech /gm)?.length);
      expect(encoded.ignored).toContainEqual({ option: "PATH", line: 10, why: expect.any(String) });
      const info = await json(["info", corpus]);
      expect(info.structures.s.count).toBe(vertical.match(/^<s[ >]/gm)?.length);
      expect(info.glue).toBe(vertical.match(/^<g\/>$/gm)?.length);
      expect(info.attributes.lc.derived).toContain("(word");
      expect(await json(["verify", corpus])).toMatchObject({ problems: [] });
    },
  );
});

describe("what people read", () => {
  it("groups digits, and rounds sizes and times", () => {
    expect([0, 999, 1000, 1161192].map(grouped)).toEqual(["0", "999", "1,000", "1,161,192"]);
    expect([999, 1000, 999_950, 12_034_567, 5e15].map(size)).toEqual([
      "999 B",
      "1.0 kB",
      "1.0 MB",
      "12.0 MB",
      "5000.0 TB",
    ]);
    expect([0.04, 9.96, 59.4, 75, 4000].map(duration)).toEqual([
      "0.0 s",
      "10 s",
      "59 s",
      "1 min 15 s",
      "1 h 7 min",
    ]);
  });

  it("aligns tables", () => {
    expect(
      table(
        ["name", ">n"],
        [
          ["a", "1"],
          ["čtyři", "1,000"],
        ],
      ),
    ).toEqual(["name       n", "a          1", "čtyři  1,000"]);
  });

  it("fits the status line to the terminal", () => {
    const parts = ["writing", "1,000,000 tokens/s", "12 s left"];
    expect(statusText(0.5, parts, 80)).toBe(`${"█".repeat(10)}${"░".repeat(9)}  50%  ${parts.join("  ")}`);
    for (let columns = 1; columns < 200; columns++) {
      expect(statusText(0.99, parts, columns).length).toBeLessThan(columns);
      expect(statusText(undefined, parts, columns).length).toBeLessThan(columns);
    }
    expect(statusText(undefined, parts, 12)).toBe("writing");
  });

  it("takes lists, separators and sizes as they are written", () => {
    expect(nameList("word, lemma")).toEqual(["word", "lemma"]);
    expect(names("")).toEqual([]);
    expect(multivalue("doc.subject:,", { feats: "|" })).toEqual({ feats: "|", "doc.subject": "," });
    expect(multivalue("feats:::")).toEqual({ feats: "::" });
    expect(["7", "512k", "48M", "1G"].map(byteCount)).toEqual([7, 524_288, 50_331_648, 1_073_741_824]);
  });
});
