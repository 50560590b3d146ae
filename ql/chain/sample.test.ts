import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../storage/index.js";
import type { Hits } from "./hits.js";
import { sampleCount, samplePercent, shuffled } from "./sample.js";

/** Sampling asks a snapshot only how large it is. */
const desk = { snapshot: { tokens: 1_000_000 } as Snapshot, checkpoint: () => {} };

async function* blocks(count: number, size: number): AsyncGenerator<Hits> {
  for (let from = 0; from < count; from += size) {
    const begins = Uint32Array.from({ length: Math.min(size, count - from) }, (_, i) => from + i);
    yield {
      count: begins.length,
      begins,
      ends: begins.map((at) => at + 1),
      ascending: true,
      labels: new Map(),
    };
  }
}

async function percent(count: number, size: number, share: number, seed: number): Promise<number[]> {
  const taken: number[] = [];
  for await (const hits of samplePercent(blocks(count, size), share, seed)) taken.push(...hits.begins);
  return taken;
}

describe("a sample", () => {
  it("is the same for the same seed, however hits come in blocks, and another for another seed", async () => {
    const take = async (size: number, seed: number) => [
      ...(await sampleCount(desk, blocks(10_000, size), 100, seed)).begins,
    ];
    const one = await take(10_000, 7);
    for (const size of [1, 7, 99, 100, 101, 4096]) expect(await take(size, 7)).toEqual(one);
    expect(await take(10_000, 8)).not.toEqual(one);
    const share = await percent(10_000, 10_000, 3, 7);
    for (const size of [1, 7, 4096]) expect(await percent(10_000, size, 3, 7)).toEqual(share);
  });

  it("has as many hits as are wanted, in order, none twice; all if there are no more", async () => {
    for (const [count, wanted] of [
      [1000, 10],
      [1000, 999],
      [1000, 1000],
      [10, 1000],
      [0, 5],
      [5, 0],
    ]) {
      const { begins } = await sampleCount(desk, blocks(count, 64), wanted, 3);
      expect(begins.length).toBe(Math.min(count, wanted));
      for (let i = 1; i < begins.length; i++) expect(begins[i]).toBeGreaterThan(begins[i - 1]);
    }
  });

  it("gives every hit the same chance", async () => {
    const drawn = { count: new Uint32Array(50), percent: new Uint32Array(50) };
    for (let seed = 0; seed < 4000; seed++) {
      for (const at of (await sampleCount(desk, blocks(50, 16), 10, seed)).begins) drawn.count[at]++;
      for (const at of await percent(50, 16, 20, seed)) drawn.percent[at]++;
    }
    // 800 expected each; a standard deviation is 25.
    for (const counts of Object.values(drawn)) {
      for (const count of counts) expect(Math.abs(count - 800)).toBeLessThan(125);
      const chiSquare = counts.reduce((sum, count) => sum + (count - 800) ** 2 / (800 * 0.8), 0);
      expect(chiSquare).toBeLessThan(100);
    }
  });

  it("of all or nothing percent is all or nothing", async () => {
    expect(await percent(100, 30, 100, 1)).toHaveLength(100);
    expect(await percent(100, 30, 0, 1)).toHaveLength(0);
  });
});

describe("a random order", () => {
  it("has everything once, the same for the same seed, and every place alike", () => {
    expect([...shuffled(1000, 5)].sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect(shuffled(1000, 5)).toEqual(shuffled(1000, 5));
    expect(shuffled(1000, 5)).not.toEqual(shuffled(1000, 6));
    const first = new Uint32Array(6);
    for (let seed = 0; seed < 6000; seed++) first[shuffled(6, seed)[0]]++;
    for (const count of first) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
