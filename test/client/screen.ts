/**
 * A terminal for tests: tmux draws what a program writes, and types what a person would. Where tmux is not installed and
 * can be (as root, with apt-get), it is.
 */
import { execFileSync, spawnSync } from "node:child_process";

function works(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0;
}

/** Is there a tmux, or can there be one? */
export function hasTmux(): boolean {
  if (works()) return true;
  if (process.getuid?.() !== 0) return false;
  const install = ["install", "-y", "--no-install-recommends", "tmux"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (spawnSync("apt-get", install, { timeout: 60_000, env }).status !== 0) {
    spawnSync("apt-get", ["update"], { timeout: 60_000 });
    spawnSync("apt-get", install, { timeout: 60_000, env });
  }
  return works();
}

let opened = 0;

export class Screen {
  readonly #socket = `dugong-test-${process.pid}-${opened++}`;

  constructor(command: string[], { columns = 100, rows = 24, env = {} as Record<string, string> } = {}) {
    const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const settings = Object.entries({ LANG: "C.UTF-8", ...env }).map(([name, value]) => `${name}='${value}'`);
    // What was on the screen when the program ended can still be looked at.
    const line = `env ${settings.join(" ")} ${quoted}; echo "ended with $?"; sleep 600`;
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", String(columns), "-y", String(rows), line);
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-u", "-L", this.#socket, ...args], { encoding: "utf8" });
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", "--", text);
  }

  /** Presses keys by tmux's names: Enter, Tab, Up, C-c. */
  press(...keys: string[]): void {
    for (const key of keys) this.#tmux("send-keys", key);
  }

  /** What is to be seen. `colours`: with escape sequences. */
  text({ colours = false } = {}): string {
    return this.#tmux("capture-pane", "-p", ...(colours ? ["-e"] : [])).trimEnd();
  }

  /** Waits until something is to be seen; resolves to the screen. */
  async shows(what: string | RegExp, withinMs = 20_000): Promise<string> {
    const until = Date.now() + withinMs;
    for (;;) {
      const text = this.text();
      if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
      if (Date.now() > until) throw new Error(`the screen does not show ${what}:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** The last line that is not empty. */
  get last(): string {
    return this.text().split("\n").at(-1) ?? "";
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#socket, "kill-server"]);
  }
}
