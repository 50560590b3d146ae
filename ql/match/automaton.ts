/**
 * A pattern as an automaton over classes of tokens. States of the pattern are written out once; rows of the table that
 * the kernel reads (assembly/match.ts) are sets of them, made when a text first leads there. When the table is full, all
 * rows are forgotten and made again as they are needed.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { hasCut, lengthsOf, type Pattern, withTokens } from "../plan/pattern.js";
import type { Test } from "../plan/tests.js";
import type { Classifier } from "./classes.js";

const BEFORE = 1 << 30;
const AFTER = 1 << 29;
const UNKNOWN = 0xffffffff;

export interface State {
  kind: "token" | "zero" | "split" | "accept" | "cut";
  test?: Test;
  to: number;
  or: number;
}

type RepeatPattern = Extract<Pattern, { kind: "repeat" }>;

const nowhere = -1;

export class Automaton {
  readonly #states: State[] = [];
  readonly #first: number;
  readonly #accept: number;
  readonly #alphabet: number;
  /** The table, in the arena. */
  readonly address: number;
  readonly #capacity: number;
  #rows: number[][] = [];
  #rowOf = new Map<string, number>();
  /** Row of the beginning, as the kernel counts rows. */
  beginning = 0;
  /** How many times what is being written is written, by the repeats around it. */
  #rounds = 1;
  /** States looked at on the way to new rows. */
  #visited = 0;
  /** A text was found that goes on where the limit on gaps ended a repeat. */
  wasCut = false;

  constructor(
    readonly classifier: Classifier,
    pattern: Pattern,
  ) {
    this.#howSmaller = howSmaller(pattern);
    this.#accept = this.#add({ kind: "accept", to: nowhere, or: nowhere });
    this.#first = this.#write(pattern, this.#accept);
    this.#alphabet = classifier.alphabet;
    const most = Math.floor(limits.automatonBytesMax / 4 / this.#alphabet);
    this.#capacity = Math.max(64, Math.min(4096, most));
    this.address = classifier.ground.arena.allocate(this.#capacity * this.#alphabet * 4);
    this.#forget();
  }

  /** What most states come of: rounds that are written out, or what is written. */
  readonly #howSmaller: string;

  #add(state: State): number {
    if (this.#states.length >= limits.patternStatesMax) {
      throw new QueryError(
        "pattern_too_large",
        `the pattern has more than ${limits.patternStatesMax} states (limit patternStatesMax)`,
        this.#howSmaller,
      );
    }
    return this.#states.push(state) - 1;
  }

  /** Writes a pattern in front of a state; returns where it begins. */
  #write(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case "token":
      case "zero":
        return this.#add({ kind: pattern.kind, test: pattern.test, to: next, or: nowhere });
      case "sequence":
        return pattern.items.reduceRight((behind, item) => this.#write(item, behind), next);
      case "alternation":
        return pattern.items
          .map((item) => this.#write(item, next))
          .reduceRight((or, to) => this.#add({ kind: "split", to, or }));
      case "label":
        return this.#write(pattern.item, next);
      case "repeat":
        return this.#writeRepeat(pattern, next);
      case "jump":
      case "tag":
        throw new Error("an automaton cannot jump");
    }
  }

  #writeRepeat(repeat: RepeatPattern, next: number): number {
    const { item, min, max, cut } = repeat.cut ? withoutEmptyRounds(repeat, this.#rounds) : repeat;
    const roundsAround = this.#rounds;
    this.#rounds *= Math.max(1, max === Number.POSITIVE_INFINITY ? min + 1 : max);
    let first = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#add({ kind: "split", to: nowhere, or: next });
      this.#states[loop].to = this.#write(item, loop);
      first = loop;
    } else {
      // One round more than is allowed shows that the limit has cut something off.
      let behind = cut
        ? this.#add({
            kind: "split",
            to: this.#write(item, this.#add({ kind: "cut", to: nowhere, or: nowhere })),
            or: next,
          })
        : next;
      for (let round = max; round > min; round--) {
        behind = this.#add({ kind: "split", to: this.#write(item, behind), or: next });
      }
      first = behind;
    }
    for (let round = 0; round < min; round++) first = this.#write(item, first);
    this.#rounds = roundsAround;
    return first;
  }

  /**
   * For the first tokens of every match, up to `most` of them: which classes they can have. What a match can end before
   * is not among them.
   */
  prefix(most: number): Uint8Array[] {
    const sets: Uint8Array[] = [];
    if (!this.classifier.narrow) return sets;
    let states = this.#reachable([this.#first]);
    while (sets.length < most && !states.includes(this.#accept)) {
      const asking = states.filter((state) => this.#states[state].kind === "token");
      const set = new Uint8Array(this.#alphabet);
      for (let own = 0; own < this.#alphabet; own++) {
        if (asking.some((state) => this.classifier.holds(this.#states[state].test!, own))) set[own] = 1;
      }
      sets.push(set);
      states = this.#reachable(asking.map((state) => this.#states[state].to));
    }
    return sets;
  }

  /**
   * The states in an order in which each comes behind those it leads to without a token; undefined where some lead back
   * to themselves so, ask something of a boundary, or say that a repeat was cut off.
   */
  ordered(): { states: readonly Readonly<State>[]; order: number[]; first: number } | undefined {
    const order: number[] = [];
    const entered = new Uint8Array(this.#states.length);
    const enter = (state: number): boolean => {
      if (entered[state] === 2) return true;
      if (entered[state] === 1) return false;
      entered[state] = 1;
      const { kind, to, or } = this.#states[state];
      if (kind === "zero" || kind === "cut") return false;
      if (kind === "split" && !(enter(to) && enter(or))) return false;
      entered[state] = 2;
      order.push(state);
      return true;
    };
    for (let state = 0; state < this.#states.length; state++) if (!enter(state)) return undefined;
    return { states: this.#states, order, first: this.#first };
  }

  /** What a set of states reaches if all that takes no token is passed. */
  #reachable(from: readonly number[]): number[] {
    const seen = new Set<number>();
    const open = [...from];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const { kind, to, or } = this.#states[state];
      if (kind === "split") open.push(to, or);
      else if (kind === "zero") open.push(to);
    }
    return [...seen];
  }

  #forget(): void {
    this.#rows = [[]];
    this.#rowOf = new Map([["", 0]]);
    this.beginning = this.#row(this.#closure([this.#first]));
  }

  /** What a set of states reaches without asking anything: states that ask, and the end. */
  #closure(from: readonly number[]): number[] {
    const seen = new Set<number>();
    const open = [...from];
    const reached: number[] = [];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const { kind, to, or } = this.#states[state];
      if (kind === "split") open.push(to, or);
      else reached.push(state);
    }
    return reached.sort((a, b) => a - b);
  }

  /** The row of a set of states, as an index into the table. */
  #row(set: number[]): number {
    const key = set.join();
    let row = this.#rowOf.get(key);
    if (row === undefined) {
      row = this.#rows.length;
      this.#rows.push(set);
      this.#rowOf.set(key, row);
      const start = (this.address >>> 2) + row * this.#alphabet;
      const { u32 } = this.classifier.ground.arena;
      for (let own = 0; own < this.#alphabet; own++) u32[start + own] = UNKNOWN;
    }
    return row * this.#alphabet;
  }

  /** Fills in what the kernel found missing. Returns false if all rows were forgotten: `beginning` has changed then. */
  complete(rowIndex: number, own: number): boolean {
    if (this.#rows.length >= this.#capacity) {
      this.#forget();
      return false;
    }
    const set = this.#rows[rowIndex / this.#alphabet];
    const entry = this.#step(set, own);
    this.classifier.ground.arena.u32[(this.address >>> 2) + rowIndex + own] = entry;
    return true;
  }

  #step(set: readonly number[], own: number): number {
    const { classifier } = this;
    const before = this.#visited;
    this.#visited += set.length;
    // Rows of such a pattern may take longer than a window of the corpus does.
    if (before >>> 13 !== this.#visited >>> 13) classifier.ground.checkpoint();
    if (this.#visited > limits.automatonVisitsMax) {
      throw new QueryError(
        "pattern_too_costly",
        `the pattern can go on in too many ways at once (limit automatonVisitsMax: ${limits.automatonVisitsMax.toLocaleString("en")})`,
        "Use fewer repeats inside repeats, smaller ones, or a within.",
      );
    }
    const seen = new Set(set);
    const open = [...set];
    const next: number[] = [];
    let ends = false;
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const { kind, test, to } = this.#states[state];
      if (kind === "accept") ends = true;
      else if (kind === "cut") continue;
      else if (classifier.holds(test!, own)) {
        if (kind === "token") next.push(to);
        else {
          for (const reached of this.#closure([to])) {
            if (seen.has(reached)) continue;
            seen.add(reached);
            open.push(reached);
          }
        }
      }
    }
    const target = this.#closure(next);
    const cut = target.findIndex((state) => this.#states[state].kind === "cut");
    if (cut >= 0) {
      this.wasCut = true;
      target.splice(cut, 1);
    }
    const accepted = target.includes(this.#accept);
    const rest = target.filter((state) => this.#states[state].kind !== "accept");
    // What the end alone is left of leads nowhere; but the set itself must know that it has ended.
    const row = rest.length === 0 ? 0 : this.#row(target);
    return (row | (ends && !set.includes(this.#accept) ? BEFORE : 0) | (accepted ? AFTER : 0)) >>> 0;
  }
}

function howSmaller(pattern: Pattern): string {
  if (hasCut(pattern))
    return "Add a within, so that repeats without a maximum are not written out, or use fewer of them.";
  if (statesOf(pattern) > 2 * statesOf(pattern, 1)) return "Make counted repeats smaller.";
  return "Use fewer alternatives, or one token for them: [word=$list] takes a list of any length.";
}

/** States that leaving out empty rounds may make more of. */
const moreStatesMax = 5_000;

/** Rounds that consume nothing are none that the limit ends: they are left out where that does not take much more. */
function withoutEmptyRounds(repeat: RepeatPattern, times: number): RepeatPattern {
  if (lengthsOf(repeat.item).min > 0) return repeat;
  const item = withTokens(repeat.item);
  if (!item) return repeat;
  const states = statesOf(item);
  if (states > statesOf(repeat.item) && states * repeat.max * times > moreStatesMax) return repeat;
  return { ...repeat, item, min: 0 };
}

/** About how many states a pattern is written out as, if no repeat has more rounds than that. */
function statesOf(pattern: Pattern, roundsMax = Number.POSITIVE_INFINITY): number {
  switch (pattern.kind) {
    case "sequence":
      return pattern.items.reduce((sum, item) => sum + statesOf(item, roundsMax), 0);
    case "alternation":
      return pattern.items.reduce((sum, item) => sum + statesOf(item, roundsMax) + 1, 0);
    case "label":
      return statesOf(pattern.item, roundsMax);
    case "repeat": {
      const rounds = pattern.max === Number.POSITIVE_INFINITY ? pattern.min + 1 : pattern.max;
      return Math.min(rounds, roundsMax) * (statesOf(pattern.item, roundsMax) + 1);
    }
    default:
      return 1;
  }
}
