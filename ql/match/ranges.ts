/** Sources that are sets of ranges: structures, unions, complements, and ranges that are known as a whole. */
import { gallop, leap } from "../../storage/cursor.js";
import { QueryError } from "../plan/errors.js";
import type { Keep } from "../plan/keep.js";
import { limits } from "../plan/limits.js";
import { chosen, underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import type { Room } from "./room.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";
import { SpansByBegin } from "./window.js";

abstract class RangeSource implements Source {
  readonly labels: readonly string[] = [];
  abstract readonly lengthMax: number;
  abstract readonly rows: number;
  abstract readonly cost: number;
  abstract readonly window: number;
  #byBegin: SpansByBegin | undefined;

  constructor(readonly ground: Ground) {}

  prepare(): void {}

  protected abstract find(from: number, to: number, room?: Room): Spans;

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all", room?: Room): Spans {
    const found = this.find(from, to, room);
    if (ceiling) underCeiling(found, ceiling);
    chosen(found, choice);
    return found;
  }

  at(position: number, limit: number): Iterable<Found> {
    this.#byBegin ??= new SpansByBegin(this, this.ground.tokens);
    return this.#byBegin.at(position, limit);
  }

  readonly inputs: readonly Source[] = [];

  abstract describe(): Description;
}

/** <s …/> */
export class StructureSource extends RangeSource {
  readonly lengthMax = Number.POSITIVE_INFINITY;
  readonly rows: number;
  readonly cost: number;
  readonly window = Number.POSITIVE_INFINITY;

  constructor(
    ground: Ground,
    readonly index: StructureIndex,
    readonly keep: Keep,
  ) {
    super(ground);
    this.rows = Math.ceil(index.structure.count * keep.share);
    this.cost = index.structure.count * 2;
  }

  protected find(from: number, to: number, room?: Room): Spans {
    const found = new Spans(from, room);
    const { segments } = this.ground.snapshot;
    let inOrder = true;
    for (let at = this.ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      const { start, begins, ends, count, carriedIn, carriedOut } = this.index.pieces(at);
      const kept = this.keep.ofSegment(at);
      const shift = start - from;
      let i = Math.max(carriedIn, gallop(begins, Math.max(0, from - start), 0, count));
      if (!kept && this.index.isFlat(at) && carriedOut.length === 0) {
        const last = gallop(begins, to - start, i, count);
        found.reserve(last - i);
        const { begins: foundBegins, ends: foundEnds } = found;
        let next = found.count;
        for (; i < last; i++, next++) {
          foundBegins[next] = begins[i] + shift;
          foundEnds[next] = ends[i] + shift;
        }
        found.count = next;
        continue;
      }
      inOrder = false;
      for (; i < count && begins[i] + start < to; i++) {
        if (kept && !kept[i]) continue;
        const end = carriedOut.length > 0 ? this.index.endOf(at, i) - start : ends[i];
        if (end > begins[i]) found.push(begins[i] + shift, end + shift);
      }
    }
    if (!inOrder) found.sort();
    return found;
  }

  /** Those that begin in [from, to) around ranges of another source; undefined where some lie inside others. */
  around(from: number, to: number, inner: Source): Spans | undefined {
    const { ground, index } = this;
    const { segments } = ground.snapshot;
    const found = new Spans(from);
    for (let at = ground.firstTouching(from); at < segments.length && segments[at].start < to; at++) {
      if (!index.isFlat(at)) return undefined;
      const { start, begins, ends, count, carriedIn, carriedOut } = index.pieces(at);
      if (count === 0) continue;
      if (carriedIn > 0 || carriedOut.length > 0) return undefined;
      const kept = this.keep.ofSegment(at);
      const low = gallop(begins, Math.max(0, from - start), 0, count);
      const high = gallop(begins, Math.max(0, to - start), low, count);
      if (low === high) continue;
      const {
        base,
        begins: inBegins,
        ends: inEnds,
        count: inCount,
      } = inner.spans(start + begins[low], start + ends[high - 1]);
      found.reserve(Math.min(inCount, high - low));
      const { begins: foundBegins, ends: foundEnds } = found;
      const shift = start - from;
      let next = found.count;
      let i = low;
      let last = -1;
      for (let n = 0; n < inCount; n++) {
        const begin = base + inBegins[n] - start;
        i = leap(begins, begin + 1, i, high) - 1;
        if (i < low) {
          i = low;
          continue;
        }
        if (i === last || (kept && !kept[i]) || base + inEnds[n] - start > ends[i]) continue;
        last = i;
        foundBegins[next] = begins[i] + shift;
        foundEnds[next++] = ends[i] + shift;
      }
      found.count = next;
    }
    return found;
  }

  describe(): Description {
    const { structure } = this.index;
    return {
      operator: "structures",
      detail: `<${structure.name}${this.keep.text && ` ${this.keep.text}`}/>`,
    };
  }
}

/** Several structures in a row: within 2 s. As many of them as there are at the end of the corpus. */
export function runsOfStructures(ground: Ground, index: StructureIndex, count: number): Spans {
  const { structure } = index;
  const found = new Spans(0, structure.count);
  const ranges: [number, number][] = [];
  for (let number = 0; number < structure.count; number++) ranges.push(structure.range(number));
  for (let number = 0; count > 0 && number < ranges.length; number++) {
    let end = 0;
    for (let i = number; i < Math.min(ranges.length, number + count); i++) end = Math.max(end, ranges[i][1]);
    if (ranges[number][0] < ground.tokens) found.push(ranges[number][0], end);
  }
  found.sort();
  return found;
}

/** Ranges that are known as a whole, by begin then end. */
export class KnownSource extends RangeSource {
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window = Number.POSITIVE_INFINITY;

  constructor(
    ground: Ground,
    /** Global positions. */
    readonly begins: Float64Array,
    readonly ends: Float64Array,
    readonly description: Description,
  ) {
    super(ground);
    let longest = 0;
    for (let i = 0; i < begins.length; i++) longest = Math.max(longest, ends[i] - begins[i]);
    this.lengthMax = longest;
    this.rows = begins.length;
    this.cost = begins.length;
  }

  protected find(from: number, to: number): Spans {
    const found = new Spans(from);
    let low = 0;
    let high = this.begins.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.begins[middle] < from) low = middle + 1;
      else high = middle;
    }
    for (; low < this.begins.length && this.begins[low] < to; low++) {
      found.push(this.begins[low] - from, this.ends[low] - from);
    }
    return found;
  }

  describe(): Description {
    return this.description;
  }
}

/** All ranges of a source: for what has to know them before it can begin. */
export function allOf(ground: Ground, source: Source): { begins: Float64Array; ends: Float64Array } {
  const parts: Spans[] = [];
  let total = 0;
  for (const [from, to] of windowsOf(ground, source.window)) {
    ground.checkpoint();
    const spans = source.spans(from, to);
    total += spans.count;
    if (total > limits.rangesMax) {
      throw new QueryError(
        "too_many_ranges",
        `a part of the query has more than ${limits.rangesMax} matches, and all of them have to be known (limit rangesMax)`,
        "Make that part more specific.",
      );
    }
    if (spans.count > 0) parts.push(spans);
  }
  const begins = new Float64Array(total);
  const ends = new Float64Array(total);
  let at = 0;
  for (const spans of parts) {
    for (let i = 0; i < spans.count; i++) {
      begins[at] = spans.base + spans.begins[i];
      ends[at++] = spans.base + spans.ends[i];
    }
  }
  return { begins, ends };
}

/** The corpus in pieces of at most so many tokens, none over the border of a segment. The first ones may be small. */
export function* windowsOf(
  ground: Ground,
  window: number,
  from = 0,
  first = 1 << 13,
): Generator<[from: number, to: number]> {
  let size = Math.min(window, first);
  for (const { start, tokens } of ground.snapshot.segments) {
    for (let at = Math.max(start, from); at < start + tokens; ) {
      const whole = window === Number.POSITIVE_INFINITY;
      const to = whole ? start + tokens : Math.min(start + tokens, at + size);
      yield [at, to];
      at = to;
      size = Math.min(window, size * 2);
    }
  }
}

/** !(item) */
export class ComplementSource extends RangeSource {
  override readonly inputs: readonly Source[];
  readonly lengthMax = Number.POSITIVE_INFINITY;
  readonly rows: number;
  readonly cost: number;
  readonly window = Number.POSITIVE_INFINITY;
  #known: KnownSource | undefined;

  constructor(
    ground: Ground,
    readonly item: Source,
  ) {
    super(ground);
    this.inputs = [item];
    this.rows = item.rows;
    this.cost = item.cost + item.rows * 10;
  }

  override prepare(): void {
    this.item.prepare();
  }

  protected find(from: number, to: number): Spans {
    this.#known ??= this.#compute();
    return this.#known.spans(from, to);
  }

  #compute(): KnownSource {
    const { begins, ends } = allOf(this.ground, this.item);
    const [freeFrom, freeTo]: [number[], number[]] = [[], []];
    let covered = 0;
    const { tokens } = this.ground;
    for (let i = 0; i <= begins.length; i++) {
      const next = i < begins.length ? begins[i] : tokens;
      if (next > covered) {
        freeFrom.push(covered);
        freeTo.push(next);
      }
      if (i < begins.length) covered = Math.max(covered, ends[i]);
    }
    return new KnownSource(
      this.ground,
      Float64Array.from(freeFrom),
      Float64Array.from(freeTo),
      this.describe(),
    );
  }

  describe(): Description {
    return {
      operator: "complement",
    };
  }
}

/** (union a b) */
export class UnionSource extends RangeSource {
  override readonly labels: readonly string[];
  override readonly inputs: readonly Source[];
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;

  constructor(
    ground: Ground,
    readonly items: Source[],
  ) {
    super(ground);
    this.inputs = items;
    this.labels = [...new Set(items.flatMap(({ labels }) => labels))];
    this.lengthMax = Math.max(...items.map(({ lengthMax }) => lengthMax));
    this.rows = items.reduce((sum, { rows }) => sum + rows, 0);
    this.cost = items.reduce((sum, { cost }) => sum + cost, 0) + this.rows * 40;
    this.window = Math.min(...items.map(({ window }) => window));
  }

  override prepare(): void {
    for (const item of this.items) item.prepare();
  }

  protected find(from: number, to: number): Spans {
    const found = new Spans(from);
    for (const item of this.items) {
      const { begins, ends, count } = item.spans(from, to);
      found.append(begins.subarray(0, count), ends.subarray(0, count));
    }
    found.sort();
    return found;
  }

  override *at(position: number, limit: number): Iterable<Found> {
    for (const item of this.items) yield* firstPerEnd(item.at(position, limit), limit, position);
  }

  describe(): Description {
    return {
      operator: "union",
    };
  }
}

/** Of the ways to match from a position, the first to each end: what stands for a range where only ranges count. */
export function firstPerEnd(found: Iterable<Found>, limit: number, position: number): Found[] {
  const byEnd = new Map<number, Found>();
  for (const one of found) {
    if (one.end <= limit && one.end > position && !byEnd.has(one.end)) byEnd.set(one.end, one);
  }
  return [...byEnd.values()].sort((a, b) => a.end - b.end);
}
