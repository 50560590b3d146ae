/**
 * The messages of the wire protocol, version 1: what a client asks and what a server answers. docs/PROTOCOL.md says what
 * they mean; these are their types. A message is one WebSocket frame: a JSON text (dugong.v1.json) or a MessagePack map
 * (dugong.v1.msgpack), with the same fields.
 *
 * Fields that the other side does not know are ignored; verbs it does not know are refused.
 */

export const protocolVersion = 1;
export const subprotocols = ["dugong.v1.msgpack", "dugong.v1.json"] as const;
export type Subprotocol = (typeof subprotocols)[number];

/** A whole number, and how far it is to be trusted. */
export interface Amount {
  value: number;
  certainty: "exact" | "atLeast" | "estimate";
}

/** Offsets in UTF-16 units of a query's text. */
export type Span = [from: number, to: number];

export interface ErrorBody {
  /** Stable: what a program switches on. */
  code: string;
  message: string;
  hint?: string;
  span?: Span;
  /** May the same request succeed if it is sent again later? */
  retryable: boolean;
}

export interface Notice {
  code: string;
  message: string;
  span?: Span;
}

// ---- what a client sends

/** Chosen by the client; a number that is in use on the connection is refused. */
export type RequestId = number;

export type ClientMessage = Request | Credit | Seek | Cancel | Close;

/** Asks something. The answer is a `result`, or for verbs that open a stream `rows` … `end`; or an `error`. */
export interface Request {
  id: RequestId;
  verb: string;
  /** "brown", or "brown@3" for one snapshot. */
  corpus?: string;
  /** For streams: rows that may be sent before more credit is given. Default: `limits.creditDefault` of the welcome. */
  credit?: number;
  /** Ends the request when it has computed, or waited for its turn, so long. Never more than the server's own limit. */
  timeoutMs?: number;
  /** For streams: stays open behind its last row, for `seek`, until it is closed. */
  hold?: boolean;
  /** For streams of hits: goes on counting without credit, until the exact total is known. */
  counting?: boolean;
  [parameter: string]: unknown;
}

/** So many more rows may be sent on a stream. One that has no credit left computes nothing. */
export interface Credit {
  verb: "credit";
  id: RequestId;
  rows: number;
}

/**
 * The next row that is sent is this one. Credit that was given before is forgotten; without `credit` there is none. Rows
 * that were on their way may still arrive: their `seeks` is lower.
 */
export interface Seek {
  verb: "seek";
  id: RequestId;
  row: number;
  credit?: number;
}

/** Ends a request. Its last message comes all the same: `end`, or the `result` or `error` that it had already come to. */
export interface Cancel {
  verb: "cancel";
  id: RequestId;
}

/** The stream is no longer needed: the same as cancel, for one that stands still. */
export interface Close {
  verb: "close";
  id: RequestId;
}

// ---- what a server sends

/** The last message with a request's id is a `result`, an `end` or an `error`, and there is exactly one of these. */
export type ServerMessage = Welcome | Result | Rows | Progress | Total | End | Failure | Goodbye;

/** The first message on every connection. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  server: string;
  /** Names of what this server can do beyond version 1; every verb it knows is among them as "verb:name". */
  features: string[];
  limits: Record<string, number>;
  user?: string;
}

export interface Result {
  type: "result";
  id: RequestId;
  value: unknown;
  /** What was asked: "brown@3". Of verbs that ask a corpus. */
  corpus?: string;
  statistics?: Statistics;
  limits?: Record<string, number>;
  notices?: Notice[];
}

export interface Statistics {
  /** Rows that were sent, over all seeks. */
  rows: number;
  elapsedMs: number;
  cpuMs: number;
}

/** Rows [from, from + count) of a stream, as columns that all have `count` values. */
export interface Rows {
  type: "rows";
  id: RequestId;
  from: number;
  count: number;
  columns: Record<string, unknown[]>;
  /** How many seeks the server had heard of when it made these rows. Absent: none. */
  seeks?: number;
  /** What is asked: "brown@3". With the first rows: whoever has to ask again can ask the same. */
  corpus?: string;
}

/** How far the work is; at most ten a second. Fields are those that changed since the last one. */
export interface Progress {
  type: "progress";
  id: RequestId;
  /** Tokens of the corpus that were looked at, of how many. */
  done?: number;
  of?: number;
  hits?: Amount;
}

/** How many rows the stream has, when that is known, and what else is known of the whole. */
export interface Total {
  type: "total";
  id: RequestId;
  rows: Amount;
  /** Of the kind of stream: hits, N, the trend … */
  summary?: Record<string, unknown>;
}

export type EndReason = "complete" | "limit" | "cancelled" | "timeout" | "error";

/** The last message of a stream. */
export interface End {
  type: "end";
  id: RequestId;
  reason: EndReason;
  /** What was asked: "brown@3". */
  corpus?: string;
  statistics: Statistics;
  /** Where the reason is "error". */
  error?: ErrorBody;
  /** Names of limits that were hit, with their values. */
  limits?: Record<string, number>;
  notices?: Notice[];
}

/** A request that could not be answered; a stream that had not begun. */
export interface Failure {
  type: "error";
  /** Absent where the message had none that could be read. */
  id?: RequestId;
  error: ErrorBody;
}

/** The server is going down, or ends this connection: no new requests are taken. */
export interface Goodbye {
  type: "goodbye";
  reason: "draining" | "idle" | "protocol" | "slow" | "unauthorised";
  message: string;
  /** When what runs is ended. */
  graceMs?: number;
}
