/** WebSockets: the handshake, and frames in and out. */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { Frame } from "../client/protocol/codec.js";
import { type ErrorBody, type Subprotocol, subprotocols } from "../client/protocol/messages.js";
import { isLoopback, type User } from "./access/users.js";
import type { Config } from "./config.js";
import type { Connection, Transport } from "./connection.js";
import { problem, problemOf } from "./problems.js";

/** Who takes clients in. */
export interface Door {
  /** Throws if the token is not good. */
  authenticate(token: string): User;
  /** Undefined where there is no room, or the server is going down. */
  refusal(): ErrorBody | undefined;
  open(transport: Transport, user: User | undefined): Connection;
}

export class Sockets {
  readonly #server: WebSocketServer;
  readonly #alive = new WeakMap<WebSocket, boolean>();

  constructor(
    http: Server,
    readonly config: Config,
    readonly door: Door,
  ) {
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: config.frameBytesMax,
      perMessageDeflate: false,
      handleProtocols: (offered) => chosen(offered) ?? false,
    });
    http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      this.#upgrade(request, socket, head);
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const wrong = this.#wrong(request);
    if (wrong) {
      refuse(socket, ...wrong);
      return;
    }
    const given = request.headers.authorization;
    let user: User | undefined;
    if (given !== undefined) {
      try {
        user = this.door.authenticate(/^Bearer\s+(\S+)\s*$/i.exec(given)?.[1] ?? "");
      } catch (error) {
        refuse(socket, 401, problemOf(error));
        return;
      }
    }
    this.#server.handleUpgrade(request, socket, head, (websocket) => this.#open(websocket, request, user));
  }

  /** Why a client is not let in, if so. */
  #wrong({ headers, socket }: IncomingMessage): [status: number, error: ErrorBody] | undefined {
    const { origin, host } = headers;
    if (origin !== undefined && !this.#isOwn(origin, host, "encrypted" in socket)) {
      const message = `pages of ${origin.slice(0, 200)} may not connect here`;
      return [403, problem("forbidden_origin", message, "The setting `origins` says which may.")];
    }
    const offered = headers["sec-websocket-protocol"];
    if (offered !== undefined && !chosen(new Set(offered.split(",").map((one) => one.trim())))) {
      const message = `this server speaks ${subprotocols.join(" and ")}`;
      return [400, problem("unknown_subprotocol", message)];
    }
    const full = this.door.refusal();
    return full && [503, full];
  }

  #isOwn(origin: string, host: string | undefined, secure: boolean): boolean {
    const { origins, host: own } = this.config;
    if (origins.includes("*") || origins.includes(origin)) return true;
    if (origin !== `${secure ? "https" : "http"}://${host}`) return false;
    // Anybody's name may be made to lead to this machine: a page of such a name would say it is ours.
    return !isLoopback(own) || isLoopback(hostOf(origin));
  }

  #open(websocket: WebSocket, request: IncomingMessage, user: User | undefined): void {
    const subprotocol = (websocket.protocol || "dugong.v1.json") as Subprotocol;
    const transport = new SocketTransport(websocket, subprotocol, request.socket.remoteAddress ?? "");
    const connection = this.door.open(transport, user);
    this.#alive.set(websocket, true);
    websocket.on("pong", () => this.#alive.set(websocket, true));
    websocket.on("message", (data: RawData, isBinary: boolean) => {
      const bytes = data as Buffer;
      connection.receive(isBinary ? bytes : bytes.toString());
    });
    // Too large, not a frame, not UTF-8: the socket closes with the right code by itself.
    websocket.on("error", () => {});
    websocket.on("close", () => connection.closed());
  }

  /** Asks all whether they are still there; who has not answered since the last time is not. */
  ping(): void {
    for (const websocket of this.#server.clients) {
      // Its answers are not read while much waits for it; whether it takes that is looked at elsewhere.
      if (websocket.isPaused) {
        this.#alive.set(websocket, true);
        continue;
      }
      if (!this.#alive.get(websocket)) {
        websocket.terminate();
        continue;
      }
      this.#alive.set(websocket, false);
      websocket.ping();
    }
  }

  /** Resolves when all have gone, or after so long. */
  async emptied(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs;
    while (this.#server.clients.size > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  close(): void {
    for (const websocket of this.#server.clients) websocket.terminate();
    this.#server.close();
  }
}

/** MessagePack, if the client can. */
function chosen(offered: Set<string>): Subprotocol | undefined {
  return subprotocols.find((one) => offered.has(one));
}

function hostOf(origin: string): string {
  try {
    return new URL(origin).hostname.replace(/^\[|\]$/g, "");
  } catch {
    return "";
  }
}

function refuse(socket: Duplex, status: number, error: ErrorBody): void {
  const names: Record<number, string> = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    503: "Service Unavailable",
  };
  const body = `${JSON.stringify({ error })}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status} ${names[status]}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      ...(status === 401 ? ["www-authenticate: Bearer"] : []),
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

class SocketTransport implements Transport {
  constructor(
    readonly websocket: WebSocket,
    readonly subprotocol: Subprotocol,
    readonly remote: string,
  ) {}

  send(frame: Frame, sent: () => void): void {
    this.websocket.send(frame, { binary: this.subprotocol === "dugong.v1.msgpack", compress: false }, () =>
      sent(),
    );
  }

  close(code: number, reason: string): void {
    this.websocket.close(code, reason);
  }

  drop(): void {
    this.websocket.terminate();
  }

  pause(): void {
    this.websocket.pause();
  }

  resume(): void {
    this.websocket.resume();
  }
}
