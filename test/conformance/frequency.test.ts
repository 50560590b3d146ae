/**
 * Frequency lists, sizes of text types and ARF that Manatee gave on the Brown corpus, row by row.
 *
 * The facts lie beside the repository, in ../shared: without them the test is left out, but not where CI is true.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, frequency, totals } from "../../ql/index.js";
import { encodeCorpus } from "../../storage/index.js";

interface FrequencyFact {
  kind: "frequency";
  query: string;
  by: string;
  top: { value: string; count: number; textTypeTokens?: number }[];
}

interface DispersionFact {
  kind: "dispersion";
  query: string;
  hits: number;
  arf: number;
}

const shared = join(import.meta.dirname, "../../../shared");
const facts = join(shared, "oracle/stats.jsonl");
const isThere = existsSync(facts);

/** What the facts call their keys. A node of two tokens is told by its first one there. */
const keys: Record<string, string> = {
  "word of the node": "word 0",
  "lower-cased word one to the left": "word/i -1",
  "tag of the first token right of the node": "tag 1R",
  "doc.category": "doc.category",
};

if (!isThere) {
  describe("the recorded frequencies", () => {
    const message = `there are no recorded facts at ${facts}`;
    it.skipIf(process.env.CI !== "true")("are there", () => expect.fail(message));
    console.warn(`${message}: frequencies are not compared`);
  });
}

describe.skipIf(!isThere)("frequency lists and the recorded facts", () => {
  const rows: (FrequencyFact | DispersionFact)[] = isThere
    ? readFileSync(facts, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const frequencies = rows.filter((row): row is FrequencyFact => row.kind === "frequency");
  const dispersions = rows.filter((row): row is DispersionFact => row.kind === "dispersion");
  let folder = "";
  let desk: Desk;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dugong-frequency-"));
    const inputs = [join(shared, "data/brown.vert.gz")];
    await encodeCorpus({ data: folder, corpus: "brown", inputs, attributes: ["word", "tag", "lemma"] });
    desk = Desk.open({ data: folder, corpus: "brown" });
  });
  afterAll(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(frequencies.map((fact) => [`${fact.query} by ${fact.by}`, fact] as const))(
    "agree on %s",
    async (_, { query, by, top }) => {
      const list = await frequency(desk, [{ step: "query", query }], { by: keys[by], limit: top.length });
      const got = list.rows.map(({ values: [value], count, textTypeTokens }) => ({
        value,
        count,
        ...(textTypeTokens !== undefined && { textTypeTokens }),
      }));
      expect(got).toEqual(top);
    },
  );

  it.each(dispersions.map((fact) => [fact.query, fact] as const))(
    "agree on the ARF of %s",
    async (_, fact) => {
      const { hits, arf } = await totals(desk, [{ step: "query", query: fact.query }]);
      expect({ hits, arf: Number(arf?.toFixed(3)) }).toEqual({ hits: fact.hits, arf: fact.arf });
    },
  );

  it("agree on all there are", () => {
    expect([frequencies.length, dispersions.length]).toEqual([12, 3]);
  });
});
