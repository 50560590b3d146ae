/** The threads that clean: batches go out in order and come back in order, a few of them under way for each thread. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import type { Page } from "../stream/page.js";
import { type BatchResult, cleanBatch } from "./batch.js";
import type { Cleaning } from "./page.js";

interface Thread {
  worker: Worker;
  /** Batches that it has been given, in order. */
  waiting: { resolve(result: BatchResult): void; reject(error: Error): void }[];
}

export class CleaningThreads {
  readonly #threads: Thread[] = [];
  #isClosed = false;

  /** With one thread, the caller's own does it. */
  constructor(
    readonly count: number,
    readonly cleaning: Cleaning,
  ) {}

  clean(pages: readonly Page[]): Promise<BatchResult> {
    if (this.count === 1) return Promise.resolve(cleanBatch(pages, this.cleaning));
    const thread = this.#leastBusy();
    return new Promise((resolve, reject) => {
      thread.waiting.push({ resolve, reject });
      // A body may be a small part of a large buffer, all of which would go along. (The slice of a Buffer is no copy.)
      const own = pages.map((page) => ({ ...page, body: new Uint8Array(page.body) }));
      thread.worker.postMessage(
        own,
        own.map(({ body }) => body.buffer as ArrayBuffer),
      );
    });
  }

  #leastBusy(): Thread {
    const free = this.#threads.find(({ waiting }) => waiting.length === 0);
    if (free) return free;
    if (this.#threads.length < this.count) return this.#start();
    return this.#threads.reduce((least, one) => (one.waiting.length < least.waiting.length ? one : least));
  }

  #start(): Thread {
    const worker = new Worker(builtFile("ingest/clean/worker.js"), { workerData: this.cleaning });
    const thread: Thread = { worker, waiting: [] };
    worker.on("message", (result: BatchResult) => thread.waiting.shift()?.resolve(result));
    const lost = (error: Error) => {
      if (this.#isClosed) return;
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      for (const { reject } of thread.waiting.splice(0)) reject(error);
    };
    worker.on("error", lost);
    worker.on("exit", (code) => lost(new Error(`a cleaning thread ended with code ${code}`)));
    this.#threads.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}
