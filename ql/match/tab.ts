/** TAB a {0,3} b * c: from each start the items one after the other, each as early as can be. */
import { limits } from "../plan/limits.js";
import type { Ground } from "./ground.js";
import {
  type Bindings,
  type Ceiling,
  type Choice,
  type Description,
  type Found,
  type Source,
  Spans,
} from "./source.js";

export class TabSource implements Source {
  readonly labels: readonly string[];
  readonly inputs: readonly Source[];
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window = limits.windowTokens;

  constructor(
    readonly ground: Ground,
    readonly items: Source[],
    /** `max` Infinity: as far as a filter allows. */
    readonly gaps: { min: number; max: number }[],
  ) {
    this.inputs = items;
    this.labels = [...new Set(items.flatMap(({ labels }) => labels))];
    this.lengthMax =
      items.reduce((sum, { lengthMax }) => sum + lengthMax, 0) + gaps.reduce((sum, { max }) => sum + max, 0);
    this.rows = Math.min(...items.map(({ rows }) => rows));
    this.cost = items.reduce((sum, { cost, rows }) => sum + cost + rows * 100, 0);
  }

  prepare(): void {
    for (const item of this.items) item.prepare();
  }

  spans(from: number, to: number, ceiling?: Ceiling, _choice: Choice = "all"): Spans {
    const found = new Spans(from);
    const first = this.items[0].spans(from, to);
    const steps = ceiling?.steps(from, to);
    let step = 0;
    for (let i = 0; i < first.count; i++) {
      if (i > 0 && first.begins[i] === first.begins[i - 1]) continue;
      const position = first.base + first.begins[i];
      let limit = Number.POSITIVE_INFINITY;
      if (steps) {
        while (step + 1 < steps.count && steps.at[step + 1] <= position - from) step++;
        limit = from + steps.limit[step];
      }
      const way = this.#place(0, position, {}, limit);
      if (way) found.push(position - from, way.end - from);
    }
    return found;
  }

  #place(item: number, at: number, labels: Bindings, limit: number): Found | undefined {
    for (const way of this.items[item].at(at, limit)) {
      if (way.end > limit) continue;
      const bound = { ...way.labels, ...labels };
      if (item === this.items.length - 1) return { end: way.end, labels: bound };
      const { min, max } = this.gaps[item];
      const last = Math.min(way.end + max, this.ground.tokens - 1, limit);
      for (let next = way.end + min; next <= last; next++) {
        const rest = this.#place(item + 1, next, bound, limit);
        if (rest) return rest;
      }
    }
    return undefined;
  }

  at(position: number, limit: number): Iterable<Found> {
    const way = this.#place(0, position, {}, limit);
    return way ? [way] : [];
  }

  describe(): Description {
    return { operator: "tab" };
  }
}
