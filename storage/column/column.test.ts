import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";
import { Pool, PooledFile } from "../pool/pool.js";
import { Column, columnsOfArena, decodeColumnTo } from "./reader.js";
import { type ColumnOptions, extentsOf, writeColumnOf } from "./writer.js";

const arena = new Arena();
const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-column-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a column between two others, and opens it. */
async function stored(
  values: Uint32Array,
  options: ColumnOptions,
): Promise<{ file: FileReader; column: Column }> {
  arena.reset();
  const path = join(folder, String(serial++));
  const writer = new FileWriter(path, "test", 1);
  writeColumnOf(writer, arena, "before", Uint32Array.of(1, 2, 3));
  writeColumnOf(writer, arena, "values", values, options);
  writeColumnOf(writer, arena, "after", Uint32Array.of(4), { ordered: true });
  await writer.finish({ durable: false });
  const file = FileReader.open(path, "test", 1);
  return { file, column: new Column(pool, new PooledFile(file), "values") };
}

async function check(values: Uint32Array, options: ColumnOptions, seed = 1): Promise<Column> {
  const { file, column } = await stored(values, options);
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  expect(column.count).toBe(values.length);
  expect(Buffer.compare(Buffer.from(column.toArray().buffer), Buffer.from(values.slice().buffer))).toBe(0);
  const picks = Array.from({ length: values.length > 0 ? 300 : 0 }, () => below(values.length));
  expect(picks.map((index) => column.get(index))).toEqual(picks.map((index) => values[index]));
  const out = new Uint32Array(picks.length);
  column.gather(picks, out);
  expect([...out]).toEqual(picks.map((index) => values[index]));
  const inOrder = Uint32Array.from(picks).sort();
  column.gatherAscending(inOrder, inOrder.length, out);
  expect([...out]).toEqual([...inOrder].map((index) => values[index]));
  for (let i = 0; i < 10; i++) {
    const from = below(values.length + 1);
    const count = below(Math.min(1000, values.length - from) + 1);
    const part = new Uint32Array(count);
    column.read(from, count, part);
    expect(part).toEqual(values.slice(from, from + count));
    if (column.shape.encoding === "raw8") {
      const bytes = new Uint8Array(count);
      column.readBytes(from, count, bytes);
      expect([...bytes]).toEqual([...part]);
    }
  }
  const load = columnsOfArena(arena);
  expect(Buffer.compare(Buffer.from(load(file, "values").buffer), Buffer.from(values.slice().buffer))).toBe(
    0,
  );
  expect([...load(file, "before"), ...load(file, "after")]).toEqual([1, 2, 3, 4]);
  const target = arena.allocate((values.length + 256) * 4);
  decodeColumnTo(arena, file, "values", target);
  expect(Buffer.compare(arena.bytes(target, values.length * 4), Buffer.from(values.slice().buffer))).toBe(0);
  file.close();
  return column;
}

const value = fc.integer({ min: 0, max: 32 }).chain((bits) => fc.nat(2 ** bits - 1));
const values = fc
  .tuple(fc.array(value, { maxLength: 60, size: "max" }), fc.integer({ min: 1, max: 30 }))
  .map(([some, times]) =>
    Uint32Array.from({ length: some.length * times }, (_, i) => some[(i * i) % some.length]),
  );
const largest = (all: Uint32Array) => all.reduce((a, b) => Math.max(a, b), 0);

describe("a column", () => {
  it("gives back every value, alone, gathered and in stretches, whatever its encoding", async () => {
    const property = fc.asyncProperty(values, fc.boolean(), fc.boolean(), async (all, ordered, scannable) => {
      await check(all, { ordered, scannable: scannable ? { largest: largest(all) } : undefined });
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("finds where values that never fall become greater", async () => {
    const property = fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 600, size: "max" }), async (list) => {
      const sorted = Uint32Array.from(list).sort();
      const { file, column } = await stored(sorted, { ordered: true });
      for (let bound = 0; bound <= 50; bound += 5) {
        const wanted = sorted.findIndex((own) => own > bound);
        expect(column.upperBound(bound)).toBe(wanted < 0 ? sorted.length : wanted);
      }
      file.close();
    });
    await fc.assert(property, { numRuns: 20 });
  });

  const many = (count: number, of: (i: number) => number) =>
    Uint32Array.from({ length: count }, (_, i) => of(i));
  const scatter = (i: number) => Math.imul(i + 1, 0x9e3779b1) >>> 0;

  it.each([
    ["one byte each", many(200_000, (i) => scatter(i) % 256), "raw8"],
    ["two bytes each where that is smaller", many(200_000, (i) => scatter(i) % 65_536), "raw16"],
    [
      "packed where they are narrow",
      many(200_000, (i) => (i % 100 === 0 ? 3000 : scatter(i) % 16)),
      "packed",
    ],
    ["packed where they are wide", many(200_000, (i) => scatter(i) % 100_000), "packed"],
    [
      "packed with exceptions",
      many(100_000, (i) => (i % 50 === 7 ? 0xffffffff : scatter(i) >>> 8)),
      "packed",
    ],
  ] as const)("keeps values to be scanned at %s", async (_, all, encoding) => {
    const column = await check(all, { scannable: { largest: largest(all) } });
    expect(column.shape.encoding).toBe(encoding);
    expect(column.extents).toBeGreaterThan(1);
  });

  it.each([
    ["bytes", 256],
    ["pairs of bytes", 65_536],
    ["packed values", 100_000],
  ])("of %s gathers more than a thread's scratch holds, over many extents, in order", async (_, below) => {
    const all = many(400_000, (i) => scatter(i) % below);
    const { file, column } = await stored(all, { scannable: { largest: largest(all) } });
    for (const step of [1, 2, 777, 70_000]) {
      const indexes = many(Math.floor(all.length / step), (i) => i * step);
      const out = new Uint32Array(indexes.length + 1).fill(5);
      column.gatherAscending(indexes, indexes.length, out);
      const wanted = Uint32Array.from([...indexes].map((index) => all[index]));
      expect(Buffer.compare(Buffer.from(out.slice(0, -1).buffer), Buffer.from(wanted.buffer))).toBe(0);
      expect(out.at(-1)).toBe(5);
    }
    if (below === 256) {
      const bytes = new Uint8Array(all.length);
      column.readBytes(0, all.length, bytes);
      expect(Buffer.compare(bytes, Buffer.from(Uint8Array.from(all)))).toBe(0);
      const table = Uint8Array.from({ length: 256 }, (_, value) => (scatter(value) >>> 3) & 1);
      for (const [step, shift] of [
        [1, 0],
        [3, 2],
        [70_000, 7],
      ]) {
        const places = many(Math.floor((all.length - shift) / step), (i) => i * step);
        const wanted = places.slice(2).filter((place) => table[all[place + shift]] === 1);
        const kept = column.siftBytes(places, 2, places.length, shift, table, 1);
        expect(kept).toBe(1 + wanted.length);
        expect(places.subarray(1, kept)).toEqual(wanted);
      }
    }
    file.close();
  });

  it("of bytes tells which values are in a set, as bits from any place on to any place", async () => {
    const all = many(200_000, (i) => scatter(i) % 256);
    const { file, column } = await stored(all, { scannable: { largest: 255 } });
    await fc.assert(
      fc.property(
        fc.nat(all.length),
        fc.oneof(fc.nat(300), fc.nat(all.length)),
        fc.nat(100),
        fc.uniqueArray(fc.nat(255), { maxLength: 40 }),
        (from, length, first, members) => {
          const count = Math.min(length, all.length - from);
          const set = new Uint8Array(32);
          for (const value of members) set[(value >= 128 ? 16 : 0) + (value & 15)] |= 1 << ((value >> 4) & 7);
          // Bits that stand before the first are kept.
          const out = new Uint32Array(((first + count) >>> 5) + 2);
          for (let i = 0; i < first; i++) out[i >>> 5] |= 1 << (i & 31);
          const wanted = out.slice();
          const among = new Set(members);
          for (let i = 0; i < count; i++)
            if (among.has(all[from + i])) wanted[(first + i) >>> 5] |= 1 << ((first + i) & 31);
          column.memberBits(from, count, set, out, first);
          expect(Buffer.compare(Buffer.from(out.buffer), Buffer.from(wanted.buffer))).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
    file.close();
  });

  it("fits each extent in a frame of the pool, also where blocks are of very different sizes", async () => {
    const all = many(300_000, (i) => (i < 150_000 ? 0 : i < 200_000 ? scatter(i) : scatter(i) % 8));
    const { file, column } = await stored(all, {});
    const extents = file.integers(extentsOf("values"));
    expect(extents).toHaveLength(column.extents + 1);
    for (let i = 0; i < column.extents; i++)
      expect(extents[i + 1] - extents[i]).toBeLessThanOrEqual(limits.extentBytes);
    file.close();
    await check(all, {});
  });

  it("holds millions of equal values in next to nothing", async () => {
    const all = new Uint32Array(128 * 16_384 + 5000).fill(7);
    all[128 * 16_384 - 1] = 8;
    const { file } = await stored(all, { ordered: true });
    expect(file.section("values")[1]).toBeLessThan(all.length / 10);
    file.close();
    await check(all, { ordered: true });
    await check(all.fill(0), {});
  });

  it("gives the right values from a pool that holds a part of it, one by one or many at once", async () => {
    const all = many(3_000_000, (i) => scatter(i));
    const { file } = await stored(all, {});
    const small = Pool.create(0);
    const column = new Column(small, new PooledFile(file), "values");
    expect(column.extents).toBeGreaterThan(2 * small.handle.frames);
    const picks = Uint32Array.from({ length: 70_000 }, (_, i) => scatter(i * 7) % all.length);
    const wanted = picks.map((index) => all[index]);
    const out = new Uint32Array(picks.length);
    column.gather(picks, out);
    expect(Buffer.compare(Buffer.from(out.buffer), Buffer.from(wanted.buffer))).toBe(0);
    const near = picks.map((index, i) => (i % 3 === 0 ? index : scatter(i) % 200_000)).subarray(0, 20_000);
    expect(near.every((index) => column.get(index) === all[index])).toBe(true);
    file.close();
  });

  it("that a file does not have is missed", async () => {
    const { file } = await stored(new Uint32Array(0), {});
    expect(() => new Column(pool, new PooledFile(file), "other")).toThrow(/has no column other/);
    file.close();
  });
});
