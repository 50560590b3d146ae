/**
 * Windows: the tokens near each hit, on its left and on its right.
 *
 *   from, to   places. -1 is the token before the hit's first, 1 the token behind its last; the hit has no place
 *   within     the left part stays inside the structure around the hit's first token, the right part inside the one
 *              around its last token. Where there is none around, that part is empty
 *   skip       a query for single tokens: those it matches take up no place. (Who counts leaves them out: they lie in
 *              the ranges that are given here.)
 */
import { gallop } from "../../storage/cursor.js";
import { DugongError, type Snapshot, type Structure } from "../../storage/index.js";
import type { Condition, Query } from "../cql/ast.js";
import { print } from "../cql/print.js";
import type { Desk } from "../desk.js";
import { type Pieces, type StructureIndex, structureIndex } from "../match/structures.js";
import { type Prepared, readQuery } from "../run/prepare.js";
import type { Hits, Positions } from "./hits.js";
import { limits } from "./limits.js";

export interface WindowShape {
  from: number;
  to: number;
  within?: string;
  skip?: string | Query;
}

/** For each hit the tokens [leftFroms, leftTos) and [rightFroms, rightTos); either may be empty. */
export interface Windows {
  leftFroms: Float64Array;
  leftTos: Float64Array;
  rightFroms: Float64Array;
  rightTos: Float64Array;
}

/** What a window of collocates may be; thrown before anything is computed. */
export function checkWindowShape({ from, to }: WindowShape): void {
  const isPlace = (place: number) => Number.isSafeInteger(place) && Math.abs(place) <= limits.windowTokensMax;
  if (isPlace(from) && isPlace(to) && from <= to && (from !== 0 || to !== 0)) return;
  throw new DugongError(
    "bad_window",
    from === 0 && to === 0
      ? "a window from 0 to 0 is empty: the hit itself is not part of it"
      : `a window from ${from} to ${to} cannot be`,
    `Write the place further left first, as in -5..5, 1..3 or -3..-1, and at most ${limits.windowTokensMax} tokens (limit windowTokensMax).`,
  );
}

/** The condition of a query for tokens to skip: one token, and nothing else. */
export function skipCondition(skip: string | Query): Condition {
  const { query } = readQuery(skip);
  const { expression, where, filters, expand, cut } = query;
  const isAlone = !where && filters.length === 0 && !expand && cut === undefined;
  if (isAlone && expression.kind === "token" && expression.condition) return expression.condition;
  throw new DugongError(
    "bad_skip",
    `${print(query)} is not a condition on a token`,
    'Write what tokens to skip in one pair of brackets, as in [tag="PUNCT"].',
  );
}

export class WindowFinder {
  /** Places of the left part, from the nearest to the furthest; none where the furthest is 0. */
  readonly #left: { nearest: number; furthest: number };
  readonly #right: { nearest: number; furthest: number };
  readonly #structure: { structure: Structure; index: StructureIndex } | undefined;
  readonly skipped: SkippedTokens | undefined;
  #windows: Windows = columns(0);
  /** Did a window end because it had too many tokens to skip? */
  cut = false;

  constructor(
    readonly desk: Desk,
    shape: WindowShape,
    /** Lists of words that `skip` may refer to. */
    lists: Record<string, string[]> = {},
  ) {
    const { from, to, within, skip } = shape;
    const { snapshot } = desk;
    this.#left = { nearest: Math.max(1, -to), furthest: Math.max(0, -from) };
    this.#right = { nearest: Math.max(1, from), furthest: Math.max(0, to) };
    if (within !== undefined) {
      const structure = snapshot.structure(within);
      this.#structure = { structure, index: structureIndex(snapshot, structure) };
    }
    if (skip !== undefined) this.skipped = new SkippedTokens(desk, skip, lists);
  }

  /** The windows of hits. The columns are used again by the next call. */
  find(hits: Hits): Windows {
    if (this.#windows.leftFroms.length < hits.count) this.#windows = columns(hits.count);
    this.#limit(hits);
    if (this.skipped) this.#walk(hits, this.skipped);
    else this.#reckon(hits);
    return this.#windows;
  }

  release(): void {
    this.skipped?.release();
  }

  /** How far windows may reach at most: into `leftFroms` and `rightTos`. */
  #limit(hits: Hits): void {
    const { leftFroms, rightTos } = this.#windows;
    const { snapshot } = this.desk;
    if (!this.#structure) {
      leftFroms.fill(0, 0, hits.count);
      rightTos.fill(snapshot.tokens, 0, hits.count);
      return;
    }
    const { structure, index } = this.#structure;
    const edges = new Edges(snapshot, structure, index);
    edges.begins(hits.begins, hits.count, leftFroms);
    edges.ends(hits, rightTos);
  }

  #reckon({ begins, ends, count }: Hits): void {
    const { leftFroms, leftTos, rightFroms, rightTos } = this.#windows;
    const [left, right] = [this.#left, this.#right];
    for (let i = 0; i < count; i++) {
      const to = begins[i] - left.nearest + 1;
      leftFroms[i] = Math.max(leftFroms[i], begins[i] - left.furthest);
      leftTos[i] = Math.max(leftFroms[i], to);
      const from = ends[i] + right.nearest - 1;
      rightTos[i] = Math.min(rightTos[i], ends[i] + right.furthest);
      rightFroms[i] = Math.min(rightTos[i], from);
    }
  }

  /** Token by token, over those that take up no place. */
  #walk({ begins, ends, count }: Hits, skipped: SkippedTokens): void {
    const { leftFroms, leftTos, rightFroms, rightTos } = this.#windows;
    const [left, right] = [this.#left, this.#right];
    const reach = limits.windowTokensMax;
    for (let i = 0; i < count; i++) {
      if ((i & 0xfff) === 0) this.desk.checkpoint();
      const ahead = i + lookahead < count ? begins[i + lookahead] - begins[i] : Number.POSITIVE_INFINITY;
      skipped.isDense = ahead >= 0 && ahead < stretchTokens;
      const low = Math.max(leftFroms[i], begins[i] - reach);
      let from = begins[i];
      let to = begins[i];
      let place = 0;
      let at = begins[i];
      while (place < left.furthest && at > low) {
        if (skipped.has(--at)) continue;
        if (++place === left.nearest) to = at + 1;
        from = at;
      }
      if (place < left.furthest && low > leftFroms[i]) this.cut = true;
      leftFroms[i] = from;
      leftTos[i] = place >= left.nearest ? to : from;

      const high = Math.min(rightTos[i], ends[i] + reach);
      from = ends[i];
      to = ends[i];
      place = 0;
      for (at = ends[i]; place < right.furthest && at < high; at++) {
        if (skipped.has(at)) continue;
        if (++place === right.nearest) from = at;
        to = at + 1;
      }
      if (place < right.furthest && high < rightTos[i]) this.cut = true;
      rightTos[i] = to;
      rightFroms[i] = place >= right.nearest ? from : to;
    }
  }
}

function columns(count: number): Windows {
  const column = () => new Float64Array(count);
  return { leftFroms: column(), leftTos: column(), rightFroms: column(), rightTos: column() };
}

/** If so many hits lie in one stretch, it is looked at as a whole. */
const lookahead = 16;
const stretchTokens = 1 << 16;
const smallStretchTokens = 256;

/** Tokens that a query for single tokens matches; a stretch of them is known at a time. */
export class SkippedTokens {
  readonly #prepared: Prepared;
  readonly #marks = new Uint8Array(stretchTokens);
  #from = 0;
  #to = 0;
  /** Will tokens of all the stretch be asked for? */
  isDense = false;

  constructor(
    readonly desk: Desk,
    query: string | Query,
    lists: Record<string, string[]>,
  ) {
    skipCondition(query);
    this.#prepared = desk.engine.prepare(query, { lists, checkpoint: desk.checkpoint });
  }

  /** What one would like to know about the query. */
  get notices() {
    return this.#prepared.notices;
  }

  has(position: number): boolean {
    if (position < this.#from || position >= this.#to) this.#look(position);
    return this.#marks[position - this.#from] === 1;
  }

  /** Puts `value` in the place of ids of tokens [from, to) that are skipped. */
  blot(from: number, to: number, ids: Uint32Array, value: number): void {
    const { base, begins, count } = this.#prepared.source.spans(from, to);
    for (let i = 0; i < count; i++) ids[base + begins[i] - from] = value;
  }

  #look(position: number): void {
    const { tokens } = this.desk.snapshot;
    this.#from = Math.max(0, position - smallStretchTokens / 2);
    this.#to = Math.min(tokens, this.#from + (this.isDense ? stretchTokens : smallStretchTokens));
    this.#marks.fill(0, 0, this.#to - this.#from);
    const { base, begins, count } = this.#prepared.source.spans(this.#from, this.#to);
    for (let i = 0; i < count; i++) this.#marks[base + begins[i] - this.#from] = 1;
  }

  release(): void {
    this.#prepared.ground.release();
  }
}

/** Where the innermost structures around tokens begin and end. Tokens in order are merged with the structures. */
class Edges {
  /** The segment of the last token that was asked for, and its pieces of structures. */
  #at = -1;
  #pieces: Pieces | undefined;
  #isFlat = false;
  #start = 0;
  #end = 0;
  /** The first piece behind that token. */
  #place = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly structure: Structure,
    readonly index: StructureIndex,
  ) {}

  /** For each position where the structure around it begins; the position itself if there is none. */
  begins(positions: Positions, count: number, out: Float64Array): void {
    const { index, structure } = this;
    for (let i = 0; i < count; i++) {
      const position = positions[i];
      const piece = this.#pieceAround(position);
      if (piece === none) out[i] = position;
      else if (piece === unclear) out[i] = this.#rangeAround(position)?.[0] ?? position;
      else if (piece < this.#pieces!.carriedIn) out[i] = structure.range(index.numberOf(this.#at, piece))[0];
      else out[i] = this.#start + this.#pieces!.begins[piece];
    }
  }

  /** For each hit where the structure around its last token ends; where the hit does if there is none. */
  ends({ begins, ends, count }: Hits, out: Float64Array): void {
    for (let i = 0; i < count; i++) {
      const position = Math.max(begins[i], ends[i] - 1);
      const piece = this.#pieceAround(position);
      if (piece === none) out[i] = ends[i];
      else if (piece === unclear) out[i] = this.#rangeAround(position)?.[1] ?? ends[i];
      else if (this.#pieces!.carriedOut.length > 0) out[i] = this.index.endOf(this.#at, piece);
      else out[i] = this.#start + this.#pieces!.ends[piece];
    }
  }

  /** The piece of a structure around a position, among those of its segment. */
  #pieceAround(position: number): number {
    if (position >= this.snapshot.tokens) return none;
    if (position < this.#start || position >= this.#end) this.#enter(position);
    if (!this.#isFlat) return unclear;
    const { begins, ends, count } = this.#pieces!;
    const local = position - this.#start;
    if (this.#place > 0 && begins[this.#place - 1] > local) this.#place = 0;
    // The first piece that begins behind the position: the one before it is around it, if any is.
    this.#place = gallop(begins, local + 1, this.#place, count);
    return this.#place > 0 && local < ends[this.#place - 1] ? this.#place - 1 : none;
  }

  #enter(position: number): void {
    const { segments } = this.snapshot;
    const segment = this.snapshot.segmentAt(position);
    this.#at = segments.indexOf(segment, position < this.#start ? 0 : Math.max(0, this.#at));
    this.#pieces = this.index.pieces(this.#at);
    this.#isFlat = this.index.isFlat(this.#at);
    this.#start = segment.start;
    this.#end = segment.start + segment.tokens;
    this.#place = 0;
  }

  #rangeAround(position: number): [begin: number, end: number] | undefined {
    const number = this.structure.containing(position);
    return number < 0 ? undefined : this.structure.range(number);
  }
}

const none = -1;
const unclear = -2;
