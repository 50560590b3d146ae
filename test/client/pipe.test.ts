/** The shell in a pipe, and the client library in a browser's bundle. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../server/corpora.js";
import { encodeTales } from "./corpus.js";

const root = join(import.meta.dirname, "../..");
const { folder, remove } = temporaryFolder();

beforeAll(() => encodeTales(folder, folder));
afterAll(remove);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function shell(input: string, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, "dist/client/cli/main.js"), "shell", ...args], {
    env: { ...process.env, DUGONG_DATA: folder },
    cwd: folder,
  });
  const ended = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      ended[stream] += text;
    });
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...ended })));
}

describe("the shell in a pipe", () => {
  it("answers a query with all its lines, as a table", async () => {
    const { code, stdout, stderr } = await shell('[lemma="go"]\n', "--format", "tsv");
    expect([code, stderr]).toEqual([0, ""]);
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    expect(heading).toBe("begin\tend\tleft\tmatch\tright");
    expect(lines).toHaveLength(4025);
    expect(lines.every((line) => line.split("\t").length === 5)).toBe(true);
  });

  it("answers several lines, one of which goes on over two, and commands", async () => {
    const input = '[lemma="go"\n & tag="VERB"]\n\\freq doc.author\n\\show doc.id\n"mermaid"\n';
    const { code, stdout } = await shell(input, "--format", "jsonl", "--limit", "2");
    expect(code).toBe(0);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(2 + 2 + 2 + 2);
    expect(rows[2]).toMatchObject({ values: [expect.any(String)], count: expect.any(Number) });
    expect(rows[6]).toMatchObject({ match: "mermaid", refs: { "doc.id": "d0" } });
  });

  it("says what is wrong with a line, goes on, and ends with 1", async () => {
    const { code, stdout, stderr } = await shell(
      '[lema="x"]\n\\nothing\n"mermaid" "goes"\n',
      "--format",
      "csv",
    );
    expect(code).toBe(1);
    expect(stderr).toContain('  [lema="x"]\n   ^^^^');
    expect(stderr).toContain("there is no command \\nothing");
    expect(stdout).toMatch(/^begin,end,left,match,right\r\n\d+,\d+,/);
  });

  it("writes what it showed last to a file, whatever that was", async () => {
    const commands = [
      '[lemma="go"]',
      "\\save go.csv",
      "\\freq word 0",
      "\\save freq.tsv",
      "\\save freq.xlsx",
      "\\save x.y",
    ];
    const { code, stdout, stderr } = await shell(
      "",
      ...commands.flatMap((one) => ["--command", one]),
      "--limit",
      "1",
    );
    expect(code).toBe(1);
    expect(stderr).toContain("x.y");
    expect(stdout).toContain("4,025 matches written to go.csv");
    expect(readFileSync(join(folder, "go.csv"), "utf8").trimEnd().split("\r\n")).toHaveLength(4026);
    expect(readFileSync(join(folder, "freq.tsv"), "utf8")).toMatch(
      /^word 0\tcount\tper million\tdocuments\ngoes\t|^.*\nwent\t/,
    );
    expect(readFileSync(join(folder, "freq.xlsx")).subarray(0, 2).toString()).toBe("PK");
  });

  it("knows every command that it lists", async () => {
    const { stdout } = await shell("\\help\n");
    for (const name of [
      ..."use corpora info sort filter sample freq coll wordlist keywords".split(" "),
      ..."context show explain save sub set timing help quit".split(" "),
    ])
      expect(stdout).toContain(`\\${name}`);
  });

  it("ends quietly when nobody reads on", async () => {
    const child = spawn("sh", ["-c", `echo '[lemma="go"]' | "$NODE" "$MAIN" shell --format tsv | head -2`], {
      env: {
        ...process.env,
        DUGONG_DATA: folder,
        NODE: process.execPath,
        MAIN: join(root, "dist/client/cli/main.js"),
      },
    });
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, said]).toEqual([0, ""]);
  });
});

describe("a browser", () => {
  it("can have the library: nothing of Node is in it", async () => {
    const { outputFiles } = await build({
      stdin: { contents: 'export { connect } from "dugong";', resolveDir: root },
      bundle: true,
      platform: "browser",
      format: "esm",
      write: false,
      absWorkingDir: root,
      logLevel: "silent",
    });
    const [{ text }] = outputFiles;
    expect(text).not.toMatch(/(from|require\(|import\()\s*"(node:|ws"|fs"|net")/);
    expect(text).toContain("dugong.v1.msgpack");
  });
});
