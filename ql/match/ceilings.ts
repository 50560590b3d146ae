/**
 * Filters, as what they come to: a match [b, e) is within some range of a set if e is at most the last end of the ranges
 * that begin at b or before; it contains one if e is at least the first end of the ranges that begin at b or behind.
 * Both are functions of b that never fall: merged with the matches, not looked up for each.
 */
import { gallop, leap } from "../../storage/cursor.js";
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

  #reserve(more: number): void {
    if (this.count + more <= this.at.length) return;
    const capacity = Math.max(this.at.length * 2, this.count + more);
    for (const column of ["at", "limit"] as const) {
      const larger = new Uint32Array(capacity);
      larger.set(this[column].subarray(0, this.count));
      this[column] = larger;
    }
  }

  push(at: number, limit: number): void {
    if (this.count > 0 && this.at[this.count - 1] === at) this.count--;
    if (this.count === this.at.length) this.#reserve(1);
    this.at[this.count] = at;
    this.limit[this.count++] = limit;
  }

  /** Steps `from` to `last` of a list, moved by `shift`, as far as they rise above `limit`; returns the last limit. */
  pushAll(
    at: Uint32Array,
    limits: Uint32Array,
    from: number,
    last: number,
    shift: number,
    limit: number,
  ): number {
    if (from === last) return limit;
    this.#reserve(last - from);
    const { at: ownAt, limit: ownLimit } = this;
    let { count } = this;
    for (let i = from; i < last; i++) {
      const next = limits[i] + shift;
      if (next <= limit) continue;
      limit = next;
      const begin = at[i] + shift;
      if (count > 0 && ownAt[count - 1] === begin) count--;
      ownAt[count] = begin;
      ownLimit[count++] = next;
    }
    this.count = count;
    return limit;
  }
}

const farthest = 0xffffffff;

/** within <s/>, within s. Its steps are good until they are asked for the next time. */
export class StructureCeiling implements Ceiling {
  readonly #list = new StepList(1024);

  constructor(
    readonly ground: Ground,
    readonly index: StructureIndex,
    readonly keepOnly: Keep,
  ) {}

  steps(from: number, to: number): Steps {
    const { segments } = this.ground.snapshot;
    const list = this.#list;
    list.count = 0;
    let limit = 0;
    list.push(0, 0);
    for (let at = this.ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      const shift = segments[at].start - from;
      const { begins, limits } = this.index.reach(at, this.keepOnly);
      const i = gallop(begins, Math.max(0, 1 - shift), 0, begins.length);
      if (i > 0 && limits[i - 1] + shift > limit) {
        limit = limits[i - 1] + shift;
        list.push(Math.max(0, shift), limit);
      }
      limit = list.pushAll(
        begins,
        limits,
        i,
        gallop(begins, Math.max(0, to - from - shift), i, begins.length),
        shift,
        limit,
      );
    }
    return list;
  }

  bits(from: number, to: number, inside: Int32Array, on: Int32Array): boolean {
    const { segments } = this.ground.snapshot;
    const count = to - from;
    let before = 0;
    for (let at = this.ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      const shift = segments[at].start - from;
      const { limits, runs } = this.index.reach(at, this.keepOnly);
      if (!runs) return false;
      const last = gallop(runs.begins, Math.max(0, count - shift), 0, runs.begins.length);
      for (let i = gallop(runs.limits, Math.max(0, 1 - shift), 0, last); i < last; i++) {
        const begin = Math.max(0, runs.begins[i] + shift);
        if (begin < before) return false;
        before = runs.limits[i] + shift;
        setBits(inside, begin, Math.min(before, count));
      }
      // First the last tokens of all; those before them are what is left.
      const first = gallop(limits, Math.max(0, 1 - shift), 0, limits.length);
      markLasts(limits, first, gallop(limits, count - shift + 1, first, limits.length), shift - 1, on);
    }
    for (let word = 0; word < on.length; word++) on[word] = inside[word] & ~on[word];
    return true;
  }

  /** Structure by structure: what lies in none of them is passed over. */
  keep(spans: Spans): void {
    const { base, begins, count } = spans;
    const { segments } = this.ground.snapshot;
    let kept = 0;
    let i = 0;
    /** How far what has begun before the segment reaches. */
    let before = 0;
    for (let at = this.ground.firstTouching(base + begins[0]); i < count && at < segments.length; at++) {
      const { start, tokens } = segments[at];
      const shift = start - base;
      const { begins: froms, limits } = this.index.reach(at, this.keepOnly);
      const last = froms.length;
      for (let s = -1; s < last && i < count; s++) {
        const limit = s < 0 ? before : Math.max(before, limits[s] + shift);
        const from = s < 0 ? shift : froms[s] + shift;
        const to = s + 1 < last ? froms[s + 1] + shift : shift + tokens;
        if (i < count && begins[i] < from) i = gallop(begins, from, i, count);
        for (; i < count && begins[i] < to && begins[i] < limit; i++)
          if (spans.endOf(i) <= limit) spans.move(i, kept++);
        if (i < count && begins[i] < to) i = gallop(begins, to, i, count);
      }
      if (last > 0) before = Math.max(before, limits[last - 1] + shift);
    }
    spans.count = kept;
  }

  limits(base: number, begins: Uint32Array, count: number, out: Uint32Array): void {
    const { segments } = this.ground.snapshot;
    let limit = 0;
    let done = 0;
    for (let at = this.ground.firstTouching(base + begins[0]); done < count && at < segments.length; at++) {
      const { start, tokens } = segments[at];
      const shift = start - base;
      const reach = this.index.reach(at, this.keepOnly);
      const last = reach.begins.length;
      const sparse = last > count * 4;
      let i = 0;
      for (; done < count && begins[done] < shift + tokens; done++) {
        const after = begins[done] - shift;
        if (sparse) i = leap(reach.begins, after + 1, i, last);
        else while (i < last && reach.begins[i] <= after) i++;
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

/** Sets the bits at limits [first, last), moved by `shift`; from two ends, as those in one word would wait for each other. */
function markLasts(limits: Uint32Array, first: number, last: number, shift: number, bits: Int32Array): void {
  // Places in a segment are below 2^31: signed ones are computed with faster.
  const signed = new Int32Array(limits.buffer, limits.byteOffset, limits.length);
  const half = (last - first) >> 1;
  const middle = first + half;
  for (let i = first; i < middle; i++) {
    const low = (signed[i] + shift) | 0;
    const high = (signed[i + half] + shift) | 0;
    bits[low >>> 5] |= 1 << low;
    bits[high >>> 5] |= 1 << high;
  }
  if (middle + half < last) {
    const place = signed[last - 1] + shift;
    bits[place >>> 5] |= 1 << place;
  }
}

/** Sets bits [from, to). */
function setBits(bits: Int32Array, from: number, to: number): void {
  if (from >= to) return;
  const [first, last] = [from >>> 5, (to - 1) >>> 5];
  const [head, tail] = [-1 << from, -1 >>> (31 - ((to - 1) & 31))];
  if (first === last) {
    bits[first] |= head & tail;
    return;
  }
  bits[first] |= head;
  if (last - first > 16) bits.fill(-1, first + 1, last);
  else for (let word = first + 1; word < last; word++) bits[word] = -1;
  bits[last] |= tail;
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
  const { base, begins, count } = spans;
  if (count === 0) return;
  if (ceiling.keep && !beyond) {
    ceiling.keep(spans);
    return;
  }
  const limits = new Uint32Array(count);
  ceiling.limits(base, begins, count, limits);
  let kept = 0;
  for (let i = 0; i < count; i++) if (spans.endOf(i) <= limits[i] !== beyond) spans.move(i, kept++);
  spans.count = kept;
}

/** Keeps the spans that contain a range of the source (or, `without`, those that do not). */
export function containing(spans: Spans, source: Source, without: boolean): void {
  const { base, begins, count } = spans;
  if (count === 0) return;
  let last = 0;
  for (let i = 0; i < count; i++) if (spans.endOf(i) > last) last = spans.endOf(i);
  const bits = source.tokenBits?.(base + begins[0], base + last);
  if (bits) {
    containingBits(spans, bits, without);
    return;
  }
  const inner = source.spans(base + begins[0], base + last);
  if (inner.fixedLength > 0) containingFixed(spans, inner, without);
  else containingAny(spans, inner, without);
}

/** Tokens as bits, from the first span's begin on, with a word to spare: does the next one of a span lie in it? */
function containingBits(spans: Spans, bits: Uint32Array, without: boolean): void {
  const { begins, ends, count } = spans;
  const first = begins[0] | 0;
  const flip = without ? 1 : 0;
  // A last one, behind all spans: there is always a next.
  bits[bits.length - 1] = -1;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const begin = begins[i] | 0;
    const end = ends[i] | 0;
    let word = (begin - first) >>> 5;
    let some = bits[word] & (-1 << ((begin - first) & 31));
    while (some === 0) some = bits[++word] | 0;
    const next = ((word << 5) + 31 - Math.clz32(some & -some)) | 0;
    // Written in any case, and kept or not: a branch would be guessed wrong too often.
    begins[kept] = begin;
    ends[kept] = end;
    kept += ((next - (end - first)) >>> 31) ^ flip;
  }
  spans.count = kept;
}

/** Ranges of one length: the first that begins in a span ends first. */
function containingFixed(spans: Spans, inner: Spans, without: boolean): void {
  const { begins, count } = spans;
  const { begins: inside, count: insideCount, fixedLength } = inner;
  const shift = inner.base - spans.base;
  const sparse = count * 8 < insideCount;
  let next = 0;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const begin = begins[i] - shift;
    if (sparse) next = leap(inside, Math.max(0, begin), next, insideCount);
    else while (next < insideCount && inside[next] < begin) next++;
    const contains = next < insideCount && inside[next] + fixedLength + shift <= spans.endOf(i);
    if (contains !== without) spans.move(i, kept++);
  }
  spans.count = kept;
}

function containingAny(spans: Spans, inner: Spans, without: boolean): void {
  const { base, begins, count } = spans;
  // From the last range to the first: the least end so far.
  let next = inner.count - 1;
  let least = Number.POSITIVE_INFINITY;
  const keeps = new Uint8Array(count);
  for (let i = count - 1; i >= 0; i--) {
    for (; next >= 0 && inner.base + inner.begins[next] >= base + begins[i]; next--) {
      least = Math.min(least, inner.base + inner.ends[next]);
    }
    keeps[i] = base + spans.endOf(i) >= least ? 1 : 0;
  }
  let kept = 0;
  for (let i = 0; i < count; i++) if ((keeps[i] === 1) !== without) spans.move(i, kept++);
  spans.count = kept;
}

/** Of the spans with the same begin, the first or the last. */
export function chosen(spans: Spans, choice: Choice): void {
  if (choice === "all" || spans.fixedLength > 0) return;
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
