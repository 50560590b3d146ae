/**
 * Which document hits are in. Documents are the structure that the corpus was encoded with as such, else `doc` if there
 * is one. A document inside another belongs to it, and where two overlap the first goes to its end: so the documents
 * of hits in order never come back to one that was left.
 */

import type { Snapshot, Structure } from "../../storage/index.js";
import { structureNumbers } from "../chain/around.js";
import type { Hits } from "../chain/hits.js";
import { firstAbove } from "../chain/search.js";

export class Documents {
  /** Where some lie in others: the ranges that are left, and whose they are. Ascending and disjoint. */
  readonly #ranges: { begins: Float64Array; ends: Float64Array; numbers: Float64Array } | undefined;

  private constructor(
    readonly snapshot: Snapshot,
    readonly structure: Structure,
  ) {
    const isFlat = snapshot.segments.every((segment) => {
      const carriedIn = segment.structureRecord(structure.name)?.carriedIn ?? 0;
      return carriedIn <= 1 && !segment.structures(structure.name)?.nested;
    });
    if (!isFlat) this.#ranges = outermost(structure, snapshot.pool.checkpoint);
  }

  /** The documents of a corpus, if it has any. */
  static of(snapshot: Snapshot): Documents | undefined {
    let documents = known.get(snapshot);
    if (documents) return documents;
    const named = (name: string) => snapshot.structures.find((structure) => structure.name === name);
    const structure = named(snapshot.config.document ?? "doc") ?? named("doc");
    if (!structure) return undefined;
    documents = new Documents(snapshot, structure);
    known.set(snapshot, documents);
    return documents;
  }

  /** The number of each hit's document, −1 where there is none. Hits ascend. */
  numbers(hits: Hits): Float64Array {
    if (!this.#ranges) return structureNumbers(this.snapshot, this.structure, hits);
    const { begins, ends, numbers } = this.#ranges;
    const found = new Float64Array(hits.count).fill(-1);
    let at = hits.count > 0 ? firstAbove(begins, hits.begins[0]) : 0;
    for (let i = 0; i < hits.count; i++) {
      while (at < begins.length && begins[at] <= hits.begins[i]) at++;
      if (at > 0 && hits.begins[i] < ends[at - 1]) found[i] = numbers[at - 1];
    }
    return found;
  }
}

const known = new WeakMap<Snapshot, Documents>();

function outermost(structure: Structure, checkpoint: () => void) {
  const begins = new Float64Array(structure.count);
  const ends = new Float64Array(structure.count);
  const numbers = new Float64Array(structure.count);
  let count = 0;
  let reach = 0;
  for (let number = 0; number < structure.count; number++) {
    if ((number & 0xfff) === 0) checkpoint();
    const [begin, end] = structure.range(number);
    if (end <= Math.max(begin, reach)) continue;
    begins[count] = Math.max(begin, reach);
    ends[count] = end;
    numbers[count++] = number;
    reach = end;
  }
  return {
    begins: begins.subarray(0, count),
    ends: ends.subarray(0, count),
    numbers: numbers.subarray(0, count),
  };
}
