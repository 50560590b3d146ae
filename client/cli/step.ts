/**
 * What all steps of ingest have in common on the command line: inputs, an output, how far they are, and what they
 * say at the end. What a step writes goes to standard output or to --out; its report goes to stderr in the first case
 * and to stdout in the second, for people or (--json) as one document.
 */
import type { Command } from "commander";
import type { StepContext, StepProgress, StepReport, Warning } from "../../ingest/stream/report.js";
import { counted, duration, grouped } from "./format.js";
import type { GlobalOptions } from "./options.js";
import { write } from "./output.js";
import { StatusLine } from "./progress.js";

export interface StepOptions extends GlobalOptions {
  out: string;
}

export function addStepOptions(command: Command, inputs: string): Command {
  return command
    .argument("[inputs...]", `${inputs}: files, directories, - for standard input (default: -)`)
    .option("--out <file>", "where to write; .gz compresses (default: standard output)", "-");
}

/** Runs a step with progress, and says what came of it. */
export async function runStep(
  inputs: string[],
  options: StepOptions,
  step: (streams: { inputs: string[]; output: string }, context: StepContext) => Promise<StepReport>,
): Promise<void> {
  const { out: output, json = false } = options;
  const progress = stepProgress(json);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  try {
    const streams = { inputs: inputs.length === 0 ? ["-"] : inputs, output };
    const report = await step(streams, { signal: stop.signal, onProgress: progress.report });
    progress.done();
    await writeReport(report, output === "-", json);
  } catch (error) {
    progress.done();
    if (!stop.signal.aborted) throw error;
    process.stderr.write("stopped\n");
    process.exitCode = 130;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function stepProgress(json: boolean) {
  const { stderr } = process;
  if (json) {
    const report = (progress: StepProgress) => stderr.write(`${JSON.stringify({ progress })}\n`);
    return { report, done: () => {} };
  }
  if (stderr.isTTY !== true || process.env.TERM === "dumb") return { report: undefined, done: () => {} };
  const line = new StatusLine(stderr);
  return {
    report: ({ fraction, documents, words, seconds }: StepProgress) =>
      line.draw(fraction, [
        counted(documents, "document"),
        `${grouped(words)} words`,
        `${grouped(Math.round(words / Math.max(seconds, 0.001)))} words/s`,
      ]),
    done: () => line.clear(),
  };
}

async function writeReport(report: StepReport, toStderr: boolean, json: boolean): Promise<void> {
  const text = json
    ? `${JSON.stringify(report)}\n`
    : reportLines(report)
        .map((line) => `${line}\n`)
        .join("");
  if (toStderr) process.stderr.write(text);
  else await write(text);
}

/** "dedup: 200 of 250 documents (80.0%), 51,000 of 80,000 words (63.8%) in 1.2 s", then what was odd. */
export function reportLines(report: StepReport): string[] {
  const { step, documentsIn, documentsOut, wordsIn, wordsOut, seconds, warnings, details = {} } = report;
  const documents = kept(documentsOut, documentsIn, "document");
  const words = wordsIn === undefined ? counted(wordsOut, "word") : kept(wordsOut, wordsIn, "word");
  const lines = [`${step}: ${documents}, ${words} in ${duration(seconds)}`];
  for (const [name, value] of Object.entries(details)) {
    const isSimple = typeof value === "string" || typeof value === "number";
    lines.push(`  ${name}: ${isSimple ? value : JSON.stringify(value)}`);
  }
  return [...lines, ...warningLines(warnings)];
}

/** What was odd in the input, a line for each kind, with the first places. */
export function warningLines(warnings: readonly Warning[]): string[] {
  return warnings.map(({ kind, message, count, places }) => {
    const where = places.map(({ source, line, offset }) => `${source}:${line ?? offset ?? ""}`);
    if (where.length > 0 && count > where.length) where.push("…");
    return `  ${kind}: ${message} (${grouped(count)}×)${where.length > 0 ? `: ${where.join(", ")}` : ""}`;
  });
}

function kept(out: number, from: number, noun: string): string {
  if (out === from) return counted(out, noun);
  const share = from > 0 ? ` (${((100 * out) / from).toFixed(1)}%)` : "";
  return `${grouped(out)} of ${counted(from, noun)}${share}`;
}
