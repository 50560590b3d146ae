/**
 * The structures of one kind as queries use them: the ranges of a segment decoded at once, and kept while memory lasts.
 *
 * A structure that reaches over several segments has a piece in each: pieces that came in from the segment before are
 * the first ones of a segment (`carriedIn`).
 */

import { gallop, leap } from "../../storage/cursor.js";
import type { Snapshot, Structure } from "../../storage/index.js";
import type { Keep } from "../plan/keep.js";
import { limits } from "../plan/limits.js";
import type { Ground } from "./ground.js";

/** The pieces of one segment, in the order in which the structures open. Positions are those within the segment. */
export interface Pieces {
  /** Global position of the segment's first token. */
  start: number;
  count: number;
  begins: Uint32Array;
  ends: Uint32Array;
  /** How many of the first ones began in an earlier segment. */
  carriedIn: number;
  /** Indexes of those that go on in the next segment. */
  carriedOut: number[];
  /** May some lie inside or across others, or be empty? */
  nested: boolean;
}

const noPieces: Omit<Pieces, "start"> = {
  count: 0,
  begins: new Uint32Array(0),
  ends: new Uint32Array(0),
  carriedIn: 0,
  carriedOut: [],
  nested: false,
};

/** From begins[i] on, the last end of the structures that have begun. Both ascend. */
export interface Reach {
  begins: Uint32Array;
  limits: Uint32Array;
  /** The same, those that stand one right behind the other taken as one; undefined where some overlap. */
  runs?: { begins: Uint32Array; limits: Uint32Array };
}

export class StructureIndex {
  readonly #pieces = new Map<number, Pieces>();
  #bytes = 0;
  readonly #reaches = new WeakMap<Keep, Map<number, Reach>>();
  readonly #edges = new WeakMap<Keep, Map<string, Uint32Array>>();
  /** Number of the first structure that begins in each segment. */
  readonly #firsts: number[] = [];

  constructor(
    readonly snapshot: Snapshot,
    readonly structure: Structure,
  ) {
    let first = 0;
    for (const segment of snapshot.segments) {
      this.#firsts.push(first);
      const record = segment.structureRecord(structure.name);
      if (record) first += record.count - record.carriedIn;
    }
  }

  readonly #keeps = new Map<string, Keep>();

  /** What a condition keeps: the same as the last time, if it was asked before. */
  keep(text: string, make: () => Keep): Keep {
    let keep = this.#keeps.get(text);
    if (!keep) {
      keep = make();
      if (this.#keeps.size >= limits.keptConditionsMax)
        this.#keeps.delete(this.#keeps.keys().next().value as string);
      this.#keeps.set(text, keep);
    }
    return keep;
  }

  /** The pieces in segment number `at`. */
  pieces(at: number): Pieces {
    let pieces = this.#pieces.get(at);
    if (pieces) return pieces;
    const segment = this.snapshot.segments[at];
    const structures = segment.structures(this.structure.name);
    if (!structures) pieces = { ...noPieces, start: segment.start };
    else {
      const { count, nested, meta } = structures;
      const begins = new Uint32Array(count);
      const ends = new Uint32Array(count);
      structures.ranges(0, count, begins, ends);
      const { carriedIn } = segment.structureRecord(this.structure.name)!;
      pieces = { start: segment.start, count, begins, ends, carriedIn, carriedOut: meta.carriedOut, nested };
    }
    this.#keep(at, pieces);
    return pieces;
  }

  /** The oldest go first when there are too many. */
  #keep(at: number, pieces: Pieces): void {
    this.#pieces.set(at, pieces);
    this.#bytes += pieces.count * 8;
    for (const [oldest, { count }] of this.#pieces) {
      if (this.#bytes <= limits.structureBytesMax || oldest === at) break;
      this.#pieces.delete(oldest);
      this.#bytes -= count * 8;
    }
  }

  /** The number of the structure that a piece belongs to. */
  numberOf(at: number, index: number): number {
    for (;;) {
      const { carriedIn } = this.pieces(at);
      if (index >= carriedIn) return this.#firsts[at] + index - carriedIn;
      index = this.pieces(--at).carriedOut[index];
    }
  }

  /** Where the structure of a piece ends, as a global position. */
  endOf(at: number, index: number): number {
    const { start, ends, carriedOut } = this.pieces(at);
    if (carriedOut.length === 0 || !carriedOut.includes(index)) return start + ends[index];
    return this.structure.range(this.numberOf(at, index))[1];
  }

  /**
   * Where the kept structures of a segment begin, end (before the token at that place), or have their last token;
   * ascending, each place once. `filled`: without empty ones.
   */
  edges(at: number, edge: "start" | "end" | "last", filled: boolean, keep: Keep): Uint32Array {
    let ofKeep = this.#edges.get(keep);
    if (!ofKeep) {
      ofKeep = new Map();
      this.#edges.set(keep, ofKeep);
    }
    const key = `${edge} ${filled} ${at}`;
    let edges = ofKeep.get(key);
    if (!edges) {
      edges = this.#findEdges(at, edge, filled, keep);
      ofKeep.set(key, edges);
    }
    return edges;
  }

  #findEdges(at: number, edge: "start" | "end" | "last", filled: boolean, keep: Keep): Uint32Array {
    const { begins, ends, count, carriedIn, carriedOut, nested } = this.pieces(at);
    const kept = keep.ofSegment(at);
    if (edge === "start" && !kept && !nested && carriedIn === 0) return begins;
    const found = new Uint32Array(count);
    let own = 0;
    if (edge === "start") {
      for (let i = carriedIn; i < count; i++) {
        if (kept && !kept[i]) continue;
        if (filled && ends[i] === begins[i] && !carriedOut.includes(i)) continue;
        found[own++] = begins[i];
      }
    } else {
      const isOut = new Set(carriedOut);
      const shift = edge === "last" ? 1 : 0;
      for (let i = 0; i < count; i++) {
        if ((kept && !kept[i]) || isOut.has(i)) continue;
        if (filled && ends[i] === begins[i] && i >= carriedIn) continue;
        // A structure that only just reaches into this segment has its last token in the one before.
        if (ends[i] < shift) continue;
        found[own++] = ends[i] - shift;
      }
    }
    const edges = found.subarray(0, own);
    if (!nested && carriedIn <= 1) return edges;
    edges.sort();
    // Several structures may begin, or end, in one place.
    let once = 0;
    for (let i = 0; i < own; i++) if (i === 0 || edges[i] !== edges[i - 1]) edges[once++] = edges[i];
    return edges.subarray(0, once);
  }

  /** The kept pieces of a segment as limits. Ends in other segments are true ones, counted from this segment's start. */
  reach(at: number, keep: Keep): Reach {
    let ofKeep = this.#reaches.get(keep);
    if (!ofKeep) {
      ofKeep = new Map();
      this.#reaches.set(keep, ofKeep);
    }
    let reach = ofKeep.get(at);
    if (!reach) {
      reach = this.#findReach(at, keep);
      reach.runs = runsOf(reach);
      ofKeep.set(at, reach);
    }
    return reach;
  }

  #findReach(at: number, keep: Keep): Reach {
    const { start, begins, ends, count, carriedOut, nested } = this.pieces(at);
    const kept = keep.ofSegment(at);
    if (!kept && !nested && carriedOut.length === 0) return { begins, limits: ends };
    const found = { begins: new Uint32Array(count), limits: new Uint32Array(count) };
    let own = 0;
    let limit = 0;
    for (let i = 0; i < count; i++) {
      if (kept && !kept[i]) continue;
      const end = carriedOut.length > 0 ? this.endOf(at, i) - start : ends[i];
      if (own > 0 && end <= limit) continue;
      limit = end;
      found.begins[own] = begins[i];
      found.limits[own++] = end;
    }
    return { begins: found.begins.subarray(0, own), limits: found.limits.subarray(0, own) };
  }

  /** From the first begin to the last end of all structures around a position; [0, 0] if there is none. */
  around(at: number, position: number): [from: number, to: number] {
    const { start, begins, ends, count, carriedIn } = this.pieces(at);
    const local = position - start;
    let last = leap(begins, local + 1, 0, count) - 1;
    if (this.isFlat(at)) {
      if (last < 0 || ends[last] <= local) return [0, 0];
      const begin =
        last < carriedIn ? this.structure.range(this.numberOf(at, last))[0] : start + begins[last];
      return [begin, this.endOf(at, last)];
    }
    let [from, to] = [Number.POSITIVE_INFINITY, 0];
    for (; last >= 0; last--) {
      if (ends[last] <= local) continue;
      const begin =
        last < carriedIn ? this.structure.range(this.numberOf(at, last))[0] : start + begins[last];
      from = Math.min(from, begin);
      to = Math.max(to, this.endOf(at, last));
    }
    return to === 0 ? [0, 0] : [from, to];
  }

  /** Is there a structure from `begin` to `end` that both conditions keep? */
  has(ground: Ground, begin: number, end: number, ...keeps: Keep[]): boolean {
    for (let at = ground.firstTouching(begin); at < this.snapshot.segments.length; at++) {
      const { start, begins, count, carriedIn } = this.pieces(at);
      if (begin < start) break;
      let i = Math.max(carriedIn, gallop(begins, begin - start, 0, count));
      for (; i < count && begins[i] + start === begin; i++) {
        if (this.endOf(at, i) !== end) continue;
        if (keeps.every((keep) => keep.ofSegment(at)?.[i] !== 0)) return true;
      }
    }
    return false;
  }

  /** Is none of them inside or across another, or empty? */
  isFlat(at: number): boolean {
    const { nested, carriedIn } = this.pieces(at);
    return !nested && carriedIn <= 1;
  }
}

function runsOf({ begins, limits }: Reach): Reach["runs"] {
  const count = begins.length;
  let runs = count > 0 ? 1 : 0;
  for (let i = 1; i < count; i++) {
    if (begins[i] < limits[i - 1]) return undefined;
    if (begins[i] > limits[i - 1]) runs++;
  }
  const found = { begins: new Uint32Array(runs), limits: new Uint32Array(runs) };
  for (let i = 0, run = -1; i < count; i++) {
    if (i === 0 || begins[i] > limits[i - 1]) found.begins[++run] = begins[i];
    found.limits[run] = limits[i];
  }
  return found;
}

const indexes = new WeakMap<Snapshot, Map<string, StructureIndex>>();

export function structureIndex(snapshot: Snapshot, structure: Structure): StructureIndex {
  let ofSnapshot = indexes.get(snapshot);
  if (!ofSnapshot) {
    ofSnapshot = new Map();
    indexes.set(snapshot, ofSnapshot);
  }
  let index = ofSnapshot.get(structure.name);
  if (!index) {
    index = new StructureIndex(snapshot, structure);
    ofSnapshot.set(structure.name, index);
  }
  return index;
}
