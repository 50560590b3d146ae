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
import type { Choice, Spans } from "./source.js";

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
      this.#sets.push(arena.putBytes(packedSets([classifier.table(test!)])));
    }
    this.#run = arena.allocate(runWords * 4);
  }

  /** Tokens behind the last start that have to be classified. */
  readonly reach = LengthMatcher.lengthsMax;

  /**
   * Adds the matches from `starts` starts on; false if some may be longer than is looked for: then nothing was added.
   * `classes` are those of `count` tokens.
   */
  match(
    classes: number,
    count: number,
    starts: number,
    steps: Steps | undefined,
    choice: Choice,
    found: Spans,
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
      kernels.selectBits(classes, count, set, bits);
      return bits;
    });
    const nothing = zeroed();
    const everything = arena.allocate(bytes);
    arena.bytes(everything, bytes).fill(255);
    /** Bits of each state for the length before, and for this one; `nothing` where there are none. */
    let before = this.#states.map(() => nothing);
    const own = this.#states.map(() => [0, 0]);
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
      for (const state of this.#order) {
        const { kind, test, to, or } = this.#states[state];
        if (kind === "token") {
          if (before[to] === nothing) continue;
          const target = this.#own(own[state], length, zeroed, bytes);
          const some = kernels.stepBits(tests[this.#tests.indexOf(test!)], before[to], target, words);
          if (some) now[state] = target;
        } else if (kind === "split") {
          const [a, b] = [now[to], now[or]];
          if (a === nothing || b === nothing) now[state] = a === nothing ? b : a;
          else {
            const target = this.#own(own[state], length, zeroed, 0);
            kernels.joinBits(a, b, target, words);
            now[state] = target;
          }
        }
        if (now[state] !== nothing) alive = true;
      }
      if (!alive) break;
      if (length > LengthMatcher.lengthsMax) return false;
      // What the next lengths are computed of is written over: these stay.
      const kept = arena.allocate(bytes);
      arena.u8.copyWithin(kept, now[this.#first], now[this.#first] + bytes);
      lengths.push(kept);
      before = now;
    }
    this.#emit(lengths, starts, steps, choice, found);
    return true;
  }

  /** One of a state's two arrays, by turns; `clear` bytes of it are set to 0. */
  #own(arrays: number[], length: number, make: () => number, clear: number): number {
    const turn = length & 1;
    if (arrays[turn] === 0) arrays[turn] = make();
    else if (clear > 0) this.classifier.ground.arena.kernels.clear(arrays[turn], clear);
    return arrays[turn];
  }

  #emit(lengths: number[], starts: number, steps: Steps | undefined, choice: Choice, found: Spans): void {
    if (lengths.length === 0) return;
    const { arena } = this.classifier.ground;
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
