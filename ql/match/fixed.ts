/** Patterns of a fixed number of tokens: each place has a test of its own, and starts are sifted place by place. */
import type { Pattern } from "../plan/pattern.js";
import { type Atom, conjunction, given, holds, type Test } from "../plan/tests.js";
import { Classifier } from "./classes.js";
import { type Ground, Islands } from "./ground.js";

/** A test of the token (or the boundary before it) so many tokens behind the start. */
export interface PlaceTest {
  offset: number;
  test: Test;
  /** Is it a token's? Behind the last token there is none, but a boundary may be there. */
  token: boolean;
}

/** The tests of a pattern that always has the same number of tokens; undefined if it has not. */
export function fixedTests(
  pattern: Pattern,
  atoms: readonly Atom[],
): { tests: PlaceTest[]; length: number } | undefined {
  const tests: PlaceTest[] = [];
  const length = collect(pattern, 0, tests);
  if (length === undefined) return undefined;
  const joined = new Map<number, PlaceTest[]>();
  for (const test of tests) joined.set(test.offset, [...(joined.get(test.offset) ?? []), test]);
  const end = atoms.findIndex(({ kind }) => kind === "end");
  return {
    length,
    tests: [...joined]
      .map(([offset, all]) => {
        const token = offset < length;
        const test = conjunction(all.map((one) => one.test));
        return { offset, token, test: token ? given(test, end, false) : test };
      })
      .filter(({ test }) => test.op !== "true"),
  };
}

/** Adds the tests of a pattern that begins at an offset; returns where it ends. */
function collect(pattern: Pattern, offset: number, tests: PlaceTest[]): number | undefined {
  switch (pattern.kind) {
    case "token":
    case "zero":
      if (pattern.test.op !== "true")
        tests.push({ offset, test: pattern.test, token: pattern.kind === "token" });
      return pattern.kind === "token" ? offset + 1 : offset;
    case "label":
      return collect(pattern.item, offset, tests);
    case "sequence": {
      let end: number | undefined = offset;
      for (const item of pattern.items) {
        if (end === undefined) return undefined;
        end = collect(item, end, tests);
      }
      return end;
    }
    case "repeat": {
      if (pattern.min !== pattern.max || pattern.max > 64) return undefined;
      let end: number | undefined = offset;
      for (let round = 0; round < pattern.max && end !== undefined; round++)
        end = collect(pattern.item, end, tests);
      return end;
    }
    default:
      return undefined;
  }
}

/** Keeps those of ascending starts for which a test holds at an offset. */
export class Sieve {
  readonly #attribute: Extract<Atom, { kind: "ids" }>["attribute"] | undefined;
  readonly #table: Uint8Array | undefined;
  readonly #classifier: Classifier | undefined;
  readonly #classTable: Uint8Array | undefined;

  constructor(
    readonly ground: Ground,
    atoms: readonly Atom[],
    readonly place: PlaceTest,
  ) {
    const used: number[] = [];
    const test = renumbered(place.test, used);
    const own = used.map((atom) => atoms[atom]);
    if (own.length === 1 && own[0].kind === "ids") {
      const [{ attribute, ids }] = own as [Extract<Atom, { kind: "ids" }>];
      const inside = holds(test, () => true) ? 1 : 0;
      const outside = holds(test, () => false) ? 1 : 0;
      this.#attribute = attribute;
      this.#table = new Uint8Array(attribute.lexicon.size).fill(ids.negated ? inside : outside);
      for (let i = 0; i < ids.ids.length; i++) this.#table[ids.ids[i]] = ids.negated ? outside : inside;
    } else {
      this.#classifier = new Classifier(ground, own);
      if (this.#classifier.narrow) this.#classTable = this.#classifier.table(test);
      else this.#test = test;
    }
  }

  readonly #test: Test | undefined;

  /** `starts` count from `base`; returns how many are left at the front of them. */
  sift(base: number, starts: Uint32Array, count: number): number {
    const { ground } = this;
    const { segments } = ground.snapshot;
    const { offset } = this.place;
    const positions = new Uint32Array(Math.min(count, batch));
    const values = new Uint32Array(positions.length);
    let kept = 0;
    let done = 0;
    // What lies behind the last token has no value; but a boundary may be there.
    const end = ground.tokens + (this.place.token ? 0 : 1);
    for (let at = count > 0 ? ground.segmentAt(base + starts[0] + offset) : 0; done < count; ) {
      const { start, tokens } = segments[at];
      const shift = base + offset - start;
      const last = at + 1 < segments.length ? tokens : end - start;
      let own = 0;
      while (own < positions.length && done + own < count && starts[done + own] + shift < last) {
        positions[own] = starts[done + own] + shift;
        own++;
      }
      if (own > 0) {
        kept = this.#siftHere(at, positions, values, own, starts, done, kept);
        done += own;
      } else if (++at === segments.length) break;
    }
    return kept;
  }

  #siftHere(
    at: number,
    positions: Uint32Array,
    values: Uint32Array,
    count: number,
    starts: Uint32Array,
    done: number,
    kept: number,
  ): number {
    const { ground } = this;
    const segment = ground.snapshot.segments[at];
    if (this.#attribute && this.#table) {
      const table = this.#table;
      segment.stream(this.#attribute).gatherAscending(positions, count, values);
      for (let i = 0; i < count; i++) {
        starts[kept] = starts[done + i];
        kept += table[values[i]];
      }
      return kept;
    }
    const islands = new Islands(count);
    for (let i = 0; i < count; i++) islands.add(segment.start + positions[i], 1);
    const { arena } = ground;
    const mark = arena.mark();
    const classes = this.#classifier!.classify(islands);
    const { u8 } = arena;
    for (let i = 0; i < count; i++) {
      const own = u8[classes + i];
      const passes = this.#classTable
        ? this.#classTable[own] === 1
        : this.#classifier!.holds(this.#test!, own);
      starts[kept] = starts[done + i];
      if (passes) kept++;
    }
    arena.release(mark);
    return kept;
  }
}

const batch = 1 << 15;

/** The same test with its atoms numbered from 0, in the order of `used`. */
function renumbered(test: Test, used: number[]): Test {
  switch (test.op) {
    case "true":
      return test;
    case "atom": {
      let number = used.indexOf(test.atom);
      if (number < 0) number = used.push(test.atom) - 1;
      return { op: "atom", atom: number };
    }
    case "not":
      return { op: "not", item: renumbered(test.item, used) };
    default:
      return { op: test.op, items: test.items.map((item) => renumbered(item, used)) };
  }
}
