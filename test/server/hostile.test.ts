/** Clients that send anything: the server answers, or closes their connection, and goes on with others. */
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codecOf } from "../../client/protocol/codec.js";
import { subprotocols } from "../../client/protocol/messages.js";
import { TestClient } from "./client.js";
import { makeSmall, temporaryFolder } from "./corpora.js";
import { ServerProcess } from "./process.js";

const { folder: data, remove } = temporaryFolder();
let server: ServerProcess;
const corpus = "small";

beforeAll(async () => {
  await makeSmall(data, corpus);
  server = await ServerProcess.start(data, { threads: 1, frameBytesMax: 100_000, timeoutMs: 5000 });
});

afterAll(async () => {
  // It is the same process, it has nothing to say of errors of its own, and it goes when it is told to.
  expect(await server.close()).toEqual({ code: 0, signal: null });
  expect(server.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  remove();
});

async function isWell(): Promise<void> {
  const client = await TestClient.connect(server.address);
  expect(await client.ask({ verb: "count", corpus, query: '"rare"' })).toMatchObject({ hits: { value: 20 } });
  await client.close();
}

/** Values of parameters: of the right kind, nearly right, and anything. */
const anyValue = fc.oneof(
  fc.constantFrom(
    "[]",
    '"cat"',
    "[",
    '[word="a',
    "word 0",
    "doc.year",
    "s",
    "1 s",
    "../x",
    "small",
    "small@1",
    "",
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.integer(),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -1, 1.5, 1e308),
  fc.array(
    fc.record({
      step: fc.constantFrom("query", "sort", "sample", "x"),
      query: fc.constantFrom("[]", "[", 1),
    }),
  ),
  fc.record({ kind: fc.constantFrom("query", "union", "values", "hits"), of: fc.anything({ maxDepth: 1 }) }),
);

const verbs = [
  ...[
    "hello",
    "ping",
    "corpora",
    "describe",
    "attributes",
    "snapshots",
    "alignments",
    "values",
    "prepare",
    "analyze",
    "count",
  ],
  ...[
    "positions",
    "lines",
    "context",
    "aligned",
    "freq",
    "totals",
    "distribution",
    "trend",
    "coll",
    "collocateChain",
  ],
  ...[
    "wordlist",
    "keywords",
    "terms",
    "ngrams",
    "subcorpora",
    "subcorpus",
    "createSubcorpus",
    "removeSubcorpus",
    "running",
  ],
  ...["kill", "statistics", "append", "credit", "seek", "cancel", "close", "nothing"],
];

const parameters = [
  ...[
    "query",
    "chain",
    "strategy",
    "lists",
    "gapMax",
    "subcorpus",
    "by",
    "over",
    "bin",
    "attribute",
    "attributes",
  ],
  ...[
    "prefix",
    "limit",
    "from",
    "order",
    "context",
    "tags",
    "refs",
    "marks",
    "aligned",
    "begin",
    "end",
    "tokens",
  ],
  ...[
    "structure",
    "count",
    "window",
    "within",
    "skip",
    "measures",
    "lengths",
    "reference",
    "name",
    "definition",
  ],
  ...[
    "request",
    "credit",
    "hold",
    "counting",
    "timeoutMs",
    "rows",
    "row",
    "text",
    "file",
    "token",
    "value",
    "other",
  ],
];

describe("a hostile client", () => {
  it("may send random requests: each gets exactly one last message, and the server goes on", async () => {
    const request = fc.record({
      verb: fc.constantFrom(...verbs),
      corpus: fc.oneof({ weight: 5, arbitrary: fc.constant(corpus) }, { weight: 1, arbitrary: anyValue }),
      parameters: fc.dictionary(fc.constantFrom(...parameters), anyValue, { maxKeys: 6 }),
    });
    const client = await TestClient.connect(server.address, { subprotocol: "dugong.v1.json" });
    let sent = 0;
    const internal: string[] = [];
    await fc.assert(
      fc.asyncProperty(request, async ({ verb, corpus: named, parameters: given }) => {
        const text = JSON.stringify({ credit: 10, ...given, id: 1000 + sent++, verb, corpus: named });
        const id = 999 + sent;
        client.raw(text);
        // Stands still? It is ended, and says so.
        client.send({ id, verb: "close" });
        client.send({ id: 1, verb: "ping" });
        if (["credit", "seek", "cancel", "close"].includes(verb)) return;
        const last = await client.last(id);
        if (last.type === "error" && last.error.code === "internal") internal.push(text);
      }),
      { numRuns: 400 },
    );
    expect(client.isClosed).toBe(false);
    expect(internal).toEqual([]);
    await client.close();
    await isWell();
  });

  it.each(subprotocols)("may send random, cut and altered frames of %s", async (subprotocol) => {
    const whole = codecOf(subprotocol).encode({ id: 5, verb: "lines", corpus, query: '"cat"', credit: 3 });
    const bytes = typeof whole === "string" ? Buffer.from(whole) : whole;
    const frame = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat({ max: bytes.length }).map((end) => bytes.slice(0, end)),
      fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })).map(([at, byte]) => {
        const altered = Uint8Array.from(bytes);
        altered[at] = byte;
        return altered;
      }),
    );
    let client = await TestClient.connect(server.address, { subprotocol });
    await fc.assert(
      fc.asyncProperty(frame, fc.boolean(), async (sent, binary) => {
        if (client.isClosed) client = await TestClient.connect(server.address, { subprotocol });
        client.raw(sent, binary);
        // Either it is answered somehow, or the connection is closed.
        client.send({ id: 77, verb: "ping" });
        await Promise.race([client.next((one) => one.id === 77), client.closed]);
      }),
      { numRuns: 200 },
    );
    client.socket.terminate();
    await isWell();
  });

  it("is told what is wrong, and sent away after many bad frames in a row", async () => {
    const client = await TestClient.connect(server.address, { subprotocol: "dugong.v1.json" });
    client.raw("{");
    expect(await client.first((one) => one.type === "error")).toMatchObject({ error: { code: "bad_frame" } });
    for (let i = 0; i < 20; i++) client.raw("nonsense");
    expect(await client.closed).toMatchObject({ code: 1002 });
    expect(client.messages.at(-1)).toMatchObject({ type: "goodbye", reason: "protocol" });
    await isWell();
  });

  it("cannot send a frame that is too large", async () => {
    const client = await TestClient.connect(server.address, { subprotocol: "dugong.v1.json" });
    client.raw(`{"id":1,"verb":"ping","x":"${"x".repeat(200_000)}"}`);
    expect(await client.closed).toMatchObject({ code: 1009 });
    await isWell();
  });

  it("cannot use an id twice; the first request does not notice", async () => {
    const client = await TestClient.connect(server.address);
    client.send({ id: 9, verb: "positions", corpus, query: "[]", credit: 1 });
    await client.first((one) => one.type === "rows");
    client.send({ id: 9, verb: "ping" });
    const refused = await client.first((one) => one.type === "error");
    expect(refused).toMatchObject({ error: { code: "id_in_use" } });
    expect(refused.id).toBeUndefined();
    client.send({ id: 9, verb: "close" });
    expect(await client.last(9)).toMatchObject({ type: "end" });
    await client.close();
  });

  it("may speak something else than HTTP, or stop in the middle of it", async () => {
    const { port } = server;
    const said = [
      "\0\x01\x02\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "GET /",
    ];
    await Promise.all(
      said.map(
        (text) =>
          new Promise<void>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => socket.write(text));
            socket.on("error", () => {});
            socket.on("data", () => {});
            socket.on("close", () => resolve());
            setTimeout(() => socket.destroy(), 300);
          }),
      ),
    );
    await isWell();
  });

  it("may send anything at all behind a good handshake, and stop anywhere in it", async () => {
    const handshake = [
      `GET / HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: dugong.v1.json",
      "\r\n",
    ].join("\r\n");
    // A head of a frame that may be one: all opcodes, lengths that are not there, masks or none.
    const head = fc
      .tuple(fc.nat(255), fc.nat(255), fc.uint8Array({ maxLength: 14 }))
      .map(([first, second, more]) => Uint8Array.of(first, second, ...more));
    const said = fc.array(fc.oneof(head, fc.uint8Array({ maxLength: 200 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(said, fc.boolean(), async (parts, isCut) => {
        await new Promise<void>((resolve) => {
          const socket = connect(server.port, "127.0.0.1", () => socket.write(handshake));
          socket.on("error", () => {});
          socket.on("close", () => resolve());
          let isWelcome = false;
          socket.on("data", () => {
            if (isWelcome) return;
            isWelcome = true;
            for (const part of parts) socket.write(part);
            if (isCut) socket.destroy();
            else socket.end();
          });
        });
      }),
      { numRuns: 150 },
    );
    await isWell();
    await server.idle();
  });

  it("does not make the server grow", async () => {
    const storm = async () => {
      const client = await TestClient.connect(server.address, { subprotocol: "dugong.v1.json" });
      for (let i = 0; i < 500; i++) {
        client.raw(
          i % 10 === 0
            ? `{"id":${i},"verb":"ping"}`
            : `{"id":${i},"verb":"x${i}","corpus":"${"y".repeat(1000)}"}`,
        );
      }
      await client.first((one) => one.id === 490);
      client.socket.terminate();
    };
    for (let i = 0; i < 10; i++) await storm();
    const before = server.uses.bytes;
    for (let i = 0; i < 40; i++) await storm();
    // 18 MB were sent, and answered with as much.
    expect(server.uses.bytes - before).toBeLessThan(60e6);
    await server.idle();
    expect((await server.health()).connections).toBe(0);
  });
});
