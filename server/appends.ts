/**
 * Text that clients add to corpora. Each append is a process of its own, and as safe from crashes as the encoder is: the
 * corpus has all of it or nothing, whatever is killed when.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { builtFile } from "../storage/built.js";
import { DugongError } from "../storage/index.js";
import type { User } from "./access/users.js";
import type { AppendAsked, AppendSaid } from "./append-child.js";
import type { Config } from "./config.js";
import { killed, refusal } from "./problems.js";

/** Why an append is ended before it is done. */
export type Ended = "cancelled" | "killed" | "draining";

export interface Appending {
  done: Promise<object>;
  /** Ends it; what was not published is not there. */
  stop(why: Ended): void;
}

/** One that is under way, as `running` tells of it. */
export interface UnderWay {
  user: User;
  connection: number;
  corpus: string;
  /** By performance.now(). */
  began: number;
  progress?: { done: number; of: number };
  stop: Appending["stop"];
}

export class Appends {
  readonly #children = new Set<ChildProcess>();
  /** By their numbers among all requests of the server. */
  readonly underWay = new Map<number, UnderWay>();
  readonly #incoming: string;
  #last = 0;

  constructor(
    readonly data: string,
    readonly config: Config,
  ) {
    // Beside the corpora: no corpus can have such a name.
    this.#incoming = join(data, ".incoming");
  }

  /** How many are under way. */
  get size(): number {
    return this.#children.size;
  }

  /** Text that came with the request, as a file. */
  keepText(text: string): string {
    const { appendBytesMax } = this.config;
    if (Buffer.byteLength(text) > appendBytesMax)
      throw refusal(
        "text_too_large",
        `the text has more than ${appendBytesMax} bytes (limit appendBytesMax)`,
        "Append it in parts, or put it into the server's inbox as a file.",
      );
    mkdirSync(this.#incoming, { recursive: true });
    if (this.#last === 0) this.#tidy();
    const path = join(this.#incoming, `${process.pid}-${++this.#last}-${randomUUID()}`);
    writeFileSync(path, text);
    return path;
  }

  /** What a server left there that is no more nobody waits for. (There may be several on one directory.) */
  #tidy(): void {
    for (const name of readdirSync(this.#incoming))
      if (!isRunning(Number.parseInt(name, 10))) this.forgetText(join(this.#incoming, name));
  }

  forgetText(path: string): void {
    rmSync(path, { force: true });
  }

  /** A file in the inbox; nothing outside it, whatever its name and wherever its links lead. */
  inboxFile(name: string): string {
    const { inbox } = this.config;
    if (inbox === undefined)
      throw refusal(
        "no_inbox",
        "this server has no inbox for files",
        "Send the text itself, or set `inbox`.",
      );
    try {
      const root = realpathSync(inbox);
      const path = realpathSync(resolve(root, name));
      if (path.startsWith(root + sep)) return path;
    } catch {}
    throw refusal(
      "input_not_found",
      `there is no file ${JSON.stringify(name.slice(0, 200))} in the server's inbox`,
    );
  }

  start(asked: AppendAsked, onProgress: (done: number, of: number) => void): Appending {
    const child = fork(builtFile("server/append-child.js"), [], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#children.add(child);
    const done = new Promise<object>((resolve, reject) => {
      child.on("message", (said: AppendSaid) => {
        if (said.kind === "progress") {
          onProgress(said.done, said.of);
          return;
        }
        // It has said its last word and ends by itself: whoever hears of it may append again at once.
        this.#children.delete(child);
        if (said.kind === "done") resolve(said.value);
        else if (said.code) reject(new DugongError(said.code, said.message, said.hint));
        else reject(Object.assign(new Error(said.message), { stack: said.stack }));
      });
      child.on("error", reject);
      child.on("exit", () => {
        this.#children.delete(child);
        reject(endedBy(ended));
      });
    });
    let ended: Ended | undefined;
    child.send(asked);
    const stop = (why: Ended) => {
      ended ??= why;
      child.kill("SIGKILL");
    };
    return { done, stop };
  }

  stopAll(): void {
    for (const { stop } of this.underWay.values()) stop("draining");
    for (const child of this.#children) child.kill("SIGKILL");
  }

  /** Before anything is kept of one more. */
  checkRoom(): void {
    const { appendsMax } = this.config;
    if (this.size < appendsMax) return;
    throw refusal(
      "busy",
      `${this.size} appends are under way, as many as there may be (limit appendsMax)`,
      "Append again when one is done.",
    );
  }
}

/** It may have been published in the very moment when it was ended. */
function endedBy(why: Ended | undefined): DugongError {
  const hint = "Its text is in the corpus as a whole or not at all; the same again takes it up.";
  if (why === "cancelled") return refusal("cancelled", "the append was cancelled", hint);
  if (why === "killed") return refusal("cancelled", killed.message, hint);
  const message = "the append was ended before it was done";
  return refusal("append_ended", why === "draining" ? `${message}: the server is going down` : message, hint);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
