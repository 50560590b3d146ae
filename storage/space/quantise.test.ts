import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellOf,
  cellsOf,
  cellText,
  daysOf,
  intervalOf,
  isBeyond,
  linearScale,
  rankScale,
  type Scale,
} from "./quantise.js";
import type { Condition } from "./types.js";

const values = fc.array(fc.integer({ min: -500, max: 5000 }), { minLength: 1, maxLength: 60 });
const cells = fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined });

function scalesOf(list: number[], most: number | undefined): Scale[] {
  const [low, high] = [Math.min(...list), Math.max(...list)];
  const step = 3;
  return [
    linearScale(low, high, true, most),
    linearScale(low, high, false, most),
    rankScale(
      list.map((value) => ({ value, count: 1 })),
      most,
    ),
    {
      kind: "logarithmic",
      low,
      perOctave: 8,
      cells: Math.floor(8 * Math.log2(high - low + 1)) + 1,
      whole: true,
    },
    { kind: "linear", low, step, cells: Math.floor((high - low) / step) + 1, whole: true },
  ];
}

const fits = (value: number, { operator, value: text }: Condition) => {
  const other = Number(text);
  return {
    "=": value === other,
    "<": value < other,
    "<=": value <= other,
    ">": value > other,
    ">=": value >= other,
  }[operator];
};

describe("a scale", () => {
  it("puts values in their order, and says where a cell begins", () => {
    fc.assert(
      fc.property(values, cells, (list, most) => {
        for (const scale of scalesOf(list, most)) {
          const sorted = [...list].sort((a, b) => a - b);
          const own = sorted.map((value) => cellOf(scale, value));
          if (scale.kind === "rank") own.reverse();
          for (let i = 0; i < own.length; i++) {
            expect(own[i]).toBeGreaterThanOrEqual(i === 0 ? 0 : own[i - 1]);
            expect(own[i]).toBeLessThan(cellsOf(scale, 0));
          }
          for (const value of list) {
            expect(isBeyond(scale, value)).toBe(false);
            const start = Number(cellText(scale, cellOf(scale, value)));
            if (scale.kind !== "rank" && "whole" in scale && scale.whole) {
              expect(start).toBeLessThanOrEqual(value);
              expect(cellOf(scale, start)).toBe(cellOf(scale, value));
            }
          }
        }
      }),
    );
  });

  it("leaves out no value that fulfils a condition, and when it says exact, lets none in that does not", () => {
    const operator = fc.constantFrom("=", "<", "<=", ">", ">=");
    fc.assert(
      fc.property(
        values,
        cells,
        operator,
        fc.integer({ min: -600, max: 5100 }),
        fc.boolean(),
        (list, most, op, at, near) => {
          const value = near ? list[0] : at;
          const condition = { dimension: "x", operator: op, value: String(value) } as Condition;
          for (const scale of scalesOf(list, most)) {
            for (const closed of [true, false]) {
              // Values beyond the ends are there only where the scale is not closed.
              const all = closed ? list : [...list, -2000, 90_000];
              const { low, high, exact } = intervalOf(scale, condition, closed);
              for (const one of all) {
                const cell = cellOf(scale, one);
                const isIn = cell >= low && cell <= high;
                if (fits(one, condition)) expect([scale.kind, one, isIn]).toEqual([scale.kind, one, true]);
                else if (exact) expect([scale.kind, one, isIn]).toEqual([scale.kind, one, false]);
              }
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("of years in whole steps is exact wherever it ends", () => {
    const scale = linearScale(1790, 2020, true, undefined);
    for (const [operator, value] of [
      [">=", "1950"],
      ["<", "1800"],
      ["=", "1790"],
      ["<=", "2020"],
      [">", "2019"],
    ])
      expect(intervalOf(scale, { dimension: "year", operator, value } as Condition, true).exact).toBe(true);
  });

  it("of ranks has as many units in each cell, the highest first", () => {
    const scale = rankScale(
      Array.from({ length: 1000 }, (_, i) => ({ value: i * 1.5, count: 1 })),
      10,
    );
    const counts = new Array(10).fill(0);
    for (let i = 0; i < 1000; i++) counts[cellOf(scale, i * 1.5)]++;
    expect(counts).toEqual(new Array(10).fill(100));
    expect(cellOf(scale, 999 * 1.5)).toBe(0);
  });

  it("knows days, months and years, and what is none", () => {
    expect(daysOf("1970-01-02")).toEqual([1, 1]);
    expect(daysOf("1970-02")).toEqual([31, 58]);
    expect(daysOf("1972")).toEqual([730, 1095]);
    expect(daysOf("2024-02-29T12:30:00Z")).toEqual(daysOf("2024-02-29"));
    for (const text of ["2023-02-29", "1970-13", "soon", "", "12/5/1990", "1990-00-01"])
      expect(daysOf(text)).toBeUndefined();
  });
});
