/** Requests that wait for a thread: connections take turns, whatever each of them has asked. */
import type { Asked } from "./requests.js";

export class FairQueue {
  /** By connection, in the order in which they come next. */
  readonly #waiting = new Map<number, Asked[]>();
  size = 0;

  push(asked: Asked): void {
    const own = this.#waiting.get(asked.connection.number);
    if (own) own.push(asked);
    else this.#waiting.set(asked.connection.number, [asked]);
    this.size++;
  }

  /** The next one, of a connection that takes what it is sent. */
  take(): Asked | undefined {
    for (const [connection, own] of this.#waiting) {
      if (own[0].connection.isFull) continue;
      this.#waiting.delete(connection);
      const asked = own.shift()!;
      if (own.length > 0) this.#waiting.set(connection, own);
      this.size--;
      return asked;
    }
    return undefined;
  }

  remove(asked: Asked): boolean {
    const own = this.#waiting.get(asked.connection.number);
    const at = own?.indexOf(asked) ?? -1;
    if (at < 0) return false;
    own!.splice(at, 1);
    if (own!.length === 0) this.#waiting.delete(asked.connection.number);
    this.size--;
    return true;
  }

  *[Symbol.iterator](): Generator<Asked> {
    for (const own of this.#waiting.values()) yield* own;
  }
}
