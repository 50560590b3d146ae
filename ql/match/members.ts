/**
 * Which ids of an attribute pass a test that asks for some of them. Few are looked for among those asked for; from as many on as
 * pay for it, in a table of the whole lexicon.
 */
import type { Atom } from "../plan/tests.js";

/** A table costs as much as looking for the ids of so large a part of the lexicon. */
const tableShare = 1 / 16;

export class Members {
  readonly #ids: Uint32Array;
  readonly #size: number;
  /** What is said of those asked for, and of all others: 1 if they pass. */
  readonly #among: number;
  readonly #others: number;
  #table: Uint8Array | undefined;
  #looked = 0;

  constructor({ attribute, ids }: Extract<Atom, { kind: "ids" }>, whenTrue: boolean, whenFalse: boolean) {
    this.#ids = ids.ids;
    this.#size = attribute.lexicon.size;
    this.#among = (ids.negated ? whenFalse : whenTrue) ? 1 : 0;
    this.#others = (ids.negated ? whenTrue : whenFalse) ? 1 : 0;
  }

  /** For each id of the lexicon a 1 if it passes. */
  get table(): Uint8Array {
    if (!this.#table) {
      this.#table = new Uint8Array(this.#size);
      if (this.#others === 1) this.#table.fill(1);
      for (let i = 0; i < this.#ids.length; i++) this.#table[this.#ids[i]] = this.#among;
    }
    return this.#table;
  }

  /**
   * Of starts [from, from + count), those whose id passes, moved behind the first `kept` of them. Returns how many are in front then.
   */
  keep(ids: Uint32Array, starts: Uint32Array, from: number, count: number, kept: number): number {
    if (this.#ids.length === 1) return this.#keepOne(ids, starts, from, count, kept);
    this.#looked += count;
    const byTable = this.#table !== undefined || this.#looked > this.#size * tableShare;
    const table = byTable ? this.table : undefined;
    for (let i = 0; i < count; i++) {
      starts[kept] = starts[from + i];
      kept += table ? table[ids[i]] : this.#passes(ids[i]);
    }
    return kept;
  }

  #keepOne(ids: Uint32Array, starts: Uint32Array, from: number, count: number, kept: number): number {
    const id = this.#ids[0];
    const flip = this.#among === this.#others ? 0 : 1;
    const others = this.#others;
    for (let i = 0; i < count; i++) {
      starts[kept] = starts[from + i];
      // No branch to guess.
      kept += others ^ (ids[i] === id ? flip : 0);
    }
    return kept;
  }

  #passes(id: number): number {
    const ids = this.#ids;
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return low < ids.length && ids[low] === id ? this.#among : this.#others;
  }
}
