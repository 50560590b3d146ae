/** Reads the places of anchors, and says which starts they allow. */
import { gallop } from "../../storage/cursor.js";
import type { AnchorPart, Anchors, Places } from "../plan/anchors.js";
import type { Ground } from "./ground.js";

/** Intervals of starts [begins, ends), ascending and apart; positions count from the beginning of what was asked. */
export interface Starts {
  begins: Uint32Array;
  ends: Uint32Array;
  count: number;
}

export class AnchorReader {
  /** The places of each part in the segment that was read last (and the one before). */
  readonly #kept: Map<number, Uint32Array>[];

  constructor(
    readonly ground: Ground,
    readonly anchors: Anchors,
  ) {
    this.#kept = anchors.parts.map(() => new Map());
  }

  /** Starts in [from, to) that an anchor allows. */
  starts(from: number, to: number): Starts {
    const lists = this.anchors.parts.map((part, i) => this.#startsOf(part, i, from, to));
    if (lists.length === 1) return lists[0];
    return mergeStarts(lists);
  }

  #startsOf({ places, from: near, to: far }: AnchorPart, part: number, from: number, to: number): Starts {
    const { ground } = this;
    const [low, high] = [from + near, Math.min(to + far, ground.tokens + 1)];
    if (places.kind === "positions") {
      const [a, b] = [Math.max(from, places.from - far), Math.min(to, places.to - near)];
      if (a >= b) return { begins: new Uint32Array(0), ends: new Uint32Array(0), count: 0 };
      return { begins: Uint32Array.of(a - from), ends: Uint32Array.of(b - from), count: 1 };
    }
    const { segments } = ground.snapshot;
    const found: { list: Uint32Array; first: number; last: number; start: number }[] = [];
    let total = 0;
    // Boundaries at the end of a segment belong to it, and stand before the next one's first token.
    for (let at = ground.firstTouching(low); at < segments.length && segments[at].start < high; at++) {
      const { start } = segments[at];
      const list = this.#places(places, part, at);
      const first = gallop(list, Math.max(0, low - start), 0, list.length);
      const last = gallop(list, Math.max(0, high - start), first, list.length);
      if (first < last) found.push({ list, first, last, start });
      total += last - first;
    }
    const begins = new Uint32Array(total);
    const ends = new Uint32Array(total);
    let count = 0;
    for (const { list, first, last, start } of found) {
      const shift = start - from;
      for (let i = first; i < last; i++) {
        const begin = Math.max(0, list[i] + shift - far);
        const end = Math.min(to - from, list[i] + shift - near + 1);
        if (begin >= end) continue;
        if (count > 0 && begin <= ends[count - 1]) {
          if (end > ends[count - 1]) ends[count - 1] = end;
        } else {
          begins[count] = begin;
          ends[count++] = end;
        }
      }
    }
    return { begins, ends, count };
  }

  #places(places: Exclude<Places, { kind: "positions" }>, part: number, at: number): Uint32Array {
    const kept = this.#kept[part];
    let list = kept.get(at);
    if (!list) {
      list = placesIn(this.ground, places, at);
      if (kept.size > 1) kept.delete(kept.keys().next().value as number);
      kept.set(at, list);
    }
    return list;
  }
}

/** All places in one segment, ascending. */
export function placesIn(
  ground: Ground,
  places: Exclude<Places, { kind: "positions" }>,
  at: number,
): Uint32Array {
  if (places.kind === "edge") return places.index.edges(at, places.edge, places.filled, places.keep);
  const segment = ground.snapshot.segments[at];
  const cursor = segment.positionsOfAny(places.attribute, places.ids);
  const all = new Uint32Array(cursor.remaining);
  let count = 0;
  while (count < all.length) {
    const got = cursor.fill(all.subarray(count));
    if (got === 0) break;
    count += got;
  }
  return all.subarray(0, count);
}

function mergeStarts(lists: Starts[]): Starts {
  // Begin and length in one number; what is longer than fits there is taken in pieces.
  const lengthMax = 2 ** 21 - 1;
  let total = 0;
  for (const { begins, ends, count } of lists) {
    for (let i = 0; i < count; i++) total += Math.ceil((ends[i] - begins[i]) / lengthMax);
  }
  const keys = new Float64Array(total);
  let n = 0;
  for (const { begins, ends, count } of lists) {
    for (let i = 0; i < count; i++) {
      for (let begin = begins[i]; begin < ends[i]; begin += lengthMax) {
        keys[n++] = begin * 2 ** 21 + Math.min(ends[i] - begin, lengthMax);
      }
    }
  }
  keys.sort();
  const begins = new Uint32Array(total);
  const ends = new Uint32Array(total);
  let count = 0;
  for (let i = 0; i < total; i++) {
    const begin = Math.floor(keys[i] / 2 ** 21);
    const end = begin + (keys[i] - begin * 2 ** 21);
    if (count > 0 && begin <= ends[count - 1]) ends[count - 1] = Math.max(ends[count - 1], end);
    else {
      begins[count] = begin;
      ends[count++] = end;
    }
  }
  return { begins, ends, count };
}
