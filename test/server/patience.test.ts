/** How long a server waits: for clients that ask nothing, take nothing, or are gone; and what it says of slow requests. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../server/index.js";
import { TestClient } from "./client.js";
import { makeLarge, makeSmall, temporaryFolder } from "./corpora.js";

const { folder: data, remove } = temporaryFolder();
const started: RunningServer[] = [];

async function serve(config: object): Promise<RunningServer> {
  const server = await startServer({ data, config: { port: 0, logLevel: "silent", threads: 1, ...config } });
  started.push(server);
  return server;
}

beforeAll(async () => {
  await makeSmall(data, "small", 20);
  await makeLarge(data, "large", 1_000_000);
});

afterAll(async () => {
  await Promise.all(started.map((server) => server.close(0)));
  remove();
});

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i === 2000) throw new Error("it did not come to that");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a client", () => {
  it("that asks nothing for long is told goodbye; one that asks, or whose stream stands still, is not", async () => {
    const server = await serve({ idleMs: 1500 });
    const clients = await Promise.all(Array.from({ length: 3 }, () => TestClient.connect(server.address)));
    const [quiet, asking, standing] = clients;
    const asks = setInterval(() => void asking.ask({ verb: "ping" }), 300);
    standing.open({ verb: "lines", corpus: "large", query: "[]", credit: 1 });
    expect(await quiet.closed).toMatchObject({ code: 1000 });
    expect(quiet.messages.at(-1)).toMatchObject({ type: "goodbye", reason: "idle" });
    expect([asking.isClosed, standing.isClosed]).toEqual([false, false]);
    clearInterval(asks);
    await Promise.all([asking.close(), standing.close()]);
  });

  it("that takes nothing of what it asked for is dropped, and its stream with it", async () => {
    const server = await serve({ slowMs: 700 });
    const slow = await TestClient.connect(server.address);
    slow.socket.pause();
    slow.open({ verb: "lines", corpus: "large", query: "[]", credit: 1e9, attributes: ["word", "tag"] });
    const { reception } = server;
    await until(() => reception.lanes.asked.size === 1);
    await until(() => reception.connections.size === 0 && reception.lanes.asked.size === 0);
    const next = await TestClient.connect(server.address);
    expect(await next.ask({ verb: "count", corpus: "small", query: '"rare"' })).toMatchObject({
      hits: { value: 2 },
    });
    await next.close();
    slow.socket.terminate();
  });

  it("that takes much, but slowly, is not held to be gone", async () => {
    const server = await serve({ pingMs: 1500 });
    const slow = await TestClient.connect(server.address);
    const [connection] = server.reception.connections;
    const request = { verb: "context", corpus: "large", begin: 500_000, end: 500_001, tokens: 20_000 };
    await slow.ask(request);
    slow.socket.pause();
    // More than the system's own buffers take, however large they are.
    for (let i = 0; i < 300; i++) slow.open(request);
    await until(() => connection.isFull);
    await new Promise((resolve) => setTimeout(resolve, 3750));
    expect(server.reception.connections.size).toBe(1);
    slow.socket.resume();
    expect(await slow.ask({ verb: "ping" })).toEqual({});
    slow.socket.terminate();
  });

  it("that asks much and takes nothing does not make the server keep it all ready", async () => {
    const server = await serve({});
    const slow = await TestClient.connect(server.address);
    const [connection] = server.reception.connections;
    slow.socket.pause();
    const request = { verb: "context", corpus: "large", begin: 500_000, end: 500_001, tokens: 20_000 };
    const ids = Array.from({ length: 300 }, () => slow.open(request));
    await until(() => connection.isFull);
    let most = 0;
    for (let i = 0; i < 50; i++) {
      most = Math.max(most, connection.unsent);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // All together have 60 MB.
    expect(most).toBeLessThan(12e6);
    expect(connection.waiting).toBeGreaterThan(100);
    slow.socket.resume();
    for (const id of ids) expect((await slow.last(id)).type).toBe("result");
    await slow.close();
  });

  it("that is gone without a word is found out by asking whether it is there", async () => {
    const server = await serve({ pingMs: 300 });
    const { reception } = server;
    const gone = await TestClient.connect(server.address, { autoPong: false } as object);
    const there = await TestClient.connect(server.address);
    gone.open({ verb: "lines", corpus: "large", query: "[]", credit: 1 });
    await until(() => reception.lanes.asked.size === 1);
    await until(() => reception.connections.size === 1);
    await until(() => reception.lanes.asked.size === 0);
    expect(await gone.closed).toMatchObject({ code: 1006 });
    expect(await there.ask({ verb: "ping" })).toEqual({});
    await there.close();
  });

  it("that does not finish its handshake is not waited for", async () => {
    const server = await serve({ handshakeMs: 300 });
    const began = performance.now();
    const closed = ["", "GET / HTTP/1.1\r\nHost: x\r\n"].map((beginning) => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(beginning));
      socket.on("error", () => {});
      socket.resume();
      return new Promise((resolve) => socket.on("close", resolve));
    });
    await Promise.all(closed);
    // Not by chance: left alone, a connection that has said nothing stays for minutes.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("whose stream stands still for too long hears which limit that was", async () => {
    const server = await serve({ standingMs: 500 });
    const client = await TestClient.connect(server.address);
    const id = client.open({ verb: "lines", corpus: "large", query: "[]", credit: 1 });
    expect(await client.last(id)).toMatchObject({
      type: "end",
      reason: "timeout",
      limits: { standingMs: 500 },
    });
    await client.close();
  });
});

describe("a slow request", () => {
  it("is in the log with its plan; a quick one is not", async () => {
    const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
    const config = join(data, "config.json");
    writeFileSync(config, JSON.stringify({ slowQueryMs: 20, threads: 1 }));
    const child = spawn(
      process.execPath,
      [main, "serve", "--data", data, "--port", "0", "--json", "--config", config],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const log: Record<string, unknown>[] = [];
    createInterface({ input: child.stderr! }).on("line", (line) => log.push(JSON.parse(line)));
    const exit = new Promise((resolve) => child.on("exit", resolve));
    try {
      const line = await new Promise<string>((resolve) => {
        createInterface({ input: child.stdout! }).once("line", resolve);
      });
      const client = await TestClient.connect((JSON.parse(line) as { address: string }).address);
      const slow = '[tag="A"] []{0,9} [tag="B"] []{0,9} [tag="C"]';
      await client.ask({ verb: "count", corpus: "large", query: slow });
      await client.ask({ verb: "ping" });
      await client.close();
      await until(() => log.some(({ msg }) => msg === "slow query"));
      const entries = log.filter(({ msg }) => msg === "slow query");
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({
        verb: "count",
        corpus: "large@1",
        user: "anonymous",
        reason: "result",
      });
      expect(JSON.stringify(entries[0].asked)).toContain("0,9");
      expect(entries[0].cpuMs).toBeGreaterThanOrEqual(20);
      expect(entries[0].plan).toMatchObject({ operator: "scan", detail: expect.any(String) });
    } finally {
      child.kill("SIGTERM");
      await exit;
    }
  });
});
