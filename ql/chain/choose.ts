/** Hits that are chosen by how they lie: the first ones of each structure, those inside no other. */
import type { Snapshot } from "../../storage/index.js";
import { comparing, pieces, upTo } from "../pace.js";
import { structureNumbers } from "./around.js";
import { type Hits, keepMarked } from "./hits.js";
import type { FirstStep } from "./steps.js";

/** In the order of the result: of a sorted one, the first by that order. */
export async function* firstOfEach(
  snapshot: Snapshot,
  blocks: AsyncIterable<Hits>,
  { structure: name, count = 1 }: FirstStep,
): AsyncGenerator<Hits> {
  const structure = snapshot.structure(name);
  /** How many were seen in each structure, as far as that is still of interest. */
  const seen = new Map<number, number>();
  for await (const hits of blocks) {
    const numbers = structureNumbers(snapshot, structure, hits);
    const marks = new Uint8Array(hits.count);
    for (let i = 0; i < hits.count; i++) {
      if (numbers[i] < 0) continue;
      const before = seen.get(numbers[i]) ?? 0;
      if (before >= count) continue;
      marks[i] = 1;
      seen.set(numbers[i], before + 1);
    }
    // Where hits come in order, structures that end before the last of them come no more.
    if (hits.ascending && seen.size > forgetAt) forget(snapshot, name, seen, hits.begins[hits.count - 1]);
    yield keepMarked(hits, marks);
  }
}

const forgetAt = 1 << 16;

function forget(snapshot: Snapshot, name: string, seen: Map<number, number>, position: number): void {
  const structure = snapshot.structure(name);
  for (const number of seen.keys()) if (structure.range(number)[1] <= position) seen.delete(number);
}

/** The hits that lie inside no other hit. (Of equal ones there is only one: hits are a set.) */
export function outermost(hits: Hits, checkpoint: () => void = () => {}): Hits {
  const { begins, ends, count } = hits;
  const order = upTo(count);
  if (hits.ascending) {
    // By begin, the longest first.
    let seen = 0;
    for (let from = 0; from < count; ) {
      if ((++seen & 0xfff) === 0) checkpoint();
      let to = from + 1;
      while (to < count && begins[to] === begins[from]) to++;
      if (to - from > 1) order.subarray(from, to).reverse();
      from = to;
    }
  } else order.sort(comparing((a, b) => begins[a] - begins[b] || ends[b] - ends[a], checkpoint));
  const marks = new Uint8Array(count);
  let last = 0;
  for (const [from, to] of pieces(count, checkpoint))
    for (let at = from; at < to; at++) {
      const i = order[at];
      if (ends[i] <= last) continue;
      last = ends[i];
      marks[i] = 1;
    }
  return keepMarked(hits, marks, checkpoint);
}
