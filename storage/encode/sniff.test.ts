import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { structureCount } from "../catalog/manifest.js";
import { type EncodeOptions, encodeCorpus } from "./encode.js";

let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-sniff-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The document structure found, how many there are of it, and the kinds of warnings. */
async function documents(
  files: (string | Uint8Array)[],
  options: Partial<EncodeOptions> = {},
): Promise<[string | null, number, ...string[]]> {
  const where = join(folder, String(serial++));
  mkdirSync(where);
  const inputs = files.map((content, i) => {
    writeFileSync(join(where, String(i)), content);
    return join(where, String(i));
  });
  const { manifest, warnings } = await encodeCorpus({
    data: join(where, "data"),
    corpus: "c",
    inputs,
    attributes: ["word"],
    workers: 1,
    ...options,
  });
  const { document } = manifest.config;
  return [
    document,
    document === null ? 0 : structureCount(manifest, document),
    ...warnings.map(({ kind }) => kind),
  ];
}

describe("the document structure", () => {
  const doc = '<doc id="1">\n<s>\na\n</s>\n</doc>\n';
  const words = "word\n".repeat(250_000);

  it("is found behind a byte order mark", async () => {
    expect(await documents([`\ufeff${doc}`])).toEqual(["doc", 1, "byte_order_mark"]);
    expect(await documents([gzipSync(`\ufeff${doc}`)])).toEqual(["doc", 1, "byte_order_mark"]);
    expect(
      await documents([`\ufeff# newdoc id = x\n1\ta${"\t_".repeat(8)}\n`], { format: "conllu" }),
    ).toEqual(["doc", 1, "byte_order_mark"]);
  });

  it("is found in a later file where the first ones are empty or have no tags", async () => {
    expect(await documents(["", "a\nb", doc, doc])).toEqual(["doc", 2, "no_final_newline"]);
    expect(await documents([gzipSync("a\n"), gzipSync(""), gzipSync(doc)])).toEqual(["doc", 1]);
    expect(await documents(["<s>\na\n</s>\n", `\ufeff${doc}`])).toEqual(["doc", 1, "byte_order_mark"]);
  });

  it("is looked for in the first megabyte, and its lack told where there are structures", async () => {
    expect(await documents([words, doc])).toEqual([null, 0, "no_document"]);
    expect(await documents([words, doc], { document: "" })).toEqual([null, 0]);
    expect(await documents([words, doc], { document: "doc" })).toEqual(["doc", 1]);
    expect(await documents([words])).toEqual([null, 0]);
  });
});
