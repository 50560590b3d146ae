/**
 * Where n-grams may begin. Tokens are read block by block; for each one, `room` says how many tokens from there on may
 * belong to one n-gram: up to the end of the structure, of the subcorpus's range, and to the next token that no n-gram
 * may have.
 */
import type { Structure } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { structureIndex } from "../match/structures.js";
import { keepAll } from "../plan/keep.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { limits } from "./limits.js";
import type { Types } from "./types.js";

/** Which tokens are read, and which of them may belong to n-grams. */
export interface Ground {
  desk: Desk;
  types: Types;
  subcorpus?: Subcorpus;
  /** N-grams lie inside one of these; undefined: anywhere. */
  structure?: Structure;
  /** A 1 for each type that an n-gram may have. */
  each: Uint8Array;
  /** Of n-grams, at most. */
  lengthMax: number;
}

export interface WindowBlock {
  /** The types of tokens from the first one on: behind those where n-grams may begin, what they may go on with. */
  types: Uint32Array;
  /** Tokens where n-grams may begin, and the first one's position. */
  count: number;
  from: number;
  room: Uint8Array;
}

/** What n-grams must have besides; marks by type. */
export interface Conditions {
  starting?: Uint8Array;
  ending?: Uint8Array;
  /** For each of these, some word must be marked. */
  containing: readonly Uint8Array[];
}

/** All blocks in order. A block is good until the next one. */
export async function* windowBlocks(ground: Ground): AsyncGenerator<WindowBlock> {
  const { desk, types, subcorpus, structure, lengthMax } = ground;
  const { snapshot } = desk;
  const { blockTokens } = limits;
  const index = structure && structureIndex(snapshot, structure);
  const block: WindowBlock = {
    types: new Uint32Array(blockTokens + lengthMax),
    count: 0,
    from: 0,
    room: new Uint8Array(blockTokens),
  };
  let range = 0;
  for (let at = 0; at < snapshot.segments.length; at++) {
    const { start, tokens } = snapshot.segments[at];
    const reach = index?.reach(at, keepAll);
    let piece = 0;
    for (let from = start; from < start + tokens; from += block.count) {
      block.from = from;
      block.count = Math.min(blockTokens, start + tokens - from);
      const { room, count } = block;
      if (reach) piece = roomInside(reach, piece, from - start, block, lengthMax);
      else for (let i = 0; i < count; i++) room[i] = Math.min(lengthMax, snapshot.tokens - from - i);
      if (subcorpus) {
        range = roomInRanges(subcorpus, range, block);
        if (!room.subarray(0, count).some((tokens) => tokens > 0)) {
          desk.checkpoint();
          continue;
        }
      }
      const read = Math.min(count + lengthMax - 1, snapshot.tokens - from);
      types.read(from, read, block.types);
      roomBeforeOthers(ground.each, block, read, lengthMax);
      yield block;
      desk.checkpoint();
      const wait = desk.turn();
      if (wait) await wait;
    }
  }
}

/** Room to the end of structures; positions within the segment. Returns the first piece that has not begun. */
function roomInside(
  { begins, limits: ends }: { begins: Uint32Array; limits: Uint32Array },
  piece: number,
  from: number,
  { room, count }: WindowBlock,
  lengthMax: number,
): number {
  const to = from + count;
  let place = from;
  let at = piece;
  while (place < to) {
    while (at < begins.length && begins[at] <= place) at++;
    const next = Math.min(to, at < begins.length ? begins[at] : to);
    // The last one that has begun, if any has.
    const end = at > 0 ? ends[at - 1] : 0;
    const inside = Math.min(next, Math.max(place, end));
    for (; place < inside; place++) room[place - from] = Math.min(lengthMax, end - place);
    for (; place < next; place++) room[place - from] = 0;
  }
  return at;
}

/** No room outside a subcorpus, nor beyond the end of a range. Returns the range to go on from. */
function roomInRanges(
  { begins, ends }: Subcorpus,
  range: number,
  { room, count, from }: WindowBlock,
): number {
  const to = from + count;
  let place = from;
  let at = range;
  while (place < to) {
    while (at < ends.length && ends[at] <= place) at++;
    const begin = at < ends.length ? Math.min(to, begins[at]) : to;
    for (; place < begin; place++) room[place - from] = 0;
    if (place === to) break;
    const end = Math.min(to, ends[at]);
    for (; place < end; place++) {
      const rest = ends[at] - place;
      if (rest < room[place - from]) room[place - from] = rest;
    }
  }
  return at;
}

/** Room to the next token that no n-gram may have. */
function roomBeforeOthers(
  each: Uint8Array,
  { types, room, count }: WindowBlock,
  read: number,
  lengthMax: number,
): void {
  let run = 0;
  for (let i = read - 1; i >= count; i--) run = each[types[i]] === 1 ? run + 1 : 0;
  for (let i = count - 1; i >= 0; i--) {
    run = each[types[i]] === 1 ? Math.min(run + 1, lengthMax) : 0;
    if (run < room[i]) room[i] = run;
  }
}

/** Where n-grams of a length begin in a block, into `out`; returns how many. */
export function starts(block: WindowBlock, length: number, conditions: Conditions, out: Uint32Array): number {
  const { room, count, types } = block;
  const { starting, ending, containing } = conditions;
  let found = 0;
  // Written in any case, and kept or not: a branch would be guessed wrong too often.
  for (let i = 0; i < count; i++) {
    out[found] = i;
    found += room[i] >= length ? 1 : 0;
  }
  if (starting) found = kept(out, found, (i) => starting[types[i]] === 1);
  if (ending) found = kept(out, found, (i) => ending[types[i + length - 1]] === 1);
  for (const marks of containing)
    found = kept(out, found, (i) => {
      for (let k = 0; k < length; k++) if (marks[types[i + k]] === 1) return true;
      return false;
    });
  return found;
}

function kept(out: Uint32Array, count: number, keep: (i: number) => boolean): number {
  let own = 0;
  for (let n = 0; n < count; n++) if (keep(out[n])) out[own++] = out[n];
  return own;
}
