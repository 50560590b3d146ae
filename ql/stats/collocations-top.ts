import { type Compare, comparing, upTo } from "../pace.js";

/** The first so many of a list, in order, without ordering the rest: a heap with the last of the chosen at its top. */
export function topOf(
  count: number,
  limit: number,
  /** Of two places in the list: which comes first? */
  compareAny: Compare,
  checkpoint: () => void = () => {},
): number[] {
  const compare = comparing(compareAny, checkpoint);
  if (limit >= count) return Array.from(upTo(count).sort(compare));
  const size = Math.max(0, Math.floor(limit));
  const heap = Array.from({ length: size }, (_, i) => i);
  for (let at = (size >> 1) - 1; at >= 0; at--) sink(heap, at, compare);
  for (let i = size; i < count && size > 0; i++) {
    if (compare(i, heap[0]) >= 0) continue;
    heap[0] = i;
    sink(heap, 0, compare);
  }
  return heap.sort(compare);
}

function sink(heap: number[], from: number, compare: Compare): void {
  const own = heap[from];
  let at = from;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && compare(heap[below + 1], heap[below]) > 0) below++;
    if (compare(heap[below], own) <= 0) break;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = own;
}
