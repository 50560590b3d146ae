/** Searches in sorted columns, beside the plain one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gallop, leap } from "./cursor.js";

const plain = (values: Uint32Array, target: number, from: number, to: number) => {
  let i = from;
  while (i < to && values[i] < target) i++;
  return i;
};

/** Gaps of one size, of all sizes, and none. */
const gaps = fc.oneof(
  fc.array(fc.nat(30), { maxLength: 200, size: "max" }),
  fc.array(fc.oneof(fc.constant(0), fc.nat(1 << 22)), { maxLength: 60, size: "max" }),
);
const columns = gaps.map((steps) => {
  let at = 0;
  return Uint32Array.from(steps, (step) => (at += step));
});

describe.each([
  ["gallop", gallop],
  ["leap", leap],
])("%s", (_, search) => {
  it("finds the first value that is at least as large, from anywhere", () => {
    fc.assert(
      fc.property(
        columns,
        fc.nat(),
        fc.double({ min: -0.1, max: 1.1, noNaN: true }),
        fc.nat(),
        (values, a, share, b) => {
          const from = values.length === 0 ? 0 : a % values.length;
          const to = from + (b % (values.length - from + 1));
          const near = values.length === 0 ? share * 100 : share * values[values.length - 1];
          for (const target of [Math.max(0, Math.round(near)), ...values.slice(0, 5), ...values.slice(-3)])
            expect(search(values, target, from, to)).toBe(plain(values, target, from, to));
        },
      ),
      { numRuns: 500 },
    );
  });
});
