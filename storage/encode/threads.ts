/**
 * Those who encode: the calling thread and, if more than one is asked for, threads beside it. A task goes to one that is
 * free; one that waits for the disk is. A thread gets its next task while it is still at the last, as the calling thread,
 * being at work itself, may not hear at once that it is free; and takes it back if it has nothing else to do, as long as
 * it is not begun.
 *
 * One worker is the calling thread alone: who asks for one gets one core's work and no more, and a small corpus need not
 * wait for a thread to start.
 */
import { Worker } from "node:worker_threads";
import { builtFile } from "../built.js";
import { DugongError } from "../errors.js";
import { compiledKernels } from "../kernels/index.js";
import type { ReadingConfig } from "./config.js";
import { isExclusive, type Task, type TaskResults, Workplace } from "./tasks.js";
import type { Answer, Given } from "./worker.js";

interface Waiting {
  task: Task;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  /** Tasks it was given and has not computed yet. */
  load: number;
  /** The last one it was given: its id, and a word that is 1 when somebody has begun with it. */
  last?: { id: number; begun: Int32Array };
  /** Tasks it was given, by their ids, until it has answered. */
  running: Map<number, Waiting>;
}

/** Tasks that a thread may have at a time: one that it computes, and the next. */
const loadMax = 2;

export class Threads {
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  #lastId = 0;
  #closing: Promise<unknown> | undefined;
  /** Where the calling thread works, and what it will do next. */
  #workplace: Workplace | undefined;
  #own: Waiting | undefined;
  #isAtWork = false;

  constructor(
    readonly count: number,
    readonly reading: ReadingConfig,
  ) {}

  /** So many tasks will come at least: threads for them start meanwhile, which takes each some 20 ms. */
  expect(tasks: number): void {
    while (this.#threads.length < Math.min(this.count, tasks) - 1) this.#threads.push(this.#start());
  }

  /** Runs a task; tasks begin in the order in which they are given. */
  run<Kind extends Task["kind"]>(task: Extract<Task, { kind: Kind }>): Promise<TaskResults[Kind]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve: resolve as (result: unknown) => void, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    this.#own ??= this.#queue.shift() ?? this.#takeBack();
    if (this.#own && !this.#isAtWork) {
      this.#isAtWork = true;
      // One task a turn of the event loop: between them, what the tasks before have written gets to the disk.
      setImmediate(() => this.#work());
    }
    for (let load = 1; load <= loadMax; load++) this.#feed(load);
  }

  /** Gives tasks to threads that have fewer than so many. */
  #feed(load: number): void {
    for (let at = 0; at < this.count - 1 && this.#queue.length > 0; at++) {
      this.#threads[at] ??= this.#start();
      while (this.#threads[at].load < load && this.#queue.length > 0) {
        this.#give(this.#threads[at], this.#queue.shift() as Waiting);
      }
    }
  }

  #give(thread: Thread, waiting: Waiting): void {
    const id = ++this.#lastId;
    const begun = new Int32Array(new SharedArrayBuffer(4));
    thread.load++;
    thread.last = { id, begun };
    thread.running.set(id, waiting);
    thread.worker.postMessage({ id, task: waiting.task, begun } satisfies Given);
  }

  /** A task that a thread has not begun, as it is still at another. */
  #takeBack(): Waiting | undefined {
    for (const { last, running, ...thread } of this.#threads) {
      if (!last || thread.load < 2 || Atomics.compareExchange(last.begun, 0, 0, 1) !== 0) continue;
      const waiting = running.get(last.id);
      running.delete(last.id);
      return waiting;
    }
    return undefined;
  }

  async #work(): Promise<void> {
    const { task, resolve, reject } = this.#own as Waiting;
    if (this.#closing) return;
    const free = () => {
      this.#own = undefined;
      this.#isAtWork = false;
      this.#dispatch();
    };
    try {
      this.#workplace ??= new Workplace(this.reading);
      const pending = this.#workplace.run(task);
      if (!isExclusive(task)) free();
      resolve(await pending);
    } catch (error) {
      reject(error as Error);
    }
    if (isExclusive(task)) free();
  }

  #start(): Thread {
    const worker = new Worker(builtFile("storage/encode/worker.js"), {
      workerData: { reading: this.reading, kernels: compiledKernels() },
    });
    const thread: Thread = { worker, load: 0, running: new Map() };
    const { running } = thread;
    worker.on("message", (answer: Answer) => {
      if ("free" in answer) {
        thread.load--;
        this.#dispatch();
        return;
      }
      const waiting = running.get(answer.id);
      running.delete(answer.id);
      if ("error" in answer) waiting?.reject(revive(answer.error));
      else waiting?.resolve(answer.result);
    });
    const lost = (error: Error) => {
      if (this.#closing) return;
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      for (const waiting of running.values()) waiting.reject(error);
      running.clear();
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(new Error(`an encoding thread ended with code ${code}`)));
    return thread;
  }

  /** Ends the threads; no task is begun any more. */
  close(): Promise<unknown> {
    this.#closing ??= Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
    return this.#closing;
  }
}

function revive({ code, message, hint, stack }: Extract<Answer, { error: unknown }>["error"]): Error {
  if (code) return new DugongError(code, message, hint);
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
}
