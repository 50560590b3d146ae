/** The encoding threads: each task goes to the next one that is free. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../built.js";
import { DugongError } from "../errors.js";
import type { ReadingConfig } from "./config.js";
import type { Answer, Task, TaskResults } from "./worker.js";

interface Waiting {
  task: Task;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Threads {
  readonly #free: Worker[] = [];
  readonly #all: Worker[] = [];
  readonly #queue: Waiting[] = [];
  readonly #running = new Map<Worker, Waiting>();
  #closed = false;

  constructor(
    readonly count: number,
    readonly reading: ReadingConfig,
  ) {}

  /** Runs a task; tasks begin in the order in which they are given. */
  run<Kind extends Task["kind"]>(task: Extract<Task, { kind: Kind }>): Promise<TaskResults[Kind]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve: resolve as (result: unknown) => void, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const worker = this.#free.pop() ?? (this.#all.length < this.count ? this.#start() : undefined);
      if (!worker) return;
      const waiting = this.#queue.shift() as Waiting;
      this.#running.set(worker, waiting);
      worker.postMessage(waiting.task);
    }
  }

  #start(): Worker {
    const worker = new Worker(builtFile("storage/encode/worker.js"), {
      workerData: { reading: this.reading },
    });
    this.#all.push(worker);
    worker.on("message", (answer: Answer) => {
      const waiting = this.#running.get(worker);
      this.#running.delete(worker);
      this.#free.push(worker);
      if ("error" in answer) waiting?.reject(revive(answer.error));
      else waiting?.resolve(answer.result);
      this.#dispatch();
    });
    const lost = (error: Error) => {
      if (this.#closed) return;
      this.#all.splice(this.#all.indexOf(worker), 1);
      this.#running.get(worker)?.reject(error);
      this.#running.delete(worker);
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(new Error(`an encoding thread ended with code ${code}`)));
    return worker;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}

function revive({ code, message, hint, stack }: Extract<Answer, { error: unknown }>["error"]): Error {
  if (code) return new DugongError(code, message, hint);
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
}
