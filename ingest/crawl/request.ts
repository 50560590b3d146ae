/**
 * One request, from its first byte to the last that is wanted of the answer. On undici's dispatcher: header lines come as they were sent, bodies
 * as they were encoded; what is not a page is given up when its header has been read.
 *
 * A failure before the request could be written is the host's ("connection"); one after it is the URL's.
 */
import { buildConnector, Client, type Dispatcher } from "undici";
import type { Target } from "./addresses.js";
import { limits } from "./limits.js";
import { acceptedEncodings } from "./page.js";

export type RequestFailure = "connection" | "timeout" | "broken";

export interface Response {
  status: number;
  /** "HTTP/1.1 200 OK" and the header lines, each with its CRLF. */
  head: Uint8Array;
  /** Names in lower case; of a name given twice, values with ", " between them. */
  header(name: string): string | undefined;
  body: Uint8Array;
  isTruncated: boolean;
}

export interface RequestResult {
  response?: Response;
  failure?: RequestFailure;
  /** Of a failure: what the system says. */
  message?: string;
  ms: number;
}

export interface RequestOptions {
  path: string;
  userAgent: string;
  bytesMax: number;
  /** Whether the body is wanted, now that the header is there. */
  wantsBody(status: number, header: Response["header"]): boolean;
  onDone(result: RequestResult): void;
}

const idleBytesMax = 16 * 1024;

const connector = buildConnector({ timeout: limits.connectTimeoutMs, maxCachedSessions: 1000 });

/** Connects to the address that was checked, and to no other. */
export function makeClient(origin: string, target: Target): Client {
  return new Client(origin, {
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.keepAliveMs,
    keepAliveMaxTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headerBytesMax,
    connect: (options, callback) => {
      const { ip, port } = target;
      connector(
        { ...options, hostname: ip, port: port === undefined ? options.port : String(port) },
        callback,
      );
    },
  });
}

/** A request under way. */
export class Request implements Dispatcher.DispatchHandler {
  readonly began = performance.now();
  #isSent = false;
  #isOver = false;
  /** The header was enough. */
  #isIdle = false;
  #abort: (() => void) | undefined;
  #status = 0;
  #statusText = "";
  #rawHeaders: Buffer[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  #isTruncated = false;

  constructor(readonly options: RequestOptions) {}

  send(client: Client, keepsConnection: boolean): void {
    const { path, userAgent } = this.options;
    const headers = {
      "user-agent": userAgent,
      accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
      "accept-encoding": acceptedEncodings,
    };
    try {
      client.dispatch({ path, method: "GET", headers, reset: !keepsConnection }, this);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** Gives up: its time is over. */
  timeOut(): void {
    this.#end({ failure: this.#isSent ? "timeout" : "connection", message: "timeout" });
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    this.#isSent = true;
    if (this.#isOver) abort();
  }

  onHeaders(status: number, headers: Buffer[], _resume: () => void, statusText: string): boolean {
    // 103 Early Hints and the like: the answer is yet to come.
    if (status < 200) return true;
    this.#status = status;
    this.#statusText = statusText;
    this.#rawHeaders = headers;
    if (this.options.wantsBody(status, this.#header)) return true;
    // A small body is let pass by, for the sake of the connection.
    this.#isIdle = true;
    if (!(Number(this.#header("content-length") ?? Number.NaN) <= idleBytesMax)) this.#finish();
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#isOver || this.#isIdle) return true;
    const room = this.options.bytesMax - this.#length;
    if (chunk.length > room) {
      this.#chunks.push(chunk.subarray(0, room));
      this.#length += room;
      this.#isTruncated = true;
      this.#finish();
      return true;
    }
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return true;
  }

  onComplete(): void {
    this.#abort = undefined;
    this.#finish();
  }

  onError(error: Error): void {
    this.#abort = undefined;
    const { code, message } = error as NodeJS.ErrnoException;
    this.#end({ failure: this.#isSent ? "broken" : "connection", message: code ?? message });
  }

  readonly #header = (name: string): string | undefined => {
    let value: string | undefined;
    const headers = this.#rawHeaders;
    for (let i = 0; i < headers.length; i += 2) {
      if (headers[i].length !== name.length || headers[i].toString("latin1").toLowerCase() !== name) continue;
      const found = headers[i + 1].toString("latin1").trim();
      value = value === undefined ? found : `${value}, ${found}`;
    }
    return value;
  };

  /** There is all that is wanted. */
  #finish(): void {
    if (this.#isOver) return;
    const body = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, at);
      at += chunk.length;
    }
    const response = {
      status: this.#status,
      head: this.#head(),
      header: this.#header,
      body,
      isTruncated: this.#isTruncated,
    };
    this.#end({ response });
  }

  #head(): Uint8Array {
    const line = Buffer.from(`HTTP/1.1 ${this.#status} ${this.#statusText}\r\n`, "latin1");
    const parts: Buffer[] = [line];
    const headers = this.#rawHeaders;
    for (let i = 0; i < headers.length; i += 2) parts.push(headers[i], colon, headers[i + 1], crlf);
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    // Not from a pool: it is handed to another thread.
    const head = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      head.set(part, at);
      at += part.length;
    }
    return head;
  }

  #end(result: Omit<RequestResult, "ms">): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chunks = [];
    this.#abort?.();
    this.options.onDone({ ...result, ms: Math.round(performance.now() - this.began) });
  }
}

const colon = Buffer.from(": ");
const crlf = Buffer.from("\r\n");
