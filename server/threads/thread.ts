/** A thread that computes, as the main thread sees it. */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import type { Pool, PoolHandle } from "../../storage/index.js";
import { compiledKernels } from "../../storage/kernels/index.js";
import type { OpenCorpus } from "../corpora.js";
import type { Asked } from "../requests.js";
import type { Lane, Said, ThreadStart, Told } from "./messages.js";
import { Workplace } from "./workplace.js";

export interface ThreadEvents {
  said(thread: Thread, said: Said): void;
  ended(thread: Thread, error: Error | undefined): void;
}

/** What every thread of a server is told when it starts. */
export type Start = Omit<ThreadStart, "lane" | "kernels" | "pool">;

export abstract class Thread {
  /** What it works on, by number. */
  readonly jobs = new Map<number, Asked>();
  /** Those that are not standing still. */
  active = 0;
  readonly #told = new Set<string>();

  constructor(
    readonly lane: Lane,
    /** Among those of its lane; one that takes another's place has its number. */
    readonly number: number,
  ) {}

  abstract tell(told: Told): void;

  /** Not in the middle of a read, which would leave the pool locked: only when it has nothing to do. */
  abstract end(): Promise<void>;

  /** Before a job that reads it. */
  open({ citation, folder, manifest }: OpenCorpus): void {
    if (this.#told.has(citation)) return;
    this.#told.add(citation);
    this.tell({ kind: "open", citation, folder, manifest });
  }

  close(citation: string): void {
    if (this.#told.delete(citation)) this.tell({ kind: "close", citation });
  }
}

/** A thread of its own, started when it is first told something. */
export class WorkerThread extends Thread {
  #worker: Worker | undefined;
  #exited: Promise<void> | undefined;

  constructor(
    lane: Lane,
    readonly start: Start,
    readonly pool: Pool,
    readonly events: ThreadEvents,
  ) {
    super(lane, start.cores.owner);
  }

  /** Now: the first request need not wait for it. */
  begin(): Worker {
    if (this.#worker) return this.#worker;
    const { lane, start, pool, events } = this;
    const place: PoolHandle = pool.reserve();
    const workerData: ThreadStart = { ...start, lane, kernels: compiledKernels(), pool: place };
    const worker = new Worker(builtFile("server/threads/worker.js"), { workerData });
    this.#worker = worker;
    let failure: Error | undefined;
    worker.on("message", (batch: Said[]) => {
      for (const said of batch) events.said(this, said);
    });
    worker.on("error", (error) => {
      failure = error as Error;
    });
    this.#exited = new Promise((resolve) => {
      worker.on("exit", () => {
        pool.giveBack(place);
        events.ended(this, failure);
        resolve();
      });
    });
    return worker;
  }

  tell(told: Told): void {
    this.begin().postMessage(told);
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    await this.#exited;
  }
}

/** The thread that the server is in: for one client that has nothing else to do, as the command line. Nothing is started. */
export class OwnThread extends Thread {
  readonly #workplace: Workplace;

  constructor(lane: Lane, start: Start, pool: Pool, events: ThreadEvents) {
    super(lane, start.cores.owner);
    this.#workplace = new Workplace({ ...start, lane }, pool, (said) => events.said(this, said));
  }

  tell(told: Told): void {
    this.#workplace.receive(told);
  }

  end(): Promise<void> {
    return this.#workplace.close();
  }
}
