/**
 * Derivations: how a pattern matches from a start, one way after the other, left to right and shortest first, with what
 * the labels are bound to. Slow beside the automaton, and asked only where labels matter, or where a pattern has jumps.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { hasLabel, hasTag, type Pattern } from "../plan/pattern.js";
import type { Test } from "../plan/tests.js";
import type { Classifier } from "./classes.js";
import { type Ground, Islands } from "./ground.js";
import type { Bindings, Found } from "./source.js";

/** Tokens classified at a time. */
const fieldTokens = 512;
/** So many ways are tried before it is looked whether they lead where others have led. */
const waysUnseen = 2_000;
/** … and so many before it is looked whether somebody still wants to know. */
const triesUnlooked = 1_024;

/** Is called with each way to match; true ends the search. */
type Take = (end: number, labels: Bindings) => boolean;

export class Deriver {
  #from = 0;
  #to = 0;
  #classes = new Uint8Array(0);
  readonly #labelled = new Map<Pattern, boolean>();
  readonly #tagged: boolean;
  #tried = 0;
  #triedBefore = 0;
  /** Ends of patterns without labels, by pattern and start; good for one limit. */
  #ends = new Map<Pattern, Map<number, number[]>>();
  #endsLimit = Number.NaN;

  constructor(
    readonly ground: Ground,
    readonly classifier: Classifier,
    readonly pattern: Pattern,
  ) {
    this.#tagged = hasTag(pattern);
  }

  /** Every way to match from a position, up to a limit. The same end may come more than once, with other labels. */
  at(position: number, limit: number): Found[] {
    const found: Found[] = [];
    this.each(position, limit, (end, labels) => {
      found.push({ end, labels: this.#tagged ? withoutTags(labels) : labels });
      return false;
    });
    return found;
  }

  each(position: number, limit: number, take: Take): boolean {
    this.#triedBefore += this.#tried;
    this.#tried = 0;
    return this.#walk(this.pattern, position, {}, limit, 0, take);
  }

  /** The ends of all matches from a position, in the order in which they are found, each once. */
  endsAt(position: number, limit: number): number[] {
    if (this.#tagged) return [...new Set(this.at(position, limit).map(({ end }) => end))];
    return this.#endsOf(this.pattern, position, limit);
  }

  #hasLabel(pattern: Pattern): boolean {
    let labelled = this.#labelled.get(pattern);
    if (labelled === undefined) {
      labelled = hasLabel(pattern);
      this.#labelled.set(pattern, labelled);
    }
    return labelled;
  }

  #holds(test: Test, position: number): boolean {
    if (position < this.#from || position >= this.#to) {
      if (position > this.ground.tokens) return false;
      this.#load(position);
    }
    return this.classifier.holds(test, this.#classes[position - this.#from]);
  }

  #load(position: number): void {
    const { arena, tokens } = this.ground;
    const from = Math.max(0, position - 16);
    const to = Math.min(from + fieldTokens, tokens + 1);
    const mark = arena.mark();
    const address = this.classifier.classify(Islands.one(from, to));
    this.#classes = arena.bytes(address, to - from).slice();
    arena.release(mark);
    this.#from = from;
    this.#to = to;
  }

  #token(test: Test, at: number, limit: number): boolean {
    return at < limit && at < this.ground.tokens && this.#holds(test, at);
  }

  #walk(pattern: Pattern, at: number, labels: Bindings, limit: number, depth: number, take: Take): boolean {
    if (!this.#hasLabel(pattern)) {
      for (const end of this.#endsOf(pattern, at, limit)) if (take(end, labels)) return true;
      return false;
    }
    this.#try(depth);
    switch (pattern.kind) {
      case "sequence":
        return this.#walkSequence(pattern.items, 0, at, labels, limit, depth, take, new Set());
      case "alternation":
        return pattern.items.some((item) => this.#walk(item, at, labels, limit, depth + 1, take));
      case "repeat":
        return this.#walkRepeat(pattern, 0, at, labels, limit, depth, take, new Set());
      case "label":
        return this.#walk(pattern.item, at, labels, limit, depth + 1, (end, inner) =>
          take(end, { ...inner, [pattern.label]: inner[pattern.label] ?? [at, end] }),
        );
      case "tag":
        return this.#walkTag(pattern, at, labels, take);
      case "jump":
        for (const { end, labels: own } of pattern.source.at(at, limit)) {
          if (end <= limit && take(end, { ...own, ...labels })) return true;
        }
        return false;
      default:
        throw new Error(`a ${pattern.kind} has no label`);
    }
  }

  /** A start tag is remembered as if it were a label: where it was, and its conditions. */
  #walkTag(pattern: Extract<Pattern, { kind: "tag" }>, at: number, labels: Bindings, take: Take): boolean {
    if (!this.#holds(pattern.test, at)) return false;
    const { edge, index, keep } = pattern;
    const name = tagMark + index.structure.name;
    const { [name]: opened, ...others } = labels;
    if (edge === "start") {
      let number = this.#tags.indexOf(pattern);
      if (number < 0) number = this.#tags.push(pattern) - 1;
      return take(at, { ...others, [name]: [at, number] });
    }
    if (!opened) return take(at, labels);
    return index.has(this.ground, opened[0], at, this.#tags[opened[1]].keep, keep) && take(at, others);
  }

  readonly #tags: Extract<Pattern, { kind: "tag" }>[] = [];

  /** Counts a step of a way that is tried, some for each token and label; ends the query when there are too many. */
  #try(depth: number): void {
    const { derivationsMax, derivationsOfQueryMax, derivationsPerTokenMax, derivationDepthMax } = limits;
    if (++this.#tried > derivationsMax || depth > derivationDepthMax) throw tooManyWays();
    const ofQueryMax = derivationsOfQueryMax + this.ground.tokens * derivationsPerTokenMax;
    const triedInAll = this.#triedBefore + this.#tried;
    if (triedInAll > ofQueryMax) throw tooManyWays();
    if (triedInAll % triesUnlooked === 0) this.ground.checkpoint();
  }

  /** Was this place reached before with the same bindings? Looked at only where there are many ways: it takes memory. */
  #isKnown(seen: Set<string>, step: number, at: number, labels: Bindings): boolean {
    if (this.#tried < waysUnseen) return false;
    const key = `${step} ${at} ${JSON.stringify(labels)}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  }

  #walkSequence(
    items: Pattern[],
    item: number,
    at: number,
    labels: Bindings,
    limit: number,
    depth: number,
    take: Take,
    seen: Set<string>,
  ): boolean {
    if (this.#isKnown(seen, item, at, labels)) return false;
    if (item === items.length) return take(at, labels);
    return this.#walk(items[item], at, labels, limit, depth + 1, (end, inner) => {
      this.#try(depth);
      return this.#walkSequence(items, item + 1, end, inner, limit, depth + 1, take, seen);
    });
  }

  /** Fewer rounds first; a round that consumes nothing and binds nothing leads to nothing new. */
  #walkRepeat(
    pattern: Extract<Pattern, { kind: "repeat" }>,
    round: number,
    at: number,
    labels: Bindings,
    limit: number,
    depth: number,
    take: Take,
    seen: Set<string>,
  ): boolean {
    const { item, min, max } = pattern;
    if (this.#isKnown(seen, max === Number.POSITIVE_INFINITY ? Math.min(round, min) : round, at, labels))
      return false;
    if (round >= min && take(at, labels)) return true;
    if (round >= max) return false;
    return this.#walk(item, at, labels, limit, depth + 1, (end, inner) => {
      if (end === at && round >= min && isSame(inner, labels)) return false;
      this.#try(depth);
      return this.#walkRepeat(pattern, round + 1, end, inner, limit, depth + 1, take, seen);
    });
  }

  /** Where a pattern without labels can end, each end once, in the order in which it is first found. */
  #endsOf(pattern: Pattern, at: number, limit: number): number[] {
    switch (pattern.kind) {
      case "tag":
        throw new Error("a tag is bound like a label");
      case "token":
        return this.#token(pattern.test, at, limit) ? [at + 1] : [];
      case "zero":
        return this.#holds(pattern.test, at) ? [at] : [];
      case "label":
        return this.#endsOf(pattern.item, at, limit);
      case "jump": {
        const ends: number[] = [];
        for (const { end } of pattern.source.at(at, limit))
          if (end <= limit && !ends.includes(end)) ends.push(end);
        return ends;
      }
    }
    if (limit !== this.#endsLimit) {
      this.#ends = new Map();
      this.#endsLimit = limit;
    }
    let ofPattern = this.#ends.get(pattern);
    if (!ofPattern || ofPattern.size > 100_000) {
      ofPattern = new Map();
      this.#ends.set(pattern, ofPattern);
    }
    let ends = ofPattern.get(at);
    if (!ends) {
      ends = this.#findEnds(pattern, at, limit);
      ofPattern.set(at, ends);
    }
    return ends;
  }

  #findEnds(
    pattern: Extract<Pattern, { kind: "sequence" | "alternation" | "repeat" }>,
    at: number,
    limit: number,
  ): number[] {
    const ends = new Set<number>();
    switch (pattern.kind) {
      case "sequence": {
        // Depth first, so that the order is kept; a place in the sequence is entered once.
        const entered = new Set<number>();
        const enter = (item: number, place: number) => {
          if (item === pattern.items.length) {
            ends.add(place);
            return;
          }
          const key = item + pattern.items.length * (place - at);
          if (entered.has(key)) return;
          entered.add(key);
          for (const end of this.#endsOf(pattern.items[item], place, limit)) enter(item + 1, end);
        };
        enter(0, at);
        break;
      }
      case "alternation":
        for (const item of pattern.items) for (const end of this.#endsOf(item, at, limit)) ends.add(end);
        break;
      case "repeat":
        this.#findRounds(pattern, at, limit, ends);
    }
    return [...ends];
  }

  #findRounds(
    { item, min, max }: Extract<Pattern, { kind: "repeat" }>,
    at: number,
    limit: number,
    ends: Set<number>,
  ): void {
    const entered = new Set<string>();
    /** Rounds still to be tried, the next one on top. */
    const open: [place: number, round: number][] = [[at, 0]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [place, round] = next;
      // Beyond the least number of rounds only how many are left matters, and not at all without a limit.
      const key = `${place} ${max === Number.POSITIVE_INFINITY ? Math.min(round, min) : round}`;
      if (entered.has(key)) continue;
      entered.add(key);
      if (round >= min) ends.add(place);
      if (round >= max) continue;
      const after = this.#endsOf(item, place, limit);
      for (let i = after.length - 1; i >= 0; i--) {
        if (after[i] === place && round >= min) continue;
        open.push([after[i], round + 1]);
      }
    }
  }
}

/** What stands before a structure's name where its start tag is among the labels. */
const tagMark = "<";

function withoutTags(labels: Bindings): Bindings {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith(tagMark)));
}

function isSame(a: Bindings, b: Bindings): boolean {
  if (a === b) return true;
  const labels = Object.keys(a);
  if (labels.length !== Object.keys(b).length) return false;
  return labels.every((label) => b[label] && a[label][0] === b[label][0] && a[label][1] === b[label][1]);
}

function tooManyWays(): QueryError {
  return new QueryError(
    "too_many_derivations",
    `binding the labels takes too many steps (limits derivationsMax: ${limits.derivationsMax}, derivationsOfQueryMax: ${limits.derivationsOfQueryMax}, derivationDepthMax: ${limits.derivationDepthMax})`,
    "Use fewer or smaller repeats around labels and before them, or a within.",
  );
}
