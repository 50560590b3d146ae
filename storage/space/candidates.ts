/**
 * Points of a box in rounds, best first: a round is all points up to some score that no leaf which is still to be read can beat. Leaves wait
 * in a queue, points do not: they are sorted only where somebody wants to keep them.
 */
import { Queue } from "./queue.js";
import { INSIDE, OUTSIDE, type PageReader } from "./segment.js";
import type { Asking, Box, Points } from "./types.js";
import { lookMask, Matches } from "./walk.js";

const [LEAF, NODE] = [1, 2];

/** Points in columns, and when each was read: of equal scores the one that was read first is before the others. */
export interface Candidates extends Points {
  turns: Float64Array;
}

export class Rounds {
  readonly #queue = new Queue();
  readonly #matches: Matches[];
  readonly #weighted: number[];
  /** What was read: first those of the round, then those that wait for a later one. */
  #read: Candidates;
  #ofRound = 0;
  #turns = 0;
  #steps = 0;

  constructor(
    readonly readers: readonly PageReader[],
    readonly box: Box,
    readonly weights: Float64Array,
    readonly asking: Asking,
  ) {
    this.#weighted = [...weights.keys()].filter((d) => weights[d] !== 0);
    this.#matches = readers.map((reader) => new Matches(reader));
    this.#read = roomFor(weights.length, 1024);
    readers.forEach(({ segment }, s) => {
      if (segment.pages > 0 && segment.relation(1, box.low, box.high) !== OUTSIDE)
        this.#queue.push(this.#boundOf(segment.lows, segment.highs, segment.k + 1), NODE, s, 1);
    });
  }

  /** The next points, at least so many if there are: the first `count` of the columns. They are good until the next round. */
  next(wanted: number): Candidates | undefined {
    const read = this.#read;
    forget(read, this.#ofRound);
    const queue = this.#queue;
    let goal = wanted;
    while (queue.size > 0) {
      if (this.#read.count >= goal) {
        const ready = this.#ready();
        if (ready >= wanted) break;
        goal = this.#read.count * 1.25 + wanted - ready;
      }
      if ((this.#steps++ & lookMask) === 0) this.asking.checkpoint?.();
      const { kind, segment, item } = queue;
      queue.pop();
      if (kind === LEAF) this.#readLeaf(segment, item);
      else this.#openNode(segment, item);
    }
    this.#ofRound = this.#bringForward();
    return this.#ofRound === 0 ? undefined : { ...this.#read, count: this.#ofRound };
  }

  /** How many of those that were read may be given: what is not read cannot be before them. */
  #ready(): number {
    const { scores, count } = this.#read;
    const bound = this.#queue.size > 0 ? this.#queue.least : Number.POSITIVE_INFINITY;
    let ready = 0;
    for (let i = 0; i < count; i++) if (scores[i] <= bound) ready++;
    return ready;
  }

  /** Puts those that may be given before the others. */
  #bringForward(): number {
    const { scores, count } = this.#read;
    const bound = this.#queue.size > 0 ? this.#queue.least : Number.POSITIVE_INFINITY;
    let ready = 0;
    for (let i = 0; i < count; i++)
      if (scores[i] <= bound) {
        if (i !== ready) swap(this.#read, i, ready);
        ready++;
      }
    return ready;
  }

  /** The lowest score that a point between lows and highs, and in the box, may have. */
  #boundOf(lows: Uint32Array, highs: Uint32Array, at: number): number {
    const { low, high } = this.box;
    let bound = 0;
    for (const d of this.#weighted) {
      const weight = this.weights[d];
      bound += weight * (weight > 0 ? Math.max(lows[at + d], low[d]) : Math.min(highs[at + d], high[d]));
    }
    return bound;
  }

  #openNode(s: number, node: number): void {
    const reader = this.readers[s];
    const { segment } = reader;
    const { low, high } = this.box;
    const width = segment.k + 1;
    if (node < segment.firstPage) {
      for (let child = node * 2; child <= node * 2 + 1; child++)
        if (segment.relation(child, low, high) !== OUTSIDE)
          this.#queue.push(this.#boundOf(segment.lows, segment.highs, child * width), NODE, s, child);
      return;
    }
    const page = node - segment.firstPage;
    reader.open(page);
    for (let leaf = 0; leaf < reader.leaves; leaf++)
      if (reader.relation(leaf, low, high) !== OUTSIDE)
        this.#queue.push(this.#boundOf(reader.lows, reader.highs, leaf * width), LEAF, s, page * 64 + leaf);
  }

  #readLeaf(s: number, item: number): void {
    const reader = this.readers[s];
    const matches = this.#matches[s];
    const leaf = item & 63;
    reader.open((item - leaf) / 64);
    const { coordinates } = reader.coordinates(leaf);
    const relation = reader.relation(leaf, this.box.low, this.box.high);
    const found = matches.find(leaf, relation, this.box);
    if (found === 0) return;
    const { units } = reader.units(leaf);
    const { places } = matches;
    const { unitBase } = reader.segment.meta;
    if (this.#read.count + found > this.#read.units.length) this.#read = larger(this.#read, found);
    const read = this.#read;
    const from = read.count;
    if (relation === INSIDE) for (let i = 0; i < found; i++) read.units[from + i] = unitBase + units[i];
    else for (let i = 0; i < found; i++) read.units[from + i] = unitBase + units[places[i]];
    for (let d = 0; d < coordinates.length; d++) {
      const [column, target] = [coordinates[d], read.coordinates[d]];
      if (relation === INSIDE) for (let i = 0; i < found; i++) target[from + i] = column[i];
      else for (let i = 0; i < found; i++) target[from + i] = column[places[i]];
    }
    read.scores.fill(0, from, from + found);
    for (const d of this.#weighted) {
      const [weight, column] = [this.weights[d], read.coordinates[d]];
      for (let i = from; i < from + found; i++) read.scores[i] += weight * column[i];
    }
    for (let i = from; i < from + found; i++) read.turns[i] = this.#turns++;
    read.count += found;
  }
}

function roomFor(k: number, room: number): Candidates {
  return {
    count: 0,
    units: new Float64Array(room),
    scores: new Float64Array(room),
    turns: new Float64Array(room),
    coordinates: Array.from({ length: k }, () => new Uint32Array(room)),
  };
}

function larger(read: Candidates, more: number): Candidates {
  const next = roomFor(read.coordinates.length, Math.max(read.units.length * 2, read.count + more));
  next.count = read.count;
  next.units.set(read.units);
  next.scores.set(read.scores);
  next.turns.set(read.turns);
  next.coordinates.forEach((column, d) => {
    column.set(read.coordinates[d]);
  });
  return next;
}

/** Takes the first ones away. */
function forget(read: Candidates, first: number): void {
  for (const column of [read.units, read.scores, read.turns, ...read.coordinates])
    column.copyWithin(0, first, read.count);
  read.count -= first;
}

function swap(read: Candidates, a: number, b: number): void {
  const { units, scores, turns, coordinates } = read;
  [units[a], units[b]] = [units[b], units[a]];
  [scores[a], scores[b]] = [scores[b], scores[a]];
  [turns[a], turns[b]] = [turns[b], turns[a]];
  for (const column of coordinates) [column[a], column[b]] = [column[b], column[a]];
}
