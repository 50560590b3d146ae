/**
 * Weights of linear models: for each feature, numbers for some labels. While learning they are lists that grow where a label
 * is got wrong; then they are frozen into columns.
 *
 *   features  hashes of the features, sorted
 *   starts    where the weights of each begin, and the end
 *   labels    which label each weight is for
 *   values    the weight, as a whole number
 */

/** Weights that are being learnt: an averaged perceptron's. */
export class Learning {
  #slots = new Int32Array(1 << 16).fill(-1);
  #features = new Int32Array(1 << 15);
  /** Of each feature the first of its weights; of each weight the next. */
  #first = new Int32Array(1 << 15);
  #next = new Int32Array(1 << 16);
  #labels = new Uint16Array(1 << 16);
  #values = new Float32Array(1 << 16);
  /** Updates times the step at which they were made. */
  #sums = new Float64Array(1 << 16);
  #featureCount = 0;
  #weightCount = 0;
  /** Examples seen. */
  steps = 0;

  #slotOf(feature: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(feature, 0x9e3779b1) >>> Math.clz32(mask);
    for (let at = this.#slots[slot]; at >= 0 && this.#features[at] !== feature; at = this.#slots[slot])
      slot = (slot + 1) & mask;
    return slot;
  }

  score(features: Int32Array, count: number, scores: Float32Array): void {
    const next = this.#next;
    const labels = this.#labels;
    const values = this.#values;
    for (let f = 0; f < count; f++) {
      const row = this.#slots[this.#slotOf(features[f])];
      if (row < 0) continue;
      for (let at = this.#first[row]; at >= 0; at = next[at]) scores[labels[at]] += values[at];
    }
  }

  update(features: Int32Array, count: number, label: number, by: number): void {
    for (let f = 0; f < count; f++) {
      let slot = this.#slotOf(features[f]);
      let row = this.#slots[slot];
      if (row < 0) {
        if (2 * this.#featureCount >= this.#slots.length) {
          this.#grow();
          slot = this.#slotOf(features[f]);
        }
        row = this.#featureCount++;
        this.#slots[slot] = row;
        this.#features[row] = features[f];
        this.#first[row] = -1;
      }
      let at = this.#first[row];
      while (at >= 0 && this.#labels[at] !== label) at = this.#next[at];
      if (at < 0) {
        if (this.#weightCount === this.#labels.length) this.#growWeights();
        at = this.#weightCount++;
        this.#labels[at] = label;
        this.#next[at] = this.#first[row];
        this.#first[row] = at;
      }
      this.#values[at] += by;
      this.#sums[at] += by * this.steps;
    }
  }

  #grow(): void {
    const rows = this.#slots.length;
    this.#features = grown(this.#features, rows);
    this.#first = grown(this.#first, rows);
    this.#slots = new Int32Array(2 * rows).fill(-1);
    for (let row = 0; row < this.#featureCount; row++) this.#slots[this.#slotOf(this.#features[row])] = row;
  }

  #growWeights(): void {
    const size = 2 * this.#labels.length;
    this.#next = grown(this.#next, size);
    this.#labels = grown(this.#labels, size);
    this.#values = grown(this.#values, size);
    this.#sums = grown(this.#sums, size);
  }

  /** Averages over all steps; those that round to nothing are left out. */
  frozen(): Weights {
    const order = Int32Array.from({ length: this.#featureCount }, (_, row) => row);
    order.sort((a, b) => this.#features[a] - this.#features[b]);
    const features: number[] = [];
    const starts: number[] = [];
    const labels: number[] = [];
    const values: number[] = [];
    for (const row of order) {
      const start = labels.length;
      for (let at = this.#first[row]; at >= 0; at = this.#next[at]) {
        const average = this.#values[at] - this.#sums[at] / Math.max(1, this.steps);
        const value = Math.max(-32767, Math.min(32767, Math.round(average * weightUnit)));
        if (Math.abs(value) < weightLeast) continue;
        labels.push(this.#labels[at]);
        values.push(value);
      }
      if (labels.length === start) continue;
      features.push(this.#features[row]);
      starts.push(start);
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

/** A weight of 1 as a whole number, and the least that is kept. */
const weightUnit = 32;
const weightLeast = 4;

function grown<Column extends Int32Array | Uint16Array | Float32Array | Float64Array>(
  column: Column,
  size: number,
): Column {
  const larger = new (column.constructor as new (size: number) => Column)(size);
  larger.set(column as never);
  return larger;
}

export class Weights {
  readonly #slots: Int32Array;
  readonly #shift: number;

  constructor(
    readonly features: Int32Array,
    readonly starts: Uint32Array,
    readonly labels: Uint16Array,
    readonly values: Int16Array,
  ) {
    let size = 16;
    while (size < 2 * features.length) size *= 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#shift = Math.clz32(size - 1);
    for (let row = 0; row < features.length; row++) {
      let slot = Math.imul(features[row], 0x9e3779b1) >>> this.#shift;
      while (this.#slots[slot] >= 0) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = row;
    }
  }

  score(features: Int32Array, count: number, scores: Float32Array): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let f = 0; f < count; f++) {
      const feature = features[f];
      let slot = Math.imul(feature, 0x9e3779b1) >>> this.#shift;
      let row = slots[slot];
      while (row >= 0 && this.features[row] !== feature) row = slots[(slot = (slot + 1) & mask)];
      if (row < 0) continue;
      const end = this.starts[row + 1];
      for (let at = this.starts[row]; at < end; at++) scores[this.labels[at]] += this.values[at];
    }
  }
}
