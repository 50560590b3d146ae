/** The limit on gaps: told of where it ended something, however the matches were looked for, and not elsewhere. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";
import { findAll } from "./find.js";

let folder = "";
let snapshot: Snapshot;

/** Of 2,000 tokens "a", 500 is "war", 520 "peace", 800 to 803 are "the". */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-gaps-"));
  const words = Array.from({ length: 2_000 }, () => "a");
  words[500] = "war";
  words[520] = "peace";
  words.fill("the", 800, 804);
  words[804] = "end";
  const path = join(folder, "text.vert");
  writeFileSync(path, `<s>\n${words.join("\n")}\n</s>\n`);
  await encodeCorpus({ data: folder, corpus: "c", inputs: [path], attributes: ["word"], workers: 1 });
  snapshot = openCorpus({ data: folder, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (query: string, gapMax?: number) => {
  const { count, notices } = findAll(snapshot, query, { gapMax });
  return { count, cut: notices.some(({ code }) => code === "gap_limit") };
};

describe("a gap that is longer than the limit", () => {
  it("is told of from whichever side it is looked at", () => {
    expect(ask('"war" []* "peace"')).toEqual({ count: 1, cut: true });
    expect(ask('"war" []* "peace"', 5)).toEqual({ count: 0, cut: true });
    expect(ask('[word="war|a"] []* "peace"', 5)).toEqual({ count: 6, cut: true });
    expect(ask("[#0] []* [#500]")).toEqual({ count: 0, cut: true });
    expect(ask('"a" "a"* [#499]', 5)).toEqual({ count: 6, cut: true });
    expect(ask('"a" ("a" []*) [#499]', 5)).toEqual({ count: 6, cut: true });
  });

  it("is told of where an anchor has a round more than the limit before it, and nowhere else", () => {
    expect(ask('[] "the"* "end"', 4)).toEqual({ count: 5, cut: false });
    expect(ask('[] "the"* "end"', 3)).toEqual({ count: 4, cut: true });
    expect(ask('[] "the"* "end"', 2)).toEqual({ count: 3, cut: true });
    expect(ask('"war" []* "peace" within s')).toEqual({ count: 1, cut: false });
    expect(ask('"a" []* [#3]')).toEqual({ count: 3, cut: false });
  });
});

describe("rounds that consume nothing", () => {
  it("are none that the limit ends", () => {
    for (const item of ['"the"?', '"the" | "of"?', '"the"? "of"?', '"of"* "the"?'])
      expect([item, ask(`(${item})*`, 4)]).toEqual([item, { count: 10, cut: false }]);
    for (const item of ['"the"?', '"the" | "of"?', '"the"? "of"?'])
      expect([item, ask(`(${item})*`, 3)]).toEqual([item, { count: 9, cut: true }]);
  });
});

describe("repeats without a maximum inside each other", () => {
  it("count their rounds together, also where one may be left out", () => {
    for (const query of ['((("the"*)?)*)?', '(("the"+)?)*', '((("the"*)?)+)?'])
      expect([query, ask(query, 3)]).toEqual([query, ask('"the"*', 3)]);
    expect(ask("((([]*)?)*)?", 100)).toEqual(ask("[]*", 100));
    expect(ask('(("the"{2,})?)*', 4)).toEqual(ask('"the"{2,}', 4));
  });
});
