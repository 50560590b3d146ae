/** (meet item other from to), (meet item other s): items that have a match of the other near them, or none. */
import { chosen, underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import { firstPerEnd } from "./ranges.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";

export type MeetWindow = { from: number; to: number } | { index: StructureIndex };

export class MeetSource implements Source {
  readonly labels: readonly string[];
  readonly inputs: readonly Source[];
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;

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
    this.window = Math.min(item.window, other.window);
  }

  prepare(): void {
    this.item.prepare();
    this.other.prepare();
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const found = this.item.spans(from, to);
    if (found.count > 0) this.#keep(found);
    if (ceiling) underCeiling(found, ceiling);
    chosen(found, choice);
    return found;
  }

  #keep(found: Spans): void {
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
      // Windows ascend with the items, but those of structures may fall back where they nest.
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
