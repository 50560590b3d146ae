/**
 * Starts and the places of a list, side by side, in one segment: place = start − shift. Both ascend. Where places are far more than
 * starts, they are leapt over; where both are many, each place is a bit, so that no branch has to be guessed.
 */
import { leap } from "../../storage/cursor.js";

const sparseFactor = 8;
const bitsMin = 1000;

/** Of starts [from, to), those whose place is listed (or is not), moved behind the first `kept`; returns how many are in front then. */
export function keepListed(
  list: Uint32Array,
  tokens: number,
  starts: Uint32Array,
  from: number,
  to: number,
  shift: number,
  without: boolean,
  kept: number,
): number {
  const flip = without ? 1 : 0;
  const origin = shift | 0;
  const places = list.length;
  if (places > (to - from) * sparseFactor) {
    let n = 0;
    for (let s = from; s < to; s++) {
      const place = starts[s] - shift;
      n = leap(list, place, n, places);
      starts[kept] = starts[s];
      kept += (n < places && list[n] === place ? 1 : 0) ^ flip;
    }
    return kept;
  }
  if (places > bitsMin) {
    const bits = bitsOf(list, tokens);
    for (let s = from; s < to; s++) {
      const place = (starts[s] - origin) | 0;
      starts[kept] = starts[s];
      kept += ((bits[place >>> 5] >>> (place & 31)) & 1) ^ flip;
    }
    return kept;
  }
  let n = 0;
  for (let s = from; s < to; s++) {
    const place = starts[s] - shift;
    while (n < places && list[n] < place) n++;
    starts[kept] = starts[s];
    kept += (n < places && list[n] === place ? 1 : 0) ^ flip;
  }
  return kept;
}

/** Sets `has` for those of starts [from, to) whose place is listed: boundaries, one of which may be behind the last token. */
export function markListed(
  list: Uint32Array,
  tokens: number,
  starts: Uint32Array,
  from: number,
  to: number,
  shift: number,
  has: Uint8Array,
): void {
  const places = list.length;
  const sparse = places > (to - from) * sparseFactor;
  if (!sparse && places > bitsMin) {
    const origin = shift | 0;
    const bits = bitsOf(list, tokens + 1);
    for (let s = from; s < to; s++) {
      const place = (starts[s] - origin) | 0;
      has[s] |= (bits[place >>> 5] >>> (place & 31)) & 1;
    }
    return;
  }
  let n = 0;
  for (let s = from; s < to; s++) {
    const place = starts[s] - shift;
    if (sparse) n = leap(list, place, n, places);
    else while (n < places && list[n] < place) n++;
    if (n < places && list[n] === place) has[s] = 1;
  }
}

let words = new Int32Array(0);

/** A bit for each of so many tokens that is listed; good until the next are asked for. */
function bitsOf(list: Uint32Array, tokens: number): Int32Array {
  const count = (tokens >>> 5) + 1;
  if (words.length < count) words = new Int32Array(count);
  else words.fill(0, 0, count);
  // From two ends: places that lie in one word would wait for each other.
  const half = list.length >>> 1;
  for (let n = 0; n < half; n++) {
    const low = list[n];
    const high = list[n + half];
    words[low >>> 5] |= 1 << (low & 31);
    words[high >>> 5] |= 1 << (high & 31);
  }
  const last = list[list.length - 1];
  words[last >>> 5] |= 1 << (last & 31);
  return words;
}
