/** Pages of a result: any of them, in any order, and how many hits there are. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { encodeCorpus } from "../../storage/index.js";
import type { Chain } from "../chain/steps.js";
import { Desk } from "../desk.js";
import { parseContext, printContext } from "./context.js";
import { extendedContext, lines } from "./lines.js";
import { countHits, hitNumber, page } from "./page.js";

let folder = "";
let desk: Desk;

/** Each sentence: word number n, a glued comma, "and", its tag the parity of n. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-page-"));
  const sentence = (n: number) =>
    `<s n="${n}">\nw${n}\t${n % 2 ? "odd" : "even"}\n<g/>\n,\tpunct\nand\tconj\n</s>\n`;
  const documents = Array.from({ length: 20 }, (_, d) => {
    const own = Array.from({ length: 50 }, (_, i) => sentence(d * 50 + i)).join("");
    return `<doc id="d${d}">\n${own}</doc>\n`;
  });
  const file = join(folder, "text.vert");
  writeFileSync(file, documents.join(""));
  await encodeCorpus({
    data: folder,
    corpus: "tiny",
    inputs: [file],
    attributes: ["word", "tag"],
    workers: 1,
    segmentBytes: 3000,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => desk?.close());

function open(): Desk {
  desk = Desk.open({ data: folder, corpus: "tiny" });
  expect(desk.snapshot.segments.length).toBeGreaterThan(3);
  return desk;
}

const odd: Chain = [{ step: "query", query: 'x:[tag="odd"] ","' }];
const falling: Chain = [...odd, { step: "sort", keys: ["s.n/-"], collation: "bytes" }];

describe("a page", () => {
  it("has the hits that are asked for, what labels are bound to, and the number of all", async () => {
    const { hits, total, notices } = await page(open(), odd, { from: 100, limit: 3 });
    expect([total, notices]).toEqual([500, []]);
    expect([...hits.begins]).toEqual([603, 609, 615]);
    expect([...hits.labels.get("x")!.begins]).toEqual([603, 609, 615]);
    expect((await page(desk, odd, { from: 499, limit: 10 })).hits.count).toBe(1);
    expect((await page(desk, odd, { from: 500, limit: 10 })).hits.count).toBe(0);
    expect((await page(desk, odd, { limit: 0 })).total).toBe(500);
    expect((await page(desk, odd)).hits.count).toBe(500);
  });

  it("is one of a result that was computed once, whatever the order of pages", async () => {
    const run = vi.spyOn(open().engine, "run");
    const begins: number[] = [];
    for (const from of [300, 0, 100, 400, 200]) {
      const { hits, total } = await page(desk, falling, { from, limit: 100 });
      expect(total).toBe(500);
      begins.push(...hits.begins);
    }
    expect(run).toHaveBeenCalledTimes(1);
    expect(new Set(begins).size).toBe(500);
  });

  it("keeps nothing if it is told so", async () => {
    const run = vi.spyOn(open().engine, "run");
    for (const from of [0, 100]) await page(desk, odd, { from, limit: 10, keep: false });
    expect(run).toHaveBeenCalledTimes(2);
    expect(desk.results.bytes).toBe(0);
  });

  it("ends the search when it is full, if the number of matches is known without", async () => {
    const query: Chain = [{ step: "query", query: '[tag="odd"]' }];
    let blocks = 0;
    const { engine } = open();
    const run = engine.run.bind(engine);
    vi.spyOn(engine, "run").mockImplementation(async function* (prepared) {
      for await (const block of run(prepared)) {
        blocks++;
        yield block;
      }
    });
    const { hits, total } = await page(desk, query, { limit: 5 });
    expect([hits.count, total]).toEqual([5, 500]);
    const soon = blocks;
    await page(desk, query);
    expect(blocks - soon).toBeGreaterThan(soon);
  });

  it("says how many hits there are, for any chain", async () => {
    open();
    expect(await countHits(desk, odd)).toEqual({ hits: 500, notices: [] });
    expect((await countHits(desk, [...odd, { step: "sample", count: 7 }])).hits).toBe(7);
    await page(desk, falling);
    expect((await countHits(desk, falling)).hits).toBe(500);
  });

  it("may be one hit", async () => {
    expect([...(await hitNumber(open(), falling, 1)).hits.ends]).toHaveLength(1);
    await expect(hitNumber(desk, odd, 501)).rejects.toMatchObject({
      code: "no_hit",
      message: "there is no hit number 501: the result has 500",
    });
  });
});

describe("lines of a page", () => {
  it("say what labels are bound to, and mark it", async () => {
    const { hits } = await page(open(), odd, { limit: 1 });
    expect(lines(desk, hits, { context: { tokens: 1 }, marks: true })).toEqual([
      {
        begin: 3,
        end: 5,
        left: "and",
        match: "{x:w1},",
        right: "and",
        labels: { x: { begin: 3, end: 4 } },
      },
    ]);
  });

  it("have the texts that other corpora have for them", async () => {
    const { hits } = await page(open(), odd, { limit: 2, labels: false });
    const ranges = (begin: number): [number, number][] =>
      begin === 3
        ? [
            [0, 2],
            [8, 9],
          ]
        : [];
    const aligned = [{ corpus: "other", snapshot: desk.snapshot, ranges }];
    expect(lines(desk, hits, { aligned }).map((line) => line.aligned)).toEqual([
      {
        other: [
          { begin: 0, end: 2, text: "w0," },
          { begin: 8, end: 9, text: "and" },
        ],
      },
      { other: [] },
    ]);
  });

  it("are refused with names that the corpus does not have", async () => {
    const { hits } = await page(open(), odd, { limit: 2 });
    for (const [options, code] of [
      [{ attributes: ["wrod"] }, "unknown_attribute"],
      [{ nodeAttributes: ["wrod"] }, "unknown_attribute"],
      [{ tags: ["ss"] }, "unknown_structure"],
      [{ tags: ["s.m"] }, "unknown_attribute"],
      [{ refs: ["dog"] }, "unknown_structure"],
      [{ refs: ["doc.idd"] }, "unknown_attribute"],
      [{ context: { structure: "p" } }, "unknown_structure"],
    ] as const)
      expect(() => lines(desk, hits, options)).toThrow(expect.objectContaining({ code }));
  });
});

describe("extended context", () => {
  it("is so many tokens, a hundred unless another number is given", () => {
    expect(extendedContext(open(), 300, 301, { tokens: 2 })).toMatchObject({
      from: 298,
      to: 303,
      match: "w100",
    });
    expect(extendedContext(desk, 300, 301)).toMatchObject({ from: 200, to: 401 });
    expect(extendedContext(desk, 1, 2, { tokens: 5 })).toMatchObject({
      from: 0,
      left: "w0",
      gluedLeft: true,
    });
  });

  it("is whole structures, a document for instance", () => {
    const line = extendedContext(open(), 300, 301, { structure: "doc", refs: ["doc.id"], tags: ["doc.id"] });
    expect(line).toMatchObject({ from: 300, to: 450, left: '<doc id="d2">', refs: { "doc.id": "d2" } });
    expect(line.right.endsWith("and</doc>")).toBe(true);
    expect(extendedContext(desk, 301, 302, { structure: "s", count: 2 })).toMatchObject({
      from: 297,
      to: 306,
    });
  });
});

describe("context as text", () => {
  it.each([
    ["10", { tokens: 10 }],
    ["0", { tokens: 0 }],
    ["40c", { characters: 40 }],
    ["40 c", { characters: 40 }],
    ["1s", { structure: "s", count: 1 }],
    [" 2 doc ", { structure: "doc", count: 2 }],
  ])("%s", (text, context) => {
    expect(parseContext(text)).toEqual(context);
    expect(parseContext(printContext(context))).toEqual(context);
  });

  it.each(["", "x", "-1", "1.5", "s 1", "1 s s", "9999999999"])("is not %s", (text) => {
    expect(() => parseContext(text)).toThrow(expect.objectContaining({ code: "bad_context" }));
  });
});
