/** What came of a run: how much each step kept, what it took, what failed. For programs, and as lines for people. */

import type { CrawlReport } from "../crawl/report.js";
import { limits } from "../limits.js";
import type { StepReport, Warning } from "../stream/report.js";
import type { DoneTask } from "./work.js";

export interface StageReport {
  step: string;
  tasks: number;
  /** Of the tasks: done now, done by an earlier run, failed. */
  done: number;
  reused: number;
  failed: number;
  documentsIn: number;
  documentsOut: number;
  wordsIn?: number;
  wordsOut: number;
  /** Words, of those before this step; of those that the first step had. */
  shareOfBefore?: number;
  shareOfFirst?: number;
  /** Of all tasks, one after the other, whenever they were done. */
  seconds: number;
  /** Of the task that needed most. */
  peakBytes: number;
  warnings: Warning[];
  details: Record<string, unknown>;
}

export interface FailedTask {
  step: string;
  name: string;
  code?: string;
  message: string;
  hint?: string;
  attempts: number;
}

export interface PipelineReport {
  pipeline: string;
  run: string;
  /** Was everything done, and nothing left out? */
  isComplete: boolean;
  /** What was fetched, if the pipeline begins with a crawl; `isReused`: by an earlier run. */
  crawl?: CrawlReport & { isReused: boolean };
  inputs: { files: number; bytes: number };
  stages: StageReport[];
  languages?: Record<string, unknown>;
  failed: FailedTask[];
  /** Steps that were not begun, since what they need had failed. */
  notBegun: string[];
  seconds: number;
}

/** All tasks of a stage as one. */
export function stageReport(
  step: string,
  tasks: readonly DoneTask[],
  counts: { tasks: number; done: number; reused: number; failed: number },
  stagesBefore: readonly StageReport[],
): StageReport {
  const reports = tasks.map(({ report }) => report);
  const sum = (of: (report: StepReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const hasWordsIn = reports.length > 0 && reports.every(({ wordsIn }) => wordsIn !== undefined);
  const wordsIn = hasWordsIn ? sum((report) => report.wordsIn!) : undefined;
  const wordsOut = sum((report) => report.wordsOut);
  const [first] = stagesBefore;
  const before = stagesBefore.at(-1)?.wordsOut ?? wordsIn;
  const start = first ? (first.wordsIn ?? first.wordsOut) : (wordsIn ?? wordsOut);
  return {
    step,
    ...counts,
    documentsIn: sum((report) => report.documentsIn),
    documentsOut: sum((report) => report.documentsOut),
    ...(wordsIn !== undefined && { wordsIn }),
    wordsOut,
    ...(before && { shareOfBefore: wordsOut / before }),
    ...(start && { shareOfFirst: wordsOut / start }),
    seconds: sum((report) => report.seconds),
    peakBytes: tasks.reduce((most, { peakBytes }) => Math.max(most, peakBytes), 0),
    warnings: mergedWarnings(reports),
    details: mergedDetails(reports.map(({ details = {} }) => details)),
  };
}

function mergedWarnings(reports: readonly StepReport[]): Warning[] {
  const kinds = new Map<string, Warning>();
  for (const { kind, message, count, places } of reports.flatMap(({ warnings }) => warnings)) {
    const known = kinds.get(kind) ?? { kind, message, count: 0, places: [] };
    known.count += count;
    known.places = [...known.places, ...places].slice(0, limits.warningPlacesMax);
    kinds.set(kind, known);
  }
  return [...kinds.values()];
}

/** Numbers are added up, below each other in objects too; of other values those stay that are the same in all. */
export function mergedDetails(all: readonly Record<string, unknown>[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const name of new Set(all.flatMap((one) => Object.keys(one)))) {
    const values = all.filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    const isMap = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
    if (values.every((value) => typeof value === "number")) {
      merged[name] = (values as number[]).reduce((sum, value) => sum + value, 0);
    } else if (values.every(isMap)) merged[name] = mergedDetails(values as Record<string, unknown>[]);
    else if (new Set(values.map((value) => JSON.stringify(value))).size === 1) merged[name] = values[0];
  }
  return merged;
}

const languagesShown = 20;

/** The report as people read it. */
export function reportText(report: PipelineReport): string[] {
  const { crawl, stages, failed, notBegun, languages, inputs, seconds } = report;
  const rows = stages.map((stage) => [
    stage.step,
    grouped(stage.documentsOut),
    grouped(stage.wordsOut),
    percent(stage.shareOfBefore),
    percent(stage.shareOfFirst),
    stage.failed > 0 ? `${stage.done + stage.reused} of ${stage.tasks}` : grouped(stage.tasks),
    grouped(stage.reused),
    `${stage.seconds.toFixed(1)} s`,
    `${grouped(stage.peakBytes / 1e6)} MB`,
  ]);
  const heads = ["step", "documents", "words", "% before", "% first", "tasks", "reused", "time", "peak"];
  const lines = [
    `${report.pipeline}: ${inputs.files} ${inputs.files === 1 ? "file" : "files"}, ${grouped(inputs.bytes / 1e6)} MB, in ${seconds.toFixed(1)} s`,
    ...(crawl
      ? [
          `crawl: ${grouped(crawl.pages)} pages of ${grouped(crawl.hosts)} hosts, ${grouped(crawl.bytes / 1e6)} MB, in ${crawl.seconds.toFixed(1)} s (${crawl.isReused ? "fetched before" : crawl.ended})`,
        ]
      : []),
    "",
    ...columns([heads, ...rows]),
  ];
  if (languages && Object.keys(languages).length > 0) {
    const list = Object.entries(languages).sort((a, b) => weight(b[1]) - weight(a[1]));
    const shown = list.slice(0, languagesShown).map(([name, found]) => `${name} ${grouped(weight(found))}`);
    lines.push("", `languages: ${shown.join(", ")}${list.length > languagesShown ? ", …" : ""}`);
  }
  for (const { step, warnings } of stages) {
    for (const { kind, message, count } of warnings)
      lines.push(`${step}: ${kind}: ${message} (${grouped(count)}×)`);
  }
  if (failed.length > 0) lines.push("", "failed:");
  for (const { step, name, message, hint, attempts } of failed) {
    lines.push(`  ${step}, ${name}: ${message} (${attempts} ${attempts === 1 ? "attempt" : "attempts"})`);
    if (hint) lines.push(`    ${hint}`);
  }
  if (notBegun.length > 0) {
    lines.push(
      `not begun: ${notBegun.join(", ")}; --keep-going leaves out what failed, where that can be done`,
    );
  }
  return lines;
}

/** Of a language: a number, or how many documents and words there are. */
function weight(found: unknown): number {
  if (typeof found === "number") return found;
  const { words, documents } = (found ?? {}) as { words?: number; documents?: number };
  return Number(words ?? documents ?? 0);
}

function percent(share: number | undefined): string {
  return share === undefined ? "" : `${(100 * share).toFixed(1)}%`;
}

function grouped(number: number): string {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}

function columns(rows: string[][]): string[] {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "),
  );
}
