/**
 * Numbers for pairs of numbers: (a, b) → 1, 2, 3 … in the order in which pairs turn up. Rows of several columns are
 * numbered by pairing the number of what is to the left with the next column. No string or object for a row.
 */
import { pieces } from "../pace.js";

export class PairTable {
  #slots: Uint32Array;
  #mask: number;
  #left = new Uint32Array(1024);
  #right = new Uint32Array(1024);
  /** How many pairs there are; their numbers are 1 … size. */
  size = 0;

  constructor(readonly checkpoint: () => void = () => {}) {
    this.#slots = new Uint32Array(2048);
    this.#mask = 2047;
  }

  /** The number of a pair, a new one if need be. */
  number(a: number, b: number): number {
    let slot = hash(a, b) & this.#mask;
    for (;;) {
      const number = this.#slots[slot];
      if (number === 0) break;
      if (this.#left[number - 1] === a && this.#right[number - 1] === b) return number;
      slot = (slot + 1) & this.#mask;
    }
    if (this.size === this.#left.length) {
      this.#grow();
      return this.number(a, b);
    }
    this.#left[this.size] = a;
    this.#right[this.size] = b;
    this.#slots[slot] = ++this.size;
    return this.size;
  }

  /** The number of a pair that has one, or 0. */
  find(a: number, b: number): number {
    let slot = hash(a, b) & this.#mask;
    for (;;) {
      const number = this.#slots[slot];
      if (number === 0 || (this.#left[number - 1] === a && this.#right[number - 1] === b)) return number;
      slot = (slot + 1) & this.#mask;
    }
  }

  left(number: number): number {
    return this.#left[number - 1];
  }

  right(number: number): number {
    return this.#right[number - 1];
  }

  get bytes(): number {
    return this.#slots.byteLength + this.#left.byteLength + this.#right.byteLength;
  }

  #grow(): void {
    const capacity = this.#left.length * 2;
    const [left, right] = [new Uint32Array(capacity), new Uint32Array(capacity)];
    left.set(this.#left);
    right.set(this.#right);
    const slots = new Uint32Array(capacity * 2);
    const mask = capacity * 2 - 1;
    // Ended on the way, it is as if nothing had grown.
    for (const [from, to] of pieces(this.size, this.checkpoint)) {
      for (let n = from; n < to; n++) {
        let slot = hash(left[n], right[n]) & mask;
        while (slots[slot] !== 0) slot = (slot + 1) & mask;
        slots[slot] = n + 1;
      }
    }
    this.#left = left;
    this.#right = right;
    this.#slots = slots;
    this.#mask = mask;
  }
}

function hash(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return (h ^ (h >>> 13)) >>> 0;
}
