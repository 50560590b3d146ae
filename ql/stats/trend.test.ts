import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trendOf } from "./trend.js";

describe("a trend", () => {
  it("is what it comes to by hand", () => {
    // Slopes: −1 −1 ⅓ ½ ¾ 1 1 4/3 2 3. Of ten pairs eight rise; the variance is 5·4·15/18.
    const { slope, intercept, s, z, p } = trendOf([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])!;
    expect([slope, s]).toEqual([0.875, 6]);
    expect(intercept).toBeCloseTo(0.125, 12);
    expect(z).toBeCloseTo(5 / Math.sqrt(300 / 18), 12);
    expect(p).toBeCloseTo(0.22067136191984, 12);
  });

  it("takes ties into account", () => {
    // Two groups of two: the variance is (6·5·17 − 2·2·1·9)/18.
    const { s, z } = trendOf([1, 2, 3, 4, 5, 6], [2, 2, 3, 5, 5, 9])!;
    expect(s).toBe(13);
    expect(z).toBeCloseTo(12 / Math.sqrt((510 - 36) / 18), 12);
  });

  it("goes through points that lie on a line, and counts unequal distances", () => {
    const x = [1790, 1801, 1850, 1851, 2000];
    const { slope, intercept } = trendOf(
      x,
      x.map((value) => 3 * value - 5),
    )!;
    expect([slope, intercept]).toEqual([3, -5]);
  });

  it("is none where all is the same, or where there is one point", () => {
    expect(trendOf([1, 2, 3], [7, 7, 7])).toMatchObject({ slope: 0, s: 0, z: 0, p: 1 });
    expect(trendOf([1], [7])).toBeUndefined();
  });

  it("turns with its points", () => {
    const points = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(points, (y) => {
        const x = y.map((_, i) => i);
        const own = trendOf(x, y)!;
        const turned = trendOf(x, [...y].reverse())!;
        expect(turned.slope).toBeCloseTo(-own.slope, 12);
        expect(turned.p).toBeCloseTo(own.p, 12);
        expect(own.p).toBeGreaterThan(0);
        expect(own.p).toBeLessThanOrEqual(1);
      }),
    );
  });
});
