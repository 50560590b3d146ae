/** Who may do what: tokens, grants, expiry, budgets, origins, private corpora; and a server with a certificate. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alignCorpora } from "../../ql/index.js";
import { Tokens } from "../../server/index.js";
import { Catalog } from "../../storage/index.js";
import { TestClient } from "./client.js";
import { makeSmall, temporaryFolder } from "./corpora.js";
import { ServerProcess } from "./process.js";

const { folder: data, remove } = temporaryFolder();
let catalog: Catalog;
let tokens: Tokens;
let open: ServerProcess;
let closed: ServerProcess;
const count = (corpus: string, query = '"rare"') => ({ verb: "count", corpus, query });

beforeAll(async () => {
  await makeSmall(data, "free");
  await makeSmall(data, "secret", 20);
  await alignCorpora({ data, corpus: "free", other: "secret", structure: "s", attribute: "id" });
  catalog = Catalog.open(data);
  tokens = new Tokens(catalog);
  tokens.setPublic("secret", false);
  const config = { threads: 1, handshakeMs: 500 };
  open = await ServerProcess.start(data, config);
  closed = await ServerProcess.start(data, { ...config, anonymous: "none" });
});

afterAll(async () => {
  await open.close();
  await closed.close();
  await catalog.close();
  remove();
});

const withToken = (server: ServerProcess, token: string) =>
  TestClient.connect(server.address, { headers: { authorization: `Bearer ${token}` } });

describe("without a token", () => {
  it("public corpora of a server on loopback can be read, and nothing else done", async () => {
    const client = await TestClient.connect(open.address);
    const { corpora } = await client.ask<{ corpora: { name: string }[] }>({ verb: "corpora" });
    expect(corpora.map(({ name }) => name)).toEqual(["free"]);
    expect(await client.ask(count("free"))).toMatchObject({ hits: { value: 20 } });
    expect(await client.refused(count("secret"))).toMatchObject({ code: "no_corpus", retryable: false });
    expect(await client.refused(count("absent"))).toMatchObject({ code: "no_corpus" });
    expect(await client.refused({ verb: "append", corpus: "free", text: "x" })).toMatchObject({
      code: "forbidden",
    });
    const definition = { kind: "query", query: "<doc/>" };
    expect(
      await client.refused({ verb: "createSubcorpus", corpus: "free", name: "x", definition }),
    ).toMatchObject({
      code: "forbidden",
    });
    expect(await client.refused({ verb: "statistics" })).toMatchObject({ code: "forbidden" });
    await client.close();
  });

  it("a private corpus cannot be looked into from one that is aligned with it", async () => {
    const client = await TestClient.connect(open.address);
    const query = '"cat" within secret: "rare"';
    expect(await client.refused(count("free", query))).toMatchObject({ code: "no_corpus" });
    expect(await client.ask({ verb: "alignments", corpus: "free" })).toEqual({ alignments: [] });
    expect(await client.ask({ verb: "alignments" })).toEqual({ alignments: [] });
    const lines = { verb: "lines", corpus: "free", query: '"cat"', aligned: ["secret"] };
    expect(await client.refused(lines)).toMatchObject({ code: "no_corpus" });
    const chain = [
      { step: "query", query: '"cat"' },
      { step: "filter", query },
    ];
    expect(await client.refused({ verb: "count", corpus: "free", chain })).toMatchObject({
      code: "no_corpus",
    });
    const subcorpus = { kind: "query", query };
    expect(await client.refused({ ...count("free"), subcorpus })).toMatchObject({ code: "no_corpus" });
    expect(
      await client.refused({ verb: "keywords", corpus: "free", attribute: "word", reference: "secret" }),
    ).toMatchObject({ code: "no_corpus" });
    await client.close();
  });

  it("a server that wants one answers nothing else, and does not wait for long", async () => {
    const client = await TestClient.connect(closed.address);
    expect(await client.refused({ verb: "corpora" })).toMatchObject({ code: "unauthorised" });
    expect(await client.ask({ verb: "ping" })).toEqual({});
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(client.messages.at(-1)).toMatchObject({ type: "goodbye", reason: "unauthorised" });
  });
});

describe("with a token", () => {
  it("one may do what was granted, by header or by hello", async () => {
    const { token } = tokens.create("anna", { secret: "read", free: "write" });
    const client = await TestClient.connect(closed.address);
    expect(await client.ask({ verb: "hello", token })).toMatchObject({
      user: "anna",
      grants: { secret: "read" },
    });
    expect(await client.ask(count("secret"))).toMatchObject({ hits: { value: 2 } });
    expect(await client.ask(count("free", '"cat" within secret: "rare"'))).toMatchObject({
      hits: { value: 2 },
    });
    const definition = { kind: "query", query: '<doc genre="news"/>' };
    expect(
      await client.refused({ verb: "createSubcorpus", corpus: "secret", name: "x", definition }),
    ).toMatchObject({
      code: "forbidden",
    });
    expect(
      await client.ask({ verb: "createSubcorpus", corpus: "free", name: "x", definition }),
    ).toHaveProperty("size");
    await client.close();
    const header = await withToken(closed, token);
    expect(header.messages[0]).toMatchObject({ type: "welcome", user: "anna" });
    await header.close();
  });

  it("none means none, also of a public corpus", async () => {
    const { token } = tokens.create("bert", { free: "none" });
    const client = await withToken(open, token);
    expect(await client.refused(count("free"))).toMatchObject({ code: "no_corpus" });
    await client.close();
  });

  it("wrong, cut, expired and revoked ones are refused", async () => {
    const good = tokens.create("carl", { free: "read" });
    const expired = tokens.create("carl", { free: "read" }, new Date(Date.now() - 1000));
    const altered = `${good.token.slice(0, -1)}${good.token.endsWith("A") ? "B" : "A"}`;
    for (const wrong of ["nonsense", "", altered, good.token.slice(0, 20), expired.token]) {
      await expect(withToken(closed, wrong), wrong).rejects.toMatchObject({ status: 401 });
      const client = await TestClient.connect(open.address);
      expect((await client.refused({ verb: "hello", token: wrong })).code).toBe(
        wrong === expired.token ? "token_expired" : "unauthorised",
      );
      await client.close();
    }
    const soon = tokens.create("carl", { free: "read" }, new Date(Date.now() + 700));
    const client = await withToken(closed, soon.token);
    expect(await client.ask(count("free"))).toBeTruthy();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(await client.refused(count("free"))).toMatchObject({ code: "token_expired" });
    await client.close();
    const held = await withToken(closed, good.token);
    expect(await held.ask(count("free"))).toBeTruthy();
    tokens.revoke(good.id);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await held.refused(count("free"))).toMatchObject({ code: "unauthorised" });
    await held.close();
  });

  it("budgets are kept: requests at a time, rows and computing time an hour", async () => {
    const { token } = tokens.create("dora", { free: "read" }, undefined, { streams: 2, rowsPerHour: 100 });
    const client = await withToken(open, token);
    const lines = { verb: "positions", corpus: "free", query: "[]" };
    const ids = [client.open({ ...lines, credit: 1 }), client.open({ ...lines, credit: 1 })];
    for (const id of ids) await client.first((one) => one.id === id && one.type === "rows");
    expect(await client.refused(lines)).toMatchObject({ code: "budget_spent", retryable: true });
    for (const id of ids) client.send({ id, verb: "close" });
    for (const id of ids) await client.last(id);
    const { end } = await client.stream(lines);
    expect(end).toMatchObject({ reason: "limit", limits: { rowsPerHour: 98 }, statistics: { rows: 98 } });
    expect(await client.refused(lines)).toMatchObject({ code: "budget_spent" });
    await client.close();
    const lazy = tokens.create("emil", { free: "read" }, undefined, { cpuMsPerHour: 0 });
    const other = await withToken(open, lazy.token);
    expect(await other.refused(lines)).toMatchObject({ code: "budget_spent" });
    await other.close();
  });

  it("a budget is one, however many requests are open", async () => {
    const { token } = tokens.create("gerd", { free: "read" }, undefined, { rowsPerHour: 300 });
    const client = await withToken(open, token);
    const request = { verb: "positions", corpus: "free", query: "[]", credit: 100 };
    const ids = Array.from({ length: 2 }, () => client.open(request));
    for (const id of ids) await client.first((one) => one.id === id && one.type === "total");
    // Each alone might have 300.
    client.send({ id: ids[0], verb: "credit", rows: 100 });
    const ends = await Promise.all(ids.map((id) => client.last(id)));
    for (const end of ends) expect(end).toMatchObject({ reason: "limit", limits: { rowsPerHour: 300 } });
    const rows = client.messages.reduce((sum, one) => sum + (one.type === "rows" ? one.count : 0), 0);
    expect(rows).toBe(300);
    await client.close();
  });

  it("one that is revoked ends the streams that were opened with it, and no others", async () => {
    const [kept, revoked] = [tokens.create("hans", {}), tokens.create("ilse", {})];
    const clients = await Promise.all([kept, revoked].map(({ token }) => withToken(open, token)));
    const request = { verb: "lines", corpus: "free", query: "[]", credit: 1 };
    const ids = clients.map((client) => client.open(request));
    await Promise.all(clients.map((client, i) => client.first((one) => one.id === ids[i])));
    tokens.revoke(revoked.id);
    expect(await clients[1].last(ids[1])).toMatchObject({
      type: "end",
      reason: "error",
      error: { code: "token_expired" },
    });
    expect(await clients[1].refused(count("free"))).toMatchObject({ code: "unauthorised" });
    clients[0].send({ id: ids[0], verb: "credit", rows: 1 });
    await clients[0].next((one) => one.id === ids[0] && one.type === "rows");
    await Promise.all(clients.map((client) => client.close()));
  });

  it("secrets are not in the catalogue", () => {
    const { token, id } = tokens.create("fred", {});
    const secret = token.split("_").slice(2).join("_");
    expect(JSON.stringify(catalog.database.get(["token", id]))).not.toContain(secret);
    expect(JSON.stringify(tokens.list())).not.toContain("hash");
  });
});

describe("pages", () => {
  it("of other origins may not connect, unless they are named", async () => {
    const from = (server: ServerProcess, origin: string) => TestClient.connect(server.address, { origin });
    await expect(from(open, "https://elsewhere.example")).rejects.toMatchObject({ status: 403 });
    await (await from(open, `http://127.0.0.1:${open.port}`)).close();
    const named = await ServerProcess.start(data, { threads: 1, origins: ["https://corpus.example"] });
    await (await from(named, "https://corpus.example")).close();
    await expect(from(named, "https://elsewhere.example")).rejects.toMatchObject({ status: 403 });
    await named.close();
  });

  it("of a name that somebody has made to lead to this machine may not connect", async () => {
    const from = (host: string) =>
      TestClient.connect(open.address, {
        origin: `http://${host}:${open.port}`,
        headers: { host: `${host}:${open.port}` },
      });
    await expect(from("rebound.example")).rejects.toMatchObject({ status: 403 });
    for (const own of ["localhost", "127.0.0.1", "[::1]"]) await (await from(own)).close();
  });

  it("of HTTP: health, metrics, an index; nothing else", async () => {
    const http = open.address.replace("ws:", "http:");
    const health = await fetch(`${http}/healthz`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: "ok" });
    const metrics = await (await fetch(`${http}/metrics`)).text();
    expect(metrics).toMatch(/dugong_requests_total\{verb="count",outcome="result"\} \d+/);
    expect(metrics).toMatch(/dugong_connections \d+/);
    expect(await (await fetch(http)).text()).toContain("corpus server");
    expect((await fetch(`${http}/nothing`)).status).toBe(404);
    expect((await fetch(http, { method: "POST", body: "x" })).status).toBe(405);
  });
});
