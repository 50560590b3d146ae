import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Column } from "../column/reader.js";
import { writeColumnOf } from "../column/writer.js";
import { END } from "../cursor.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { Arena } from "../kernels/arena.js";
import { Pool, PooledFile } from "../pool/pool.js";
import { Postings } from "./reader.js";
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

describe("a posting list", () => {
  it("is found among thousands of ids, over many pages", async () => {
    const lists: Lists = new Map();
    for (let i = 0; i < 20_000; i++)
      lists.set(
        i * 2 + (i % 2),
        Array.from({ length: 1 + (i % 11) }, (_, k) => i + k * 5000),
      );
    const { postings, close } = await stored(lists, 2 ** 20);
    const { ids, counts } = postings.all();
    expect(postings.types).toBe(lists.size);
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
    for (const [id, positions] of lists) {
      const cursor = postings.cursor(id);
      for (let at = 0; at < positions.length; at += 1 + (at % 9000)) {
        expect(cursor.seek(positions[at] - (at % 2))).toBe(positions[at]);
        expect(cursor.remaining).toBe(positions.length - 1 - at);
      }
    }
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

  it("of a frequent value of a one-byte stream is found by scanning", async () => {
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
    close();
  });
});

describe("the positions of several ids", () => {
  /** What cursors give, one id after the other. */
  function byCursors(postings: Postings, ids: Uint32Array): number[] {
    const all: number[] = [];
    for (const id of ids) {
      const cursor = postings.cursor(id);
      for (let at = cursor.next(); at !== END; at = cursor.next()) all.push(at);
    }
    return all.sort((a, b) => a - b);
  }

  const rare = fc.record({
    universe: fc.constantFrom(200, 5000, 1 << 20),
    counts: fc.array(fc.constantFrom(0, 1, 1, 2, 3, 5, 40, 127, 128, 129, 500), {
      minLength: 1,
      maxLength: 40,
    }),
    scanned: fc.boolean(),
    seed: fc.nat(),
    asked: fc.uniqueArray(fc.nat(60), { maxLength: 60, size: "max" }),
  });

  it("are those that their cursors give, ascending, few or many, stored or scanned for", async () => {
    const property = fc.asyncProperty(rare, async ({ universe, counts, scanned, seed, asked }) => {
      const taken = new Set<number>();
      const lists: Lists = new Map();
      let state = seed;
      for (const [id, count] of counts.entries()) {
        const own = new Set<number>();
        for (let i = 0; i < count; i++) {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          const at = state % universe;
          if (!taken.has(at)) own.add(at);
          taken.add(at);
        }
        if (own.size > 0)
          lists.set(
            id,
            [...own].sort((a, b) => a - b),
          );
      }
      const scanCount = scanned && universe <= 5000 ? 128 : 0;
      const { postings, close } = await stored(lists, universe, scanCount);
      const ids = Uint32Array.from(asked).sort();
      expect([...postings.positions(ids)]).toEqual(byCursors(postings, ids));
      for (const id of ids.subarray(0, 3))
        expect([...postings.positions(Uint32Array.of(id))]).toEqual(lists.get(id) ?? []);
      close();
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("are read from many pages, and from lists that lie at their borders", async () => {
    const lists: Lists = new Map();
    for (let id = 0; id < 30_000; id++)
      lists.set(
        id * 3,
        Array.from({ length: 1 + (id % 13) }, (_, k) => id + k * 100_000),
      );
    lists.set(
      50_000,
      Array.from({ length: 40_000 }, (_, i) => i * 31 + 7),
    );
    const { postings, close } = await stored(lists, 2 ** 21);
    const some = [...lists.keys()].filter((id) => id % 7 < 3).concat(1, 50_000);
    for (const ids of [some, some.slice(0, 50), [...lists.keys()]]) {
      const asked = Uint32Array.from(new Set(ids)).sort();
      const wanted = new Set([...asked].flatMap((id) => lists.get(id) ?? []));
      const found = new Set(postings.positions(asked));
      expect(found.size).toBe(wanted.size);
      expect([...wanted].every((position) => found.has(position))).toBe(true);
    }
    close();
  });
});
