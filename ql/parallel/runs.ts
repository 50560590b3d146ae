/**
 * One side of an alignment as ranges of tokens. A bead's structures that follow each other are one run, from the begin of
 * the first to the last end: a bead has as many runs as its numbers have gaps, and one more.
 */
import type { BeadSide, Snapshot, Structure } from "../../storage/index.js";
import { type Positions, positionColumn } from "../chain/hits.js";
import { structureIndex } from "../match/structures.js";
import { comparing } from "../pace.js";

export class Runs {
  /** Of each run, in the order of beads; the runs of bead i are offsets[i] up to offsets[i + 1]. */
  readonly begins: Positions;
  readonly ends: Positions;
  readonly beads: Uint32Array;
  readonly offsets: Uint32Array;
  /** The runs by begin, then end. */
  readonly order: Uint32Array;
  /** How far runs up to this one of the order reach: never falling. */
  readonly reach: Positions;

  /** Structures that this snapshot does not have (yet) are left out. */
  constructor(snapshot: Snapshot, structure: Structure, { offsets, numbers }: BeadSide, beadCount: number) {
    const ranges = structureRanges(snapshot, structure);
    const begins = positionColumn(snapshot, numbers.length);
    const ends = positionColumn(snapshot, numbers.length);
    const beads = new Uint32Array(numbers.length);
    this.offsets = new Uint32Array(beadCount + 1);
    let own = 0;
    const { checkpoint } = snapshot.pool;
    for (let bead = 0; bead < beadCount; bead++) {
      if ((bead & 0x3fff) === 0) checkpoint();
      for (let i = offsets[bead]; i < offsets[bead + 1] && numbers[i] < structure.count; ) {
        const begin = ranges.begins[numbers[i]];
        let end = ranges.ends[numbers[i]];
        for (
          i++;
          i < offsets[bead + 1] && numbers[i] === numbers[i - 1] + 1 && numbers[i] < structure.count;
          i++
        )
          if (ranges.ends[numbers[i]] > end) end = ranges.ends[numbers[i]];
        if (begin === end) continue;
        begins[own] = begin;
        ends[own] = end;
        beads[own++] = bead;
      }
      this.offsets[bead + 1] = own;
    }
    this.begins = begins.slice(0, own);
    this.ends = ends.slice(0, own);
    this.beads = beads.slice(0, own);
    this.order = this.#inOrder(checkpoint);
    this.reach = positionColumn(snapshot, own);
    for (let i = 0, reach = 0; i < own; i++) {
      reach = Math.max(reach, this.ends[this.order[i]]);
      this.reach[i] = reach;
    }
  }

  #inOrder(checkpoint: () => void): Uint32Array {
    const { begins, ends } = this;
    const order = new Uint32Array(begins.length);
    let ascending = true;
    for (let i = 0; i < order.length; i++) {
      order[i] = i;
      if (i > 0 && (begins[i] < begins[i - 1] || (begins[i] === begins[i - 1] && ends[i] < ends[i - 1])))
        ascending = false;
    }
    if (ascending) return order;
    return order.sort(comparing((a, b) => begins[a] - begins[b] || ends[a] - ends[b], checkpoint));
  }

  /** Beads of which some run contains a range of a list that is sorted by begins: 1 for each. */
  containing(begins: ArrayLike<number>, ends: ArrayLike<number>): Uint8Array {
    const marks = new Uint8Array(this.offsets.length - 1);
    // From the last to the first: the least end of the ranges that begin at a run's begin or behind.
    let next = begins.length - 1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = this.order.length - 1; i >= 0; i--) {
      const run = this.order[i];
      for (; next >= 0 && begins[next] >= this.begins[run]; next--) least = Math.min(least, ends[next]);
      if (least <= this.ends[run]) marks[this.beads[run]] = 1;
    }
    return marks;
  }

  /** The runs of marked beads, by begin then end. In memory that threads can share. */
  ofBeads(marks: Uint8Array): { begins: Float64Array; ends: Float64Array } {
    let count = 0;
    for (const bead of this.beads) count += marks[bead];
    const column = () => new Float64Array(new SharedArrayBuffer(count * 8));
    const marked = { begins: column(), ends: column() };
    let own = 0;
    for (const run of this.order) {
      if (!marks[this.beads[run]]) continue;
      marked.begins[own] = this.begins[run];
      marked.ends[own++] = this.ends[run];
    }
    return marked;
  }

  /** Beads that have a token of [begin, end), each once, ascending. */
  touching(begin: number, end: number): number[] {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.reach[middle] <= begin) low = middle + 1;
      else high = middle;
    }
    const found = new Set<number>();
    for (; low < this.order.length && this.begins[this.order[low]] < end; low++)
      if (this.ends[this.order[low]] > begin) found.add(this.beads[this.order[low]]);
    return [...found].sort((a, b) => a - b);
  }
}

/** Begins and ends of all structures of a kind, by number. */
function structureRanges(snapshot: Snapshot, structure: Structure): { begins: Positions; ends: Positions } {
  const index = structureIndex(snapshot, structure);
  const begins = positionColumn(snapshot, structure.count);
  const ends = positionColumn(snapshot, structure.count);
  let number = 0;
  snapshot.segments.forEach((_, at) => {
    snapshot.pool.checkpoint();
    const pieces = index.pieces(at);
    const first = number - pieces.carriedIn;
    for (let i = pieces.carriedIn; i < pieces.count; i++, number++) {
      begins[number] = pieces.start + pieces.begins[i];
      ends[number] = pieces.start + pieces.ends[i];
    }
    for (const i of pieces.carriedOut) {
      if (i >= pieces.carriedIn) ends[first + i] = structure.range(first + i)[1];
    }
  });
  return { begins, ends };
}
