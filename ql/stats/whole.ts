/**
 * The whole that numbers are related to: the corpus, or the subcorpus that a chain is asked in. A token's place is its
 * number in the whole: a subcorpus's ranges lie one behind the other, without what is between them.
 */

import type { Snapshot, Structure } from "../../storage/index.js";
import { checkChain } from "../chain/check.js";
import { type Hits, noHits, positionColumn } from "../chain/hits.js";
import { firstAbove } from "../chain/search.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { structureIndex } from "../match/structures.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";

export class Whole {
  /** N: what relative frequencies are relative to. */
  readonly tokens: number;
  /** The place of each range's first token. */
  readonly #starts: Float64Array | undefined;

  constructor(
    readonly snapshot: Snapshot,
    readonly part?: Subcorpus,
  ) {
    this.tokens = part ? part.tokens : snapshot.tokens;
    if (!part) return;
    const { begins, ends } = part;
    this.#starts = new Float64Array(begins.length);
    for (let i = 1; i < begins.length; i++)
      this.#starts[i] = this.#starts[i - 1] + ends[i - 1] - begins[i - 1];
  }

  static async of(desk: Desk, chain: Chain): Promise<Whole> {
    checkChain(chain);
    const [{ subcorpus }] = chain;
    return new Whole(
      desk.snapshot,
      subcorpus === undefined ? undefined : await resolveSubcorpus(desk, subcorpus),
    );
  }

  /** The place of each hit's first token. Hits ascend. */
  places({ begins, count }: Pick<Hits, "begins" | "count">): Float64Array {
    const places = new Float64Array(count);
    if (!this.part) {
      for (let i = 0; i < count; i++) places[i] = begins[i];
      return places;
    }
    const { begins: starts, ends } = this.part;
    let range = count > 0 ? this.#rangeAt(begins[0]) : 0;
    for (let i = 0; i < count; i++) {
      while (range + 1 < starts.length && starts[range + 1] <= begins[i]) range++;
      places[i] = this.#starts![range] + Math.min(begins[i], ends[range]) - starts[range];
    }
    return places;
  }

  /** The last range that begins at a position or before it. */
  #rangeAt(position: number): number {
    const { begins } = this.part!;
    let [low, high] = [0, begins.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (begins[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /**
   * Its tokens as stretches, in order, over none of which a structure of these kinds begins or ends: what is said of
   * the first token of a stretch holds for all of it.
   */
  *stretches(structures: readonly Structure[]): Generator<Hits> {
    const { snapshot, part } = this;
    for (let at = 0; at < snapshot.segments.length; at++) {
      const { start, tokens } = snapshot.segments[at];
      const edges = edgesIn(snapshot, structures, at);
      if (!part) {
        yield between(snapshot, edges, start, start + tokens);
        continue;
      }
      for (const [from, to] of part.within(start, start + tokens)) {
        const inside = edges.subarray(firstAbove(edges, from - start), firstAbove(edges, to - start - 1));
        const block = between(snapshot, inside, from, to, start);
        if (block.count > 0) yield block;
      }
    }
  }
}

/** Where structures begin or end in a segment, ascending; some more than once. */
function edgesIn(snapshot: Snapshot, structures: readonly Structure[], at: number): Uint32Array {
  const all = structures.map((structure) => structureIndex(snapshot, structure).pieces(at));
  const edges = new Uint32Array(all.reduce((sum, { count }) => sum + 2 * count, 0));
  let own = 0;
  for (const { begins, ends, count } of all) {
    edges.set(begins.subarray(0, count), own);
    edges.set(ends.subarray(0, count), own + count);
    own += 2 * count;
  }
  return edges.sort();
}

/** [from, to) cut at edges that count from `base`. */
function between(snapshot: Snapshot, edges: Uint32Array, from: number, to: number, base = from): Hits {
  const begins = positionColumn(snapshot, edges.length + 1);
  const ends = positionColumn(snapshot, edges.length + 1);
  let count = 0;
  let begin = from;
  for (let i = 0; i <= edges.length; i++) {
    const end = i < edges.length ? Math.min(base + edges[i], to) : to;
    if (end <= begin) continue;
    begins[count] = begin;
    ends[count++] = end;
    begin = end;
  }
  return {
    ...noHits(snapshot),
    count,
    begins: begins.subarray(0, count),
    ends: ends.subarray(0, count),
  };
}
