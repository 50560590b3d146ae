/**
 * Strategies over a stream of matches: of those with the same end, one start. Blocks come in order, one match for each
 * begin at most (but for `all` and `traditional`, which keep everything); what is decided goes on.
 */
import type { Strategy } from "../cql/ast.js";

/**
 * Matches in order. Positions count from `base`: the columns take 4 bytes a match, however large the corpus. They are good
 * until the next block is asked for, or the loop is left: their memory is used again. Whoever keeps matches copies them.
 */
export interface Block {
  base: number;
  count: number;
  begins: Uint32Array;
  ends: Uint32Array;
  /** Where a query makes its matches wider: what they were before, by which their labels are found. */
  before?: Pick<Block, "base" | "begins" | "ends">;
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

  #earliest({ base, begins, ends, count }: Block): Block {
    const out = { base, count: 0, begins: new Uint32Array(count), ends: new Uint32Array(count) };
    for (let i = 0; i < count; i++) {
      if (this.#taken.has(base + ends[i])) continue;
      this.#taken.set(base + ends[i], base + begins[i]);
      out.begins[out.count] = begins[i];
      out.ends[out.count++] = ends[i];
    }
    this.#forget(base + begins[count - 1]);
    return out;
  }

  #latest({ base, begins, ends, count }: Block): Block {
    for (let i = 0; i < count; i++) {
      this.#taken.set(base + ends[i], base + begins[i]);
      this.#waiting.push({ begin: base + begins[i], end: base + ends[i] });
    }
    const decided = this.#release(base + begins[count - 1]);
    this.#forget(base + begins[count - 1]);
    return decided;
  }

  /** What begins behind `position` cannot end at or before it any more. */
  #release(position: number): Block {
    let ready = 0;
    while (ready < this.#waiting.length && this.#isDecided(this.#waiting[ready], position)) ready++;
    const kept = this.#waiting.slice(0, ready).filter(({ begin, end }) => this.#taken.get(end) === begin);
    this.#waiting = this.#waiting.slice(ready);
    const base = kept[0]?.begin ?? 0;
    return {
      base,
      count: kept.length,
      begins: Uint32Array.from(kept, ({ begin }) => begin - base),
      ends: Uint32Array.from(kept, ({ end }) => end - base),
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
