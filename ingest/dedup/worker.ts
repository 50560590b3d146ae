/** One thread: a task comes, its result goes back. */
import { parentPort, workerData } from "node:worker_threads";
import { Performer, type Setup, type Task } from "./performer.js";

export interface Answer {
  result?: unknown;
  error?: { code?: string; message: string; hint?: string; stack?: string };
}

const performer = new Performer(workerData as Setup);
const port = parentPort!;

port.on("message", (task: Task) => {
  try {
    const result = performer.perform(task);
    port.postMessage({ result } satisfies Answer, buffersOf(result));
  } catch (thrown) {
    const { code, message, hint, stack } = thrown as Error & { code?: string; hint?: string };
    port.postMessage({ error: { code, message, hint, stack } } satisfies Answer);
  }
});

/** What is handed over instead of being copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (result === null || typeof result !== "object") return [];
  return [result, ...Object.values(result)]
    .filter((value) => ArrayBuffer.isView(value))
    .map(({ buffer }) => buffer as ArrayBuffer);
}
