/** The positions of several lists as one: what a derived value, or a pattern, matches. */
import { ArrayCursor, emptyCursor, type PositionCursor } from "../cursor.js";

/** In a segment of `universe` tokens. Costs all of the lists at once, and memory for them or a bit per token. */
export function unionOf(cursors: PositionCursor[], universe: number): PositionCursor {
  if (cursors.length === 0) return emptyCursor();
  if (cursors.length === 1) return cursors[0];
  const total = cursors.reduce((sum, cursor) => sum + cursor.remaining, 0);
  return new ArrayCursor(total > universe / 64 ? byBitmap(cursors, universe) : bySorting(cursors, total));
}

function bySorting(cursors: PositionCursor[], total: number): Uint32Array {
  const all = new Uint32Array(total);
  let count = 0;
  for (const cursor of cursors) {
    for (
      let got = cursor.fill(all.subarray(count));
      got > 0;
      got = count < total ? cursor.fill(all.subarray(count)) : 0
    ) {
      count += got;
    }
  }
  const sorted = all.subarray(0, count).sort();
  let distinct = 0;
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[distinct++] = sorted[i];
  return sorted.subarray(0, distinct);
}

function byBitmap(cursors: PositionCursor[], universe: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(universe / 32));
  const block = new Uint32Array(8192);
  for (const cursor of cursors) {
    for (let got = cursor.fill(block); got > 0; got = cursor.fill(block)) {
      for (let i = 0; i < got; i++) words[block[i] >>> 5] |= 1 << (block[i] & 31);
    }
  }
  let count = 0;
  for (const word of words) for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  const all = new Uint32Array(count);
  let at = 0;
  for (let w = 0; w < words.length; w++) {
    for (let rest = words[w]; rest !== 0; rest &= rest - 1)
      all[at++] = w * 32 + 31 - Math.clz32(rest & -rest);
  }
  return all;
}
