/** A thread that answers parts of queries: what begins in some stretch of the corpus. */
import { parentPort, workerData } from "node:worker_threads";
import { attachSnapshot, DugongError, type Manifest, Pool, type PoolHandle } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import type { Query } from "../cql/ast.js";
import type { Notice } from "../plan/errors.js";
import { QueryError } from "../plan/errors.js";
import { windows } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";
import type { Block } from "./strategy.js";

export interface WorkerStart {
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  folder: string;
  manifest: Manifest;
  /** One word for each thread: the number of the last query that was stopped. */
  stopped: SharedArrayBuffer;
}

export interface PartTask {
  /** The query's number; the same in all threads. */
  number: number;
  part: number;
  from: number;
  to: number;
  counting: boolean;
  /** With the first part that a thread gets. */
  query?: Query;
  options?: Omit<QueryOptions, "checkpoint">;
}

export type PartAnswer =
  | {
      number: number;
      part: number;
      count: number;
      base: number;
      begins?: Uint32Array;
      ends?: Uint32Array;
      notices: Notice[];
    }
  | {
      number: number;
      part: number;
      error: { code?: string; message: string; hint?: string; span?: [number, number]; stack?: string };
    };

class Stopped extends Error {}

const start = workerData as WorkerStart;
useKernels(start.kernels);
const snapshot = attachSnapshot(Pool.attach(start.pool), start.folder, start.manifest);
const stopped = new Int32Array(start.stopped);

let current: { number: number; prepared: Prepared } | undefined;

function answer(task: PartTask): PartAnswer {
  if (current?.number !== task.number) {
    current?.prepared.ground.release();
    current = undefined;
    const checkpoint = () => {
      if (Atomics.load(stopped, 0) >= task.number) throw new Stopped();
    };
    checkpoint();
    current = {
      number: task.number,
      prepared: prepare(snapshot, task.query!, { ...task.options, checkpoint }),
    };
  }
  const { prepared } = current;
  const { number, part, from, to } = task;
  let count = 0;
  const blocks: Block[] = [];
  for (const block of windows(prepared, from, to)) {
    count += block.count;
    if (!task.counting && block.count > 0) blocks.push(block);
  }
  const { notices } = prepared;
  if (task.counting) return { number, part, count, base: from, notices };
  const begins = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let at = 0;
  for (const block of blocks) {
    const shift = block.base - from;
    for (let i = 0; i < block.count; i++) {
      begins[at] = block.begins[i] + shift;
      ends[at++] = block.ends[i] + shift;
    }
  }
  return { number, part, count, base: from, begins, ends, notices };
}

parentPort?.on("message", (task: PartTask) => {
  const { number, part } = task;
  try {
    const result = answer(task);
    const moved = "begins" in result && result.begins ? [result.begins.buffer, result.ends!.buffer] : [];
    parentPort?.postMessage(result, moved as ArrayBuffer[]);
  } catch (error) {
    if (error instanceof Stopped) {
      parentPort?.postMessage({ number, part, count: 0, base: 0, notices: [] } satisfies PartAnswer);
      return;
    }
    const { message, stack } = error as Error;
    const known = error instanceof DugongError ? { code: error.code, hint: error.hint } : { stack };
    const span = error instanceof QueryError ? error.span : undefined;
    parentPort?.postMessage({ number, part, error: { message, span, ...known } } satisfies PartAnswer);
  }
});
