/**
 * Filters, as what they come to: a match [b, e) is within some range of a set if e is at most the last end of the ranges
 * that begin at b or before; it contains one if e is at least the first end of the ranges that begin at b or behind.
 * Both are functions of b that never fall: merged with the matches, not looked up for each.
 */
import { gallop } from "../../storage/cursor.js";
import type { Keep } from "../plan/keep.js";
import type { Ground } from "./ground.js";
import type { Ceiling, Choice, Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";

type Steps = ReturnType<Ceiling["steps"]>;

class StepList {
  at = new Float64Array(64);
  limit = new Float64Array(64);
  count = 0;

  push(at: number, limit: number): void {
    if (this.count > 0 && this.limit[this.count - 1] === limit) return;
    if (this.count > 0 && this.at[this.count - 1] === at) {
      this.limit[this.count - 1] = limit;
      return;
    }
    if (this.count === this.at.length) {
      for (const column of ["at", "limit"] as const) {
        const larger = new Float64Array(this.count * 2);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    this.at[this.count] = at;
    this.limit[this.count++] = limit;
  }
}

/** within <s/>, within s */
export class StructureCeiling implements Ceiling {
  constructor(
    readonly ground: Ground,
    readonly index: StructureIndex,
    readonly keep: Keep,
  ) {}

  steps(from: number, to: number): Steps {
    const { segments } = this.ground.snapshot;
    const list = new StepList();
    let limit = 0;
    list.push(from, 0);
    // One that begins right behind a segment's last token belongs to that segment.
    for (let at = this.ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      const { start } = segments[at];
      const { begins, limits } = this.index.reach(at, this.keep);
      let i = gallop(begins, Math.max(0, from - start + 1), 0, begins.length);
      if (i > 0 && start + limits[i - 1] > limit) {
        limit = start + limits[i - 1];
        list.push(Math.max(from, start), limit);
      }
      for (; i < begins.length && start + begins[i] < to; i++) {
        if (start + limits[i] <= limit) continue;
        limit = start + limits[i];
        list.push(start + begins[i], limit);
      }
    }
    return list;
  }
}

/** within any query */
export class RangeCeiling implements Ceiling {
  constructor(readonly source: Source) {}

  steps(from: number, to: number): Steps {
    const before = Math.max(0, from - this.source.lengthMax);
    const { base, begins, ends, count } = this.source.spans(before, to);
    const list = new StepList();
    let limit = 0;
    list.push(from, 0);
    for (let i = 0; i < count; i++) {
      if (base + ends[i] <= limit) continue;
      limit = base + ends[i];
      list.push(Math.max(from, base + begins[i]), limit);
    }
    return list;
  }
}

/** All of them at once. */
export class LowestCeiling implements Ceiling {
  constructor(readonly ceilings: Ceiling[]) {}

  steps(from: number, to: number): Steps {
    const all = this.ceilings.map((ceiling) => ceiling.steps(from, to));
    const places = all.map(() => 0);
    const list = new StepList();
    for (let at = from; ; ) {
      list.push(at, Math.min(...all.map((steps, i) => steps.limit[places[i]])));
      let next = Number.POSITIVE_INFINITY;
      all.forEach((steps, i) => {
        if (places[i] + 1 < steps.count) next = Math.min(next, steps.at[places[i] + 1]);
      });
      if (next === Number.POSITIVE_INFINITY) return list;
      all.forEach((steps, i) => {
        if (places[i] + 1 < steps.count && steps.at[places[i] + 1] === next) places[i]++;
      });
      at = next;
    }
  }
}

export function lowest(ceilings: (Ceiling | undefined)[]): Ceiling | undefined {
  const all = ceilings.filter((ceiling) => ceiling !== undefined);
  return all.length < 2 ? all[0] : new LowestCeiling(all);
}

/** Keeps the spans that end at the limit of their begin or before (or, `beyond`, those that end behind it). */
export function underCeiling(spans: Spans, ceiling: Ceiling, to: number, beyond = false): void {
  if (spans.count === 0) return;
  const { base, begins, ends, count } = spans;
  const {
    at,
    limit,
    count: stepCount,
  } = ceiling.steps(base + begins[0], Math.min(to, base + begins[count - 1] + 1));
  let step = 0;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    while (step + 1 < stepCount && at[step + 1] <= base + begins[i]) step++;
    if (base + ends[i] <= limit[step] === beyond) continue;
    begins[kept] = begins[i];
    ends[kept++] = ends[i];
  }
  spans.count = kept;
}

/** Keeps the spans that contain a range of the source (or, `without`, those that do not). */
export function containing(spans: Spans, source: Source, without: boolean): void {
  const { base, begins, ends, count } = spans;
  if (count === 0) return;
  let last = 0;
  for (let i = 0; i < count; i++) if (ends[i] > last) last = ends[i];
  const inner = source.spans(base + begins[0], base + last);
  // From the last range to the first: the least end so far.
  let next = inner.count - 1;
  let least = Number.POSITIVE_INFINITY;
  const keeps = new Uint8Array(count);
  for (let i = count - 1; i >= 0; i--) {
    for (; next >= 0 && inner.base + inner.begins[next] >= base + begins[i]; next--) {
      least = Math.min(least, inner.base + inner.ends[next]);
    }
    keeps[i] = base + ends[i] >= least ? 1 : 0;
  }
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if ((keeps[i] === 1) === without) continue;
    begins[kept] = begins[i];
    ends[kept++] = ends[i];
  }
  spans.count = kept;
}

/** Of the spans with the same begin, the first or the last. */
export function chosen(spans: Spans, choice: Choice): void {
  if (choice === "all") return;
  const { begins, ends, count } = spans;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (kept > 0 && begins[kept - 1] === begins[i]) {
      if (choice === "last") ends[kept - 1] = ends[i];
      continue;
    }
    begins[kept] = begins[i];
    ends[kept++] = ends[i];
  }
  spans.count = kept;
}
