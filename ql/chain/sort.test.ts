/** How strings are ordered; and what is known and told besides the order. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus } from "../../storage/index.js";
import { Desk } from "../desk.js";
import { frequency } from "../stats/frequency.js";
import { limits } from "./limits.js";
import { collect } from "./run.js";
import { languageCompare } from "./sort.js";
import type { Chain } from "./steps.js";

describe("strings without a language", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."aAbBzZ09 -'._éÉßłñ中🙂") });
  const any = fc.oneof(letters, fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii" }));

  it("are ordered as Unicode orders all languages, and as no others where that holds them equal", () => {
    const unicode = new Intl.Collator("und").compare;
    const compare = languageCompare("");
    fc.assert(
      fc.property(any, any, (a, b) => {
        const expected = unicode(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compare(a, b))).toBe(Math.sign(expected));
      }),
      { numRuns: 3000 },
    );
  });

  it("are ordered as a language does that is named", () => {
    const words = ["chata", "cena", "hora", "čas", "dům"];
    expect(words.toSorted(languageCompare("cs"))).toEqual(["cena", "čas", "dům", "hora", "chata"]);
    expect(words.toSorted(languageCompare(""))).toEqual(["čas", "cena", "chata", "dům", "hora"]);
  });
});

describe("a sorted result", () => {
  let folder = "";
  let desk: Desk;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dugong-sort-"));
    const path = join(folder, "long.vert");
    const text = Array.from({ length: limits.keyTokensMax + 1 }, (_, i) => `w${i % 7}`);
    writeFileSync(path, ["<doc>", ...text, "</doc>", "<doc>", "short", "</doc>"].join("\n"));
    await encodeCorpus({ data: folder, corpus: "long", inputs: [path], attributes: ["word"] });
    desk = Desk.open({ data: folder, corpus: "long" });
  });
  afterAll(async () => {
    await desk.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("leaves the result that was sorted for others to go on from", async () => {
    const words: Chain = [{ step: "query", query: '"w1"' }];
    const first: Chain = [...words, { step: "first", structure: "doc", count: 9 }];
    desk.results.clear();
    const { hits } = await collect(desk, [...first, { step: "sort", keys: ["word 1"] }]);
    expect(desk.results.longest(first)).toMatchObject({ steps: 2, result: { hits: { count: 9 } } });
    expect(hits.count).toBe(9);
    // Going on from there gives what going there gives.
    const other: Chain = [...first, { step: "shuffle", seed: 3 }];
    const { hits: going } = await collect(desk, other);
    desk.results.clear();
    const { hits: anew } = await collect(desk, other);
    expect(Array.from(going.begins)).toEqual(Array.from(anew.begins));
  });

  it.each(["word node", "word/i node"])("says that not all tokens of %s were looked at", async (key) => {
    const docs: Chain = [{ step: "query", query: "<doc/>" }];
    const told = [{ code: "limit_hit", message: expect.stringContaining("keyTokensMax") }];
    expect((await collect(desk, [...docs, { step: "sort", keys: [key] }])).notices).toEqual(told);
    expect((await frequency(desk, docs, { by: key })).notices).toEqual(told);
    const short: Chain = [
      { step: "query", query: '"short"' },
      { step: "sort", keys: [key] },
    ];
    expect((await collect(desk, short)).notices).toEqual([]);
  });
});
