/** Requests that no thread has begun are ended by the main thread, at once: while threads start, and behind others. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { codecOf, type Frame } from "../../client/protocol/codec.js";
import type { Connection, Transport } from "../../server/connection.js";
import { type RunningServer, startServer } from "../../server/index.js";
import { flagOf } from "../../server/threads/messages.js";
import { makeLarge, temporaryFolder } from "./corpora.js";

const { folder: data, remove } = temporaryFolder();
const { encode, decode } = codecOf("dugong.v1.msgpack");
let server: RunningServer;
const closing: (() => Promise<void>)[] = [];

type Message = { type: string; id?: number; [field: string]: unknown };

/** A connection without a socket: what it sends is there as soon as it is sent. */
function connected(): { sent: Message[]; connection: Connection; ask(message: object): void } {
  const sent: Message[] = [];
  const transport: Transport = {
    subprotocol: "dugong.v1.msgpack",
    remote: "test",
    send: (frame: Frame, left) => {
      sent.push((decode(frame) as unknown as { message: Message }).message);
      left();
    },
    close: () => {},
    drop: () => {},
    pause: () => {},
    resume: () => {},
  };
  const connection = server.reception.open(transport, server.reception.users.local());
  return { sent, connection, ask: (message) => connection.receive(encode(message)) };
}

const lastOf = (sent: Message[], id: number) =>
  sent.filter((one) => one.id === id && ["end", "error", "result"].includes(one.type));

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeAll(async () => {
  await makeLarge(data, "large", 300_000);
});

afterAll(async () => {
  for (const close of closing) await close();
  remove();
});

async function start(): Promise<void> {
  server = await startServer({ data, config: { port: 0, logLevel: "silent", threads: 1 } });
  closing.push(() => server.close(0));
}

const heavy = { corpus: "large", query: '[tag="A"] []{0,9} [tag="B"]' };

it("a request is ended while its thread starts, and the thread never begins with it", async () => {
  await start();
  const { sent, ask } = connected();
  for (let id = 1; id <= 6; id++) {
    ask(id % 2 === 0 ? { id, verb: "count", ...heavy } : { id, verb: "lines", ...heavy, credit: 10 });
    ask({ id, verb: "cancel" });
    // Nothing was waited for: no thread can have said this.
    expect(lastOf(sent, id)).toMatchObject([
      id % 2 === 0
        ? { type: "error", error: { code: "cancelled" } }
        : { type: "end", reason: "cancelled", statistics: { rows: 0 } },
    ]);
  }
  expect(server.reception.lanes.asked.size).toBe(0);
  await until(() => server.reception.lanes.active("quick") === 0);
  // Said once each, and their places are free again.
  for (let id = 1; id <= 6; id++) expect(lastOf(sent, id)).toHaveLength(1);
  ask({ id: 7, verb: "count", corpus: "large", query: '[tag="A"]' });
  await until(() => lastOf(sent, 7).length > 0);
  expect(lastOf(sent, 7)).toMatchObject([{ type: "result" }]);
});

it("a request that another ends before it has begun is told so", async () => {
  await start();
  const { sent, ask } = connected();
  ask({ id: 1, verb: "lines", ...heavy, credit: 10 });
  ask({ id: 2, verb: "count", ...heavy });
  for (const asked of server.reception.lanes.asked) server.reception.lanes.stop(asked, flagOf.killed);
  expect(lastOf(sent, 1)).toMatchObject([{ reason: "cancelled", notices: [{ code: "killed" }] }]);
  expect(lastOf(sent, 2)).toMatchObject([
    { error: { code: "cancelled", message: expect.stringMatching("administrator") } },
  ]);
});

it("a client that goes before its requests have begun leaves nothing behind", async () => {
  await start();
  const { connection, ask } = connected();
  for (let id = 1; id <= 20; id++) ask({ id, verb: "lines", ...heavy, credit: 10 });
  connection.drop();
  expect(server.reception.lanes.asked.size).toBe(0);
  await until(() => server.reception.lanes.active("quick") === 0);
  const next = connected();
  next.ask({ id: 1, verb: "count", ...heavy });
  await until(() => lastOf(next.sent, 1).length > 0);
  expect(lastOf(next.sent, 1)).toMatchObject([{ type: "result" }]);
});
