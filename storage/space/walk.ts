/** Ways through a segment by a box: counting, and leaf after leaf. */
import { ACROSS, INSIDE, OUTSIDE, type PageReader } from "./segment.js";
import type { Asking, Box } from "./types.js";

/** How many steps are between two looks whether somebody still wants to get there. */
export const lookMask = 63;

/** Leaves with points in a box, in kd-order; `relation` says whether all of their points are. */
export function eachLeaf(
  reader: PageReader,
  { low, high }: Box,
  visit: (leaf: number, relation: number) => void,
  { checkpoint }: Asking = {},
  /** Whole nodes inside the box: given to this instead, if it takes them. */
  whole?: (points: number) => void,
): void {
  const { segment } = reader;
  if (segment.pages === 0) return;
  const stack = [1];
  for (let step = 0; stack.length > 0; step++) {
    if ((step & lookMask) === 0) checkpoint?.();
    const node = stack.pop() as number;
    const relation = segment.relation(node, low, high);
    if (relation === OUTSIDE) continue;
    if (relation === INSIDE && whole) {
      whole(segment.points[node]);
      continue;
    }
    if (node < segment.firstPage) {
      stack.push(node * 2 + 1, node * 2);
      continue;
    }
    reader.open(node - segment.firstPage);
    for (let leaf = 0; leaf < reader.leaves; leaf++) {
      const own = relation === INSIDE ? INSIDE : reader.relation(leaf, low, high);
      if (own === OUTSIDE) continue;
      if (own === INSIDE && whole) whole(reader.counts[leaf]);
      else visit(leaf, own);
    }
  }
}

/** How many points lie in a box: what lies inside whole is not read. */
export function countIn(reader: PageReader, box: Box, asking?: Asking): number {
  let count = 0;
  const matches = new Matches(reader);
  eachLeaf(
    reader,
    box,
    (leaf) => {
      reader.coordinates(leaf);
      count += matches.find(leaf, ACROSS, box);
    },
    asking,
    (points) => {
      count += points;
    },
  );
  return count;
}

/** About how many points lie in a box, no leaf read: of those across its border, a share as large as that of the leaf's box. 0 only if there are none. */
export function likelyIn(reader: PageReader, box: Box, asking?: Asking): number {
  let count = 0;
  const { k } = reader.segment;
  eachLeaf(
    reader,
    box,
    (leaf) => {
      const { lows, highs, counts } = reader;
      let share = 1;
      for (let d = 0; d < k; d++) {
        const [low, high] = [lows[leaf * (k + 1) + d], highs[leaf * (k + 1) + d]];
        const common = Math.min(high, box.high[d]) - Math.max(low, box.low[d]) + 1;
        share *= Math.max(0, common) / (high - low + 1);
      }
      count += counts[leaf] * share;
    },
    asking,
    (points) => {
      count += points;
    },
  );
  return count;
}

/** Which points of a leaf lie in a box. */
export class Matches {
  /** Their places in the leaf, ascending. */
  readonly places = new Uint32Array(1024);
  readonly #reader: PageReader;

  constructor(reader: PageReader) {
    this.#reader = reader;
  }

  /** Looks through a leaf whose coordinates are decoded; returns how many there are. */
  find(leaf: number, relation: number, { low, high }: Box): number {
    const { places } = this;
    const { lows, highs, segment } = this.#reader;
    const { coordinates, count: all } = this.#reader.leaf;
    const { k } = segment;
    let count = all;
    let isFirst = true;
    if (relation !== INSIDE) {
      for (let d = 0; d < k; d++) {
        const at = leaf * (k + 1) + d;
        const [from, to] = [low[d], high[d]];
        if (lows[at] >= from && highs[at] <= to) continue;
        const column = coordinates[d];
        let kept = 0;
        if (isFirst)
          for (let i = 0; i < all; i++) {
            const value = column[i];
            places[kept] = i;
            if (value >= from && value <= to) kept++;
          }
        else
          for (let i = 0; i < count; i++) {
            const place = places[i];
            const value = column[place];
            places[kept] = place;
            if (value >= from && value <= to) kept++;
          }
        count = kept;
        isFirst = false;
      }
    }
    if (isFirst) for (let i = 0; i < all; i++) places[i] = i;
    return count;
  }
}
