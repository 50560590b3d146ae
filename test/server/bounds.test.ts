/** Requests that ask for very much at once: what is cut says so, what is long comes in parts, and all of it can be ended. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Result } from "../../client/protocol/messages.js";
import { type RunningServer, startServer } from "../../server/index.js";
import { encodeCorpus } from "../../storage/index.js";
import { TestClient } from "./client.js";
import { temporaryFolder } from "./corpora.js";

const { folder: data, remove } = temporaryFolder();
const corpus = "books";
const documents = 40;
const documentTokens = 5000;
const types = 110_000;
let server: RunningServer;
let client: TestClient;

beforeAll(async () => {
  const lines: string[] = [];
  let next = 0;
  for (let d = 0; d < documents; d++) {
    lines.push(`<doc id="d${d}">`);
    for (let t = 0; t < documentTokens; t++)
      lines.push(t % 50 === 7 ? "cat\tN" : `w${next++ % types}\t${"AB"[t % 2]}`);
    lines.push("</doc>");
  }
  const input = join(data, "books.vert");
  writeFileSync(input, `${lines.join("\n")}\n`);
  await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "tag"], workers: 1 });
  rmSync(input);
  const config = { port: 0, logLevel: "silent" as const, threads: 1, lineTokensMax: 7000 };
  server = await startServer({ data, config });
  client = await TestClient.connect(server.address, { subprotocol: "dugong.v1.json" });
});

afterAll(async () => {
  await client.close();
  await server.close(0);
  remove();
});

const wordsOf = (text: unknown) => String(text).split(" ").filter(Boolean).length;

describe("a line", () => {
  it("of many documents is cut, and the end says by which limit", async () => {
    const { end, columns } = await client.stream({
      verb: "lines",
      corpus,
      query: '<doc id="d20"/> containing "cat" | "w97000"',
      context: "1000 doc",
    });
    expect(end).toMatchObject({ reason: "complete", limits: { lineTokensMax: 7000 } });
    expect(columns.cut?.some(Boolean)).toBe(true);
    columns.left.forEach((left, i) => {
      expect(wordsOf(left)).toBeLessThanOrEqual(7000);
      expect(wordsOf(columns.right[i])).toBeLessThanOrEqual(7000);
    });
  });

  it("that is not cut says nothing of limits", async () => {
    const { end, columns } = await client.stream({
      verb: "lines",
      corpus,
      query: '"w97000"',
      context: "1 doc",
    });
    expect(end.limits).toBeUndefined();
    expect(columns.cut).toBeUndefined();
    expect(wordsOf(columns.left[0]) + wordsOf(columns.right[0])).toBe(documentTokens - 1);
  });

  it("of many tokens comes with few others in a message; all come, in order", async () => {
    const { rows, columns, end } = await client.stream({
      verb: "lines",
      corpus,
      query: '"cat" within <doc id="d1."/>',
      context: "2 doc",
    });
    expect(end.reason).toBe("complete");
    expect(columns.begin).toHaveLength((10 * documentTokens) / 50);
    expect(columns.begin).toEqual([...(columns.begin as number[])].sort((a, b) => a - b));
    // One line has up to 14,000 tokens of six or seven characters.
    for (const { columns: own } of rows) expect(JSON.stringify(own).length).toBeLessThan(1_500_000);
  });

  it("has no more attributes than can be read", async () => {
    const attributes = Array.from({ length: 33 }, () => "word");
    expect(await client.refused({ verb: "lines", corpus, query: '"cat"', attributes })).toMatchObject({
      code: "bad_parameter",
    });
  });
});

it("what stands around a place is cut, too, and says so", async () => {
  const id = client.open({
    verb: "context",
    corpus,
    begin: 100_000,
    end: 100_001,
    structure: "doc",
    count: 1e9,
  });
  const { value, limits } = (await client.last(id)) as Result & { value: { from: number; to: number } };
  expect(limits).toEqual({ lineTokensMax: 7000 });
  expect(value).toMatchObject({ from: 93_000, to: 107_001, cut: true });
});

it("values that were asked for and are not given are told of", async () => {
  const values = { verb: "values", corpus, attribute: "word" };
  const { end, columns } = await client.stream({ ...values, limit: 200_000 });
  expect(columns.value).toHaveLength(100_000);
  expect(end.limits).toEqual({ valuesMax: 100_000 });
  expect((await client.stream({ ...values, prefix: "w10", limit: 200_000 })).end.limits).toBeUndefined();
});

it("a chain has so many steps, and no more", async () => {
  const chain = [
    { step: "query", query: '"cat"' },
    ...Array.from({ length: 100 }, () => ({ step: "shuffle" })),
  ];
  expect(await client.refused({ verb: "count", corpus, chain })).toMatchObject({
    code: "bad_chain",
    message: expect.stringContaining("chainStepsMax"),
  });
  expect(await client.ask({ verb: "count", corpus, chain: chain.slice(0, 9) })).toHaveProperty("hits");
});

it("an answer that no client would take is an error instead", async () => {
  const query = Array.from({ length: 80_000 }, (_, i) => `"w${i}"`).join("|");
  expect(await client.refused({ verb: "prepare", corpus, query })).toMatchObject({
    code: "answer_too_large",
    message: expect.stringContaining("answerBytesMax"),
  });
  expect(client.isClosed).toBe(false);
});

it("labels that can be bound in very many ways are given up when they are cancelled", async () => {
  const query = '1:[] []{0,60} 2:[] []{0,60} 3:"cat" & 1.word = 3.word & 2.tag = 1.tag';
  const id = client.open({ verb: "lines", corpus, query, credit: 1e9 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = performance.now();
  client.send({ id, verb: "cancel" });
  expect(await client.last(id)).toMatchObject({ type: "end", reason: "cancelled" });
  expect(performance.now() - began).toBeLessThan(1000);
});
