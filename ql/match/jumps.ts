/** Patterns with jumps in them: from each start that can be one, all ends. */

import { costs } from "../plan/costs.js";
import { limits } from "../plan/limits.js";
import { lengthsOf, type Pattern } from "../plan/pattern.js";
import type { Atom } from "../plan/tests.js";
import { Classifier } from "./classes.js";
import { Deriver } from "./derive.js";
import type { Ground } from "./ground.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";

export class JumpSource implements Source {
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window = limits.windowTokens;
  readonly inputs: readonly Source[];
  #deriver!: Deriver;

  constructor(
    readonly ground: Ground,
    readonly pattern: Pattern,
    readonly atoms: readonly Atom[],
    readonly labels: readonly string[],
    readonly text: string,
  ) {
    this.lengthMax = lengthsOf(pattern).max;
    this.inputs = jumpsOf(pattern);
    this.rows = Math.min(...this.inputs.map(({ rows }) => rows));
    this.cost =
      ground.tokens * 200 +
      this.inputs.reduce((sum, { cost }) => sum + cost, 0) +
      costs.scan(atoms, ground.tokens);
  }

  prepare(): void {
    for (const jump of this.inputs) jump.prepare();
    this.#deriver = new Deriver(this.ground, new Classifier(this.ground, this.atoms), this.pattern);
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const found = new Spans(from);
    const steps = ceiling?.steps(from, to);
    let step = 0;
    for (const position of this.#startsIn(from, to)) {
      if ((position & 0xfff) === 0) this.ground.checkpoint();
      let limit = Number.POSITIVE_INFINITY;
      if (steps) {
        while (step + 1 < steps.count && steps.at[step + 1] <= position - from) step++;
        limit = from + steps.limit[step];
      }
      const ends = this.#deriver.endsAt(position, limit).filter((end) => end > position && end <= limit);
      if (ends.length === 0) continue;
      ends.sort((a, b) => a - b);
      if (choice === "first") ends.length = 1;
      if (choice === "last") ends.splice(0, ends.length - 1);
      for (const end of ends) found.push(position - from, end - from);
    }
    return found;
  }

  /** If the pattern begins with a jump, only where that has matches; else everywhere. */
  *#startsIn(from: number, to: number): Generator<number> {
    const first = firstJump(this.pattern);
    if (!first) {
      for (let position = from; position < to; position++) yield position;
      return;
    }
    const spans = first.spans(from, to);
    for (let i = 0; i < spans.count; i++) {
      if (i === 0 || spans.begins[i] !== spans.begins[i - 1]) yield spans.base + spans.begins[i];
    }
  }

  at(position: number, limit: number): Iterable<Found> {
    return this.#deriver.at(position, limit);
  }

  describe(): Description {
    return {
      operator: "walk",
      detail: this.text,
      why: "a part of the sequence is found on its own",
    };
  }
}

function jumpsOf(pattern: Pattern): Source[] {
  switch (pattern.kind) {
    case "jump":
      return [pattern.source];
    case "sequence":
    case "alternation":
      return pattern.items.flatMap(jumpsOf);
    case "repeat":
    case "label":
      return jumpsOf(pattern.item);
    default:
      return [];
  }
}

function firstJump(pattern: Pattern): Source | undefined {
  if (pattern.kind === "jump") return pattern.source;
  if (pattern.kind === "label") return firstJump(pattern.item);
  if (pattern.kind === "sequence") return firstJump(pattern.items[0]);
  return undefined;
}
