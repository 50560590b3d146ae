/**
 * Whom a command asks: the corpora of the data directory, by a server in this very process, or a server elsewhere. Both are
 * asked through the client library, in the words of the wire protocol.
 *
 *   --server, --token          a server elsewhere …
 *   $DUGONG_SERVER, $DUGONG_TOKEN   … unless --data says that it is not
 */
import { availableParallelism } from "node:os";
import type { Command } from "commander";
import type { Corpus, Session, Span } from "../index.js";
import { limits } from "./limits.js";
import { dataFolder, type GlobalOptions, workers } from "./options.js";
import { version } from "./version.js";

export interface SessionOptions extends GlobalOptions {
  server?: string;
  token?: string;
  workers?: number;
  snapshot?: number;
  /** Of commands that take a condition. */
  where?: string;
}

export function addServerOptions(command: Command): Command {
  return command
    .option("--server <address>", "ask a server, as ws://localhost:7717 (default: $DUGONG_SERVER, else none)")
    .option("--token <token>", "for a server that needs one (default: $DUGONG_TOKEN)");
}

/** For commands that run queries: a server elsewhere has threads of its own. */
export function addWorkersOption(command: Command): Command {
  return command.option(
    "--workers <n>",
    "threads that may compute at a time, where no server is asked (default: one for each core)",
    workers,
  );
}

/** Asks, and ends the session afterwards. */
export async function withSession<Result>(
  command: Command,
  options: SessionOptions,
  ask: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await open(command, options);
  try {
    return await ask(session);
  } finally {
    await session.close();
  }
}

/** The same, about one corpus. */
export function withCorpus<Result>(
  command: Command,
  corpus: string,
  options: SessionOptions,
  ask: (corpus: Corpus) => Promise<Result>,
): Promise<Result> {
  const { snapshot } = options;
  const name = snapshot === undefined ? corpus : `${corpus}@${snapshot}`;
  return withSession(command, options, (session) => ask(session.corpus(name))).catch((error) =>
    showWhere(options, error),
  );
}

/** An error in a condition is shown where it is. */
async function showWhere({ where, json }: SessionOptions, error: unknown): Promise<never> {
  const { code, message, hint, span } = error as Error & { code?: string; hint?: string; span?: Span };
  if (code === "bad_where" && where !== undefined && span && !json) {
    const { showDiagnostics } = await import("./places.js");
    const diagnostic = { code, severity: "error" as const, message, span, ...(hint && { hint }) };
    await showDiagnostics(where, [diagnostic], error as object);
  }
  throw error;
}

async function open(command: Command, options: SessionOptions): Promise<Session> {
  const { data, workers: threads } = options;
  if (options.server !== undefined && data !== undefined)
    command.error("give --server or --data, not both: a server has its own corpora");
  const server = serverOf(options);
  if (options.token !== undefined && server === undefined) command.error("--token is for a --server");
  if (threads !== undefined && server !== undefined)
    command.error("--workers is for corpora here: a server has its own threads");
  if (server !== undefined) {
    const { connect } = await import("../index.js");
    const token = options.token ?? process.env.DUGONG_TOKEN;
    return connect(server, { ...(token && { token }), reconnectMs: limits.reconnectMs });
  }
  const config = { threads: Math.min(threads ?? availableParallelism(), limits.threadsMax) };
  const { connect } = await import("../index.js");
  return connect({ data: dataFolder(options), version: version(), alone: true, config });
}

/** The server that is asked, if one is. */
export function serverOf({ server, data }: SessionOptions): string | undefined {
  return server ?? (data === undefined ? process.env.DUGONG_SERVER || undefined : undefined);
}
