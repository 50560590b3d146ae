import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SegmentIndex } from "./stream.js";

describe("the index of segments", () => {
  it("finds the segment of every position, however unequal segments are", () => {
    const tokens = fc.oneof(fc.nat(3), fc.constant(0), fc.nat(500), fc.constant(2 ** 40 + 12_345));
    fc.assert(
      fc.property(fc.array(tokens, { minLength: 1, maxLength: 60 }), (sizes) => {
        let start = 0;
        const segments = sizes.map((size) => ({ start: (start += size) - size, tokens: size }));
        const index = new SegmentIndex(segments);
        segments.forEach(({ start: first, tokens: own }, number) => {
          if (own === 0) return;
          const places = [0, 1, own >>> 1, own - 2, own - 1].filter((place) => place >= 0 && place < own);
          expect(places.map((place) => index.at(first + place))).toEqual(places.map(() => number));
        });
      }),
    );
  });
});
