/**
 * The keyboard, in raw mode. While somebody edits a line, all goes to readline; while something runs or a page is shown,
 * keys come one by one, and Ctrl-C comes at once. Keys that nobody wanted are not lost: readline gets them later.
 */
import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";

const interrupt = "\u0003";
const suspend = "\u001a";

export class Keyboard {
  /** What readline reads. */
  readonly editing = new PassThrough();
  #isEditing = true;
  readonly #keys: string[] = [];
  #waiting: ((key: string | undefined) => void) | undefined;
  #isClosed = false;
  /** Ctrl-C, while nobody edits. */
  onInterrupt: () => void = () => {};
  /** Back from Ctrl-Z. */
  onResume: () => void = () => {};

  constructor(readonly terminal: ReadStream) {
    terminal.setRawMode(true);
    terminal.setEncoding("utf8");
    terminal.on("data", this.#heard);
    terminal.on("end", this.#ended);
    process.on("SIGCONT", this.#resumed);
  }

  readonly #heard = (data: Buffer | string): void => {
    const text = String(data);
    if (this.#isEditing && !text.includes(suspend)) {
      this.editing.write(text);
      return;
    }
    for (const key of keysOf(text)) {
      if (key === suspend) this.#suspend();
      else if (this.#isEditing) this.editing.write(key);
      else if (key === interrupt) this.#interrupt();
      else if (this.#waiting) this.#answer(key);
      else this.#keys.push(key);
    }
  };

  readonly #ended = (): void => {
    this.#isClosed = true;
    this.editing.end();
    this.#answer(undefined);
  };

  #answer(key: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(key);
  }

  #interrupt(): void {
    this.#keys.length = 0;
    this.onInterrupt();
    this.#answer(interrupt);
  }

  #suspend(): void {
    this.terminal.setRawMode(false);
    process.kill(process.pid, "SIGTSTP");
  }

  readonly #resumed = (): void => {
    this.terminal.setRawMode(true);
    this.onResume();
  };

  /** Is there something that was typed and not yet taken? */
  get isAhead(): boolean {
    return this.#keys.length > 0;
  }

  /** Keys come one by one from now on. */
  watch(): void {
    this.#isEditing = false;
  }

  /** All goes to readline again; first what was typed meanwhile. */
  edit(): void {
    this.#isEditing = true;
    const typed = this.#keys.splice(0).join("");
    if (typed !== "") this.editing.write(typed);
  }

  /** The next key; undefined when there will be none. */
  key(): Promise<string | undefined> {
    if (this.#keys.length > 0) return Promise.resolve(this.#keys.shift());
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** As if it had not been taken. */
  putBack(key: string): void {
    this.#keys.unshift(key);
  }

  close(): void {
    this.terminal.off("data", this.#heard);
    this.terminal.off("end", this.#ended);
    process.off("SIGCONT", this.#resumed);
    this.terminal.setRawMode(false);
    this.terminal.pause();
  }
}

/** Text cut into keys: what begins with Escape is one, as far as terminals send it. */
export function keysOf(text: string): string[] {
  return text.match(/\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu) ?? [];
}

/** What a key means where a page is shown. */
export function turnOf(key: string | undefined): "next" | "back" | "first" | "last" | "done" | "other" {
  switch (key) {
    case " ":
    case "n":
    case "\r":
    case "\u001b[6~":
    case "\u001b[B":
      return "next";
    case "b":
    case "p":
    case "\u001b[5~":
    case "\u001b[A":
      return "back";
    case "g":
    case "\u001b[H":
    case "\u001b[1~":
      return "first";
    case "G":
    case "\u001b[F":
    case "\u001b[4~":
      return "last";
    case "q":
    case "\u001b":
    case "\u0003":
    case "\u0004":
    case undefined:
      return "done";
    default:
      return "other";
  }
}
