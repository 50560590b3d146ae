/** The kernels that lay out what is written, against their twins. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arena } from "./arena.js";
import * as twins from "./twins.js";

const runs = { numRuns: 150 };
const arena = new Arena();
const { kernels } = arena;

/** Runs with an empty arena; what lies in it is not zero. */
function fresh<Result>(run: () => Result): Result {
  arena.reset();
  const mark = arena.mark();
  arena.u8.fill(0xa5, mark, Math.min(arena.memory.buffer.byteLength, mark + (1 << 20)));
  return run();
}

const put = (values: ArrayLike<number>) => arena.put(Uint32Array.from(values));
const room = (count: number) => arena.allocate(count * 4);
const at = (address: number, count: number) => [...arena.integers(address, count)];

describe("orders", () => {
  const keys = fc
    .tuple(
      fc.constantFrom(0, 3, 2047, 2048, 1 << 21, 1 << 22, 0xffffffff),
      fc.array(fc.nat(0xffffffff), { maxLength: 300, size: "max" }),
    )
    .map(([most, picks]) => picks.map((pick) => (most === 0xffffffff ? pick : pick % (most + 1))));

  it("of keys are rising or falling, equal keys as they stand, and can be turned round", () => {
    fc.assert(
      fc.property(keys, fc.boolean(), fc.nat(9), (values, falling, base) =>
        fresh(() => {
          const [order, scratch] = [room(values.length), room(values.length)];
          kernels.sortKeys(put(values), values.length, falling, order, scratch);
          const wanted = twins.sortKeys(values, falling);
          expect(at(order, values.length)).toEqual(wanted);
          kernels.turnRound(order, values.length, base, scratch);
          expect(at(scratch, values.length)).toEqual(values.map((_, i) => wanted.indexOf(i) + base));
        }),
      ),
      runs,
    );
  });

  it("have runs of equal keys", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (values) =>
        fresh(() => {
          const order = twins.sortKeys(values, false);
          const [distinct, counts] = [room(values.length), room(values.length)];
          const found = kernels.findRuns(put(values), put(order), values.length, 1, distinct, counts);
          const wanted = [...new Set(order.map((i) => values[i]))];
          expect(at(distinct, found)).toEqual(wanted.map((value) => value - 1));
          expect(at(counts, found)).toEqual(
            wanted.map((value) => values.filter((own) => own === value).length),
          );
        }),
      ),
      runs,
    );
  });

  it("of ranges have lengths, and it is known whether the ranges are apart", () => {
    const ranges = fc.array(fc.tuple(fc.nat(3), fc.nat(4)), { maxLength: 20 }).map((steps) => {
      let begin = 0;
      return steps.map(([gap, length]) => [(begin += gap), begin + length]);
    });
    fc.assert(
      fc.property(ranges, (pairs) =>
        fresh(() => {
          const [begins, ends] = [0, 1].map((side) => pairs.map((pair) => pair[side]));
          const target = room(pairs.length);
          const apart = kernels.lengthsOf(put(begins), put(ends), pairs.length, target);
          expect({ lengths: at(target, pairs.length), apart: apart !== 0 }).toEqual(
            twins.lengthsOf(begins, ends),
          );
        }),
      ),
      runs,
    );
  });

  it("of lists begin where those before them end", () => {
    fresh(() => {
      const starts = room(4);
      kernels.sumBefore(put([3, 0, 7, 5]), 4, starts);
      expect(at(starts, 4)).toEqual([0, 3, 3, 10]);
    });
  });
});

describe("posting lists", () => {
  const list = fc
    .tuple(
      fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(1, 127, 128, 129, 255, 256, 4000)),
      fc.constantFrom(1, 3, 300, 20_000),
      fc.nat(1000),
    )
    .map(([count, gap, seed]) => {
      let position = seed;
      return Uint32Array.from({ length: count }, (_, i) => (position += 1 + ((i * 7919 + seed) % gap)));
    });

  const check = (lists: Uint32Array[], scanCount: number) =>
    fresh(() => {
      const positions = put(lists.flatMap((own) => [...own]));
      const counts = put(lists.map((own) => own.length));
      const offsets = room(lists.length + 1);
      const pages = kernels.layLists(positions, counts, lists.length, scanCount, offsets) >>> 0;
      const wanted = twins.layLists(lists, scanCount);
      expect(at(offsets, lists.length + 1)).toEqual([...wanted.offsets, wanted.bytes.length]);
      expect(Buffer.compare(arena.bytes(pages, wanted.bytes.length), Uint8Array.from(wanted.bytes))).toBe(0);
    });

  it("are laid into pages as by the twin", () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 60, size: "max" }), fc.constantFrom(0, 0, 128, 200), check),
      { numRuns: 60 },
    );
  });

  it("are laid into many pages as by the twin, whatever is left of each", () => {
    for (let shift = 0; shift < 12; shift++) {
      const lists = Array.from({ length: 900 }, (_, l) =>
        Uint32Array.from(
          { length: 1 + ((l * 37 + shift * 11) % 400) },
          (_, i) => i * (1 + (l % 50) * 40) + l,
        ),
      );
      const long = Uint32Array.from({ length: 90_000 + shift * 64 }, (_, i) => i * 900 + ((i * i) % 800));
      check([...lists.slice(0, 300), long, ...lists.slice(300)], 0);
    }
  });
});

describe("strings", () => {
  const string = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", "\xff"), maxLength: 30 }),
    fc
      .string({ unit: fc.constantFrom("a", "b"), maxLength: 3 })
      .map((end) => `${"abcdefgh".repeat(20)}${end}`),
  );

  it("are front-coded as by the twin, in any number of steps", () => {
    fc.assert(
      fc.property(
        fc.array(string, { maxLength: 100, size: "max" }),
        fc.constantFrom(256, 1000, 1 << 16),
        (strings, bytesMax) =>
          fresh(() => {
            const lengths = strings.map((own) => own.length);
            const starts = room(strings.length);
            const lengthsAt = put(lengths);
            kernels.sumBefore(lengthsAt, strings.length, starts);
            const heap = arena.putBytes(Buffer.from(strings.join(""), "latin1"));
            const blocks = room(Math.ceil(strings.length / 16));
            const state = room(2);
            const target = arena.allocate(bytesMax);
            const behind = arena.putBytes(Uint8Array.of(1, 2, 3));
            const found: number[] = [];
            for (let from = 0; from < strings.length; ) {
              kernels.frontCode(
                heap,
                starts,
                lengthsAt,
                from,
                strings.length,
                target,
                bytesMax,
                blocks,
                found.length,
                state,
              );
              const [next, bytes] = at(state, 2);
              expect(next).toBeGreaterThan(from);
              found.push(...arena.bytes(target, bytes));
              from = next;
            }
            const wanted = twins.frontCode(strings);
            expect(found).toEqual(wanted.bytes);
            expect(at(blocks, wanted.blocks.length)).toEqual(wanted.blocks);
            expect([...arena.bytes(behind, 3)]).toEqual([1, 2, 3]);
          }),
      ),
      runs,
    );
  });

  it("that do not fit at all are left for a larger place", () => {
    fresh(() => {
      const state = room(2);
      const target = arena.allocate(100);
      kernels.frontCode(arena.allocate(200), put([0]), put([90]), 0, 1, target, 100, room(1), 0, state);
      expect(at(state, 2)).toEqual([0, 0]);
    });
  });

  it("of a table have starts, lengths and counts", () => {
    fresh(() => {
      const table = kernels.newTable(2) >>> 0;
      const heap = arena.putBytes(Buffer.from("abcab"));
      expect(kernels.internAll(table, heap, put([2, 3, 3, 5]), put([1, 2, 3, 4]), 4, room(4))).toBe(1);
      const [starts, lengths, counts] = [room(4), room(3), room(3)];
      kernels.tableColumns(table, starts, lengths, counts);
      expect([at(starts, 4), at(lengths, 3), at(counts, 3)]).toEqual([
        [0, 2, 3, 3],
        [2, 1, 0],
        [5, 2, 3],
      ]);
      kernels.tableColumns(table, 0, starts, 0);
      expect(at(starts, 3)).toEqual([2, 1, 0]);
    });
  });
});

describe("tags", () => {
  const structures = 3;
  const fileEnd = 0xffffffff;
  /** Of four in a row most belong together, so that many inputs nest properly. */
  const tags = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: fc.nat(2).map((s) => [s * 4, s * 4 + 1]) },
        { weight: 3, arbitrary: fc.nat(2).map((s) => [s * 4, ((s + 1) % 3) * 4 + 2, s * 4 + 1]) },
        { weight: 2, arbitrary: fc.constant([3]) },
        { weight: 1, arbitrary: fc.nat(10).map((tag) => [tag]) },
      ),
      { maxLength: 12 },
    )
    .chain((groups) => fc.tuple(fc.constant(groups), fc.boolean()))
    .map(([groups, wrapped]) => (wrapped ? [0, ...groups.flat(), 1] : groups.flat()));

  const check = (all: number[], flat: number[]) =>
    fresh(() => {
      const events = all.map((tag, i) => ({ tag, line: 2 * tag + 5, token: i >> 1 }));
      const wanted = twins.nest(events, flat);
      const codes = new Uint32Array(64);
      for (const { tag, line } of events) codes[line] = tag;
      const eventsAt = put(
        events.flatMap(({ tag, line, token }, i) => [tag === 3 ? fileEnd : line, token, 100 + i]),
      );
      const lists = Array.from({ length: structures }, (_, s) =>
        wanted.opened.filter(({ structure }) => structure === s),
      );
      const counts = put(lists.map(({ length }) => length));
      const starts = room(structures);
      const total = wanted.opened.length;
      const [begins, lines, ends] = [room(total), room(total), room(total)];
      kernels.sumBefore(counts, structures, starts);
      kernels.codeEvents(eventsAt, events.length, arena.put(codes), starts, begins, lines);
      expect(at(eventsAt, events.length * 3)).toEqual(
        events.flatMap(({ tag, token }, i) => [tag, token, 100 + i]),
      );
      expect(at(begins, total)).toEqual(lists.flat().map(({ begin }) => begin));
      expect(at(lines, total)).toEqual(lists.flat().map(({ line }) => line));
      kernels.sumBefore(counts, structures, starts);
      const flags = put(lists.map((_, s) => (flat.includes(s) ? 1 : 0)));
      const proper = kernels.nestEvents(
        eventsAt,
        events.length,
        starts,
        flags,
        arena.zeroed(structures),
        ends,
      );
      expect(proper).toBe(wanted.proper ? 1 : 0);
      if (wanted.proper) expect(at(ends, total)).toEqual(lists.flat().map(({ end }) => end));
    });

  it("are coded, and nest or not, as by the twin", () => {
    fc.assert(fc.property(tags, fc.subarray([0, 1]), check), { numRuns: 500 });
  });

  it("may stand 256 deep", () => {
    for (const depth of [255, 256, 257]) {
      check([...new Array(depth).fill(4), ...new Array(depth).fill(5)], []);
    }
  });
});

describe("counts", () => {
  it("are added up to 64 bits, and split into halves and joined", () => {
    fresh(() => {
      const frequency = arena.zeroed(6);
      const documents = arena.zeroed(3);
      const add = (ids: number[], counts: number[], own: number[]) =>
        kernels.addCounts(put(ids), put(counts), put(own), ids.length, frequency, documents);
      add([0, 2], [0xffffffff, 5], [1, 2]);
      add([0, 1, 2], [0xffffffff, 1, 1], [3, 4, 5]);
      const [low, high, joined] = [room(3), room(3), room(6)];
      kernels.splitHalves(frequency, 3, low, high);
      expect(at(low, 3)).toEqual([0xfffffffe, 1, 6]);
      expect(at(high, 3)).toEqual([1, 0, 0]);
      expect(at(documents, 3)).toEqual([4, 4, 7]);
      kernels.joinHalves(low, high, 3, joined);
      expect(at(joined, 6)).toEqual(at(frequency, 6));
    });
  });
});
