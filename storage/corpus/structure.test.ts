import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { encodeCorpus } from "../encode/encode.js";
import { FileReader } from "../file/reader.js";
import { openCorpus } from "./snapshot.js";
import { verifyCorpus } from "./verify.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-structure-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a structure that goes over very many segments", () => {
  it("is found, and its ends, by opening a file or two", async () => {
    const tokens = 1000;
    const lines = Array.from({ length: tokens }, (_, i) => [
      ...(i === 3 ? ["<div n='a'>"] : []),
      ...(i % 400 === 10 ? ["<div n='b'>"] : []),
      String(i),
      ...(i % 400 === 380 ? ["</div>"] : []),
    ]).flat();
    const input = join(folder, "long.vert");
    writeFileSync(input, ["<doc id='x'>", ...lines, "</div>", "</doc>", ""].join("\n"));
    const options = { data: join(folder, "data"), corpus: "long", inputs: [input], attributes: ["word"] };
    await encodeCorpus({ ...options, segmentBytes: 6, workers: 1 });
    const snapshot = openCorpus(options);
    expect(snapshot.segments.length).toBeGreaterThan(300);
    const open = vi.spyOn(FileReader, "open");
    const opening = <Result>(look: () => Result): [Result, number] => {
      for (const segment of snapshot.segments) segment.close();
      open.mockClear();
      return [look(), open.mock.calls.length];
    };
    const doc = snapshot.structure("doc");
    expect(opening(() => doc.range(0))).toEqual([[0, tokens], 2]);
    for (const position of [0, 1, 500, tokens - 1]) {
      expect(opening(() => doc.containing(position))).toEqual([0, 1]);
    }
    const div = snapshot.structure("div");
    const wanted = [
      [3, tokens],
      [10, 381],
      [410, 781],
      [810, tokens],
    ];
    wanted.forEach((range, number) => {
      const [found, files] = opening(() => div.range(number));
      expect(found).toEqual(range);
      expect(files).toBeLessThanOrEqual(2);
    });
    expect([2, 3, 200, 380, 381, 500, 790, 900].map((position) => div.containing(position))).toEqual([
      -1, 0, 1, 1, 0, 2, 0, 3,
    ]);
    open.mockRestore();
    expect(verifyCorpus(snapshot).problems).toEqual([]);
    await snapshot.close();
  });
});
