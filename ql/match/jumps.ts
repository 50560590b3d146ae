/**
 * Patterns with jumps in them. Their parts are found on their own and joined (join.ts). Where that cannot be done, they are walked:
 * from each start that can be one, all ends, one way after the other.
 */

import { costs } from "../plan/costs.js";
import { QueryError } from "../plan/errors.js";
import type { Keep } from "../plan/keep.js";
import { limits } from "../plan/limits.js";
import { lengthsOf, type Pattern } from "../plan/pattern.js";
import type { Atom } from "../plan/tests.js";
import { type Binder, binderOf } from "./bindings.js";
import { chosen, lowest, StructureCeiling, underCeiling } from "./ceilings.js";
import { Classifier } from "./classes.js";
import { Deriver } from "./derive.js";
import type { Ground } from "./ground.js";
import type { Part } from "./join.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";
import type { StructureIndex } from "./structures.js";

/** How the matches of a pattern are found, if not by walking. */
export interface Shortcut {
  /** Its parts: all of its matches are among theirs. */
  part?: Part;
  /** Parts that are no more than what can be matched: then only where these begin is walked from. */
  startsOnly?: boolean;
  /** Every match is one structure, of those that both conditions keep. */
  pair?: { index: StructureIndex; keeps: [Keep, Keep] };
  /** Called where it is walked nevertheless. */
  onWalk?: () => void;
}

/** What makes an automaton too much, and need not stop who walks. */
const tooMuch = ["pattern_too_large", "pattern_too_costly"];

export class JumpSource implements Source {
  readonly lengthMax: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;
  readonly inputs: readonly Source[];
  readonly bind: Binder | undefined;
  readonly #pairCeiling: Ceiling | undefined;
  #deriver!: Deriver;
  #walks = false;

  constructor(
    readonly ground: Ground,
    readonly pattern: Pattern,
    readonly atoms: readonly Atom[],
    readonly labels: readonly string[],
    readonly text: string,
    readonly shortcut: Shortcut = {},
  ) {
    const { part, startsOnly, pair } = shortcut;
    this.lengthMax = lengthsOf(pattern).max;
    this.bind = labels.length > 0 ? binderOf(pattern) : undefined;
    this.#pairCeiling = pair && new StructureCeiling(ground, pair.index, pair.keeps[0]);
    this.inputs = part?.inputs ?? jumpsOf(pattern);
    this.rows = Math.min(ground.tokens, ...this.inputs.map(({ rows }) => rows));
    const found = this.inputs.reduce((sum, { cost }) => sum + cost, 0);
    const walked = ground.tokens * 200 + costs.scan(atoms, ground.tokens);
    this.cost = found + (!part ? walked : startsOnly ? this.rows * 2000 : this.rows * 40);
    this.window = part ? Math.min(...this.inputs.map(({ window }) => window)) : limits.windowTokens;
  }

  prepare(): void {
    for (const input of this.inputs) input.prepare();
    // What a part has no use for is asked when labels are bound.
    for (const jump of jumpsOf(this.pattern)) if (!this.inputs.includes(jump)) jump.prepare();
    this.#deriver = new Deriver(this.ground, new Classifier(this.ground, this.atoms), this.pattern);
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const { part, startsOnly } = this.shortcut;
    if (part && !startsOnly && !this.#walks) {
      const joined = this.#unlessTooMuch(() => this.#join(part, from, to, ceiling, choice));
      if (joined) return joined;
    }
    const found = new Spans(from);
    const steps = ceiling?.steps(from, to);
    let step = 0;
    for (const position of this.#startsIn(from, to, ceiling)) {
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

  /** A part that is too much for an automaton is not asked again. */
  #unlessTooMuch(find: () => Spans): Spans | undefined {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof QueryError) || !tooMuch.includes(error.code)) throw error;
      this.#walks = true;
      this.shortcut.onWalk?.();
      return undefined;
    }
  }

  #join(part: Part, from: number, to: number, ceiling: Ceiling | undefined, choice: Choice): Spans {
    const combined = lowest([this.#pairCeiling, ceiling]);
    const found = part.find(from, to, combined);
    if (combined) underCeiling(found, combined);
    const { pair } = this.shortcut;
    if (pair && found.count > 0) {
      const { index, keeps } = pair;
      const { ground } = this;
      // Where none lies in another, what begins and ends with some within one is that one.
      const { base } = found;
      const last = ground.segmentAt(base + found.begins[found.count - 1]);
      let flat = true;
      for (let at = ground.segmentAt(from); at <= last; at++) flat &&= index.isFlat(at);
      if (!flat) found.filter((begin, end) => index.has(ground, base + begin, base + end, ...keeps));
    }
    chosen(found, choice);
    return found;
  }

  /** If the pattern begins with a jump, only where that has matches; else everywhere. */
  *#startsIn(from: number, to: number, ceiling: Ceiling | undefined): Generator<number> {
    const { part } = this.shortcut;
    const first = firstJump(this.pattern);
    const among = part && !this.#walks ? this.#unlessTooMuch(() => part.find(from, to, ceiling)) : undefined;
    const spans = among ?? first?.spans(from, to);
    if (!spans) {
      for (let position = from; position < to; position++) yield position;
      return;
    }
    for (let i = 0; i < spans.count; i++) {
      if (i === 0 || spans.begins[i] !== spans.begins[i - 1]) yield spans.base + spans.begins[i];
    }
  }

  at(position: number, limit: number): Iterable<Found> {
    return this.#deriver.at(position, limit);
  }

  describe(): Description {
    const { part, startsOnly } = this.shortcut;
    const detail = this.text;
    if (part && !startsOnly) return { operator: "join", detail, why: "parts of it are found on their own" };
    return { operator: "walk", detail, why: "what is found on its own cannot be joined here" };
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
