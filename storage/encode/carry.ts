/** Structures that end in another segment than they began in, cut into pieces: one for each segment. */
import type { LateStructure } from "./builder.js";
import type { Carried } from "./write.js";

/** What happens to the structures of one segment because of the others. */
export interface SegmentPieces {
  /** Pieces of structures that began in earlier segments, outermost first. */
  carried: Carried[];
  /** Structures of this segment that go on in the next, ascending. */
  open: { structure: string; index: number }[];
  /** Structures of this segment whose end came out in a later one, but lies here. */
  ends: { structure: string; index: number; end: number }[];
}

/** `tokens` of each segment, and the parsed file of each. */
export function cutLate(
  late: LateStructure[],
  tokens: number[],
  pathOf: (segment: number) => string,
): SegmentPieces[] {
  const starts: number[] = [];
  let start = 0;
  for (const count of tokens) {
    starts.push(start);
    start += count;
  }
  const pieces: SegmentPieces[] = tokens.map(() => ({ carried: [], open: [], ends: [] }));
  for (const { structure, segment, index, end } of [...late].sort((a, b) => a.order - b.order)) {
    if (end <= starts[segment] + tokens[segment]) {
      pieces[segment].ends.push({ structure, index, end: end - starts[segment] });
      continue;
    }
    pieces[segment].open.push({ structure, index });
    for (let next = segment + 1; next < tokens.length && starts[next] < end; next++) {
      const rest = end - starts[next];
      pieces[next].carried.push({
        structure,
        origin: segment,
        originPath: pathOf(segment),
        index,
        end: Math.min(rest, tokens[next]),
        continues: rest > tokens[next],
      });
    }
  }
  return pieces;
}
