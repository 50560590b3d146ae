/**
 * Weights of linear models: for each feature, numbers for some labels. While learning they are lists that grow where a label
 * is got wrong; then they are frozen into columns.
 *
 *   features  hashes of the features, sorted
 *   starts    where the weights of each begin, and the end
 *   labels    which label each weight is for
 *   values    the weight, as a whole number
 */

import { featuresMax } from "./features.js";

/**
 * Weights that are being learnt: an averaged perceptron's. A feature's lie together, in a block that moves to one of twice the
 * size when it is full: to follow a list through memory would take most of the time of learning.
 *
 *   slots  = (feature start)*                            open addressing; a start of 0 is an empty slot
 *   blocks = 0 0 (count capacity (label value)*)*
 *   sums   = for each two numbers of the blocks one      updates of the value there, times the step at which they were made
 *   totals = likewise                                    averages of learners that are done
 *
 * Several learners may learn one after the other, each from nothing: what comes of it is the mean of them all.
 */
export class Learning {
  #slots = new Int32Array(1 << 17);
  #blocks = new Int32Array(1 << 18);
  /** The same memory: values are fractions. */
  #values = new Float32Array(this.#blocks.buffer);
  #sums = new Float64Array(1 << 17);
  #totals = new Float64Array(1 << 17);
  #learners = 0;
  #featureCount = 0;
  #used = 2;
  readonly #hits = new Int32Array(featuresMax);
  /** Examples that this learner has seen. */
  steps = 0;

  #slotOf(feature: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (Math.imul(feature, 0x9e3779b1) >>> (Math.clz32(mask) + 1)) << 1;
    while (slots[slot + 1] !== 0 && slots[slot] !== feature) slot = (slot + 2) & mask;
    return slot;
  }

  /** Looks at all slots first, as frozen weights do. */
  score(features: Int32Array, count: number, scores: Float32Array): void {
    const hits = this.#hits;
    const blocks = this.#blocks;
    const values = this.#values;
    for (let f = 0; f < count; f++) hits[f] = this.#slots[this.#slotOf(features[f]) + 1];
    for (let f = 0; f < count; f++) {
      const start = hits[f];
      const end = start + 2 + 2 * blocks[start];
      for (let at = start + 2; at < end; at += 2) scores[blocks[at]] += values[at + 1];
    }
  }

  update(features: Int32Array, count: number, label: number, by: number): void {
    for (let f = 0; f < count; f++) {
      let slot = this.#slotOf(features[f]);
      if (this.#slots[slot + 1] === 0) {
        if (4 * this.#featureCount >= this.#slots.length) {
          this.#grow();
          slot = this.#slotOf(features[f]);
        }
        this.#featureCount++;
        this.#slots[slot] = features[f];
        this.#slots[slot + 1] = this.#block(1);
      }
      let start = this.#slots[slot + 1];
      const labels = this.#blocks[start];
      let at = start + 2;
      const end = at + 2 * labels;
      while (at < end && this.#blocks[at] !== label) at += 2;
      if (at === end) {
        if (labels === this.#blocks[start + 1]) {
          const larger = this.#block(2 * labels);
          this.#blocks.copyWithin(larger + 2, start + 2, end);
          for (const column of [this.#sums, this.#totals])
            column.copyWithin(larger / 2 + 1, start / 2 + 1, end / 2);
          at += larger - start;
          this.#slots[slot + 1] = start = larger;
        }
        this.#blocks[start] = labels + 1;
        this.#blocks[at] = label;
      }
      this.#values[at + 1] += by;
      this.#sums[at / 2] += by * this.steps;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue;
      const slot = this.#slotOf(before[at]);
      this.#slots[slot] = before[at];
      this.#slots[slot + 1] = before[at + 1];
    }
  }

  /** Where a new one for so many labels starts. */
  #block(capacity: number): number {
    const start = this.#used;
    this.#used += 2 + 2 * capacity;
    while (this.#used > this.#blocks.length) {
      const blocks = new Int32Array(2 * this.#blocks.length);
      blocks.set(this.#blocks);
      this.#blocks = blocks;
      this.#values = new Float32Array(blocks.buffer);
      const grown = (column: Float64Array) => {
        const larger = new Float64Array(2 * column.length);
        larger.set(column);
        return larger;
      };
      this.#sums = grown(this.#sums);
      this.#totals = grown(this.#totals);
    }
    this.#blocks[start + 1] = capacity;
    return start;
  }

  /** A learner is done: its averages over all steps are kept, and the next begins. */
  settle(): void {
    for (let slot = 0; slot < this.#slots.length; slot += 2) {
      const start = this.#slots[slot + 1];
      if (start === 0) continue;
      const end = start + 2 + 2 * this.#blocks[start];
      for (let at = start + 2; at < end; at += 2) {
        this.#totals[at / 2] += this.#values[at + 1] - this.#sums[at / 2] / Math.max(1, this.steps);
        this.#values[at + 1] = 0;
        this.#sums[at / 2] = 0;
      }
    }
    this.#learners++;
    this.steps = 0;
  }

  /** Weights of all learners that are done; those below `least` are left out. */
  frozen(least: number): Weights {
    const found: number[] = [];
    for (let slot = 0; slot < this.#slots.length; slot += 2)
      if (this.#slots[slot + 1] !== 0) found.push(this.#slots[slot]);
    const features: number[] = [];
    const starts: number[] = [];
    const labels: number[] = [];
    const values: number[] = [];
    for (const feature of Int32Array.from(found).sort()) {
      const first = labels.length;
      const start = this.#slots[this.#slotOf(feature) + 1];
      const end = start + 2 + 2 * this.#blocks[start];
      for (let at = start + 2; at < end; at += 2) {
        const average = this.#totals[at / 2] / this.#learners;
        const value = Math.max(-32767, Math.min(32767, Math.round(average * weightUnit)));
        if (value === 0 || Math.abs(average) < least) continue;
        labels.push(this.#blocks[at]);
        values.push(value);
      }
      if (labels.length === first) continue;
      features.push(feature);
      starts.push(first);
    }
    starts.push(labels.length);
    return new Weights(
      Int32Array.from(features),
      Uint32Array.from(starts),
      Uint16Array.from(labels),
      Int16Array.from(values),
    );
  }
}

/** A weight of 1 as a whole number. */
const weightUnit = 32;

/**
 * Frozen weights, laid out for looking up: a feature costs a look at a slot and one at its weights, each in one piece of memory.
 *
 *   slots  = (feature start)*      open addressing; a start of 0 is an empty slot
 *   packed = 0 (count weight*)*    weight = value << 16 | label
 */
export class Weights {
  readonly #slots: Int32Array;
  readonly #packed: Int32Array;
  readonly #shift: number;
  /** Where the weights of the features at hand begin. */
  readonly #hits = new Int32Array(featuresMax);

  constructor(
    readonly features: Int32Array,
    readonly starts: Uint32Array,
    readonly labels: Uint16Array,
    readonly values: Int16Array,
  ) {
    let size = 16;
    while (size < 2 * features.length) size *= 2;
    const slots = new Int32Array(2 * size);
    const packed = new Int32Array(1 + features.length + labels.length);
    this.#shift = Math.clz32(size - 1);
    let used = 1;
    for (const row of largestFirst(starts)) {
      let slot = Math.imul(features[row], 0x9e3779b1) >>> this.#shift;
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & (size - 1);
      slots[2 * slot] = features[row];
      slots[2 * slot + 1] = used;
      packed[used++] = starts[row + 1] - starts[row];
      for (let at = starts[row]; at < starts[row + 1]; at++) packed[used++] = (values[at] << 16) | labels[at];
    }
    this.#slots = slots;
    this.#packed = packed;
  }

  /** Has training given it a weight? */
  has(feature: number): boolean {
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(feature, 0x9e3779b1) >>> this.#shift) << 1;
    while (this.#slots[slot + 1] !== 0) {
      if (this.#slots[slot] === feature) return true;
      slot = (slot + 2) & mask;
    }
    return false;
  }

  /**
   * All features are looked up before any weight is added: looks at slots that do not wait for each other overlap, and nearly
   * all the time that scoring takes is that memory's.
   */
  score(features: Int32Array, count: number, scores: Float32Array): void {
    const slots = this.#slots;
    const packed = this.#packed;
    const hits = this.#hits;
    const shift = this.#shift;
    const mask = slots.length - 1;
    let found = 0;
    for (let f = 0; f < count; f++) {
      const feature = features[f];
      let slot = (Math.imul(feature, 0x9e3779b1) >>> shift) << 1;
      let start = slots[slot + 1];
      while (start !== 0 && slots[slot] !== feature) start = slots[(slot = (slot + 2) & mask) + 1];
      hits[found] = start;
      found += start === 0 ? 0 : 1;
    }
    for (let hit = 0; hit < found; hit++) {
      const start = hits[hit];
      const end = start + packed[start];
      for (let at = start + 1; at <= end; at++) {
        const weight = packed[at];
        scores[weight & 0xffff] += weight >> 16;
      }
    }
  }
}

/** Features with weights for many labels are those that are met often: together, they stay in the processor's cache. */
function largestFirst(starts: Uint32Array): Uint32Array {
  const rows = Uint32Array.from({ length: starts.length - 1 }, (_, row) => row);
  const size = (row: number) => starts[row + 1] - starts[row];
  return rows.sort((a, b) => size(b) - size(a) || a - b);
}
