/**
 * Points of a box in rounds, best first: a round is all points up to some score that no leaf which is still to be read can beat. Leaves wait
 * in a queue, points do not: they are sorted only where somebody wants to keep them.
 */
import { leafPointsMax } from "./format.js";
import { Queue } from "./queue.js";
import { Score } from "./score.js";
import { INSIDE, OUTSIDE, type PageReader } from "./segment.js";
import { type Asking, type Box, emptyPoints, type Points } from "./types.js";
import { lookMask, Matches } from "./walk.js";

const [LEAF, NODE] = [1, 2];

export class Rounds {
  readonly #queue = new Queue();
  readonly #matches: Matches[];
  readonly #score: Score;
  /** What was read and not given yet. */
  #read: Points;
  /** Which of it are of this round: places, ascending. */
  #given: Uint32Array = new Uint32Array(0);
  #steps = 0;

  constructor(
    readonly readers: readonly PageReader[],
    readonly box: Box,
    readonly weights: Float64Array,
    readonly asking: Asking,
  ) {
    this.#score = new Score(weights, box);
    this.#matches = readers.map((reader) => new Matches(reader));
    this.#read = emptyPoints(weights.length, 0);
    readers.forEach(({ segment }, s) => {
      if (segment.pages > 0 && segment.relation(1, box.low, box.high) !== OUTSIDE)
        this.#queue.push(this.#score.bound(segment.lows, segment.highs, segment.k + 1), NODE, s, 1);
    });
  }

  /**
   * The next points, at least so many if there are: their places in `read`, good until the next round; none at the end. Of
   * equal scores the first place is the first.
   */
  next(wanted: number): Uint32Array {
    this.#forget();
    this.#makeRoom(wanted * 2 + leafPointsMax);
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
    const given = new Uint32Array(this.#ready());
    const { scores, count } = this.#read;
    const bound = this.#bound;
    for (let i = 0, at = 0; i < count; i++) if (scores[i] <= bound) given[at++] = i;
    this.#given = given;
    return given;
  }

  get read(): Points {
    return this.#read;
  }

  /** What is not read cannot be before this. */
  get #bound(): number {
    return this.#queue.size > 0 ? this.#queue.least : Number.POSITIVE_INFINITY;
  }

  /** How many of those that were read may be given. */
  #ready(): number {
    const { scores, count } = this.#read;
    const bound = this.#bound;
    let ready = 0;
    for (let i = 0; i < count; i++) ready += scores[i] <= bound ? 1 : 0;
    return ready;
  }

  #makeRoom(more: number): void {
    const read = this.#read;
    const needed = read.count + more;
    if (needed <= read.units.length) return;
    const room = emptyPoints(read.coordinates.length, Math.max(read.units.length * 2, needed));
    room.count = read.count;
    room.units.set(read.units);
    room.scores.set(read.scores);
    room.coordinates.forEach((column, d) => {
      column.set(read.coordinates[d]);
    });
    this.#read = room;
  }

  /** Takes away what was given. */
  #forget(): void {
    const read = this.#read;
    const given = this.#given;
    let [kept, next] = [0, 0];
    for (let i = 0; i < read.count; i++) {
      if (given[next] === i) {
        next++;
        continue;
      }
      if (kept < i) move(read, i, kept);
      kept++;
    }
    read.count = kept;
  }

  #openNode(s: number, node: number): void {
    const reader = this.readers[s];
    const { segment } = reader;
    const { low, high } = this.box;
    const width = segment.k + 1;
    if (node < segment.firstPage) {
      for (let child = node * 2; child <= node * 2 + 1; child++)
        if (segment.relation(child, low, high) !== OUTSIDE)
          this.#queue.push(this.#score.bound(segment.lows, segment.highs, child * width), NODE, s, child);
      return;
    }
    const page = node - segment.firstPage;
    reader.open(page);
    for (let leaf = 0; leaf < reader.leaves; leaf++)
      if (reader.relation(leaf, low, high) !== OUTSIDE)
        this.#queue.push(
          this.#score.bound(reader.lows, reader.highs, leaf * width),
          LEAF,
          s,
          page * 64 + leaf,
        );
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
    this.#makeRoom(found);
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
    for (const d of this.#score.weighted) {
      const [weight, column] = [this.weights[d], read.coordinates[d]];
      for (let i = from; i < from + found; i++) read.scores[i] += weight * column[i];
    }
    read.count += found;
  }
}

function move({ units, scores, coordinates }: Points, from: number, to: number): void {
  units[to] = units[from];
  scores[to] = scores[from];
  for (const column of coordinates) column[to] = column[from];
}
