/** A thread that encodes: it parses segments, merges lexicons and writes segments, one task after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { DugongError } from "../errors.js";
import { Arena } from "../kernels/arena.js";
import { useKernels } from "../kernels/index.js";
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

/**
 * `free`: the thread has computed all it was asked for, and can take another task while the disk still writes. Then,
 * for each task, its result or its error.
 */
export type Answer =
  | { free: true }
  | { id: number; result: TaskResults[keyof TaskResults] }
  | { id: number; error: { code?: string; message: string; hint?: string; stack?: string } };

const { reading, kernels } = workerData as { reading: ReadingConfig; kernels: WebAssembly.Module };
useKernels(kernels);
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

/** Tasks that still compute after they have begun to wait for the disk. */
const exclusive: Task["kind"][] = ["combine", "join"];

parentPort?.on("message", async ({ id, task }: { id: number; task: Task }) => {
  const post = (answer: Answer) => parentPort?.postMessage(answer);
  try {
    const pending = run(task);
    if (!exclusive.includes(task.kind)) post({ free: true });
    const result = await pending;
    post({ id, result });
  } catch (error) {
    const { message, stack } = error as Error;
    if (error instanceof DugongError) post({ id, error: { code: error.code, message, hint: error.hint } });
    else post({ id, error: { message, stack } });
  }
  if (exclusive.includes(task.kind)) post({ free: true });
});
