import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EncodeOptions, encodeCorpus } from "../encode/encode.js";
import { dumpCorpus } from "./dump.js";
import { openCorpus } from "./snapshot.js";

let data = "";
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-dump-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Encodes the text, dumps it, and says how many values could not be written. */
async function dumped(
  text: string,
  options: Partial<EncodeOptions> = {},
  entities?: boolean,
): Promise<{ text: string; unwritable: number }> {
  const input = join(data, "input");
  writeFileSync(input, text);
  await encodeCorpus({
    data,
    corpus: "c",
    inputs: [input],
    attributes: ["word"],
    workers: 1,
    replace: true,
    ...options,
  });
  const snapshot = openCorpus({ data, corpus: "c" });
  let unwritable = 0;
  const onUnwritable = () => {
    unwritable++;
  };
  try {
    return { text: [...dumpCorpus(snapshot, { entities, onUnwritable })].join(""), unwritable };
  } finally {
    await snapshot.close();
  }
}

it("a document is the outermost of the structures with its tokens, whatever was declared first", async () => {
  const text = '<doc id="d">\n<s id="s">\na\n</s>\n</doc>\n<doc id="e">\n<s id="t">\nb\n</s>\n</doc>\n';
  expect((await dumped(text)).text).toBe(text);
  expect((await dumped(text, { unique: ["s.id"] })).text).toBe(text);
});

it("entities are written where they were read, unless the caller says otherwise", async () => {
  const text = '<s a="x&amp;&quot;y&#10;z">\n&lt;s&gt;\na&amp;b\n</s>\n';
  const whole = await dumped(text, { entities: true });
  expect(whole).toEqual({ text, unwritable: 0 });
  const plain = await dumped(text, { entities: true }, false);
  expect(plain.text).toContain("a&b\n");
  expect(plain.unwritable).toBe(1);
});

it("values with both kinds of quotes are counted where they are written without entities", async () => {
  const text =
    "# sent_id = x\"y'z\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n# sent_id = plain\n1\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n";
  const { unwritable } = await dumped(text, { format: "conllu", attributes: undefined });
  expect(unwritable).toBe(1);
});
