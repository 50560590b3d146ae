/**
 * Runs a pattern: from each start that may be one, the automaton over the classes of the tokens there.
 *
 * Two ways to the starts. A scan classifies every token. A look around anchors takes the places of a rare token that
 * every match must have, and classifies only the tokens near them.
 */

import { type Anchors, anchorsOf, describeAnchors } from "../plan/anchors.js";
import { costs } from "../plan/costs.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { beyondCuts, hasZero, lengthsOf, type Pattern, uncut, withoutCuts } from "../plan/pattern.js";
import { withOwnAtoms } from "../plan/rewrite.js";
import { type Atom, always, holds, type Test } from "../plan/tests.js";
import { AnchorReader, besidesAnchors, ListReader } from "./anchors.js";
import { Automaton } from "./automaton.js";
import { type Binder, binderOf } from "./bindings.js";
import { type Steps, underCeiling } from "./ceilings.js";
import { Classifier, idTable, packedSets } from "./classes.js";
import { Deriver } from "./derive.js";
import { fixedTests, type Sieve, sievesOf } from "./fixed.js";
import { type Ground, Islands } from "./ground.js";
import { LengthMatcher } from "./lengths.js";
import type { Room } from "./room.js";
import {
  type Ceiling,
  type Choice,
  type Description,
  type Found,
  type Source,
  Spans,
  Tally,
} from "./source.js";

const [DONE, MISSING] = [0, 1];
const runWords = 21;
/** Tokens from the start that are looked at before the automaton is. */
const prefixMax = 4;
/** Where more starts than this look right, all are followed at once. */
const oftenShare = 0.04;
/** Patterns of up to so many tokens need no automaton when they are scanned for. */
const selectMax = 8;
/** Tokens that a match bounded by a structure is taken to reach over. */
const typicalReach = 25;
/** Islands, and tokens on them, that are looked at in one go. */
const islandsMax = 1 << 14;
const islandTokensMax = 1 << 18;
const choices: Choice[] = ["all", "first", "last"];

export class PatternSource implements Source {
  readonly lengthMax: number;
  readonly lengthMin: number;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;
  /** How the starts are found; undefined: by scanning. */
  readonly anchors: Anchors | undefined;
  readonly #scanCost: number;
  readonly #anchoredCost: number;
  readonly inputs: readonly Source[] = [];
  readonly bind: Binder | undefined;
  /** Does what stands behind a match matter? */
  readonly #looksBehind: number;
  #classifier: Classifier | undefined;
  #lazyAutomaton: Automaton | undefined;
  #lengths: LengthMatcher | undefined;
  /** The ranges of the ceiling overlap. */
  #overlapping = false;
  #often: boolean | undefined;
  /** For fixed patterns around anchors: what has to hold at the other places. */
  #sieves: Sieve[] | undefined;
  /** For a few tokens that are scanned for: their tests. */
  #selected: Test[] | undefined;
  #selectTable = 0;
  #selectSets = 0;
  #directSet: Uint8Array | undefined;
  /** What the classes of a match's first tokens can be: most starts of a scan are told by that. */
  #prefixSets = 0;
  #prefixCount = 0;
  #reader: AnchorReader | undefined;
  /** What matches where the limit on gaps keeps starts from being looked at. */
  #beyond: PatternSource | undefined;
  /** That alone says whether the limit ended something: no repeat that it may end stands behind the anchors. */
  #cutsBeforeAnchors = false;
  #deriver: Deriver | undefined;
  #run = 0;

  constructor(
    readonly ground: Ground,
    readonly pattern: Pattern,
    readonly atoms: readonly Atom[],
    readonly labels: readonly string[],
    /** A filter says how far a match may reach. */
    readonly bounded: boolean,
    readonly text: string,
    readonly onCut: () => void,
  ) {
    const { min, max } = lengthsOf(pattern);
    this.lengthMin = min;
    this.lengthMax = max;
    this.#looksBehind = hasZero(pattern) ? 1 : 0;
    this.bind = labels.length > 0 ? binderOf(pattern) : undefined;
    const { tokens } = ground;
    this.#scanCost = costs.scan(atoms, tokens);
    const reach = Math.min(max, bounded ? typicalReach : max);
    const anchors = anchorsOf(pattern, atoms, ground);
    const anchored = anchors ? costs.around(anchors, atoms, reach) : Number.POSITIVE_INFINITY;
    this.#anchoredCost = anchored;
    this.anchors = anchors && anchored < this.#scanCost ? anchors : undefined;
    this.cost = Math.min(anchored, this.#scanCost);
    this.rows = anchors ? Math.min(anchors.rows, tokens) : tokens;
    this.window = this.anchors ? Number.POSITIVE_INFINITY : limits.windowTokens;
  }

  prepare(): void {
    const { ground, atoms, pattern } = this;
    if (this.anchors) this.#reader = new AnchorReader(ground, this.anchors);
    if (this.anchors?.beyond) {
      this.#cutsBeforeAnchors = beyondCuts(pattern).length === this.anchors.beyond.length;
      const beyond: Pattern = { kind: "alternation", items: this.anchors.beyond.map(uncut) };
      const own = withOwnAtoms(beyond, atoms);
      this.#beyond = new PatternSource(ground, own.pattern, own.atoms, [], this.bounded, this.text, () => {});
      this.#beyond.prepare();
    }
    const fixed = fixedTests(pattern, atoms);
    if (this.#reader && fixed && this.anchors!.parts.every(({ from, to }) => from === to)) {
      const others = besidesAnchors(this.anchors!, fixed.tests, atoms);
      this.#sieves = sievesOf(ground, atoms, others, this.anchors!.rows);
      return;
    }
    if (fixed && !this.#reader && fixed.length > selectMax) {
      // Too long for an automaton to be kept: every start is one until a place says otherwise.
      this.#sieves = sievesOf(ground, atoms, fixed.tests, ground.tokens);
      return;
    }
    if (fixed && fixed.length <= selectMax && !this.#looksBehind) {
      this.#selected = Array.from(
        { length: fixed.length },
        (_, offset) => fixed.tests.find((place) => place.offset === offset)?.test ?? always,
      );
    }
  }

  /** Made when it is first needed: a pattern that is sifted or selected does without. */
  get classifier(): Classifier {
    this.#classifier ??= new Classifier(this.ground, this.atoms, this.#listedAtoms());
    return this.#classifier;
  }

  /** Atoms of an attribute that are cheaper to read from lists than to look up around all anchors. */
  #listedAtoms(): Map<number, ListReader> {
    const listed = new Map<number, ListReader>();
    if (!this.#reader || !this.anchors) return listed;
    const reach = Math.min(this.lengthMax, typicalReach);
    const around = this.anchors.parts.reduce(
      (sum, { rows, from, to }) => sum + rows * (reach + to - from),
      0,
    );
    const byAttribute = new Map<string, number[]>();
    this.atoms.forEach((atom, i) => {
      if (atom.kind === "ids")
        byAttribute.set(atom.attribute.name, [...(byAttribute.get(atom.attribute.name) ?? []), i]);
    });
    for (const atoms of byAttribute.values()) {
      const all = atoms.map((i) => this.atoms[i] as Extract<Atom, { kind: "ids" }>);
      const tokens = all.reduce((sum, atom) => sum + atom.tokens, 0);
      if (all.some(({ ids }) => ids.negated || ids.ids.length > 64)) continue;
      if (all[0].attribute.lexicon.size <= 256 || tokens * 2 * costs.posting > around * costs.fetch) continue;
      atoms.forEach((i, n) => {
        const { attribute, ids, text } = all[n];
        const own = this.anchors!.parts.findIndex((part) => part.text === text);
        const places = { kind: "ids" as const, attribute, ids: ids.ids };
        listed.set(i, own >= 0 ? this.#reader!.lists[own] : new ListReader(this.ground, places));
      });
    }
    return listed;
  }

  get #automaton(): Automaton {
    this.#lazyAutomaton ??= new Automaton(this.classifier, this.pattern);
    return this.#lazyAutomaton;
  }

  /** The tables of kernels have to lie below what is allocated window by window. */
  #takeMemory(): void {
    if (this.#run > 0) return;
    const { arena } = this.ground;
    if (this.#selected && this.classifier.narrow) {
      const tables = this.#selected.map((test) => this.classifier.table(test));
      this.#selectSets = arena.putBytes(packedSets(tables));
      if (this.#onlyIds) this.#selectTable = arena.putBytes(this.#tableOf(this.#selected[0], this.#onlyIds));
    } else {
      if (!this.#reader)
        this.#lengths = LengthMatcher.of(
          new Automaton(this.classifier, withoutCuts(this.pattern, LengthMatcher.lengthsMax)),
        );
      const prefix = this.#automaton.prefix(prefixMax);
      this.#prefixSets = arena.putBytes(packedSets(prefix));
      this.#prefixCount = prefix.length;
    }
    this.#run = this.ground.arena.allocate(runWords * 4);
  }

  /** Of a single token, asked for by one attribute of many types: that is what is selected by. */
  get #onlyIds(): Extract<Atom, { kind: "ids" }> | undefined {
    const [only, ...more] = this.atoms;
    if (this.#selected?.length !== 1 || more.length > 0 || only?.kind !== "ids") return undefined;
    return only.attribute.lexicon.size > 256 ? only : undefined;
  }

  #tableOf(test: Test, only: Extract<Atom, { kind: "ids" }>): Uint8Array {
    const table = idTable(only);
    const { size } = only.attribute.lexicon;
    if (!holds(test, () => true)) for (let id = 0; id < size; id++) table[id] = 1 - table[id];
    return table;
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all", room?: Room): Spans {
    if (from >= to || this.lengthMax === 0) return new Spans(from, 1);
    if (this.#sieves) return this.#sift(from, to, ceiling, room);
    if (this.#selected && this.classifier.narrow) return this.#select(from, to, ceiling, room);
    const found = new Spans(from, room ?? 1024);
    if (this.#reader) this.#lookAround(from, to, ceiling, choice, found);
    else this.#scan(from, to, ceiling, choice, found);
    if (this.#automaton.wasCut && !this.#cutsBeforeAnchors) this.onCut();
    else if (this.#beyond) this.#lookBeyond(from, to, ceiling);
    return found;
  }

  /** Would a match begin before where starts are looked at, if it were not for the limit on gaps? Told once. */
  #lookBeyond(from: number, to: number, ceiling: Ceiling | undefined): void {
    try {
      if (this.#beyond!.spans(from, to, ceiling, "first").count === 0) return;
    } catch (error) {
      // Too much to be looked at: then it may be that there is something.
      if (!(error instanceof QueryError)) throw error;
    }
    this.#beyond = undefined;
    this.onCut();
  }

  count(from: number, to: number, ceiling?: Ceiling): number {
    const written = this.#sieves || this.#reader || this.lengthMax === 0 || from >= to;
    if (written) return this.spans(from, to, ceiling).count;
    if (this.#selected && this.classifier.narrow) {
      if (ceiling) return this.#select(from, to, ceiling).count;
      this.#takeMemory();
      const mark = this.ground.arena.mark();
      const { count } = this.#selectInArena(from, to);
      this.ground.arena.release(mark);
      return count;
    }
    const found = new Tally();
    this.#scan(from, to, ceiling, "all", found);
    if (this.#automaton.wasCut) this.onCut();
    return found.count;
  }

  /** Of the starts that anchors allow, those that pass the tests at all other places. */
  #sift(from: number, to: number, ceiling: Ceiling | undefined, room?: Room): Spans {
    const starts = this.#reader ? this.#reader.starts(from, to, room).all() : allBetween(from, to);
    let count = starts.length;
    for (const sieve of this.#sieves!) count = sieve.sift(from, starts, count);
    while (count > 0 && starts[count - 1] + this.lengthMax > this.ground.tokens - from) count--;
    const inRoom = room !== undefined && starts.buffer === room.begins.buffer;
    const found = Spans.ofLength(from, starts, count, this.lengthMax, inRoom ? room : undefined);
    if (ceiling) underCeiling(found, ceiling);
    return found;
  }

  /** A few tokens in a row, by scanning. */
  #select(from: number, to: number, ceiling: Ceiling | undefined, room?: Room): Spans {
    this.#takeMemory();
    const { arena } = this.ground;
    const mark = arena.mark();
    const { target, count } = this.#selectInArena(from, to);
    const begins = arena.integers(target, count);
    let found: Spans;
    if (room) {
      found = new Spans(from, room);
      found.reserve(count);
      found.count = count;
      found.begins.set(begins);
      // What were begins become the ends.
      arena.kernels.addToAll(target, count, this.lengthMax);
      found.ends.set(begins);
    } else found = Spans.ofLength(from, begins.slice(), count, this.lengthMax);
    arena.release(mark);
    if (ceiling) underCeiling(found, ceiling);
    return found;
  }

  /** Their begins, where the arena has them until it is told otherwise. */
  #selectInArena(from: number, to: number): { target: number; count: number } {
    const { ground, lengthMax } = this;
    const { arena } = ground;
    const starts = Math.max(0, Math.min(to, ground.tokens - lengthMax + 1) - from);
    const target = arena.allocate((starts + 8) * 4);
    let count = 0;
    const only = this.#onlyIds;
    if (only) {
      // One attribute alone: its ids need no classes.
      const ids = arena.allocate((to - from) * 4 + 64);
      ground.eachSegment(from, to, (at, a, b) => {
        const segment = ground.snapshot.segments[at];
        const base = segment.start + a - from;
        segment.stream(only.attribute).read(a, b - a, arena.integers(ids, b - a));
        count += arena.kernels.selectIds(ids, b - a, this.#selectTable, base, target + count * 4);
      });
    } else {
      const classes = this.classifier.classify(Islands.one(from, from + starts + lengthMax - 1));
      count = arena.kernels.selectSets(classes, starts, this.#selectSets, lengthMax, 0, target);
    }
    return { target, count };
  }

  /** A bit for each token of [from, to) that is a match, where single tokens are scanned for. */
  tokenBits(from: number, to: number): Uint32Array | undefined {
    if (
      this.#reader ||
      this.#sieves ||
      this.#selected?.length !== 1 ||
      this.#onlyIds ||
      !this.classifier.narrow
    )
      return undefined;
    const { direct } = this.classifier;
    if (direct) {
      this.#directSet ??= packedSets([this.classifier.table(this.#selected[0])]);
      const bits = this.ground.memberBits(direct, from, to, this.#directSet);
      if (bits) return bits;
    }
    this.#takeMemory();
    const { arena } = this.ground;
    const mark = arena.mark();
    const words = ((to - from) >>> 5) + 2;
    const target = arena.allocate(words * 4);
    arena.kernels.clear(target, words * 4);
    const classes = this.classifier.classify(Islands.one(from, to));
    arena.kernels.selectBits(classes, to - from, this.#selectSets, target);
    const bits = arena.integers(target, words).slice();
    arena.release(mark);
    return bits;
  }

  /** How far to look behind a start: where the longest match from there can end. */
  #reachOf(start: number, limit: number): number {
    const reach = Math.min(start + this.lengthMax, Math.max(limit, start), this.ground.tokens);
    if (reach - start > limits.reachTokensMax) {
      throw new QueryError(
        "reach_too_long",
        `a match may be longer than ${limits.reachTokensMax} tokens (limit reachTokensMax)`,
        "Use within with a smaller structure, or bound the repeat.",
      );
    }
    return reach + this.#looksBehind;
  }

  #scan(
    from: number,
    to: number,
    ceiling: Ceiling | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): void {
    this.#takeMemory();
    const { arena } = this.ground;
    if (this.#lengths) {
      if (this.#scanByLength(this.#lengths, from, to, ceiling, choice, found)) return;
      // Matches are few here, or long: so they will be further on.
      this.#lengths = undefined;
    }
    // Before memory is marked: what the ceiling takes for good, when it is first asked, has to stay.
    const steps = ceiling?.steps(from, to);
    const mark = arena.mark();
    const limit = steps ? from + steps.limit[steps.count - 1] : Number.POSITIVE_INFINITY;
    const islands = Islands.one(from, Math.max(to, this.#reachOf(to - 1, limit)));
    const classes = this.classifier.classify(islands);
    this.#drive(classes, islands.size, 0, to - from, 0, steps, choice, (begins, ends) =>
      found.append(begins, ends),
    );
    arena.release(mark);
  }

  /** False where matches are few or may be long: then nothing was found. */
  #scanByLength(
    matcher: LengthMatcher,
    from: number,
    to: number,
    ceiling: Ceiling | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): boolean {
    const { arena, tokens } = this.ground;
    const last = Math.min(to + matcher.reach, tokens);
    const asBits = ceiling?.bits !== undefined && !this.#overlapping;
    // Before memory is marked: what the ceiling takes for good, when it is first asked, has to stay.
    let steps = asBits ? undefined : ceiling?.steps(from, last);
    const mark = arena.mark();
    const limits = asBits ? matcher.limits(ceiling, from, last) : undefined;
    if (asBits && !limits) {
      this.#overlapping = true;
      steps = ceiling.steps(from, last);
    }
    const classes = this.classifier.classify(Islands.one(from, last));
    const seesAll =
      last === tokens ||
      this.lengthMax <= matcher.reach + 1 ||
      (limits && matcher.endsBefore(limits, to - 1 - from, last - from)) ||
      (steps && from + limitAt(steps, to - from - 1) <= last);
    const done =
      this.#startsOften(classes, to - from) &&
      (seesAll || !matcher.mayGoOn(classes, last - from, to - from)) &&
      matcher.match(classes, last - from, to - from, limits, steps, choice, found);
    arena.release(mark);
    return done;
  }

  /** Do many tokens look like the start of a match? Looked at once. */
  #startsOften(classes: number, count: number): boolean {
    if (this.#often === undefined) {
      const { arena } = this.ground;
      const target = arena.allocate((count + 16) * 4);
      const { kernels } = arena;
      const found =
        this.#prefixCount > 0
          ? kernels.selectSets(classes, count, this.#prefixSets, this.#prefixCount, 0, target)
          : count;
      this.#often = found > count * oftenShare;
    }
    return this.#often;
  }

  #lookAround(from: number, to: number, ceiling: Ceiling | undefined, choice: Choice, found: Spans): void {
    this.#takeMemory();
    const { ground } = this;
    const starts = this.#reader!.starts(from, to).all();
    const count = starts.length;
    const ceilings = ceiling && new Uint32Array(count);
    if (ceilings && count > 0) ceiling.limits(from, starts, count, ceilings);
    // In pieces, so that memory stays bounded however many places there are.
    for (let first = 0; first < count; ) {
      ground.checkpoint();
      const islands = new Islands(Math.min(count - first, islandsMax));
      const places = new Uint32Array(Math.min(count - first, islandsMax * 8));
      let islandFrom = -1;
      let reached = -1;
      let own = 0;
      for (; first + own < count && own < places.length; own++) {
        const start = starts[first + own];
        const limit = ceilings ? from + ceilings[first + own] : Number.POSITIVE_INFINITY;
        const reach = this.#reachOf(from + start, limit) - from;
        if (islandFrom < 0 || start > reached) {
          if (islandFrom >= 0) islands.add(from + islandFrom, reached - islandFrom);
          if (islands.count === islandsMax - 1 || islands.size > islandTokensMax) {
            islandFrom = -1;
            break;
          }
          islandFrom = start;
          reached = start + 1;
        }
        if (reach > reached) reached = reach;
        places[own] = islands.size + start - islandFrom;
      }
      if (islandFrom >= 0) islands.add(from + islandFrom, reached - islandFrom);
      let limitsHere: Uint32Array | undefined;
      if (ceilings) {
        limitsHere = new Uint32Array(own);
        for (let i = 0; i < own; i++) {
          const room = ceilings[first + i] - starts[first + i];
          limitsHere[i] = room > 0 ? places[i] + room : 0;
        }
      }
      first += own;
      this.#runOn(islands, places.subarray(0, own), limitsHere, choice, found, from);
    }
  }

  #runOn(
    islands: Islands,
    places: Uint32Array,
    ceilings: Uint32Array | undefined,
    choice: Choice,
    found: Spans,
    from: number,
  ): void {
    const { arena } = this.ground;
    const mark = arena.mark();
    const classes = this.classifier.classify(islands);
    const starts = arena.put(places);
    const limitsAt = ceilings ? arena.put(ceilings) : 0;
    let island = 0;
    this.#drive(classes, islands.size, starts, places.length, limitsAt, undefined, choice, (begins, ends) => {
      found.reserve(begins.length);
      for (let i = 0; i < begins.length; i++) {
        while (islands.places[island + 1] <= begins[i]) island++;
        const shift = islands.froms[island] - islands.places[island] - from;
        found.begins[found.count] = begins[i] + shift;
        found.ends[found.count++] = ends[i] + shift;
      }
    });
    arena.release(mark);
  }

  /** Calls the kernel until all starts are done. */
  #drive(
    classes: number,
    count: number,
    starts: number,
    to: number,
    limitsAt: number,
    steps: Steps | undefined,
    choice: Choice,
    take: (begins: Uint32Array, ends: Uint32Array) => void,
  ): void {
    const { arena } = this.ground;
    const automaton = this.#automaton;
    // One start alone may have as many matches as there are tokens behind it.
    const capacity =
      choice === "all"
        ? Math.max(limits.blockMatches, Math.min(count, this.lengthMax + 1))
        : limits.blockMatches;
    const begins = arena.allocate(capacity * 4);
    const ends = arena.allocate(capacity * 4);
    const mode = choices.indexOf(choice);
    const stepsAt = steps ? arena.put(steps.at.subarray(0, steps.count)) : 0;
    const stepLimits = steps ? arena.put(steps.limit.subarray(0, steps.count)) : 0;
    const run = arena.u32.subarray(this.#run >>> 2, (this.#run >>> 2) + runWords);
    run.fill(0);
    run.set([
      classes,
      count,
      automaton.address,
      automaton.beginning,
      starts,
      0,
      to,
      limitsAt,
      mode,
      begins,
      ends,
      0,
      capacity,
      0,
      0,
      stepsAt,
      stepLimits,
      steps?.count ?? 0,
      0,
      this.#prefixSets,
      starts === 0 ? this.#prefixCount : 0,
    ]);
    for (;;) {
      const status = arena.kernels.runAutomaton(this.#run);
      if (status === MISSING) {
        if (!automaton.complete(run[13], run[14])) run[3] = automaton.beginning;
        continue;
      }
      take(arena.integers(begins, run[11]), arena.integers(ends, run[11]));
      run[11] = 0;
      if (status === DONE) return;
      this.ground.checkpoint();
    }
  }

  /** What is asked of the token, if it is a single one. */
  get singleTest(): Test | undefined {
    const fixed = fixedTests(this.pattern, this.atoms);
    if (fixed?.length !== 1 || this.#looksBehind) return undefined;
    return fixed.tests.find(({ offset }) => offset === 0)?.test ?? always;
  }

  /** How many matches there are, if the lexicon knows: one token, asked for by one attribute. */
  get knownCount(): number | undefined {
    const { pattern, ground } = this;
    const item = pattern.kind === "label" ? pattern.item : pattern;
    if (item.kind !== "token") return undefined;
    const { test } = item;
    if (test.op === "true") return ground.tokens;
    const inner = test.op === "not" ? test.item : test;
    if (inner.op === "true") return 0;
    const atom = inner.op === "atom" ? this.atoms[inner.atom] : undefined;
    if (atom?.kind !== "ids") return undefined;
    return test.op === "not" ? ground.tokens - atom.tokens : atom.tokens;
  }

  at(position: number, limit: number): Iterable<Found> {
    this.#deriver ??= new Deriver(this.ground, this.classifier, this.pattern);
    return this.#deriver.at(position, limit);
  }

  describe(): Description {
    const { text: detail, anchors } = this;
    const ms = (cost: number) => `${(cost / 1e6).toFixed(cost < 1e6 ? 2 : 0)} ms`;
    if (anchors) {
      const why = `${describeAnchors(anchors)}: about ${ms(this.cost)}; a scan would take ${ms(this.#scanCost)}`;
      return { operator: "look around anchors", detail, why };
    }
    const around =
      this.#anchoredCost === Number.POSITIVE_INFINITY
        ? ""
        : `; looking around the rarest tokens would take ${ms(this.#anchoredCost)}`;
    return { operator: "scan", detail, why: `about ${ms(this.#scanCost)}${around}` };
  }
}

/** The limit at a place: that of the last step there or before. */
function limitAt({ at, limit, count }: Steps, place: number): number {
  let step = count - 1;
  while (step > 0 && at[step] > place) step--;
  return limit[step];
}

/** 0, 1, 2 … for each position of an interval. */
function allBetween(from: number, to: number): Uint32Array {
  const all = new Uint32Array(to - from);
  for (let i = 0; i < all.length; i++) all[i] = i;
  return all;
}
