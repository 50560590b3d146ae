/** Patterns of a fixed number of tokens: each place has a test of its own, and starts are sifted place by place. */
import { gallop } from "../../storage/cursor.js";
import type { Places } from "../plan/anchors.js";
import { costs } from "../plan/costs.js";
import type { Pattern } from "../plan/pattern.js";
import { type Atom, conjunction, given, holds, renumbered, type Test } from "../plan/tests.js";
import { ListReader } from "./anchors.js";
import { Classifier } from "./classes.js";
import { type Ground, Islands } from "./ground.js";
import { keepListed, markListed } from "./listed.js";
import { Members } from "./members.js";
import { translation } from "./paint.js";

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

/** Sieves for tests that all have to hold: one for each part of a conjunction, the cheap ones first. */
export function sievesOf(ground: Ground, atoms: readonly Atom[], places: PlaceTest[], rows: number): Sieve[] {
  const parts = places.flatMap((place) =>
    place.test.op === "and" ? place.test.items.map((test) => ({ ...place, test })) : [place],
  );
  const cost = ({ test }: PlaceTest): number => {
    const inner = test.op === "not" ? test.item : test;
    const atom = inner.op === "atom" ? atoms[inner.atom] : undefined;
    if (atom?.kind !== "ids") return 3;
    return (atom.attribute.lexicon.size <= 256 ? 0 : 1) + atom.tokens / ground.tokens;
  };
  return parts.sort((a, b) => cost(a) - cost(b)).map((place) => new Sieve(ground, atoms, place, rows));
}

/** Keeps those of ascending starts for which a test holds at an offset. */
export class Sieve {
  readonly #attribute: Extract<Atom, { kind: "ids" }>["attribute"] | undefined;
  readonly #members: Members | undefined;
  readonly #classifier: Classifier | undefined;
  readonly #classTable: Uint8Array | undefined;
  /** Two streams that have to agree, or must not. */
  readonly #same: { atom: Extract<Atom, { kind: "same" }>; agree: boolean } | undefined;
  /** Where places are listed that pass (or, `without`, that do not), and to go through them is cheaper than to look. */
  readonly #listed: Listed | undefined;
  readonly #reader: ListReader | undefined;

  constructor(
    readonly ground: Ground,
    atoms: readonly Atom[],
    readonly place: PlaceTest,
    /** About how many starts there will be. */
    rows = 0,
  ) {
    const used: number[] = [];
    const test = renumbered(place.test, used);
    const own = used.map((atom) => atoms[atom]);
    this.#listed = own.length === 1 ? listedPlaces(own[0], test, rows) : undefined;
    if (this.#listed) {
      this.#reader = new ListReader(ground, this.#listed.places);
      return;
    }
    if (own.length === 1 && own[0].kind === "ids") {
      const [atom] = own as [Extract<Atom, { kind: "ids" }>];
      this.#attribute = atom.attribute;
      this.#members = new Members(
        atom,
        holds(test, () => true),
        holds(test, () => false),
      );
    } else {
      if (own.length === 1 && own[0].kind === "same")
        this.#same = { atom: own[0], agree: holds(test, () => true) };
      this.#classifier = new Classifier(ground, own);
      this.#extent = 1 + Math.max(0, ...own.map((atom) => (atom.kind === "same" ? atom.distance : 0)));
      if (this.#classifier.narrow) this.#classTable = this.#classifier.table(test);
      else this.#test = test;
    }
  }

  readonly #test: Test | undefined;
  /** Tokens from the place on that the test looks at. */
  readonly #extent: number = 1;

  /** `starts` count from `base`; returns how many are left at the front of them. */
  sift(base: number, starts: Uint32Array, count: number): number {
    const { ground } = this;
    const { segments } = ground.snapshot;
    const { offset } = this.place;
    if (this.#reader) return this.#siftByList(base, starts, count, this.#reader, this.#listed!.without);
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
      const stream = this.#attribute && segments[at].stream(this.#attribute);
      if (stream?.inBytes) {
        const own = gallop(starts, last - shift, done, count);
        kept = stream.siftBytes(starts, done, own, shift, this.#members!.table, kept);
        done = own;
        if (++at === segments.length) break;
        continue;
      }
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

  /** Tokens that are listed, or boundaries. */
  #siftByList(
    base: number,
    starts: Uint32Array,
    count: number,
    reader: ListReader,
    without: boolean,
  ): number {
    const { ground } = this;
    const { segments } = ground.snapshot;
    const { offset, token } = this.place;
    const end = ground.tokens - base - offset + (token ? 0 : 1);
    while (count > 0 && starts[count - 1] >= end) count--;
    if (count === 0) return 0;
    if (this.#listed!.places.kind === "edge")
      return this.#siftBoundaries(base, starts, count, reader, without);
    let kept = 0;
    let done = 0;
    for (let at = ground.segmentAt(base + starts[0] + offset); done < count; at++) {
      const { start, tokens } = segments[at];
      const shift = start - base - offset;
      const last = gallop(starts, shift + tokens, done, count);
      if (last === done) continue;
      // One who asks start by start does not read whole lists for each.
      const list = reader.placesNear(at, starts[done] - shift, starts[last - 1] - shift + 1);
      kept = keepListed(list, tokens, starts, done, last, shift, without, kept);
      done = last;
    }
    return kept;
  }

  /** Boundaries: one at the end of a segment is the one before the first token of the next, and either may list it. */
  #siftBoundaries(
    base: number,
    starts: Uint32Array,
    count: number,
    reader: ListReader,
    without: boolean,
  ): number {
    const { ground } = this;
    const { segments } = ground.snapshot;
    const { offset } = this.place;
    const has = new Uint8Array(count);
    let i = 0;
    for (let at = ground.firstTouching(base + starts[0] + offset); at < segments.length; at++) {
      const { start, tokens } = segments[at];
      const shift = start - base - offset;
      if (starts[count - 1] < shift) break;
      const first = shift > 0 ? gallop(starts, shift, i, count) : i;
      const last = gallop(starts, shift + tokens + 1, first, count);
      if (first === last) continue;
      const list = reader.placesNear(at, starts[first] - shift, starts[last - 1] - shift + 1);
      markListed(list, tokens, starts, first, last, shift, has);
      i = starts[last - 1] === shift + tokens ? last - 1 : last;
    }
    let kept = 0;
    const flip = without ? 1 : 0;
    for (let s = 0; s < count; s++) {
      starts[kept] = starts[s];
      kept += has[s] ^ flip;
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
    if (this.#attribute && this.#members) {
      segment.stream(this.#attribute).gatherAscending(positions, count, values);
      return this.#members.keep(values, starts, done, count, kept);
    }
    if (this.#same) {
      const { distance } = this.#same.atom;
      // What lies over the end of the segment is looked at below.
      let inside = count;
      while (inside > 0 && positions[inside - 1] + distance >= segment.tokens) inside--;
      kept = this.#siftSame(at, positions, values, inside, starts, done, kept);
      positions.copyWithin(0, inside, count);
      done += inside;
      count -= inside;
      if (count === 0) return kept;
    }
    const islands = new Islands(count);
    islands.overlap = this.#extent > 1;
    for (let i = 0; i < count; i++) {
      const from = segment.start + positions[i];
      islands.add(from, Math.max(1, Math.min(this.#extent, ground.tokens - from)));
    }
    const { arena } = ground;
    const mark = arena.mark();
    const classes = this.#classifier!.classify(islands);
    const { u8 } = arena;
    for (let i = 0; i < count; i++) {
      const own = u8[classes + islands.places[i]];
      const passes = this.#classTable
        ? this.#classTable[own] === 1
        : this.#classifier!.holds(this.#test!, own);
      starts[kept] = starts[done + i];
      if (passes) kept++;
    }
    arena.release(mark);
    return kept;
  }

  /** Two tokens of one segment: their ids, side by side. */
  #siftSame(
    at: number,
    positions: Uint32Array,
    values: Uint32Array,
    count: number,
    starts: Uint32Array,
    done: number,
    kept: number,
  ): number {
    if (count === 0) return kept;
    const { atom, agree } = this.#same!;
    const { left, right, distance } = atom;
    const segment = this.ground.snapshot.segments[at];
    const others = new Uint32Array(count);
    segment.stream(left).gatherAscending(positions, count, values);
    for (let i = 0; i < count; i++) positions[i] += distance;
    segment.stream(right).gatherAscending(positions, count, others);
    for (let i = 0; i < count; i++) positions[i] -= distance;
    if (left !== right) {
      const to = translation(left, right);
      for (let i = 0; i < count; i++) values[i] = to[values[i]];
    }
    for (let i = 0; i < count; i++) {
      starts[kept] = starts[done + i];
      if ((values[i] === others[i]) === agree) kept++;
    }
    return kept;
  }
}

const batch = 1 << 15;

interface Listed {
  places: Exclude<Places, { kind: "positions" }>;
  without: boolean;
}

/** Boundaries are always listed; tokens by their ids where their lists are not much longer than the starts. */
function listedPlaces(atom: Atom, test: Test, rows: number): Listed | undefined {
  const without = test.op === "not";
  if (atom.kind === "edge") {
    const { edge, index, keep, filled } = atom;
    return { places: { kind: "edge", edge, index, keep, filled }, without };
  }
  if (atom.kind !== "ids" || atom.ids.negated || atom.attribute.lexicon.size <= 256) return undefined;
  const { attribute, ids } = atom;
  if (ids.ids.length > 64 || atom.tokens * costs.posting * 2 > rows * costs.fetch) return undefined;
  return { places: { kind: "ids", attribute, ids: ids.ids }, without };
}
