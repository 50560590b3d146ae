/** The built command line in child processes, to its end or until it is killed. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/client/cli/main.js", import.meta.url));

export interface Outcome {
  /** Null if it was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
  /** How long it ran on after stderr said `from`. */
  tailMs: number;
}

export interface RunOptions {
  /** SIGKILL after so many milliseconds, if it is still running. */
  killAfterMs?: number;
  /** Those count from when stderr says this; from the start unless given. */
  from?: string;
}

export function dugong(args: string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { killAfterMs, from = "" } = options;
    const began = performance.now();
    const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    let said: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    const listen = () => {
      if (said !== undefined || !stderr.includes(from)) return;
      said = performance.now();
      if (killAfterMs !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    };
    listen();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      listen();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      const now = performance.now();
      resolve({ code, stdout, stderr, ms: now - began, tailMs: now - (said ?? now) });
    });
  });
}
