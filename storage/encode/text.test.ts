import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dumpCorpus, openCorpus, Pool } from "../index.js";
import { type EncodeOptions, encodeCorpus } from "./encode.js";

const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-text-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What dump gives back of a text, and what was said about it: "kind ×count lines …". */
async function encode(text: string | Uint8Array, options: Partial<EncodeOptions> = {}) {
  const where = join(folder, String(serial++));
  mkdirSync(where);
  writeFileSync(join(where, "f"), text);
  const to = { data: join(where, "data"), corpus: "c" };
  const result = await encodeCorpus({
    ...to,
    inputs: [join(where, "f")],
    attributes: ["word"],
    document: "",
    workers: 1,
    ...options,
  });
  const snapshot = openCorpus({ ...to, pool });
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of dumpCorpus(snapshot, { entities: false })) chunks.push(Buffer.from(chunk));
  } finally {
    await snapshot.close();
  }
  const warnings = result.warnings.map(({ kind, count, places }) => {
    for (const { file } of places) expect(relative(where, file)).toBe("f");
    return `${kind} ×${count} ${places.map(({ line }) => line).join(" ")}`;
  });
  return { text: Buffer.concat(chunks).toString(), warnings };
}

describe("entities", () => {
  const decode = (text: string, options: Partial<EncodeOptions> = {}) =>
    encode(text, { entities: true, ...options });

  it("of no character are counted where they become U+FFFD", async () => {
    expect(await decode("&#0;\na&#10;b&#9;c\n&amp;\n&#xD800;&#x110000;\n")).toEqual({
      text: "\ufffd\na b c\n&\n\ufffd\ufffd\n",
      warnings: ["entity_of_nothing ×3 1 4 4", "entity_of_break ×2 2 2"],
    });
    const { warnings } = await decode(`${"a&amp;\n".repeat(40)}&#0;\n`, { segmentBytes: 50 });
    expect(warnings).toEqual(["entity_of_nothing ×1 41"]);
  });

  it("of no character are counted in tags, as often as these stand there", async () => {
    const { warnings } = await decode(`a\n${'<s n="&#0;" m="&#0;">\nb\n</s>\n'.repeat(2)}`);
    expect(warnings).toEqual(["entity_of_nothing ×4 2"]);
  });

  it("do not change what else is in their line", async () => {
    expect(await decode("a\rb&amp;\nc\rd\n")).toEqual({ text: "a\rb&\nc\rd\n", warnings: [] });
  });
});

describe("another encoding", () => {
  const japanese = (...lines: number[][]) => Uint8Array.from(lines.flatMap((line) => [...line, 10]));
  const broken = japanese([0x82, 0xa0], [97, 0x81], [98], [0x81], [0x81, 0x81, 99]);

  it("has what is no text in it counted, by line", async () => {
    const { text, warnings } = await encode(broken, { encoding: "shift_jis" });
    expect(text.split("\n").slice(0, 4)).toEqual(["あ", "a\ufffd", "b", "\ufffd"]);
    expect(warnings).toEqual(["invalid_utf8 ×2 2 4"]);
    const split = await encode(broken, { encoding: "shift_jis", segmentBytes: 1 });
    expect(split).toEqual({ text, warnings });
  });

  it("has what is no text in it refused with --strict, and the encoding named", async () => {
    await expect(encode(broken, { encoding: "shift_jis", strict: true })).rejects.toMatchObject({
      code: "invalid_utf8",
      message: expect.stringMatching(/^invalid shift_jis in line 2 of .*f$/),
    });
  });

  it("may have U+FFFD in its text, where it has such a character", async () => {
    const text = Uint8Array.of(0x84, 0x31, 0xa4, 0x37, 10);
    expect(await encode(text, { encoding: "gb18030", strict: true })).toEqual({
      text: "\ufffd\n",
      warnings: [],
    });
  });
});
