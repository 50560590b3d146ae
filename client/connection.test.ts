/** Requests, credit, cancelling and coming back, against a transport whose other end is the test itself. */
import { describe, expect, it } from "vitest";
import { DugongClientError } from "./errors.js";
import { connect, type Receiver, type Session, type Transport } from "./index.js";
import type { ClientMessage, ServerMessage, Welcome } from "./protocol/messages.js";

const welcome: Welcome = { type: "welcome", protocol: 1, server: "fake", features: [], limits: {} };

/** The other end. What was sent since the last look is in `heard`. */
class Fake implements Transport {
  readonly address = "fake";
  heard: ClientMessage[] = [];
  opened = 0;
  isDown = false;
  #receiver: Receiver | undefined;
  #opening: (() => void)[] = [];

  async open(receiver: Receiver) {
    if (this.isDown)
      throw new DugongClientError({ code: "disconnected", message: "nobody there", retryable: true });
    this.opened++;
    this.#receiver = receiver;
    queueMicrotask(() => receiver.receive(welcome));
    for (const resolve of this.#opening.splice(0)) resolve();
    return {
      send: (message: ClientMessage) => this.heard.push(JSON.parse(JSON.stringify(message))) > 0,
      close: () => this.drop("closed"),
    };
  }

  say(...messages: object[]): void {
    for (const message of messages) this.#receiver?.receive(message as ServerMessage);
  }

  drop(why = "gone"): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.closed(why);
  }

  /** Everything that was sent, once something was. */
  async told(): Promise<ClientMessage[]> {
    for (let i = 0; this.heard.length === 0; i++) {
      if (i === 500) throw new Error("nothing was sent");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await settled();
    return this.heard.splice(0);
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

async function session(options = {}): Promise<[Session, Fake]> {
  const fake = new Fake();
  return [await connect(fake, options), fake];
}

const rows = (id: number, from: number, count: number, more = {}) => ({
  type: "rows",
  id,
  from,
  count,
  columns: { n: Array.from({ length: count }, (_, i) => from + i) },
  ...more,
});
const end = (id: number, reason = "complete", more = {}) => ({
  type: "end",
  id,
  reason,
  statistics: { rows: 0, elapsedMs: 0, cpuMs: 0 },
  ...more,
});

describe("requests", () => {
  it("are answered in any order", async () => {
    const [own, fake] = await session();
    const first = own.request("one");
    const second = own.request("two");
    expect(await fake.told()).toEqual([
      { verb: "one", id: 1 },
      { verb: "two", id: 2 },
    ]);
    fake.say({ type: "result", id: 2, value: "b" }, { type: "result", id: 1, value: "a" });
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
    await own.close();
  });

  it("fail with the server's code, sentence, hint and span", async () => {
    const [own, fake] = await session();
    const asked = own.request("one");
    const error = { code: "x", message: "no", hint: "yes", span: [1, 2], retryable: true };
    fake.say({ type: "error", id: 1, error });
    const failure = await asked.catch((thrown) => thrown);
    expect(failure).toBeInstanceOf(DugongClientError);
    expect(failure).toMatchObject(error);
    await own.close();
  });

  it("are cancelled by their signal, and what comes later is ignored", async () => {
    const [own, fake] = await session();
    const abort = new AbortController();
    const asked = own.request("one", {}, { signal: abort.signal });
    await fake.told();
    abort.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(await fake.told()).toEqual([{ verb: "cancel", id: 1 }]);
    fake.say({ type: "result", id: 1, value: 1 });
    await expect(own.request("two", {}, { signal: abort.signal })).rejects.toThrow("enough");
    expect(fake.heard).toEqual([]);
    await own.close();
  });

  it("that change something fail when the connection is lost; others are asked again", async () => {
    const [own, fake] = await session();
    const change = own.request("change");
    const read = own.request("read", {}, { repeatable: true });
    await fake.told();
    fake.drop();
    await expect(change).rejects.toMatchObject({ code: "disconnected", retryable: true });
    expect(await fake.told()).toEqual([{ verb: "read", id: 2 }]);
    fake.say({ type: "result", id: 2, value: "ok" });
    expect(await read).toBe("ok");
    expect(fake.opened).toBe(2);
    await own.close();
  });

  it("wait while the server is away, and fail when it does not come back", async () => {
    const states: string[] = [];
    const [own, fake] = await session({ reconnectMs: 300, onState: (state: string) => states.push(state) });
    fake.isDown = true;
    fake.drop();
    await expect(own.request("change")).rejects.toMatchObject({ code: "disconnected" });
    expect(own.state).toBe("closed");
    await expect(own.request("change")).rejects.toMatchObject({ code: "disconnected" });
    expect(states).toEqual(["open", "away", "closed"]);
  });

  it("go to the next connection when the server says goodbye; those under way may finish", async () => {
    const [own, fake] = await session();
    const first = own.request("first", {}, { repeatable: true });
    await fake.told();
    fake.say({ type: "goodbye", reason: "draining", message: "later", graceMs: 1000 });
    const second = own.request("second");
    await settled();
    expect(fake.heard).toEqual([]);
    fake.say({ type: "result", id: 1, value: 1 });
    expect(await first).toBe(1);
    expect(await fake.told()).toEqual([{ verb: "second", id: 2 }]);
    fake.say({ type: "result", id: 2, value: 2 });
    expect(await second).toBe(2);
    await own.close();
  });

  it("that a server refuses because it is going are asked of the next", async () => {
    const [own, fake] = await session();
    const asked = own.request("one", {}, { repeatable: true });
    await fake.told();
    const error = { code: "draining", message: "going", retryable: true };
    fake.say({ type: "error", id: 1, error });
    expect(await fake.told()).toEqual([{ verb: "one", id: 1 }]);
    fake.say({ type: "result", id: 1, value: 1 });
    expect(await asked).toBe(1);
    await own.close();
  });

  it("fail when the session is closed", async () => {
    const [own] = await session();
    const asked = own.request("one");
    await own.close();
    await expect(asked).rejects.toMatchObject({ code: "closed" });
    await expect(own.request("two")).rejects.toMatchObject({ code: "closed" });
  });

  it("follow the token, on every connection", async () => {
    const fake = new Fake();
    const opening = connect(fake, { token: "secret" });
    expect(await fake.told()).toEqual([{ verb: "hello", id: 1, token: "secret" }]);
    fake.say({ type: "result", id: 1, value: {} });
    const own = await opening;
    fake.drop();
    expect(await fake.told()).toEqual([{ verb: "hello", id: 2, token: "secret" }]);
    fake.say({
      type: "error",
      id: 2,
      error: { code: "unauthorised", message: "no longer", retryable: false },
    });
    await expect(own.request("one")).rejects.toMatchObject({ code: "unauthorised" });
  });
});

describe("streams", () => {
  it("ask for more rows as rows are taken, and never for more than the window", async () => {
    const [own, fake] = await session();
    const seen: unknown[] = [];
    const iterator = own.stream("count", { corpus: "c" }, { windowRows: 10 })[Symbol.asyncIterator]();
    const first = iterator.next();
    expect(await fake.told()).toEqual([{ verb: "count", corpus: "c", id: 1, credit: 10 }]);
    fake.say(rows(1, 0, 4), rows(1, 4, 6));
    seen.push((await first).value);
    for (let i = 0; i < 4; i++) seen.push((await iterator.next()).value);
    // Four of ten were taken: not yet.
    expect(fake.heard).toEqual([]);
    for (let i = 0; i < 5; i++) seen.push((await iterator.next()).value);
    const last = iterator.next();
    expect(await fake.told()).toEqual([{ verb: "credit", id: 1, rows: 10 }]);
    fake.say(end(1));
    expect((await last).done).toBe(true);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, n) => ({ n })));
    await own.close();
  });

  it("are cancelled when the loop is left", async () => {
    const [own, fake] = await session();
    const loop = (async () => {
      for await (const row of own.stream("count")) if (row.n === 2) break;
    })();
    await fake.told();
    fake.say(rows(1, 0, 5));
    await loop;
    expect(await fake.told()).toEqual([{ verb: "cancel", id: 1 }]);
    await own.close();
  });

  it("end with the signal's reason, and are cancelled", async () => {
    const [own, fake] = await session();
    const abort = new AbortController();
    const all = own.stream("count", {}, { signal: abort.signal }).all();
    await fake.told();
    fake.say(rows(1, 0, 5));
    await settled();
    abort.abort(new Error("enough"));
    await expect(all).rejects.toThrow("enough");
    expect(await fake.told()).toEqual([{ verb: "cancel", id: 1 }]);
    await own.close();
  });

  it("go on at the next row of the same snapshot after the connection was lost", async () => {
    const [own, fake] = await session();
    const all = own.stream("count", { corpus: "c" }, { windowRows: 100 }).all();
    await fake.told();
    fake.say(rows(1, 0, 30, { corpus: "c@7" }));
    await settled();
    fake.drop();
    expect(await fake.told()).toEqual([
      { verb: "count", corpus: "c@7", id: 1, credit: 0 },
      { verb: "seek", id: 1, row: 30, credit: 70 },
    ]);
    fake.say(rows(1, 30, 20, { seeks: 1 }), end(1));
    expect((await all).map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    await own.close();
  });

  it("give the rows that came before an error, then the error", async () => {
    const [own, fake] = await session();
    const seen: unknown[] = [];
    const loop = (async () => {
      for await (const { n } of own.stream("count")) seen.push(n);
    })();
    await fake.told();
    fake.say(rows(1, 0, 2), end(1, "limit", { limits: { rowsMax: 2 } }));
    await expect(loop).rejects.toMatchObject({ code: "limit", limits: { rowsMax: 2 } });
    expect(seen).toEqual([0, 1]);
    await own.close();
  });

  it("give pages: the next ones by credit, others by seek, and leave out rows that came too late", async () => {
    const [own, fake] = await session();
    const stream = own.stream("count");
    const first = stream.page(0, 3);
    expect(await fake.told()).toEqual([{ verb: "count", hold: true, id: 1, credit: 3 }]);
    fake.say(rows(1, 0, 3));
    expect((await first).rows).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    const second = stream.page(3, 2);
    expect(await fake.told()).toEqual([{ verb: "credit", id: 1, rows: 2 }]);
    fake.say(rows(1, 3, 2), { type: "total", id: 1, rows: { value: 100, certainty: "estimate" } });
    await second;
    const far = stream.page(50, 5);
    expect(await fake.told()).toEqual([{ verb: "seek", id: 1, row: 50, credit: 5 }]);
    const total = { value: 52, certainty: "exact" };
    fake.say(rows(1, 5, 2), rows(1, 50, 2, { seeks: 1 }), { type: "total", id: 1, rows: total });
    expect(await far).toEqual({ from: 50, rows: [{ n: 50 }, { n: 51 }], total });
    // Behind the end there is nothing, and no need to wait for it.
    expect((await stream.page(60, 5)).rows).toEqual([]);
    await fake.told();
    stream.close();
    expect(await fake.told()).toEqual([{ verb: "cancel", id: 1 }]);
    await own.close();
  });

  it("give a page that was under way when the connection was lost", async () => {
    const [own, fake] = await session();
    const page = own.stream("count").page(10, 4);
    expect(await fake.told()).toEqual([
      { verb: "count", hold: true, id: 1, credit: 0 },
      { verb: "seek", id: 1, row: 10, credit: 4 },
    ]);
    fake.say(rows(1, 10, 1, { seeks: 1 }));
    fake.drop();
    expect(await fake.told()).toEqual([
      { verb: "count", hold: true, id: 1, credit: 0 },
      { verb: "seek", id: 1, row: 11, credit: 3 },
    ]);
    fake.say(rows(1, 11, 3, { seeks: 1 }));
    expect((await page).rows.map(({ n }) => n)).toEqual([10, 11, 12, 13]);
    await own.close();
  });

  it("tell what becomes known of the whole", async () => {
    const [own, fake] = await session();
    const heard: unknown[] = [];
    const stream = own.stream("count", {}, { onProgress: (known) => heard.push({ ...known }) });
    const all = stream.all();
    await fake.told();
    const hits = { value: 7, certainty: "atLeast" };
    const total = { value: 9, certainty: "exact" };
    fake.say({ type: "progress", id: 1, done: 5, of: 10, hits });
    fake.say(
      { type: "total", id: 1, rows: total, summary: { N: 10 } },
      end(1, "complete", { corpus: "c@1" }),
    );
    await all;
    expect(heard.slice(0, 2)).toEqual([
      { done: 5, of: 10, hits },
      { done: 5, of: 10, hits, total, summary: { N: 10 } },
    ]);
    expect(stream.known.end).toMatchObject({ reason: "complete", corpus: "c@1" });
    expect(stream.total).toEqual(total);
    await own.close();
  });
});

describe("connect", () => {
  it("says what is wrong with an address", async () => {
    await expect(connect("localhost:7717")).rejects.toMatchObject({
      code: "bad_address",
      hint: expect.stringContaining("ws://"),
    });
  });

  it("says so when nobody is there, and stops when it is told to", async () => {
    await expect(connect("ws://127.0.0.1:1")).rejects.toMatchObject({
      code: "disconnected",
      hint: expect.stringContaining("dugong serve"),
    });
    await expect(connect("ws://127.0.0.1:1", { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow(
      "no",
    );
  });
});
