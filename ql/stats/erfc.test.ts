import { expect, it } from "vitest";
import { erfc } from "./erfc.js";

it("erfc is what tables say", () => {
  expect(erfc(0)).toBe(1);
  for (const [x, value] of [
    [0.5, 0.4795001221869535],
    [1, 0.15729920705028513],
    [2, 0.004677734981047266],
    [2.4999, 4.071699003334514e-4],
    [2.5, 4.069520174449589e-4],
    [3, 2.209049699858544e-5],
    [5, 1.5374597944280349e-12],
    [6, 2.1519736712498916e-17],
  ])
    expect(erfc(x) / value).toBeCloseTo(1, 10);
});
