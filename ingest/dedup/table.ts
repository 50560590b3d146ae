/**
 * A set of hashes in one array: open addressing, two lanes a slot, (0, 0) for an empty one. Threads share it while nobody
 * adds to it.
 */
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";

/** Slots for each hash. */
const room = 2;

export class HashTable {
  readonly lanes: Uint32Array;
  readonly capacity: number;

  /** Room for so many hashes; or, of a table that another thread has made, its array. */
  constructor(of: number | Uint32Array) {
    if (typeof of === "number") {
      if (of > limits.repeatedHashesMax) {
        throw new DugongError(
          "too_many_repeats",
          `${of} n-grams occur more than once: more than the ${limits.repeatedHashesMax} that are held in memory`,
          "De-duplicate the parts of the input for themselves first, or with a larger --ngram.",
        );
      }
      this.capacity = Math.max(16, Math.ceil(of * room));
      this.lanes = new Uint32Array(new SharedArrayBuffer(8 * this.capacity));
    } else {
      this.lanes = of;
      this.capacity = of.length / 2;
    }
  }

  /** The slot of a hash; -1 if it is not here. */
  find(low: number, high: number): number {
    const { lanes, capacity } = this;
    let slot = Math.floor((low / 0x1_0000_0000) * capacity);
    for (;;) {
      const at = 2 * slot;
      if (lanes[at] === low && lanes[at + 1] === high) return slot;
      if (lanes[at] === 0 && lanes[at + 1] === 0) return -1;
      if (++slot === capacity) slot = 0;
    }
  }

  /** Adds a hash. Returns its slot; if it was there already, -1 - slot. */
  add(low: number, high: number): number {
    const { lanes, capacity } = this;
    let slot = Math.floor((low / 0x1_0000_0000) * capacity);
    for (;;) {
      const at = 2 * slot;
      if (lanes[at] === low && lanes[at + 1] === high) return -1 - slot;
      if (lanes[at] === 0 && lanes[at + 1] === 0) {
        lanes[at] = low;
        lanes[at + 1] = high;
        return slot;
      }
      if (++slot === capacity) slot = 0;
    }
  }
}
