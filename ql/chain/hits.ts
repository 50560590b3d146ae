/**
 * Hits: the ranges that a result consists of, as columns of numbers, in the order of the result. A whole result, or one
 * block of it. Nothing is made for a single hit.
 */
import type { Snapshot } from "../../storage/index.js";
import { pieces } from "../pace.js";

/** A column of global positions: 4 bytes each, where the corpus has fewer than 2^32 tokens. */
export type Positions = Uint32Array | Float64Array;

/** Ranges [begins[i], ends[i]). */
export interface Ranges {
  begins: Positions;
  ends: Positions;
}

/** Where a label is that a hit does not bind: behind every corpus. Test with `>= snapshot.tokens`, not for equality. */
export const NOWHERE = Number.MAX_SAFE_INTEGER;

export interface Hits extends Ranges {
  /** As many as each column has. */
  count: number;
  /** Do begins never fall, nor ends where begins are equal? So it is until hits are put into another order. */
  ascending: boolean;
  /** Where a query made its matches wider (expand to): what they were before, by which labels are found. */
  before?: Ranges;
  /** What labels are bound to, for those that were asked for; NOWHERE where one is not. */
  labels: Map<string, Ranges>;
}

/** A column that any position of the corpus fits in. */
export function positionColumn(snapshot: Snapshot, length: number): Positions {
  return snapshot.tokens < 0xffffffff ? new Uint32Array(length) : new Float64Array(length);
}

export function noHits(snapshot: Snapshot): Hits {
  return {
    count: 0,
    begins: positionColumn(snapshot, 0),
    ends: positionColumn(snapshot, 0),
    ascending: true,
    labels: new Map(),
  };
}

/** Every column of ranges that hits have. */
function rangesOf(hits: Hits): Ranges[] {
  return [hits, ...(hits.before ? [hits.before] : []), ...hits.labels.values()];
}

/** What hits take of memory. */
export function bytesOf(hits: Hits): number {
  return rangesOf(hits).reduce((sum, { begins, ends }) => sum + begins.byteLength + ends.byteLength, 0);
}

/** Every column made anew by the same function. */
function mapColumns(hits: Hits, map: (column: Positions) => Positions): Omit<Hits, "count" | "ascending"> {
  const both = ({ begins, ends }: Ranges) => ({ begins: map(begins), ends: map(ends) });
  return {
    ...both(hits),
    ...(hits.before && { before: both(hits.before) }),
    labels: new Map([...hits.labels].map(([label, ranges]) => [label, both(ranges)])),
  };
}

/** The hits at these places, in their order. */
export function pick(hits: Hits, order: Uint32Array, ascending: boolean, checkpoint = () => {}): Hits {
  const gather = (column: Positions): Positions => {
    const picked = sameKind(column, order.length);
    for (const [from, to] of pieces(order.length, checkpoint))
      for (let i = from; i < to; i++) picked[i] = column[order[i]];
    return picked;
  };
  return { count: order.length, ascending, ...mapColumns(hits, gather) };
}

/** Hits [from, to) of others, without copying. */
export function slice(hits: Hits, from: number, to: number): Hits {
  const end = Math.min(to, hits.count);
  const start = Math.min(from, end);
  return {
    count: end - start,
    ascending: hits.ascending,
    ...mapColumns(hits, (column) => column.subarray(start, end)),
  };
}

/** Keeps the hits whose place has a 1; in place where all are kept. */
export function keepMarked(hits: Hits, marks: Uint8Array, checkpoint = () => {}): Hits {
  let kept = 0;
  for (const [from, to] of pieces(hits.count, checkpoint)) for (let i = from; i < to; i++) kept += marks[i];
  if (kept === hits.count) return hits;
  const order = new Uint32Array(kept);
  let own = 0;
  for (const [from, to] of pieces(hits.count, checkpoint))
    for (let i = from; i < to; i++) if (marks[i]) order[own++] = i;
  return pick(hits, order, hits.ascending, checkpoint);
}

function sameKind(column: Positions, length: number): Positions {
  return column instanceof Uint32Array ? new Uint32Array(length) : new Float64Array(length);
}

/** Blocks one behind the other. All have the same columns. */
export function join(snapshot: Snapshot, blocks: readonly Hits[], checkpoint = () => {}): Hits {
  if (blocks.length === 0) return noHits(snapshot);
  const [first] = blocks;
  if (blocks.length === 1) return first;
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const joined = (columnOf: (block: Hits) => Positions): Positions => {
    const column = sameKind(columnOf(first), count);
    let at = 0;
    for (const block of blocks) {
      checkpoint();
      column.set(columnOf(block), at);
      at += block.count;
    }
    return column;
  };
  const both = (rangesOf: (block: Hits) => Ranges): Ranges => ({
    begins: joined((block) => rangesOf(block).begins),
    ends: joined((block) => rangesOf(block).ends),
  });
  return {
    count,
    ascending: blocks.every(({ ascending }) => ascending),
    ...both((block) => block),
    ...(first.before && { before: both((block) => block.before as Ranges) }),
    labels: new Map(
      [...first.labels.keys()].map((label) => [label, both((block) => block.labels.get(label)!)]),
    ),
  };
}
