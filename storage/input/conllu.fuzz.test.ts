import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConlluConverter, conlluColumns } from "./conllu.js";
import { isComment, parseTag } from "./tags.js";

function convert(text: string, columns: string[], endsFile: boolean): string {
  const converter = new ConlluConverter({ columns, skipComments: ["text"] });
  const { vertical, length } = converter.convert(new TextEncoder().encode(text), endsFile);
  return Buffer.from(vertical.subarray(0, length)).toString();
}

describe("any text", () => {
  const value = fc.constantFrom(
    "a",
    "_",
    "",
    "é😀",
    "<b>",
    "<",
    "long".repeat(9),
    "1",
    "2",
    "0",
    "-1",
    "SpaceAfter=No",
    "#",
    "\x01",
  );
  const id = fc.constantFrom("1", "2", "3", "1-2", "2-3", "1.1", "x", "", "2-1", "1-");
  const word = fc.tuple(id, fc.array(value, { maxLength: 11 })).map(([id, rest]) => [id, ...rest].join("\t"));
  const comment = fc.constantFrom(
    "# newdoc id = 1",
    "# newpar",
    "# sent_id = <1>",
    "# text = x",
    "# a",
    "#",
    "# a = &",
  );
  const line = fc.oneof(
    { weight: 5, arbitrary: word },
    { weight: 2, arbitrary: comment },
    fc.constantFrom("", " ", "\r"),
  );
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));
  const columns = fc.shuffledSubarray([...conlluColumns, "form"], { minLength: 1 });

  /** What the lines of a vertical text are, as the encoder sees them; structures are checked to nest. */
  function words(lines: string[], open: string[] = []): string[] {
    const found: string[] = [];
    for (const line of lines) {
      if (line.startsWith("\x01")) {
        found.push(line.slice(1));
        continue;
      }
      expect(isComment(line)).toBe(false);
      const tag = parseTag(line, true);
      if (!tag) found.push(line);
      else if (tag.kind === "open") open.push(tag.name);
      else if (tag.kind === "close") expect(open.pop()).toBe(tag.name);
      else expect(tag.name).toBe("g");
    }
    return found;
  }

  it("gives structures that nest, and a line of all columns for each word", () => {
    fc.assert(
      fc.property(text, columns, (text, columns) => {
        const lines = convert(text, columns, true).split("\n").slice(0, -1);
        const open: string[] = [];
        for (const line of words(lines, open)) {
          const values = line.split("\t");
          expect(values).toHaveLength(columns.length);
          expect(values).not.toContain("");
        }
        expect(open).toEqual([]);
        const expected = text.split("\n").filter((line) => !/^#|^[ \t]*\r?$|^\d+[-.]\d+(\t|\r|$)/.test(line));
        expect(words(lines)).toHaveLength(expected.length);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same words in pieces as in one, by one converter or by several", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), columns, (texts, columns) => {
        const pieces = texts.map((text) => `${text}\n\n`);
        const converter = new ConlluConverter({ columns, skipComments: ["text"] });
        const apart = pieces.map((piece) => {
          const { vertical, length } = converter.convert(new TextEncoder().encode(piece), false);
          const again = convert(piece, columns, false);
          expect(Buffer.from(vertical.subarray(0, length)).toString()).toBe(again);
          return again;
        });
        const bare = (vertical: string) => vertical.replace(/^(<g\/>|<\/p>|<\/doc>)\n/gm, "");
        expect(bare(apart.join(""))).toBe(bare(convert(pieces.join(""), columns, true)));
      }),
    );
  });
});
