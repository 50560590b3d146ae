/**
 * Patterns with parts that are found on their own (a structure as a whole, meet, a query in brackets), as sets of ranges:
 * what stands before such a part, the part, and what stands behind it are found each by itself, window by window, and
 * joined where one ends and the next begins. No start is walked from.
 *
 * A `Part` has ranges of at least one token; whether it may also be left out is said beside them.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import { type Ceiling, type Source, Spans } from "./source.js";

/** Places further apart than this are looked at one by one. */
const apartTokens = 1 << 14;

export interface Part {
  /** May nothing at all stand for it? */
  readonly empty: boolean;
  readonly inputs: readonly Source[];
  /** Its ranges that begin in [from, to), by begin then end, each once. Some may reach beyond the ceiling. */
  find(from: number, to: number, ceiling?: Ceiling): Spans;
}

/** What a source finds. */
export class FoundPart implements Part {
  readonly inputs: readonly Source[];

  constructor(
    readonly source: Source,
    readonly empty: boolean,
    /** A pattern has to know how far it may reach; what stands for itself is the same whatever is around it. */
    readonly bounded: boolean,
  ) {
    this.inputs = [source];
  }

  find(from: number, to: number, ceiling?: Ceiling): Spans {
    return this.source.spans(from, to, this.bounded ? ceiling : undefined);
  }
}

/** A boundary, or a look ahead: no tokens wide. Both sources find single tokens. */
export class BoundaryPart {
  readonly inputs: readonly Source[];

  constructor(
    /** Tokens that have it before them. */
    readonly before: Source,
    /** Tokens that have it behind them. */
    readonly behind: Source,
  ) {
    this.inputs = [before, behind];
  }

  /** Of the spans, those that begin there. */
  keepBegins(spans: Spans): void {
    if (spans.count === 0) return;
    const { base, begins, count } = spans;
    const found = this.before.spans(base + begins[0], base + begins[count - 1] + 1);
    const places = new Places(found.base, found);
    spans.filter((begin) => places.has(base + begin));
  }

  /** … and those that end there. */
  keepEnds(spans: Spans): void {
    const { base } = spans;
    const clusters = clustersOfEnds(spans).map(
      ({ from, to }) => new Places(from, this.behind.spans(Math.max(0, from - 1), to - 1), 1),
    );
    spans.filter((_, end) => {
      // The last that begins there or before.
      let low = 0;
      let high = clusters.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (clusters[middle].from <= base + end) low = middle + 1;
        else high = middle;
      }
      return clusters[low - 1].has(base + end);
    });
  }
}

/** Where some spans begin (or, moved by `shift`, end): a bit for each place. */
class Places {
  readonly #bits: Uint32Array;

  constructor(
    readonly from: number,
    { base, begins, count }: Spans,
    shift = 0,
  ) {
    const last = count > 0 ? base + begins[count - 1] + shift - from : -1;
    this.#bits = new Uint32Array((Math.max(0, last) >>> 5) + 1);
    for (let i = 0; i < count; i++) {
      const place = base + begins[i] + shift - from;
      this.#bits[place >>> 5] |= 1 << (place & 31);
    }
  }

  has(position: number): boolean {
    const place = position - this.from;
    return place >= 0 && ((this.#bits[place >>> 5] >>> (place & 31)) & 1) === 1;
  }
}

export class SequencePart implements Part {
  readonly empty: boolean;
  readonly inputs: readonly Source[];

  constructor(
    readonly ground: Ground,
    readonly items: readonly (Part | BoundaryPart)[],
  ) {
    this.empty = items.every((item) => !(item instanceof BoundaryPart) && item.empty);
    this.inputs = items.flatMap(({ inputs }) => inputs);
  }

  find(from: number, to: number, ceiling?: Ceiling): Spans {
    let found = new Spans(from);
    /** May all items so far be left out? Then these boundaries stand where the sequence begins. */
    let nothingYet = true;
    const boundaries: BoundaryPart[] = [];
    for (const item of this.items) {
      if (item instanceof BoundaryPart) {
        item.keepEnds(found);
        if (nothingYet) boundaries.push(item);
        continue;
      }
      const longer = joined(this.ground, found, item, ceiling);
      if (item.empty) addAll(longer, found);
      if (nothingYet) {
        const first = item.find(from, to, ceiling);
        for (const boundary of boundaries) boundary.keepBegins(first);
        addAll(longer, first);
      }
      found = settled(longer, ceiling);
      if (!item.empty) nothingYet = false;
      if (found.count === 0 && !nothingYet) break;
    }
    return found;
  }
}

export class AlternativesPart implements Part {
  readonly empty: boolean;
  readonly inputs: readonly Source[];

  constructor(readonly items: readonly Part[]) {
    this.empty = items.some(({ empty }) => empty);
    this.inputs = items.flatMap(({ inputs }) => inputs);
  }

  find(from: number, to: number, ceiling?: Ceiling): Spans {
    const found = new Spans(from);
    for (const item of this.items) addAll(found, item.find(from, to, ceiling));
    return settled(found, ceiling);
  }
}

export class RoundsPart implements Part {
  readonly empty: boolean;
  readonly inputs: readonly Source[];

  constructor(
    readonly ground: Ground,
    readonly item: Part,
    readonly min: number,
    readonly max: number,
  ) {
    this.empty = min === 0 || item.empty;
    this.inputs = item.inputs;
  }

  find(from: number, to: number, ceiling?: Ceiling): Spans {
    const all = new Spans(from);
    if (this.max === 0) return all;
    // Rounds that consume nothing make up what is missing.
    const min = this.item.empty ? 0 : this.min;
    const first = new Spans(from);
    addAll(first, this.item.find(from, to, ceiling));
    let last = settled(first, ceiling);
    for (let round = 1; last.count > 0; round++) {
      if (round >= min) addAll(all, last);
      if (round >= this.max) break;
      last = settled(joined(this.ground, last, this.item, ceiling), ceiling);
    }
    return settled(all, ceiling);
  }
}

/** Each of the spans with each range of the part that begins where it ends. */
function joined(ground: Ground, spans: Spans, part: Part, ceiling?: Ceiling): Spans {
  const { base, begins, ends, count } = spans;
  const longer = new Spans(base);
  for (const { from, to } of clustersOfEnds(spans)) {
    ground.checkpoint();
    if (from >= ground.tokens) continue;
    const next = part.find(from, Math.min(to, ground.tokens), ceiling);
    if (next.count === 0) continue;
    const { begins: nextBegins, ends: nextEnds } = next;
    /** Number of the first range that begins at each place or behind it. */
    const firsts = new Uint32Array(to - from + 1).fill(next.count);
    const shift = next.base - from;
    for (let i = next.count - 1; i >= 0; i--) firsts[nextBegins[i] + shift] = i;
    const toNext = base - next.base;
    for (let i = 0; i < count; i++) {
      const place = base + ends[i] - from;
      if (place < 0 || place >= to - from) continue;
      const begin = ends[i] + toNext;
      for (let n = firsts[place]; n < next.count && nextBegins[n] === begin; n++)
        longer.push(begins[i], nextEnds[n] - toNext);
    }
    if (longer.count > limits.rangesMax) throw tooMany();
  }
  return longer;
}

/** Stretches [from, to) that have all the places where spans end, and no long stretch without one. */
function clustersOfEnds({ base, ends, count }: Spans): { from: number; to: number }[] {
  const places = ends.slice(0, count).sort();
  const clusters: { from: number; to: number }[] = [];
  for (let i = 0; i < count; i++) {
    const last = clusters.at(-1);
    const place = base + places[i];
    if (last && place - last.to < apartTokens) last.to = place + 1;
    else clusters.push({ from: place, to: place + 1 });
  }
  return clusters;
}

function addAll(spans: Spans, others: Spans): void {
  const { base, begins, ends, count } = others;
  const shift = base - spans.base;
  spans.reserve(count);
  const { begins: ownBegins, ends: ownEnds } = spans;
  for (let i = 0; i < count; i++) {
    ownBegins[spans.count] = begins[i] + shift;
    ownEnds[spans.count++] = ends[i] + shift;
  }
}

/** In order, each once, and none that reaches too far. */
function settled(spans: Spans, ceiling: Ceiling | undefined): Spans {
  spans.sort();
  if (ceiling) underCeiling(spans, ceiling);
  return spans;
}

function tooMany(): QueryError {
  return new QueryError(
    "too_many_ranges",
    `a stretch of the corpus has more than ${limits.rangesMax} matches of a part of the query (limit rangesMax)`,
    "Make that part more specific.",
  );
}
