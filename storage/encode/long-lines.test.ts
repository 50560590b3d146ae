import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../limits.js";
import { type EncodeOptions, encodeCorpus } from "./encode.js";

let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const max = limits.lineBytesMax;
const text = (...parts: (string | number)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.alloc(part, "x"))),
  );

async function encode(content: Buffer, options: Partial<EncodeOptions> = {}): Promise<number> {
  const path = join(folder, "f");
  writeFileSync(path, content);
  const { addedTokens } = await encodeCorpus({
    data: join(folder, `data${serial++}`),
    corpus: "c",
    inputs: [path],
    attributes: ["word"],
    workers: 1,
    ...options,
  });
  return addedTokens;
}

describe("a line", () => {
  it("may be as long as the limit says", async () => {
    expect(await encode(text("a\n", max, "\nb\n"))).toBe(3);
    expect(await encode(text("a\n", max))).toBe(2);
    expect(await encode(text("a\n", max, "\nb\n"), { segmentBytes: 1 })).toBe(3);
    expect(await encode(gzipSync(text("a\n", max, "\nb\n"), { level: 1 }), { segmentBytes: 1 })).toBe(3);
  });

  const tooLong = text("a\n<s>\n", max + 1, "\nb\n");
  const larger = text("a\n<s>\n", 3 * max, "\nb\n");
  const atLine3 = (name: string) => ({
    code: "line_too_long",
    message: expect.stringMatching(new RegExp(`^line 3 of .*${name} is longer than ${max} bytes$`)),
  });

  it.each([
    ["of a file", tooLong, {}],
    ["of a file, at its end", tooLong.subarray(0, max + 1 + 6), {}],
    ["in a later segment", tooLong, { segmentBytes: 1 }],
    ["that no cut is found behind", larger, {}],
    ["of a compressed file", gzipSync(tooLong, { level: 1 }), { segmentBytes: 1 }],
    ["of a compressed file that no cut is found behind", gzipSync(larger, { level: 1 }), {}],
    ["with entities", tooLong, { entities: true }],
    ["of another encoding", tooLong, { encoding: "latin1", segmentBytes: 1 }],
  ])("that is longer is refused, by its file and number: %s", async (_, content, options) => {
    await expect(encode(content, options)).rejects.toMatchObject(atLine3("f"));
  });

  it("that is longer is refused in standard input too", async () => {
    const stdin = Readable.from([larger], { objectMode: false });
    await expect(encode(text(), { inputs: ["-"], stdin })).rejects.toMatchObject(atLine3("<stdin>"));
  });
});

it("a sentence of CoNLL-U that no cut is found behind is refused, by its file and first line", async () => {
  const word = `2\t${"x".repeat(1 << 20)}${"\t_".repeat(8)}\n`;
  const content = Buffer.from(`1\ta${"\t_".repeat(8)}\n\n${word.repeat(140)}`);
  await expect(encode(content, { format: "conllu", segmentBytes: 1 })).rejects.toMatchObject({
    code: "sentence_too_long",
    message: expect.stringMatching(/^the sentence from line 3 of .*f is longer than/),
  });
});
