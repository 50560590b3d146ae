/** A query as a source: an expression, the filters over it, and conditions across its labels. */
import { chosen, containing, lowest, underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import { StructureSource } from "./ranges.js";
import { Room } from "./room.js";
import {
  type Bindings,
  type Ceiling,
  type Choice,
  type Description,
  type Found,
  type Source,
  Spans,
} from "./source.js";

export type RunFilter =
  /** within: `ceiling` is what must not be exceeded (negated: what must be). */
  | { kind: "within"; negated: boolean; ceiling: Ceiling; source?: Source; text: string }
  | { kind: "containing"; negated: boolean; source: Source; text: string }
  | { kind: "length"; min: number; max: number; text: string };

/** Do conditions across labels hold for a match? */
export type Conditions = (begin: number, end: number, labels: Bindings) => boolean;

export class QuerySource implements Source {
  readonly labels: readonly string[];
  readonly inputs: readonly Source[];
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;
  readonly bind: Source["bind"];
  readonly #ceiling: Ceiling | undefined;
  /** Filters that are applied to what was found. */
  readonly #after: RunFilter[];
  /** Where those are written that are only counted. */
  #room: Room | undefined;
  readonly #driven: { structures: StructureSource; inner: Source } | undefined;

  constructor(
    readonly ground: Ground,
    readonly expression: Source,
    readonly filters: RunFilter[],
    readonly where: Conditions | undefined,
  ) {
    this.labels = expression.labels;
    this.bind = expression.bind;
    this.inputs = [
      expression,
      ...filters.flatMap((filter) => ("source" in filter && filter.source ? [filter.source] : [])),
    ];
    const within = filters.filter((filter) => filter.kind === "within" && !filter.negated);
    this.#ceiling = lowest(within.map((filter) => (filter.kind === "within" ? filter.ceiling : undefined)));
    this.#after = filters.filter((filter) => !within.includes(filter));
    const [only] = this.#after;
    if (
      expression instanceof StructureSource &&
      !where &&
      this.#after.length === 1 &&
      only.kind === "containing" &&
      !only.negated
    ) {
      // Rare things lead to the structures they are in.
      if (only.source.rows * 4 < expression.rows)
        this.#driven = { structures: expression, inner: only.source };
    }
    this.lengthMax = Math.min(
      expression.lengthMax,
      ...filters.map((filter) => (filter.kind === "length" ? filter.max : Number.POSITIVE_INFINITY)),
    );
    this.rows = expression.rows;
    this.cost =
      expression.cost +
      filters.reduce((sum, filter) => sum + ("source" in filter ? (filter.source?.cost ?? 0) : 0), 0);
    this.window = Math.min(
      expression.window,
      ...filters.map((filter) =>
        "source" in filter ? (filter.source?.window ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
      ),
    );
  }

  prepare(): void {
    this.expression.prepare();
    for (const filter of this.filters) if ("source" in filter) filter.source?.prepare();
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all", room?: Room): Spans {
    const combined = lowest([this.#ceiling, ceiling]);
    const around = combined ? undefined : this.#driven?.structures.around(from, to, this.#driven.inner);
    if (around) {
      chosen(around, choice);
      return around;
    }
    const asItIs = this.#after.length === 0 && !this.where;
    const found = this.expression.spans(from, to, combined, asItIs ? choice : "all", room);
    if (asItIs) return found;
    this.#filter(found);
    const kept = this.where ? this.#where(found, combined) : found;
    chosen(kept, choice);
    return kept;
  }

  count(from: number, to: number, ceiling?: Ceiling): number {
    const { expression } = this;
    if (this.#after.length > 0 || this.where || !expression.count) {
      this.#room ??= new Room();
      return this.spans(from, to, ceiling, "all", this.#room).count;
    }
    return expression.count(from, to, lowest([this.#ceiling, ceiling]));
  }

  #filter(found: Spans): void {
    for (const filter of this.#after) {
      switch (filter.kind) {
        case "within":
          underCeiling(found, filter.ceiling, true);
          break;
        case "containing":
          containing(found, filter.source, filter.negated);
          break;
        case "length":
          found.filter((begin, end) => end - begin >= filter.min && end - begin <= filter.max);
      }
    }
  }

  /** Those with a way to match for which the conditions hold. */
  #where(found: Spans, ceiling: Ceiling | undefined): Spans {
    const { base, begins, ends, count } = found;
    const kept = new Spans(base);
    if (count === 0) return kept;
    const { bind } = this;
    if (bind) {
      let looked = 0;
      found.filter((begin, end) => {
        if ((++looked & 0x3ff) === 0) this.ground.checkpoint();
        return this.where!(base + begin, base + end, bind(base + begin, base + end));
      });
      return found;
    }
    const limits = ceiling && new Uint32Array(count);
    if (limits) ceiling.limits(base, begins, count, limits);
    for (let i = 0; i < count; ) {
      let last = i;
      while (last + 1 < count && begins[last + 1] === begins[i]) last++;
      const begin = base + begins[i];
      const limit = base + Math.min(ends[last], limits ? limits[i] : ends[last]);
      const wanted = new Set<number>();
      for (let j = i; j <= last; j++) wanted.add(base + ends[j]);
      const passed: number[] = [];
      for (const { end, labels } of this.expression.at(begin, limit)) {
        if (!wanted.has(end) || !this.where!(begin, end, labels)) continue;
        passed.push(end);
        wanted.delete(end);
        if (wanted.size === 0) break;
      }
      passed.sort((a, b) => a - b);
      for (const end of passed) kept.push(begin - base, end - base);
      if ((i & 0x3ff) === 0) this.ground.checkpoint();
      i = last + 1;
    }
    return kept;
  }

  /** One way to match for each range, by its end: the first for which the conditions hold. */
  at(position: number, limit: number): Found[] {
    const spans = this.spans(position, position + 1);
    const ends = new Set<number>();
    for (let i = 0; i < spans.count; i++) ends.add(position + spans.ends[i]);
    const { bind } = this;
    if (bind) {
      const within = [...ends].filter((end) => end <= limit).sort((a, b) => a - b);
      return within.map((end) => ({ end, labels: bind(position, end) }));
    }
    const found: Found[] = [];
    for (const { end, labels } of ends.size > 0 ? this.expression.at(position, Math.max(...ends)) : []) {
      if (end > limit || !ends.has(end)) continue;
      if (this.where && !this.where(position, end, labels)) continue;
      ends.delete(end);
      found.push({ end, labels });
      if (ends.size === 0) break;
    }
    return found.sort((a, b) => a.end - b.end);
  }

  describe(): Description {
    const parts = this.filters.map((filter) => {
      if (filter.kind === "length") return `${filter.min} to ${filter.max} tokens`;
      return `${filter.negated ? "not " : ""}${filter.kind} ${filter.text}`;
    });
    if (this.where) parts.push("conditions across labels");
    return { operator: "filter", detail: parts.join(", then ") };
  }
}
