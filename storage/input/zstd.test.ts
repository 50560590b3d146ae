import fc from "fast-check";
import { expect, it } from "vitest";
import { startsZstdFrame, ZstdFrame } from "./zstd.js";

/** A frame by its parts: how blocks end and what is in them does not matter here. */
function frame(options: {
  single: boolean;
  size: 0 | 1 | 2 | 3;
  dictionary: 0 | 1 | 2 | 3;
  check: boolean;
  blocks: [type: number, size: number][];
}): number[] {
  const descriptor =
    (options.size << 6) | (options.single ? 32 : 0) | (options.check ? 4 : 0) | options.dictionary;
  const header =
    (options.single ? 0 : 1) +
    [0, 1, 2, 4][options.dictionary] +
    [options.single ? 1 : 0, 2, 4, 8][options.size];
  const bytes = [0x28, 0xb5, 0x2f, 0xfd, descriptor, ...Array(header).fill(0xee)];
  options.blocks.forEach(([type, size], index) => {
    const number = (size << 3) | (type << 1) | (index === options.blocks.length - 1 ? 1 : 0);
    bytes.push(number & 255, (number >> 8) & 255, number >> 16, ...Array(type === 1 ? 1 : size).fill(0xdd));
  });
  return options.check ? [...bytes, 1, 2, 3, 4] : bytes;
}

const anyFrame = fc
  .record({
    single: fc.boolean(),
    size: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    dictionary: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    check: fc.boolean(),
    blocks: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 300 })), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(frame);
const skippable = fc
  .tuple(fc.integer({ min: 0x50, max: 0x5f }), fc.nat(300))
  .map(([magic, size]) => [magic, 0x2a, 0x4d, 0x18, size & 255, size >> 8, 0, 0, ...Array(size).fill(0xcc)]);

it("finds the end of a frame, however its bytes arrive and whatever follows", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyFrame, skippable),
      fc.integer({ min: 1, max: 50 }),
      fc.nat(20),
      (bytes, size, after) => {
        const file = Uint8Array.from([...bytes, ...Array(after).fill(0x28)]);
        expect(startsZstdFrame(file)).toBe(true);
        const walker = new ZstdFrame();
        let walked = 0;
        while (!walker.complete && walked < file.length)
          walked += walker.walk(file.subarray(walked, walked + size));
        expect(walker.complete).toBe(true);
        expect(walker.corrupt).toBe(false);
        expect(walked).toBe(bytes.length);
        if (walker.hasCheck) expect(walker.check).toBe(0x04030201);
      },
    ),
  );
});

it("knows a frame that is cut short", () => {
  fc.assert(
    fc.property(anyFrame, fc.nat(), (bytes, cut) => {
      const walker = new ZstdFrame();
      walker.walk(Uint8Array.from(bytes).subarray(0, cut % bytes.length));
      expect(walker.complete).toBe(false);
    }),
  );
});

it("knows a block of no known type", () => {
  const walker = new ZstdFrame();
  walker.walk(
    Uint8Array.from(frame({ single: true, size: 0, dictionary: 0, check: false, blocks: [[3, 5]] })),
  );
  expect(walker.corrupt).toBe(true);
});

it("tells a frame from other bytes", () => {
  expect(startsZstdFrame(Uint8Array.of(0x28, 0xb5, 0x2f))).toBe(false);
  expect(startsZstdFrame(Uint8Array.of(0x4f, 0x2a, 0x4d, 0x18))).toBe(false);
  expect(startsZstdFrame(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfe))).toBe(false);
});
