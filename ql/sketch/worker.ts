/** A thread that computes sketches: one order after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { attachSnapshot, DugongError, type Manifest, Pool, type PoolHandle } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import { readSketchGrammar } from "./grammar.js";
import { Heads, type SharedHeads } from "./heads.js";
import { type WorkOrder, Workplace, type WorkResult } from "./workplace.js";

export interface SketchWorkerStart {
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  folder: string;
  manifest: Manifest;
  grammar: string;
  grammarName: string;
  heads: SharedHeads;
}

export type SketchAnswer =
  | { result: WorkResult }
  | { error: { code?: string; message: string; hint?: string } };

const start = workerData as SketchWorkerStart;
useKernels(start.kernels);
const snapshot = attachSnapshot(Pool.attach(start.pool), start.folder, start.manifest);
const grammar = readSketchGrammar(start.grammar, { name: start.grammarName });
const workplace = new Workplace(snapshot, new Heads(snapshot, start.heads), grammar);

parentPort?.on("message", (order: WorkOrder) => {
  const post = (answer: SketchAnswer) => parentPort?.postMessage(answer);
  try {
    post({ result: workplace.work(order) });
  } catch (error) {
    const { message } = error as Error;
    const { code, hint } = error instanceof DugongError ? error : { code: undefined, hint: undefined };
    post({ error: { code, message, hint } });
  }
});
