import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparing, filtered, numberAt, pieces, sortNumbers, upTo } from "./pace.js";

const never = () => {};

/** More than a piece has, of few different numbers and of many. */
function many(count: number, different: number): Float64Array {
  let state = count;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state % different) - different / 3;
  });
}

describe("long ways", () => {
  it("look before each piece, and go all the way", () => {
    let looks = 0;
    const seen = [...pieces(100_000, () => looks++)];
    expect(looks).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)?.[1]).toBe(100_000);
    expect(seen.every(([from], i) => from === (i === 0 ? 0 : seen[i - 1][1]))).toBe(true);
    expect([...pieces(0, never)]).toEqual([]);
  });

  it("end where a checkpoint throws", () => {
    const stop = () => {
      throw new Error("enough");
    };
    expect(() => sortNumbers(many(1000, 10), stop)).toThrow("enough");
    expect(() => upTo(100_000).sort(comparing((a, b) => b - a, stop))).toThrow("enough");
    expect(() => filtered(upTo(10), () => true, stop)).toThrow("enough");
  });

  it("sort numbers as they are sorted at once", () => {
    for (const [count, different] of [
      [0, 1],
      [1, 1],
      [1 << 15, 1000],
      [(1 << 15) + 1, 3],
      [300_001, 2 ** 31],
    ]) {
      const numbers = many(count, different);
      expect(sortNumbers(numbers.slice(), never).join()).toBe(numbers.slice().sort().join());
      const whole = Uint32Array.from(numbers, Math.abs);
      expect(sortNumbers(whole.slice(), never).join()).toBe(whole.slice().sort().join());
    }
  });

  it("find the number at a place as sorting does", () => {
    fc.assert(
      fc.property(fc.float64Array({ minLength: 1, maxLength: 50, noNaN: true }), fc.nat(), (numbers, any) => {
        const place = any % numbers.length;
        expect(numberAt(numbers, place, never)).toBe(numbers.slice().sort()[place]);
      }),
    );
    for (const different of [1, 5, 100_000]) {
      const numbers = many(100_000, different);
      const sorted = numbers.slice().sort();
      for (const place of [0, 1, 50_000, 99_999]) expect(numberAt(numbers, place, never)).toBe(sorted[place]);
    }
    expect(numberAt(Float64Array.of(Number.NaN, 1, -1), 2, never)).toBeNaN();
  });
});
