/**
 * Labels bound in bulk: for each query of a relation, all tuples of positions to which labels 1, 2 and 3 are bound by matches that
 * begin in a window.
 *
 * Most queries of grammars are patterns of tokens inside a structure. Their states are written out once, with a state that binds
 * a label; from each token that may be a start, all ways are gone over the classes of the tokens, without an object for a way.
 * Only labels matter, so what stands before the first and behind the last and may be left out is left out. What else there is
 * (edges, queries in queries, conditions across labels) is found range by range as for a concordance.
 */

import type { Snapshot } from "../../storage/index.js";
import type { Query } from "../cql/ast.js";
import { lowest, type Steps } from "../match/ceilings.js";
import { Classifier } from "../match/classes.js";
import { type Ground, Islands } from "../match/ground.js";
import { PatternSource } from "../match/pattern.js";
import type { QuerySource } from "../match/query.js";
import type { Ceiling } from "../match/source.js";
import { hasJump, hasLabel, hasZero, lengthsOf, type Pattern } from "../plan/pattern.js";
import type { Test } from "../plan/tests.js";
import { prepare } from "../run/prepare.js";

/** Positions of labels 1, 2, 3; −1 where nothing is bound. */
export type TakeTuple = (one: number, two: number, three: number) => void;

export interface Binder {
  /** Tuples of matches that begin in [from, to). The same may come more than once. */
  bind(from: number, to: number, take: TakeTuple): void;
  close(): void;
}

const labels = ["1", "2", "3"];

export function binderOf(snapshot: Snapshot, query: Query): Binder {
  const { source, ground, strategy } = prepare(snapshot, query, { strategy: "all" });
  const { expression, filters, where } = source;
  const isPlain =
    strategy === "all" &&
    !where &&
    !query.expand &&
    query.cut === undefined &&
    expression instanceof PatternSource &&
    filters.every((filter) => filter.kind === "within" && !filter.negated);
  const program =
    isPlain && isWalkable(expression.pattern) ? programOf(trimmed(expression.pattern)) : undefined;
  if (!program) return new RangeBinder(ground, source, query);
  const ceiling = lowest(filters.map((filter) => (filter.kind === "within" ? filter.ceiling : undefined)));
  return new PatternBinder(
    ground,
    new Classifier(ground, (expression as PatternSource).atoms),
    program,
    ceiling,
  );
}

/** Range by range, every way to match it. */
class RangeBinder implements Binder {
  constructor(
    readonly ground: Ground,
    readonly source: QuerySource,
    readonly query: Query,
  ) {}

  bind(from: number, to: number, take: TakeTuple): void {
    const { expression, where } = this.source;
    const { base, begins, ends, count } = this.source.spans(from, to);
    for (let i = 0; i < count; ) {
      const begin = base + begins[i];
      const wanted = new Set<number>();
      let furthest = 0;
      for (; i < count && base + begins[i] === begin; i++) {
        wanted.add(base + ends[i]);
        furthest = Math.max(furthest, base + ends[i]);
      }
      for (const { end, labels: bound } of expression.at(begin, furthest)) {
        if (!wanted.has(end) || (where && !where(begin, end, bound))) continue;
        take(...(labels.map((label) => bound[label]?.[0] ?? -1) as [number, number, number]));
      }
    }
  }

  close(): void {
    this.ground.release();
  }
}

// ---- patterns of tokens

/** No jumps, no repeats of what may be empty, no label inside itself or over nothing. */
function isWalkable(pattern: Pattern, around: readonly string[] = []): boolean {
  if (around.length === 0 && hasJump(pattern)) return false;
  switch (pattern.kind) {
    case "sequence":
    case "alternation":
      return pattern.items.every((item) => isWalkable(item, around));
    case "repeat":
      return lengthsOf(pattern.item).min > 0 && isWalkable(pattern.item, around);
    case "label":
      return (
        lengthsOf(pattern.item).min > 0 &&
        !around.includes(pattern.label) &&
        isWalkable(pattern.item, [...around, pattern.label])
      );
    default:
      return true;
  }
}

/** Without what stands at either side, binds nothing and may be left out; with as little of the rest as will do. */
function trimmed(pattern: Pattern): Pattern {
  if (pattern.kind !== "sequence") return pattern;
  let items = pattern.items.flatMap((item) => (item.kind === "sequence" ? item.items : [item]));
  for (const side of ["first", "last"]) {
    for (;;) {
      const edge = side === "first" ? items[0] : items[items.length - 1];
      if (edge?.kind !== "repeat" || hasLabel(edge) || items.length === 1) break;
      const rest = side === "first" ? items.slice(1) : items.slice(0, -1);
      if (edge.min > 0) {
        const least: Pattern = { ...edge, max: edge.min, cut: false };
        items = side === "first" ? [least, ...rest] : [...rest, least];
        break;
      }
      items = rest;
    }
  }
  return items.length === 1 ? items[0] : { kind: "sequence", items };
}

const [TOKEN, ZERO, SPLIT, BIND, ACCEPT] = [0, 1, 2, 3, 4];

interface Program {
  kinds: number[];
  to: number[];
  or: number[];
  /** Of tokens and boundaries: which test; of bindings: which label. */
  what: number[];
  tests: Test[];
  first: number;
  lengthMax: number;
  looksBehind: number;
}

const statesMax = 4_000;

function programOf(pattern: Pattern): Program | undefined {
  const program: Program = {
    kinds: [ACCEPT],
    to: [-1],
    or: [-1],
    what: [-1],
    tests: [],
    first: 0,
    lengthMax: lengthsOf(pattern).max,
    looksBehind: hasZero(pattern) ? 1 : 0,
  };
  const add = (kind: number, to: number, or = -1, what = -1) => {
    program.kinds.push(kind);
    program.to.push(to);
    program.or.push(or);
    program.what.push(what);
    if (program.kinds.length > statesMax) throw tooLarge;
    return program.kinds.length - 1;
  };
  const write = (item: Pattern, next: number): number => {
    switch (item.kind) {
      case "token":
      case "zero":
        return add(item.kind === "token" ? TOKEN : ZERO, next, -1, program.tests.push(item.test) - 1);
      case "sequence":
        return item.items.reduceRight((behind, one) => write(one, behind), next);
      case "alternation":
        return item.items.map((one) => write(one, next)).reduceRight((or, to) => add(SPLIT, to, or));
      case "label": {
        const label = labels.indexOf(item.label);
        const inner = write(item.item, next);
        return label < 0 ? inner : add(BIND, inner, -1, label);
      }
      case "repeat": {
        let first = next;
        if (item.max === Number.POSITIVE_INFINITY) {
          first = add(SPLIT, -1, next);
          program.to[first] = write(item.item, first);
        } else
          for (let round = item.max; round > item.min; round--)
            first = add(SPLIT, write(item.item, first), next);
        for (let round = 0; round < item.min; round++) first = write(item.item, first);
        return first;
      }
      default:
        throw new Error(`a ${item.kind} cannot be walked`);
    }
  };
  try {
    program.first = write(pattern, 0);
  } catch (error) {
    if (error === tooLarge) return undefined;
    throw error;
  }
  return program;
}

const tooLarge = new Error("too large");
/** So many steps from one start before it is looked whether they lead where others have led. */
const stepsUnseen = 2_000;

class PatternBinder implements Binder {
  readonly #tables: Int8Array[];
  #classes: Uint8Array = new Uint8Array(0);
  #limit = 0;
  #end = 0;
  #from = 0;
  readonly #bound = new Int32Array(3);
  #take: TakeTuple = () => {};
  #steps = 0;
  #seen = new Set<string>();
  /** For each class: 1 if a match can begin with it, 0 if not, −1 not known yet. */
  readonly #starts = new Int8Array(256).fill(-1);

  constructor(
    readonly ground: Ground,
    readonly classifier: Classifier,
    readonly program: Program,
    readonly ceiling: Ceiling | undefined,
  ) {
    this.#tables = program.tests.map(() => new Int8Array(256).fill(-1));
  }

  bind(from: number, to: number, take: TakeTuple): void {
    const { ground, program, classifier } = this;
    const { arena, tokens } = ground;
    ground.checkpoint();
    const steps: Steps | undefined = this.ceiling?.steps(from, to);
    const furthest = steps
      ? from + (steps.count > 0 ? steps.limit[steps.count - 1] : 0)
      : Number.POSITIVE_INFINITY;
    const reach = Math.min(to - 1 + program.lengthMax, Math.max(furthest, to), tokens) + program.looksBehind;
    const size = Math.max(to, reach) - from;
    const mark = arena.mark();
    const address = classifier.classify(Islands.one(from, from + size));
    this.#classes = arena.bytes(address, size);
    this.#end = tokens - from;
    this.#from = from;
    this.#take = take;
    const classes = this.#classes;
    const starts = this.#starts;
    let step = 0;
    for (let at = 0; at < to - from; at++) {
      const own = classes[at];
      if (starts[own] < 0) starts[own] = this.#canStart(program.first, own) ? 1 : 0;
      if (starts[own] === 0) continue;
      this.#limit = Math.min(this.#end, size);
      if (steps) {
        while (step + 1 < steps.count && steps.at[step + 1] <= at) step++;
        if (steps.count === 0 || steps.at[step] > at || steps.limit[step] <= at) continue;
        this.#limit = Math.min(this.#limit, steps.limit[step]);
      }
      this.#bound.fill(-1);
      this.#steps = 0;
      this.#walk(program.first, at);
      if (this.#seen.size > 0) this.#seen = new Set();
    }
    arena.release(mark);
  }

  #canStart(state: number, own: number): boolean {
    const { kinds, to, or, what } = this.program;
    switch (kinds[state]) {
      case ACCEPT:
        return true;
      case SPLIT:
        return this.#canStart(to[state], own) || this.#canStart(or[state], own);
      case TOKEN:
        return this.#holds(what[state], own);
      case ZERO:
        return this.#holds(what[state], own) && this.#canStart(to[state], own);
      default:
        return this.#canStart(to[state], own);
    }
  }

  #holds(test: number, own: number): boolean {
    const table = this.#tables[test];
    if (table[own] < 0) table[own] = this.classifier.holds(this.program.tests[test], own) ? 1 : 0;
    return table[own] === 1;
  }

  #walk(from: number, at: number): void {
    const { kinds, to, or, what } = this.program;
    const bound = this.#bound;
    let state = from;
    for (;;) {
      if (++this.#steps > stepsUnseen) {
        const key = `${state} ${at} ${bound[0]} ${bound[1]} ${bound[2]}`;
        if (this.#seen.has(key)) return;
        this.#seen.add(key);
      }
      switch (kinds[state]) {
        case TOKEN:
          if (at >= this.#limit || !this.#holds(what[state], this.#classes[at])) return;
          at++;
          state = to[state];
          break;
        case ZERO:
          if (at >= this.#classes.length || !this.#holds(what[state], this.#classes[at])) return;
          state = to[state];
          break;
        case SPLIT:
          this.#walk(to[state], at);
          state = or[state];
          break;
        case BIND: {
          const label = what[state];
          if (bound[label] >= 0) {
            state = to[state];
            break;
          }
          bound[label] = at;
          this.#walk(to[state], at);
          bound[label] = -1;
          return;
        }
        default: {
          const place = (label: number) => (bound[label] < 0 ? -1 : bound[label] + this.#from);
          this.#take(place(0), place(1), place(2));
          return;
        }
      }
    }
  }

  close(): void {
    this.ground.release();
  }
}
