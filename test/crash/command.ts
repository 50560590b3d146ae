/** The built command line in child processes, to its end or until it is killed. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/client/cli/main.js", import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  /** SIGKILL after so many milliseconds, if it is still running. */
  killAfterMs?: number;
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

export function dugong(args: string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...options.env } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {}).end(options.input ?? "");
    const timer =
      options.killAfterMs === undefined
        ? undefined
        : setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: performance.now() - began });
    });
  });
}
