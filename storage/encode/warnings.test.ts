import { describe, expect, it } from "vitest";
import { TagWarnings } from "./warnings.js";

describe("odd tags", () => {
  it("are counted, however many there are, and only the first places kept", () => {
    const warnings = new TagWarnings();
    for (let line = 0; line < 2_000_000; line++) warnings.add("not_open", line >> 20, line);
    warnings.add("too_deep", 1, 7);
    expect(warnings.list()).toEqual([
      { kind: "not_open", count: 2_000_000, places: [0, 1, 2, 3, 4].map((line) => ({ segment: 0, line })) },
      { kind: "too_deep", count: 1, places: [{ segment: 1, line: 7 }] },
    ]);
  });
});
