/**
 * An automaton meets sorted strings. Three ways, for different patterns:
 *
 *   forwards    front-coded strings from their beginning; the state after each byte is kept, so that what is shared with
 *               the string before is not read again; once a prefix decides, whole blocks that begin with it are taken
 *               or left
 *   backwards   decoded strings from their end: for patterns that are choosy at the end and not at the beginning
 *   inside      decoded strings are searched for bytes that every match contains; what has them is read forwards
 *
 * When the automaton gives up reading forwards, backwards takes over where it was: that always ends.
 */
import { stringsPerBlock } from "../../storage/lexicon/format.js";
import type { BackwardDfa } from "./backward.js";
import { ACCEPTED, DEAD, type ForwardDfa, UNKNOWN } from "./dfa.js";
import type { IdCollector } from "./ids.js";
import { endByte } from "./nfa.js";
import { decodedPieces, firstString, type SortedStrings } from "./strings.js";

/**
 * Adds the ids of strings at ranks [from, to) that the automaton accepts; `from` is divisible by 16. Returns `to`, or the
 * rank (divisible by 16) of a string before which all are done, where the automaton gave up.
 */
export function scanForwards(
  sorted: SortedStrings,
  from: number,
  to: number,
  dfa: ForwardDfa,
  found: IdCollector,
): number {
  const { ids, base } = sorted;
  // Asking for the start may make it give up.
  if (from >= to || dfa.start === DEAD) return to;
  if (dfa.start === dfa.stride) {
    found.addRange(ids, from, to, base);
    return to;
  }
  const walk = new Walk(from / stringsPerBlock);
  const end = Math.ceil(to / stringsPerBlock);
  while (walk.block < end && !dfa.gaveUp) {
    const event = walkBlocks(sorted, dfa, walk, Math.min(end, walk.block + batchBlocks), to);
    for (let i = 0; i < walk.count; i++) found.add(base + ids[walk.ranks[i]]);
    walk.count = 0;
    switch (event) {
      case DONE:
        dfa.effort.tick();
        break;
      case MISSING:
        dfa.advance(walk.state, walk.byteClass);
        break;
      case DECIDED: {
        // Everything up to the first string of that block begins with what decided.
        const next = lastWithPrefix(sorted, walk.block, end, walk.length);
        if (walk.accepted) {
          found.addRange(ids, walk.block * stringsPerBlock, next * stringsPerBlock, base);
        }
        walk.block = next;
        break;
      }
      case TOO_LONG:
        walk.states = new Int32Array(walk.length * 2);
        break;
    }
  }
  return Math.min(to, walk.block * stringsPerBlock);
}

/** Blocks that are walked without a break. */
const batchBlocks = 4096;

/** Why walking stopped. */
const [DONE, MISSING, DECIDED, TOO_LONG] = [0, 1, 2, 3];

/** No depth is this large. */
const undecided = 0x7fffffff;

/** Where a walk is while it takes a break. */
class Walk {
  /** Ranks of strings that are accepted. */
  readonly ranks = new Uint32Array(batchBlocks * stringsPerBlock);
  count = 0;
  /** states[d]: the state after d bytes of the current string. */
  states = new Int32Array(1024);
  /** MISSING: the transition. */
  state = 0;
  byteClass = 0;
  /** DECIDED: after how many bytes; TOO_LONG: of how many there are. */
  length = 0;
  accepted = false;

  constructor(
    /** The next one to be read, from its first string on. */
    public block: number,
  ) {}
}

/**
 * The hot loop: no calls, no allocation. Stops at block `end`, at a transition that is not made yet, at a string that is
 * too long, and where the first string of a block is decided by bytes that the first of the next block begins with too.
 */
function walkBlocks(
  { strings, blocks }: SortedStrings,
  { transitions, classOf, stride, start }: ForwardDfa,
  walk: Walk,
  end: number,
  to: number,
): number {
  const { ranks, states } = walk;
  const endColumn = stride - 1;
  const lastBlock = blocks.length - 1;
  let count = walk.count;
  let block = walk.block;
  states[0] = start;
  for (; block < end; block++) {
    const countBefore = count;
    let rank = block * stringsPerBlock;
    const rankEnd = Math.min(rank + stringsPerBlock, to);
    let at = blocks[block];
    /** The string before was decided by one byte more than this, and how. */
    let decidedAt = undecided;
    let accepted = false;
    for (let first = true; rank < rankEnd; rank++, first = false) {
      let shared = 0;
      if (!first) {
        shared = strings[at++];
        for (let shift = 7; shared >> shift > 0; shift += 7) {
          shared = (shared & ((1 << shift) - 1)) | (strings[at++] << shift);
        }
      }
      let rest = strings[at++];
      for (let shift = 7; rest >> shift > 0; shift += 7) {
        rest = (rest & ((1 << shift) - 1)) | (strings[at++] << shift);
      }
      const stop = at + rest;
      if (shared > decidedAt) at = stop;
      else {
        decidedAt = undecided;
        const origin = at;
        let depth = shared;
        let state = states[depth];
        if (depth + rest >= states.length) {
          walk.length = depth + rest;
          walk.block = block;
          walk.count = countBefore;
          return TOO_LONG;
        }
        while (at < stop) {
          const byteClass = classOf[strings[at]];
          const next = transitions[state + byteClass];
          if (next <= stride) {
            if (next === UNKNOWN) {
              walk.state = state;
              walk.byteClass = byteClass;
              walk.block = block;
              walk.count = countBefore;
              return MISSING;
            }
            decidedAt = depth;
            accepted = next === stride;
            at = stop;
            break;
          }
          at++;
          states[++depth] = next;
          state = next;
        }
        if (decidedAt === undecided) accepted = transitions[state + endColumn] === ACCEPTED;
        else if (first && block < lastBlock) {
          const other = blocks[block + 1];
          if (strings[other] > decidedAt && strings[other] < 128) {
            let i = decidedAt;
            while (i >= 0 && strings[other + 1 + i] === strings[origin + i]) i--;
            if (i < 0 && block + 1 < end) {
              walk.length = decidedAt + 1;
              walk.accepted = accepted;
              walk.block = block;
              walk.count = countBefore;
              return DECIDED;
            }
          }
        }
      }
      if (accepted) ranks[count++] = rank;
    }
  }
  walk.block = block;
  walk.count = count;
  return DONE;
}

/** The last block from `block` on, below `end`, whose first string has the same first `length` bytes as that of `block`. */
function lastWithPrefix(sorted: SortedStrings, block: number, end: number, length: number): number {
  const { strings, blocks } = sorted;
  const { at: origin } = firstString(strings, blocks[block]);
  const same = (other: number): boolean => {
    const first = firstString(strings, blocks[other]);
    if (first.length < length) return false;
    for (let i = length - 1; i >= 0; i--) if (strings[first.at + i] !== strings[origin + i]) return false;
    return true;
  };
  let low = block;
  let step = 1;
  while (low + step < end && same(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, end);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (same(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The same for all strings at ranks [from, to), from their ends; `from` is divisible by 16. */
export function scanBackwards(
  sorted: SortedStrings,
  from: number,
  to: number,
  dfa: BackwardDfa,
  found: IdCollector,
): void {
  const { ids, base } = sorted;
  for (const { firstRank, bytes, starts } of decodedPieces(sorted, from, to)) {
    // Most strings are told by their last byte.
    const states = lastBytes(dfa);
    const count = starts.length - 1;
    for (let i = 0; i < count; i++) {
      if (i % 16384 === 0) dfa.effort.tick();
      if (states[bytes[starts[i + 1] - 2]] === DEAD) continue;
      if (dfa.accepts(bytes, starts[i], starts[i + 1] - 1)) found.add(base + ids[firstRank + i]);
    }
  }
}

/** By the last byte of a string: DEAD, if none that ends so is accepted. The byte before an empty string is endByte. */
function lastBytes(dfa: BackwardDfa): Int32Array {
  const states = new Int32Array(256).fill(UNKNOWN);
  for (let byte = 0; byte < endByte; byte++) {
    const byteClass = dfa.classOf[byte];
    states[byte] = dfa.start <= dfa.stride ? dfa.start : dfa.transitions[dfa.start + byteClass];
    if (states[byte] === UNKNOWN) states[byte] = dfa.advance(dfa.start, byteClass);
  }
  if (dfa.start <= dfa.stride) states[endByte] = dfa.start;
  return states;
}

/**
 * The same for strings that contain `needle`; `accepts` is asked about each of those, unless it is left out. Returns `to`, or
 * the rank (divisible by 16) before which all is done, where so many strings have it that searching does not pay.
 */
export function scanInside(
  sorted: SortedStrings,
  from: number,
  to: number,
  needle: Uint8Array,
  accepts: ((bytes: Uint8Array, from: number, to: number) => boolean) | undefined,
  found: IdCollector,
): number {
  const { ids, base } = sorted;
  for (const { firstRank, bytes: all, starts } of decodedPieces(sorted, from, to)) {
    const count = starts.length - 1;
    const bytes = all.subarray(0, starts[count]);
    let hits = 0;
    let rank = 0;
    let at = starts[0];
    while (rank < count) {
      at = bytes.indexOf(needle, at);
      if (at < 0) break;
      rank = rankOf(starts, rank, at);
      if (!accepts || accepts(bytes, starts[rank], starts[rank + 1] - 1))
        found.add(base + ids[firstRank + rank]);
      rank++;
      at = starts[rank];
      hits++;
      if (hits > 256 && hits * 10 > rank) {
        const done = firstRank + rank;
        // Begin anew at the block: the collector takes ids twice.
        return done - (done % stringsPerBlock);
      }
    }
  }
  return to;
}

/** The string that has the byte at offset `at`; it is `rank` or a later one. */
function rankOf(starts: Uint32Array, rank: number, at: number): number {
  let low = rank;
  let step = 1;
  while (low + step < starts.length && starts[low + step] <= at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, starts.length);
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= at) low = middle;
    else high = middle;
  }
  return low;
}
