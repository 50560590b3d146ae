/** Measures against the same things computed another way: from the four cells of a contingency table. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  logRatioMargin,
  type MeasureName,
  measureNames,
  measures,
  score,
  standardErrors,
} from "./measures.js";

/** Cells: with the node or without, the collocate or another word. */
interface Table {
  both: number;
  nodeOnly: number;
  collocateOnly: number;
  neither: number;
  window: number;
}

const table: fc.Arbitrary<Table> = fc.record({
  both: fc.integer({ min: 1, max: 5000 }),
  nodeOnly: fc.integer({ min: 1, max: 50_000 }),
  collocateOnly: fc.integer({ min: 1, max: 50_000 }),
  neither: fc.integer({ min: 1_000_000, max: 1_000_000_000 }),
  window: fc.integer({ min: 60_000, max: 900_000 }),
});

function independently({
  both,
  nodeOnly,
  collocateOnly,
  neither,
  window,
}: Table): Record<MeasureName, number> {
  const cells = [
    [both, nodeOnly],
    [collocateOnly, neither],
  ];
  const rows = cells.map(([a, b]) => a + b);
  const columns = [both + collocateOnly, nodeOnly + neither];
  const all = rows[0] + rows[1];
  const chance = cells.map((row, i) => row.map((_, j) => (rows[i] / all) * columns[j]));
  const surprise = cells.flatMap((row, i) => row.map((seen, j) => seen * Math.log(seen / chance[i][j])));
  const [share, otherShare] = [both / rows[0], both / columns[0]];
  const pointwise = Math.log(both / all / ((rows[0] / all) * (columns[0] / all))) / Math.log(2);
  const overlap = 1 / ((1 / share + 1 / otherShare) / 2);
  return {
    T: Math.sqrt(both) - chance[0][0] / Math.sqrt(both),
    MI: pointwise,
    MI3: pointwise + 2 * Math.log2(both),
    "MI.log-f": pointwise * Math.log1p(both),
    zScore: (Math.sqrt(chance[0][0]) * (both - chance[0][0])) / chance[0][0],
    logLikelihood: 2 * surprise.reduce((sum, part) => sum + part, 0),
    minSensitivity: Math.min(share, otherShare),
    Dice: overlap,
    logDice: 14 + Math.log(overlap) / Math.LN2,
    relative: 100 * otherShare,
    logRatio: Math.log2(both / window) - Math.log2(collocateOnly / (all - window)),
    deltaP1: share - collocateOnly / rows[1],
    deltaP2: otherShare - nodeOnly / columns[1],
  };
}

function scoresOf({ both, nodeOnly, collocateOnly, neither, window }: Table): Record<string, number> {
  const all = both + nodeOnly + collocateOnly + neither;
  return Object.fromEntries(
    measureNames.map((name) => [name, score(name, both, both + collocateOnly, both + nodeOnly, all, window)]),
  );
}

/** The share of a normal distribution above z, by adding up small trapezia. */
function tailBeyond(z: number): number {
  const step = 1e-4;
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  let sum = 0;
  for (let x = z; x < z + 8; x += step) sum += ((density(x) + density(x + step)) / 2) * step;
  return sum;
}

describe("measures", () => {
  it("say what the contingency table says", () => {
    fc.assert(
      fc.property(table, (one) => {
        const expected = independently(one);
        const found = scoresOf(one);
        for (const name of measureNames) {
          // The formula of log-likelihood takes large numbers from each other.
          const allowed = name === "logLikelihood" ? 1e-2 : 1e-9 * (1 + Math.abs(expected[name]));
          expect(Math.abs(found[name] - expected[name]), name).toBeLessThan(allowed);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("are all explained", () => {
    for (const { about, formula } of Object.values(measures)) {
      expect(about).toMatch(/\S/);
      expect(formula).toMatch(/fA|MI/);
    }
  });

  it("have no value where there is nothing to divide by, and one where windows overlap", () => {
    expect(score("deltaP1", 3, 5, 10, 10, 8)).toBeNaN();
    expect(score("logRatio", 3, 5, 4, 10, 12)).toBeNaN();
    expect(logRatioMargin(2, 3, 5, 10, 12)).toBeNaN();
    expect(score("logLikelihood", 4, 2, 4, 100, 20)).toSatisfy(Number.isFinite);
    expect(score("logRatio", 4, 2, 4, 100, 20)).toBeCloseTo(Math.log2(4 / 20 / (0.5 / 80)), 12);
  });
});

describe("the confidence in a logRatio", () => {
  it("allows for as many standard errors as the normal distribution says", () => {
    expect(standardErrors(0.95, 1)).toBeCloseTo(1.959964, 6);
    expect(standardErrors(0.99, 1)).toBeCloseTo(2.575829, 6);
    expect(standardErrors(0.5, 1)).toBeCloseTo(0.67449, 5);
  });

  it("allows for more where many words are tested: each with the same share of the risk", () => {
    for (const tests of [2, 50, 1000, 100_000]) {
      const each = 2 * tailBeyond(standardErrors(0.95, tests));
      expect((1 - each) ** tests).toBeCloseTo(0.95, 6);
    }
  });

  it("is that of a ratio of two shares, as random samples spread", () => {
    // Shares of 2 % in 5,000 tokens and 1 % in 95,000: how far do logarithms of their ratio spread?
    let state = 42;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const sample = (count: number, share: number) =>
      count * share + Math.sqrt(count * share * (1 - share)) * normal();
    const ratios = Array.from({ length: 20_000 }, () =>
      Math.log2(sample(5000, 0.02) / 5000 / (sample(95_000, 0.01) / 95_000)),
    );
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const spread = Math.sqrt(ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / ratios.length);
    expect(logRatioMargin(1, 100, 1050, 100_000, 5000) / spread).toBeCloseTo(1, 1);
  });
});
