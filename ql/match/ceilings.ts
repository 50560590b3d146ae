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

/** Steps of a ceiling over an interval: from at[i] on the limit is limit[i]; both count from the interval's start. */
export interface Steps {
  at: Uint32Array;
  limit: Uint32Array;
  count: number;
}

class StepList implements Steps {
  at: Uint32Array;
  limit: Uint32Array;
  count = 0;

  constructor(capacity = 64) {
    this.at = new Uint32Array(capacity);
    this.limit = new Uint32Array(capacity);
  }

  push(at: number, limit: number): void {
    if (this.count > 0 && this.at[this.count - 1] === at) this.count--;
    if (this.count === this.at.length) {
      for (const column of ["at", "limit"] as const) {
        const larger = new Uint32Array(this.count * 2);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    this.at[this.count] = at;
    this.limit[this.count++] = limit;
  }
}

const farthest = 0xffffffff;

/** within <s/>, within s */
export class StructureCeiling implements Ceiling {
  constructor(
    readonly ground: Ground,
    readonly index: StructureIndex,
    readonly keep: Keep,
  ) {}

  steps(from: number, to: number): Steps {
    const { segments } = this.ground.snapshot;
    const list = new StepList(1024);
    let limit = 0;
    list.push(0, 0);
    for (let at = this.ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      const shift = segments[at].start - from;
      const { begins, limits } = this.index.reach(at, this.keep);
      let i = gallop(begins, Math.max(0, 1 - shift), 0, begins.length);
      if (i > 0 && limits[i - 1] + shift > limit) {
        limit = limits[i - 1] + shift;
        list.push(Math.max(0, shift), limit);
      }
      for (; i < begins.length && begins[i] + shift < to - from; i++) {
        if (limits[i] + shift <= limit) continue;
        limit = limits[i] + shift;
        list.push(begins[i] + shift, limit);
      }
    }
    return list;
  }

  limits(base: number, begins: Uint32Array, count: number, out: Uint32Array): void {
    const { segments } = this.ground.snapshot;
    let limit = 0;
    let done = 0;
    for (let at = this.ground.firstTouching(base + begins[0]); done < count && at < segments.length; at++) {
      const { start, tokens } = segments[at];
      const shift = start - base;
      const reach = this.index.reach(at, this.keep);
      const last = reach.begins.length;
      let i = 0;
      for (; done < count && begins[done] < shift + tokens; done++) {
        i = gallop(reach.begins, begins[done] - shift + 1, i, last);
        if (i > 0) {
          if (reach.limits[i - 1] + shift > limit) limit = reach.limits[i - 1] + shift;
          i--;
        }
        out[done] = limit;
      }
      // What begins right behind the last token is still this segment's.
      if (last > 0 && reach.limits[last - 1] + shift > limit) limit = reach.limits[last - 1] + shift;
    }
  }
}

/** within any query */
export class RangeCeiling implements Ceiling {
  constructor(readonly source: Source) {}

  steps(from: number, to: number): Steps {
    const before = Math.max(0, from - this.source.lengthMax);
    const { base, begins, ends, count } = this.source.spans(before, to);
    const shift = base - from;
    const list = new StepList();
    let limit = 0;
    list.push(0, 0);
    for (let i = 0; i < count; i++) {
      if (ends[i] + shift <= limit) continue;
      limit = ends[i] + shift;
      list.push(Math.max(0, begins[i] + shift), limit);
    }
    return list;
  }

  limits(base: number, begins: Uint32Array, count: number, out: Uint32Array): void {
    limitsOf(this.steps(base + begins[0], base + begins[count - 1] + 1), begins, count, out);
  }
}

/** Looks begins up in the steps that begin with the first of them. */
function limitsOf(
  { at, limit, count: steps }: Steps,
  begins: Uint32Array,
  count: number,
  out: Uint32Array,
): void {
  const first = begins[0];
  let step = 0;
  for (let i = 0; i < count; i++) {
    while (step + 1 < steps && at[step + 1] <= begins[i] - first) step++;
    out[i] = limit[step] === 0 ? 0 : Math.min(farthest, limit[step] + first);
  }
}

/** All of them at once. */
export class LowestCeiling implements Ceiling {
  constructor(readonly ceilings: Ceiling[]) {}

  steps(from: number, to: number): Steps {
    const all = this.ceilings.map((ceiling) => ceiling.steps(from, to));
    const places = all.map(() => 0);
    const list = new StepList();
    for (let at = 0; ; ) {
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

  limits(base: number, begins: Uint32Array, count: number, out: Uint32Array): void {
    const own = new Uint32Array(count);
    this.ceilings.forEach((ceiling, c) => {
      ceiling.limits(base, begins, count, c === 0 ? out : own);
      if (c > 0) for (let i = 0; i < count; i++) if (own[i] < out[i]) out[i] = own[i];
    });
  }
}

export function lowest(ceilings: (Ceiling | undefined)[]): Ceiling | undefined {
  const all = ceilings.filter((ceiling) => ceiling !== undefined);
  return all.length < 2 ? all[0] : new LowestCeiling(all);
}

/** Keeps the spans that end at the limit of their begin or before (or, `beyond`, those that end behind it). */
export function underCeiling(spans: Spans, ceiling: Ceiling, beyond = false): void {
  const { base, begins, ends, count } = spans;
  if (count === 0) return;
  const limits = new Uint32Array(count);
  ceiling.limits(base, begins, count, limits);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (ends[i] <= limits[i] === beyond) continue;
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
