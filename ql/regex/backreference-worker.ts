/** The thread in which patterns with backreferences run. It is ended from outside when one takes too long. */
import { parentPort } from "node:worker_threads";
import { type BackreferenceTask, DONE, FAILED, RUNNING } from "./backreference-task.js";

function run({ source, flags, bytes, starts, control, results }: BackreferenceTask): void {
  const tell = (state: number) => {
    Atomics.store(control, 0, state);
    Atomics.notify(control, 0);
  };
  tell(RUNNING);
  try {
    const expression = new RegExp(source, flags);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < results.length; i++) {
      Atomics.store(control, 1, i);
      if (expression.test(text.toString("utf8", starts[i], starts[i + 1]))) results[i] = 1;
    }
    tell(DONE);
  } catch {
    // An expression that is too large for the engine, or takes too much memory.
    tell(FAILED);
  }
}

parentPort?.on("message", run);
