import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyColumns, keyness, keynessOf, significance } from "./keyness.js";

const sizes = { focus: 1_000_000, reference: 2_000_000, smoothing: 1 };

/** Written once more, from tables of observed and expected counts. */
function independent(f: number, r: number, n: number, m: number, smoothing: number) {
  const [fpm, rpm] = [f * (1e6 / n), r * (1e6 / m)];
  const observed = [f, r];
  const expected = [n, m].map((size) => (size * (f + r)) / (n + m));
  const g = observed.reduce(
    (sum, count, i) => (count > 0 ? sum + 2 * count * (Math.log(count) - Math.log(expected[i])) : sum),
    0,
  );
  const atLeastHalf = r === 0 ? 0.5 : r;
  const rpmAtLeast = (atLeastHalf * 1e6) / m;
  return {
    "simple-maths": (fpm + smoothing) / (rpm + smoothing),
    "log-likelihood": f / n < r / m ? -g : g,
    "log-ratio": Math.log((f * m) / (atLeastHalf * n)) / Math.LN2,
    "percent-diff": ((fpm - rpmAtLeast) * 100) / rpmAtLeast,
  };
}

describe("keyness", () => {
  it("has the values of an example worked out by hand", () => {
    // 100 and 50 per million.
    expect(keyness("simple-maths", 100, 100, sizes)).toBeCloseTo(101 / 51, 12);
    expect(keyness("log-ratio", 100, 100, sizes)).toBeCloseTo(1, 12);
    expect(keyness("percent-diff", 100, 100, sizes)).toBeCloseTo(100, 12);
    // Expected 200/3 and 400/3: 2 (100 ln 1.5 + 100 ln 0.75).
    expect(keyness("log-likelihood", 100, 100, sizes)).toBeCloseTo(23.5566, 4);
    expect(keyness("log-likelihood", 100, 200, sizes)).toBe(0);
    expect(keyness("log-likelihood", 50, 200, sizes)).toBeLessThan(0);
  });

  it("takes no occurrences for half a one where it would divide by them", () => {
    expect(keyness("log-ratio", 8, 0, sizes)).toBeCloseTo(5, 12);
    expect(keyness("percent-diff", 1, 0, sizes)).toBeCloseTo(300, 10);
    expect(keyness("simple-maths", 4, 0, sizes)).toBeCloseTo(5, 12);
    expect(Number.isFinite(keyness("log-likelihood", 4, 0, sizes))).toBe(true);
  });

  it("agrees with another way to write the formulas", () => {
    const count = fc.integer({ min: 0, max: 100_000 });
    const size = fc.integer({ min: 200_000, max: 2 ** 40 });
    fc.assert(
      fc.property(
        count.filter((n) => n > 0),
        count,
        size,
        size,
        fc.constantFrom(1, 0.1, 100),
        (f, r, n, m, k) => {
          const other = independent(f, r, n, m, k);
          const own = keyColumns(["simple-maths", "log-likelihood", "log-ratio", "percent-diff"], f, r, {
            focus: n,
            reference: m,
            smoothing: k,
          });
          expect(own.score).toBe(own.scores["simple-maths"]);
          for (const [name, value] of Object.entries(other))
            expect(Math.abs(own.scores[name] - value)).toBeLessThanOrEqual(
              1e-6 * Math.max(1, Math.abs(value)),
            );
        },
      ),
    );
  });

  it("knows how likely a log-likelihood is by chance", () => {
    // Critical values of χ² with one degree of freedom.
    for (const [value, p] of [
      [0, 1],
      [2.705543454095404, 0.1],
      [3.841458820694124, 0.05],
      [6.634896601021213, 0.01],
      [10.827566170662733, 0.001],
      [15.136705226623606, 0.0001],
    ])
      expect(significance(value)).toBeCloseTo(p, 10);
    expect(significance(-3.841458820694124)).toBeCloseTo(0.05, 10);
    expect(significance(1e5)).toBe(0);
  });

  it("refuses measures that there are not, and smoothing by nothing", () => {
    expect(() => keynessOf({ measures: ["chi" as "log-ratio"] })).toThrow(/no measure "chi"/);
    expect(() => keynessOf({ smoothing: 0 })).toThrow(/above 0/);
    expect(keynessOf({})).toEqual({ measures: ["simple-maths"], smoothing: 1 });
  });
});
