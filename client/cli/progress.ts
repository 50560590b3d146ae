/**
 * How far a job is, on stderr: a bar on a terminal, now and then a line elsewhere, JSON lines for programs.
 * The bar is redrawn at most ten times a second, fits the terminal, and is gone when the job is done.
 */
import type { ProgressReport } from "../../storage/index.js";
import { counted, duration, grouped } from "./format.js";

/** How far the tagging of documents is. */
export interface TaggingReport
  extends Pick<ProgressReport, "fraction" | "tokens" | "tokensPerSecond" | "seconds" | "secondsLeft"> {
  phase: "tag";
  documents: number;
  documentsTotal: number;
}

/** How far word sketches are. */
export interface SketchingReport
  extends Pick<ProgressReport, "fraction" | "tokens" | "tokensPerSecond" | "seconds" | "secondsLeft"> {
  phase: "sketch" | "done";
  tasks: number;
  tasksTotal: number;
}

type Report = ProgressReport | TaggingReport | SketchingReport;

export interface Progress {
  report(report: Report): void;
  /** Leaves a clean line behind. May be called twice. */
  done(): void;
}

const redrawMs = 100;
const lineMs = 2000;
const slowLineMs = 10_000;
const barWidthMax = 30;
const barWidthMin = 6;

const doing: Record<Report["phase"], string> = {
  tag: "tagging",
  parse: "reading",
  merge: "merging lexicons",
  write: "writing",
  sum: "counting",
  publish: "publishing",
  sketch: "word sketches",
  done: "done",
};

export function progressOn(stream: NodeJS.WriteStream, corpus: string, json: boolean): Progress {
  if (json) return jsonLines(stream);
  return isTerminal(stream) ? bar(stream) : plainLines(stream, corpus);
}

/** A bar for work that is told in steps; off a terminal a line every ten seconds, and none of what takes less. */
export function stepsOn(stream: NodeJS.WriteStream, json: boolean) {
  if (!json && !isTerminal(stream)) return slowLines(stream);
  const line = json ? undefined : new StatusLine(stream);
  return {
    report: (done: number, total: number, what: string) => line?.draw(done / total, [what]),
    done: () => line?.clear(),
  };
}

function slowLines(stream: NodeJS.WriteStream) {
  let last = performance.now();
  return {
    report: (done: number, total: number, what: string) => {
      if (performance.now() - last < slowLineMs) return;
      last = performance.now();
      stream.write(`${percentage(done / total)}  ${what}\n`);
    },
    done: () => {},
  };
}

function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

function jsonLines(stream: NodeJS.WriteStream): Progress {
  return {
    report: (report) => stream.write(`${JSON.stringify({ progress: report })}\n`),
    done: () => {},
  };
}

function plainLines(stream: NodeJS.WriteStream, corpus: string): Progress {
  let phase = "";
  let last = 0;
  return {
    report: (report) => {
      const now = performance.now();
      if (report.phase === "done" || (report.phase === phase && now - last < lineMs)) return;
      phase = report.phase;
      last = now;
      const percent = report.fraction === undefined ? [] : [percentage(report.fraction)];
      stream.write(`${corpus}: ${[doingWhat(report), ...percent, ...details(report)].join(", ")}\n`);
    },
    done: () => {},
  };
}

function bar(stream: NodeJS.WriteStream): Progress {
  const line = new StatusLine(stream);
  return {
    report: (report) => {
      const parts = details(report);
      // The number of tokens is for those who cannot be told how much is left.
      if (report.fraction !== undefined && report.tokens > 0) parts.shift();
      line.draw(report.fraction, [doingWhat(report), ...parts]);
    },
    done: () => line.clear(),
  };
}

/** "reading", "tagging 12 of 233 documents", "word sketches 7 of 40" */
function doingWhat(report: Report): string {
  if (report.phase === "sketch" && "tasks" in report)
    return `${doing.sketch} ${grouped(report.tasks)} of ${grouped(report.tasksTotal)}`;
  if (report.phase !== "tag") return doing[report.phase];
  return `${doing.tag} ${grouped(report.documents)} of ${counted(report.documentsTotal, "document")}`;
}

function details({ tokens, tokensPerSecond, secondsLeft }: Report): string[] {
  const parts: string[] = [];
  if (tokens > 0) parts.push(`${grouped(tokens)} tokens`, `${grouped(tokensPerSecond)} tokens/s`);
  if (secondsLeft !== undefined && secondsLeft >= 1) parts.push(`${duration(secondsLeft)} left`);
  return parts;
}

function percentage(fraction: number): string {
  return `${Math.floor(fraction * 100)}%`;
}

/** One line of a terminal that is drawn over and over. */
export class StatusLine {
  #drawn = -redrawMs;
  #visible = false;

  constructor(readonly stream: NodeJS.WriteStream) {}

  draw(fraction: number | undefined, parts: string[]): void {
    const now = performance.now();
    if (now - this.#drawn < redrawMs) return;
    this.#drawn = now;
    this.#visible = true;
    this.stream.write(`\r${statusText(fraction, parts, this.stream.columns || 80)}\x1b[K`);
  }

  clear(): void {
    if (this.#visible) this.stream.write("\r\x1b[K");
    this.#visible = false;
  }
}

/** A bar, the percentage, then as many of the parts as there is room for; the last column stays free. */
export function statusText(fraction: number | undefined, parts: string[], columns: number): string {
  const room = Math.max(0, columns - 1);
  const width = Math.min(barWidthMax, Math.floor(room / 4));
  let text = "";
  if (fraction !== undefined) {
    const full = Math.round(width * Math.min(1, fraction));
    if (width >= barWidthMin) text = `${"█".repeat(full)}${"░".repeat(width - full)} `;
    text += percentage(fraction).padStart(4);
  }
  for (const part of parts) {
    const longer = text === "" ? part : `${text}  ${part}`;
    if (longer.length > room) break;
    text = longer;
  }
  return text.slice(0, room);
}
