/** The thread in which patterns with backreferences run. It is ended from outside when one takes too long. */
import { parentPort } from "node:worker_threads";

export interface BackreferenceTask {
  source: string;
  flags: string;
  /** String i is bytes [starts[i], starts[i + 1]). */
  bytes: Uint8Array;
  starts: Uint32Array;
  /** Shared: the state of the task, and the number of the string that is being looked at. */
  control: Int32Array;
  /** Shared: 1 for each string that matches. */
  results: Uint8Array;
}

/** control[0]; anything but these two lasts until the next. */
export const [WAITING, RUNNING, DONE, FAILED] = [0, 1, 2, 3];

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
