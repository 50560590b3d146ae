/** One crawl in a folder: a file with the number of its process. That of a process that is gone is no lock. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DugongError } from "../../storage/errors.js";

/** Returns what removes the lock. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, "crawl.pid");
  for (;;) {
    try {
      writeFileSync(path, stampOf(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    let stamp = "";
    try {
      stamp = readFileSync(path, "utf8");
    } catch {}
    const pid = Number(stamp.split(" ")[0]);
    if (pid > 0 && isRunning(pid) && stampOf(pid) === stamp) {
      throw new DugongError(
        "crawl_running",
        `a crawl is running in ${folder} (process ${pid})`,
        "Wait for it, stop it, or use another folder.",
      );
    }
    rmSync(path, { force: true });
  }
}

/** The process, and when it began where that can be told: numbers of processes are used again. */
function stampOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return `${pid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return String(pid);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
