import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Column } from "../column/reader.js";
import { writeColumnOf } from "../column/writer.js";
import { ArrayCursor, END, emptyCursor, gallop, type PositionCursor } from "../cursor.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { Arena } from "../kernels/arena.js";
import { Pool, PooledFile } from "../pool/pool.js";
import { Postings } from "./reader.js";
import { unionOf } from "./union.js";
import { writePostings } from "./writer.js";

const arena = new Arena();
const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-postings-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Lists = Map<number, number[]>;

/** Stores lists; those of `scanCount` or more positions are not stored but scanned for in a stream of bytes. */
async function stored(
  lists: Lists,
  universe: number,
  scanCount = 0,
): Promise<{ postings: Postings; close(): void }> {
  arena.reset();
  const path = join(folder, String(serial++));
  const file = new FileWriter(path, "test", 1);
  const ids = Uint32Array.from(lists.keys()).sort();
  const counts = ids.map((id) => lists.get(id)!.length);
  const all = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const id of ids) {
    all.set(lists.get(id)!, at);
    at += lists.get(id)!.length;
  }
  const countsAt = arena.put(counts);
  const input = {
    count: ids.length,
    ids: arena.put(ids),
    counts: countsAt,
    documents: countsAt,
    positions: arena.put(all),
  };
  writePostings(file, arena, "x:", input, { universe, scanCount });
  if (scanCount > 0) {
    const stream = new Uint32Array(universe).fill(255);
    for (const [id, list] of lists) for (const position of list) stream[position] = id;
    writeColumnOf(file, arena, "stream", stream, { scannable: { largest: 255 } });
  }
  await file.finish({ durable: false });
  const reader = FileReader.open(path, "test", 1);
  const pooled = new PooledFile(reader);
  const stream = scanCount > 0 ? new Column(pool, pooled, "stream") : undefined;
  return { postings: new Postings(pool, pooled, "x:", stream), close: () => reader.close() };
}

type Step = { kind: "next" } | { kind: "seek"; by: number } | { kind: "fill"; size: number; lent: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: "next" } as const),
  fc.record({
    kind: fc.constant("seek" as const),
    by: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.nat(500), fc.nat(20_000), fc.nat(2_000_000)),
  }),
  fc.record({
    kind: fc.constant("fill" as const),
    size: fc.oneof(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 120, max: 140 }),
      fc.integer({ min: 1, max: 6000 }),
    ),
    lent: fc.boolean(),
  }),
);
const steps = fc.array(step, { minLength: 3, maxLength: 40, size: "max" });

/** The law, step by step. */
function follow(cursor: PositionCursor, positions: ArrayLike<number>, walk: Step[], exact: boolean): void {
  const all = Array.from(positions);
  let at = -1;
  const here = () => (at < 0 ? -1 : (all[at] ?? END));
  expect(cursor.position).toBe(-1);
  for (const move of [...walk, ...walk]) {
    if (move.kind === "next") {
      at = Math.min(at + 1, all.length);
      expect(cursor.next()).toBe(here());
    } else if (move.kind === "seek") {
      const target = Math.max(0, (at < 0 ? 0 : Math.min(here(), 2 ** 27)) + move.by);
      at = Math.max(at, 0);
      at = Math.max(at, gallop(Uint32Array.from(all), target, Math.min(at, all.length), all.length));
      expect(cursor.seek(target)).toBe(here());
    } else {
      const lent = move.lent ? pool.lend(move.size) : undefined;
      const out = lent ?? new Uint32Array(move.size);
      const wanted = all.slice(at + 1, at + 1 + move.size);
      expect(cursor.fill(out)).toBe(wanted.length);
      expect([...out.subarray(0, wanted.length)]).toEqual(wanted);
      at = wanted.length === 0 ? all.length : at + wanted.length;
      if (lent) pool.restore(lent);
    }
    expect(cursor.position).toBe(here());
    const left = Math.max(0, all.length - 1 - at);
    if (exact || left === 0)
      expect(cursor.remaining).toBe(at >= all.length ? 0 : exact ? left : cursor.remaining);
    expect(cursor.remaining).toBeGreaterThanOrEqual(left);
  }
}

/** A list of so many positions, the gaps between which grow up to so many bits, now and then. */
const list = (counts: fc.Arbitrary<number>) =>
  fc
    .record({ count: counts, bits: fc.integer({ min: 0, max: 12 }), seed: fc.nat(), start: fc.nat(300) })
    .map(({ count, bits, seed, start }) => {
      let state = seed;
      let position = start - 1;
      return Array.from({ length: count }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const wide = state >>> 28 === 0 ? bits + 4 : bits;
        return (position += 1 + Math.floor((state / 2 ** 32) * 2 ** wide));
      });
    });
const lengths = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom(1, 4, 127, 128, 129, 255, 256, 257, 384),
  fc.integer({ min: 1, max: 3000 }),
);

describe("a posting list", () => {
  it("keeps the law of cursors, whatever is asked in which order", async () => {
    const property = fc.asyncProperty(
      fc.array(list(lengths), { minLength: 1, maxLength: 8 }),
      steps,
      async (own, walk) => {
        const lists: Lists = new Map(own.map((positions, i) => [i * 3, positions]));
        const { postings, close } = await stored(lists, 2 ** 27);
        expect(postings.types).toBe(lists.size);
        for (const [id, positions] of lists) {
          expect(postings.count(id)).toBe(positions.length);
          follow(postings.cursor(id), positions, walk, true);
        }
        expect(postings.count(1)).toBe(0);
        expect(postings.cursor(1)).toBe(emptyCursor);
        close();
      },
    );
    await fc.assert(property, { numRuns: 80 });
  });

  it("is found among thousands of ids, over many pages", async () => {
    const lists: Lists = new Map();
    for (let i = 0; i < 20_000; i++)
      lists.set(
        i * 2 + (i % 2),
        Array.from({ length: 1 + (i % 11) }, (_, k) => i + k * 5000),
      );
    const { postings, close } = await stored(lists, 2 ** 20);
    const { ids, counts } = postings.all();
    expect([...ids]).toEqual([...lists.keys()]);
    expect([...counts]).toEqual([...lists.values()].map(({ length }) => length));
    const out = new Uint32Array(16);
    for (let id = 0; id < 40_010; id += 7) {
      const wanted = lists.get(id) ?? [];
      expect(postings.count(id)).toBe(wanted.length);
      expect([...out.subarray(0, postings.cursor(id).fill(out))]).toEqual(wanted);
    }
    close();
  });

  it("may be much longer than a page", async () => {
    const lists: Lists = new Map([
      [5, []],
      [6, []],
      [7, []],
    ]);
    for (let i = 0, at = 0; i < 300_000; i++) {
      at += 1 + ((Math.imul(i, 0x9e3779b1) >>> 0) % 400);
      lists.get(i % 1000 < 5 ? 5 : i % 100 < 50 ? 6 : 7)!.push(at);
    }
    const { postings, close } = await stored(lists, 2 ** 27);
    const property = fc.property(steps, fc.constantFrom(5, 6, 7), (walk, id) => {
      follow(postings.cursor(id), lists.get(id)!, walk.slice(0, 8), true);
    });
    fc.assert(property, { numRuns: 25 });
    for (const [id, positions] of lists) {
      const out = pool.lend(200_000);
      expect(postings.cursor(id).fill(out)).toBe(positions.length);
      expect(
        Buffer.compare(
          Buffer.from(out.slice(0, positions.length).buffer),
          Buffer.from(Uint32Array.from(positions).buffer),
        ),
      ).toBe(0);
      pool.restore(out);
    }
    close();
  });

  it("may reach to the last position that a segment can have", async () => {
    const positions = [0, 1, 2 ** 26, 2 ** 27 - 2, 2 ** 27 - 1];
    const sparse = Array.from({ length: 300 }, (_, i) => Math.floor((i * (2 ** 27 - 1)) / 299));
    const lists: Lists = new Map([
      [0, positions],
      [0xffffffff, [2 ** 27 - 1]],
      [3, sparse],
    ]);
    const { postings, close } = await stored(lists, 2 ** 27);
    for (const [id, own] of lists) {
      const out = new Uint32Array(400);
      expect([...out.subarray(0, postings.cursor(id).fill(out))]).toEqual(own);
      expect(postings.cursor(id).seek(2 ** 27 - 1)).toBe(2 ** 27 - 1);
      expect(postings.cursor(id).seek(2 ** 27)).toBe(END);
    }
    close();
  });

  it("of a frequent value of a one-byte stream is found by scanning, by the same law", async () => {
    const universe = 150_000;
    const lists: Lists = new Map([
      [0, []],
      [1, []],
      [2, []],
      [200, []],
    ]);
    for (let i = 0; i < universe; i++) {
      const pick = Math.imul(i + 7, 0x9e3779b1) >>> 0;
      if (pick % 2 === 0) lists.get(0)!.push(i);
      else if (pick % 301 === 0 && i > 70_000) lists.get(1)!.push(i);
      else if (pick % 20_011 === 0) lists.get(2)!.push(i);
      else if (i > 140_000 && i < 140_400) lists.get(200)!.push(i);
    }
    expect([...lists.values()].map(({ length }) => length >= 128)).toEqual([true, true, false, true]);
    const { postings, close } = await stored(lists, universe, 128);
    for (const [id, positions] of lists) {
      expect(postings.count(id)).toBe(positions.length);
      const out = new Uint32Array(universe);
      expect(postings.cursor(id).fill(out)).toBe(positions.length);
      expect([...out.subarray(0, positions.length)]).toEqual(positions);
    }
    const property = fc.property(steps, fc.constantFrom(0, 1, 2, 200), (walk, id) => {
      follow(postings.cursor(id), lists.get(id)!, walk.slice(0, 10), id === 2);
    });
    fc.assert(property, { numRuns: 25 });
    close();
  });
});

describe("other cursors", () => {
  const sorted = fc
    .uniqueArray(fc.nat(3000), { maxLength: 300, size: "max" })
    .map((own) => own.sort((a, b) => a - b));

  it("over arrays keep the same law", () => {
    fc.assert(
      fc.property(sorted, steps, (positions, walk) => {
        follow(
          new ArrayCursor(Uint32Array.from([...positions, 1, 2]), positions.length),
          positions,
          walk,
          true,
        );
      }),
      { numRuns: 100 },
    );
  });

  it("of several lists as one have each position once", () => {
    fc.assert(
      fc.property(
        fc.array(sorted, { maxLength: 6 }),
        fc.constantFrom(3001, 1 << 20),
        steps,
        (lists, universe, walk) => {
          const cursors = lists.map((own) => new ArrayCursor(Uint32Array.from(own)));
          const union = [...new Set(lists.flat())].sort((a, b) => a - b);
          const cursor = unionOf(cursors, universe);
          if (cursor === emptyCursor) expect(lists).toEqual([]);
          else follow(cursor, union, walk, true);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("over nothing are at their end", () => {
    const out = new Uint32Array(1);
    expect([emptyCursor.next(), emptyCursor.seek(0), emptyCursor.fill(out), emptyCursor.position]).toEqual([
      END,
      END,
      0,
      END,
    ]);
  });
});
