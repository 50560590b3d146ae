import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Arena } from "../kernels/arena.js";
import type { ReadingConfig } from "./config.js";
import type { Piece } from "./parse.js";
import { Slices } from "./slices.js";
import { WarningCollector } from "./warnings.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-slices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const arena = new Arena();
const reading = (entities: boolean) =>
  ({ format: "vertical", encoding: "utf-8", entities, columns: ["word"] }) as unknown as ReadingConfig;

/** What a line may be: a few bytes, thousands, or more than several slices have; valid or not. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom("a", "dog\tNN", "é", "<s>", "", "x\r", "日本")
      .map((text) => Buffer.from(text)),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1000, max: 60_000 }).map((length) => Buffer.alloc(length, "wé")),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 200_000, max: 900_000 }).map((length) => Buffer.alloc(length, "w")),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom([0xff], [0x61, 0xc3], [0xe2, 0x82, 0x61], [0xed, 0xa0, 0x80])
      .map((bytes) => Buffer.from(bytes)),
  },
);
const file = fc.record({
  mark: fc.boolean(),
  lines: fc.array(line, { maxLength: 60, size: "max" }),
  endsLine: fc.boolean(),
  streamed: fc.boolean(),
  entities: fc.boolean(),
});

describe("the text of a piece in slices", () => {
  it("is what it is as a whole: mended, without its mark, with the same warnings", () => {
    fc.assert(
      fc.property(file, ({ mark, lines, endsLine, streamed, entities }) => {
        const all = Buffer.concat([
          Buffer.from(mark ? [0xef, 0xbb, 0xbf] : []),
          ...lines.flatMap((one, i) => [one, Buffer.from(i + 1 < lines.length || endsLine ? "\n" : "")]),
        ]);
        const path = join(folder, "text");
        let source: Pick<Piece, "path" | "buffer"> = { path };
        if (streamed) {
          const buffer = new SharedArrayBuffer(all.length);
          new Uint8Array(buffer).set(all);
          source = { buffer };
        } else writeFileSync(path, all);
        const piece: Piece = {
          ...source,
          name: "text",
          startsFile: true,
          endsFile: true,
          endsDocument: false,
          splitsDocument: false,
          start: 0,
          end: all.length,
          identity: "",
        };
        arena.reset();
        const warnings = new WarningCollector();
        const parts: Buffer[] = [];
        let newlines = 0;
        const read = new Slices(arena, reading(entities), warnings).read(piece, 7, (start, end, own) => {
          parts.push(Buffer.from(arena.bytes(start, end - start)));
          newlines += own;
        });

        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(mark ? all.subarray(3) : all);
        expect(Buffer.concat(parts).equals(Buffer.from(text))).toBe(true);
        const textLines = text.split("\n");
        expect({ newlines, read: read.lines, kept: read.linesKept }).toEqual({
          newlines: textLines.length - 1,
          read: textLines.length - 1,
          kept: true,
        });
        // Each part but the last is whole lines, and none is larger than the longest line asks for.
        for (const part of parts.slice(0, -1)) expect(part.at(-1)).toBe(10);
        const broken = textLines.flatMap((own, at) =>
          own.includes("\ufffd") ? [{ at, count: own.split("\ufffd").length - 1 }] : [],
        );
        const wanted = [];
        if (mark) wanted.push({ kind: "byte_order_mark", count: 1, places: [{ piece: 7, line: 0 }] });
        if (broken.length > 0) {
          wanted.push({
            kind: "invalid_utf8",
            count: broken.reduce((sum, { count }) => sum + count, 0),
            places: broken.slice(0, 5).map(({ at }) => ({ piece: 7, line: at })),
          });
        }
        if (text !== "" && !text.endsWith("\n")) {
          wanted.push({
            kind: "no_final_newline",
            count: 1,
            places: [{ piece: 7, line: textLines.length - 1 }],
          });
        }
        expect(warnings.take()).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
