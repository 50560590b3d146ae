/** The threads that work on one query: who does which part, what is ready, and what went wrong. */
import type { Worker } from "node:worker_threads";
import { DugongError } from "../../storage/index.js";
import type { Asked, Forget, PartAnswer, PartTask } from "./worker.js";

/** Parts that may be ready before those in front of them are: what bounds memory. */
const partsAhead = 4;
/** How often a query that waits looks whether it is still wanted. */
const checkpointMs = 20;

export class Crew {
  readonly #ready = new Map<number, PartAnswer>();
  /** Threads that have been told the query, and those that are computing a part of it. */
  readonly #told = new Set<Worker>();
  readonly #busy = new Set<Worker>();
  readonly #leave: (() => void)[] = [];
  #next = 0;
  #wanted = 0;
  #failure: Error | undefined;
  #waiting: (() => void)[] = [];
  #dismissed: Promise<void> | undefined;

  constructor(
    readonly workers: readonly Worker[],
    readonly number: number,
    readonly parts: readonly [from: number, to: number][],
    readonly counting: boolean,
    readonly asked: Asked,
  ) {
    for (const worker of workers) {
      const take = (answer: PartAnswer) => this.#take(worker, answer);
      const fail = (error: Error) => this.#fail(worker, error);
      const gone = () => this.#fail(worker, threadEnded());
      worker.on("message", take).on("error", fail).on("exit", gone);
      this.#leave.push(() => worker.off("message", take).off("error", fail).off("exit", gone));
    }
    for (const worker of workers) this.#give(worker);
  }

  /** The answer to a part. Parts are asked for one after the other. */
  async answer(part: number, checkpoint?: () => void): Promise<PartAnswer> {
    this.#wanted = part;
    for (const worker of this.workers) if (!this.#busy.has(worker)) this.#give(worker);
    for (;;) {
      checkpoint?.();
      if (this.#failure) throw this.#failure;
      const answer = this.#ready.get(part);
      this.#ready.delete(part);
      if (answer) return answer;
      await this.#change(checkpoint && checkpointMs);
    }
  }

  /** Resolves when the threads have nothing to do with the query any more. Whoever waits for an answer gets an error. */
  dismiss(error?: Error): Promise<void> {
    this.#failure ??= error;
    this.#dismissed ??= this.#finish();
    return this.#dismissed;
  }

  async #finish(): Promise<void> {
    Atomics.store(new Int32Array(this.asked.stopped), 0, 1);
    this.#next = this.parts.length;
    this.#wake();
    while (this.#busy.size > 0) await this.#change();
    for (const leave of this.#leave) leave();
    for (const worker of this.#told) worker.postMessage({ forget: this.number } satisfies Forget);
  }

  #change(mostMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = mostMs === undefined ? undefined : setTimeout(resolve, mostMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #give(worker: Worker): void {
    const part = this.#next;
    if (part >= this.parts.length || part >= this.#wanted + partsAhead * this.workers.length) return;
    this.#next++;
    const [from, to] = this.parts[part];
    const task: PartTask = { number: this.number, part, from, to, counting: this.counting };
    if (!this.#told.has(worker)) task.query = this.asked;
    this.#told.add(worker);
    this.#busy.add(worker);
    worker.postMessage(task);
  }

  #take(worker: Worker, answer: PartAnswer): void {
    if (answer.number !== this.number) return;
    this.#busy.delete(worker);
    this.#ready.set(answer.part, answer);
    this.#give(worker);
    this.#wake();
  }

  /** What a thread was computing when it ended nobody will. */
  #fail(worker: Worker, error: Error): void {
    this.#failure ??= error;
    this.#busy.delete(worker);
    this.#next = this.parts.length;
    this.#wake();
  }
}

function threadEnded(): DugongError {
  return new DugongError("thread_ended", "a thread that computed a part of the query has ended");
}
