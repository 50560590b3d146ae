/**
 * The best units for some terms, document at a time. Each term has a walk over its lists; the unit that comes next is the first that
 * any walk stands at. While all units are counted, every walk leads. Where lists are long, units are passed over that cannot be
 * among the best (MaxScore): terms are ordered by how much they can give, and those that could not lift a unit above the
 * threshold together do not lead any more; they are only asked about units that others lead to. Where phrases have to be there,
 * the rarest of their words leads alone. A condition leads from one of its units to the next.
 */
import { gallop } from "../../storage/cursor.js";
import type { Desk } from "../desk.js";
import { Best } from "./best.js";
import { standsThere } from "./formula.js";
import { isAbove, type Scorer } from "./scorer.js";

export interface Ranking {
  best: { number: number; score: number }[];
  /** Units that match; at least so many where it is not exact. */
  hits: number;
  exact: boolean;
  /** Units whose terms were read, and those of them that were left because they could not be among the best. */
  looked: number;
  passed: number;
}

export interface RankOptions {
  /** How many of the best. */
  size: number;
  /** Are all units to be counted? Else those that cannot be among the best are passed over. */
  counted: boolean;
  /** Only these units, ascending. */
  among?: Uint32Array;
}

/** Units between two looks. */
const stepUnits = 2048;

export async function rank(desk: Desk, scorer: Scorer, options: RankOptions): Promise<Ranking> {
  const walking = new Walking(scorer, options);
  while (walking.step(stepUnits)) {
    desk.checkpoint();
    const wait = desk.turn();
    if (wait) await wait;
  }
  const { looked, passed, hits } = walking;
  return { best: walking.best.sorted(), hits, exact: walking.isExact, looked, passed };
}

class Walking {
  readonly best: Best;
  hits = 0;
  looked = 0;
  passed = 0;
  readonly #count: number;
  /** Terms by what they can give, the least first; the first `#following` of them do not lead. */
  readonly #order: number[];
  readonly #mosts: number[];
  #following = 0;
  #followers: number[] = [];
  #leaders: number[];
  /** Terms that must be there, the rarest first. */
  readonly #required: number[];
  #next = 0;

  constructor(
    readonly scorer: Scorer,
    readonly options: RankOptions,
  ) {
    const { asked, idfs, units } = scorer;
    this.best = new Best(options.size);
    this.#count = units.count;
    const all = asked.terms.map((_, term) => term);
    this.#order = all.toSorted((a, b) => idfs[a] - idfs[b] || a - b);
    this.#mosts = this.#order.map((_, i) => scorer.mostOf(this.#order.slice(0, i + 1)));
    const frequency = (term: number) => asked.terms[term].frequency;
    this.#required = [...new Set(asked.phrases.flat())].sort((a, b) => frequency(a) - frequency(b));
    this.#leaders = this.#order;
    if (this.#required.length > 0) {
      this.#leaders = [this.#required[0]];
      this.#followers = all.filter((term) => term !== this.#required[0]);
    }
  }

  get isExact(): boolean {
    return this.options.counted || (this.#following === 0 && this.passed === 0);
  }

  /** Looks at so many units; false at the end. */
  step(units: number): boolean {
    for (let left = units; left > 0; left--) {
      const unit = this.#nextUnit();
      if (unit >= this.#count) return false;
      this.#look(unit);
    }
    return true;
  }

  #nextUnit(): number {
    const { walks } = this.scorer;
    for (;;) {
      let unit = this.#count;
      const leaders = this.#leaders;
      for (let i = 0; i < leaders.length; i++) {
        const own = walks[leaders[i]].unit;
        if (own < unit) unit = own;
      }
      if (unit >= this.#count) return unit;
      if (this.#required.length === 0 && !this.options.among) return unit;
      const allowed = this.#allowedFrom(unit);
      if (allowed !== unit) {
        for (const term of this.#leaders) walks[term].seek(allowed);
        continue;
      }
      const missing = this.#required.find((term) => {
        walks[term].seek(unit);
        return walks[term].unit !== unit;
      });
      if (missing === undefined) return unit;
      walks[this.#leaders[0]].seek(walks[missing].unit);
    }
  }

  #allowedFrom(unit: number): number {
    const { among } = this.options;
    if (!among) return unit;
    const at = gallop(among, unit, this.#next, among.length);
    this.#next = at;
    return at < among.length ? among[at] : this.#count;
  }

  #look(unit: number): void {
    const { scorer, best } = this;
    const { counts } = scorer;
    this.looked++;
    const [leaders, followers] = [this.#leaders, this.#followers];
    for (let term = 0; term < counts.length; term++) counts[term] = 0;
    for (let i = 0; i < leaders.length; i++) this.#take(leaders[i], unit);
    if (!this.options.counted && this.#followers.length > 0) {
      if (!isAbove(scorer.mostSoFar(unit, this.#followers), best.threshold)) {
        this.passed++;
        return;
      }
    }
    for (let i = 0; i < followers.length; i++) this.#take(followers[i], unit);
    if (this.#required.length > 0 && !this.#hasPhrases()) return;
    this.hits++;
    const before = best.threshold;
    const score = scorer.score(unit, before);
    if (score < 0) return;
    best.add(unit, score);
    if (best.threshold > before) this.#demote();
  }

  #take(term: number, unit: number): void {
    const walk = this.scorer.walks[term];
    walk.seek(unit);
    if (walk.unit === unit) this.scorer.counts[term] = walk.take();
  }

  #hasPhrases(): boolean {
    const { walks, asked } = this.scorer;
    return asked.phrases.every((phrase) => standsThere(phrase.map((term) => walks[term].places)));
  }

  /** Terms that could not lift a unit above the threshold together need not lead to one. */
  #demote(): void {
    if (this.options.counted || this.#required.length > 0) return;
    let following = this.#following;
    while (following < this.#order.length && !isAbove(this.#mosts[following], this.best.threshold))
      following++;
    if (following === this.#following) return;
    this.#following = following;
    this.#leaders = this.#order.slice(following);
    this.#followers = this.#order.slice(0, following);
  }
}
