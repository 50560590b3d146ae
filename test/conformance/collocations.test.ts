/**
 * Collocations as Manatee recorded them: the same rows in the same order, each score to the digits that are given.
 *
 * The facts lie beside the repository, in ../shared: without them the test is left out, but not where CI is true.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../../ql/index.js";
import { collocations } from "../../ql/stats/collocations.js";
import type { MeasureName } from "../../ql/stats/measures.js";
import { encodeCorpus } from "../../storage/index.js";

interface Row {
  kind: string;
  query: string;
  attribute: string;
  window: [from: number, to: number];
  minCount: number;
  minTotal: number;
  top: ({ value: string; count: number; total: number } & Record<string, number>)[];
}

const shared = join(import.meta.dirname, "../../../shared");
const facts = join(shared, "oracle/stats.jsonl");
const isThere = existsSync(facts);

if (!isThere) {
  describe("the recorded collocations", () => {
    const message = `there are no recorded facts at ${facts}`;
    it.skipIf(process.env.CI !== "true")("are there", () => expect.fail(message));
    console.warn(`${message}: collocations are not compared with them`);
  });
}

describe.skipIf(!isThere)("collocations and the recorded facts", () => {
  const lines = isThere ? readFileSync(facts, "utf8").trim().split("\n") : [];
  const rows = lines.map((line) => JSON.parse(line) as Row).filter(({ kind }) => kind === "collocations");
  let folder = "";
  let desk: Desk;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dugong-collocations-"));
    const inputs = [join(shared, "data/brown.vert.gz")];
    await encodeCorpus({ data: folder, corpus: "brown", inputs, attributes: ["word", "tag", "lemma"] });
    desk = Desk.open({ data: folder, corpus: "brown" });
  });
  afterAll(async () => {
    await desk?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are all replayed", () => expect(rows.length).toBeGreaterThanOrEqual(6));

  it.each(rows.map((row) => [`${row.query} by ${row.attribute} in ${row.window.join("..")}`, row] as const))(
    "%s",
    async (_, { query, attribute, window, minCount, minTotal, top }) => {
      const names = Object.keys(top[0]).filter((name) => !["value", "count", "total"].includes(name));
      expect(names[0]).toBe("logDice");
      const digits = Object.fromEntries(
        names.map((name) => [name, Math.max(...top.map((row) => decimals(row[name])))]),
      );
      const [from, to] = window;
      const found = await collocations(desk, [{ step: "query", query }], {
        attribute,
        window: { from, to },
        minCount,
        minTotal,
        measures: names as MeasureName[],
        limit: top.length,
      });
      const shown = found.rows.map(({ value, count, total, scores }, i) => ({
        value,
        count,
        total,
        ...Object.fromEntries(names.map((name) => [name, rounded(scores[name], top[i][name], digits[name])])),
      }));
      expect(shown).toEqual(top);
    },
  );
});

/** Trailing zeros are not written: a column has as many digits as the longest number in it. */
function decimals(score: number): number {
  return String(score).split(".")[1]?.length ?? 0;
}

/** What was recorded, if the score is that when it is rounded; a score on the border may go either way. */
function rounded(score: number, recorded: number, digits: number): number {
  return Math.abs(score - recorded) <= 0.5000001 * 10 ** -digits ? recorded : score;
}
