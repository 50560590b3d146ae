/**
 * The parts that evenness is measured over: documents, or so many parts of equal length. Parts neither overlap nor
 * leave out a token: what is in no document is one part more.
 */
import { DugongError } from "../../storage/index.js";
import type { Hits } from "../chain/hits.js";
import type { Documents } from "./documents.js";
import { limits } from "./limits.js";
import type { Whole } from "./whole.js";

export interface Parts {
  kind: "documents" | "equal";
  /** Parts that have tokens in the whole. */
  count: number;
  /** Tokens of each part, by its number. */
  sizes: Float64Array;
  /** Tokens of the smallest part that has any. */
  smallest: number;
  /** The number of the part that is not in one piece, if there is one: what lies between documents. */
  inPieces?: number;
  /** The number of the part that each hit begins in. Hits ascend; places are theirs. */
  read(hits: Hits, places: Float64Array): Float64Array;
}

export function documentParts(whole: Whole, documents: Documents): Parts {
  const outside = documents.structure.count;
  const sizes = new Float64Array(outside + 1);
  const numbersOf = (hits: Hits) => {
    const numbers = documents.numbers(hits);
    for (let i = 0; i < hits.count; i++) if (numbers[i] < 0) numbers[i] = outside;
    return numbers;
  };
  for (const stretches of whole.stretches([documents.structure])) {
    whole.snapshot.pool.checkpoint();
    const numbers = numbersOf(stretches);
    for (let i = 0; i < stretches.count; i++) sizes[numbers[i]] += stretches.ends[i] - stretches.begins[i];
  }
  return { kind: "documents", ...measure(sizes), sizes, inPieces: outside, read: numbersOf };
}

/** Part i of n has the places from ⌊i·N/n⌋ on. */
export function equalParts(whole: Whole, count: number): Parts {
  const { tokens } = whole;
  checkParts(count, tokens);
  const starts = new Float64Array(count + 1);
  for (let i = 0; i <= count; i++) starts[i] = Math.floor((i * tokens) / count);
  const sizes = new Float64Array(count);
  for (let i = 0; i < count; i++) sizes[i] = starts[i + 1] - starts[i];
  return {
    kind: "equal",
    ...measure(sizes),
    sizes,
    read(hits, places) {
      const parts = new Float64Array(hits.count);
      let part = 0;
      if (hits.count > 0) part = Math.min(count - 1, Math.floor((places[0] / tokens) * count));
      while (part > 0 && starts[part] > places[0]) part--;
      for (let i = 0; i < hits.count; i++) {
        while (part + 1 < count && starts[part + 1] <= places[i]) part++;
        parts[i] = part;
      }
      return parts;
    },
  };
}

function checkParts(count: number, tokens: number): void {
  if (Number.isSafeInteger(count) && count >= 1 && count <= Math.min(limits.partsMax, tokens)) return;
  const most = Math.min(limits.partsMax, tokens);
  throw new DugongError(
    "bad_option",
    `cannot divide ${tokens.toLocaleString("en")} tokens into ${count} parts`,
    most > 0 ? `Give a whole number from 1 to ${most.toLocaleString("en")}.` : undefined,
  );
}

function measure(sizes: Float64Array): Pick<Parts, "count" | "smallest"> {
  let count = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const size of sizes) {
    if (size === 0) continue;
    count++;
    if (size < smallest) smallest = size;
  }
  return { count, smallest };
}
