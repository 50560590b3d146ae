/** A prepared query run in this thread: blocks of matches in order, or their number. */
import { choiceOf, isSetOperation, labelsOfRange, type Matches, settle } from "../match/chosen.js";
import { PatternSource } from "../match/pattern.js";
import { windowsOf } from "../match/ranges.js";
import { type Room, Rooms } from "../match/room.js";
import type { Bindings, Spans } from "../match/source.js";
import { limits } from "../plan/limits.js";
import type { Prepared } from "./prepare.js";
import { type Block, StartChooser } from "./strategy.js";

/** Does the strategy choose among the matches? It has nothing to say about sets. */
export function isChoosing({ strategy, query }: Pick<Prepared, "strategy" | "query">): boolean {
  return strategy !== "all" && !isSetOperation(query.expression);
}

/** How many matches begin in each window of [from, to), if the strategy has nothing to say. */
export function* counts(prepared: Prepared, from = 0, to = Number.POSITIVE_INFINITY): Generator<number> {
  const { ground, source } = prepared;
  for (const [a, b] of windowsOf(ground, source.window, from, source.window)) {
    if (a >= to) return;
    ground.checkpoint();
    yield source.count(a, Math.min(b, to));
  }
}

/** Rooms for matches that this thread finds, where nobody keeps them. */
export const rooms = new Rooms(false, limits.roomBytesMax);

/**
 * Matches that begin in [from, to), one start to an end not yet chosen. Each block is good until the next is asked for,
 * unless `roomOf` gives every one a room of its own.
 */
export function* windows(
  prepared: Prepared,
  from = 0,
  to = Number.POSITIVE_INFINITY,
  roomOf?: () => Room,
): Generator<Spans> {
  const { ground, source } = prepared;
  const choice = isChoosing(prepared) ? choiceOf(prepared.strategy) : "all";
  const room = roomOf ? undefined : rooms.take();
  try {
    for (const [a, b] of windowsOf(ground, source.window, from, from === 0 ? undefined : source.window)) {
      if (a >= to) return;
      ground.checkpoint();
      yield source.spans(a, Math.min(b, to), undefined, choice, room ?? roomOf!());
    }
  } finally {
    if (room) rooms.give(room);
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
  yield* upTo(query.cut, chosenBlocks(prepared, chooser));
}

function* chosenBlocks(prepared: Prepared, chooser: StartChooser): Generator<Block> {
  for (const block of windows(prepared)) yield chooser.push(block);
  yield chooser.finish();
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

/** The first so many matches. Blocks without any come through too: whoever waits sees that the work goes on. */
export function* upTo(limit: number | undefined, blocks: Iterable<Block>): Generator<Block> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return;
  for (const block of blocks) {
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
  const { query } = prepared;
  const known = knownCount(prepared);
  if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
  if (query.expand || query.cut !== undefined || isChoosing(prepared)) {
    let total = 0;
    for (const block of run(prepared)) total += block.count;
    return total;
  }
  let total = 0;
  for (const some of counts(prepared)) total += some;
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
