/**
 * What a query's matches come to in the end: of those with the same end, the one that the strategy keeps; widened to
 * structures; the first so many.
 */
import type { Query, Strategy } from "../cql/ast.js";
import { chosen, underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import { allOf, KnownSource } from "./ranges.js";
import type { Ceiling, Choice, Description, Found, Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";

/** How a strategy chooses among matches that begin at the same place. */
export function choiceOf(strategy: Strategy): Choice {
  return strategy === "all" ? "all" : strategy === "longest" ? "last" : "first";
}

/** All matches of a query as a set that is known as a whole: for a query inside another. */
export class ChosenSource implements Source {
  readonly labels: readonly string[];
  readonly inputs: readonly Source[];
  readonly lengthMax = Number.POSITIVE_INFINITY;
  readonly rows: number;
  readonly cost: number;
  readonly window = Number.POSITIVE_INFINITY;
  #matches: Matches | undefined;
  #known: KnownSource | undefined;

  constructor(
    readonly ground: Ground,
    readonly source: Source,
    readonly query?: Pick<Query, "expand" | "cut" | "expression">,
    readonly strategy: Strategy = "all",
    readonly expandIndex?: StructureIndex,
  ) {
    this.inputs = [source];
    this.labels = source.labels;
    this.rows = source.rows;
    this.cost = source.cost;
  }

  prepare(): void {
    this.source.prepare();
  }

  #all(): KnownSource {
    if (!this.#known) {
      this.#matches = settle(this.ground, this.source, this.strategy, this.query, this.expandIndex);
      this.#known = new KnownSource(this.ground, this.#matches.begins, this.#matches.ends, this.describe());
    }
    return this.#known;
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const spans = this.#all().spans(from, to);
    if (ceiling) underCeiling(spans, ceiling);
    chosen(spans, choice);
    return spans;
  }

  at(position: number, limit: number): Found[] {
    this.#all();
    const { begins, ends, from, to } = this.#matches!;
    const found: Found[] = [];
    let i = firstAt(begins, position);
    for (; i < begins.length && begins[i] === position; i++) {
      if (ends[i] > limit) continue;
      found.push({ end: ends[i], labels: labelsOfRange(this.source, from[i], to[i]) });
    }
    return found;
  }

  describe(): Description {
    return {
      operator: this.strategy === "all" ? "all at once" : this.strategy,
    };
  }
}

export function labelsOfRange(source: Source, begin: number, end: number): Found["labels"] {
  if (source.labels.length === 0) return {};
  if (source.bind) return source.bind(begin, end);
  for (const found of source.at(begin, end)) if (found.end === end) return found.labels;
  return {};
}

function firstAt(begins: Float64Array, position: number): number {
  let low = 0;
  let high = begins.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (begins[middle] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Matches, and the ranges they were before they were widened. */
export interface Matches {
  begins: Float64Array;
  ends: Float64Array;
  from: Float64Array;
  to: Float64Array;
}

/** All matches of a source, chosen, widened and cut as its query says. */
export function settle(
  ground: Ground,
  source: Source,
  strategy: Strategy,
  query?: Pick<Query, "expand" | "cut" | "expression">,
  expandIndex?: StructureIndex,
): Matches {
  const byStart = strategy !== "all" && query && !isSetOperation(query.expression);
  const choosing: Source = byStart
    ? { ...proxy(source), spans: (from, to) => source.spans(from, to, undefined, choiceOf(strategy)) }
    : source;
  let { begins, ends } = allOf(ground, choosing);
  if (byStart) ({ begins, ends } = oneStart(begins, ends, strategy));
  let [from, to] = [begins, ends];
  if (query?.expand && expandIndex)
    ({ begins, ends, from, to } = expanded(ground, begins, ends, query.expand, expandIndex));
  const cut = query?.cut;
  if (cut === undefined) return { begins, ends, from, to };
  return {
    begins: begins.slice(0, cut),
    ends: ends.slice(0, cut),
    from: from.slice(0, cut),
    to: to.slice(0, cut),
  };
}

function proxy(source: Source): Source {
  const { labels, lengthMax, rows, cost, window, inputs } = source;
  return {
    inputs,
    labels,
    lengthMax,
    rows,
    cost,
    window,
    prepare: () => source.prepare(),
    spans: (...args) => source.spans(...args),
    at: (...args) => source.at(...args),
    describe: () => source.describe(),
  };
}

/** What a strategy says nothing about. */
export function isSetOperation(e: Query["expression"]): boolean {
  if (e.kind === "labelled") return isSetOperation(e.item);
  return ["meet", "union", "tab", "complement", "edge"].includes(e.kind);
}

/** Of the matches with the same end, the earliest start (shortest: the latest; traditional: all). */
export function oneStart(
  begins: Float64Array,
  ends: Float64Array,
  strategy: Strategy,
): { begins: Float64Array; ends: Float64Array } {
  if (strategy === "traditional" || strategy === "all") return { begins, ends };
  const kept = new Map<number, number>();
  const keep = new Uint8Array(begins.length);
  for (let i = 0; i < begins.length; i++) {
    const before = kept.get(ends[i]);
    if (before === undefined) {
      kept.set(ends[i], i);
      keep[i] = 1;
    } else if (strategy === "shortest") {
      keep[before] = 0;
      keep[i] = 1;
      kept.set(ends[i], i);
    }
    // No later match ends where an earlier one ended before it began.
    if (kept.size > 100_000) for (const end of kept.keys()) if (end <= begins[i]) kept.delete(end);
  }
  return { begins: begins.filter((_, i) => keep[i] === 1), ends: ends.filter((_, i) => keep[i] === 1) };
}

function expanded(
  ground: Ground,
  from: Float64Array,
  to: Float64Array,
  { side, count }: NonNullable<Query["expand"]>,
  index: StructureIndex,
): Matches {
  const { structure } = index;
  const begins = from.slice();
  const ends = to.slice();
  for (let i = 0; i < begins.length; i++) {
    if ((i & 0xfff) === 0) ground.checkpoint();
    const first = side === "right" ? -1 : structure.containing(from[i]);
    const last = side === "left" ? -1 : structure.containing(to[i] - 1);
    for (let n = Math.max(0, first - count + 1); n <= first; n++)
      begins[i] = Math.min(begins[i], structure.range(n)[0]);
    if (last < 0) continue;
    for (let n = last; n < Math.min(structure.count, last + count); n++)
      ends[i] = Math.max(ends[i], structure.range(n)[1]);
  }
  const order = Array.from(begins.keys()).sort((a, b) => begins[a] - begins[b] || ends[a] - ends[b] || a - b);
  const once = order.filter(
    (i, n) => n === 0 || begins[i] !== begins[order[n - 1]] || ends[i] !== ends[order[n - 1]],
  );
  const pick = (column: Float64Array) => Float64Array.from(once, (i) => column[i]);
  return { begins: pick(begins), ends: pick(ends), from: pick(from), to: pick(to) };
}
