/** Text that clients add: how far it is, what is running, how it is ended, and how many there may be at a time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Failure, Progress } from "../../client/protocol/messages.js";
import { type RunningServer, startServer, Tokens } from "../../server/index.js";
import { Catalog } from "../../storage/index.js";
import { TestClient } from "./client.js";
import { makeSmall, smallText, temporaryFolder } from "./corpora.js";

const { folder: data, remove } = temporaryFolder();
const text = smallText(6000, 1000);
let server: RunningServer;
let writer: TestClient;
let admin: TestClient;

const start = (config: object = {}) =>
  startServer({ data, config: { port: 0, logLevel: "silent", threads: 1, appendsMax: 1, ...config } });

beforeAll(async () => {
  await makeSmall(data, "small", 20);
  await makeSmall(data, "other", 20);
  server = await start();
  writer = await connect(server, "writer", { small: "write", other: "write" });
  admin = await connect(server, "admin", { "*": "admin" });
});

afterAll(async () => {
  await Promise.all([writer.close(), admin.close()]);
  await server.close(0);
  remove();
});

async function connect(to: RunningServer, name: string, grants: object): Promise<TestClient> {
  const catalog = Catalog.open(data);
  const { token } = new Tokens(catalog).create(name, grants as Record<string, "read">);
  await catalog.close();
  return TestClient.connect(to.address, { headers: { authorization: `Bearer ${token}` } });
}

const tokensOf = async (corpus: string) =>
  (await writer.ask<{ tokens: number }>({ verb: "describe", corpus })).tokens;
const progressOf = (client: TestClient, id: number) =>
  client.messages.filter((one) => one.id === id && one.type === "progress") as Progress[];

describe("an append", () => {
  it("tells how far it is, at most ten times a second, and only what has changed", async () => {
    const times: number[] = [];
    writer.onMessage = ({ type }) => {
      if (type === "progress") times.push(performance.now());
    };
    const id = writer.open({ verb: "append", corpus: "small", text });
    expect(await writer.last(id)).toMatchObject({ type: "result", value: { addedTokens: 6000 * 18 } });
    writer.onMessage = () => {};
    const told = progressOf(writer, id);
    expect(told.length).toBeGreaterThan(0);
    expect(told.map(({ of }) => of)).toEqual([1000, ...told.slice(1).map(() => undefined)]);
    expect(told.length).toBeLessThanOrEqual(1 + (times.at(-1)! - times[0]) / 99);
  });

  it("has room again for the next one as soon as it is said to be done", async () => {
    for (let i = 0; i < 4; i++)
      expect(await writer.ask({ verb: "append", corpus: "other", text: smallText(2, 90 + i) })).toMatchObject(
        {
          addedTokens: 36,
        },
      );
  });

  it("is listed while it runs, for whoever asked it and for administrators; one more has to wait", async () => {
    const before = await tokensOf("small");
    const id = writer.open({ verb: "append", corpus: "small", text: smallText(3000, 20_000) });
    const [own] = (await writer.ask<{ requests: object[] }>({ verb: "running" })).requests;
    expect(own).toMatchObject({ verb: "append", corpus: "small", user: "writer", state: "going" });
    expect((await admin.ask<{ requests: object[] }>({ verb: "running" })).requests).toHaveLength(1);
    const stranger = await TestClient.connect(server.address);
    expect((await stranger.ask<{ requests: object[] }>({ verb: "running" })).requests).toEqual([]);
    await stranger.close();
    expect(await writer.refused({ verb: "append", corpus: "other", text: "x\ty\n" })).toMatchObject({
      code: "busy",
      retryable: true,
      message: expect.stringContaining("appendsMax"),
    });
    const { request } = own as { request: number };
    expect(await admin.ask({ verb: "kill", request })).toEqual({ request });
    expect((await writer.last(id)) as Failure).toMatchObject({
      type: "error",
      error: { code: "cancelled", message: expect.stringContaining("administrator") },
    });
    expect(await tokensOf("small")).toBe(before);
    expect((await admin.ask<{ requests: object[] }>({ verb: "running" })).requests).toEqual([]);
  });

  it.each(["cancel", "close"])("is ended by %s, and the corpus is as it was", async (verb) => {
    const before = await tokensOf("other");
    const id = writer.open({ verb: "append", corpus: "other", text });
    writer.send({ id, verb });
    expect(await writer.last(id)).toMatchObject({ type: "error", error: { code: "cancelled" } });
    expect(await tokensOf("other")).toBe(before);
  });

  it("that is not done when the server has to go is told so, and can be done again", async () => {
    const second = await start();
    const client = await connect(second, "late", { "*": "write" });
    const id = client.open({ verb: "append", corpus: "other", text });
    await client.ask({ verb: "ping" });
    await second.close(0);
    expect(await client.last(id)).toMatchObject({
      type: "error",
      error: { code: "append_ended", retryable: true },
    });
    expect(await client.closed).toMatchObject({ code: 1001 });
    const before = await tokensOf("other");
    await writer.ask({ verb: "append", corpus: "other", text });
    expect(await tokensOf("other")).toBe(before + 6000 * 18);
  });
});
