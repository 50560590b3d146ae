/**
 * The server without a socket: for the command line, and for programs that have their corpora with them. The same
 * reception, messages and frames; what comes and goes stays in this process.
 */
import type { Frame } from "../client/protocol/codec.js";
import type { Link } from "../client/protocol/link.js";
import { type Config, configOf, type StartOptions } from "./config.js";
import type { Connection, Transport } from "./connection.js";
import { uncounted } from "./counting.js";
import { limits } from "./limits.js";
import { smallLog } from "./log.js";
import { Reception } from "./reception.js";

export interface LocalServer {
  /** A new connection. Who has the process may do everything. */
  connect(): Link;
  close(graceMs?: number): Promise<void>;
}

export interface LocalOptions extends StartOptions {
  /**
   * Compute in this thread, and start others only to help it with long queries: for a program that asks, waits for the
   * answer, and has nothing else to do. Limits that keep clients of a server from each other are not there, unless they
   * are set. Default: no.
   */
  alone?: boolean;
}

/** No limits but those of memory and patience: there is nobody else to be kept from anything. */
const unlimited: Partial<Config> = {
  timeoutMs: Number.MAX_SAFE_INTEGER,
  rowsMax: Number.MAX_SAFE_INTEGER,
  memoryBytesMax: Number.MAX_SAFE_INTEGER,
  tableRowsMax: Number.MAX_SAFE_INTEGER,
  lineContextMax: Number.MAX_SAFE_INTEGER,
  lineTokensMax: Number.MAX_SAFE_INTEGER,
  slowQueryMs: Number.MAX_SAFE_INTEGER,
};

export function startLocally({ data, config: given, version = "", alone }: LocalOptions): LocalServer {
  const config = configOf({ logLevel: "error", ...(alone && unlimited), ...given });
  const reception = new Reception(data, config, {
    log: smallLog(config.logLevel),
    counting: () => uncounted,
    threading: alone ? "own" : "lazy",
    create: false,
    version,
  });
  // Who is alone is kept from nobody, and keeps the snapshots that were asked to the end.
  const sweeping = alone ? undefined : setInterval(() => reception.sweep(), limits.sweepMs).unref();
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number) => {
    clearInterval(sweeping);
    await reception.drain(graceMs);
    reception.farewell();
    // What was sent last is on its way.
    await new Promise((resolve) => setImmediate(resolve));
    await reception.close();
  };
  return {
    connect: () => connectLocally(reception),
    close: (graceMs = 0) => (closing ??= close(graceMs)),
  };
}

/** A connection to a server that runs in this process. */
function connectLocally(reception: Reception): Link {
  const link = new LocalLink();
  link.connection = reception.open(link.transport, reception.users.local());
  return link;
}

class LocalLink implements Link {
  readonly subprotocol = "dugong.v1.msgpack" as const;
  connection!: Connection;
  onFrame: (frame: Frame) => void = () => {};
  onClose: (code: number, reason: string) => void = () => {};
  #isOver = false;
  readonly transport: Transport = {
    subprotocol: this.subprotocol,
    remote: "local",
    send: (frame, sent) => {
      // Not at once: nobody expects an answer before the question is out.
      setImmediate(() => {
        if (!this.#isOver) this.onFrame(frame);
        sent();
      });
    },
    close: (code, reason) => {
      setImmediate(() => this.#end(code, reason));
    },
    drop: () => this.#end(1006, ""),
    pause: () => {},
    resume: () => {},
  };

  send(frame: Frame): void {
    if (this.#isOver) return;
    setImmediate(() => this.connection.receive(frame, true));
  }

  close(): void {
    this.#end(1000, "");
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.connection.closed();
    this.onClose(code, reason);
  }
}
