/**
 * ARF as Manatee gives it for single words of the Brown corpus, and lists of that corpus that can be counted by hand.
 *
 * The facts lie beside the repository, in ../shared: without them the test is left out, but not where CI is true.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, ngrams, structureList, wordlist } from "../../ql/index.js";
import { reducedFrequencies, typeCounts } from "../../ql/stats/counts.js";
import { typesOf } from "../../ql/stats/types.js";
import { encodeCorpus } from "../../storage/index.js";

const shared = join(import.meta.dirname, "../../../shared");
const facts = join(shared, "oracle/stats.jsonl");
const source = join(shared, "data/brown.vert.gz");
const isThere = existsSync(facts) && existsSync(source);

if (!isThere) {
  describe("the recorded statistics", () => {
    const message = `there are no recorded facts at ${facts}`;
    it.skipIf(process.env.CI !== "true")("are there", () => expect.fail(message));
    console.warn(`${message}: lists are not tested against them`);
  });
}

describe.skipIf(!isThere)("lists of the Brown corpus", () => {
  let folder = "";
  let desk: Desk;
  let lines: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dugong-lists-"));
    await encodeCorpus({
      data: folder,
      corpus: "brown",
      inputs: [source],
      attributes: ["word", "tag", "lemma"],
      segmentBytes: 3_000_000,
    });
    desk = Desk.open({ data: folder, corpus: "brown" });
    lines = gunzipSync(readFileSync(source)).toString().split("\n");
  });
  afterAll(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const recorded: { query: string; hits: number; arf: number }[] = isThere
    ? readFileSync(facts, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter(({ kind, query }) => kind === "dispersion" && /^\[lemma="\w+"\]$/.test(query))
    : [];

  it("have the ARF that Manatee gives", async () => {
    expect(recorded.length).toBeGreaterThanOrEqual(2);
    const types = await typesOf(desk, "lemma");
    const counts = await typeCounts(desk, types);
    const streamed = await reducedFrequencies(desk, types, counts);
    for (const { query, hits, arf } of recorded) {
      const lemma = /"(.*)"/.exec(query)![1];
      const { rows } = await wordlist(desk, { attributes: ["lemma"], include: [lemma] });
      expect(rows).toHaveLength(1);
      expect(rows[0].count).toBe(hits);
      expect(rows[0].arf).toBeCloseTo(arf, 3);
      // By lists of positions, as few rows are, and by the stream.
      expect(streamed[types.find(lemma)]).toBeCloseTo(rows[0].arf, 9);
    }
  });

  it("count words, structures and n-grams as they stand in the text", async () => {
    const tokens = lines
      .filter((line) => line !== "" && !/^<\/?\w+[^\t]*>$/.test(line))
      .map((line) => line.split("\t"));
    const counts = new Map<string, number>();
    for (const [, , lemma] of tokens) counts.set(lemma, (counts.get(lemma) ?? 0) + 1);
    const list = await wordlist(desk, { attributes: ["lemma"] });
    expect(list.tokens).toBe(tokens.length);
    expect(Object.fromEntries(list.rows.map(({ value, count }) => [value, count]))).toEqual(
      Object.fromEntries(counts),
    );
    const categories = await structureList(desk, { attributes: ["doc.category"] });
    const news = lines.filter((line) => line.startsWith("<doc ") && line.includes('category="news"')).length;
    expect(categories.rows.find(({ value }) => value === "news")?.count).toBe(news);
    expect(categories.rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(tokens.length);
    const pairs = new Map<string, number>();
    for (let i = 1; i < tokens.length; i++) {
      const pair = `${tokens[i - 1][0]} ${tokens[i][0]}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    const found = await ngrams(desk, { attribute: "word", lengths: [2, 2], within: null, minCount: 10 });
    expect(Object.fromEntries(found.rows.map(({ value, count }) => [value, count]))).toEqual(
      Object.fromEntries([...pairs].filter(([, count]) => count >= 10)),
    );
  });
});
