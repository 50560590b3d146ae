/**
 * A browser for tests: Chromium without a window. Where it is not installed and can be (as root, with apt-get), it is.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

function installed(): string | undefined {
  return names.find((name) => spawnSync(name, ["--version"]).status === 0);
}

/** The name of a Chromium that is there, or could be installed. */
export function findChromium(): string | undefined {
  const there = installed();
  if (there || process.getuid?.() !== 0) return there;
  const install = ["install", "-y", "--no-install-recommends", "chromium"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (spawnSync("apt-get", install, { timeout: 180_000, env }).status !== 0) {
    spawnSync("apt-get", ["update"], { timeout: 60_000 });
    spawnSync("apt-get", install, { timeout: 180_000, env });
  }
  return installed();
}

/** One page in a browser of its own, until it is closed. */
export class BrowserPage {
  readonly #profile = mkdtempSync(join(tmpdir(), "dugong-chromium-"));
  readonly #child: ChildProcess;
  readonly #exit: Promise<void>;
  /** What the browser itself had to say. */
  said = "";

  constructor(chromium: string, address: string) {
    const flags = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--enable-logging=stderr",
      `--user-data-dir=${this.#profile}`,
    ];
    // A group of its own: its many processes end with it.
    this.#child = spawn(chromium, [...flags, address], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    });
    this.#child.stderr!.on("data", (text) => {
      this.said += text;
    });
    this.#exit = new Promise((resolve) => this.#child.on("exit", () => resolve()));
  }

  async close(): Promise<void> {
    const { pid, exitCode } = this.#child;
    if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
    await this.#exit;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
