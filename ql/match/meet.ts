/** (meet item other from to), (meet item other s): items that have a match of the other near them, or none. */

import { gallop } from "../../storage/cursor.js";
import { costs } from "../plan/costs.js";
import type { Atom, Test } from "../plan/tests.js";
import { chosen, underCeiling } from "./ceilings.js";
import { Sieve } from "./fixed.js";
import type { Ground } from "./ground.js";
import { PatternSource } from "./pattern.js";
import { firstPerEnd } from "./ranges.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";

/** Places near an item that are looked at one by one, at most. */
const sievesMax = 32;

export type MeetWindow = { from: number; to: number } | { index: StructureIndex };

export class MeetSource implements Source {
  readonly labels: readonly string[];
  readonly inputs: readonly Source[];
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;
  /** Where it is cheaper to look at the tokens near the items: what is asked of one. */
  readonly #single: { test: Test; atoms: readonly Atom[] } | undefined;
  #sieves: Sieve[] | undefined;

  constructor(
    readonly ground: Ground,
    readonly item: Source,
    readonly other: Source,
    readonly near: MeetWindow,
    readonly negated: boolean,
  ) {
    this.inputs = [item, other];
    this.labels = [...new Set([...item.labels, ...(negated ? [] : other.labels)])];
    this.lengthMax = item.lengthMax;
    this.rows = Math.min(item.rows, negated ? item.rows : other.rows * 4);
    this.cost = item.cost + other.cost;
    if ("from" in near && near.to - near.from < sievesMax && other instanceof PatternSource) {
      const looking = item.rows * (near.to - near.from + 1) * costs.fetch;
      const { singleTest } = other;
      if (singleTest && looking < other.cost) {
        this.#single = { test: singleTest, atoms: other.atoms };
        this.cost = item.cost + looking;
      }
    }
    this.window = this.#single ? item.window : Math.min(item.window, other.window);
  }

  prepare(): void {
    this.item.prepare();
    this.other.prepare();
    if (this.#single && "from" in this.near) {
      const { test, atoms } = this.#single;
      this.#sieves = [];
      for (let offset = this.near.from; offset <= this.near.to; offset++) {
        this.#sieves.push(new Sieve(this.ground, atoms, { offset, test, token: true }));
      }
    }
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const found = this.item.spans(from, to);
    if (found.count > 0) this.#keep(found);
    if (ceiling) underCeiling(found, ceiling);
    chosen(found, choice);
    return found;
  }

  #keep(found: Spans): void {
    const { near } = this;
    if ("from" in near) {
      if (this.#sieves) this.#keepBySieves(found, this.#sieves);
      else this.#keepNear(found, near.from, near.to);
    } else this.#keepAround(found);
  }

  /** Few items: the tokens near them are looked at, place by place, until one is met. */
  #keepBySieves(found: Spans, sieves: Sieve[]): void {
    const { base, begins, count } = found;
    let rest = begins.slice(0, count);
    const met = new Set<number>();
    for (const sieve of sieves) {
      const left = rest.slice();
      // What lies before the corpus is not there.
      const first = gallop(left, Math.max(0, -(base + sieve.place.offset)), 0, left.length);
      const starts = left.subarray(first);
      const passed = sieve.sift(base, starts, starts.length);
      if (passed === 0) continue;
      for (let i = 0; i < passed; i++) met.add(starts[i]);
      rest = rest.filter((begin) => !met.has(begin));
    }
    let kept = 0;
    for (let i = 0; i < count; i++) if (met.has(begins[i]) !== this.negated) found.move(i, kept++);
    found.count = kept;
  }

  /** Windows of so many tokens ascend with the items: both are walked once. */
  #keepNear(found: Spans, low: number, high: number): void {
    const { base, begins, count } = found;
    const first = Math.max(0, base + begins[0] + low);
    const last = Math.min(this.ground.tokens, base + begins[count - 1] + high + 1);
    const others = first < last ? this.other.spans(first, last) : new Spans(0);
    const { begins: near, count: nearCount } = others;
    const shift = others.base - base;
    let kept = 0;
    if (!this.negated && nearCount * 8 < count) {
      // The others are rare: from each of them to the items that it is near.
      let i = 0;
      for (let n = 0; n < nearCount && i < count; n++) {
        i = gallop(begins, Math.max(0, near[n] + shift - high), i, count);
        for (; i < count && begins[i] <= near[n] + shift - low; i++) found.move(i, kept++);
      }
      found.count = kept;
      return;
    }
    let next = 0;
    for (let i = 0; i < count; i++) {
      const from = begins[i] + low - shift;
      while (next < nearCount && near[next] < from) next++;
      const met = next < nearCount && near[next] <= begins[i] + high - shift;
      if (met !== this.negated) found.move(i, kept++);
    }
    found.count = kept;
  }

  /** Windows of structures: they may fall back where structures nest. */
  #keepAround(found: Spans): void {
    const { begins, ends, count } = found;
    const { low, high } = this.#windows(found);
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < count; i++) {
      if (low[i] >= high[i]) continue;
      first = Math.min(first, low[i]);
      last = Math.max(last, high[i]);
    }
    const others = first < last ? this.other.spans(first, last) : new Spans(0);
    let kept = 0;
    let next = 0;
    for (let i = 0; i < count; i++) {
      while (next > 0 && others.base + others.begins[next - 1] >= low[i]) next--;
      while (next < others.count && others.base + others.begins[next] < low[i]) next++;
      const met = low[i] < high[i] && next < others.count && others.base + others.begins[next] < high[i];
      if (met === this.negated) continue;
      begins[kept] = begins[i];
      ends[kept++] = ends[i];
    }
    found.count = kept;
  }

  /** For each item the interval in which the other has to begin. */
  #windows({ base, begins, count }: Spans): { low: Float64Array; high: Float64Array } {
    const low = new Float64Array(count);
    const high = new Float64Array(count);
    const { near, ground } = this;
    for (let i = 0; i < count; i++) {
      const at = base + begins[i];
      if ("from" in near) {
        low[i] = Math.max(0, at + near.from);
        high[i] = Math.min(ground.tokens, at + near.to + 1);
      } else [low[i], high[i]] = near.index.around(ground.segmentAt(at), at);
    }
    return { low, high };
  }

  *at(position: number, limit: number): Iterable<Found> {
    const items = firstPerEnd(this.item.at(position, limit), limit, position);
    if (items.length === 0) return;
    const single = new Spans(position, 1);
    single.push(0, 1);
    const { low, high } = this.#windows(single);
    const others: Found[] = [];
    if (low[0] < high[0]) {
      const { base, begins, count } = this.other.spans(low[0], high[0]);
      for (let i = 0; i < count; i++) {
        if (i > 0 && begins[i] === begins[i - 1]) continue;
        others.push(
          ...firstPerEnd(
            this.other.at(base + begins[i], Number.POSITIVE_INFINITY),
            Number.POSITIVE_INFINITY,
            base + begins[i],
          ),
        );
      }
    }
    for (const { end, labels } of items) {
      if (this.negated) {
        if (others.length === 0) yield { end, labels };
      } else for (const other of others) yield { end, labels: { ...other.labels, ...labels } };
    }
  }

  describe(): Description {
    const { near } = this;
    return {
      operator: this.negated ? "meet not" : "meet",
      detail: "from" in near ? `${near.from} to ${near.to}` : near.index.structure.name,
    };
  }
}
