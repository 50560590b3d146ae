/** The example programs, as they are run by people: with a real server, as processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../client/index.js";
import { type RunningServer, startServer } from "../../server/index.js";
import { temporaryFolder } from "../server/corpora.js";
import { encodeTales } from "./corpus.js";

const { folder, remove } = temporaryFolder();
const programs = join(import.meta.dirname, "../../dist/client/examples");
let server: RunningServer;

beforeAll(async () => {
  await encodeTales(folder, folder);
  server = await startServer({ data: folder, config: { port: 0, logLevel: "silent", threads: 1 } });
});

afterAll(async () => {
  await server.close(0);
  remove();
});

function start(program: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(programs, program), server.address, "tales", ...args], {
    cwd: folder,
  });
}

async function run(program: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const child = start(program, ...args);
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]!.setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
    });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code, said.stderr).toBe(0);
  return said;
}

describe("10,000 queries from a file", () => {
  const lemmas = ["go", "see", "make", "whale", "ship", "sailor", "mermaid", "harbour"];
  const count = 10_000;
  const query = (i: number) => {
    if (i % 1000 === 7) return `[lema="x${i}"]`;
    return `[lemma="${lemmas[i % lemmas.length]}"] []{0,${i % 5}} [tag="NOUN"]`;
  };

  it("are all answered once, though the program is killed half-way", async () => {
    writeFileSync(
      join(folder, "queries.txt"),
      Array.from({ length: count }, (_, i) => `${query(i)}\n`).join(""),
    );
    const answers = join(folder, "answers.jsonl");
    const linesOf = () => (existsSync(answers) ? readFileSync(answers, "utf8").split("\n").length - 1 : 0);
    const first = start("queries.js", "queries.txt", "answers.jsonl");
    const ended = new Promise((resolve) => first.on("close", resolve));
    while (linesOf() < 1000) await new Promise((resolve) => setTimeout(resolve, 5));
    first.kill("SIGKILL");
    await ended;
    const before = linesOf();
    expect(before).toBeLessThan(count);
    // As if it had been killed in the middle of a line.
    writeFileSync(answers, '{"line":99', { flag: "a" });

    const { stderr } = await run("queries.js", "queries.txt", "answers.jsonl");
    expect(stderr).toContain(`${before} had been answered before`);
    const found = readFileSync(answers, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found.map(({ line }) => line).sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, i) => i + 1),
    );
    const session = await connect(server.address);
    const expected = new Map<string, number>();
    for (const { line, query: asked, hits: own, error } of found) {
      expect(asked).toBe(query(line - 1));
      if (asked.startsWith("[lema")) expect(error.code).toBe("unknown_attribute");
      else {
        if (!expected.has(asked)) {
          const { hits } = await session.corpus("tales").count(asked);
          expected.set(asked, hits.value);
        }
        expect(own).toBe(expected.get(asked));
      }
    }
    expect(expected.size).toBe(40);
    await session.close();
  });
});

describe("collocations of a list of words", () => {
  it("come as JSON lines", async () => {
    writeFileSync(join(folder, "words.txt"), "whale\n鯨\nunicorn\n");
    const { stdout } = await run("collocations.js", "lemma", "words.txt");
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ word, corpus }) => [word, corpus])).toEqual([
      ["whale", "tales@1"],
      ["鯨", "tales@1"],
      ["unicorn", "tales@1"],
    ]);
    expect(rows[0]).toMatchObject({ hits: 3474 });
    expect(rows[0].collocates[0]).toMatchObject({ scores: { logDice: expect.any(Number) } });
    expect(rows[2]).toMatchObject({ hits: 0, collocates: [] });
  });
});

describe("a concordance as CSV", () => {
  it("has a line for each hit", async () => {
    const { stderr } = await run("export-csv.js", '[lemma="go"]', "go.csv", "doc.year", "doc.author");
    expect(stderr).toContain("4025 lines of tales@1");
    const [heading, ...lines] = readFileSync(join(folder, "go.csv"), "utf8").trimEnd().split("\r\n");
    expect(heading).toBe("doc.year,doc.author,left,match,right");
    expect(lines).toHaveLength(4025);
    expect(lines[0]).toBe(
      "1800,Ann,the grey mermaid makes a ships. the grey 鯨,went,a mermaid. a old mermaid saw a ships.",
    );
  });
});
