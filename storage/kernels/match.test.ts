/** The kernels of matching, beside plain twins that say the same in the fewest lines. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arena } from "./arena.js";

const runs = { numRuns: 200 };
const arena = new Arena();
const { kernels } = arena;

/** Runs with an empty arena; what lies behind every buffer is not zero. */
function fresh<Result>(run: () => Result): Result {
  arena.reset();
  const mark = arena.mark();
  arena.u8.fill(0xa5, mark, Math.min(mark + (1 << 18), arena.memory.buffer.byteLength));
  return run();
}

const [DONE, MISSING, FULL] = [0, 1, 2];
const modes = { all: 0, first: 1, last: 2 };
const byte = fc.nat(255);
const bytes = (most: number) => fc.uint8Array({ maxLength: most, size: "max" });
/** Bytes at an address of any alignment, as kernels are given. */
function putAt(values: Uint8Array, shift: number): number {
  const address = arena.allocate(values.length + 64) + shift;
  arena.u8.set(values, address);
  return address;
}

const shift = fc.nat(5);
const untouched = (address: number) => expect([...arena.bytes(address, 8)]).toEqual(Array(8).fill(0xa5));

describe("classes of tokens", () => {
  it("are cleared, and nothing behind them", () => {
    fc.assert(
      fc.property(bytes(70), shift, (values, by) =>
        fresh(() => {
          const target = putAt(values, by);
          kernels.clear(target, values.length);
          expect([...arena.bytes(target, values.length)]).toEqual(
            values.length > 0 ? Array(values.length).fill(0) : [],
          );
          untouched(target + values.length);
        }),
      ),
      runs,
    );
  });

  it("get the bits that a table has for bytes", () => {
    const table = fc.uint8Array({ minLength: 1, maxLength: 256, size: "max" });
    fc.assert(
      fc.property(bytes(70), table, byte, shift, shift, (picks, entries, before, by, byToo) =>
        fresh(() => {
          const source = picks.map((pick) => pick % entries.length);
          const target = putAt(
            source.map((_, i) => before ^ i),
            byToo,
          );
          kernels.classifyBytes(putAt(source, by), source.length, putAt(entries, 0), entries.length, target);
          const twin = source.map((value, i) => (before ^ i) | entries[value]);
          expect(arena.bytes(target, source.length)).toEqual(twin);
          untouched(target + source.length);
        }),
      ),
      runs,
    );
  });

  it("get the bits that a table has for ids", () => {
    const table = fc.uint8Array({ minLength: 1, maxLength: 1000, size: "max" });
    fc.assert(
      fc.property(bytes(70), fc.nat(), table, byte, shift, (picks, spread, entries, before, by) =>
        fresh(() => {
          const ids = Uint32Array.from(picks, (pick, i) => (pick * 31 + i * (spread % 97)) % entries.length);
          const target = putAt(
            picks.map((_, i) => before ^ i),
            by,
          );
          kernels.classifyIds(arena.put(ids), ids.length, putAt(entries, 0), target);
          expect(arena.bytes(target, ids.length)).toEqual(
            picks.map((_, i) => (before ^ i) | entries[ids[i]]),
          );
          untouched(target + ids.length);
        }),
      ),
      runs,
    );
  });

  it("get a bit where two columns are equal", () => {
    const value = fc.constantFrom(0, 1, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff);
    const pairs = fc.array(fc.tuple(value, value), { maxLength: 70, size: "max" });
    fc.assert(
      fc.property(pairs, fc.nat(7), byte, shift, (rows, bit, before, by) =>
        fresh(() => {
          const target = putAt(
            Uint8Array.from(rows, (_, i) => before ^ i),
            by,
          );
          const [left, right] = [0, 1].map((side) => arena.put(Uint32Array.from(rows, (row) => row[side])));
          kernels.markEqual(left, right, rows.length, 1 << bit, target);
          const twin = rows.map(([a, b], i) => ((before ^ i) & 255) | (a === b ? 1 << bit : 0));
          expect([...arena.bytes(target, rows.length)]).toEqual(twin);
          untouched(target + rows.length);
        }),
      ),
      runs,
    );
  });
});

/** A set of bytes as two rows of 16, as the kernels read it. */
function packed(set: ReadonlySet<number>): Uint8Array {
  const rows = new Uint8Array(32);
  for (const member of set) rows[(member >> 7) * 16 + (member & 15)] |= 1 << ((member >> 4) & 7);
  return rows;
}

const sets = fc.array(
  fc
    .oneof(
      fc.uniqueArray(byte, { maxLength: 256, size: "max" }),
      fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 127, 128, 255)),
      fc.constant(Array.from({ length: 256 }, (_, i) => i)),
    )
    .map((members) => new Set(members)),
  { minLength: 1, maxLength: 4 },
);
/** Mostly a few classes, so that sets have members. */
const classes = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(0, 1, 2, 3, 127, 128, 255) }, byte),
  {
    maxLength: 100,
    size: "max",
  },
);

function putSets(list: ReadonlySet<number>[]): number {
  return arena.putBytes(Uint8Array.from(list.flatMap((set) => [...packed(set)])));
}

describe("starts", () => {
  it("are those whose id is in a table", () => {
    fc.assert(
      fc.property(
        bytes(200),
        fc.uint8Array({ minLength: 256, maxLength: 256 }),
        fc.nat(1 << 30),
        (ids, table, base) =>
          fresh(() => {
            const flags = table.map((entry) => entry & 1);
            const target = arena.allocate((ids.length + 4) * 4);
            const count = kernels.selectIds(
              arena.put(Uint32Array.from(ids)),
              ids.length,
              arena.putBytes(flags),
              base,
              target,
            );
            const twin = [...ids.keys()].filter((i) => flags[ids[i]] === 1).map((i) => base + i);
            expect([...arena.integers(target, count)]).toEqual(twin);
          }),
      ),
      runs,
    );
  });

  it("are those from where each class lies in its set", () => {
    fc.assert(
      fc.property(classes, sets, fc.nat(1 << 30), fc.nat(3), (all, list, base, cut) =>
        fresh(() => {
          // The last starts read on behind their end.
          const count = Math.max(0, all.length - cut);
          const padded = Uint8Array.from([...all, ...Array(32).fill(1)]);
          const target = arena.allocate((count + 8) * 4);
          const found = kernels.selectSets(
            arena.putBytes(padded),
            count,
            putSets(list),
            list.length,
            base,
            target,
          );
          const twin = [...Array(count).keys()].filter((i) => list.every((set, k) => set.has(padded[i + k])));
          expect([...arena.integers(target, found)]).toEqual(twin.map((i) => base + i));
        }),
      ),
      runs,
    );
  });
});

describe("bits of starts", () => {
  it("say which classes lie in a set", () => {
    fc.assert(
      fc.property(classes, sets, (all, [set]) =>
        fresh(() => {
          const words = (all.length >>> 5) + 2;
          const target = arena.zeroed(words);
          kernels.selectBits(
            arena.putBytes(Uint8Array.from([...all, ...Array(32).fill(1)])),
            all.length,
            putSets([set]),
            target,
          );
          const bits = arena.integers(target, words);
          const found = [...Array(words * 32).keys()].filter((i) => (bits[i >>> 5] >>> (i & 31)) & 1);
          expect(found).toEqual([...all.keys()].filter((i) => set.has(all[i])));
        }),
      ),
      runs,
    );
  });

  it("are counted, followed by a token before them, and joined", () => {
    const some = fc.array(fc.boolean(), { minLength: 1, maxLength: 1200, size: "max" });
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.boolean()), fc.nat(300), (one, more, count) =>
        fresh(() => {
          const other = one.map(() => more.next().value as boolean);
          const words = (((one.length + 63) >>> 6) + 2) & ~1;
          const put = (bits: boolean[]) => {
            const address = arena.zeroed((words + 2) * 2);
            bits.forEach((bit, i) => {
              if (bit) arena.u8[address + (i >>> 3)] |= 1 << (i & 7);
            });
            return address;
          };
          const read = (address: number) =>
            one.map((_, i) => ((arena.u8[address + (i >>> 3)] >>> (i & 7)) & 1) === 1);
          const [a, b, target] = [put(one), put(other), put(one)];
          const first = Math.min(count, one.length);
          expect(kernels.countBits(a, first)).toBe(one.slice(0, first).filter(Boolean).length);
          const step = one.map((bit, i) => bit && other[i + 1] === true);
          expect(kernels.stepBits(a, b, target, words)).toBe(step.includes(true) ? 1 : 0);
          expect(read(target)).toEqual(step);
          const both = one.map((bit, i) => bit || other[i]);
          kernels.joinBits(a, b, target, words);
          expect(read(target)).toEqual(both);
          kernels.meetBits(a, b, target, words);
          expect(read(target)).toEqual(one.map((bit, i) => bit && other[i]));
        }),
      ),
      runs,
    );
  });

  it("are moved together", () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 40 }), fc.nat(1 << 20), (values, more) =>
        fresh(() => {
          const address = arena.put(values);
          kernels.addToAll(address, values.length, more);
          expect([...arena.integers(address, values.length)]).toEqual(
            [...values].map((value) => (value + more) >>> 0),
          );
        }),
      ),
      runs,
    );
  });

  it("are all set, and nothing behind them", () => {
    fc.assert(
      fc.property(bytes(70), shift, (values, by) =>
        fresh(() => {
          const target = putAt(values, by);
          kernels.fill(target, values.length);
          expect([...arena.bytes(target, values.length)]).toEqual([...values].map(() => 255));
          untouched(target + values.length);
        }),
      ),
      runs,
    );
  });
});

describe("matches by their length", () => {
  const question = fc.record({
    /** For each length the starts that have it. */
    lengths: fc.oneof(
      fc.array(fc.array(fc.nat(199), { maxLength: 60, size: "max" }), { maxLength: 22, size: "max" }),
      fc.array(fc.array(fc.nat(199), { maxLength: 90, size: "max" }), { maxLength: 6 }),
      fc.array(fc.array(fc.nat(199), { maxLength: 60, size: "max" }), {
        minLength: 9,
        maxLength: 16,
        size: "max",
      }),
    ),
    starts: fc.nat(200),
    steps: fc.oneof(
      fc.constant([]),
      fc.array(fc.tuple(fc.nat(199), fc.nat(30)), { maxLength: 12, size: "max" }),
    ),
    mode: fc.constantFrom("all" as const, "first" as const, "last" as const),
    /** With little room it is interrupted; with much, eight lengths are written down in a way of their own, and sixteen. */
    room: fc.oneof(fc.nat(40), fc.integer({ min: 1000, max: 2800 })),
  });

  it("are written down start by start, however often the kernel is interrupted", () => {
    fc.assert(
      fc.property(question, ({ lengths, starts, steps: pairs, mode, room }) =>
        fresh(() => {
          const arrays = lengths.map((some) => {
            const address = arena.zeroed(16);
            const bits = arena.integers(address, 16);
            for (const start of some) bits[start >>> 5] |= 1 << (start & 31);
            return address;
          });
          const ascending = [...new Map(pairs)].sort(([a], [b]) => a - b);
          const steps = ascending.map(([at, more], i): [number, number] => [i === 0 ? 0 : at, at + more]);
          const capacity = lengths.length + room;
          const [begins, ends] = [0, 1].map(() => arena.allocate((capacity + 8) * 4));
          const run = arena.zeroed(15);
          const field = (i: number) => arena.u32[(run >>> 2) + i];
          const empty = arena.zeroed(16);
          const startsOf = (some: number[][]) => {
            const address = arena.zeroed(16);
            for (const start of some.flat()) arena.u32[(address >>> 2) + (start >>> 5)] |= 1 << (start & 31);
            return address;
          };
          const padded = Uint32Array.from({ length: 32 }, (_, i) => arrays[i] ?? empty);
          const words = [
            arena.put(padded),
            lengths.length,
            starts,
            0,
            begins,
            ends,
            0,
            capacity,
            modes[mode],
            arena.put(Uint32Array.from(steps, ([at]) => at)),
            arena.put(Uint32Array.from(steps, ([, limit]) => limit)),
            steps.length,
            0,
            startsOf(lengths.slice(0, 8)),
            startsOf(lengths.slice(8)),
          ];
          arena.u32.set(words, run >>> 2);
          const found: [number, number][] = [];
          for (let status = FULL; status !== DONE; ) {
            status = kernels.emitLengths(run);
            expect(field(6)).toBeLessThanOrEqual(capacity);
            for (let i = 0; i < field(6); i++)
              found.push([arena.u32[(begins >>> 2) + i], arena.u32[(ends >>> 2) + i]]);
            arena.u32[(run >>> 2) + 6] = 0;
          }
          const twin = [...Array(starts).keys()].flatMap((start) => {
            const limit = steps.filter(([at]) => at <= start).at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
            const all = lengths.flatMap((some, i) => (some.includes(start) ? [start + i + 1] : []));
            const within = all.filter((end) => end <= limit);
            const kept = mode === "all" ? within : mode === "first" ? within.slice(0, 1) : within.slice(-1);
            return kept.map((end): [number, number] => [start, end]);
          });
          expect(found).toEqual(twin);
        }),
      ),
      { numRuns: 500 },
    );
  });
});

// ---- automata

const [BEFORE, AFTER, UNKNOWN] = [1 << 30, 1 << 29, 0xffffffff];
const alphabet = 4;

/** A table of rows; row 0 leads nowhere. An entry: the number of the next row, and whether a match ends here. */
const table = fc
  .array(
    fc.array(fc.record({ row: fc.nat(6), before: fc.nat(5), after: fc.nat(2) }), {
      minLength: alphabet,
      maxLength: alphabet,
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((rows) =>
    Uint32Array.from([
      ...Array(alphabet).fill(0),
      ...rows.flatMap((row) =>
        row.map(({ row: next, before, after }) => {
          const to = (next % (rows.length + 1)) * alphabet;
          return (to | (before === 1 ? BEFORE : 0) | (after === 1 ? AFTER : 0)) >>> 0;
        }),
      ),
    ]),
  );

/** All ends of matches from a start, by the meaning of the flags. */
function endsFrom(rows: Uint32Array, text: number[], start: number, limit: number): number[] {
  const ends: number[] = [];
  let row = alphabet;
  for (let i = start; i < text.length; i++) {
    const entry = rows[row + text[i]];
    if (entry & BEFORE && i > start) ends.push(i);
    if (i + 1 > limit) break;
    if (entry & AFTER) ends.push(i + 1);
    row = entry & (AFTER - 1);
    if (row === 0) break;
  }
  return ends;
}

interface Asked {
  rows: Uint32Array;
  text: number[];
  mode: keyof typeof modes;
  starts?: number[];
  /** Where a limit begins to hold, and the limit. */
  steps?: [at: number, limit: number][];
  limits?: number[];
  sets?: Set<number>[];
  /** Matches that fit. */
  capacity: number;
  /** Are rows filled in only when they are asked for? */
  lazy: boolean;
}

/** Calls the kernel as often as it asks for it, and gathers what it finds. */
function runToEnd({ rows, text, mode, starts, steps = [], limits, sets: list = [], capacity, lazy }: Asked) {
  const known = lazy ? rows.map((entry, i) => (i < alphabet ? entry : UNKNOWN)) : rows;
  const tableAt = arena.put(known);
  const run = arena.zeroed(21);
  const [begins, ends] = [arena.allocate(capacity * 4 + 4), arena.allocate(capacity * 4 + 4)];
  const words = [
    arena.putBytes(Uint8Array.from([...text, ...Array(32).fill(0)])),
    text.length,
    tableAt,
    alphabet,
    starts ? arena.put(Uint32Array.from(starts)) : 0,
    0,
    starts?.length ?? text.length,
    limits ? arena.put(Uint32Array.from(limits)) : 0,
    modes[mode],
    begins,
    ends,
    0,
    capacity,
    0,
    0,
    arena.put(Uint32Array.from(steps, ([at]) => at)),
    arena.put(Uint32Array.from(steps, ([, limit]) => limit)),
    steps.length,
    0,
    list.length > 0 ? putSets(list) : 0,
    list.length,
  ];
  arena.u32.set(words, run >>> 2);
  const found: [number, number][] = [];
  const field = (i: number) => arena.u32[(run >>> 2) + i];
  for (let calls = 0; calls < 10_000; calls++) {
    const status = kernels.runAutomaton(run);
    if (status === MISSING) {
      const at = field(13) + field(14);
      expect(arena.u32[(tableAt >>> 2) + at]).toBe(UNKNOWN);
      arena.u32[(tableAt >>> 2) + at] = rows[at];
      continue;
    }
    const count = field(11);
    expect(count).toBeLessThanOrEqual(capacity);
    // Matches of one start are handed over together.
    if (status === FULL) expect(count).toBeGreaterThan(0);
    for (let i = 0; i < count; i++) found.push([arena.u32[(begins >>> 2) + i], arena.u32[(ends >>> 2) + i]]);
    arena.u32[(run >>> 2) + 11] = 0;
    if (status === DONE) return found;
  }
  throw new Error("it does not come to an end");
}

function twin({ rows, text, mode, starts, steps = [], limits, sets: list = [] }: Asked): [number, number][] {
  return (starts ?? [...text.keys()]).flatMap((start, i) => {
    if (start >= text.length || !list.every((set, k) => set.has(text[start + k] ?? 0))) return [];
    const step = steps.filter(([at], n) => n === 0 || at <= start).at(-1);
    const limit = step?.[1] ?? limits?.[i] ?? text.length;
    if (limit <= start) return [];
    const ends = endsFrom(rows, text, start, limit);
    const kept = mode === "all" ? ends : mode === "first" ? ends.slice(0, 1) : ends.slice(-1);
    return kept.map((end): [number, number] => [start, end]);
  });
}

const text = fc.array(fc.nat(alphabet - 1), { maxLength: 60, size: "max" });
const asked = fc
  .record({
    rows: table,
    text,
    mode: fc.constantFrom("all" as const, "first" as const, "last" as const),
    lazy: fc.boolean(),
    /** Of one start there are at most two matches a token: so much must fit. */
    room: fc.nat(10),
    way: fc.constantFrom("plain", "starts", "limits", "steps", "sets", "sets and steps"),
    seeds: fc.array(fc.nat(70), { minLength: 1, maxLength: 40 }),
    sets: fc.array(fc.uniqueArray(fc.nat(alphabet - 1), { minLength: 1 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ way, seeds, sets: members, room, ...rest }): Asked => {
    const { length } = rest.text;
    const ascending = [...new Set(seeds)].sort((a, b) => a - b);
    const capacity = 2 * length + 1 + room;
    const base = { ...rest, capacity };
    const list = members.map((some) => new Set(some));
    const steps = ascending.map((at, i): [number, number] => [
      i === 0 ? 0 : at,
      Math.min(length, at + (seeds[i % seeds.length] % 9)),
    ]);
    switch (way) {
      case "starts":
        return { ...base, starts: ascending };
      case "limits":
        return {
          ...base,
          starts: ascending,
          limits: ascending.map((start, i) => Math.min(length, start + (seeds[i] % 7))),
        };
      case "steps":
        return { ...base, steps };
      case "sets":
        return { ...base, sets: list };
      case "sets and steps":
        return { ...base, sets: list, steps };
      default:
        return base;
    }
  });

describe("an automaton over classes", () => {
  it("finds the matches from every start that it should, however often it is interrupted", () => {
    fc.assert(
      fc.property(asked, (question) => {
        fresh(() => expect(runToEnd(question)).toEqual(twin(question)));
      }),
      { numRuns: 1000 },
    );
  });

  it("hands over what fits, and goes on with the start whose matches did not", () => {
    const rows = Uint32Array.from([...Array(alphabet).fill(0), ...Array(alphabet).fill(alphabet | AFTER)]);
    const question = { rows, text: Array(20).fill(1), mode: "all", capacity: 21, lazy: false } as const;
    fresh(() => expect(runToEnd({ ...question, text: [...question.text] })).toHaveLength(210));
  });
});
