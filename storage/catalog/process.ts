/** Which process is it, and is it still running? A pid alone may have been given to another since. */
import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  pid: number;
  /** When it started, in the kernel's ticks; empty where that cannot be told. */
  started: string;
}

export function identify(pid: number = process.pid): ProcessIdentity {
  return { pid, started: startOf(pid) };
}

export function isRunning(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return identity.started === "" || startOf(identity.pid) === identity.started;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name, in parentheses, may hold anything; the start time is the 20th field behind it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
