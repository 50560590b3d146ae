/** The encoding threads: each task goes to the next one that is free; one that waits for the disk is. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../built.js";
import { DugongError } from "../errors.js";
import { compiledKernels } from "../kernels/index.js";
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
  /** Tasks that a thread has begun, by their ids. */
  readonly #running = new Map<Worker, Map<number, Waiting>>();
  #lastId = 0;
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
      const id = ++this.#lastId;
      this.#running.get(worker)?.set(id, waiting);
      worker.postMessage({ id, task: waiting.task });
    }
  }

  #start(): Worker {
    const worker = new Worker(builtFile("storage/encode/worker.js"), {
      workerData: { reading: this.reading, kernels: compiledKernels() },
    });
    const running = new Map<number, Waiting>();
    this.#all.push(worker);
    this.#running.set(worker, running);
    worker.on("message", (answer: Answer) => {
      if ("free" in answer) {
        this.#free.push(worker);
        this.#dispatch();
        return;
      }
      const waiting = running.get(answer.id);
      running.delete(answer.id);
      if ("error" in answer) waiting?.reject(revive(answer.error));
      else waiting?.resolve(answer.result);
    });
    const lost = (error: Error) => {
      if (this.#closed) return;
      this.#all.splice(this.#all.indexOf(worker), 1);
      for (const waiting of running.values()) waiting.reject(error);
      running.clear();
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
