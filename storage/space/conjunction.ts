/**
 * Units with a point in every one of several boxes: those of the box with the fewest points are taken, best first, in rounds (candidates.ts),
 * and looked for in the others (finder.ts). What a unit has one value of is the same in all of its points: each box is made as small
 * there as all of them together.
 */
import { Rounds } from "./candidates.js";
import { Finder } from "./finder.js";
import type { PageReader } from "./segment.js";
import { type Asking, type Box, emptyPoints, type Points } from "./types.js";
import { likelyIn } from "./walk.js";

export interface ConjunctionSpace {
  readers: readonly PageReader[];
  k: number;
  /** By dimension: has a unit one value of it? */
  single: readonly boolean[];
}

/** Units that are looked for together: as many as it likely takes, and more and more if it does not. */
const roundMin = 64;
const roundMax = 1 << 16;
const roundFactor = 4;

/** The best units, up to a limit; without one all of them are counted and none is kept. */
export function unitsOfAll(
  space: ConjunctionSpace,
  boxes: readonly Box[],
  weights: Float64Array,
  limit: number,
  asking: Asking,
): { points: Points; total: number } {
  const { readers, k, single } = space;
  const isCounted = limit === Number.POSITIVE_INFINITY;
  const points = emptyPoints(k, isCounted ? 0 : limit);
  const narrow = narrowed(boxes, single);
  const sizes = narrow.map((box) => readers.reduce((sum, reader) => sum + likelyIn(reader, box, asking), 0));
  const [first, ...others] = [...boxes.keys()].sort((a, b) => sizes[a] - sizes[b]);
  if (sizes[first] === 0) return { points, total: 0 };
  // Without a limit the order does not matter, and is not made.
  const rounds = new Rounds(readers, narrow[first], isCounted ? new Float64Array(k) : weights, asking);
  const units = readers.reduce((sum, { segment }) => sum + segment.units, 0);
  const share = others.reduce((product, other) => product * Math.min(1, sizes[other] / units), 1);
  const likely = isCounted ? roundMax : Math.max(roundMin, (limit * 1.5) / share);
  let size = Math.ceil(Math.min(roundMax, likely, roundMin + sizes[first]));
  let total = 0;
  const seen = new Set<number>();
  for (;;) {
    let kept = rounds.next(size);
    if (kept.length === 0) break;
    const candidates = rounds.read;
    for (const other of others) {
      if (kept.length === 0) break;
      kept = new Finder(readers, narrow[other], single, candidates, asking).find(kept);
    }
    const ordered = isCounted ? kept : kept.slice().sort(byScore(candidates));
    for (const i of ordered) {
      // A unit may have several points in one box: it counts once.
      const unit = candidates.units[i];
      if (seen.has(unit)) continue;
      seen.add(unit);
      total++;
      if (isCounted) continue;
      put(points, candidates, i);
      if (points.count === limit) return { points, total };
    }
    size = Math.min(roundMax, size * roundFactor);
  }
  return { points, total };
}

/** Boxes as small as all of them together, where a unit has one value. */
function narrowed(boxes: readonly Box[], single: readonly boolean[]): Box[] {
  return boxes.map((box) => ({
    low: box.low.map((value, d) => (single[d] ? Math.max(...boxes.map(({ low }) => low[d])) : value)),
    high: box.high.map((value, d) => (single[d] ? Math.min(...boxes.map(({ high }) => high[d])) : value)),
  }));
}

function byScore({ scores }: Points): (a: number, b: number) => number {
  return (a, b) => scores[a] - scores[b] || a - b;
}

function put(points: Points, candidates: Points, i: number): void {
  const at = points.count++;
  points.units[at] = candidates.units[i];
  points.scores[at] = candidates.scores[i];
  points.coordinates.forEach((column, d) => {
    column[at] = candidates.coordinates[d][i];
  });
}
