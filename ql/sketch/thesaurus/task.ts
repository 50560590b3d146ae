/**
 * What a thread does for a thesaurus. First the contexts are weighed: of each that no more than promiscuousMax heads have, the frequent
 * heads that have it with a weight, as a run (rows.ts) of one column:
 *
 *   context = how many heads, then for each, ascending: slot · 2^12 + weight
 *
 * Then the neighbours of some slots: whatever is shared with them is summed up in memory, block of contexts by block of contexts, and
 * the most similar are put away as a run of three columns (slot, common, shared), whose meta says how many each slot has.
 */
import { limits } from "../limits.js";
import { type BlockRecord, OpenRun, RunWriter } from "../rows.js";
import { contextWeight, weightMax } from "../score.js";
import type { StoredSketches } from "../stored.js";
import type { FrequentHeads } from "./frequent.js";
import { nearestOf, oneContext } from "./sums.js";

export type ThesaurusOrder =
  /** Contexts of collocates [from, to). */
  | { kind: "contexts"; from: number; to: number; path: string }
  /** Neighbours of slots [from, to). */
  | { kind: "neighbours"; from: number; to: number; path: string; contexts: string[]; limit: number };

/** Of a block of neighbours: how many each slot has. */
export interface NeighbourCounts {
  counts: number[];
}

const weightBits = Math.ceil(Math.log2(weightMax + 1));
const weightMask = (1 << weightBits) - 1;
/** Values of contexts that are in memory at a time, but for those of a single context. */
const blockValues = 1 << 22;

export class ThesaurusPlace {
  #sums = new Float64Array(0);

  constructor(
    readonly sketches: StoredSketches,
    readonly heads: FrequentHeads,
  ) {}

  work(order: ThesaurusOrder): undefined {
    const run = new RunWriter<object>(order.path, order.kind === "contexts" ? 1 : 3);
    try {
      if (order.kind === "contexts") this.#weigh(order.from, order.to, run);
      else this.#compare(order, run);
      run.finish();
    } catch (error) {
      run.abandon();
      throw error;
    }
  }

  #weigh(from: number, to: number, run: RunWriter<object>): void {
    const { sketches, heads } = this;
    const { slots } = heads.tables;
    const { relations } = sketches.info;
    let block = new Uint32Array(blockValues);
    let filled = 0;
    for (const { relation, words, counts } of sketches.contexts(from, to)) {
      if (words.length < 2 || words.length > limits.promiscuousMax || relations[relation].kind === "unary")
        continue;
      if (filled + words.length + 1 > block.length) {
        run.add([block], filled, {});
        filled = 0;
        if (words.length + 1 > block.length) block = new Uint32Array(words.length + 1);
      }
      let count = 0;
      for (let i = 0; i < counts.length; i++) count += counts[i];
      const begin = filled++;
      for (let i = 0; i < words.length; i++) {
        const slot = slots[words[i]];
        if (slot < 0) continue;
        const weight = contextWeight(counts[i], heads.countOf(slot, relation), count);
        if (weight > 0) block[filled++] = slot * (1 << weightBits) + weight;
      }
      block[begin] = filled - begin - 1;
      // One head shares it with nobody.
      if (block[begin] < 2) filled = begin;
    }
    run.add([block], filled, {});
  }

  #compare(
    { from, to, contexts, limit }: Extract<ThesaurusOrder, { kind: "neighbours" }>,
    run: RunWriter<object>,
  ): void {
    const { heads } = this;
    const size = (to - from) * heads.count;
    if (this.#sums.length < size) this.#sums = new Float64Array(size);
    const sums = this.#sums.subarray(0, size).fill(0);
    for (const path of contexts) {
      const open = new OpenRun(path);
      try {
        for (const block of open.blocks()) addBlock(valuesOf(open, block), from, to, heads.count, sums);
      } finally {
        open.close();
      }
    }
    const nearest = Array.from({ length: to - from }, (_, i) => {
      const own = sums.subarray(i * heads.count, (i + 1) * heads.count);
      own[from + i] = 0;
      return nearestOf(own, heads.tables.weights[from + i], heads, limit);
    });
    const counts = nearest.map(({ slots }) => slots.length);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const columns = (["slots", "common", "shared"] as const).map((name) => {
      const column = new Uint32Array(total);
      let at = 0;
      for (const one of nearest) {
        column.set(one[name], at);
        at += one[name].length;
      }
      return column;
    });
    run.add(columns, total, { counts } satisfies NeighbourCounts);
  }
}

function valuesOf(run: OpenRun, block: BlockRecord): Uint32Array {
  const values = new Uint32Array(block.count);
  run.read(block, 0, 0, values);
  return values;
}

/** Adds what slots [from, to) share with all others in a block of contexts: slot by slot, so that its sums stay at hand. */
function addBlock(values: Uint32Array, from: number, to: number, heads: number, sums: Float64Array): void {
  const starts = new Uint32Array(to - from + 1);
  const [least, most] = [from * (1 << weightBits), to * (1 << weightBits)];
  each(values, (at, end) => {
    for (let i = firstFrom(values, at, end, least); i < end && values[i] < most; i++)
      starts[(values[i] >>> weightBits) - from + 1]++;
  });
  for (let i = 0; i < to - from; i++) starts[i + 1] += starts[i];
  const total = starts[to - from];
  const [begins, ends, weights] = [new Uint32Array(total), new Uint32Array(total), new Uint16Array(total)];
  const next = starts.slice();
  each(values, (at, end) => {
    for (let i = firstFrom(values, at, end, least); i < end && values[i] < most; i++) {
      const place = next[(values[i] >>> weightBits) - from]++;
      begins[place] = at;
      ends[place] = end;
      weights[place] = values[i] & weightMask;
    }
  });
  for (let own = 0; own < to - from; own++) {
    const row = sums.subarray(own * heads, (own + 1) * heads);
    for (let i = starts[own]; i < starts[own + 1]; i++)
      addContext(values, begins[i], ends[i], weights[i], row);
  }
}

function addContext(values: Uint32Array, from: number, to: number, weight: number, row: Float64Array): void {
  for (let i = from; i < to; i++) {
    const value = values[i];
    const other = value & weightMask;
    row[value >>> weightBits] += oneContext + Math.min(other, weight);
  }
}

/** Calls back with where the heads of each context begin and end. */
function each(values: Uint32Array, call: (from: number, to: number) => void): void {
  for (let at = 0; at < values.length; ) {
    const end = at + 1 + values[at];
    call(at + 1, end);
    at = end;
  }
}

/** The first value of an ascending stretch that is not below another. */
function firstFrom(values: Uint32Array, from: number, to: number, least: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
