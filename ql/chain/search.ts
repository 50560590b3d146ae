/** Search in sorted columns. */
import { gallop } from "../../storage/cursor.js";
import type { Positions } from "./hits.js";

/** The first index from `from` on whose value is above `target`; near `from` it is found soonest. */
export function firstAbove(values: Positions, target: number, from = 0): number {
  if (values instanceof Uint32Array) return gallop(values, target + 1, from, values.length);
  let [low, high] = [from, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= target) low = middle + 1;
    else high = middle;
  }
  return low;
}
