/** Every kind of cursor keeps the law of storage/cursor.ts, whatever is asked of it in which order. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Column } from "../storage/column/reader.js";
import { writeColumnOf } from "../storage/column/writer.js";
import { ArrayCursor, END, emptyCursor, type PositionCursor } from "../storage/cursor.js";
import { FileReader } from "../storage/file/reader.js";
import { FileWriter } from "../storage/file/writer.js";
import { Arena } from "../storage/kernels/arena.js";
import { Pool, PooledFile } from "../storage/pool/pool.js";
import { Postings } from "../storage/postings/reader.js";
import { unionOf } from "../storage/postings/union.js";
import { writePostings } from "../storage/postings/writer.js";
import { Structures } from "../storage/structures/reader.js";
import { StructureWriter } from "../storage/structures/writer.js";

const arena = new Arena();
const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-cursors-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Step = { kind: "next" } | { kind: "seek"; by: number } | { kind: "fill"; size: number; lent: boolean };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: "next" } as const),
  fc.record({
    kind: fc.constant("seek" as const),
    by: fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: -3000, max: 3000 }),
      fc.nat(60_000),
      fc.constantFrom(-Infinity, END, Infinity),
    ),
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

/** The law, step by step, and on after the end. */
function follow(cursor: PositionCursor, positions: number[], walk: Step[], exact: boolean): void {
  let at = -1;
  const here = () => (at < 0 ? -1 : (positions[at] ?? END));
  const keepsTheLaw = () => {
    expect(cursor.position).toBe(here());
    const left = Math.max(0, positions.length - 1 - at);
    if (exact || here() === END) expect(cursor.remaining).toBe(left);
    expect(cursor.remaining).toBeGreaterThanOrEqual(left);
    expect(cursor.cost).toBeGreaterThanOrEqual(0);
  };
  keepsTheLaw();
  for (const move of [...walk, ...walk]) {
    if (move.kind === "next") {
      at = Math.min(at + 1, positions.length);
      expect(cursor.next()).toBe(here());
    } else if (move.kind === "seek") {
      const target = (here() === END ? 0 : here()) + move.by;
      at = Math.max(at, 0);
      while (at < positions.length && positions[at] < target) at++;
      expect(cursor.seek(target)).toBe(here());
    } else {
      const lent = move.lent ? pool.lend(move.size) : undefined;
      const out = lent ?? new Uint32Array(move.size);
      const wanted = positions.slice(at + 1, at + 1 + move.size);
      expect(cursor.fill(out)).toBe(wanted.length);
      expect([...out.subarray(0, wanted.length)]).toEqual(wanted);
      at = wanted.length === 0 ? positions.length : at + wanted.length;
      if (lent) pool.restore(lent);
    }
    keepsTheLaw();
  }
}

interface Made {
  cursor: PositionCursor;
  /** `remaining` is exact, not only a bound. */
  exact?: boolean;
  close?: () => void;
}

/** Postings of one id, between others; with `scanned`, those that are not stored but found in a stream of bytes. */
async function postingsOf(positions: number[], scanned: boolean): Promise<Made> {
  arena.reset();
  const path = join(folder, String(serial++));
  const file = new FileWriter(path, "test", 1);
  const universe = (positions.at(-1) ?? 0) + 300;
  const counts = arena.put(Uint32Array.of(1, positions.length, 1));
  const input = {
    count: 3,
    ids: arena.put(Uint32Array.of(3, 7, 9)),
    counts,
    documents: counts,
    positions: arena.put(Uint32Array.of(5, ...positions, 6)),
  };
  writePostings(file, arena, "", input, { universe, scanCount: scanned ? positions.length : 0 });
  const stream = new Uint32Array(universe).fill(255);
  for (const position of positions) stream[position] = 7;
  writeColumnOf(file, arena, "stream", stream, { scannable: { largest: 255 } });
  await file.finish({ durable: false });
  const reader = FileReader.open(path, "test", 1);
  const pooled = new PooledFile(reader);
  const postings = new Postings(pool, pooled, "", new Column(pool, pooled, "stream"));
  return { cursor: postings.cursor(7), exact: !scanned, close: () => reader.close() };
}

/** The structures with one value of an attribute, among some with another and some with none. */
async function structuresOf(positions: number[]): Promise<Made> {
  arena.reset();
  const path = join(folder, String(serial++));
  const begins = Uint32Array.from({ length: (positions.at(-1) ?? 0) + 10 }, (_, i) => i);
  const ends = begins.map((begin) => begin + 1);
  const writer = new StructureWriter(path, arena, { begins, ends, carriedIn: 0, carriedOut: [] });
  const values = begins.map((i) => i % 3);
  for (const position of positions) values[position] = 8;
  writer.attribute("a", values);
  await writer.finish();
  const structures = new Structures(pool, path);
  return { cursor: structures.withValue("a", 7), exact: true, close: () => structures.close() };
}

/** Lists that overlap, and are all of the positions together. */
const parts = (positions: number[]) =>
  [2, 3, 1].map((every) => new ArrayCursor(Uint32Array.from(positions.filter((_, i) => i % every === 0))));

const kinds: Record<string, (positions: number[]) => Made | Promise<Made>> = {
  "over an array": (positions) => ({
    cursor: new ArrayCursor(Uint32Array.from([...positions, 1, 2]), positions.length),
    exact: true,
  }),
  "of a stored list": (positions) => postingsOf(positions, false),
  "of a value that is scanned for": (positions) => postingsOf(positions, positions.length > 0),
  "of several lists as one, by sorting": (positions) => ({
    cursor: unionOf(parts(positions), 2 ** 27),
    exact: true,
  }),
  "of several lists as one, by bits": (positions) => ({
    cursor: unionOf(parts(positions), (positions.at(-1) ?? 0) + 1),
    exact: true,
  }),
  "of one list as a union": async (positions) => {
    const made = await postingsOf(positions, false);
    return { ...made, cursor: unionOf([made.cursor], 2 ** 27) };
  },
  "of structures with a value": structuresOf,
};

/** So many positions, the gaps between which grow up to so many bits, and now and then are wider. */
const positionsOf = (counts: fc.Arbitrary<number>) =>
  fc
    .record({ count: counts, bits: fc.integer({ min: 0, max: 5 }), seed: fc.nat(), start: fc.nat(300) })
    .map(({ count, bits, seed, start }) => {
      let state = seed;
      let position = start - 1;
      return Array.from({ length: count }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const wide = state >>> 28 === 0 ? bits + 4 : bits;
        return (position += 1 + Math.floor((state / 2 ** 32) * 2 ** wide));
      });
    });
const counts = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.constantFrom(1, 4, 127, 128, 129, 255, 256, 257, 384),
  fc.integer({ min: 1, max: 3000 }),
);

describe("a cursor", () => {
  it.each(Object.entries(kinds))("%s keeps the law", async (_, make) => {
    const property = fc.asyncProperty(positionsOf(counts), steps, async (positions, walk) => {
      const { cursor, exact = false, close } = await make(positions);
      follow(cursor, positions, walk, exact);
      close?.();
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it("over nothing keeps the law, wherever it comes from", async () => {
    const { close, ...list } = await postingsOf([4], false);
    const path = join(folder, String(serial++));
    const none = new Uint32Array(0);
    await new StructureWriter(path, arena, {
      begins: none,
      ends: none,
      carriedIn: 0,
      carriedOut: [],
    }).finish();
    const structures = new Structures(pool, path);
    const sources = [
      () => emptyCursor(),
      () => new ArrayCursor(none),
      () => unionOf([], 100),
      () => unionOf([emptyCursor(), emptyCursor()], 100),
      () => structures.withValue("a", 0),
    ];
    expect(list.cursor.next()).toBe(4);
    fc.assert(
      fc.property(fc.constantFrom(...sources), steps, (make, walk) => follow(make(), [], walk, true)),
    );
    structures.close();
    close?.();
  });
});
