/** From start to end: a server process that is asked, told to stop, and killed; and one without a socket. */
import { type ChildProcess, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codecOf, type Frame } from "../../client/protocol/codec.js";
import type { Failure } from "../../client/protocol/messages.js";
import { type Config, startLocally, startServer, Tokens } from "../../server/index.js";
import { Catalog, openCorpus, verifyCorpus } from "../../storage/index.js";
import { TestClient } from "./client.js";
import { makeLarge, makeSmall, smallText, temporaryFolder } from "./corpora.js";
import { main, ServerProcess } from "./process.js";

const { folder, remove } = temporaryFolder();
const data = join(folder, "data");
const running = new Set<ChildProcess>();
let token: string;

beforeAll(async () => {
  execFileSync("mkdir", ["-p", data]);
  await makeSmall(data, "small");
  await makeLarge(data, "large", 2_000_000);
  const made = execFileSync(process.execPath, [
    main,
    "token",
    "create",
    "me",
    "--grant",
    "*:admin",
    "--json",
    "--data",
    data,
  ]);
  token = (JSON.parse(made.toString()) as { token: string }).token;
});

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  remove();
});

async function serve(config: Partial<Config> = {}): Promise<ServerProcess> {
  const server = await ServerProcess.start(data, config);
  running.add(server.child);
  void server.exit.then(() => running.delete(server.child));
  return server;
}

const connect = (address: string) =>
  TestClient.connect(address, { headers: { authorization: `Bearer ${token}` } });

describe("SIGTERM", () => {
  it("lets what runs finish, takes nothing new, tells everybody, and ends with 0", async () => {
    const { child, address, exit, log } = await serve();
    const client = await connect(address);
    const chain = [
      { step: "query", query: '[tag="A"] []{0,5} [tag="B"]' },
      { step: "sort", keys: ["word 0"] },
    ];
    const id = client.open({ verb: "freq", corpus: "large", chain, by: "word 0" });
    const standing = client.open({ verb: "positions", corpus: "small", query: "[]", credit: 10 });
    await client.first((one) => one.id === standing && one.type === "rows");
    child.kill("SIGTERM");
    expect(await client.first((one) => one.type === "goodbye")).toMatchObject({
      reason: "draining",
      graceMs: 10_000,
    });
    expect(await client.refused({ verb: "corpora" })).toMatchObject({ code: "draining", retryable: true });
    await expect(connect(address)).rejects.toBeTruthy();
    // What has credit goes on; what gets some, too.
    client.send({ id: standing, verb: "credit", rows: 1e9 });
    expect(await client.last(standing)).toMatchObject({ reason: "complete" });
    expect(await client.last(id)).toMatchObject({ type: "end", reason: "complete" });
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(log.at(-1)).toContain('"msg":"stopped"');
  });

  it("ends what does not finish in time", async () => {
    const { child, address, exit } = await serve({ graceMs: 200 });
    const client = await connect(address);
    const id = client.open({ verb: "positions", corpus: "small", query: "[]", credit: 10 });
    await client.first((one) => one.id === id && one.type === "rows");
    child.kill("SIGTERM");
    expect(await client.last(id)).toMatchObject({ type: "end", reason: "cancelled" });
    expect(await exit).toEqual({ code: 0, signal: null });
  });
});

describe("settings", () => {
  it("that do not exist or make no sense are refused, before anything is started", () => {
    const config = join(folder, "bad.json");
    const attempt = (content: string) => {
      writeFileSync(config, content);
      try {
        execFileSync(process.execPath, [main, "serve", "--data", data, "--config", config, "--json"], {
          stdio: "pipe",
        });
        return "started";
      } catch (error) {
        const { stdout } = error as { stdout: Buffer };
        return (JSON.parse(stdout.toString()) as { error: { code: string; hint?: string } }).error;
      }
    };
    expect(attempt('{"rowMax": 5}')).toMatchObject({ code: "bad_config", hint: "Did you mean rowsMax?" });
    expect(attempt('{"rowsMax": "many"}')).toMatchObject({ code: "bad_config" });
    expect(attempt("{")).toMatchObject({ code: "bad_config" });
  });
});

describe("kill -9", () => {
  it("in the middle of appends leaves the corpus as it was, or as it was to become", async () => {
    const text = smallText(4000, 5000);
    for (let round = 0; round < 4; round++) {
      const { child, address, exit } = await serve();
      const client = await connect(address);
      const before = await client.ask<{ tokens: number; snapshot: number }>({
        verb: "describe",
        corpus: "small",
      });
      const id = client.open({ verb: "append", corpus: "small", text });
      if (round === 0) await client.last(id);
      else await new Promise((resolve) => setTimeout(resolve, 120 * round));
      child.kill("SIGKILL");
      await exit;
      // The process that appends ends with the server, by itself.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const catalog = Catalog.open(data);
      const { tokens, snapshot } = catalog.manifest("small");
      await catalog.close();
      expect([before.tokens, before.tokens + 4000 * 18]).toContain(tokens);
      expect(snapshot - before.snapshot).toBe(tokens > before.tokens ? 1 : 0);
      if (round === 0) expect(tokens).toBe(before.tokens + 4000 * 18);
    }
    const again = await serve();
    const client = await connect(again.address);
    // An append that outlived its server's end for a moment says so, and is over soon.
    let before = { tokens: 0 };
    let appended: unknown;
    while (!appended) {
      before = await client.ask<{ tokens: number }>({ verb: "describe", corpus: "small" });
      appended = await client
        .ask({ verb: "append", corpus: "small", text: smallText(1, 9999) })
        .catch((error: Error & { last?: Failure }) => {
          if (error.last?.error.code !== "corpus_busy") throw error;
        });
    }
    expect(appended).toMatchObject({ tokens: before.tokens + 18 });
    expect(await client.ask({ verb: "count", corpus: "small", query: '"cat"' })).toEqual({
      hits: { value: (before.tokens + 18) / 6, certainty: "exact" },
    });
    await client.close();
    again.child.kill("SIGTERM");
    await again.exit;
    const snapshot = openCorpus({ data, corpus: "small" });
    expect(verifyCorpus(snapshot)).toMatchObject({ problems: [] });
    await snapshot.close();
  });
});

describe("without a socket", () => {
  it("the same messages go to and fro, and everything may be done", async () => {
    const server = startLocally({ data, config: { threads: 1 } });
    const link = server.connect();
    const { encode, decode } = codecOf(link.subprotocol);
    const messages: Record<string, unknown>[] = [];
    let wake = () => {};
    link.onFrame = (frame: Frame) => {
      const decoded = decode(frame);
      if ("message" in decoded) messages.push(decoded.message);
      wake();
    };
    const closed = new Promise<number>((resolve) => {
      link.onClose = (code) => resolve(code);
    });
    const until = async (test: (message: Record<string, unknown>) => boolean) => {
      for (;;) {
        const found = messages.find(test);
        if (found) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    expect(await until(({ type }) => type === "welcome")).toMatchObject({ user: "local" });
    link.send(encode({ id: 1, verb: "lines", corpus: "small", query: '"rare"', credit: 5 }));
    expect(await until(({ type }) => type === "rows")).toMatchObject({ id: 1, count: 5 });
    link.send(encode({ id: 2, verb: "statistics" }));
    expect(await until(({ id }) => id === 2)).toMatchObject({ type: "result" });
    link.send(encode({ id: 1, verb: "close" }));
    expect(await until(({ id, type }) => id === 1 && type === "end")).toMatchObject({ reason: "cancelled" });
    await server.close();
    expect(await closed).toBe(1001);
  });

  it("refuses what is not a data directory's affair only when it is asked", async () => {
    const server = await startServer({
      data: join(folder, "empty"),
      config: { port: 0, logLevel: "silent", threads: 1 },
    });
    const client = await TestClient.connect(server.address);
    expect(await client.ask({ verb: "corpora" })).toEqual({ corpora: [] });
    expect(await client.refused({ verb: "describe", corpus: "x" })).toMatchObject({ code: "no_corpus" });
    await client.close();
    await server.close(0);
  });
});

describe("dugong token", () => {
  it("makes, lists and revokes tokens, and says who may read a corpus", async () => {
    const run = (...args: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [main, "token", ...args, "--json", "--data", data]).toString(),
      );
    const made = run("create", "anna", "--grant", "small:read", "--expires", "30d", "--streams", "3");
    expect(made).toMatchObject({ name: "anna", grants: { small: "read" }, budget: { streams: 3 } });
    expect(Date.parse(made.expires) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const catalog = Catalog.open(data);
    expect(new Tokens(catalog).find(made.token)).toMatchObject({ name: "anna" });
    await catalog.close();
    expect(
      run("list")
        .tokens.map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(["anna", "me"]);
    expect(run("revoke", "anna")).toEqual({ revoked: 1 });
    expect(run("access", "small", "--private")).toEqual({ corpus: "small", public: false });
    expect(run("access", "small", "--public")).toEqual({ corpus: "small", public: true });
    expect(() => run("create", "x", "--grant", "small:everything")).toThrow();
    expect(() => run("revoke", "nobody")).toThrow();
  });
});
