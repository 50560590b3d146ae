import fc from "fast-check";
import { expect, it } from "vitest";
import { GrowingBytes } from "./growing.js";
import { parseTag } from "./tags.js";

const text = (out: GrowingBytes) => Buffer.from(out.bytes.subarray(0, out.length)).toString();

it("holds what was put, however much", () => {
  const out = new GrowingBytes();
  let expected = "";
  for (let i = 0; i < 20_000; i++) {
    out.put(new TextEncoder().encode(`${i}`));
    out.putText("é😀");
    expected += `${i}é😀`;
  }
  expect(text(out)).toBe(expected);
  expect(out.view.buffer).toBe(out.bytes.buffer);
});

it("escapes what a value in quotes cannot hold", () => {
  const value = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom("&", "<", ">", '"', "\n", "\r", "a") }),
  );
  fc.assert(
    fc.property(value, (value) => {
      const out = new GrowingBytes();
      const bytes = new TextEncoder().encode(`x${value}y`);
      out.putText('<a b="');
      out.putEscaped(bytes, 1, bytes.length - 1);
      out.putText('">');
      expect(text(out)).not.toMatch(/[\n\r]/);
      expect(parseTag(text(out), true)?.attributes).toEqual([["b", value]]);
    }),
  );
});
