/** A thread that encodes: it parses segments, merges lexicons and writes segments, one task after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { DugongError } from "../errors.js";
import { useKernels } from "../kernels/index.js";
import type { ReadingConfig } from "./config.js";
import { isExclusive, type Task, type TaskResults, Workplace } from "./tasks.js";

/** A task for the thread, unless somebody else has begun with it first. */
export interface Given {
  id: number;
  task: Task;
  begun: Int32Array;
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
const workplace = new Workplace(reading);

const post = (answer: Answer) => parentPort?.postMessage(answer);

async function answer(id: number, pending: Promise<TaskResults[keyof TaskResults]>): Promise<void> {
  try {
    post({ id, result: await pending });
  } catch (error) {
    const { message, stack } = error as Error;
    if (error instanceof DugongError) post({ id, error: { code: error.code, message, hint: error.hint } });
    else post({ id, error: { message, stack } });
  }
}

/** Until the last task has computed all. */
let computed: Promise<void> = Promise.resolve();

parentPort?.on("message", ({ id, task, begun }: Given) => {
  computed = computed.then(async () => {
    if (Atomics.compareExchange(begun, 0, 0, 1) !== 0) return post({ free: true });
    const answered = answer(id, workplace.run(task));
    if (isExclusive(task)) await answered;
    post({ free: true });
  });
});
