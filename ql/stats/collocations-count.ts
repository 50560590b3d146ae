/**
 * Counts what stands in the windows of hits. Stretches of the stream are decoded once for all the hits that lie near
 * each other: everything where hits are dense, little where they are rare. For each value there is a count, and the line
 * that it was last counted for, so that it counts once a line.
 */
import type { TokenStream } from "../../storage/index.js";
import { type Hits, join, pick, slice } from "../chain/hits.js";
import type { WindowFinder, Windows } from "../chain/windows.js";
import type { Desk } from "../desk.js";
import { comparing, pieces, sortNumbers, upTo } from "../pace.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import type { CollocateValues, Mapping } from "./collocations-values.js";

/** Tokens that are decoded at a time; windows on both sides of a hit fit in. */
const stretchTokens = 1 << 16;
/** Hits no further apart are read in one go: decoding so many tokens takes as long as beginning anew. */
const gapTokens = 2048;
/** Hits in another order that are read together. */
const waitingHitsMax = 1 << 20;
/** In the place of an id: a token that does not count. */
const notCounted = 0xffffffff;

export class CollocateCounts {
  /** Hits so far. */
  hits = 0;
  /** Tokens in their windows. */
  windowTokens = 0;
  /** By the numbers of values. */
  readonly counts: Float64Array;
  readonly #lines: Uint32Array;
  #line = 0;
  #waiting: Hits[] = [];
  #waitingHits = 0;
  readonly #near: Stretch;
  /** The right side of hits that are long themselves. */
  readonly #far: Stretch;

  constructor(
    readonly desk: Desk,
    readonly values: CollocateValues,
    readonly finder: WindowFinder,
    /** Tokens outside do not count. */
    subcorpus: Subcorpus | undefined,
    /** Each occurrence, or one a line? */
    readonly every: boolean,
  ) {
    this.counts = new Float64Array(values.size);
    this.#lines = new Uint32Array(every ? 0 : values.size);
    const stream = desk.snapshot.stream(values.stored);
    this.#near = new Stretch(stream, finder, subcorpus);
    this.#far = new Stretch(stream, finder, subcorpus);
  }

  /** One block more. Those that are not in the order of the corpus wait until there are many, and are put into it. */
  add(block: Hits): void {
    if (block.ascending) {
      this.#add(block);
      return;
    }
    this.#waiting.push(block);
    this.#waitingHits += block.count;
    if (this.#waitingHits >= waitingHitsMax) this.finish();
  }

  /** There are no more blocks. */
  finish(): void {
    if (this.#waitingHits === 0) return;
    const { snapshot, checkpoint } = this.desk;
    const hits = join(snapshot, this.#waiting, checkpoint);
    this.#waiting = [];
    this.#waitingHits = 0;
    const ordered = pick(hits, corpusOrder(hits, checkpoint), true, checkpoint);
    for (const [from, to] of pieces(ordered.count, checkpoint)) this.#add(slice(ordered, from, to));
  }

  #add(hits: Hits): void {
    const windows = this.finder.find(hits);
    this.hits += hits.count;
    for (let i = 0; i < hits.count; i++) {
      if ((i & 0x3ff) === 0) this.desk.checkpoint();
      const leftFrom = windows.leftFroms[i];
      const leftTo = windows.leftTos[i];
      const rightFrom = windows.rightFroms[i];
      const rightTo = windows.rightTos[i];
      this.#nextLine();
      if (leftFrom < leftTo) {
        if (!this.#near.has(leftFrom, leftTo)) this.#load(windows, i, hits.count);
        this.#count(this.#near, leftFrom, leftTo);
      }
      if (rightFrom < rightTo) {
        let stretch = this.#near;
        if (!stretch.has(rightFrom, rightTo)) {
          if (leftFrom < leftTo) {
            stretch = this.#far;
            if (!stretch.has(rightFrom, rightTo)) stretch.load(rightFrom, rightTo);
          } else this.#load(windows, i, hits.count);
        }
        this.#count(stretch, rightFrom, rightTo);
      }
    }
  }

  /** Decodes the windows of hit `i` and of those behind it that are near. */
  #load(windows: Windows, i: number, count: number): void {
    const from = firstToken(windows, i);
    let to = lastToken(windows, i);
    for (let next = i + 1; next < count; next++) {
      const begin = firstToken(windows, next);
      const end = lastToken(windows, next);
      if (begin < from || begin > to + gapTokens || end > from + stretchTokens) break;
      if (end > to) to = end;
    }
    this.#near.load(from, to);
  }

  #nextLine(): void {
    if (this.#line === 0xffffffff) {
      this.#lines.fill(0);
      this.#line = 0;
    }
    this.#line++;
  }

  #count(stretch: Stretch, from: number, to: number): void {
    const { counts, every } = this;
    const { mapping } = this.values;
    const numbers = mapping?.numbers;
    const starts = mapping?.starts;
    const { ids } = stretch;
    const lines = this.#lines;
    const line = this.#line;
    const end = to - stretch.from;
    let uncounted = 0;
    for (let at = from - stretch.from; at < end; at++) {
      const id = ids[at];
      if (id === notCounted) {
        uncounted++;
        continue;
      }
      if (starts !== undefined) {
        this.#countAll(id);
        continue;
      }
      const number = numbers === undefined ? id : numbers[id];
      if (every) counts[number]++;
      else if (lines[number] !== line) {
        lines[number] = line;
        counts[number]++;
      }
    }
    this.windowTokens += to - from - uncounted;
  }

  /** A token with several values, or none. */
  #countAll(id: number): void {
    const { numbers, starts } = this.values.mapping as Required<Mapping>;
    for (let at = starts[id]; at < starts[id + 1]; at++) {
      const number = numbers[at];
      if (!this.every && this.#lines[number] === this.#line) continue;
      if (!this.every) this.#lines[number] = this.#line;
      this.counts[number]++;
    }
  }
}

function firstToken({ leftFroms, leftTos, rightFroms }: Windows, i: number): number {
  return leftFroms[i] < leftTos[i] ? leftFroms[i] : rightFroms[i];
}

/** Behind the last token, as far as both sides are read in one go. */
function lastToken({ leftFroms, leftTos, rightFroms, rightTos }: Windows, i: number): number {
  if (!(rightFroms[i] < rightTos[i])) return leftTos[i];
  return leftFroms[i] < leftTos[i] && rightFroms[i] - leftTos[i] > gapTokens ? leftTos[i] : rightTos[i];
}

/** Places of hits by where they begin. */
function corpusOrder({ begins, count }: Hits, checkpoint: () => void): Uint32Array {
  const room = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const keys = new Float64Array(count);
  let last = 0;
  for (let i = 0; i < count; i++) {
    keys[i] = begins[i] * room + i;
    if (keys[i] > last) last = keys[i];
  }
  if (last > Number.MAX_SAFE_INTEGER)
    return upTo(count).sort(comparing((a, b) => begins[a] - begins[b], checkpoint));
  sortNumbers(keys, checkpoint);
  const order = new Uint32Array(count);
  for (const [from, to] of pieces(count, checkpoint))
    for (let i = from; i < to; i++) order[i] = keys[i] % room;
  return order;
}

/** Tokens one behind the other, decoded; those that do not count are marked. */
class Stretch {
  from = 0;
  to = 0;
  ids = new Uint32Array(stretchTokens);

  constructor(
    readonly stream: TokenStream,
    readonly finder: WindowFinder,
    readonly subcorpus: Subcorpus | undefined,
  ) {}

  has(from: number, to: number): boolean {
    return from >= this.from && to <= this.to;
  }

  load(from: number, to: number): void {
    this.from = from;
    this.to = to;
    if (to - from > this.ids.length) this.ids = new Uint32Array(to - from);
    this.stream.read(from, to - from, this.ids);
    this.finder.skipped?.blot(from, to, this.ids, notCounted);
    if (!this.subcorpus) return;
    let outside = from;
    for (const [begin, end] of this.subcorpus.within(from, to)) {
      this.ids.fill(notCounted, outside - from, begin - from);
      outside = end;
    }
    this.ids.fill(notCounted, outside - from, to - from);
  }
}
