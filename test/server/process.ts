/** A server as it is run: `dugong serve` in a process of its own, seen only through its socket and what the system says of it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Config } from "../../server/index.js";

export const main = join(import.meta.dirname, "../../dist/client/cli/main.js");

export interface Exit {
  code: number | null;
  signal: string | null;
}

export class ServerProcess {
  readonly log: string[];
  readonly exit: Promise<Exit>;
  readonly port: number;

  private constructor(
    readonly child: ChildProcess,
    readonly address: string,
    { log, exit }: { log: string[]; exit: Promise<Exit> },
  ) {
    this.log = log;
    this.exit = exit;
    this.port = Number(new URL(address).port);
  }

  static async start(data: string, config: Partial<Config> = {}): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), "dugong-config-"));
    const file = join(folder, "config.json");
    writeFileSync(file, JSON.stringify(config));
    const args = [main, "serve", "--data", data, "--port", "0", "--json", "--config", file];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const log: string[] = [];
    createInterface({ input: child.stderr! }).on("line", (line) => log.push(line));
    const exit = new Promise<Exit>((resolve) => {
      child.on("exit", (code, signal) => resolve({ code, signal }));
    });
    try {
      const line = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout! }).once("line", resolve);
        void exit.then(() => reject(new Error(`the server ended: ${log.join("\n")}`)));
      });
      return new ServerProcess(child, (JSON.parse(line) as { address: string }).address, { log, exit });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Resident bytes, and seconds of processor time. */
  get uses(): { bytes: number; seconds: number } {
    const output = execFileSync("ps", ["-o", "rss=,cputimes=", "-p", String(this.child.pid)], {
      encoding: "utf8",
    });
    const [kilobytes, seconds] = output.trim().split(/\s+/).map(Number);
    return { bytes: kilobytes * 1024, seconds };
  }

  async health(): Promise<{ status: string; connections: number; requests: number }> {
    const response = await fetch(`${this.address.replace(/^ws/, "http")}/healthz`);
    return (await response.json()) as { status: string; connections: number; requests: number };
  }

  /** Resolves when nobody's request is under way any more. */
  async idle(withinMs = 5000): Promise<void> {
    const until = Date.now() + withinMs;
    for (;;) {
      const { requests } = await this.health();
      if (requests === 0) return;
      if (Date.now() > until) throw new Error(`${requests} requests are still under way`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** SIGTERM; a server that has nothing to do goes at once. */
  async close(): Promise<Exit> {
    this.child.kill("SIGTERM");
    return this.exit;
  }
}
