/**
 * The shell at a terminal: lines are edited by readline, answers come a page at a time, with a line below that says where
 * one is and how many there are, as far as is known at the moment.
 */
import { createInterface, type Interface } from "node:readline";
import type { WriteStream } from "node:tty";
import { duration } from "../cli/format.js";
import { harmless } from "../cli/width.js";
import type { Page } from "../index.js";
import type { Style } from "./colours.js";
import { commands } from "./commands.js";
import { complete } from "./completion.js";
import type { History } from "./history.js";
import { type Keyboard, turnOf } from "./keyboard.js";
import { limits } from "./limits.js";
import { isUnfinished } from "./place.js";
import type { Shell } from "./shell.js";
import { continuation, prompt, settable } from "./state.js";
import { troubleLines } from "./trouble.js";
import { fitted, pageText, type RowsView, type Size, waitingText } from "./views.js";

const keysText = "space next · b back · q done";

export class Terminal {
  readonly #readline: Interface;
  /** Lines of an input that is not finished; inputs that wait. */
  #begun: string[] = [];
  readonly #inputs: (string | undefined)[] = [];
  #waiting: (() => void) | undefined;
  #history: string[] = [];
  #hasStatus = false;
  #drawn = 0;
  #later: NodeJS.Timeout | undefined;

  constructor(
    readonly shell: Shell,
    readonly keyboard: Keyboard,
    readonly output: WriteStream,
    readonly style: Style,
    readonly past: History,
  ) {
    this.#history = past.read();
    this.#readline = createInterface({
      input: keyboard.editing,
      output,
      terminal: true,
      history: this.#history,
      historySize: limits.historyEntriesMax,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
        void this.#complete(line).then((found) => done(null, found));
      },
    });
    this.#readline.on("line", (line) => this.#line(line));
    this.#readline.on("history", (history) => {
      this.#history = history;
    });
    this.#readline.on("SIGINT", () => this.#clear());
    this.#readline.on("close", () => this.#input(undefined));
    keyboard.onResume = () => this.#readline.prompt(true);
    // A terminal that gets another size tells readline, which wraps lines.
    output.on("resize", this.#resized);
  }

  readonly #resized = (): void => {
    this.#readline.emit("resize");
  };

  async run(): Promise<void> {
    this.#prompt();
    try {
      while (!this.shell.isOver) {
        if (this.#inputs.length === 0)
          await new Promise<void>((resolve) => {
            this.#waiting = resolve;
          });
        const input = this.#inputs.shift();
        if (input === undefined) {
          this.output.write("\n");
          break;
        }
        await this.#perform(input);
        if (this.#inputs.length > 0 || this.shell.isOver) continue;
        this.#prompt();
        this.keyboard.edit();
      }
    } finally {
      this.output.off("resize", this.#resized);
      this.#readline.close();
      this.keyboard.close();
    }
  }

  get #size(): Size {
    const { columns = limits.widthDefault, rows = limits.pageRowsDefault + 4 } = this.output;
    return { width: columns, height: rows };
  }

  // ---- lines of input

  #prompt(): void {
    const { state } = this.shell;
    const text = this.#begun.length === 0 ? prompt(state) : continuation(state);
    this.#readline.setPrompt(this.style.prompt(text));
    this.#readline.prompt(true);
  }

  #line(line: string): void {
    const isEnd = this.#begun.length > 0 && line.trim() === "";
    if (!isEnd) this.#begun.push(line);
    const whole = this.#begun.join("\n");
    if (!isEnd && isUnfinished(whole)) {
      this.#prompt();
      return;
    }
    // A query over several lines is one entry.
    if (this.#begun.length > 1) {
      const lines = new Set(this.#begun);
      while (this.#history.length > 0 && lines.has(this.#history[0])) this.#history.shift();
      this.#history.unshift(whole.replace(/\s*\n\s*/g, " "));
    }
    this.#begun = [];
    if (whole.trim() === "") {
      if (this.#inputs.length === 0) this.#prompt();
      return;
    }
    this.past.add(whole);
    this.#input(whole);
  }

  #input(input: string | undefined): void {
    this.keyboard.watch();
    this.#inputs.push(input);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  /** Ctrl-C at the prompt: what was typed is forgotten. */
  #clear(): void {
    this.#begun = [];
    this.output.write("^C\n");
    // Ctrl-E, Ctrl-U: to the end of the line, and away with it.
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    this.#prompt();
  }

  async #complete(line: string): Promise<[string[], string]> {
    const before = this.#begun.map((one) => `${one}\n`).join("");
    const { matches, word } = await complete(before + line, this.shell, { commands, settings: settable });
    return [matches, word];
  }

  // ---- answers

  async #perform(input: string): Promise<void> {
    const stop = new AbortController();
    this.keyboard.onInterrupt = () => {
      stop.abort();
      // What was typed ahead was meant to follow what is stopped; only the end of all input still counts.
      this.#inputs.splice(0, this.#inputs.length, ...this.#inputs.filter((one) => one === undefined));
    };
    const began = performance.now();
    try {
      const view = await this.shell.execute(input, stop.signal);
      if (view?.kind === "rows") await this.#page(view, stop.signal);
      else if (view) this.#write(view.lines.map(harmless));
      // Of pages it is said below them: how long somebody reads is not how long it took.
      if (this.shell.state.settings.timing && view?.kind !== "rows")
        this.#write([`${duration((performance.now() - began) / 1000)} in all`]);
    } catch (error) {
      const lines = await troubleLines(error, this.shell.text, this.#size.width);
      this.#write(lines.map((line) => this.style.error(harmless(line))));
      this.shell.revert();
    } finally {
      this.shell.watch = () => {};
      this.keyboard.onInterrupt = () => {};
    }
  }

  async #page(view: RowsView, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    this.#wait(view);
    let page = await view.rows.page(0, this.#rowsOf(view));
    const tookMs = performance.now() - began;
    try {
      for (;;) {
        this.#write(this.#drawnPage(view, page));
        if (isWhole(page) || this.#inputs.length > 0) break;
        const turned = await this.#turn(view, page, signal);
        if (!turned) break;
        page = turned;
      }
      this.shell.watch = () => {};
      this.#write([this.#below(view, page, tookMs)]);
      await view.rows.finish();
      for (const { message } of view.rows.known.end?.notices ?? [])
        this.#write([`note: ${harmless(message)}`]);
    } finally {
      view.rows.close();
    }
  }

  /** The page that somebody turns to; nothing if they have seen enough. */
  async #turn(view: RowsView, page: Page<unknown>, signal: AbortSignal): Promise<Page<unknown> | undefined> {
    const { from, rows } = page;
    const status = () => `${pageText(view, view.rows.known, from, rows.length)}  ${keysText}`;
    for (;;) {
      this.shell.watch = () => this.#live(status);
      this.#status(status());
      const key = await this.keyboard.key();
      if (signal.aborted) return undefined;
      const count = this.#rowsOf(view);
      const { total } = view.rows;
      const last = total?.certainty === "exact" ? total.value : undefined;
      const turn = turnOf(key);
      let to: number | undefined;
      if (turn === "next" && (last === undefined || from + rows.length < last)) to = from + rows.length;
      else if (turn === "back" && from > 0) to = Math.max(0, from - count);
      else if (turn === "first" && from > 0) to = 0;
      else if (turn === "last" && last !== undefined) to = Math.max(0, last - count);
      else if (turn === "other") {
        this.keyboard.putBack(key!);
        return undefined;
      } else if (turn === "done") return undefined;
      if (to === undefined || to === from) continue;
      this.#wait(view);
      const next = await view.rows.page(to, to < from ? Math.min(count, from - to || count) : count);
      if (next.rows.length > 0) return next;
    }
  }

  /** Says what is waited for, if that takes a moment. */
  #wait(view: RowsView): void {
    const { session } = this.shell;
    const line = () =>
      session.state === "open"
        ? waitingText(view, view.rows.known)
        : "the connection was lost; trying to connect again …";
    this.#drawn = Date.now();
    this.shell.watch = () => this.#live(line);
    this.#live(line);
  }

  #drawnPage(view: RowsView, { rows }: Page<unknown>): string[] {
    return rows.length === 0 ? [] : view.draw(rows, this.#size, this.style);
  }

  /** What stays below the last page. */
  #below(view: RowsView, { from, rows }: Page<unknown>, tookMs: number): string {
    const { timing } = this.shell.state.settings;
    const took = timing ? `  (${tookMs.toFixed(1)} ms to the first page)` : "";
    return `${pageText(view, view.rows.known, from, rows.length)}${took}`;
  }

  #rowsOf({ headingLines }: RowsView): number {
    const { page, view } = this.shell.state.settings;
    const fitting = this.#size.height - 2 - headingLines;
    return Math.max(
      1,
      page ?? (view === "sentence" && headingLines === 0 ? Math.floor(fitting / 3) : fitting),
    );
  }

  // ---- the screen

  #write(lines: readonly string[]): void {
    this.#clearStatus();
    this.output.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** A line that will go away. */
  #status(line: string): void {
    this.output.write(`\r\u001b[K${this.style.status(fitted(line, this.#size.width))}`);
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#hasStatus = true;
    this.#drawn = Date.now();
  }

  /** The same, not more often than can be read; what is true at last is drawn. */
  #live(line: () => string): void {
    const wait = this.#drawn + limits.drawMs - Date.now();
    if (wait <= 0) this.#status(line());
    else this.#later ??= setTimeout(() => this.#status(line()), wait);
  }

  #clearStatus(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#hasStatus) this.output.write("\r\u001b[K");
    this.#hasStatus = false;
  }
}

/** Are there no other pages? */
function isWhole({ from, rows, total }: Page<unknown>): boolean {
  return from === 0 && total?.certainty === "exact" && rows.length >= total.value;
}
