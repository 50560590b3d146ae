/** Hits as rows: lines are made of those that somebody asks for, however many there are and whatever order they are in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Chain, Desk, type Hits, LineReader } from "../../ql/index.js";
import { encodeCorpus } from "../../storage/index.js";
import { HitRows } from "./hits.js";

it("makes no lines but those of a page, of a sorted result too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dugong-hits-"));
  const path = join(folder, "words.vert");
  writeFileSync(path, Array.from({ length: 30_000 }, (_, i) => `w${(i * 7919) % 1000}`).join("\n"));
  await encodeCorpus({ data: folder, corpus: "words", inputs: [path], attributes: ["word"] });
  const desk = Desk.open({ data: folder, corpus: "words" });
  try {
    const chain: Chain = [
      { step: "query", query: "[]" },
      { step: "sort", keys: ["word 0", "word -1"] },
    ];
    const reader = new LineReader(desk);
    let made = 0;
    const rowsOf = (hits: Hits) => {
      made += hits.count;
      return { count: hits.count, columns: { match: reader.read(hits).map(({ match }) => match) } };
    };
    const rows = new HitRows(desk, chain, [], rowsOf, []);
    const first = await rows.next(20);
    expect([first.count, first.columns.match[0], made]).toEqual([20, "w0", 20]);
    await rows.seek(29_990);
    const last = await rows.next(20);
    expect([last.count, last.columns.match[9], made]).toEqual([10, "w999", 30]);
    expect(await rows.count()).toBe(true);
    expect([rows.total, made]).toEqual([{ value: 30_000, certainty: "exact" }, 30]);
    await rows.close();
  } finally {
    await desk.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
