/**
 * The cores of a server, as its threads share them: so many threads may compute at a time. Each thread of the heavy lane
 * is one of them while it has something to do; what is left may help with a query.
 *
 *   word 0       threads of the heavy lane that have something to do; the main thread writes it
 *   word 1       threads that help
 *   word 2 + i   of these, those that the heavy thread of number i has: when it dies, the main thread gives them back
 *
 * A query takes its helpers when it has run for a while, and keeps them to its end: if others come meanwhile, there are for a while
 * more threads than cores, never more than twice as many.
 */
const BUSY = 0;
const HELPING = 1;
const OF_THREADS = 2;

export class Cores {
  readonly #words: Int32Array;

  constructor(
    /** Threads that may compute at a time. */
    readonly threads: number,
    readonly shared = new SharedArrayBuffer(4 * (OF_THREADS + threads)),
    /** Whose these are that are taken and given: the number of a heavy thread. */
    readonly owner = 0,
  ) {
    this.#words = new Int32Array(shared);
  }

  /** So many threads of the heavy lane have something to do. */
  set busy(threads: number) {
    Atomics.store(this.#words, BUSY, threads);
  }

  get helping(): number {
    return Atomics.load(this.#words, HELPING);
  }

  /** Takes all that are free; says how many these were. */
  take(): number {
    for (;;) {
      const { helping } = this;
      const free = this.threads - Atomics.load(this.#words, BUSY) - helping;
      if (free <= 0) return 0;
      if (Atomics.compareExchange(this.#words, HELPING, helping, helping + free) === helping) {
        Atomics.add(this.#words, OF_THREADS + this.owner, free);
        return free;
      }
    }
  }

  /** Takes so many, whether they are free or not: they go on where they were. */
  retake(count: number): void {
    Atomics.add(this.#words, HELPING, count);
    Atomics.add(this.#words, OF_THREADS + this.owner, count);
  }

  give(count: number): void {
    Atomics.sub(this.#words, HELPING, count);
    Atomics.sub(this.#words, OF_THREADS + this.owner, count);
  }

  /** A heavy thread has ended: those that helped it have ended with it. */
  giveAllOf(owner: number): void {
    Atomics.sub(this.#words, HELPING, Atomics.exchange(this.#words, OF_THREADS + owner, 0));
  }
}
