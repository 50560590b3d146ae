/**
 * Structures that go beyond their segment. Segments are parsed apart from each other, so each says what it leaves
 * open and which end tags it could not match; here, in order, the one is brought together with the other.
 */
import type { ParsedMeta } from "./parse.js";
import type { PiecePlace } from "./warnings.js";
import type { Carried } from "./write.js";

export interface Resolution {
  /** For each segment what comes in from before, outermost first. */
  carried: Carried[][];
  /** End tags that match nothing at all. */
  unmatched: { segment: number; place: PiecePlace }[];
  /** Documents that the next one's beginning had to close. */
  unclosedDocuments: number;
}

interface Open {
  structure: string;
  origin: number;
  index: number;
  tag: [string, string][];
}

export function resolveCarried(parsed: ParsedMeta[], pathOf: (ordinal: number) => string): Resolution {
  const resolution: Resolution = { carried: [], unmatched: [], unclosedDocuments: 0 };
  let open: Open[] = [];
  parsed.forEach((meta, segment) => {
    const ends = new Map<Open, number>();
    const closeAt = (structure: string, position: number): boolean => {
      const innermost = open.findLast((entry) => entry.structure === structure && !ends.has(entry));
      if (innermost) ends.set(innermost, position);
      return innermost !== undefined;
    };
    for (const { structure, position, place } of meta.orphans) {
      if (!closeAt(structure, position)) resolution.unmatched.push({ segment, place });
    }
    for (const [structure, position] of Object.entries(meta.firstOpened)) {
      if (closeAt(structure, position)) resolution.unclosedDocuments++;
    }
    resolution.carried.push(
      open.map((entry) => ({
        ...entry,
        originPath: pathOf(entry.origin),
        end: ends.get(entry) ?? meta.tokens,
        continues: !ends.has(entry),
      })),
    );
    open = open.filter((entry) => !ends.has(entry));
    for (const { structure, index, tag } of meta.open) open.push({ structure, origin: segment, index, tag });
  });
  return resolution;
}
