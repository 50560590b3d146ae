/** What a result says about conditions: that no value fits, or nearly every one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";
import { findAll } from "./find.js";

let folder = "";
let snapshot: Snapshot;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-notices-"));
  const words = Array.from({ length: 100 }, (_, i) => (i < 95 ? "a\tN\tp|q" : "b\tV\tr"));
  const path = join(folder, "text.vert");
  writeFileSync(path, `<doc category="news">\n${words.join("\n")}\n</doc>\n`);
  const attributes = ["word", "tag", "feats"];
  const multivalue = { feats: "|" };
  await encodeCorpus({ data: folder, corpus: "c", inputs: [path], attributes, multivalue, workers: 1 });
  snapshot = openCorpus({ data: folder, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Codes, and what they point at. */
const notices = (query: string) =>
  findAll(snapshot, query).notices.map(({ code, span }) => [code, span && query.slice(...span)]);

describe("a condition that no value fits", () => {
  it("is told of, of tokens and of structures, with its place", () => {
    const none = [["no_such_value", '"nope"']];
    for (const query of [
      '"nope"',
      '[tag="nope"]',
      '[doc_category="nope"]',
      '"b" within <doc category="nope"/>',
      '"b" within <doc !(category="news" & category="nope")/>',
      '<doc category="news" | category="nope"> []',
      '<doc category!="nope"/>',
    ]) {
      expect([query, notices(query)]).toEqual([query, none]);
      // What was kept of the condition says it again.
      expect([query, notices(query)]).toEqual([query, none]);
    }
    expect(notices('"b" within <doc category="news"/>')).toEqual([]);
  });
});

describe("a condition that nearly every token meets", () => {
  it("is told of, unless it asks for other values than one", () => {
    for (const value of ['".+"', '"a|c"', '"(?i)A"'])
      expect([value, notices(`[tag="V"] [word=${value}]`)]).toEqual([value, [["common_value", value]]]);
    expect(notices('[feats contains "q"]')).toEqual([["common_value", '"q"']]);
    expect(notices('[feats matches "[pq]"]')).toEqual([["common_value", '"[pq]"']]);
    expect(notices('[word>="a"]')).toEqual([["common_value", '"a"']]);
    for (const query of ["[]", '[word!="b"]', '[feats not contains "r"]', '"b" [tag="V"]'])
      expect([query, notices(query)]).toEqual([query, []]);
    expect(findAll(snapshot, '[word=".+"]').notices[0].message).toBe(
      'all of the tokens of c are such that word=".+"',
    );
  });
});
