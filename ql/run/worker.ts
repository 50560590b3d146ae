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
}

export interface PartTask {
  /** The query's number; the same in all threads. */
  number: number;
  part: number;
  from: number;
  to: number;
  counting: boolean;
  /** With the first part that a thread gets. */
  query?: Asked;
}

export interface Asked {
  tree: Query;
  options: Omit<QueryOptions, "checkpoint">;
  /** One word: not 0 when nobody wants the answer any more. */
  stopped: SharedArrayBuffer;
}

/** A query that is over. */
export interface Forget {
  forget: number;
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
      error: PartError;
    };

interface PartError {
  message: string;
  /** Of a DugongError; of one that is a QueryError, the rest too. */
  code?: string;
  hint?: string;
  ofQuery?: boolean;
  span?: [number, number];
  /** Of one that should not happen. */
  stack?: string;
}

class Stopped extends Error {}

const start = workerData as WorkerStart;
useKernels(start.kernels);
const snapshot = attachSnapshot(Pool.attach(start.pool), start.folder, start.manifest);

/** Queries that are under way, by their numbers. */
const underWay = new Map<number, Prepared>();

function preparedFor({ number, query }: PartTask): Prepared {
  const known = underWay.get(number);
  if (known) return known;
  const { tree, options, stopped } = query!;
  const word = new Int32Array(stopped);
  const checkpoint = () => {
    if (Atomics.load(word, 0) !== 0) throw new Stopped();
  };
  checkpoint();
  const prepared = prepare(snapshot, tree, { ...options, checkpoint });
  underWay.set(number, prepared);
  return prepared;
}

function answer(task: PartTask): PartAnswer {
  const prepared = preparedFor(task);
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

parentPort?.on("message", (task: PartTask | Forget) => {
  if ("forget" in task) {
    underWay.get(task.forget)?.ground.release();
    underWay.delete(task.forget);
    return;
  }
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
    parentPort?.postMessage({ number, part, error: described(error as Error) } satisfies PartAnswer);
  }
});

function described(error: Error): PartError {
  const { message, stack } = error;
  if (!(error instanceof DugongError)) return { message, stack };
  const { code, hint } = error;
  return error instanceof QueryError
    ? { message, code, hint, ofQuery: true, span: error.span }
    : { message, code, hint };
}
