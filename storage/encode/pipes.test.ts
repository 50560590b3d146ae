import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendToCorpus, encodeCorpus } from "./encode.js";

const command = new URL("../../dist/client/cli/main.js", import.meta.url).pathname;
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-pipes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line of bash, in which $ENCODE stands for the command but its inputs; gives what it says as JSON. */
function encode(line: string, options = ""): Promise<{ tokens: number; documents: number | null }> {
  const data = join(folder, `data${serial++}`);
  const run = `encode() { exec ${process.execPath} ${command} --data ${data} encode c "$@" --attributes w ${options} --json; }`;
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", `${run}\n${line}`], { cwd: folder, timeout: 60_000 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
  });
}

describe("a pipe", () => {
  const long = Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join("");

  beforeAll(() => {
    writeFileSync(join(folder, "long"), long);
    writeFileSync(join(folder, "long.gz"), gzipSync(long));
  });

  it.each([
    ["of a process", "encode <(cat long)", 300_000],
    ["of a process, compressed", "encode <(cat long.gz)", 300_000],
    ["of a process with a few lines", "encode <(printf 'a\\nb\\nc\\n')", 3],
    ["of a process with nothing", "encode <(true)", 0],
    ["that is standard input by its path", "cat long | (encode /dev/stdin)", 300_000],
    ["with a name", "mkfifo named; (cat long > named &); encode named", 300_000],
    ["with a name and little in it", "mkfifo short; (printf 'p\\nq\\n' > short &); encode short", 2],
    ["that fills slowly", "encode <(echo a; sleep 0.3; cat long; sleep 0.3; echo b)", 300_002],
    ["behind another", "encode <(cat long) <(echo b; cat long)", 600_001],
    ["behind a file", "encode long <(cat long)", 600_000],
    ["before standard input", "cat long | (encode <(cat long) -)", 600_000],
  ])("%s is read from its start to its end", async (_, line, tokens) => {
    expect((await encode(line)).tokens).toBe(tokens);
  });

  it("is looked at for its documents", async () => {
    const { tokens, documents } = await encode(
      "encode <(printf '<s>\\n<doc>\\na\\n</doc>\\n</s>\\n'; cat long)",
    );
    expect({ tokens, documents }).toEqual({ tokens: 300_001, documents: 1 });
  });
});

it("knows input that it had already, with an empty file in it too", async () => {
  const big = join(folder, "big");
  mkdirSync(big);
  writeFileSync(join(big, "a"), "x\n");
  writeFileSync(join(big, "b.gz"), gzipSync("y\n"));
  writeFileSync(join(big, "e"), "");
  const data = join(folder, "known");
  const options = { data, corpus: "c", inputs: [big], workers: 1 };
  const encoded = { ...options, attributes: ["word"] };
  expect(await encodeCorpus(encoded)).toMatchObject({ unchanged: false, addedTokens: 2 });
  expect(await encodeCorpus(encoded)).toMatchObject({ unchanged: true });
  expect(await appendToCorpus(options)).toMatchObject({ unchanged: false, addedTokens: 2 });
  expect(await appendToCorpus(options)).toMatchObject({ unchanged: true, addedTokens: 0 });
});
