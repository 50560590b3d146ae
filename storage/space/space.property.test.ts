import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Pool } from "../pool/pool.js";
import { SpaceBuilder } from "./builder.js";
import type { SplitRule } from "./order.js";
import { SpaceSegment } from "./segment.js";
import { Segments } from "./space.js";
import type { Box, Points } from "./types.js";

let folder = "";
let pool: Pool;
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-space-"));
  pool = Pool.create(16 << 20);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A point as the reference has it: coordinates, and its unit. */
interface Point {
  at: number[];
  unit: number;
}

interface Settings {
  leafPoints?: number;
  memoryBytes?: number;
  rule?: SplitRule;
}

async function segmentOf(
  points: Point[],
  k: number,
  base: number,
  settings: Settings,
): Promise<SpaceSegment> {
  const builder = new SpaceBuilder({ k, folder: join(folder, `runs${++serial}`), ...settings });
  const columns = Array.from({ length: k + 1 }, (_, c) =>
    Uint32Array.from(points, ({ at, unit }) => (c < k ? at[c] : unit - base)),
  );
  builder.add(columns, points.length);
  const path = join(folder, `${++serial}.space`);
  await builder.finish(path, base, undefined, { durable: false });
  return new SpaceSegment(pool, path);
}

const contains = ({ low, high }: Box, { at }: Point) => at.every((c, d) => c >= low[d] && c <= high[d]);
const scoreOf = (weights: Float64Array, at: readonly number[]) => {
  // In the order of the dimensions, as the space adds: sums of fractions depend on it.
  let score = 0;
  for (let d = 0; d < at.length; d++) if (weights[d] !== 0) score += weights[d] * at[d];
  return score;
};
const keyOf = (unit: number, at: readonly number[]) => `${unit}:${at.join(",")}`;

function listed(points: Points): { score: number; key: string; unit: number }[] {
  return Array.from({ length: points.count }, (_, i) => ({
    score: points.scores[i],
    unit: points.units[i],
    key: keyOf(
      points.units[i],
      points.coordinates.map((column) => column[i]),
    ),
  }));
}

interface Scene {
  k: number;
  points: Point[];
  leafPoints: number;
  rule: SplitRule;
  segments: number;
  box(): Box;
  weights(): Float64Array;
  below(count: number): number;
}

const scenes = fc
  .record({
    k: fc.integer({ min: 2, max: 8 }),
    seed: fc.nat(),
    // Few values where many points should share them, and the largest there are.
    sizes: fc.array(fc.constantFrom(1, 2, 5, 40, 1000, 2 ** 24 + 1), { minLength: 8, maxLength: 8 }),
    count: fc.oneof(fc.nat(40), fc.nat(2500)),
    units: fc.constantFrom(1, 30, 2000, 2 ** 31),
    leafPoints: fc.constantFrom(2, 7, 64, 300),
    rule: fc.constantFrom<SplitRule>("first", "widest", "bits"),
    segments: fc.integer({ min: 1, max: 3 }),
  })
  .map((chosen) => sceneOf(chosen));

/** Points and questions follow from a number: made one by one they would take long. */
function sceneOf(chosen: {
  k: number;
  seed: number;
  sizes: number[];
  count: number;
  units: number;
  leafPoints: number;
  rule: SplitRule;
  segments: number;
}): Scene {
  const { k, sizes, count, units } = chosen;
  let state = chosen.seed >>> 0;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const points = Array.from({ length: count }, () => ({
    at: Array.from({ length: k }, (_, d) => (below(4) === 0 ? 0 : below(sizes[d]))),
    unit: below(units),
  }));
  const box = () => {
    const near = points.length > 0 ? points[below(points.length)].at : new Array<number>(k).fill(0);
    const ends = near.map((value, d): [number, number] => {
      const kind = below(4);
      if (kind === 0) return [value, value];
      if (kind === 1) return [Math.min(value, below(sizes[d])), value];
      return [0, 2 ** 24];
    });
    return { low: Uint32Array.from(ends, ([low]) => low), high: Uint32Array.from(ends, ([, high]) => high) };
  };
  const weights = () => Float64Array.from({ length: k }, () => [0, 1, -1, 0.3, 1e-6][below(5)]);
  return { ...chosen, points, box, weights, below };
}

/** Units of a segment lie behind those of the one before, as an append puts them. */
async function spaceOf(
  { points, k, leafPoints, rule, segments }: Scene,
  single: boolean[],
): Promise<Segments> {
  const last = points.reduce((most, { unit }) => Math.max(most, unit), 0);
  const opened: SpaceSegment[] = [];
  for (let s = 0; s < segments; s++) {
    const part = points.filter(({ unit }) => Math.floor((unit / (last + 1)) * segments) === s);
    const base = part.reduce((least, { unit }) => Math.min(least, unit), last);
    opened.push(await segmentOf(part, k, base, { leafPoints, rule }));
  }
  return new Segments(opened, single);
}

const several = (k: number) => new Array<boolean>(k).fill(false);

describe("a space", () => {
  it("counts and lists what lies in a box, as a scan does", async () => {
    const property = fc.asyncProperty(scenes, async (scene) => {
      const space = await spaceOf(scene, several(scene.k));
      for (let asked = 0; asked < 8; asked++) {
        const box = scene.box();
        const inside = scene.points.filter((point) => contains(box, point));
        expect(space.count(box)).toBe(inside.length);
        const units = [...new Set(inside.map(({ unit }) => unit))].sort((a, b) => a - b);
        expect([...space.units(box)]).toEqual(units);
        const all = listed(space.top(box, new Float64Array(scene.k), Number.MAX_SAFE_INTEGER));
        expect(all.map(({ key }) => key).sort()).toEqual(
          inside.map(({ unit, at }) => keyOf(unit, at)).sort(),
        );
      }
      space.close();
    });
    await fc.assert(property, { numRuns: 120 });
  });

  it("gives the nearest points first under any weights, and the first ten of a hundred are the first ten", async () => {
    const property = fc.asyncProperty(scenes, fc.integer({ min: 1, max: 60 }), async (scene, limit) => {
      const space = await spaceOf(scene, several(scene.k));
      for (let asked = 0; asked < 5; asked++) {
        const box = scene.box();
        const weights = scene.weights();
        const inside = scene.points.filter((point) => contains(box, point));
        const scores = inside.map(({ at }) => scoreOf(weights, at)).sort((a, b) => a - b);
        const top = listed(space.top(box, weights, limit));
        expect(top.map(({ score }) => score)).toEqual(scores.slice(0, limit));
        expect(listed(space.top(box, weights, limit + 30)).slice(0, limit)).toEqual(top);
        const search = space.bestFirst(box, weights);
        const walked: number[] = [];
        for (let bound = search.bound; search.next(); bound = search.bound) {
          expect(search.score).toBeGreaterThanOrEqual(bound);
          walked.push(search.score);
        }
        expect(walked).toEqual(scores);
        expect([search.next(), search.bound]).toEqual([false, Number.POSITIVE_INFINITY]);
        const there = new Set(inside.map(({ unit, at }) => keyOf(unit, at)));
        for (const { key } of top) expect(there).toContain(key);
      }
      space.close();
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it("finds the units that have all of several words, best first", async () => {
    const property = fc.asyncProperty(scenes, fc.integer({ min: 1, max: 20 }), async (scene, limit) => {
      // What is no word is the unit's, whatever word the point is for.
      const single = Array.from({ length: scene.k }, (_, d) => d > 1);
      const units = scene.points.map(({ at }) => at);
      const points = scene.points.map(({ at, unit }) => {
        const own = units[unit % units.length];
        return { unit: unit % units.length, at: at.map((value, d) => (single[d] ? own[d] : value)) };
      });
      const space = await spaceOf({ ...scene, points }, single);
      for (let asked = 0; asked < 5; asked++) {
        // Conditions on what is the unit's may be the same for all words, or not.
        const common = scene.below(3) > 0 ? scene.box() : undefined;
        const boxes = Array.from({ length: 1 + scene.below(3) }, () => {
          const box = scene.box();
          const choose = (own: Uint32Array, other: Uint32Array) =>
            own.map((value, d) => (single[d] ? other[d] : value));
          return common ? { low: choose(box.low, common.low), high: choose(box.high, common.high) } : box;
        });
        const weights = scene.weights().map((weight, d) => (single[d] ? weight : 0));
        const sets = boxes.map(
          (box) => new Set(points.filter((point) => contains(box, point)).map(({ unit }) => unit)),
        );
        const found = [...sets[0]].filter((unit) => sets.every((set) => set.has(unit)));
        const scores = found
          .map((unit) =>
            scoreOf(
              weights,
              units[unit].map((value, d) => (single[d] ? value : 0)),
            ),
          )
          .sort((a, b) => a - b);
        const top = listed(space.topOfAll(boxes, weights, limit));
        expect(top.map(({ score }) => score)).toEqual(scores.slice(0, limit));
        expect(new Set(top.map(({ unit }) => unit)).size).toBe(top.length);
        expect(listed(space.topOfAll(boxes, weights, limit + 30)).slice(0, limit)).toEqual(top);
        for (const { unit } of top) expect(found).toContain(unit);
        expect(space.countOfAll(boxes)).toBe(found.length);
      }
      space.close();
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it("is the same whether its points fit memory or are put away in runs", async () => {
    const scene = sceneOf({
      ...{ k: 3, seed: 5, sizes: [400, 30, 2 ** 20], count: 60_000, units: 5000 },
      ...{ leafPoints: 100, rule: "first", segments: 1 },
    });
    const [small, large] = [1, 1 << 28].map((memoryBytes) =>
      segmentOf(scene.points, 3, 0, { memoryBytes, leafPoints: 100 }),
    );
    const [put, kept] = [new Segments([await small], several(3)), new Segments([await large], several(3))];
    expect(put.segments[0].meta.points).toBe(60_000);
    for (let asked = 0; asked < 50; asked++) {
      const box = scene.box();
      const weights = scene.weights();
      expect(put.count(box)).toBe(kept.count(box));
      expect(put.units(box)).toEqual(kept.units(box));
      expect(put.top(box, weights, 20).scores).toEqual(kept.top(box, weights, 20).scores);
    }
    put.close();
    kept.close();
  });

  it("reads few leaves for the first ten of many, and none to count all", async () => {
    const scene = sceneOf({
      ...{ k: 3, seed: 9, sizes: [3, 1000, 1000], count: 50_000, units: 50_000 },
      ...{ leafPoints: 64, rule: "first", segments: 1 },
    });
    const space = await spaceOf(scene, several(3));
    const everything = { low: new Uint32Array(3), high: new Uint32Array(3).fill(2 ** 24) };
    const search = space.bestFirst(everything, Float64Array.of(0, 1, 1));
    for (let i = 0; i < 10; i++) search.next();
    expect(search.leaves).toBeLessThan(30);
    let looks = 0;
    expect(space.count(everything, { checkpoint: () => looks++ })).toBe(50_000);
    expect(looks).toBe(1);
    space.close();
  });

  it("ends when nobody wants it any more", async () => {
    const scene = sceneOf({
      ...{ k: 3, seed: 3, sizes: [50, 1000, 1000], count: 30_000, units: 900 },
      ...{ leafPoints: 16, rule: "first", segments: 2 },
    });
    const space = await spaceOf(scene, several(3));
    const half = { low: Uint32Array.of(0, 300, 300), high: new Uint32Array(3).fill(2 ** 24) };
    const weights = Float64Array.of(0, 1, 0);
    const asked: ((asking: { checkpoint(): void }) => unknown)[] = [
      (asking) => space.count(half, asking),
      (asking) => space.units(half, asking),
      (asking) => space.top(half, weights, 20_000, asking),
      (asking) => space.topOfAll([half, half], new Float64Array(3), 500, asking),
      (asking) => space.countOfAll([half, half], asking),
    ];
    for (const ask of asked) {
      let looks = 0;
      const checkpoint = () => {
        if (++looks === 3) throw new Error("enough");
      };
      expect(() => ask({ checkpoint })).toThrow("enough");
    }
    space.close();
  });
});
