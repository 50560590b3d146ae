/** From Faroese text to a corpus that can be asked for parts of speech: tagger, tokeniser, encoder and queries, as a shell has them. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const main = join(root, "dist/client/cli/main.js");
const treebanks = join(root, "../shared/data/ud");
/** Left out where there are no treebanks, but not where everything must be tested. */
const needsTreebanks = { skip: !existsSync(treebanks) && process.env.CI !== "true" };
const run = promisify(execFile);
let folder: string;

async function dugong(...args: string[]): Promise<string> {
  const env = { ...process.env, DUGONG_DATA: join(folder, "data") };
  const { stdout } = await run(process.execPath, [main, ...args], { cwd: folder, env, maxBuffer: 1 << 26 });
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-faroese-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a tagger trained on Faroese", needsTreebanks, () => {
  const file = (name: string) => join(treebanks, `${name}.conllu.gz`);

  it("tags Faroese text, which is encoded and asked for parts of speech", async () => {
    const trained = JSON.parse(
      await dugong(
        ...["tag-train", file("fo_farpahc-ud-train"), "--dev", file("fo_farpahc-ud-test")],
        ...["--out", "fo.model", "--layers", "", "--rounds", "2", "--json"],
      ),
    );
    expect(trained.columns).toEqual(["word", "tag"]);
    expect(trained.dev.right.tag).toBeGreaterThan(0.93);

    const gold = gunzipSync(readFileSync(file("fo_oft-ud-test"))).toString();
    const texts = [...gold.matchAll(/^# text = (.*)$/gm)].map(([, text]) => text);
    const paragraphs = texts.map((text) => `<p>\n${text.replace(/&/g, "&amp;")}\n</p>\n`);
    writeFileSync(join(folder, "fo.txt"), `<doc lang="fao">\n${paragraphs.join("")}</doc>\n`);
    await dugong("tokenise", "fo.txt", "--out", "fo.vert");
    await dugong("tag", "fo.vert", "--model", "fo.model", "--out", "fo-tagged.vert");
    await dugong("encode", "fo", "fo-tagged.vert", "--attributes", "word,tag");

    const count = async (query: string) =>
      JSON.parse(await dugong("query", "fo", query, "--count", "--json")).hits as number;
    const words = (pattern: RegExp) => (gold.match(pattern) ?? []).length;
    // "og" is a conjunction, as often as the treebank has it; sentences are those of the text.
    expect(await count('[word="og" & tag="CCONJ"]')).toBeGreaterThan(0.95 * words(/^\d+\tog\t/gm));
    expect(await count('[tag="PUNCT"]')).toBeGreaterThan(0.95 * words(/^\d+\t[^\t]+\t[^\t]+\tPUNCT\t/gm));
    expect(await count('[word="í"] [tag="NOUN|PROPN"]')).toBeGreaterThan(50);
    const { structures } = JSON.parse(await dugong("info", "fo", "--json"));
    expect(Math.abs(structures.s.count - texts.length) / texts.length).toBeLessThan(0.05);
  });
});
