/**
 * Who computes in a thread: one job at a time. A job that has had its slice lets the next one pass, and those of other
 * connections go first: a connection with a thousand jobs gets no more turns than one with a single job.
 *
 * Between two turns the thread reads its messages.
 */

/** Anything that takes turns. */
export interface Passer {
  readonly connection: number;
  /** Told when its turn begins and ends. */
  began(now: number): void;
  paused(now: number): void;
}

interface Waiting {
  passer: Passer;
  pass: () => void;
}

export class Turnstile {
  current: Passer | undefined;
  #since = 0;
  /** By connection, in the order in which they come next. */
  readonly #waiting = new Map<number, Waiting[]>();
  #calling = false;

  constructor(
    readonly sliceMs: number,
    /** Called before the thread waits for messages. */
    readonly idle: () => void = () => {},
    /** Called before the next turn begins. */
    readonly between: () => void = () => {},
  ) {}

  get isCrowded(): boolean {
    return this.#waiting.size > 0;
  }

  /** Resolves when it is this one's turn. */
  enter(passer: Passer): Promise<void> | void {
    if (!this.current && !this.#calling && this.#waiting.size === 0) {
      this.#begin(passer);
      return;
    }
    return new Promise((pass) => {
      const others = this.#waiting.get(passer.connection);
      if (others) others.push({ passer, pass });
      else this.#waiting.set(passer.connection, [{ passer, pass }]);
      if (!this.current) this.#callNext();
    });
  }

  /** Lets others pass if its slice is over. */
  turn(passer: Passer): Promise<void> | void {
    if (performance.now() - this.#since < this.sliceMs) return;
    this.leave(passer);
    return this.enter(passer);
  }

  /** It computes nothing more. What of it still waits may pass at once: nobody would let the next one in behind it. */
  end(passer: Passer): void {
    const others = this.#waiting.get(passer.connection);
    const own = others?.filter((one) => one.passer === passer) ?? [];
    if (own.length > 0) {
      const left = others!.filter((one) => one.passer !== passer);
      if (left.length > 0) this.#waiting.set(passer.connection, left);
      else this.#waiting.delete(passer.connection);
      for (const { pass } of own) pass();
    }
    this.leave(passer);
  }

  leave(passer: Passer): void {
    if (this.current !== passer) return;
    this.current = undefined;
    passer.paused(performance.now());
    this.#callNext();
  }

  #begin(passer: Passer): void {
    this.current = passer;
    this.#since = performance.now();
    passer.began(this.#since);
  }

  #callNext(): void {
    if (this.#calling) return;
    this.#calling = true;
    setImmediate(() => {
      this.#calling = false;
      if (this.current) return;
      const next = this.#waiting.entries().next();
      if (next.done) {
        this.idle();
        return;
      }
      this.between();
      const [connection, [first, ...rest]] = next.value;
      // Behind the other connections, if it has more.
      this.#waiting.delete(connection);
      if (rest.length > 0) this.#waiting.set(connection, rest);
      this.#begin(first.passer);
      first.pass();
    });
  }
}
