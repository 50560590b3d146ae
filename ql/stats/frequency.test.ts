/** Frequency lists of a small corpus: what is said of edges, and of what cannot be. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus } from "../../storage/index.js";
import type { Chain } from "../chain/steps.js";
import { Desk } from "../desk.js";
import { distribution } from "./distribution.js";
import { type FrequencyOptions, frequency } from "./frequency.js";
import { totals } from "./totals.js";
import { trend } from "./trend-points.js";

let folder = "";
const desks: Desk[] = [];

async function corpus(name: string, lines: string[], options = {}): Promise<Desk> {
  const path = join(folder, `${name}.vert`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  await encodeCorpus({ data: folder, corpus: name, inputs: [path], attributes: ["word"], ...options });
  const desk = Desk.open({ data: folder, corpus: name });
  desks.push(desk);
  return desk;
}

const query = (text: string): Chain => [{ step: "query", query: text }];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-frequency-"));
});
afterAll(async () => {
  for (const desk of desks) await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a frequency list", () => {
  let desk: Desk;
  /** Of nine tokens: a b a, a b, c a a a. */
  beforeAll(async () => {
    desk = await corpus(
      "texts",
      [
        ...['<doc year="1990" subject="war;trade">', "a", "b", "a", "</doc>"],
        ...['<doc year="1990" subject="trade">', "a", "b", "</doc>"],
        ...['<doc subject=";">', "c", "a", "a", "a", "</doc>"],
      ],
      { multivalue: { "doc.subject": ";" } },
    );
  });
  const rows = async (text: string, options: FrequencyOptions) => {
    const list = await frequency(desk, query(text), options);
    return list.rows.map(({ values, count }) => [...values, count]);
  };

  it("counts a hit for each value of an attribute that has several", async () => {
    const { rows, hits } = await frequency(desk, query('"a"'), { by: "doc.subject" });
    expect(hits).toBe(6);
    expect(rows.map(({ values, count, textTypeTokens }) => [...values, count, textTypeTokens])).toEqual([
      ["", 3, 4],
      ["trade", 3, 5],
      ["war", 2, 3],
    ]);
    expect(rows[1].perMillion).toBe(600_000);
    expect(rows[1].density).toBeCloseTo((100 * (3 / 5)) / (6 / 9), 12);
  });

  it("has a row for what lies outside the corpus, or has no value", async () => {
    expect(await rows('"a"', { by: "word 1" })).toEqual([
      ["a", 3],
      ["b", 2],
      ["", 1],
    ]);
    expect(await rows('"a"', { by: "doc.year" })).toEqual([
      ["", 3],
      ["1990", 3],
    ]);
  });

  it("does not care about the order of hits", async () => {
    const plain = await frequency(desk, query("[]"), { by: "word 0", dispersion: true });
    const steps: Chain = [
      { step: "query", query: "[]" },
      { step: "shuffle" },
      { step: "first", structure: "doc", count: 9 },
      { step: "sort", keys: ["word 0"] },
    ];
    const shuffled = await frequency(desk, steps, { by: "word 0", dispersion: true });
    expect(shuffled).toEqual(plain);
    expect(plain.rows[0]).toMatchObject({ values: ["a"], count: 6, documents: 3 });
  });

  it("can be cut, limited and ordered", async () => {
    const by = "word 0";
    expect(await rows("[]", { by, minCount: 2, maxCount: 5 })).toEqual([["b", 2]]);
    expect(await rows("[]", { by, from: 1, limit: 1 })).toEqual([["b", 2]]);
    expect(await rows("[]", { by, order: "value", rising: false })).toEqual([
      ["c", 1],
      ["b", 2],
      ["a", 6],
    ]);
    expect(await rows("[]", { by, order: "dp", rising: true })).toEqual([
      ["a", 6],
      ["b", 2],
      ["c", 1],
    ]);
  });

  it.each<[string, FrequencyOptions, string]>([
    ["an attribute that is not there", { by: "lema 0" }, "unknown_attribute"],
    ["a structure that is not there", { by: "text.id" }, "unknown_structure"],
    ["an attribute that a structure has not", { by: "doc.date" }, "unknown_attribute"],
    ["a label that the query has not", { by: "word 1:0" }, "unknown_label"],
    ["a flag for sorting", { by: "word/f 0" }, "bad_key"],
    ["no key", { by: [] }, "bad_option"],
    ["an order by text types without any", { by: "word 0", order: "density" }, "bad_option"],
    ["limits that leave nothing", { by: "word 0", minCount: 3, maxCount: 2 }, "bad_option"],
    ["a limit that is no number", { by: "word 0", limit: "3" as unknown as number }, "bad_option"],
    ["more parts than tokens", { by: "word 0", parts: 10 }, "bad_option"],
  ])("refuses %s", async (_, options, code) => {
    await expect(frequency(desk, query('"a"'), options)).rejects.toMatchObject({ code });
  });

  it("refuses what is no chain", async () => {
    for (const chain of [{}, [], [{ step: "sort", keys: ["word 0"] }]] as unknown as Chain[]) {
      await expect(frequency(desk, chain, { by: "word 0" })).rejects.toMatchObject({ code: "bad_chain" });
      await expect(totals(desk, chain)).rejects.toMatchObject({ code: "bad_chain" });
    }
  });

  it("says what is no number on an axis of time", async () => {
    const { points, other, trend: none, notices } = await trend(desk, query('"a"'), { over: "doc.year" });
    expect(points).toEqual([{ value: 1990, tokens: 5, hits: 3, perMillion: 600_000 }]);
    expect([other, none]).toEqual([{ tokens: 4, hits: 3 }, null]);
    expect(notices.map(({ code }) => code)).toEqual(["not_numeric"]);
    for (const over of ["word 0", "doc.subject", "doc.date"])
      await expect(trend(desk, query('"a"'), { over })).rejects.toThrow();
    await expect(trend(desk, query('"a"'), { over: "doc.year", bin: 0 })).rejects.toThrow("larger than 0");
  });
});

describe("a corpus without documents", () => {
  it("counts none and says so; evenness needs parts", async () => {
    const desk = await corpus("plain", ["a", "b", "a", "b"]);
    const list = await frequency(desk, query('"a"'), { by: "word 0" });
    expect(list.documents).toBeNull();
    expect(list.rows).toEqual([{ values: ["a"], count: 2, perMillion: 500_000 }]);
    expect(list.notices.map(({ code }) => code)).toEqual(["no_documents"]);
    expect(await totals(desk, query('"a"'))).toMatchObject({
      arf: 2,
      dp: null,
      juillandD: null,
      parts: null,
    });
    expect(await totals(desk, query('"a"'), { parts: 2 })).toMatchObject({ dp: 0, juillandD: 1 });
    const byDocuments = frequency(desk, query('"a"'), { by: "word 0", order: "documents" });
    await expect(byDocuments).rejects.toMatchObject({ code: "bad_option" });
    const parts = (await distribution(desk, query('"a"'), 2)).distribution;
    expect(parts.map(({ from, to, hits }) => [from, to, hits])).toEqual([
      [0, 2, 1],
      [2, 4, 1],
    ]);
  });
});

describe("dispersion", () => {
  it("is what it comes to by hand", async () => {
    // Places 0 and 1 of 4: distances 1 and 3, v = 2.
    const desk = await corpus("even", ["<doc>", "a", "</doc>", "<doc>", "a", "b", "b", "</doc>"]);
    const { arf, aldf, juillandD, dp, dpNorm, parts } = await totals(desk, query('"a"'));
    expect(parts).toEqual({ kind: "documents", count: 2 });
    expect(arf).toBeCloseTo((1 + 2) / 2, 12);
    expect(aldf).toBeCloseTo(4 * Math.exp(-(3 * Math.log(3)) / 4), 12);
    // Relative frequencies 1 and ⅓: µ = ⅔, σ = ⅓.
    expect(juillandD).toBeCloseTo(1 / 2, 12);
    expect(dp).toBeCloseTo((1 / 4 + 1 / 4) / 2, 12);
    expect(dpNorm).toBeCloseTo(1 / 4 / (3 / 4), 12);
  });
});
