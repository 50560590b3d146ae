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
  const [state, started] = statusOf(identity.pid);
  // Dead, and its parent has not asked about it yet: in a container nobody may ever.
  if (state === "Z" || state === "X") return false;
  return identity.started === "" || started === identity.started;
}

function startOf(pid: number): string {
  return statusOf(pid)[1];
}

/** The state and the start of a process; empty where they cannot be told. */
function statusOf(pid: number): [state: string, started: string] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name, in parentheses, may hold anything; the state is the first field behind it, the start the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [fields[0], fields[19] ?? ""];
  } catch {
    return ["", ""];
  }
}
