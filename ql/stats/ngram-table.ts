/**
 * N-grams of one length, each with a count: rows of numbers that are found by their hash.
 *
 *   row   = count documents? seen? word*        side by side, as they are needed together
 *   slots = row numbers plus 1, by hash; at most half of them are taken
 */
import { DugongError } from "../../storage/index.js";
import { pieces, zeros } from "../pace.js";

export class NgramTable {
  size = 0;
  rows: Uint32Array;
  /** Numbers of a row, and those before its words. */
  readonly stride: number;
  readonly head: number;
  #slots: Uint32Array;
  #capacity: number;

  constructor(
    /** Words of each n-gram. */
    readonly length: number,
    /** More rows than this are refused; a power of two. */
    readonly rowsMax: number,
    readonly withDocuments = false,
    readonly checkpoint: () => void = () => {},
  ) {
    this.head = withDocuments ? 3 : 1;
    this.stride = this.head + length;
    this.#capacity = Math.min(1024, rowsMax);
    this.rows = new Uint32Array(this.#capacity * this.stride);
    this.#slots = new Uint32Array(this.#capacity * 2);
  }

  /** What a row takes of memory, with its slots. */
  static rowBytes(length: number, withDocuments: boolean): number {
    return ((withDocuments ? 3 : 1) + length) * 4 + 8;
  }

  /** The row of the n-gram at words[at] …, or −1. */
  find(words: Uint32Array, at: number, hash: number): number {
    const mask = this.#capacity * 2 - 1;
    const { length, rows, stride, head } = this;
    const slots = this.#slots;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot] - 1;
      if (row < 0) return -1;
      const from = row * stride + head;
      let i = 0;
      while (i < length && rows[from + i] === words[at + i]) i++;
      if (i === length) return row;
    }
  }

  /** The same; a new row if there is none, and −1 if there is no room for it. */
  row(words: Uint32Array, at: number, hash: number): number {
    const found = this.find(words, at, hash);
    if (found >= 0) return found;
    if (this.size === this.#capacity && !this.#grow()) return -1;
    const row = this.size++;
    const from = this.wordsAt(row);
    for (let i = 0; i < this.length; i++) this.rows[from + i] = words[at + i];
    place(this.#slots, row, hash);
    return row;
  }

  /** Where the words of a row begin in `rows`. */
  wordsAt(row: number): number {
    return row * this.stride + this.head;
  }

  count(row: number): number {
    return this.rows[row * this.stride];
  }

  setCount(row: number, count: number): void {
    this.rows[row * this.stride] = count;
  }

  documents(row: number): number {
    return this.withDocuments ? this.rows[row * this.stride + 1] : 0;
  }

  setDocuments(row: number, documents: number): void {
    if (this.withDocuments) this.rows[row * this.stride + 1] = documents;
  }

  /** One more occurrence. */
  add(row: number): void {
    if (++this.rows[row * this.stride] === 0)
      throw new DugongError(
        "too_frequent",
        "an n-gram occurs more than 4,294,967,295 times: that is not counted",
      );
  }

  /** … in a document: its number plus 1, or 0 for none. */
  see(row: number, document: number): void {
    const at = row * this.stride;
    if (document === 0 || this.rows[at + 2] === document) return;
    this.rows[at + 2] = document;
    this.rows[at + 1]++;
  }

  #grow(): boolean {
    if (this.#capacity >= this.rowsMax) return false;
    const capacity = this.#capacity * 2;
    const rows = new Uint32Array(capacity * this.stride);
    const slots = zeros(capacity * 2, this.checkpoint);
    for (const [from, to] of pieces(this.size, this.checkpoint)) {
      rows.set(this.rows.subarray(from * this.stride, to * this.stride), from * this.stride);
      for (let row = from; row < to; row++) place(slots, row, hashOf(rows, this.wordsAt(row), this.length));
    }
    this.rows = rows;
    this.#slots = slots;
    this.#capacity = capacity;
    return true;
  }
}

function place(slots: Uint32Array, row: number, hash: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = row + 1;
}

/** 32 bits of the n-gram at words[at] …; its lowest and its highest bits are as good as each other. */
export function hashOf(words: Uint32Array, at: number, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ words[at + i], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
