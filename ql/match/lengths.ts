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
import { type Ceiling, type Choice, type Spans, Tally } from "./source.js";

/** In place of a set's address: every class is in it. */
const anyClass = 0;
/** States that a pattern may have. */
const statesMax = 64;
const runWords = 15;
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
  /** The states that read or branch, in order: state, its test (or -1), where it leads to, and where else. */
  readonly #plan: Int32Array;
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
    const acting = order.filter((state) => states[state].kind !== "accept");
    this.#plan = Int32Array.from(
      acting.flatMap((state) => {
        const { kind, test, to, or } = states[state];
        return [state, kind === "token" ? this.#tests.indexOf(test!) : -1, to, or];
      }),
    );
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
   * `classes` are those of `count` tokens, and limits (by bits or by steps) go as far as they do.
   */
  match(
    classes: number,
    count: number,
    starts: number,
    limits: LimitBits | undefined,
    steps: Steps | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): boolean {
    const { arena } = this.classifier.ground;
    const { kernels } = arena;
    const words = wordsOf(count);
    const zeroed = () => this.#zeroed(count);
    const plainTests = this.#sets.map((set) => {
      const bits = zeroed();
      if (set !== anyClass) kernels.selectBits(classes, count, set, bits);
      else {
        kernels.fill(bits, count >>> 3);
        arena.u8[bits + (count >>> 3)] = (1 << (count & 7)) - 1;
      }
      return bits;
    });
    // As one that goes on, and as the last token of a match.
    const tests = limits ? this.#meet(plainTests, limits.on, count) : plainTests;
    const lastTests = limits ? this.#meet(plainTests, limits.inside, count) : plainTests;
    const nothing = zeroed();
    const everything = arena.allocate((words + 2) * 8);
    kernels.fill(everything, (words + 2) * 8);
    /** Bits of each state for the length before, and for this one; `nothing` where there are none. */
    let [before, now] = [0, 1].map(() => new Uint32Array(this.#states.length).fill(nothing));
    const arrays = this.#states.map(() => [0, 0]);
    const lengths: number[] = [];
    const counted = found instanceof Tally && !steps && choice === "all";
    /** Starts that have one of the first eight lengths, and those that have another one. */
    const [short, long] = [0, 1].map(() => (counted ? nothing : zeroed()));
    for (const state of this.#order) {
      const { kind, to, or } = this.#states[state];
      if (kind === "accept") before[state] = everything;
      else if (kind === "split" && (before[to] === everything || before[or] === everything))
        before[state] = everything;
    }
    let length = 1;
    /** Where a state's bits go: into one of two arrays, by turns. Those of the first state stay: they are the matches. */
    let staying = nothing;
    const targetOf = (state: number) => {
      if (state === this.#first) {
        staying = zeroed();
        return staying;
      }
      const [own, turn] = [arrays[state], length & 1];
      if (own[turn] === 0) own[turn] = zeroed();
      return own[turn];
    };
    // States of a counted repeat mostly come to the same: that is computed once. Two arrays, and what was made of them.
    const [ones, others, made] = [0, 1, 2].map(() => new Uint32Array(statesMax));
    const plan = this.#plan;
    for (; ; length++) {
      now.fill(nothing);
      let alive = false;
      let known = 0;
      for (let i = 0; i < plan.length; i += 4) {
        const state = plan[i];
        const test = plan[i + 1];
        const one = test < 0 ? now[plan[i + 3]] : (length === 1 ? lastTests : tests)[test];
        const other = test < 0 ? now[plan[i + 2]] : before[plan[i + 2]];
        if (other === nothing && test >= 0) continue;
        if (test < 0 && (one === nothing || other === nothing || one === other)) {
          now[state] = one === nothing ? other : one;
        } else {
          let k = 0;
          while (k < known && (ones[k] !== one || others[k] !== other)) k++;
          if (k === known) {
            [ones[k], others[k], made[k]] = [one, other, targetOf(state)];
            if (test < 0) kernels.joinBits(one, other, made[k], words);
            else if (kernels.stepBits(one, other, made[k], words) === 0) made[k] = nothing;
            known++;
          }
          now[state] = made[k];
        }
        if (now[state] !== nothing) alive = true;
      }
      if (!alive) break;
      if (length > LengthMatcher.lengthsMax) return false;
      let matches = now[this.#first];
      if (matches !== nothing && matches !== staying) {
        // Those of another state, which will be written over.
        matches = zeroed();
        kernels.joinBits(now[this.#first], nothing, matches, words);
      }
      lengths.push(matches);
      const ofLength = length <= 8 ? short : long;
      if (!counted) kernels.joinBits(ofLength, matches, ofLength, words);
      [before, now] = [now, before];
    }
    if (counted) for (const bits of lengths) found.count += kernels.countBits(bits, starts);
    else if (lengths.length > 0) {
      const arrays = Uint32Array.from(
        { length: (lengths.length + 15) & ~15 },
        (_, i) => lengths[i] ?? nothing,
      );
      this.#emit(arrays, lengths.length, short, long, starts, steps, choice, found);
    }
    return true;
  }

  /** Where matches may be by a ceiling, as bits of [from, to) in the arena; undefined where it is not as simple as that. */
  limits(ceiling: Ceiling, from: number, to: number): LimitBits | undefined {
    const { arena } = this.classifier.ground;
    const [inside, on] = [0, 1].map(() => this.#zeroed(to - from));
    const words = (to - from + 31) >>> 5;
    const view = (bits: number) => new Int32Array(arena.u32.buffer, bits, words);
    return ceiling.bits?.(from, to, view(inside), view(on)) ? { inside, on } : undefined;
  }

  /** Does a limit lie between a token and the end? */
  endsBefore({ on }: LimitBits, token: number, end: number): boolean {
    const { u8 } = this.classifier.ground.arena;
    for (let at = token; at < end; at++) if (((u8[on + (at >>> 3)] >>> (at & 7)) & 1) === 0) return true;
    return false;
  }

  /** Bits of so many tokens, with two words to spare. */
  #zeroed(count: number): number {
    const { arena } = this.classifier.ground;
    const bytes = (wordsOf(count) + 2) * 8;
    const address = arena.allocate(bytes);
    arena.kernels.clear(address, bytes);
    return address;
  }

  /** What passes the tests and lies in `bits` too. */
  #meet(tests: number[], bits: number, count: number): number[] {
    return tests.map((test) => {
      const target = this.#zeroed(count);
      this.classifier.ground.arena.kernels.meetBits(test, bits, target, wordsOf(count));
      return target;
    });
  }

  /** Matches are written down start by start; behind the arrays of the lengths stand empty ones. */
  #emit(
    lengths: Uint32Array,
    lengthCount: number,
    short: number,
    long: number,
    starts: number,
    steps: Steps | undefined,
    choice: Choice,
    found: Pick<Spans, "append">,
  ): void {
    const { arena } = this.classifier.ground;
    const stepsAt = steps ? arena.put(steps.at.subarray(0, steps.count)) : 0;
    const stepLimits = steps ? arena.put(steps.limit.subarray(0, steps.count)) : 0;
    const begins = arena.allocate(blockMatches * 4 + 64);
    const ends = arena.allocate(blockMatches * 4 + 64);
    const run = arena.u32.subarray(this.#run >>> 2, (this.#run >>> 2) + runWords);
    const mode = choices.indexOf(choice);
    run.set([
      arena.put(lengths),
      lengthCount,
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
      short,
      long,
    ]);
    for (;;) {
      const status = arena.kernels.emitLengths(this.#run);
      found.append(arena.integers(begins, run[6]), arena.integers(ends, run[6]));
      run[6] = 0;
      if (status === DONE) return;
    }
  }
}

/** Addresses of bits: where a token may be a match, and where it and the next may. */
export interface LimitBits {
  inside: number;
  on: number;
}

/** Words of 64 bits for so many tokens, an even number. */
const wordsOf = (count: number) => (((count + 63) >>> 6) + 2) & ~1;
