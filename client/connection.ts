/**
 * The connection to a server: many requests at once, and it comes back when it was lost.
 *
 *   opening → open ⇄ away → closed        away: lost, and tried again after longer and longer waits
 *
 * What was under way when the connection was lost is asked again on the next one, if it may be; rows that have arrived
 * are not asked for twice. What may not be asked again (it changes something) fails with `disconnected`.
 */
import { DugongClientError, disconnected, problem } from "./errors.js";
import { limits } from "./limits.js";
import type { ClientMessage, RequestId, Result, ServerMessage, Welcome } from "./protocol/messages.js";
import type { Channel, Receiver, Transport } from "./transport.js";

/** A request under way, as the connection knows it. */
export interface Asked {
  /** May it be asked twice? */
  readonly repeatable: boolean;
  /** Sends its request; on a new connection again. */
  begin(send: (message: ClientMessage) => void, id: RequestId): void;
  receive(message: ServerMessage): void;
  fail(error: Error): void;
}

export interface ConnectionOptions {
  token?: string;
  /** How long to try to connect again when the connection was lost; 0: not at all. */
  reconnectMs?: number;
  /** Told when the connection is lost, and when it is there again. */
  onState?: (state: "open" | "away" | "closed", why?: string) => void;
}

export class Connection {
  #state: "opening" | "open" | "away" | "closed" = "opening";
  #channel: Channel | undefined;
  #closedBy: Error | undefined;
  #lastId = 0;
  #isLeaving = false;
  /** In the order in which they were asked; each with whether this connection has heard of it. */
  readonly #asked = new Map<RequestId, Asked>();
  readonly #sent = new Set<RequestId>();
  readonly #ending = new AbortController();
  welcome!: Welcome;

  private constructor(
    readonly transport: Transport,
    readonly options: ConnectionOptions,
  ) {}

  static async open(
    transport: Transport,
    options: ConnectionOptions,
    signal?: AbortSignal,
  ): Promise<Connection> {
    const connection = new Connection(transport, options);
    await connection.#connect(signal);
    return connection;
  }

  get state(): "opening" | "open" | "away" | "closed" {
    return this.#state;
  }

  // ---- requests

  /** Begins now, or when there is a connection. */
  ask(asked: Asked): RequestId {
    const id = ++this.#lastId;
    if (this.#state === "closed") {
      const error = this.#closedBy ?? problem("closed", "the session was closed");
      queueMicrotask(() => asked.fail(error));
      return id;
    }
    this.#asked.set(id, asked);
    if (this.#state === "open" && !this.#isLeaving) this.#begin(id, asked);
    return id;
  }

  #begin(id: RequestId, asked: Asked): void {
    this.#sent.add(id);
    const { frameBytesMax = Number.POSITIVE_INFINITY } = this.welcome.limits ?? {};
    asked.begin((message) => {
      if (this.#channel?.send(message, frameBytesMax) !== false) return;
      // Not at once: whoever asks has not got the number yet.
      queueMicrotask(() => {
        this.#done(id);
        asked.fail(tooLarge(frameBytesMax));
      });
    }, id);
  }

  /** Says something of a request that the server knows. */
  tell(message: ClientMessage): void {
    if (this.#state === "open" && this.#sent.has(message.id))
      this.#channel?.send(message, Number.POSITIVE_INFINITY);
  }

  /** Nobody waits for it any more. */
  forget(id: RequestId): void {
    if (!this.#asked.has(id)) return;
    this.tell({ verb: "cancel", id });
    this.#done(id);
  }

  #done(id: RequestId): void {
    this.#asked.delete(id);
    this.#sent.delete(id);
    if (this.#isLeaving && this.#sent.size === 0) this.#channel?.close();
  }

  // ---- the connection

  /** Resolves when the server has said welcome, and knows who we are. */
  async #connect(signal?: AbortSignal): Promise<void> {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(
        disconnected(
          `${this.transport.address} does not answer`,
          "Is it a Dugong server? `dugong serve` starts one.",
        ),
      );
    }, limits.handshakeMs);
    const either = anyOf(late.signal, this.#ending.signal, signal);
    let greeted: (welcome: Welcome) => void = () => {};
    let parted: (error: Error) => void = () => {};
    const welcome = new Promise<Welcome>((resolve, reject) => {
      [greeted, parted] = [resolve, reject];
    });
    welcome.catch(() => {});
    const abort = () => parted(either.reason);
    either.addEventListener("abort", abort);
    let farewell = "";
    const receiver: Receiver = {
      receive: (message) => {
        if (message.type === "welcome") greeted(message);
        else {
          if (message.type === "goodbye") farewell = message.message;
          this.#receive(message);
        }
      },
      closed: (why) => {
        parted(disconnected(`${this.transport.address} has ended the connection: ${farewell || why}`));
        if (this.#channel === channel) this.#lost(farewell || why);
      },
    };
    let channel: Channel | undefined;
    try {
      channel = await this.transport.open(receiver, either);
      this.welcome = await welcome;
      this.#channel = channel;
      this.#isLeaving = false;
      if (this.options.token !== undefined) await this.#introduce(this.options.token, either);
      if (this.#channel !== channel) throw disconnected("the connection was lost at once");
    } catch (error) {
      this.#channel = undefined;
      channel?.close();
      throw error;
    } finally {
      clearTimeout(timer);
      either.removeEventListener("abort", abort);
      late.abort();
    }
    this.#state = "open";
    this.options.onState?.("open");
    for (const [id, asked] of [...this.#asked]) if (!this.#sent.has(id)) this.#begin(id, asked);
  }

  /** Browsers can give no header with a WebSocket, so everybody gives the token in a message. */
  #introduce(token: string, signal: AbortSignal): Promise<void> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      this.#asked.set(id, {
        repeatable: false,
        begin: () => {},
        receive: (message) => {
          if (message.type === "error") reject(new DugongClientError(message.error));
          else resolve();
        },
        fail: reject,
      });
      this.#sent.add(id);
      this.#channel!.send({ verb: "hello", id, token }, Number.POSITIVE_INFINITY);
    });
  }

  #receive(message: ServerMessage): void {
    if (message.type === "goodbye") {
      // What runs may finish; everything else waits for the next connection.
      this.#isLeaving = true;
      if (this.#sent.size === 0) this.#channel?.close();
      return;
    }
    if (message.type === "welcome" || message.id === undefined) return;
    const asked = this.#asked.get(message.id);
    if (!asked) return;
    if (this.#isForNext(message) && asked.repeatable && this.#reconnectMs > 0) {
      this.#sent.delete(message.id);
      if (this.#sent.size === 0) this.#channel?.close();
      return;
    }
    if (message.type === "result" || message.type === "end" || message.type === "error")
      this.#done(message.id);
    asked.receive(message);
  }

  /** A request that the server refused, or did not finish, because it is going: the next connection is asked. */
  #isForNext(message: ServerMessage): boolean {
    if (message.type === "error") return message.error.code === "draining";
    return message.type === "end" && message.reason === "cancelled" && this.#isLeaving;
  }

  get #reconnectMs(): number {
    return this.options.reconnectMs ?? limits.reconnectMs;
  }

  #lost(why: string): void {
    this.#channel = undefined;
    if (this.#state === "closed") return;
    const error = disconnected(
      `the connection to ${this.transport.address} was lost${why ? `: ${why}` : ""}`,
    );
    const unsafe = [...this.#asked].filter(([id, { repeatable }]) => this.#sent.has(id) && !repeatable);
    this.#sent.clear();
    for (const [id, asked] of unsafe) {
      this.#asked.delete(id);
      asked.fail(error);
    }
    // While a handshake is under way, whoever connects hears of it.
    if (this.#state !== "open") return;
    if (this.#reconnectMs === 0) {
      this.#end(error);
      return;
    }
    this.#state = "away";
    this.options.onState?.("away", why);
    void this.#reconnect(error);
  }

  async #reconnect(lost: Error): Promise<void> {
    const until = Date.now() + this.#reconnectMs;
    let last: unknown = lost;
    for (let wait: number = limits.backoffFirstMs; ; wait = Math.min(2 * wait, limits.backoffMostMs)) {
      // Not all clients of a server that comes back should knock at the same moment.
      if (!(await pause(wait * (0.5 + Math.random() / 2), this.#ending.signal))) return;
      try {
        await this.#connect();
        return;
      } catch (error) {
        last = error;
        if (this.#state === "closed") return;
        const { retryable } = error as DugongClientError;
        if (retryable === false || Date.now() + wait > until) break;
      }
    }
    this.#end(last as Error);
  }

  // ---- the end

  #end(error: Error): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#closedBy = error;
    this.#ending.abort(error);
    const left = [...this.#asked.values()];
    this.#asked.clear();
    this.#sent.clear();
    for (const asked of left) asked.fail(error);
    this.#channel?.close();
    this.#channel = undefined;
    this.options.onState?.("closed", error.message);
  }

  async close(): Promise<void> {
    this.#end(problem("closed", "the session was closed"));
    await this.transport.close?.();
  }
}

function tooLarge(bytesMax: number): Error {
  return problem(
    "frame_too_large",
    `what is asked has more bytes than the server takes, ${bytesMax} (limit frameBytesMax)`,
    "Ask with shorter lists.",
  );
}

/** Waits; false if it was told to stop. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(false);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** As AbortSignal.any, which not every browser has. */
function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal {
  const either = new AbortController();
  for (const signal of signals) {
    if (!signal) continue;
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener("abort", () => either.abort(signal.reason), { signal: either.signal });
  }
  return either.signal;
}

/** One question, one answer. */
export function askOnce(
  connection: Connection,
  request: { verb: string; [parameter: string]: unknown },
  { repeatable = true, signal }: { repeatable?: boolean; signal?: AbortSignal } = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      connection.forget(id);
      reject(signal!.reason);
    };
    const over = () => signal?.removeEventListener("abort", stop);
    const id = connection.ask({
      repeatable,
      begin: (send, own) => send({ ...request, id: own }),
      receive: (message) => {
        if (message.type === "progress") return;
        over();
        if (message.type === "result") resolve(message);
        else if (message.type === "error") reject(new DugongClientError(message.error));
        else reject(problem("unexpected_answer", `${request.verb} was answered with ${message.type}`));
      },
      fail: (error) => {
        over();
        reject(error);
      },
    });
    signal?.addEventListener("abort", stop);
  });
}
