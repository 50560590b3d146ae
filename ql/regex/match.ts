/**
 * Patterns meet lexicons: which ids have a string that a pattern matches, as a whole.
 *
 * A pattern that stands for strings that can be listed is looked up. Any other becomes an automaton, in time and memory
 * linear in the pattern with its repeats written out; a lexicon is then read once, in one of three ways (scan.ts), in
 * time linear in its bytes. Results are kept (cache.ts).
 */
import type { Lexicon } from "../../storage/index.js";
import { looking } from "../pace.js";
import { type Candidates, type Expression, testApart, translate } from "./backreference.js";
import { BackwardDfa } from "./backward.js";
import { cachedResult, keepResult } from "./cache.js";
import { withoutMarks } from "./codes.js";
import { Effort, FORGOTTEN, ForwardDfa, UNKNOWN } from "./dfa.js";
import { tooCostly } from "./errors.js";
import { bareForms } from "./fold.js";
import { IdCollector, type IdSet } from "./ids.js";
import { regexLimits } from "./limits.js";
import { idsOfStrings, type Literals, literalsOf } from "./literal.js";
import { buildNfa, checkSize, type Nfa } from "./nfa.js";
import { scanBackwards, scanForwards, scanInside } from "./scan.js";
import { type Shape, shapeOf } from "./shape.js";
import { blocksWithPrefix, type SortedStrings, stringsAt, worthDecoding } from "./strings.js";
import { hasBackreference, type PatternNode, parsePattern } from "./syntax.js";

export interface PatternOptions {
  /** %c: upper and lower case are the same (fold.ts). */
  ignoreCase?: boolean;
  /** %d: combining marks do not count (fold.ts). */
  ignoreDiacritics?: boolean;
}

export interface MatchOptions {
  /** How long a pattern with a backreference may take over a lexicon: 2 s unless told otherwise. */
  backreferenceMs?: number;
  /** Called about every 20 ms at least while a long run goes on; what it throws ends the run. */
  checkpoint?: () => void;
}

/**
 * Reads a pattern and prepares it. Throws a PatternError, with the offset in the pattern, if it cannot be read
 * ("bad_pattern") or is over a limit ("pattern_too_large"). Calls the checkpoint now and then: a pattern may be a list of a
 * million words.
 */
export function compilePattern(
  pattern: string,
  options: PatternOptions = {},
  checkpoint: () => void = () => {},
): CompiledPattern {
  return new CompiledPattern(pattern, options, checkpoint);
}

/** The ids of the strings that a pattern matches. The result is shared: it must not be written to. */
export function idsMatching(lexicon: Lexicon, compiled: CompiledPattern, options: MatchOptions = {}): IdSet {
  const cached = cachedResult(lexicon, compiled.key);
  if (cached) return cached;
  const set = compiled.run(lexicon, options);
  keepResult(lexicon, compiled.key, set);
  return set;
}

/** How strings are read, for tests and for explaining a plan. */
export type Plan = "lookup" | "forwards" | "backwards" | "inside";

export class CompiledPattern {
  /** The same for patterns that mean the same by their text. */
  readonly key: string;
  /** Steps on the way to states that were not there yet, in the last run. */
  readonly effort = new Effort();
  readonly #node: PatternNode;
  readonly #shape: Shape;
  readonly #literals: Literals;
  readonly #expression: Expression | undefined;
  #nfa: Nfa | undefined;
  #forward: ForwardDfa | undefined;
  #backward: BackwardDfa | undefined;
  #plan: Plan | undefined;
  #set: Set<string> | undefined;
  /** Of the time limit, in this run. */
  #spentMs = 0;

  constructor(
    readonly pattern: string,
    readonly options: PatternOptions,
    checkpoint: () => void = () => {},
  ) {
    const look = looking(checkpoint);
    const { ignoreCase = false, ignoreDiacritics = false } = options;
    this.key = `${ignoreCase ? "c" : ""}${ignoreDiacritics ? "d" : ""}:${pattern}`;
    this.effort.exceeded = () => tooCostly(pattern);
    this.#node = parsePattern(pattern, { ignoreCase, look });
    this.#shape = shapeOf(this.#node, { ignoreDiacritics, look });
    this.#literals = literalsOf(this.#shape, look);
    if (hasBackreference(this.#node)) this.#expression = translate(this.#node, ignoreDiacritics);
    if (!this.strings) checkSize(this.#shape);
  }

  /** The tree of the pattern. */
  get node(): PatternNode {
    return this.#node;
  }

  /** All strings that the pattern matches, where they can be listed; some perhaps twice. */
  get strings(): readonly string[] | undefined {
    if (this.#expression || this.options.ignoreDiacritics) return undefined;
    return this.#literals.strings;
  }

  /** States that are there now, in both directions. */
  get states(): number {
    return (this.#forward?.states ?? 0) + (this.#backward?.states ?? 0);
  }

  get nfa(): Nfa {
    this.#nfa ??= buildNfa(this.#shape);
    return this.#nfa;
  }

  get forward(): ForwardDfa {
    this.#forward ??= new ForwardDfa(this.nfa, this.effort);
    return this.#forward;
  }

  get backward(): BackwardDfa {
    this.#backward ??= new BackwardDfa(this.nfa, this.effort);
    return this.#backward;
  }

  /** Does it match the whole value, a string or its bytes? Costs time linear in the value, but for backreferences. */
  matches(value: string | Uint8Array, options: MatchOptions = {}): boolean {
    if (this.strings) {
      this.#set ??= new Set(this.strings);
      return this.#set.has(stringOf(value));
    }
    this.#begin(options);
    const bytes = this.options.ignoreDiacritics
      ? Buffer.from(withoutMarks(stringOf(value)))
      : typeof value === "string"
        ? Buffer.from(value)
        : value;
    if (!this.#accepts(bytes, 0, bytes.length)) return false;
    if (!this.#expression) return true;
    return this.#testApart({ bytes, starts: Uint32Array.of(0, bytes.length) }, options)[0] === 1;
  }

  #begin(options: MatchOptions): void {
    this.#spentMs = 0;
    this.effort.begin(options.checkpoint);
    this.#forward?.begin();
    this.#backward?.begin();
  }

  #accepts(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#forward?.gaveUp) return this.backward.accepts(bytes, from, to);
    return this.forward.accepts(bytes, from, to) ?? this.backward.accepts(bytes, from, to);
  }

  /** Runs the pattern over a lexicon; `idsMatching` does it only once. */
  run(lexicon: Lexicon, options: MatchOptions): IdSet {
    this.#begin(options);
    if (this.strings) return idsOfStrings(lexicon, this.strings as string[], options.checkpoint);
    const found = new IdCollector();
    for (const generation of lexicon.generations) this.scan(generation, found, options);
    const set = found.finish(lexicon.size);
    return this.options.ignoreDiacritics ? this.#withBareForms(lexicon, set, options) : set;
  }

  /** The ids without those that have marks, and those that match without them. */
  #withBareForms(lexicon: Lexicon, set: IdSet, options: MatchOptions): IdSet {
    const { hasMarks, forms, starts, idsOf } = bareForms(lexicon);
    const found = new IdCollector();
    for (const id of set.ids) if (hasMarks[id] === 0) found.add(id);
    const matching = new IdCollector();
    this.scan(forms, matching, options);
    for (const form of matching.finish(forms.count).ids) {
      found.addRange(idsOf, starts[form], starts[form + 1], 0);
    }
    return found.finish(lexicon.size);
  }

  /** Adds the ids of all strings that match. */
  scan(sorted: SortedStrings, found: IdCollector, options: MatchOptions = {}): void {
    if (!this.#expression) {
      this.#scanAutomaton(sorted, found);
      return;
    }
    const candidates = new IdCollector();
    this.#scanAutomaton(numbered(sorted), candidates);
    const { ids: ranks } = candidates.finish(sorted.count);
    const results = this.#testApart(stringsAt(sorted, ranks), options);
    for (const [i, rank] of ranks.entries()) if (results[i] === 1) found.add(sorted.base + sorted.ids[rank]);
  }

  #testApart(candidates: Candidates, { backreferenceMs, checkpoint }: MatchOptions): Uint8Array {
    const limitMs = backreferenceMs ?? regexLimits.backreferenceMsDefault;
    const before = performance.now();
    const leftMs = limitMs - this.#spentMs;
    try {
      return testApart(this.pattern, this.#expression!, candidates, { limitMs, leftMs, checkpoint });
    } finally {
      this.#spentMs += performance.now() - before;
    }
  }

  #scanAutomaton(sorted: SortedStrings, found: IdCollector): void {
    let done = 0;
    let { count: end } = sorted;
    const plan = this.plan === "forwards" || worthDecoding(sorted) ? this.plan : "forwards";
    if (plan === "inside") {
      const accepts = this.#literals.onlyInside
        ? undefined
        : (bytes: Uint8Array, from: number, to: number) => this.#accepts(bytes, from, to);
      done = scanInside(sorted, 0, end, Buffer.from(this.#literals.inside), accepts, found);
    } else if (this.#literals.prefix !== "") {
      [done, end] = blocksWithPrefix(sorted, Buffer.from(this.#literals.prefix));
    }
    if (plan !== "backwards" && !this.forward.gaveUp) {
      done = scanForwards(sorted, done, end, this.forward, found);
    }
    if (done < end) scanBackwards(sorted, done, end, this.backward, found);
  }

  /** How strings are read: by what it is likely to cost, in nanoseconds a string. */
  get plan(): Plan {
    this.#plan ??= this.strings ? "lookup" : this.#choose();
    return this.#plan;
  }

  #choose(): Plan {
    const { prefix, inside } = this.#literals;
    if (prefix !== "") return "forwards";
    const forwards = 30 * survivors(this.forward);
    if (forwards < 4) return "forwards";
    const backwards = 4 + 65 * survivors(this.backward);
    // Each string that has what is looked for costs a call; the longer that is, the fewer have it.
    const within = [12, 7, 5][inside.length - 3] ?? (inside.length < 3 ? Number.POSITIVE_INFINITY : 3.5);
    const least = Math.min(forwards, backwards, within);
    return least === forwards ? "forwards" : least === backwards ? "backwards" : "inside";
  }
}

function stringOf(value: string | Uint8Array): string {
  return typeof value === "string"
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.length).toString();
}

/** About how many strings of a lexicon are still of interest after one byte, as a share. */
function survivors(dfa: ForwardDfa | BackwardDfa): number {
  const { start } = dfa;
  if (start <= dfa.stride) return 0;
  let share = 0;
  for (const [first, last, weight] of likelyBytes) {
    for (let byte = first; byte <= last; byte++) {
      const byteClass = dfa.classOf[byte];
      let next = dfa.transitions[start + byteClass];
      if (next === UNKNOWN) next = dfa.advance(start, byteClass);
      if (next === FORGOTTEN) return 1;
      if (next > dfa.stride) share += weight;
    }
  }
  return share;
}

/** How many words begin or end with each of these bytes, as a share. */
const likelyBytes: [first: number, last: number, weight: number][] = [
  [0x61, 0x7a, 0.6 / 26],
  [0x41, 0x5a, 0.2 / 26],
  [0x30, 0x39, 0.1 / 10],
  [0x21, 0x2f, 0.03 / 15],
  [0xa0, 0xa9, 0.035 / 10],
  [0xc3, 0xc9, 0.035 / 7],
];

/** The same strings, their ranks for ids. */
function numbered(sorted: SortedStrings): SortedStrings {
  const { count, strings, blocks } = sorted;
  const ids = new Uint32Array(count);
  for (let rank = 0; rank < count; rank++) ids[rank] = rank;
  return { count, strings, blocks, base: 0, ids };
}
