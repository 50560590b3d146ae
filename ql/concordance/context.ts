/**
 * How much is shown around a hit.
 *
 *   context = 10            so many tokens on each side
 *           | 40c           whole tokens, as many as fit into so many characters of the text, spaces between them included
 *           | 1s | 2 p      whole structures: the rest of the one that the hit lies in is the first
 *
 * The structure that a hit lies in is the innermost around its first token; on the right, if that has not got the
 * hit's last token, the innermost around the last one. Where there is none, so many tokens as `fallbackTokens` says.
 */
import { DugongError, type Snapshot, type Structure } from "../../storage/index.js";
import { structureNumbers } from "../chain/around.js";
import type { Hits, Positions, Ranges } from "../chain/hits.js";
import { limits } from "./limits.js";

export type Context = { tokens: number } | { characters: number } | { structure: string; count?: number };

/** What is shown of each hit: [froms[i], tos[i]) with the hit in it. */
export interface Extents {
  froms: Float64Array;
  tos: Float64Array;
}

export function parseContext(text: string): Context {
  const [, digits, unit] = /^\s*(\d{1,9})\s*([\p{L}_][\p{L}\p{N}_.:-]*)?\s*$/u.exec(text) ?? [];
  if (digits === undefined) {
    throw new DugongError(
      "bad_context",
      `${JSON.stringify(text)} is not a context`,
      'Write a number of tokens, "10", of characters, "40c", or of structures, "1 s".',
    );
  }
  const count = Number(digits);
  if (unit === undefined) return { tokens: count };
  return unit === "c" ? { characters: count } : { structure: unit, count };
}

/** As it can be read again. */
export function printContext(context: Context): string {
  if ("tokens" in context) return String(context.tokens);
  return "characters" in context ? `${context.characters}c` : `${context.count ?? 1} ${context.structure}`;
}

/**
 * The extents of hits. Those in characters come out as far as they may reach at all: no token has less than a
 * character, so that words have to be looked at to know better.
 */
export function extentsOf(snapshot: Snapshot, hits: Hits, context: Context): Extents {
  if (!("structure" in context))
    return tokensAround(snapshot, hits, "tokens" in context ? context.tokens : context.characters);
  const structure = snapshot.structure(context.structure);
  const { count = 1 } = context;
  const extents = tokensAround(snapshot, hits, count === 0 ? 0 : limits.fallbackTokens);
  if (count === 0) return extents;
  const firsts = numbersAround(snapshot, structure, hits.begins, hits);
  const lasts = lastNumbers(snapshot, structure, hits, firsts);
  const [leftmost, rightmost] = [new Ends(structure, "begin"), new Ends(structure, "end")];
  for (let i = 0; i < hits.count; i++) {
    if (firsts[i] >= 0) extents.froms[i] = leftmost.of(Math.max(0, firsts[i] - count + 1));
    if (lasts[i] < 0) continue;
    const further = Math.min(structure.count - 1, lasts[i] + count - 1);
    extents.tos[i] = Math.max(rightmost.of(lasts[i]), rightmost.of(further));
  }
  return extents;
}

function tokensAround({ tokens }: Snapshot, { begins, ends, count }: Hits, around: number): Extents {
  const [froms, tos] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) froms[i] = Math.max(0, begins[i] - around);
  for (let i = 0; i < count; i++) tos[i] = Math.min(tokens, ends[i] + around);
  return { froms, tos };
}

/** The innermost structure around each position, or −1: few are looked up, many are merged with all there are. */
export function numbersAround(
  snapshot: Snapshot,
  structure: Structure,
  positions: Positions,
  { count, ascending }: Pick<Hits, "count" | "ascending">,
): Float64Array {
  if (count > limits.lookupHitsMax)
    return structureNumbers(snapshot, structure, { begins: positions, count, ascending });
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) numbers[i] = structure.containing(positions[i]);
  return numbers;
}

/** The structure around each hit's last token: the first token's, if the hit ends in it. */
function lastNumbers(
  snapshot: Snapshot,
  structure: Structure,
  { begins, ends, count }: Ranges & { count: number },
  firsts: Float64Array,
): Float64Array {
  const lasts = Float64Array.from(firsts);
  const rightmost = new Ends(structure, "end");
  const others: number[] = [];
  for (let i = 0; i < count; i++) {
    if (ends[i] <= begins[i] + 1 || (firsts[i] >= 0 && ends[i] <= rightmost.of(firsts[i]))) continue;
    others.push(i);
  }
  const positions = Float64Array.from(others, (i) => ends[i] - 1);
  const numbers = numbersAround(snapshot, structure, positions, { count: others.length, ascending: false });
  others.forEach((i, n) => {
    lasts[i] = numbers[n];
  });
  return lasts;
}

/** Where structures begin or end; hits in order ask for the same one again and again. */
class Ends {
  #number = -1;
  #position = 0;

  constructor(
    readonly structure: Structure,
    readonly side: "begin" | "end",
  ) {}

  of(number: number): number {
    if (number === this.#number) return this.#position;
    const [begin, end] = this.structure.range(number);
    this.#number = number;
    this.#position = this.side === "begin" ? begin : end;
    return this.#position;
  }
}

/** Cuts extents to what may be shown, `matchMax` tokens of a hit and `sideMax` on each side of it; says which were. */
export function bound(
  { begins, ends, count }: Hits,
  { froms, tos }: Extents,
  { sideMax, matchMax }: { sideMax: number; matchMax: number },
): Uint8Array {
  const cut = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const [from, to] = [begins[i] - sideMax, ends[i] + sideMax];
    if (froms[i] >= from && tos[i] <= to && ends[i] - begins[i] <= matchMax) continue;
    cut[i] = 1;
    froms[i] = Math.max(froms[i], from);
    tos[i] = Math.min(tos[i], to);
    // A hit that is cut itself has nothing behind it.
    if (ends[i] - begins[i] > matchMax) tos[i] = begins[i] + matchMax;
  }
  return cut;
}

/** How many of the first extents have together no more than so many tokens: one at least, if there is any. */
export function fitting({ froms, tos }: Extents, tokensMax: number): number {
  let count = 0;
  for (let tokens = 0; count < froms.length; count++) {
    tokens += tos[count] - froms[count];
    if (tokens > tokensMax && count > 0) break;
  }
  return count;
}
