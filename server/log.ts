/** What a server writes down: pino's lines for one that listens, and a few of our own for one in another program. */
import type { Logger } from "pino";
import type { Config } from "./config.js";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "isLevelEnabled">;

const levels: Config["logLevel"][] = ["trace", "debug", "info", "warn", "error", "silent"];

/** JSON lines on stderr, without a package to load: most programs that have a server in them never write one. */
export function smallLog(level: Config["logLevel"]): Log {
  const isLevelEnabled = (one: string) =>
    level !== "silent" && levels.indexOf(one as Config["logLevel"]) >= levels.indexOf(level);
  const at = (own: Config["logLevel"]) => (entry: unknown, message?: string) => {
    if (!isLevelEnabled(own)) return;
    const fields = typeof entry === "string" ? { msg: entry } : { ...(entry as object), msg: message };
    const line = { level: own, time: new Date().toISOString(), ...withError(fields) };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
  return {
    isLevelEnabled,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  } as unknown as Log;
}

function withError({ err, ...fields }: { err?: unknown; msg?: string }): object {
  return err instanceof Error ? { ...fields, err: { message: err.message, stack: err.stack } } : fields;
}
