/**
 * What two threads can bring on this machine at this moment: a loop that only computes, run by one thread and by two. Two
 * processors of a virtual machine may be halves of one core, now and then or always; no program gains more than this there.
 */
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const rounds = 60_000_000;

/** Several sums that do not wait for each other, as many as a core can do at a time. */
function compute(): number {
  let [a, b, c, d, e] = [1, 2, 3, 4, 5];
  for (let i = 0; i < rounds; i++) {
    a = (a + i) | 0;
    b ^= i;
    c = (c + a) | 0;
    d = (d - 7) ^ i;
    e = (e + 3) | 0;
  }
  return a + b + c + d + e;
}

if (!isMainThread) parentPort?.on("message", () => parentPort?.postMessage(compute()));

export class Ceiling {
  readonly #worker = new Worker(fileURLToPath(import.meta.url));
  #failed = (_: Error) => {};

  constructor() {
    this.#worker.on("error", (error) => this.#failed(error));
  }

  /** How many times as much two threads compute as one in the same time: 2 where each has a core of its own. */
  async gain(): Promise<number> {
    const began = performance.now();
    compute();
    const between = performance.now();
    const other = this.#compute();
    compute();
    await other;
    return (2 * (between - began)) / (performance.now() - between);
  }

  #compute(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#worker.once("message", resolve);
      this.#failed = reject;
      this.#worker.postMessage("compute");
    });
  }

  /** The first rounds run in code that is not optimised yet. */
  async warm(): Promise<void> {
    for (let i = 0; i < 3; i++) await this.gain();
  }

  close(): Promise<number> {
    return this.#worker.terminate();
  }
}
