import { describe, expect, it } from "vitest";
import { OddLines } from "./odd-lines.js";

const slice = (text: string) => () => Buffer.from(text);

describe("odd lines", () => {
  it("are found in the slices that have some, the first of each kind", () => {
    const odd = new OddLines();
    odd.look(slice("a\r\n\r\n<!-- x -->\r\nb\n"), 0, { returns: 3, emptyLines: 1, comments: 1 });
    odd.look(() => expect.unreachable(), 4, { returns: 3, emptyLines: 1, comments: 1 });
    odd.look(slice("c\n<x>\n<?y?>\n\n\n\n\n\n"), 10, { returns: 3, emptyLines: 6, comments: 2 });
    odd.look(slice("d\r\n\nno newline\r"), 20, { returns: 5, emptyLines: 7, comments: 2 });
    expect(odd.places).toEqual({
      returns: [0, 1, 2, 20, 22],
      emptyLines: [1, 13, 14, 15, 16],
      comments: [2, 12],
    });
    odd.look(() => expect.unreachable(), 30, { returns: 9, emptyLines: 9, comments: 2 });
  });
});
