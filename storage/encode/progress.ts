/** How far an encoding job is, how fast it goes, and how long it will take. Reported a few times a second. */
import type { Source } from "../input/sources.js";

export type Phase = "parse" | "merge" | "write" | "sum" | "publish" | "done";

export interface ProgressReport {
  phase: Phase;
  /** Of the whole job, 0 to 1; undefined while the length of the input is not known. */
  fraction?: number;
  tokens: number;
  tokensPerSecond: number;
  /** Seconds since the job began, and the estimate of those to come. */
  seconds: number;
  secondsLeft?: number;
  bytesRead: number;
  bytesTotal?: number;
  segmentsParsed: number;
  segmentsWritten: number;
}

/** Shares of a job's time, as they were measured: reading and parsing, then the rest. */
const shares = { parse: 0.5, merge: 0.07, write: 0.4, sum: 0.02, publish: 0.01, done: 0 };
const intervalMs = 200;

export class ProgressMeter {
  readonly #began = performance.now();
  readonly #total: number | undefined;
  readonly #onProgress: ((report: ProgressReport) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #phase: Phase = "parse";
  #read = 0;
  #tokens = 0;
  #tokensWritten = 0;
  #segmentsParsed = 0;
  #segmentsWritten = 0;

  constructor(options: { sources: Source[]; onProgress?: (report: ProgressReport) => void }) {
    const known = options.sources.every(({ path, bytes }) => path !== null && bytes > 0);
    this.#total = known ? options.sources.reduce((sum, { bytes }) => sum + bytes, 0) : undefined;
    this.#onProgress = options.onProgress;
    if (this.#onProgress) {
      this.#timer = setInterval(() => this.#report(), intervalMs);
      this.#timer.unref();
    }
  }

  begin(phase: Phase): void {
    this.#phase = phase;
    this.#report();
  }

  read(bytes: number): void {
    this.#read += bytes;
  }

  parsed(tokens: number): void {
    this.#tokens += tokens;
    this.#segmentsParsed++;
  }

  written(tokens: number): void {
    this.#tokensWritten += tokens;
    this.#segmentsWritten++;
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  finish(): void {
    this.begin("done");
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #fraction(): number | undefined {
    if (this.#total === undefined && this.#phase === "parse") return undefined;
    let done = 0;
    for (const phase of Object.keys(shares) as Phase[]) {
      if (phase === this.#phase) break;
      done += shares[phase];
    }
    if (this.#phase === "parse") return shares.parse * Math.min(1, this.#read / (this.#total as number));
    if (this.#phase === "write" && this.#tokens > 0)
      return done + shares.write * (this.#tokensWritten / this.#tokens);
    return done;
  }

  #report(): void {
    if (!this.#onProgress) return;
    const seconds = this.seconds;
    const fraction = this.#phase === "done" ? 1 : this.#fraction();
    this.#onProgress({
      phase: this.#phase,
      fraction,
      tokens: this.#tokens,
      tokensPerSecond: seconds > 0 ? this.#tokens / seconds : 0,
      seconds,
      secondsLeft: fraction && fraction > 0.02 ? (seconds * (1 - fraction)) / fraction : undefined,
      bytesRead: this.#read,
      bytesTotal: this.#total,
      segmentsParsed: this.#segmentsParsed,
      segmentsWritten: this.#segmentsWritten,
    });
  }
}
