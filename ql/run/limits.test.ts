/** What is over a limit says so in words that fit it, and what need not be counted is over none. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";
import type { QueryError } from "../plan/errors.js";
import { planOf } from "../plan/explain.js";
import { findAll } from "./find.js";
import { prepare } from "./prepare.js";

let folder = "";
let snapshot: Snapshot;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-limits-"));
  const words = Array.from({ length: 200_000 }, (_, i) => `${"abcdefg"[(i * i) % 7]}\tN`);
  const path = join(folder, "text.vert");
  writeFileSync(path, `<s>\n${words.join("\n")}\n</s>\n`);
  await encodeCorpus({ data: folder, corpus: "c", inputs: [path], attributes: ["word", "tag"], workers: 1 });
  snapshot = openCorpus({ data: folder, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

function errorOf(query: string): QueryError {
  try {
    findAll(snapshot, query);
  } catch (error) {
    return error as QueryError;
  }
  throw new Error(`${query.slice(0, 50)} has an answer`);
}

describe("a pattern that is too large", () => {
  it("hints at what makes it so", () => {
    const alternatives = Array.from({ length: 26_000 }, (_, i) => `"w${i}"`).join(" | ");
    for (const [query, hint] of [
      ['(("a" "b"*)* "c")*', /within/],
      ['([]{0,300} "a"){300}', /counted repeats/],
      [alternatives, /alternatives/],
    ] as const)
      expect(errorOf(query)).toMatchObject({ code: "pattern_too_large", hint: expect.stringMatching(hint) });
  });
});

describe("labels whose places the range alone says", () => {
  it("are not derived: however many ranges there are, none is refused", () => {
    const count = (query: string) => prepareAndCount(query);
    expect(count("1:[] []{0,15} 2:[] & 1.word = 2.word")).toBeGreaterThan(500_000);
    expect(count("1:[] x:([]{0,15}) <s>? 2:[] & 1.word = 2.word")).toBeGreaterThan(500_000);
  });

  it("are what derivations bind them to", () => {
    for (const query of ["[]{0,5} 2:[]", "x:([]{0,5}) 2:[]", 'y:("[abe]" z:[]) []{0,3} 2:[]']) {
      const asked = (expression: string) =>
        findAll(snapshot, `${expression} & 1.word = 2.word & distance(1,2) < 7`);
      const bound = asked(`1:[#0-500] ${query}`);
      const { q: _, ...derived } = asked(`(1:[#0-500] ${query} | q:"zzq")`).labels;
      expect(bound.count).toBeGreaterThan(100);
      expect(bound.labels).toEqual(derived);
    }
  });
});

function prepareAndCount(query: string): number {
  const { source, ground } = prepare(snapshot, query);
  try {
    return source.count(0, ground.tokens);
  } finally {
    ground.release();
  }
}

describe("a condition across labels that is moved to a token", () => {
  it("is shown there", () => {
    const detail = (query: string) => JSON.stringify(planOf(prepare(snapshot, query).source));
    expect(detail("1:[] 2:[] & 1.word = 2.word")).toContain("1:[word = word 1 further on] 2:[]");
    expect(detail('1:[tag="N"] 2:[] & 1.word != 2.word')).toContain("& word != word 1 further on] 2:[]");
    expect(detail("1:[] <s>? 2:[] & 1.word = 2.word")).not.toContain("undefined");
  });
});
