/**
 * Strategies over a stream of matches: of those with the same end, one start. Blocks come in order, one match for each
 * begin at most (but for `all` and `traditional`, which keep everything); what is decided goes on.
 */
import type { Strategy } from "../cql/ast.js";

/** Matches in order, as global positions. */
export interface Block {
  count: number;
  begins: Float64Array;
  ends: Float64Array;
}

export class StartChooser {
  /** Ends that have a match already, and where it began. */
  readonly #taken = new Map<number, number>();
  /** For `shortest`: matches that a later start may still replace, in order of their begins. */
  #waiting: { begin: number; end: number }[] = [];

  constructor(readonly strategy: Strategy) {}

  get choosing(): boolean {
    return this.strategy === "standard" || this.strategy === "longest" || this.strategy === "shortest";
  }

  /** Takes the next block; returns what is decided by it. The last one has to be followed by `finish`. */
  push(block: Block): Block {
    if (!this.choosing || block.count === 0) return block;
    return this.strategy === "shortest" ? this.#latest(block) : this.#earliest(block);
  }

  #earliest({ begins, ends, count }: Block): Block {
    const out = { count: 0, begins: new Float64Array(count), ends: new Float64Array(count) };
    for (let i = 0; i < count; i++) {
      if (this.#taken.has(ends[i])) continue;
      this.#taken.set(ends[i], begins[i]);
      out.begins[out.count] = begins[i];
      out.ends[out.count++] = ends[i];
    }
    this.#forget(begins[count - 1]);
    return out;
  }

  #latest({ begins, ends, count }: Block): Block {
    for (let i = 0; i < count; i++) {
      this.#taken.set(ends[i], begins[i]);
      this.#waiting.push({ begin: begins[i], end: ends[i] });
    }
    const decided = this.#release(begins[count - 1]);
    this.#forget(begins[count - 1]);
    return decided;
  }

  /** What begins behind `position` cannot end at or before it any more. */
  #release(position: number): Block {
    let ready = 0;
    while (ready < this.#waiting.length && this.#isDecided(this.#waiting[ready], position)) ready++;
    const kept = this.#waiting.slice(0, ready).filter(({ begin, end }) => this.#taken.get(end) === begin);
    this.#waiting = this.#waiting.slice(ready);
    return {
      count: kept.length,
      begins: Float64Array.from(kept, ({ begin }) => begin),
      ends: Float64Array.from(kept, ({ end }) => end),
    };
  }

  #isDecided({ begin, end }: { begin: number; end: number }, position: number): boolean {
    return end <= position || this.#taken.get(end) !== begin;
  }

  #forget(position: number): void {
    const first = this.#waiting[0]?.begin ?? Number.POSITIVE_INFINITY;
    for (const end of this.#taken.keys()) if (end <= position && end <= first) this.#taken.delete(end);
  }

  finish(): Block {
    return this.#release(Number.POSITIVE_INFINITY);
  }
}
