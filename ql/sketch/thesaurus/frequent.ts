/**
 * The heads that words are compared with: those that are frequent enough, numbered by slots in the order of their words, with
 * f(head, R, *) of each. In memory that threads may share.
 */
import type { SketchReader } from "../reader.js";

export interface FrequentTables {
  minCount: number;
  /** Words by slot, ascending, and slots by word; −1 where it is not frequent enough. */
  words: Uint32Array;
  slots: Int32Array;
  /** By slot: how often in relations, and Σ of the weights of its contexts. */
  headCounts: Uint32Array;
  weights: Uint32Array;
  /** For each slot, and one more: where its relations begin; these, ascending, and f(head, R, *). */
  starts: Uint32Array;
  relations: Uint32Array;
  counts: Uint32Array;
}

export class FrequentHeads {
  constructor(readonly tables: FrequentTables) {}

  get count(): number {
    return this.tables.words.length;
  }

  /** f(head, R, *) of a head that has it. */
  countOf(slot: number, relation: number): number {
    const { starts, relations, counts } = this.tables;
    let low = starts[slot];
    let high = starts[slot + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (relations[middle] < relation) low = middle + 1;
      else high = middle;
    }
    return counts[low];
  }

  static of(reader: SketchReader, minCount: number, checkpoint: () => void = () => {}): FrequentHeads {
    const headCounts = reader.headCounts();
    const frequent: number[] = [];
    // A word that is no head has no contexts.
    const least = Math.max(1, minCount);
    for (let word = 0; word < headCounts.length; word++) if (headCounts[word] >= least) frequent.push(word);
    const words = shared(frequent);
    const slots = new Int32Array(new SharedArrayBuffer(headCounts.length * 4)).fill(-1);
    const starts = shared(new Uint32Array(words.length + 1));
    const found: { relations: Uint32Array; counts: Uint32Array }[] = [];
    for (let slot = 0; slot < words.length; slot++) {
      checkpoint();
      slots[words[slot]] = slot;
      found.push(reader.relationsOf(words[slot]));
      starts[slot + 1] = starts[slot] + found[slot].relations.length;
    }
    const relations = shared(new Uint32Array(starts[words.length]));
    const counts = shared(new Uint32Array(starts[words.length]));
    for (let slot = 0; slot < words.length; slot++) {
      relations.set(found[slot].relations, starts[slot]);
      counts.set(found[slot].counts, starts[slot]);
    }
    return new FrequentHeads({
      ...{ minCount, words, slots, starts, relations, counts },
      headCounts: shared(words.map((word) => headCounts[word])),
      weights: shared(words.map((word) => reader.weight(word))),
    });
  }
}

function shared(values: ArrayLike<number>): Uint32Array {
  const own = new Uint32Array(new SharedArrayBuffer(values.length * 4));
  own.set(values);
  return own;
}

const known = new WeakMap<SketchReader, FrequentHeads>();

/** Of a reader they stay in memory: who asks for one word asks for another. */
export function frequentHeads(reader: SketchReader, minCount: number, checkpoint: () => void): FrequentHeads {
  let heads = known.get(reader);
  if (heads?.tables.minCount !== minCount) {
    heads = FrequentHeads.of(reader, minCount, checkpoint);
    known.set(reader, heads);
  }
  return heads;
}
