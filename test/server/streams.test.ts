/** The life of a stream: credit, seeking, counting, cancelling, limits; and what it does to others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { End, Rows } from "../../client/protocol/messages.js";
import { startServer } from "../../server/index.js";
import { TestClient } from "./client.js";
import { documentTokens, makeLarge, makeSmall, temporaryFolder } from "./corpora.js";
import { ServerProcess } from "./process.js";

const { folder: data, remove } = temporaryFolder();
let server: ServerProcess;
let client: TestClient;
const largeTokens = 3_000_000;
const corpus = "small";
/** Every token is a hit; every look at the corpus is a scan. */
const everything = { verb: "positions", corpus: "large", query: "[]" };
const slow = {
  verb: "count",
  corpus: "large",
  query: '[tag="A|C"] []{0,40} [tag="B"] []{0,40} [word="w7"] []{0,40} [tag="D"]',
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
  await makeSmall(data, corpus);
  await makeLarge(data, "large", largeTokens);
  server = await ServerProcess.start(data, { threads: 2 });
  client = await TestClient.connect(server.address);
});

afterAll(async () => {
  await client.close();
  await server.close();
  remove();
});

const rowsOf = (id: number) =>
  client.messages.filter((one) => one.id === id && one.type === "rows") as Rows[];
const rowCount = (id: number) => rowsOf(id).reduce((sum, { count }) => sum + count, 0);

describe("credit", () => {
  it("sends as many rows as there is credit for, and then nothing", async () => {
    const id = client.open({ verb: "positions", corpus, query: "[]", credit: 10 });
    await client.first((one) => one.id === id && one.type === "total");
    expect(rowCount(id)).toBe(10);
    await pause(100);
    expect(rowCount(id)).toBe(10);
    client.send({ id, verb: "credit", rows: 7 });
    await client.next((one) => one.id === id && one.type === "rows");
    await pause(50);
    expect(rowCount(id)).toBe(17);
    const begins = rowsOf(id).flatMap(({ columns }) => columns.begin);
    expect(begins).toEqual(Array.from({ length: 17 }, (_, i) => i));
    client.send({ id, verb: "close" });
    expect(await client.last(id)).toMatchObject({ reason: "cancelled", statistics: { rows: 17 } });
  });

  it("needs no more than the rows there are where their number is known", async () => {
    const { end } = await client.stream({ verb: "lines", corpus, query: '"rare"', credit: 20 });
    expect(end).toMatchObject({ reason: "complete", statistics: { rows: 20 } });
  });

  it("begins with none if it is told so", async () => {
    const id = client.open({ verb: "lines", corpus, query: '"cat"', credit: 0 });
    await pause(50);
    expect(rowsOf(id)).toEqual([]);
    client.send({ id, verb: "credit", rows: 1e9 });
    expect(await client.last(id)).toMatchObject({ reason: "complete", statistics: { rows: 600 } });
  });

  it("keeps a stream without any from computing: processor and memory stay where they are", async () => {
    const ids = Array.from({ length: 20 }, () => client.open({ ...everything, credit: 100 }));
    for (const id of ids) await client.first((one) => one.id === id && one.type === "total");
    await pause(200);
    const before = server.uses;
    await pause(2000);
    const { bytes, seconds } = server.uses;
    // The system counts whole seconds.
    expect(seconds - before.seconds).toBeLessThanOrEqual(1);
    expect(bytes - before.bytes).toBeLessThan(20e6);
    for (const id of ids) expect(rowCount(id)).toBe(100);
    for (const id of ids) client.send({ id, verb: "cancel" });
    for (const id of ids) expect(await client.last(id)).toMatchObject({ type: "end", reason: "cancelled" });
  });

  it("refuses more streams that stand still than a connection may have", async () => {
    const own = await TestClient.connect(server.address);
    const ids = Array.from({ length: 80 }, () =>
      own.open({ verb: "positions", corpus, query: "[]", credit: 1 }),
    );
    for (const id of ids.slice(64)) await own.first((one) => one.id === id && one.type !== "total");
    const errors = own.messages.filter((one) => one.type === "error");
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({ error: { code: "too_many_streams", retryable: true } });
    await own.close();
  });
});

describe("seeking", () => {
  it("goes to any row, forwards and backwards, and says which rows belong to which seek", async () => {
    const id = client.open({ verb: "positions", corpus, query: "[]", credit: 5, hold: true });
    const total = 200 * documentTokens;
    await client.first((one) => one.id === id && one.type === "rows");
    const seeks: [row: number, credit: number, expected: number[]][] = [
      [100, 3, [100, 101, 102]],
      [0, 2, [0, 1]],
      [total - 2, 10, [total - 2, total - 1]],
      [50, 1, [50]],
      [total + 100, 10, []],
      [7, 2, [7, 8]],
    ];
    let sent = 0;
    for (const [row, credit, expected] of seeks) {
      sent++;
      client.send({ id, verb: "seek", row, credit });
      if (expected.length === 0) continue;
      await client.first((one) => one.id === id && one.type === "rows" && (one as Rows).seeks === sent);
      const found = rowsOf(id).filter(({ seeks: of }) => of === sent);
      expect(found[0].from).toBe(row);
      expect(found.flatMap(({ columns }) => columns.begin)).toEqual(expected);
    }
    const totals = client.messages.filter((one) => one.id === id && one.type === "total");
    expect(totals.at(-1)).toMatchObject({ rows: { value: total, certainty: "exact" } });
    client.send({ id, verb: "close" });
    expect(await client.last(id)).toMatchObject({ type: "end", reason: "cancelled" });
  });

  it("finds rows again of a result that is too large to be kept", async () => {
    const small = await startServer({
      data,
      config: { port: 0, logLevel: "silent", threads: 1, resultBytes: 2000 },
    });
    const own = await TestClient.connect(small.address);
    const id = own.open({ ...everything, credit: 3, hold: true });
    for (const [n, row] of [1_500_000, 10, 2_999_999, 0].entries()) {
      own.send({ id, verb: "seek", row, credit: 1 });
      const rows = (await own.first((one) => one.type === "rows" && (one as Rows).seeks === n + 1)) as Rows;
      expect(rows).toMatchObject({ from: row, columns: { begin: [row], end: [row + 1] } });
    }
    await own.close();
    await small.close(0);
  });
});

describe("counting", () => {
  it("goes on without credit until the total is exact, if it is asked to", async () => {
    const query = '[tag="A"] [tag="B"]';
    const id = client.open({ verb: "lines", corpus: "large", query, credit: 20, counting: true });
    const total = await client.first(
      (one) =>
        one.id === id &&
        one.type === "total" &&
        (one as { rows: { certainty: string } }).rows.certainty === "exact",
    );
    const { hits } = await client.ask<{ hits: object }>({ verb: "count", corpus: "large", query });
    expect(total).toMatchObject({ rows: hits });
    expect(rowCount(id)).toBe(20);
    client.send({ id, verb: "credit", rows: 5 });
    await client.next((one) => one.id === id && one.type === "rows");
    client.send({ id, verb: "close" });
    await client.last(id);
    const guess = client.open({
      verb: "lines",
      corpus: "large",
      query: '[tag="C"] [tag="D"] [tag="E"]',
      credit: 1,
    });
    expect(await client.first((one) => one.id === guess && one.type === "total")).toMatchObject({
      rows: { certainty: expect.stringMatching(/estimate|atLeast/) },
    });
    client.send({ id: guess, verb: "close" });
  });
});

describe("ending", () => {
  it("stops a long query within 50 ms or so of being cancelled, and says so", async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const id = client.open({ ...everything, query: slow.query, credit: 1e9 });
      await pause(30 + i * 20);
      const began = performance.now();
      client.send({ id, verb: "cancel" });
      const end = (await client.last(id)) as End;
      times.push(performance.now() - began);
      expect(end.reason).toBe("cancelled");
    }
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(150);
  });

  it("stops verbs with one answer too, with an error", async () => {
    const id = client.open(slow);
    await pause(20);
    client.send({ id, verb: "cancel" });
    expect(await client.last(id)).toMatchObject({ type: "error", error: { code: "cancelled" } });
  });

  it("shrugs at a cancel that comes too late, or for nothing", async () => {
    client.send({ id: 424_242, verb: "cancel" });
    client.send({ id: 424_242, verb: "credit", rows: 1 });
    client.send({ id: 424_242, verb: "seek", row: 1 });
    expect(await client.ask({ verb: "ping" })).toEqual({});
  });

  it("ends what takes too long, and what has too many rows, and names the limit", async () => {
    const late = await client.stream({ ...everything, query: slow.query, timeoutMs: 60 });
    expect(late.end).toMatchObject({ reason: "timeout", limits: { timeoutMs: expect.any(Number) } });
    expect(await client.refused({ ...slow, timeoutMs: 60 })).toMatchObject({ code: "timeout" });
    const few = await startServer({
      data,
      config: { port: 0, logLevel: "silent", threads: 1, rowsMax: 1000 },
    });
    const own = await TestClient.connect(few.address);
    expect((await own.stream(everything)).end).toMatchObject({
      reason: "limit",
      limits: { rowsMax: 1000 },
      statistics: { rows: 1000 },
    });
    await own.close();
    await few.close(0);
  });

  it("ends a request that wants too much memory, and goes on with others", async () => {
    const tight = await startServer({
      data,
      config: { port: 0, logLevel: "silent", threads: 1, memoryBytesMax: 8e6 },
    });
    const own = await TestClient.connect(tight.address);
    const chain = [
      { step: "query", query: "[]" },
      { step: "sort", keys: ["word 0"] },
    ];
    const { end } = await own.stream({ verb: "positions", corpus: "large", chain });
    expect(end).toMatchObject({ reason: "limit", limits: { memoryBytesMax: 8e6 } });
    expect(await own.ask({ verb: "count", corpus, query: '"rare"' })).toMatchObject({ hits: { value: 20 } });
    await own.close();
    await tight.close(0);
  });

  it("lets nothing go on for a client that has gone in the middle of a stream", async () => {
    for (let i = 0; i < 10; i++) {
      const own = await TestClient.connect(server.address);
      for (let n = 0; n < 5; n++) own.open({ ...everything, credit: 1e9 });
      own.open(slow);
      await own.first((one) => one.type === "rows");
      own.socket.terminate();
    }
    await server.idle();
    expect(await client.ask({ verb: "count", corpus, query: '"rare"' })).toMatchObject({
      hits: { value: 20 },
    });
  });
});

describe("many at once", () => {
  it("answers 200 clients, each its own questions", async () => {
    const clients = await Promise.all(Array.from({ length: 200 }, () => TestClient.connect(server.address)));
    await Promise.all(
      clients.map(async (one, i) => {
        const word = `noun${i % 50}`;
        const [counted, streamed, listed] = await Promise.all([
          one.ask<{ hits: { value: number } }>({ verb: "count", corpus, query: `"${word}"` }),
          one.stream({ verb: "lines", corpus, query: `"${word}"`, context: "2" }),
          one.stream({ verb: "freq", corpus, query: `[tag="NN"] "has"`, by: "word 0", limit: 3 }),
        ]);
        expect(counted.hits.value).toBe(12);
        expect(streamed.columns.match).toEqual(new Array(12).fill(word));
        expect(listed.columns.count).toHaveLength(3);
      }),
    );
    await Promise.all(clients.map((one) => one.close()));
  });

  it("does not let a small question wait behind large ones", async () => {
    const heavy = await TestClient.connect(server.address);
    const ids = Array.from({ length: 12 }, () => heavy.open(slow));
    await pause(50);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const began = performance.now();
      await client.ask({ verb: "count", corpus, query: `"noun${i}"` });
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    expect(times[25]).toBeLessThan(50);
    for (const id of ids) heavy.send({ id, verb: "cancel" });
    for (const id of ids) await heavy.last(id);
    await heavy.close();
  });

  it("lets others pass while it counts a long list, also in the same thread", async () => {
    const narrow = await startServer({ data, config: { port: 0, logLevel: "silent", threads: 1 } });
    const own = await TestClient.connect(narrow.address);
    const long = own.open({ verb: "ngrams", corpus: "large", attribute: "word", lengths: [2, 60], limit: 1 });
    await pause(50);
    const list = { verb: "wordlist", corpus: "large", attributes: ["word", "tag"], limit: 1 };
    const { end } = await own.stream(list);
    expect(end.reason).toBe("complete");
    expect(own.messages.some((one) => one.id === long && one.type === "end")).toBe(false);
    own.send({ id: long, verb: "cancel" });
    expect(await own.last(long)).toMatchObject({ reason: "cancelled" });
    await own.close();
    await narrow.close(0);
  });

  it("ends what waits for its turn when it is cancelled, whatever computes meanwhile", async () => {
    const narrow = await startServer({ data, config: { port: 0, logLevel: "silent", threads: 1 } });
    const own = await TestClient.connect(narrow.address);
    const sorted = [
      { step: "query", query: "[]" },
      { step: "sort", keys: ["word 1", "word 2"] },
    ];
    const first = own.open({ verb: "lines", corpus: "large", chain: sorted });
    await pause(100);
    const others = Array.from({ length: 10 }, () => own.open({ ...slow, timeoutMs: 60_000 }));
    await pause(50);
    for (const id of others) own.send({ id, verb: "cancel" });
    for (const id of others) expect(await own.last(id)).toMatchObject({ error: { code: "cancelled" } });
    own.send({ id: first, verb: "cancel" });
    expect(await own.last(first)).toMatchObject({ type: "end" });
    // Nothing is left behind, and their words can be used again.
    expect(await own.ask({ verb: "count", corpus, query: '"rare"' })).toMatchObject({ hits: { value: 20 } });
    expect(narrow.reception.lanes.asked.size).toBe(0);
    await own.close();
    await narrow.close(0);
  });

  it("refuses what cannot wait any more, with a code that says: later", async () => {
    const narrow = await startServer({
      data,
      config: { port: 0, logLevel: "silent", threads: 1, queuePerConnectionMax: 50 },
    });
    const own = await TestClient.connect(narrow.address);
    const ids = Array.from({ length: 300 }, () => own.open(slow));
    const refused = await own.first((one) => one.type === "error");
    expect(refused).toMatchObject({ error: { code: "busy", retryable: true } });
    for (const id of ids) own.send({ id, verb: "cancel" });
    for (const id of ids) await own.last(id);
    await own.close();
    await narrow.close(0);
  });

  it("computes a subcorpus once for those who ask together, and anew if the first one gives up", async () => {
    const subcorpus = { kind: "query", query: '[tag="A"] []{0,6} [tag="B"] []{0,6} [word="w9"]' };
    const ids = Array.from({ length: 6 }, (_, i) =>
      client.open({ verb: "count", corpus: "large", query: `[tag="${"ABCDEF"[i]}"]`, subcorpus }),
    );
    await pause(100);
    client.send({ id: ids[0], verb: "cancel" });
    const answers = await Promise.all(ids.map((id) => client.last(id)));
    for (const answer of answers.slice(1))
      expect(answer, JSON.stringify(answer)).toMatchObject({ type: "result" });
  });

  it("keeps memory flat while a million rows go to a slow reader", async () => {
    const own = await TestClient.connect(server.address);
    const id = own.open({ verb: "lines", corpus: "large", query: "[]", context: "5", credit: 1e9 });
    await own.first((one) => one.id === id && one.type === "rows");
    own.socket.pause();
    const state = async () => {
      const { requests } = await client.ask<{ requests: { verb: string; state: string }[] }>({
        verb: "running",
      });
      return requests.find(({ verb }) => verb === "lines")!.state;
    };
    while ((await state()) !== "standing") await pause(10);
    const before = server.uses.bytes;
    await pause(1500);
    expect(server.uses.bytes - before).toBeLessThan(50e6);
    expect(await state()).toBe("standing");
    own.socket.resume();
    await own.next((one) => one.id === id && one.type === "rows");
    own.send({ id, verb: "cancel" });
    await own.last(id);
    await own.close();
  });
});
