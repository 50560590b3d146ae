/** Those who compute sketches, or a thesaurus: threads that take one order after the other, or the thread that asks alone. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError, type Snapshot } from "../../storage/index.js";
import { compiledKernels } from "../../storage/kernels/index.js";
import { limits } from "./limits.js";
import type { Answer, Place } from "./orders.js";

export interface Crew<Order, Result> {
  /** Whoever is free takes the next; the results in the order of the orders. */
  run(orders: Order[], onDone: () => void): Promise<Result[]>;
  /** Each of them does it. */
  everywhere(order: Order): Promise<void>;
  close(): Promise<void>;
}

/** One thread: this one. Between two orders others are heard. */
export function aloneCrew<Order, Result>(place: Place<Order, Result>): Crew<Order, Result> {
  return {
    async run(orders, onDone) {
      const results: Result[] = [];
      for (const order of orders) {
        results.push(place.work(order));
        onDone();
        await new Promise((turn) => setImmediate(turn));
      }
      return results;
    },
    everywhere: async (order) => void place.work(order),
    close: async () => {},
  };
}

export class Threads<Order, Result> implements Crew<Order, Result> {
  readonly #threads: Thread<Order, Result>[];

  /** `module`: what a thread runs; `start`: what it is told besides where the corpus is. */
  constructor(
    readonly snapshot: Snapshot,
    count: number,
    module: string,
    start: object,
  ) {
    this.#threads = Array.from({ length: count }, () => new Thread(snapshot, module, start));
  }

  async run(orders: Order[], onDone: () => void): Promise<Result[]> {
    const results: Result[] = new Array(orders.length);
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

  async everywhere(order: Order): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.do(order)));
  }

  async close(): Promise<void> {
    for (const thread of this.#threads) await thread.close();
  }
}

class Thread<Order, Result> {
  readonly #worker: Worker;
  readonly #pool: ReturnType<Snapshot["pool"]["reserve"]>;
  #waiting: { resolve: (result: Result) => void; reject: (error: Error) => void } | undefined;
  #failed: Error | undefined;

  constructor(
    readonly snapshot: Snapshot,
    module: string,
    start: object,
  ) {
    this.#pool = snapshot.pool.reserve();
    const { folder, manifest } = snapshot;
    this.#worker = new Worker(builtFile(module), {
      workerData: { ...start, kernels: compiledKernels(), folder, manifest, pool: this.#pool },
    });
    this.#worker.on("message", (answer: Answer<Result>) => {
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

  do(order: Order): Promise<Result> {
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

export function checkWorkers(workers: number | undefined): void {
  if (workers === undefined || (Number.isInteger(workers) && workers >= 1 && workers <= limits.workersMax))
    return;
  throw new DugongError(
    "bad_workers",
    `sketches cannot be computed by ${workers} threads`,
    `Use 1 to ${limits.workersMax} (limit workersMax).`,
  );
}
