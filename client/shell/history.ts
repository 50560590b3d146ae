/**
 * What was typed, kept on disk: one entry a line, the oldest first. In $DUGONG_HISTORY (empty: nowhere), else below
 * $XDG_STATE_HOME or ~/.local/state. Several shells may append at the same time. A history that cannot be read or
 * written is no reason not to work.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { limits } from "./limits.js";

export function historyFile(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { DUGONG_HISTORY, XDG_STATE_HOME } = environment;
  if (DUGONG_HISTORY !== undefined) return DUGONG_HISTORY || undefined;
  return join(XDG_STATE_HOME || join(homedir(), ".local", "state"), "dugong", "history");
}

export class History {
  constructor(readonly file: string | undefined) {}

  /** The newest first, as readline has them. */
  read(): string[] {
    if (this.file === undefined) return [];
    let lines: string[];
    try {
      lines = readFileSync(this.file, "utf8").split("\n");
    } catch {
      return [];
    }
    const entries = lines.filter((line) => line !== "");
    if (entries.length > 2 * limits.historyEntriesMax) this.#shorten(entries);
    return entries.slice(-limits.historyEntriesMax).reverse();
  }

  add(entry: string): void {
    const line = entry.replace(/\s*\n\s*/g, " ").trim();
    if (this.file === undefined || line === "") return;
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
    } catch {}
  }

  #shorten(entries: string[]): void {
    try {
      const partial = `${this.file}.${process.pid}`;
      writeFileSync(partial, `${entries.slice(-limits.historyEntriesMax).join("\n")}\n`, { mode: 0o600 });
      renameSync(partial, this.file!);
    } catch {}
  }
}
