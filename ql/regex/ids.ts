/** Sets of ids, as patterns answer with them. */
export interface IdSet {
  readonly count: number;
  /** Ascending, each once. */
  readonly ids: Uint32Array;
}

/** Collects ids in any order; each may be added more than once. */
export class IdCollector {
  #ids = new Uint32Array(1024);
  count = 0;

  add(id: number): void {
    if (this.count === this.#ids.length) this.#reserve(1);
    this.#ids[this.count++] = id;
  }

  /** ids[from] + base … ids[to − 1] + base. */
  addRange(ids: Uint32Array, from: number, to: number, base: number): void {
    this.#reserve(to - from);
    this.#ids.set(ids.subarray(from, to), this.count);
    if (base > 0) for (let i = 0; i < to - from; i++) this.#ids[this.count + i] += base;
    this.count += to - from;
  }

  #reserve(more: number): void {
    if (this.count + more <= this.#ids.length) return;
    const larger = new Uint32Array(Math.max(this.#ids.length * 2, this.count + more));
    larger.set(this.#ids.subarray(0, this.count));
    this.#ids = larger;
  }

  /** What was collected, of a lexicon with ids below `size`. */
  finish(size: number): IdSet {
    const found = this.#ids.subarray(0, this.count);
    // Sorting takes some 60 ns an id, a pass through a bitmap of the lexicon 1 ns for 32 ids.
    return found.length < 64 + size / 2048 ? sortedSet(found) : bitmapSet(found, size);
  }
}

function sortedSet(found: Uint32Array): IdSet {
  const sorted = found.slice().sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i];
  }
  return { count, ids: sorted.slice(0, count) };
}

function bitmapSet(found: Uint32Array, size: number): IdSet {
  const words = new Int32Array((size + 31) >>> 5);
  for (let i = 0; i < found.length; i++) words[found[i] >>> 5] |= 1 << (found[i] & 31);
  const ids = new Uint32Array(found.length);
  let count = 0;
  for (let w = 0; w < words.length; w++) {
    let word = words[w];
    while (word !== 0) {
      const lowest = word & -word;
      ids[count++] = w * 32 + 31 - Math.clz32(lowest);
      word ^= lowest;
    }
  }
  return { count, ids: count === ids.length ? ids : ids.slice(0, count) };
}
