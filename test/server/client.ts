/** A client for tests: sends what it is told, whatever that is, and keeps what comes back. */
import WebSocket from "ws";
import { codecOf, type Frame } from "../../client/protocol/codec.js";
import type {
  End,
  Failure,
  Result,
  Rows,
  ServerMessage,
  Subprotocol,
  Total,
} from "../../client/protocol/messages.js";

type Sent = Record<string, unknown>;
type Message = ServerMessage & { id?: number };

export interface Streamed {
  end: End;
  rows: Rows[];
  totals: Total[];
  columns: Record<string, unknown[]>;
}

export class TestClient {
  readonly messages: Message[] = [];
  #waiting: { test: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  #next = 1;
  closed: Promise<{ code: number; reason: string }>;
  isClosed = false;
  /** Called with every message, as it comes. */
  onMessage: (message: Message) => void = () => {};

  private constructor(
    readonly socket: WebSocket,
    readonly subprotocol: Subprotocol,
  ) {
    const { decode } = codecOf(subprotocol);
    socket.on("message", (data, isBinary) => {
      const decoded = decode(isBinary ? (data as Buffer) : (data as Buffer).toString());
      if ("problem" in decoded)
        throw new Error(`the server sent a frame that is none: ${decoded.problem.message}`);
      this.#take(decoded.message as unknown as Message);
    });
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => {
        this.isClosed = true;
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  static async connect(
    address: string,
    {
      subprotocol = "dugong.v1.msgpack",
      ...options
    }: { subprotocol?: Subprotocol } & WebSocket.ClientOptions = {},
  ): Promise<TestClient> {
    const socket = new WebSocket(address, [subprotocol], { perMessageDeflate: false, ...options });
    const client = new TestClient(socket, subprotocol);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
      socket.once("unexpected-response", (_, response) =>
        reject(Object.assign(new Error(`HTTP ${response.statusCode}`), { status: response.statusCode })),
      );
    });
    await client.first((message) => message.type === "welcome");
    return client;
  }

  #take(message: Message): void {
    this.messages.push(message);
    this.onMessage(message);
    const ready = this.#waiting.filter(({ test }) => test(message));
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve(message);
  }

  /** The first message for which something holds, of those that came or will come. */
  first(test: (message: Message) => boolean, withinMs = 30_000): Promise<Message> {
    const known = this.messages.find(test);
    if (known) return Promise.resolve(known);
    return this.next(test, withinMs);
  }

  /** The next one, of those that will come. */
  next(test: (message: Message) => boolean, withinMs = 30_000): Promise<Message> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the message did not come")), withinMs);
      this.#waiting.push({
        test,
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
      });
    });
  }

  raw(frame: Frame, binary = typeof frame !== "string"): void {
    this.socket.send(frame, { binary });
  }

  send(message: Sent): void {
    this.raw(codecOf(this.subprotocol).encode(message));
  }

  /** Sends a request; returns its id. */
  open(request: Sent): number {
    const id = this.#next++;
    this.send({ id, ...request });
    return id;
  }

  last(id: number): Promise<Result | End | Failure> {
    const ends = ["result", "end", "error"];
    return this.first((message) => message.id === id && ends.includes(message.type)) as Promise<
      Result | End | Failure
    >;
  }

  async ask<Value = Record<string, unknown>>(request: Sent): Promise<Value> {
    const last = await this.last(this.open(request));
    if (last.type !== "result") throw Object.assign(new Error(JSON.stringify(last)), { last });
    return last.value as Value;
  }

  async refused(request: Sent): Promise<Failure["error"]> {
    const last = await this.last(this.open(request));
    if (last.type === "error") return last.error;
    if (last.type === "end" && last.error) return last.error;
    throw new Error(`was not refused: ${JSON.stringify(last).slice(0, 300)}`);
  }

  async stream(request: Sent): Promise<Streamed> {
    const id = this.open({ credit: 1_000_000_000, ...request });
    return this.streamed(id);
  }

  async streamed(id: number): Promise<Streamed> {
    const end = await this.last(id);
    if (end.type !== "end") throw Object.assign(new Error(JSON.stringify(end)), { last: end });
    const own = this.messages.filter((message) => message.id === id);
    const rows = own.filter((message) => message.type === "rows") as Rows[];
    const columns: Record<string, unknown[]> = {};
    for (const block of rows)
      for (const [name, values] of Object.entries(block.columns))
        columns[name] = [...(columns[name] ?? []), ...values];
    return { end, rows, totals: own.filter((message) => message.type === "total") as Total[], columns };
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
