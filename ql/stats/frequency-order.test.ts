import fc from "fast-check";
import { expect, it } from "vitest";
import { compareCodePoints } from "../chain/sort.js";
import { selectRows } from "./frequency-order.js";
import type { Rows } from "./frequency-rows.js";

it("shows the rows that a sort of all of them would show", () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, fc.nat(9)), { maxLength: 60 }),
      fc.record({ from: fc.nat(70), limit: fc.nat(70), rising: fc.boolean(), measured: fc.boolean() }),
      (rows, { from, limit, rising, measured }) => {
        const measure = measured ? Float64Array.from(rows, ([number]) => number) : undefined;
        const byText = (a: number, b: number) => rows[a][1] - rows[b][1] || a - b;
        const asked: number[] = [];
        const table = {
          ranked: (some: Uint32Array) => {
            asked.push(...some);
            return byText;
          },
        } as unknown as Rows;
        const all = Array.from(rows.keys());
        const compare = (a: number, b: number) => {
          if (!measured) return rising ? byText(a, b) : byText(b, a);
          const [x, y] = [rows[a][0], rows[b][0]];
          if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
          if (x === y || Number.isNaN(x)) return byText(a, b);
          return rising ? x - y : y - x;
        };
        const wanted = [...all].sort(compare).slice(from, from + limit);
        const shown = selectRows(table, Uint32Array.from(all), { from, to: from + limit, measure, rising });
        expect([...shown]).toEqual(wanted);
        // Values are asked of what is shown, and of what is as frequent as the first or the last of it.
        const ends = [wanted[0], wanted.at(-1)].map((row) => String(row === undefined ? "" : rows[row][0]));
        if (measured)
          for (const row of asked)
            expect(wanted.includes(row) || ends.includes(String(rows[row][0]))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

it("compares texts by code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(Math.sign(compareCodePoints(a, b))).toBe(bytes);
    }),
    { numRuns: 500 },
  );
  expect(compareCodePoints("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
});
