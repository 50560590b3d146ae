/**
 * What a server can be told, by a file of JSON or by whoever starts it. A setting that is not known or makes no sense is
 * refused before anything is started: a mistyped limit would not limit.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { nearestName } from "../storage/derive/nearest.js";
import { DugongError } from "../storage/index.js";

/** What somebody may use up. Nothing said: no bound. */
export interface Budget {
  /** Requests at a time. */
  streams?: number;
  rowsPerHour?: number;
  cpuMsPerHour?: number;
}

export interface Config {
  host: string;
  /** 0: any that is free. */
  port: number;
  /** Threads of the heavy lane. */
  threads: number;
  /** Bytes of corpora that are kept in memory. */
  poolBytes: number;
  /** Bytes of results that are kept for requests that go on from them, over all threads. */
  resultBytes: number;

  /** Of one request: how long it may compute (waiting for credit does not count), rows, bytes of memory. */
  timeoutMs: number;
  rowsMax: number;
  memoryBytesMax: number;
  /** Rows of a list that are given at once; `from` and `limit` lead to others. */
  tableRowsMax: number;
  /** Tokens, characters or structures around a hit, in lines. */
  lineContextMax: number;
  /** Tokens of a hit, and on each side of it, that are shown, whatever the structures have that were asked for. */
  lineTokensMax: number;
  /** Requests that wait: in all, of one user, of one connection. One more is refused. */
  queueMax: number;
  queuePerUserMax: number;
  queuePerConnectionMax: number;
  /** Streams of one connection that have begun and not ended. */
  streamsPerConnectionMax: number;
  connectionsMax: number;
  /** Rows that are sent on a stream before credit is given, unless the request says. */
  creditDefault: number;

  /** Of what a client sends. */
  frameBytesMax: number;
  /** From connecting to the end of the handshake, and where a token is needed to the `hello` that brings it. */
  handshakeMs: number;
  /** A connection with no request and no message for so long is closed. */
  idleMs: number;
  /** A stream that was given no credit for so long is ended. */
  standingMs: number;
  /** A client that takes nothing of what waits for it for so long is dropped. */
  slowMs: number;
  /** How often clients are asked whether they are still there. */
  pingMs: number;
  /** How long requests may go on when the server is told to stop. */
  graceMs: number;

  /** What those may do who bring no token. Default: read public corpora if the server listens on loopback only. */
  anonymous: "read" | "none" | "auto";
  anonymousBudget: Budget;
  /** Pages that may connect from a browser, besides those of this server: "https://corpus.example.org", or "*". */
  origins: string[];
  /** Files of PEM. */
  tls?: { certificate: string; key: string };
  /** A folder on the server whose files may be appended by name. */
  inbox?: string;
  /** Bytes of text that one `append` may bring with it. */
  appendBytesMax: number;
  /** Appends at a time, over all corpora: each is a process. */
  appendsMax: number;

  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
  /** Requests that compute longer than this are logged with their plan. */
  slowQueryMs: number;
}

/** How a server is started. */
export interface StartOptions {
  /** The data directory. */
  data: string;
  config?: Partial<Config>;
  /** What is told of it. */
  version?: string;
}

export const defaults: Config = {
  host: "127.0.0.1",
  port: 7717,
  threads: availableParallelism(),
  poolBytes: 512 * 1024 * 1024,
  resultBytes: 256 * 1024 * 1024,
  timeoutMs: 60_000,
  rowsMax: 10_000_000,
  memoryBytesMax: 2 * 1024 ** 3,
  tableRowsMax: 100_000,
  lineContextMax: 1000,
  lineTokensMax: 20_000,
  queueMax: 20_000,
  queuePerUserMax: 10_000,
  queuePerConnectionMax: 4_000,
  streamsPerConnectionMax: 64,
  connectionsMax: 10_000,
  creditDefault: 1000,
  frameBytesMax: 4 * 1024 * 1024,
  handshakeMs: 10_000,
  idleMs: 1_800_000,
  standingMs: 1_800_000,
  slowMs: 30_000,
  pingMs: 30_000,
  graceMs: 10_000,
  anonymous: "auto",
  anonymousBudget: {},
  origins: [],
  appendBytesMax: 4 * 1024 * 1024,
  appendsMax: 4,
  logLevel: "info",
  slowQueryMs: 1000,
};

type Test = (value: unknown) => boolean;
const text: Test = (value) => typeof value === "string" && value !== "";
const natural: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const positive: Test = (value) => natural(value) && value !== 0;
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const oneOf =
  (...words: string[]): Test =>
  (value) =>
    words.includes(value as string);
const objectOf =
  (fields: Record<string, Test>, needed: string[] = []): Test =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([name, own]) => Object.hasOwn(fields, name) && fields[name](own)) &&
    needed.every((name) => name in value);

export const budgetTest = objectOf({ streams: natural, rowsPerHour: natural, cpuMsPerHour: natural });

const tests: Record<keyof Config, Test> = {
  host: text,
  port: (value) => natural(value) && (value as number) < 65_536,
  threads: (value) => positive(value) && (value as number) <= 32,
  poolBytes: positive,
  resultBytes: natural,
  timeoutMs: positive,
  rowsMax: positive,
  memoryBytesMax: positive,
  tableRowsMax: positive,
  lineContextMax: positive,
  lineTokensMax: positive,
  queueMax: positive,
  queuePerUserMax: positive,
  queuePerConnectionMax: positive,
  streamsPerConnectionMax: positive,
  connectionsMax: positive,
  creditDefault: natural,
  frameBytesMax: (value) => positive(value) && (value as number) <= 16 * 1024 * 1024,
  handshakeMs: positive,
  idleMs: positive,
  standingMs: positive,
  slowMs: positive,
  pingMs: positive,
  graceMs: natural,
  anonymous: oneOf("read", "none", "auto"),
  anonymousBudget: budgetTest,
  origins: texts,
  tls: objectOf({ certificate: text, key: text }, ["certificate", "key"]),
  inbox: text,
  appendBytesMax: positive,
  appendsMax: positive,
  logLevel: oneOf("trace", "debug", "info", "warn", "error", "silent"),
  slowQueryMs: natural,
};

/** All settings: those given, and the usual ones for the rest. */
export function configOf(given: Partial<Config>, from = "the configuration"): Config {
  for (const [name, value] of Object.entries(given)) {
    const test = Object.hasOwn(tests, name) ? tests[name as keyof Config] : undefined;
    if (!test) {
      const near = nearestName(name, Object.keys(tests));
      throw new DugongError(
        "bad_config",
        `there is no setting ${JSON.stringify(name)} (${from})`,
        near && `Did you mean ${near}?`,
      );
    }
    if (value !== undefined && !test(value)) {
      throw new DugongError(
        "bad_config",
        `${name} cannot be ${JSON.stringify(value)?.slice(0, 100)} (${from})`,
        "docs/PROTOCOL.md says what each setting may be.",
      );
    }
  }
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...defaults, ...known };
}

export function readConfig(path: string): Partial<Config> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new DugongError("bad_config", `cannot read the configuration ${path}: ${(error as Error).message}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new DugongError("bad_config", `the configuration ${path} is not a JSON object`);
  configOf(content as Partial<Config>, path);
  return content as Partial<Config>;
}
