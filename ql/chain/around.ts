/** Which structure of a kind each hit begins in. */
import { gallop } from "../../storage/cursor.js";
import type { Snapshot, Structure } from "../../storage/index.js";
import { structureIndex } from "../match/structures.js";
import type { Hits } from "./hits.js";

/**
 * The number of the innermost structure around each hit's first token, −1 where there is none. Hits in order are merged
 * with the structures; others are looked up one by one.
 */
export function structureNumbers(
  snapshot: Snapshot,
  structure: Structure,
  { begins, count, ascending }: Pick<Hits, "begins" | "count" | "ascending">,
  checkpoint: () => void = () => {},
): Float64Array {
  const numbers = new Float64Array(count).fill(-1);
  const index = structureIndex(snapshot, structure);
  const { segments } = snapshot;
  let at = -1;
  let end = 0;
  let place = 0;
  for (let i = 0; i < count; i++) {
    if ((i & 0xfff) === 0) checkpoint();
    const begin = begins[i];
    if (begin >= snapshot.tokens) continue;
    if (at < 0 || begin >= end || begin < segments[at].start) {
      const segment = snapshot.segmentAt(begin);
      at = segments.indexOf(segment, ascending ? Math.max(0, at) : 0);
      end = segment.start + segment.tokens;
      place = 0;
    }
    if (!index.isFlat(at)) {
      numbers[i] = structure.containing(begin);
      continue;
    }
    const pieces = index.pieces(at);
    const local = begin - pieces.start;
    if (place > 0 && pieces.begins[place - 1] > local) place = 0;
    // The first piece that begins behind the hit: the one before it is the one around it, if any is.
    place = gallop(pieces.begins, local + 1, place, pieces.count);
    if (place > 0 && local < pieces.ends[place - 1]) numbers[i] = index.numberOf(at, place - 1);
  }
  return numbers;
}
