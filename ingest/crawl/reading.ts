/** The thread that reads and writes pages, as the main thread sees it. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError } from "../../storage/errors.js";
import { limits } from "./limits.js";
import type { BatchRead, FetchedPage, WorkerSettings } from "./worker.js";

export class Reading {
  readonly #worker: Worker;
  readonly #sizes = new Map<number, number>();
  #pages: FetchedPage[] = [];
  #redirects: [string, string][] = [];
  #bytes = 0;

  constructor(
    settings: WorkerSettings,
    onRead: (batch: BatchRead) => void,
    onFailure: (error: Error) => void,
  ) {
    this.#worker = new Worker(builtFile("ingest/crawl/worker.js"), { workerData: settings });
    this.#worker.on("message", (batch: BatchRead) => {
      for (const { id } of batch.pages) {
        this.#bytes -= this.#sizes.get(id) ?? 0;
        this.#sizes.delete(id);
      }
      onRead(batch);
    });
    // What was thrown there is not what arrives here: of our errors only the words are left.
    this.#worker.on("error", (error) => {
      const isOurs = error.message.startsWith("cannot write") || (error as NodeJS.ErrnoException).code;
      onFailure(isOurs ? new DugongError("cannot_write", error.message) : error);
    });
  }

  /** Pages that are not read yet. */
  get pending(): number {
    return this.#sizes.size;
  }

  get hasRoom(): boolean {
    return this.pending < limits.unreadPagesMax && this.#bytes < limits.unreadBytesMax;
  }

  add(page: FetchedPage): void {
    this.#pages.push(page);
    this.#sizes.set(page.id, page.body.length);
    this.#bytes += page.body.length;
  }

  addRedirect(from: string, to: string): void {
    this.#redirects.push([from, to]);
  }

  /** Hands over what was added. */
  send(isLast = false): void {
    const pages = this.#pages;
    const redirects = this.#redirects;
    if (pages.length === 0 && redirects.length === 0 && !isLast) return;
    this.#pages = [];
    this.#redirects = [];
    const moved = pages.flatMap(({ head, body }) => [head.buffer, body.buffer] as ArrayBuffer[]);
    this.#worker.postMessage({ pages, redirects, isLast }, moved);
  }

  /** Resolves when all is written. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.send(true);
    await ended;
  }

  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }
}
