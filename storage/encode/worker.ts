/** A thread that encodes: it parses segments, merges lexicons and writes segments, one task after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { DugongError } from "../errors.js";
import { Arena } from "../kernels/arena.js";
import { type CombineTask, combineSegments } from "./combine.js";
import type { ReadingConfig } from "./config.js";
import { type JoinTask, joinGenerations } from "./join.js";
import { type MergedLexicon, type MergeTask, mergeLexicon } from "./merge.js";
import { type ParsedMeta, Parser, type Piece } from "./parse.js";
import { type SumTask, sumStatistics } from "./statistics.js";
import { type WriteTask, type WrittenSegment, writeSegment } from "./write.js";

export type Task =
  | { kind: "parse"; pieces: Piece[]; path: string }
  | { kind: "merge"; task: MergeTask }
  | { kind: "write"; task: WriteTask }
  | { kind: "sum"; task: SumTask }
  | { kind: "combine"; task: CombineTask }
  | { kind: "join"; task: JoinTask };

export interface TaskResults {
  parse: ParsedMeta;
  merge: MergedLexicon[];
  write: WrittenSegment;
  sum: { bytes: number };
  combine: WrittenSegment;
  join: { bytes: number; mapBytes: number };
}

export type Answer =
  | { result: TaskResults[keyof TaskResults] }
  | { error: { code?: string; message: string; hint?: string; stack?: string } };

const { reading } = workerData as { reading: ReadingConfig };
let parser: Parser;
const arena = new Arena((start, length) => parser.classify(start, length));
parser = new Parser(arena, reading);

function run(task: Task): Promise<TaskResults[keyof TaskResults]> {
  switch (task.kind) {
    case "parse":
      return parser.parse(task.pieces, task.path);
    case "merge":
      return mergeLexicon(arena, task.task);
    case "write":
      return writeSegment(arena, task.task);
    case "sum":
      return sumStatistics(arena, task.task);
    case "combine":
      return combineSegments(arena, task.task);
    case "join":
      return joinGenerations(arena, task.task);
  }
}

parentPort?.on("message", async (task: Task) => {
  let answer: Answer;
  try {
    answer = { result: await run(task) };
  } catch (error) {
    const { message, stack } = error as Error;
    answer =
      error instanceof DugongError
        ? { error: { code: error.code, message, hint: error.hint } }
        : { error: { message, stack } };
  }
  parentPort?.postMessage(answer);
});
