/** What encoding is made of, and the place where it is done: an arena of memory with a parser, for one thread. */
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

export class Workplace {
  readonly #parser: Parser;
  readonly #arena: Arena;

  constructor(reading: ReadingConfig) {
    this.#arena = new Arena((start, length) => this.#parser.classify(start, length));
    this.#parser = new Parser(this.#arena, reading);
  }

  /** Begins a task; all but those that are `exclusive` have computed everything when this returns, and only write on. */
  run(task: Task): Promise<TaskResults[keyof TaskResults]> {
    const arena = this.#arena;
    switch (task.kind) {
      case "parse":
        return this.#parser.parse(task.pieces, task.path);
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
}

/** A task that still computes after it has begun to wait for the disk. */
export function isExclusive({ kind }: Task): boolean {
  return kind === "combine" || kind === "join";
}
