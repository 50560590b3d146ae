/**
 * Points of a box, nearest first: nodes, pages, leaves and points wait in one queue, by the lowest score that something in them may have. What is
 * read is what has to be read: a leaf is opened when nothing else may come before its points.
 *
 * With a limit, the scores of the best so far are kept; what cannot beat the last of them is not even queued. That changes nothing of
 * the order, so that the first ten are the same ten whether ten or a hundred are asked for.
 */
import { Queue } from "./queue.js";
import { Score } from "./score.js";
import { OUTSIDE, type PageReader } from "./segment.js";
import type { Asking, BestFirst, Box } from "./types.js";
import { lookMask, Matches } from "./walk.js";

/** Points that are read come before what is not read, where scores are equal. */
const [OPENED, LEAF, NODE] = [0, 1, 2];

/** Points of a leaf that was opened, in the order of their scores. */
interface Opened {
  at: number;
  count: number;
  scores: Float64Array;
  units: Float64Array;
  coordinates: Uint32Array[];
}

export class Search implements BestFirst {
  leaves = 0;
  readonly #queue = new Queue();
  readonly #opened: Opened[] = [];
  readonly #matches: Matches[];
  readonly #best: BestScores | undefined;
  readonly #scores = new Float64Array(1024);
  readonly #order = new Uint32Array(1024);
  readonly #score: Score;
  #current: Opened | undefined;
  #currentPlace = 0;
  #steps = 0;

  constructor(
    readonly readers: readonly PageReader[],
    readonly box: Box,
    readonly weights: Float64Array,
    readonly asking: Asking = {},
    limit?: number,
  ) {
    this.#score = new Score(weights, box);
    this.#best = limit === undefined ? undefined : new BestScores(limit);
    this.#matches = readers.map((reader) => new Matches(reader));
    readers.forEach(({ segment }, s) => {
      if (segment.pages > 0 && segment.relation(1, box.low, box.high) !== OUTSIDE)
        this.#queue.push(this.#score.bound(segment.lows, segment.highs, segment.k + 1), NODE, s, 1);
    });
  }

  get unit(): number {
    return this.#current ? this.#current.units[this.#currentPlace] : -1;
  }

  get score(): number {
    return this.#current ? this.#current.scores[this.#currentPlace] : Number.POSITIVE_INFINITY;
  }

  coordinate(dimension: number): number {
    return this.#current ? this.#current.coordinates[dimension][this.#currentPlace] : 0;
  }

  get bound(): number {
    return this.#queue.size > 0 ? this.#queue.least : Number.POSITIVE_INFINITY;
  }

  next(): boolean {
    const queue = this.#queue;
    while (queue.size > 0) {
      if ((this.#steps++ & lookMask) === 0) this.asking.checkpoint?.();
      const { kind, segment, item } = queue;
      queue.pop();
      if (kind === OPENED) {
        this.#emit(segment, item);
        return true;
      }
      if (kind === LEAF) this.#openLeaf(segment, item);
      else this.#openNode(segment, item);
    }
    this.#current = undefined;
    return false;
  }

  #emit(segment: number, item: number): void {
    const opened = this.#opened[item];
    this.#current = opened;
    this.#currentPlace = opened.at++;
    if (opened.at < opened.count) this.#queue.push(opened.scores[opened.at], OPENED, segment, item);
    else this.#opened[item] = nothing;
  }

  #openNode(s: number, node: number): void {
    const reader = this.readers[s];
    const { segment } = reader;
    const { low, high } = this.box;
    const width = segment.k + 1;
    if (node < segment.firstPage) {
      for (let child = node * 2; child <= node * 2 + 1; child++) {
        if (segment.relation(child, low, high) === OUTSIDE) continue;
        const bound = this.#score.bound(segment.lows, segment.highs, child * width);
        if (!this.#best?.beats(bound)) this.#queue.push(bound, NODE, s, child);
      }
      return;
    }
    const page = node - segment.firstPage;
    reader.open(page);
    for (let leaf = 0; leaf < reader.leaves; leaf++) {
      if (reader.relation(leaf, low, high) === OUTSIDE) continue;
      const bound = this.#score.bound(reader.lows, reader.highs, leaf * width);
      if (!this.#best?.beats(bound)) this.#queue.push(bound, LEAF, s, page * 64 + leaf);
    }
  }

  #openLeaf(s: number, item: number): void {
    const reader = this.readers[s];
    const matches = this.#matches[s];
    const leaf = item & 63;
    this.leaves++;
    reader.open((item - leaf) / 64);
    const { coordinates } = reader.coordinates(leaf);
    const found = matches.find(leaf, reader.relation(leaf, this.box.low, this.box.high), this.box);
    const count = this.#choose(matches.places, found, coordinates);
    if (count === 0) return;
    const { units } = reader.units(leaf);
    const order = this.#order.subarray(0, count);
    const own: Opened = {
      at: 0,
      count,
      scores: new Float64Array(count),
      units: new Float64Array(count),
      coordinates: coordinates.map(() => new Uint32Array(count)),
    };
    const { unitBase } = reader.segment.meta;
    for (let i = 0; i < count; i++) {
      const place = matches.places[order[i]];
      own.scores[i] = this.#scores[order[i]];
      own.units[i] = unitBase + units[place];
    }
    coordinates.forEach((column, d) => {
      const target = own.coordinates[d];
      for (let i = 0; i < count; i++) target[i] = column[matches.places[order[i]]];
    });
    this.#queue.push(own.scores[0], OPENED, s, this.#opened.push(own) - 1);
  }

  /** Scores of the points at places; in `#order` those that may be wanted, best first. Returns how many. */
  #choose(places: Uint32Array, found: number, coordinates: readonly Uint32Array[]): number {
    const scores = this.#scores;
    scores.fill(0, 0, found);
    for (const d of this.#score.weighted) {
      const weight = this.weights[d];
      const column = coordinates[d];
      for (let i = 0; i < found; i++) scores[i] += weight * column[places[i]];
    }
    const order = this.#order;
    let count = 0;
    for (let i = 0; i < found; i++)
      if (!this.#best || this.#best.take(scores[i])) {
        order[count] = i;
        count++;
      }
    if (this.#best && count > 1) count = this.#stillGood(count);
    order.subarray(0, count).sort((a, b) => scores[a] - scores[b] || a - b);
    return count;
  }

  /** While a leaf is looked through the last of the best gets better: those that were taken before may have fallen behind. */
  #stillGood(count: number): number {
    const worst = this.#best?.worst ?? Number.POSITIVE_INFINITY;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      this.#order[kept] = this.#order[i];
      if (this.#scores[this.#order[i]] <= worst) kept++;
    }
    return kept;
  }
}

const nothing: Opened = {
  at: 0,
  count: 0,
  scores: new Float64Array(0),
  units: new Float64Array(0),
  coordinates: [],
};

/** The lowest scores so far, as many as are asked for. */
class BestScores {
  readonly #scores: Float64Array;
  #count = 0;

  constructor(readonly limit: number) {
    this.#scores = new Float64Array(limit);
  }

  /** The highest of them; Infinity as long as there are fewer than are asked for. */
  get worst(): number {
    return this.#count < this.limit ? Number.POSITIVE_INFINITY : this.#scores[0];
  }

  /** Are there enough that are as good? */
  beats(score: number): boolean {
    return this.#count === this.limit && score >= (this.limit === 0 ? 0 : this.#scores[0]);
  }

  /** Takes a score in, if it is one of the best. */
  take(score: number): boolean {
    const scores = this.#scores;
    if (this.beats(score)) return false;
    let at = 0;
    if (this.#count < this.limit) {
      at = this.#count++;
      while (at > 0) {
        const up = (at - 1) >>> 1;
        if (scores[up] >= score) break;
        scores[at] = scores[up];
        at = up;
      }
    } else {
      for (;;) {
        let down = at * 2 + 1;
        if (down >= this.limit) break;
        if (down + 1 < this.limit && scores[down + 1] > scores[down]) down++;
        if (scores[down] <= score) break;
        scores[at] = scores[down];
        at = down;
      }
    }
    scores[at] = score;
    return true;
  }
}
