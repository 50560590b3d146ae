/** A prepared query run in this thread: blocks of matches in order, or their number. */
import { choiceOf, isSetOperation, labelsOfRange, type Matches, settle } from "../match/chosen.js";
import { PatternSource } from "../match/pattern.js";
import { windowsOf } from "../match/ranges.js";
import type { Bindings, Spans } from "../match/source.js";
import type { Prepared } from "./prepare.js";
import { type Block, StartChooser } from "./strategy.js";

/** Does the strategy choose among the matches? It has nothing to say about sets. */
export function isChoosing({ strategy, query }: Pick<Prepared, "strategy" | "query">): boolean {
  return strategy !== "all" && !isSetOperation(query.expression);
}

/** Matches that begin in [from, to), one start to an end not yet chosen. */
export function* windows(prepared: Prepared, from = 0, to = Number.POSITIVE_INFINITY): Generator<Spans> {
  const { ground, source } = prepared;
  const choice = isChoosing(prepared) ? choiceOf(prepared.strategy) : "all";
  for (const [a, b] of windowsOf(ground, source.window, from)) {
    if (a >= to) return;
    ground.checkpoint();
    yield source.spans(a, Math.min(b, to), undefined, choice);
  }
}

/** All matches in order, chosen, widened and cut as the query says. */
export function* run(prepared: Prepared): Generator<Block> {
  const { query, strategy, ground, source, expandIndex } = prepared;
  if (query.expand) {
    yield* blocksOf(settle(ground, source, strategy, query, expandIndex));
    return;
  }
  const chooser = new StartChooser(isChoosing(prepared) ? strategy : "all");
  yield* upTo(query.cut, function* () {
    for (const block of windows(prepared)) yield chooser.push(block);
    yield chooser.finish();
  });
}

/** Matches that are known as a whole, some thousand at a time. */
function* blocksOf({ begins, ends, from, to }: Matches): Generator<Block> {
  for (let first = 0; first < begins.length; first += blockMatches) {
    const last = Math.min(first + blockMatches, begins.length);
    const count = last - first;
    // What lies wider began earlier, but in no order.
    const columns = (froms: Float64Array, tos: Float64Array) => {
      const base = froms.subarray(first, last).reduce((a, b) => Math.min(a, b));
      const fromBase = (column: Float64Array) =>
        Uint32Array.from(column.subarray(first, last), (at) => at - base);
      return { base, begins: fromBase(froms), ends: fromBase(tos) };
    };
    yield { count, ...columns(begins, ends), before: columns(from, to) };
  }
}

const blockMatches = 1 << 16;

/** The first so many matches. */
export function* upTo(limit: number | undefined, blocks: () => Iterable<Block>): Generator<Block> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for (const block of blocks()) {
    if (block.count === 0) continue;
    if (block.count >= left) {
      const { base, begins, ends, before } = block;
      yield { base, count: left, begins, ends, ...(before && { before }) };
      return;
    }
    left -= block.count;
    yield block;
  }
}

/** How many matches there are: from the lexicon where one token is asked for by one attribute. */
export function count(prepared: Prepared): number {
  const { query, source } = prepared;
  const known = knownCount(prepared);
  if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
  if (query.expand || query.cut !== undefined || isChoosing(prepared)) {
    let total = 0;
    for (const block of run(prepared)) total += block.count;
    return total;
  }
  let total = 0;
  for (const [from, to] of windowsOf(prepared.ground, source.window)) {
    prepared.ground.checkpoint();
    total += source.spans(from, to).count;
  }
  return total;
}

/** Where nothing has to be looked at to know. */
export function knownCount({ query, source }: Prepared): number | undefined {
  if (query.expand || query.filters.length > 0 || query.where) return undefined;
  return source.expression instanceof PatternSource ? source.expression.knownCount : undefined;
}

/** What the labels of match number `i` of a block are bound to. (Of one that was widened: of the first that it was.) */
export function labelsOf({ source }: Prepared, block: Block, i: number): Bindings {
  const { base, begins, ends } = block.before ?? block;
  return labelsOfRange(source, base + begins[i], base + ends[i]);
}
