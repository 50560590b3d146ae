/** Threads, or none: with 0 the same tasks are done here. Results come in the order of the tasks. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError } from "../../storage/errors.js";
import { Performer, type Results, type Setup, type Task } from "./performer.js";
import type { Answer } from "./worker.js";

interface Waiting {
  task: Task;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  doing?: Waiting;
}

export class Threads {
  readonly #threads: Thread[] = [];
  readonly #free: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #here: Performer | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(
    readonly count: number,
    setup: Setup,
  ) {
    if (count === 0) this.#here = new Performer(setup);
    for (let i = 0; i < count; i++) {
      const thread: Thread = {
        worker: new Worker(builtFile("ingest/dedup/worker.js"), { workerData: setup }),
      };
      thread.worker.on("message", ({ result, error }: Answer) => {
        const { doing } = thread;
        thread.doing = undefined;
        this.#release(thread);
        if (error) doing?.reject(revived(error));
        else doing?.resolve(result);
      });
      thread.worker.on("error", (error) => this.#lost(error as Error));
      thread.worker.on("exit", (code) => this.#lost(new Error(`a thread ended with code ${code}`)));
      this.#threads.push(thread);
      this.#free.push(thread);
    }
  }

  run<Kind extends Task["kind"]>(task: Extract<Task, { kind: Kind }>): Promise<Results[Kind]> {
    if (this.#here) return Promise.resolve(this.#here.perform(task) as Results[Kind]);
    return this.#done(task) as Promise<Results[Kind]>;
  }

  #done(task: Task, on = this.#free.pop()): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const waiting = { task, resolve, reject };
      if (on) this.#begin(on, waiting);
      else this.#queue.push(waiting);
    });
  }

  /** Has every thread do something, when nothing else is under way. */
  async each(task: Task): Promise<void> {
    if (this.#here) this.#here.perform(task);
    this.#free.length = 0;
    await Promise.all(this.#threads.map((thread) => this.#done(task, thread)));
  }

  /** Runs a task for each item, some at a time; yields results in the order of the items. */
  async *inOrder<Item, Kind extends Task["kind"]>(
    items: AsyncIterable<Item>,
    taskOf: (item: Item) => Extract<Task, { kind: Kind }>,
  ): AsyncGenerator<[Item, Results[Kind]]> {
    const pending: [Item, Promise<Results[Kind]>][] = [];
    for await (const item of items) {
      const result = this.run<Kind>(taskOf(item));
      result.catch(() => {});
      pending.push([item, result]);
      if (pending.length < 2 * this.count + 1) continue;
      const [first, done] = pending.shift()!;
      yield [first, await done];
    }
    for (const [item, result] of pending) yield [item, await result];
  }

  #begin(thread: Thread, waiting: Waiting): void {
    const { task } = waiting;
    thread.doing = waiting;
    thread.worker.postMessage(task, "bytes" in task ? [task.bytes.buffer as ArrayBuffer] : []);
  }

  #release(thread: Thread): void {
    const next = this.#queue.shift();
    if (next) this.#begin(thread, next);
    else this.#free.push(thread);
  }

  #lost(error: Error): void {
    if (this.#isClosed) return;
    this.#failure ??= error;
    for (const { doing } of this.#threads) doing?.reject(error);
    for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}

function revived({ code, message, hint, stack }: NonNullable<Answer["error"]>): Error {
  if (code) return new DugongError(code, message, hint);
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
}
