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
import { hasZero, lengthsOf, type Pattern } from "../plan/pattern.js";
import type { Atom } from "../plan/tests.js";
import { AnchorReader } from "./anchors.js";
import { Automaton } from "./automaton.js";
import { Classifier } from "./classes.js";
import { Deriver } from "./derive.js";
import { type Ground, Islands } from "./ground.js";
import { type Ceiling, type Choice, type Description, type Found, type Source, Spans } from "./source.js";

const [DONE, MISSING] = [0, 1];
const runWords = 15;
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
  /** Does what stands behind a match matter? */
  readonly #looksBehind: number;
  classifier!: Classifier;
  #automaton!: Automaton;
  #reader: AnchorReader | undefined;
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
    const { tokens } = ground;
    this.#scanCost = costs.scan(atoms, tokens);
    const reach = Math.min(max, bounded ? 200 : max);
    const anchors = anchorsOf(pattern, atoms, ground);
    const anchored = anchors ? costs.around(anchors, atoms, reach) : Number.POSITIVE_INFINITY;
    this.#anchoredCost = anchored;
    this.anchors = anchors && anchored < this.#scanCost ? anchors : undefined;
    this.cost = Math.min(anchored, this.#scanCost);
    this.rows = anchors ? Math.min(anchors.rows, tokens) : tokens;
    this.window = this.anchors ? Number.POSITIVE_INFINITY : limits.windowTokens;
  }

  prepare(): void {
    this.classifier = new Classifier(this.ground, this.atoms);
    this.#automaton = new Automaton(this.classifier, this.pattern);
    this.#run = this.ground.arena.allocate(runWords * 4);
    if (this.anchors) this.#reader = new AnchorReader(this.ground, this.anchors);
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const found = new Spans(from, 1024);
    if (from >= to) return found;
    const steps = ceiling?.steps(from, to);
    if (this.#reader) this.#lookAround(from, to, steps, choice, found);
    else this.#scan(from, to, steps, choice, found);
    if (this.#automaton.wasCut) this.onCut();
    return found;
  }

  /** How far to look behind the last start: where the longest match from there can end. */
  #reachOf(start: number, steps: ReturnType<Ceiling["steps"]> | undefined): number {
    const limit = steps ? steps.limit[steps.count - 1] : Number.POSITIVE_INFINITY;
    const reach = Math.min(start + this.lengthMax, Math.max(limit, start), this.ground.tokens);
    if (reach - start > limits.reachTokensMax) {
      throw new QueryError(
        "reach_too_long",
        `a match may be longer than ${limits.reachTokensMax} tokens (limit reachTokensMax)`,
        "Use within with a smaller structure, or bound the repeat.",
      );
    }
    return Math.min(reach + this.#looksBehind, this.ground.tokens + this.#looksBehind);
  }

  #scan(
    from: number,
    to: number,
    steps: ReturnType<Ceiling["steps"]> | undefined,
    choice: Choice,
    found: Spans,
  ): void {
    const { arena } = this.ground;
    const islands = Islands.one(from, Math.max(to, this.#reachOf(to - 1, steps)));
    const mark = arena.mark();
    const classes = this.classifier.classify(islands);
    const limitsAt = steps ? this.#limitsOfScan(steps, from, to) : 0;
    this.#drive(classes, islands.size, 0, to - from, limitsAt, choice, (begins, ends) =>
      found.append(begins, ends),
    );
    arena.release(mark);
  }

  #limitsOfScan(steps: ReturnType<Ceiling["steps"]>, from: number, to: number): number {
    const { arena } = this.ground;
    const address = arena.allocate((to - from) * 4);
    const out = arena.integers(address, to - from);
    for (let i = 0; i < steps.count; i++) {
      const end = i + 1 < steps.count ? steps.at[i + 1] : to;
      out.fill(Math.max(0, Math.min(steps.limit[i] - from, 0xffffffff)), steps.at[i] - from, end - from);
    }
    return address;
  }

  #lookAround(
    from: number,
    to: number,
    steps: ReturnType<Ceiling["steps"]> | undefined,
    choice: Choice,
    found: Spans,
  ): void {
    const { ground, lengthMax } = this;
    const { begins: startsFrom, ends: startsTo, count } = this.#reader!.starts(from, to);
    // In pieces, so that memory stays bounded however many places there are.
    let step = 0;
    for (let first = 0; first < count; ) {
      ground.checkpoint();
      const islands = new Islands(Math.min(count - first, 1 << 14));
      const places: number[] = [];
      const ceilings: number[] = [];
      let reached = -1;
      let next = first;
      let islandFrom = -1;
      const close = () => {
        if (islandFrom >= 0) islands.add(islandFrom, reached - islandFrom);
        islandFrom = -1;
      };
      let used = 0;
      for (; next < count && islands.count < (1 << 14) - 1 && used < 1 << 18; next++) {
        const begin = from + startsFrom[next];
        const last = from + startsTo[next] - 1;
        let limit = Number.POSITIVE_INFINITY;
        if (steps) {
          while (step + 1 < steps.count && steps.at[step + 1] <= last) step++;
          limit = steps.limit[step];
        }
        const reach = Math.min(last + lengthMax, Math.max(limit, last), ground.tokens) + this.#looksBehind;
        if (reach - begin > limits.reachTokensMax) this.#reachOf(begin, steps);
        if (islandFrom < 0 || begin > reached) {
          close();
          islandFrom = begin;
          used = islands.size;
        }
        reached = Math.max(reached, reach, last + 1);
        const base = islands.size - islandFrom;
        for (let start = begin; start <= last; start++) places.push(start + base);
        used = islands.size + reached - islandFrom;
      }
      close();
      if (steps) this.#ceilings(steps, startsFrom, startsTo, first, next, from, places, ceilings);
      first = next;
      this.#runOn(islands, places, ceilings, choice, found, from);
    }
  }

  /** The limit of each start, as a place. */
  #ceilings(
    steps: ReturnType<Ceiling["steps"]>,
    startsFrom: Uint32Array,
    startsTo: Uint32Array,
    first: number,
    next: number,
    from: number,
    places: number[],
    ceilings: number[],
  ): void {
    let step = 0;
    let at = 0;
    for (let i = first; i < next; i++) {
      for (let start = startsFrom[i]; start < startsTo[i]; start++) {
        while (step + 1 < steps.count && steps.at[step + 1] <= from + start) step++;
        const room = steps.limit[step] - (from + start);
        ceilings.push(room <= 0 ? 0 : Math.min(places[at] + room, 0xffffffff));
        at++;
      }
    }
  }

  #runOn(
    islands: Islands,
    places: number[],
    ceilings: number[],
    choice: Choice,
    found: Spans,
    from: number,
  ): void {
    const { arena } = this.ground;
    const mark = arena.mark();
    const classes = this.classifier.classify(islands);
    const starts = arena.put(Uint32Array.from(places));
    const limitsAt = ceilings.length > 0 ? arena.put(Uint32Array.from(ceilings)) : 0;
    let island = 0;
    this.#drive(classes, islands.size, starts, places.length, limitsAt, choice, (begins, ends) => {
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
    const run = arena.u32.subarray(this.#run >>> 2, (this.#run >>> 2) + runWords);
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
