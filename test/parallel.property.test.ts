/**
 * Parallel corpora: n:m mappings at random between structures that nest, overlap and are empty. A query within another
 * corpus finds what trying everything finds, over one thread and several; a line's counterpart is the ranges of the
 * structures that were mapped; and both hold in each direction, and in older and newer snapshots.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Query } from "../ql/cql/ast.js";
import { parse } from "../ql/cql/parse.js";
import { alignCorpora, alignedRanges, collect, Desk } from "../ql/index.js";
import { appendToCorpus, encodeCorpus, Pool, verifyCorpus } from "../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { matchNaively, type NaiveBead, type NaiveCorpus } from "./reference/matcher.js";
import { scale, seed } from "./seed.js";

const pairsCount = Math.max(1, Math.round(15 * scale));

const pool = Pool.create(16 << 20);
let data = "";
let serial = 0;

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-parallel-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Numbers of structures that belong together: [here, there]. */
type Row = [number[], number[]];

const queries = [
  '[] within OTHER: [word="a"]',
  '[tag="N"] !within OTHER: [word="b"]',
  '[]{2} within OTHER: [tag="V"] []',
  '[word="a"] []* within OTHER: <s type="t"/>',
  '<s/> within OTHER: ([tag="N"] within <x/>)',
  '[] within <s/> !within OTHER: [word="nowhere"]',
  "1:[] [] 2:[] & 1.tag = 2.tag within OTHER: 1:[] 2:[] & 1.tag = 2.tag",
  '[tag="V"] within OTHER: ([word="a"] within HERE: [tag="N"])',
];

function textFile(text: string): string {
  const path = join(data, `${serial++}.txt`);
  writeFileSync(path, text);
  return path;
}

async function encoded(corpus: RandomCorpus): Promise<string> {
  const name = `c${serial++}`;
  await encodeCorpus({ data, corpus: name, inputs: [textFile(textOf(corpus))], ...encodeOptions(corpus) });
  return name;
}

async function atDesk<Result>(
  corpus: string,
  ask: (desk: Desk) => Promise<Result>,
  options: { workers?: number; snapshot?: number } = {},
): Promise<Result> {
  const desk = Desk.open({ data, corpus, pool, ...options });
  try {
    return await ask(desk);
  } finally {
    await desk.close();
  }
}

/** Runs of numbers that follow each other, as ranges of tokens; structures that a corpus does not have yet are left out. */
function rangesOf({ structures }: NaiveCorpus, structure: string, numbers: number[]): NaiveBead["here"] {
  const known = [...new Set(numbers)].filter((n) => n < structures[structure].length).sort((a, b) => a - b);
  const runs: number[][] = [];
  for (const number of known) {
    if (runs.at(-1)?.at(-1) === number - 1) runs.at(-1)?.push(number);
    else runs.push([number]);
  }
  return runs
    .map((run) => run.map((number) => structures[structure][number]))
    .map((run) => ({ begin: run[0].begin, end: Math.max(...run.map(({ end }) => end)) }))
    .filter(({ begin, end }) => begin < end);
}

/** Both corpora, each with the other as its neighbour. */
function neighbours(
  here: NaiveCorpus,
  there: NaiveCorpus,
  rows: Row[],
  names: [string, string],
  [a, b]: [string, string],
): NaiveCorpus {
  const beads = rows.map(([left, right]) => ({
    here: rangesOf(here, a, left),
    there: rangesOf(there, b, right),
  }));
  const one: NaiveCorpus = { ...here };
  const other: NaiveCorpus = { ...there };
  one.aligned = { [names[1]]: { corpus: other, beads } };
  other.aligned = {
    [names[0]]: { corpus: one, beads: beads.map(({ here: h, there: t }) => ({ here: t, there: h })) },
  };
  return one;
}

async function compare(desk: Desk, naive: NaiveCorpus, other: string, only = queries): Promise<number> {
  let hitsInAll = 0;
  for (const query of only) {
    const text = query.replace("OTHER", other).replace("HERE", desk.snapshot.corpus);
    const wanted = matchNaively(naive, parse(text).query as Query).map(({ begin, end }) => [begin, end]);
    const { hits } = await collect(desk, [{ step: "query", query: text }]);
    const got = Array.from({ length: hits.count }, (_, i) => [hits.begins[i], hits.ends[i]]);
    expect(got, `${text} (seed ${seed})`).toEqual(wanted);
    hitsInAll += hits.count;
  }
  const { beads } = naive.aligned![other];
  for (let begin = 0; begin < desk.snapshot.tokens; begin += 3) {
    const end = begin + 1 + (begin % 4);
    const touched = beads.filter(({ here }) => here.some((range) => range.begin < end && begin < range.end));
    const tokens = new Set<number>();
    for (const range of touched.flatMap(({ there }) => there))
      for (let at = range.begin; at < range.end; at++) tokens.add(at);
    const ranges = alignedRanges(desk, other, begin, end);
    const got = ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));
    expect(got).toEqual([...tokens].sort((x, y) => x - y));
    for (let i = 1; i < ranges.length; i++) expect(ranges[i - 1][1]).toBeLessThan(ranges[i][0]);
  }
  return hitsInAll;
}

const sideText = (numbers: number[]): fc.Arbitrary<string> => {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const [first] = ascending;
  const last = ascending.at(-1);
  if (last === undefined) return fc.constantFrom("-1", "", "-");
  if (last - first + 1 === ascending.length)
    return ascending.length === 1
      ? fc.constant(String(first))
      : fc.constantFrom(`${first},${last}`, `${first}-${last}`, `${first}..${last}`);
  // Two that do not follow each other would be read as a range: one of them twice makes a list of it.
  return fc.constant([...numbers, first, first].slice(0, Math.max(3, numbers.length)).join(","));
};

/** A mapping: rows of numbers below the counts, and the text that says so. */
function mapping(counts: [number, number]): fc.Arbitrary<{ rows: Row[]; text: string }> {
  const side = (count: number) =>
    count === 0
      ? fc.constant([])
      : fc.oneof(
          { weight: 4, arbitrary: fc.integer({ min: 0, max: count - 1 }).map((n) => [n]) },
          {
            weight: 3,
            arbitrary: fc
              .tuple(fc.integer({ min: 0, max: count - 1 }), fc.integer({ min: 1, max: 3 }))
              .map(([n, length]) => Array.from({ length: Math.min(length, count - n) }, (_, i) => n + i)),
          },
          {
            weight: 1,
            arbitrary: fc.array(fc.integer({ min: 0, max: count - 1 }), { minLength: 3, maxLength: 4 }),
          },
          { weight: 1, arbitrary: fc.constant([] as number[]) },
        );
  const row = fc.tuple(side(counts[0]), side(counts[1])) as fc.Arbitrary<Row>;
  return fc
    .array(row, { minLength: 4, maxLength: 12 })
    .chain((rows) =>
      fc
        .tuple(...rows.map(([a, b]) => fc.tuple(sideText(a), sideText(b)).map((pair) => pair.join("\t"))))
        .map((lines) => ({ rows, text: `# a mapping\n${lines.join("\n")}\n` })),
    );
}

describe("parallel corpora", () => {
  it(`are asked together as trying everything does it (seed ${seed})`, async () => {
    let hits = 0;
    for (let i = 0; i < pairsCount; i++) {
      const [one, other, more] = fc.sample(randomCorpus, { seed: seed + i, numRuns: 3 });
      const names: [string, string] = [await encoded(one), await encoded(other)];
      const structures: [string, string] = i % 3 === 0 ? ["s", "doc"] : ["s", "s"];
      const [a, b] = [naiveCorpus(one), naiveCorpus(other)];
      const counts = [a.structures[structures[0]].length, b.structures[structures[1]].length] as [
        number,
        number,
      ];
      const [{ rows, text }] = fc.sample(mapping(counts), { seed: seed + i, numRuns: 1 });
      // Nothing would be aligned: one row that is.
      const all: Row[] = [...rows, [[0], [0]]];
      const result = await alignCorpora({
        data,
        corpus: names[0],
        other: names[1],
        structure: structures[0],
        otherStructure: structures[1],
        file: textFile(`${text}0\t0\n`),
      });
      expect(result.warnings.filter(({ kind }) => kind !== "overlap")).toEqual([]);
      expect(result.beads).toBe(all.filter(([x, y]) => x.length + y.length > 0).length);
      const swapped = all.map(([x, y]): Row => [y, x]);
      const here = neighbours(a, b, all, names, structures);
      const there = neighbours(b, a, swapped, [names[1], names[0]], [structures[1], structures[0]]);
      await atDesk(names[0], async (desk) => {
        hits += await compare(desk, here, names[1]);
        expect(verifyCorpus(desk.snapshot).problems).toEqual([]);
      });
      await atDesk(names[1], async (desk) => {
        hits += await compare(desk, there, names[0]);
      });
      if (i % 5 === 0) {
        await atDesk(
          names[0],
          async (desk) => {
            await compare(desk, here, names[1]);
          },
          { workers: 2 },
        );
      }
      // What is new is not aligned; the snapshot before is what it was.
      await appendToCorpus({ data, corpus: names[0], inputs: [textFile(textOf(more))], compact: false });
      const grown = neighbours(naiveCorpus(one, more), b, all, names, structures);
      await atDesk(names[0], async (desk) => {
        await compare(desk, grown, names[1]);
      });
      await atDesk(
        names[0],
        async (desk) => {
          await compare(desk, here, names[1]);
        },
        { snapshot: 1 },
      );
    }
    expect(hits).toBeGreaterThan(pairsCount * 20);
  });

  it(`are aligned by matching values, again when they have grown (seed ${seed})`, async () => {
    for (let i = 0; i < Math.ceil(pairsCount / 3); i++) {
      const [one, other, more] = fc.sample(randomCorpus, { seed: seed + 1000 + i, numRuns: 3 });
      const names: [string, string] = [await encoded(one), await encoded(other)];
      // A unique attribute on one side or on both, one with a lexicon on the other.
      const attributes: [string, string] = i % 2 === 0 ? ["id", "id"] : ["year", "year"];
      const matched = (a: NaiveCorpus, b: NaiveCorpus): Row[] => {
        const by = (corpus: NaiveCorpus, value: string) =>
          corpus.structures.doc.flatMap((doc, n) => (doc.attributes[attributes[0]] === value ? [n] : []));
        const values = new Set(a.structures.doc.map((doc) => doc.attributes[attributes[0]]));
        return [...values].flatMap((value): Row[] =>
          value === undefined ? [] : [[by(a, value), by(b, value)]],
        );
      };
      const [a, b] = [naiveCorpus(one), naiveCorpus(other)];
      const aligning = {
        data,
        corpus: names[0],
        other: names[1],
        structure: "doc",
        attribute: attributes[0],
      };
      const rows = matched(a, b);
      if (rows.every(([x, y]) => x.length === 0 || y.length === 0)) {
        await expect(alignCorpora(aligning)).rejects.toThrow(
          expect.objectContaining({ code: "nothing_aligned" }),
        );
        continue;
      }
      await alignCorpora(aligning);
      const docs: [string, string] = ["doc", "doc"];
      await atDesk(names[0], async (desk) => {
        await compare(desk, neighbours(a, b, rows, names, docs), names[1]);
      });
      await appendToCorpus({ data, corpus: names[1], inputs: [textFile(textOf(more))], compact: false });
      const grown = naiveCorpus(other, more);
      // The second time it is read as it was stored the first time.
      for (let time = 0; time < 2; time++) {
        await atDesk(names[0], async (desk) => {
          await compare(desk, neighbours(a, grown, matched(a, grown), names, docs), names[1]);
          expect(verifyCorpus(desk.snapshot).problems).toEqual([]);
        });
      }
      const older = neighbours(b, a, matched(b, a), [names[1], names[0]], docs);
      await atDesk(
        names[1],
        async (desk) => {
          await compare(desk, older, names[0]);
        },
        { snapshot: 1 },
      );
    }
  });
});
