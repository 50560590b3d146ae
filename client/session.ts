/**
 * A session with a server: `connect`, and all that is not about one corpus.
 *
 *   const session = await connect("ws://localhost:7717");
 *   const brown = session.corpus("brown");
 *   for await (const { left, match, right } of brown.query('[lemma="make"]')) console.log(left, match, right);
 *   await session.close();
 */
import type { Alignment, CorpusEntry, RunningRequest } from "./asking.js";
import { askOnce, Connection, type ConnectionOptions } from "./connection.js";
import { Corpus } from "./corpus.js";
import { problem } from "./errors.js";
import type { Request, Subprotocol, Welcome } from "./protocol/messages.js";
import { Rows, type StreamOptions } from "./rows.js";
import { SocketTransport } from "./socket.js";
import type { Transport } from "./transport.js";

export interface ConnectOptions extends ConnectionOptions {
  /** Ends the attempt to connect. */
  signal?: AbortSignal;
  /** What to speak. Default: MessagePack, and JSON where the server has only that. */
  subprotocol?: Subprotocol;
}

/** Corpora in a folder, without a server elsewhere: one is started in this process. */
export interface LocalAddress {
  data: string;
  /** Settings, as `dugong serve --config` has them. */
  config?: Record<string, unknown>;
  /** What the welcome says of the server's version. */
  version?: string;
  /**
   * Compute in this very thread, several threads helping with long queries, and without the limits of a server: for a
   * program that asks, waits and goes on. Default: no; threads compute, and this one stays free for other things.
   */
  alone?: boolean;
}

/** A session with the server at an address, or with the corpora of a folder. */
export async function connect(
  address: string | LocalAddress | Transport,
  { signal, subprotocol, ...options }: ConnectOptions = {},
): Promise<Session> {
  signal?.throwIfAborted();
  const transport = await transportOf(address, subprotocol);
  try {
    return new Session(await Connection.open(transport, options, signal));
  } catch (error) {
    await transport.close?.();
    throw error;
  }
}

async function transportOf(
  address: string | LocalAddress | Transport,
  subprotocol?: Subprotocol,
): Promise<Transport> {
  if (typeof address === "string") return new SocketTransport(address, subprotocol && [subprotocol]);
  if ("open" in address) return address;
  const { LocalTransport } = await import("./local.js");
  if (!LocalTransport)
    throw problem("no_folder", "a browser has no folder to open", "Connect to the address of a server.");
  return new LocalTransport(address);
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** May it be asked twice, if the connection is lost? Default: no. */
  repeatable?: boolean;
}

export class Session {
  constructor(readonly connection: Connection) {}

  /** What the server said of itself. */
  get welcome(): Welcome {
    return this.connection.welcome;
  }

  get state(): "opening" | "open" | "away" | "closed" {
    return this.connection.state;
  }

  /** "brown", or "brown@3" for one snapshot. Nothing is asked yet. */
  corpus(name: string): Corpus {
    return new Corpus(this.connection, name);
  }

  /** The corpora that one may read. */
  async corpora(options: { signal?: AbortSignal } = {}): Promise<CorpusEntry[]> {
    const { corpora } = await this.#read<{ corpora: CorpusEntry[] }>("corpora", {}, options);
    return corpora;
  }

  /** Which corpora are aligned with which, of those that one may read. */
  async alignments(options: { signal?: AbortSignal } = {}): Promise<Alignment[]> {
    const { alignments } = await this.#read<{ alignments: Alignment[] }>("alignments", {}, options);
    return alignments;
  }

  /** Resolves when the server has answered; to how many milliseconds that took. */
  async ping(options: { signal?: AbortSignal } = {}): Promise<number> {
    const began = performance.now();
    await this.#read("ping", {}, options);
    return performance.now() - began;
  }

  /** One's own requests under way; for administrators, everybody's. */
  async running(options: { signal?: AbortSignal } = {}): Promise<RunningRequest[]> {
    const { requests } = await this.#read<{ requests: RunningRequest[] }>("running", {}, options);
    return requests;
  }

  /** Ends a request by the number that `running` gives. */
  async kill(request: number, options: { signal?: AbortSignal } = {}): Promise<void> {
    await this.request("kill", { request }, options);
  }

  /** What the server has done since it was started. For administrators. */
  statistics(options: { signal?: AbortSignal } = {}): Promise<Record<string, unknown>> {
    return this.#read("statistics", {}, options);
  }

  /** Any verb with one answer, by its name in docs/PROTOCOL.md. */
  async request<Value = unknown>(
    verb: string,
    parameters: Record<string, unknown> = {},
    { signal, repeatable = false }: RequestOptions = {},
  ): Promise<Value> {
    const { value } = await askOnce(this.connection, { ...parameters, verb }, { signal, repeatable });
    return value as Value;
  }

  /** Any verb that opens a stream. */
  stream<Row = Record<string, unknown>>(
    verb: string,
    parameters: Record<string, unknown> = {},
    options: StreamOptions = {},
  ): Rows<Row> {
    return new Rows<Row>(this.connection, { ...parameters, verb } as Omit<Request, "id">, options);
  }

  #read<Value>(verb: string, parameters: object, { signal }: { signal?: AbortSignal }): Promise<Value> {
    return this.request(verb, { ...parameters }, { signal, repeatable: true });
  }

  /** Ends everything that is under way, and the connection. */
  close(): Promise<void> {
    return this.connection.close();
  }
}
