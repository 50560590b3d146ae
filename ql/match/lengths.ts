/**
 * Matches by their length, for all starts of a window at once. For each state of a pattern and each number of tokens r,
 * bits say from which positions the rest of the pattern can be matched by exactly r tokens: those for r follow from
 * those for r − 1, moved by one position. Patterns whose matches are short come out in a few steps of that; where they
 * do not end, the automaton does it.
 */
import type { Test } from "../plan/tests.js";
import type { Automaton, State } from "./automaton.js";
import type { Steps } from "./ceilings.js";
import { type Classifier, packedSets } from "./classes.js";
import { type Choice, type Spans, Tally } from "./source.js";

/** In place of a set's address: every class is in it. */
const anyClass = 0;
/** States that a pattern may have. */
const statesMax = 64;
const runWords = 13;
const [DONE] = [0];
const choices: Choice[] = ["all", "first", "last"];
const blockMatches = 1 << 16;

export class LengthMatcher {
  /** Longest matches that are looked for in this way. */
  static readonly lengthsMax = 20;
  readonly #states: readonly Readonly<State>[];
  readonly #order: number[];
  readonly #first: number;
  /** Distinct tests, and the sets of classes that pass them, in the arena. */
  readonly #tests: Test[] = [];
  readonly #sets: number[] = [];
  readonly #run: number;

  /** Undefined where a pattern is not of the kind. */
  static of(automaton: Automaton): LengthMatcher | undefined {
    const { classifier } = automaton;
    const ordered = classifier.narrow ? automaton.ordered() : undefined;
    if (!ordered || ordered.states.length > statesMax) return undefined;
    return new LengthMatcher(classifier, ordered);
  }

  private constructor(
    readonly classifier: Classifier,
    { states, order, first }: NonNullable<ReturnType<Automaton["ordered"]>>,
  ) {
    this.#states = states;
    this.#order = order;
    this.#first = first;
    const { arena } = classifier.ground;
    for (const { kind, test } of states) {
      if (kind !== "token" || this.#tests.includes(test!)) continue;
      this.#tests.push(test!);
      const table = classifier.table(test!);
      this.#sets.push(table.includes(0) ? arena.putBytes(packedSets([table])) : anyClass);
    }
    this.#run = arena.allocate(runWords * 4);
  }

  /**
   * May a match go on behind the tokens at hand? It would be longer than is looked for. From the end backwards: the states
   * from which all tokens up to there can be read.
   */
  mayGoOn(classes: number, count: number, starts: number): boolean {
    const { classifier } = this;
    const { u8 } = classifier.ground.arena;
    let alive = new Uint8Array(this.#states.length);
    for (let place = count; place >= 0; place--) {
      const here = new Uint8Array(alive.length);
      let some = false;
      for (const state of this.#order) {
        const { kind, test, to, or } = this.#states[state];
        if (kind === "split") here[state] = here[to] | here[or];
        else if (
          kind === "token" &&
          (place === count || (alive[to] && classifier.holds(test!, u8[classes + place])))
        )
          here[state] = 1;
        if (here[state]) some = true;
      }
      if (!some) return false;
      if (place < starts && here[this.#first]) return true;
      alive = here;
    }
    return false;
  }

  /** Tokens behind the last start that have to be classified. */
  readonly reach = LengthMatcher.lengthsMax;

  /**
   * Adds the matches from `starts` starts on; false if some may be longer than is looked for: then nothing was added.
   * `classes` are those of `count` tokens, and `steps` go as far as they do.
   */
  match(
    classes: number,
    count: number,
    starts: number,
    steps: Steps | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): boolean {
    const { arena } = this.classifier.ground;
    const { kernels } = arena;
    const words = (((count + 63) >>> 6) + 2) & ~1;
    const bytes = (words + 2) * 8;
    const zeroed = () => {
      const address = arena.allocate(bytes);
      kernels.clear(address, bytes);
      return address;
    };
    const tests = this.#sets.map((set) => {
      const bits = zeroed();
      if (set !== anyClass) kernels.selectBits(classes, count, set, bits);
      else {
        kernels.fill(bits, count >>> 3);
        arena.u8[bits + (count >>> 3)] = (1 << (count & 7)) - 1;
      }
      return bits;
    });
    // Structures apart from each other are left by no step: nothing has to be looked at when matches are written down.
    const limited = steps && this.#limited(tests, steps, count, words, zeroed);
    const nothing = zeroed();
    const everything = arena.allocate(bytes);
    kernels.fill(everything, bytes);
    /** Bits of each state for the length before, and for this one; `nothing` where there are none. */
    let before = this.#states.map(() => nothing);
    const arrays = this.#states.map(() => [0, 0]);
    const lengths: number[] = [];
    for (const state of this.#order) {
      const { kind, to, or } = this.#states[state];
      if (kind === "accept") before[state] = everything;
      else if (kind === "split" && (before[to] === everything || before[or] === everything))
        before[state] = everything;
    }
    for (let length = 1; ; length++) {
      const now = this.#states.map(() => nothing);
      let alive = false;
      // States of a counted repeat mostly come to the same: that is computed once.
      const [steps, joins]: [Combined[], Combined[]] = [[], []];
      for (const state of this.#order) {
        const { kind, test, to, or } = this.#states[state];
        if (kind === "token") {
          if (before[to] === nothing) continue;
          const own = (limited ? limited[length === 1 ? 0 : 1] : tests)[this.#tests.indexOf(test!)];
          now[state] = combined(steps, own, before[to], () => {
            const target = this.#own(arrays[state], length, zeroed);
            return kernels.stepBits(own, before[to], target, words) ? target : nothing;
          });
        } else if (kind === "split") {
          const [a, b] = [now[to], now[or]];
          if (a === nothing || b === nothing || a === b) now[state] = a === nothing ? b : a;
          else
            now[state] = combined(joins, a, b, () => {
              const target = this.#own(arrays[state], length, zeroed);
              kernels.joinBits(a, b, target, words);
              return target;
            });
        }
        if (now[state] !== nothing) alive = true;
      }
      if (!alive) break;
      if (length > LengthMatcher.lengthsMax) return false;
      // What the next lengths are computed of is written over: these stay.
      const kept = arena.allocate(bytes);
      kernels.joinBits(now[this.#first], nothing, kept, words);
      lengths.push(kept);
      before = now;
    }
    this.#emit(lengths, starts, limited ? undefined : steps, choice, found);
    return true;
  }

  /** What passes the tests inside of a limit as the last token of a match, and as one that goes on; undefined: structures overlap. */
  #limited(
    tests: number[],
    steps: Steps,
    count: number,
    words: number,
    zeroed: () => number,
  ): [number[], number[]] | undefined {
    const { arena } = this.classifier.ground;
    const [inside, on] = [zeroed(), zeroed()];
    const at = arena.put(steps.at.subarray(0, steps.count));
    const limits = arena.put(steps.limit.subarray(0, steps.count));
    if (!arena.kernels.limitBits(at, limits, steps.count, count, inside, on)) return undefined;
    const both = (bits: number) =>
      tests.map((test) => {
        const target = zeroed();
        arena.kernels.meetBits(test, bits, target, words);
        return target;
      });
    return [both(inside), both(on)];
  }

  /** One of a state's two arrays, by turns. */
  #own(arrays: number[], length: number, make: () => number): number {
    const turn = length & 1;
    if (arrays[turn] === 0) arrays[turn] = make();
    return arrays[turn];
  }

  #emit(
    lengths: number[],
    starts: number,
    steps: Steps | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): void {
    if (lengths.length === 0) return;
    const { arena } = this.classifier.ground;
    if (found instanceof Tally && !steps && choice === "all") {
      for (const bits of lengths) found.count += arena.kernels.countBits(bits, starts);
      return;
    }
    const arrays = arena.put(Uint32Array.from(lengths));
    const stepsAt = steps ? arena.put(steps.at.subarray(0, steps.count)) : 0;
    const stepLimits = steps ? arena.put(steps.limit.subarray(0, steps.count)) : 0;
    const begins = arena.allocate(blockMatches * 4 + 64);
    const ends = arena.allocate(blockMatches * 4 + 64);
    const run = arena.u32.subarray(this.#run >>> 2, (this.#run >>> 2) + runWords);
    const mode = choices.indexOf(choice);
    run.set([
      arrays,
      lengths.length,
      starts,
      0,
      begins,
      ends,
      0,
      blockMatches,
      mode,
      stepsAt,
      stepLimits,
      steps?.count ?? 0,
      0,
    ]);
    for (;;) {
      const status = arena.kernels.emitLengths(this.#run);
      found.append(arena.integers(begins, run[6]), arena.integers(ends, run[6]));
      run[6] = 0;
      if (status === DONE) return;
    }
  }
}

/** Two arrays, and what was made of them. */
interface Combined {
  a: number;
  b: number;
  made: number;
}

function combined(all: Combined[], a: number, b: number, make: () => number): number {
  let known = all.find((one) => one.a === a && one.b === b);
  if (!known) {
    known = { a, b, made: make() };
    all.push(known);
  }
  return known.made;
}
