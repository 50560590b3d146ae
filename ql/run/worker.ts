/** A thread that answers parts of queries: what begins in some stretch of the corpus. */
import { parentPort, workerData } from "node:worker_threads";
import { attachSnapshot, DugongError, type Manifest, Pool, type PoolHandle } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import type { Query } from "../cql/ast.js";
import type { Notice } from "../plan/errors.js";
import { QueryError } from "../plan/errors.js";
import { windows } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";

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

/** A block as it is moved from thread to thread: ends, or the one length that all matches have. */
export interface MovedBlock {
  base: number;
  count: number;
  begins: Uint32Array;
  ends: Uint32Array | number;
}

export type PartAnswer =
  | { number: number; part: number; count: number; blocks: MovedBlock[]; notices: Notice[] }
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
  const blocks: MovedBlock[] = [];
  for (const block of windows(prepared, from, to)) {
    count += block.count;
    if (task.counting || block.count === 0) continue;
    const { base, fixedLength } = block;
    // What is moved is moved whole: not much more than is needed, and nothing that another block is part of.
    const begins = own(block.begins, block.count);
    blocks.push({ base, count: block.count, begins, ends: fixedLength || own(block.ends, block.count) });
  }
  return { number, part, count, blocks, notices: prepared.notices };
}

function own(column: Uint32Array, count: number): Uint32Array {
  const whole = column.byteOffset === 0 && column.buffer.byteLength <= count * 8;
  return whole ? column : column.slice(0, count);
}

parentPort?.on("message", (task: PartTask) => {
  const { number, part } = task;
  try {
    const result = answer(task);
    const moved = new Set<ArrayBufferLike>();
    for (const { begins, ends } of "blocks" in result ? result.blocks : []) {
      moved.add(begins.buffer);
      if (typeof ends !== "number") moved.add(ends.buffer);
    }
    parentPort?.postMessage(result, [...moved] as ArrayBuffer[]);
  } catch (error) {
    if (error instanceof Stopped) {
      parentPort?.postMessage({ number, part, count: 0, blocks: [], notices: [] } satisfies PartAnswer);
      return;
    }
    const { message, stack } = error as Error;
    const known = error instanceof DugongError ? { code: error.code, hint: error.hint } : { stack };
    const span = error instanceof QueryError ? error.span : undefined;
    parentPort?.postMessage({ number, part, error: { message, span, ...known } } satisfies PartAnswer);
  }
});
