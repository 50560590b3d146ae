/** Those who compute sketches: threads that take one order after the other, or the thread that asks alone. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError, type Snapshot } from "../../storage/index.js";
import { compiledKernels } from "../../storage/kernels/index.js";
import type { SketchAnswer, SketchWorkerStart } from "./worker.js";
import type { WorkOrder, Workplace, WorkResult } from "./workplace.js";

export interface Crew {
  /** Whoever is free takes the next; the results in the order of the orders. */
  run(orders: WorkOrder[], onDone: () => void): Promise<WorkResult[]>;
  /** Each of them does it. */
  everywhere(order: WorkOrder): Promise<void>;
  close(): Promise<void>;
}

/** One thread: this one. Between two orders others are heard. */
export function aloneCrew(workplace: Workplace): Crew {
  return {
    async run(orders, onDone) {
      const results: WorkResult[] = [];
      for (const order of orders) {
        results.push(workplace.work(order));
        onDone();
        await new Promise((turn) => setImmediate(turn));
      }
      return results;
    },
    everywhere: async (order) => void workplace.work(order),
    close: async () => {},
  };
}

export class Threads implements Crew {
  readonly #threads: Thread[];

  constructor(
    readonly snapshot: Snapshot,
    count: number,
    start: Omit<SketchWorkerStart, "kernels" | "pool" | "folder" | "manifest">,
  ) {
    const { folder, manifest } = snapshot;
    this.#threads = Array.from(
      { length: count },
      () => new Thread(snapshot, { ...start, kernels: compiledKernels(), folder, manifest }),
    );
  }

  async run(orders: WorkOrder[], onDone: () => void): Promise<WorkResult[]> {
    const results: WorkResult[] = new Array(orders.length);
    let next = 0;
    await Promise.all(
      this.#threads.map(async (thread) => {
        while (next < orders.length) {
          const own = next++;
          try {
            results[own] = await thread.do(orders[own]);
          } catch (error) {
            next = orders.length;
            throw error;
          }
          onDone();
        }
      }),
    );
    return results;
  }

  async everywhere(order: WorkOrder): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.do(order)));
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) await thread.close();
  }
}

class Thread {
  readonly #worker: Worker;
  readonly #pool: ReturnType<Snapshot["pool"]["reserve"]>;
  #waiting: { resolve: (result: WorkResult) => void; reject: (error: Error) => void } | undefined;
  #failed: Error | undefined;

  constructor(
    readonly snapshot: Snapshot,
    start: Omit<SketchWorkerStart, "pool">,
  ) {
    this.#pool = snapshot.pool.reserve();
    this.#worker = new Worker(builtFile("ql/sketch/worker.js"), {
      workerData: { ...start, pool: this.#pool },
    });
    this.#worker.on("message", (answer: SketchAnswer) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (!("error" in answer)) return waiting?.resolve(answer.result);
      const { code, message, hint } = answer.error;
      waiting?.reject(code ? new DugongError(code, message, hint) : new Error(message));
    });
    const fail = (error: Error) => {
      this.#failed ??= error;
      this.#waiting?.reject(error);
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", (code) =>
      fail(new Error(`a thread that computes sketches ended with code ${code}`)),
    );
  }

  do(order: WorkOrder): Promise<WorkResult> {
    return new Promise((resolve, reject) => {
      if (this.#failed) return reject(this.#failed);
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(order);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
    this.snapshot.pool.giveBack(this.#pool);
  }
}
