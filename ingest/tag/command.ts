/**
 * A tagger that is another program, run by the shell, as a lane for documents. What is assumed of it:
 *
 *   in    a token a line, <s> and </s> around sentences
 *   out   a line for each token, in order, whose first column is the token; empty lines and tags are passed over
 *   end   when its input ends, it writes what it still has, and ends
 *
 * Structure never comes from it: what it drops or changes of tags is of no matter. It may write late: programs keep some
 * thousand bytes back until they have more. So several documents are on their way at any time, and when it has all of them and
 * says nothing for a while, its input is closed to make it answer, and the next documents go to another process.
 *
 * If it ends too soon, or writes other tokens, each of the documents that it had is given to a process of its own. One that fails
 * there as well is passed on untagged, and counted.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import type { Lane } from "../stream/ordered.js";
import type { Warnings } from "../stream/report.js";
import type { TaggedLines } from "./lines.js";
import { isStructure, type Part, wordOfLine } from "./vertical.js";

/** How many documents were tagged, how many failed, and the last that the program said of it. */
export interface CommandCounts {
  tagged: number;
  failed: number;
  said: string;
}

interface Job {
  part: Part;
  words: string[];
  /** What it is sent. */
  input: string;
  /** Lines that came for its words. */
  found: string[];
  /** Lines that came since, and were none for a word. */
  passed: number;
  resolve: (result: TaggedLines) => void;
  reject: (error: unknown) => void;
}

export class CommandLane implements Lane<Part, TaggedLines> {
  /** Not sent, and sent but not answered. */
  readonly #waiting: Job[] = [];
  readonly #sent: Job[] = [];
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRetrying = false;
  #isClosed = false;
  #isLast = false;
  /** The process that has a document of its own. */
  #lone: ChildProcess | undefined;

  constructor(
    readonly command: string,
    readonly warnings: Warnings,
    /** Of all lanes. */
    readonly counts: CommandCounts,
  ) {}

  run(part: Part): Promise<TaggedLines> {
    return new Promise((resolve, reject) => {
      const words: string[] = [];
      let input = "";
      for (const line of part.lines) {
        if (!isStructure(line)) {
          if (line === "") continue;
          words.push(wordOfLine(line));
          input += `${words[words.length - 1]}\n`;
        } else if (/^<\/?s[\s>]/.test(line)) input += line.startsWith("</") ? "</s>\n" : "<s>\n";
      }
      const job: Job = { part, words, input, found: [], passed: 0, resolve, reject };
      if (words.length === 0) return resolve(resultOf(job));
      this.#waiting.push(job);
      this.#send();
    });
  }

  /** No more documents will come: nothing is to be waited for. */
  finish(): void {
    this.#isLast = true;
    if (!this.#isRetrying) this.#child?.stdin?.end();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const children = [this.#child, this.#lone];
    this.#child = undefined;
    for (const child of children) if (child) await ended(child);
  }

  #send(): void {
    if (this.#isRetrying || this.#isClosed) return;
    while (this.#waiting.length > 0) {
      this.#child ??= this.#start();
      // It has been told that this is all: the next process gets the rest.
      if (this.#child.stdin!.writableEnded) return;
      const job = this.#waiting.shift()!;
      this.#sent.push(job);
      this.#child.stdin!.write(job.input);
    }
    if (this.#isLast) this.#child?.stdin?.end();
    this.#wait();
  }

  /** A process for many documents. */
  #start(): ChildProcess {
    const child = this.#spawn((line) => {
      if (child !== this.#child) return;
      const [job] = this.#sent;
      if (!job || !take(job, line)) {
        if (job) kill(child);
        return this.#failed(child);
      }
      if (job.found.length === job.words.length) {
        this.#sent.shift();
        this.#succeeded(job);
      }
      this.#wait();
    });
    child.on("close", () => {
      if (child === this.#child) this.#failed(child);
    });
    return child;
  }

  #spawn(onLine: (line: string) => void): ChildProcess {
    const child = spawn(this.command, { shell: true, detached: true });
    // What it did not read shows when it has ended.
    child.stdin!.on("error", () => {});
    child.on("error", () => {});
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.counts.said = (this.counts.said + text).slice(-500);
    });
    let rest = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (rest.length <= limits.commandLineCharsMax) return;
      // Whatever it is going to be, it is no token.
      kill(child);
      rest = "";
    });
    child.stdout!.on("end", () => {
      if (rest !== "") onLine(rest);
    });
    return child;
  }

  /** Waits for the next line; what it does if none comes depends on whether there is anything that could bring it about. */
  #wait(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (!child || this.#sent.length === 0) return;
    const isOver = child.stdin!.writableEnded;
    this.#timer = setTimeout(
      () => {
        if (isOver) return this.#failed(child);
        child.stdin!.end();
        this.#wait();
      },
      isOver ? limits.commandSilentMs : limits.commandStallMs,
    );
  }

  /** A process has ended, or what it says makes no sense. If all is answered, it was meant to end. */
  #failed(child: ChildProcess): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    clearTimeout(this.#timer);
    void ended(child);
    const jobs = this.#sent.splice(0);
    if (jobs.length === 0) {
      this.#send();
      return;
    }
    this.#isRetrying = true;
    void this.#retry(jobs).then(
      () => {
        this.#isRetrying = false;
        this.#send();
      },
      (error) => {
        for (const { reject } of [...jobs, ...this.#waiting.splice(0)]) reject(error);
      },
    );
  }

  /** Each document alone, until the one at fault is found. */
  async #retry(jobs: Job[]): Promise<void> {
    for (const [i, job] of jobs.entries()) {
      if (this.#isClosed) return;
      Object.assign(job, { found: [], passed: 0 });
      if (await this.#alone(job)) {
        this.#succeeded(job);
        continue;
      }
      this.counts.failed++;
      if (this.counts.tagged === 0 && this.counts.failed >= limits.commandFailuresMax)
        throw neverTags(this.command, this.counts);
      this.warnings.add(
        "tagger_failed",
        "the tagger failed twice with a document, which is passed on untagged",
        { source: job.part.source, line: job.part.from },
      );
      job.resolve({ ...resultOf(job), tokens: job.words.length });
      this.#waiting.unshift(...jobs.slice(i + 1).map((one) => ({ ...one, found: [], passed: 0 })));
      return;
    }
  }

  #alone(job: Job): Promise<boolean> {
    return new Promise((resolve) => {
      let isGood = true;
      const child = this.#spawn((line) => {
        if (!isGood) return;
        isGood = take(job, line);
        // Some programs never end by themselves: yes.
        if (isGood) timer.refresh();
        else kill(child);
      });
      this.#lone = child;
      const timer = setTimeout(() => kill(child), limits.commandSilentMs);
      child.on("close", () => {
        clearTimeout(timer);
        this.#lone = undefined;
        resolve(isGood && job.found.length === job.words.length);
      });
      child.stdin!.end(job.input);
    });
  }

  #succeeded(job: Job): void {
    this.counts.tagged++;
    job.resolve(resultOf(job));
  }
}

/** A program that has tagged nothing of what it was given is not a tagger. */
export function neverTags(command: string, { said }: CommandCounts): DugongError {
  return new DugongError(
    "tagger_failed",
    `the tagger "${command}" fails with every document${said.trim() ? `: ${said.trim()}` : ""}`,
    "It has to read a token a line, and to write a line for each, the token first.",
  );
}

/** Takes a line that the tagger wrote. False if it is not for the next word. */
function take(job: Job, line: string): boolean {
  const word = wordOfLine(line);
  if (word === "" || isStructure(word) || isStructure(line)) return ++job.passed <= limits.commandPassedMax;
  if (word !== job.words[job.found.length]) return false;
  job.found.push(line);
  job.passed = 0;
  return true;
}

/** The document with what was found; without, if not all was. */
function resultOf({ part, words, found }: Job): TaggedLines {
  const isTagged = found.length === words.length;
  let text = "";
  let at = 0;
  for (const line of part.lines) {
    if (isStructure(line)) text += `${line}\n`;
    else if (line !== "") text += `${isTagged ? found[at++] : line}\n`;
  }
  return { text, tokens: words.length, replaced: 0, documents: part.documents };
}

/** Ends a process, gently at first. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin!.end();
  const closed = new Promise((resolve) => child.once("close", resolve));
  const timer = setTimeout(() => kill(child), 500);
  await closed;
  clearTimeout(timer);
}

/** With all that the shell has started for it. */
function kill(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
