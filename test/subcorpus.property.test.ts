/**
 * Subcorpora of every kind over random corpora, as sets of positions: what the definitions mean by trying everything, and
 * what is stored, replayed after an append, and kept for the snapshot before it.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hits } from "../ql/chain/hits.js";
import type { Query } from "../ql/cql/ast.js";
import { parse } from "../ql/cql/parse.js";
import {
  collect,
  createSubcorpus,
  Desk,
  listSubcorpora,
  removeSubcorpus,
  resolveSubcorpus,
  type Subcorpus,
  type SubcorpusDefinition,
  subcorpusInfo,
} from "../ql/index.js";
import { inStretches, stretchesOf } from "../ql/subcorpus/ask.js";
import { appendToCorpus, encodeCorpus, Pool, verifyCorpus } from "../storage/index.js";
import {
  encodeOptions,
  naiveCorpus,
  type RandomCorpus,
  randomCorpus,
  textOf,
  values,
} from "./query/corpora.js";
import { matchNaively, type NaiveCorpus, type NaiveStructure } from "./reference/matcher.js";
import { split } from "./reference/values.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(14 * scale));
const definitionsEach = 6;

const pool = Pool.create(8 << 20);
let data = "";
let serial = 0;

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-subcorpus-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

// ---- definitions at random

const queries = fc.constantFrom(
  '<doc year="19.*"/>',
  '<doc year!="1990" & topic="b"/>',
  '<s type="t"/>',
  "<x/>",
  '<s/> containing [word="a"]',
  "!(<s/>)",
  '[word="a"]',
  '[tag="N"] []{0,2} [tag="V"]',
  "[]{3}",
  '[word="b"] within <doc/>',
  '(union [word="a"] [tag="D"][])',
  '[word="c"] expand to s',
  '[word="nowhere"]',
);
const asked = queries.map((query) => ({ query }));
const structureNames = fc.constantFrom("doc", "s", "x");

const leaf: fc.Arbitrary<SubcorpusDefinition> = fc.oneof(
  asked.map((own) => ({ kind: "query" as const, ...own })),
  fc
    .record({ own: asked, structure: fc.option(structureNames, { nil: undefined }) })
    .map(({ own, structure }) => ({
      kind: "hits" as const,
      chain: [{ step: "query" as const, ...own }] as [{ step: "query"; query: string }],
      ...(structure && { structure }),
    })),
  fc
    .constantFrom("doc.id", "doc.year", "doc.topic", "s.type")
    .chain((path) =>
      fc.record({
        path: fc.constant(path),
        list: fc.array(fc.constantFrom(...values[path as "doc.id"], "none"), { maxLength: 4 }),
      }),
    )
    .map(({ path, list }) => {
      const [structure, attribute] = path.split(".");
      return { kind: "values" as const, structure, attribute, values: list };
    }),
);
const { definition } = fc.letrec<{ definition: SubcorpusDefinition }>((tie) => ({
  definition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.record({
      kind: fc.constantFrom("union" as const, "intersection" as const, "difference" as const),
      of: fc.array(tie("definition"), { minLength: 1, maxLength: 3 }),
    }),
    fc
      .record({ own: asked, inside: tie("definition"), structure: fc.constantFrom(undefined, "s") })
      .map(({ own, inside, structure }) => ({
        kind: "hits" as const,
        chain: [{ step: "query" as const, ...own, subcorpus: inside }] as [
          { step: "query"; query: string; subcorpus: SubcorpusDefinition },
        ],
        ...(structure && { structure }),
      })),
  ),
}));

// ---- what they mean

type Positions = Set<number>;

function covered(ranges: { begin: number; end: number }[]): Positions {
  const all = new Set<number>();
  for (const { begin, end } of ranges) for (let at = begin; at < end; at++) all.add(at);
  return all;
}

const has = (all: Positions, { begin, end }: { begin: number; end: number }) => {
  for (let at = begin; at < end; at++) if (!all.has(at)) return false;
  return true;
};

function naively(corpus: NaiveCorpus, asked: SubcorpusDefinition): Positions {
  const matches = (query: string) => matchNaively(corpus, parse(query).query as Query);
  switch (asked.kind) {
    case "query":
      return covered(matches(asked.query as string));
    case "hits": {
      const [{ query, subcorpus }] = asked.chain;
      const inside = subcorpus === undefined ? undefined : naively(corpus, subcorpus as SubcorpusDefinition);
      const hits = matches(query as string).filter((match) => !inside || has(inside, match));
      if (asked.structure === undefined) return covered(hits);
      const all = corpus.structures[asked.structure] ?? [];
      const around = ({ begin }: { begin: number }) => all.findLast((s) => s.begin <= begin && begin < s.end);
      return covered(hits.map(around).filter((s) => s !== undefined));
    }
    case "values": {
      const { structure, attribute, values: wanted } = asked;
      const separator = corpus.separators?.[`${structure}.${attribute}`];
      const own = (s: NaiveStructure) => {
        const value = s.attributes[attribute];
        if (value === undefined) return [];
        return separator ? split(value, separator) : [value];
      };
      return covered(
        (corpus.structures[structure] ?? []).filter((s) => own(s).some((v) => wanted.includes(v))),
      );
    }
    case "where":
      throw new Error("test/where.property.test.ts has these");
    default: {
      const [first, ...others] = asked.of.map((part) => naively(corpus, part as SubcorpusDefinition));
      if (asked.kind === "union") return new Set([first, ...others].flatMap((all) => [...all]));
      const isIn = asked.kind === "intersection";
      return new Set([...first].filter((at) => others.every((other) => other.has(at) === isIn)));
    }
  }
}

function positionsOf(part: Subcorpus): Positions {
  const all = new Set<number>();
  for (let i = 0; i < part.begins.length; i++) {
    expect(part.begins[i]).toBeLessThan(part.ends[i]);
    if (i > 0) expect(part.ends[i - 1]).toBeLessThan(part.begins[i]);
    for (let at = part.begins[i]; at < part.ends[i]; at++) all.add(at);
  }
  expect(part.tokens).toBe(all.size);
  return all;
}

const sorted = (all: Positions) => [...all].sort((a, b) => a - b);
const rangesOf = ({ begins, ends, count }: Hits) =>
  Array.from({ length: count }, (_, i) => ({ begin: begins[i], end: ends[i] }));

// ---- corpora

function textFile(corpus: RandomCorpus): string {
  const path = join(data, `${serial++}.vert`);
  writeFileSync(path, textOf(corpus));
  return path;
}

async function encoded(corpus: RandomCorpus): Promise<string> {
  const name = `c${serial++}`;
  await encodeCorpus({ data, corpus: name, inputs: [textFile(corpus)], ...encodeOptions(corpus) });
  return name;
}

async function atDesk<Result>(corpus: string, ask: (desk: Desk) => Promise<Result>): Promise<Result> {
  const desk = Desk.open({ data, corpus, pool });
  try {
    return await ask(desk);
  } finally {
    await desk.close();
  }
}

describe("a subcorpus", () => {
  it(`is what its definition means, also after an append, in either snapshot (seed ${seed})`, async () => {
    let filled = 0;
    for (let i = 0; i < corporaCount; i++) {
      const sample = { seed: seed + i, numRuns: 1 };
      const [corpus] = fc.sample(randomCorpus, sample);
      const [more] = fc.sample(randomCorpus, { ...sample, seed: seed - i - 1 });
      const definitions = fc.sample(definition, { seed: seed + i, numRuns: definitionsEach });
      const before = naiveCorpus(corpus);
      const after = naiveCorpus(corpus, more);
      const name = await encoded(corpus);
      const check = async (desk: Desk, naive: NaiveCorpus, ref: string, asked: SubcorpusDefinition) => {
        const wanted = naively(naive, asked);
        const text = JSON.stringify({ asked, corpus, more });
        expect(sorted(positionsOf(await resolveSubcorpus(desk, ref))), text).toEqual(sorted(wanted));
        const { hits } = await collect(desk, [{ step: "query", query: "[] []", subcorpus: ref }]);
        const pairs = matchNaively(naive, parse("[] []").query as Query).filter((pair) => has(wanted, pair));
        expect(rangesOf(hits), text).toEqual(pairs.map(({ begin, end }) => ({ begin, end })));
        for (const query of ["[] []", '[word="a"]', "<s/>", '[tag="N"] []* [tag="V"] within <s/>'])
          expect(await inside(desk, query, await resolveSubcorpus(desk, ref)), `${query} ${text}`).toEqual(
            matchNaively(naive, parse(query).query as Query)
              .filter((match) => has(wanted, match))
              .map(({ begin, end }) => ({ begin, end })),
          );
        const { size } = await subcorpusInfo(desk, ref);
        const documents = (naive.structures.doc ?? []).filter((doc) =>
          [...wanted].some((at) => doc.begin <= at && at < doc.end),
        );
        expect(size, text).toMatchObject({
          tokens: wanted.size,
          documents: corpus.document === "" ? null : documents.length,
          snapshot: desk.snapshot.number,
        });
        if (wanted.size > 0) filled++;
      };
      await atDesk(name, async (desk) => {
        for (const [n, asked] of definitions.entries()) {
          // Parts by name, where there are some: saved, they mean what the names mean now.
          await createSubcorpus(desk, `d${n}`, named(asked, definitions.slice(0, n)));
          expect(sorted(positionsOf(await resolveSubcorpus(desk, asked)))).toEqual(
            sorted(naively(before, asked)),
          );
          await check(desk, before, `d${n}`, asked);
        }
      });
      // Whoever reads the first snapshot keeps it, also if the segments of the next are others.
      await atDesk(name, async (older) => {
        await appendToCorpus({ data, corpus: name, inputs: [textFile(more)], compact: i % 2 === 0 });
        await atDesk(name, async (desk) => {
          for (const [n, asked] of definitions.entries()) await check(desk, after, `d${n}`, asked);
          expect(verifyCorpus(desk.snapshot).problems).toEqual([]);
        });
        for (const [n, asked] of definitions.entries()) await check(older, before, `d${n}`, asked);
        expect(verifyCorpus(older.snapshot).problems).toEqual([]);
        expect(readdirSync(join(data, name, "parts"))).toHaveLength(2 * definitions.length);
        for (const { name: own } of listSubcorpora(older)) removeSubcorpus(older, own);
        expect(readdirSync(join(data, name, "parts"))).toEqual([]);
      });
    }
    expect(filled).toBeGreaterThan((corporaCount * definitionsEach) / 2);
  });
});

/** A query that is run range by range, however small they are. */
async function inside(desk: Desk, query: string, part: Subcorpus) {
  const prepared = desk.engine.prepare(query);
  const found: { begin: number; end: number }[] = [];
  for (const { base, begins, ends, count } of inStretches(prepared, stretchesOf(part, 0)))
    for (let i = 0; i < count; i++) found.push({ begin: base + begins[i], end: base + ends[i] });
  prepared.ground.release();
  const hits: Hits = {
    count: found.length,
    begins: Float64Array.from(found, ({ begin }) => begin),
    ends: Float64Array.from(found, ({ end }) => end),
    ascending: true,
    labels: new Map(),
  };
  return rangesOf(part.keep(hits));
}

/** The same with the names of definitions that are saved already. */
function named(asked: SubcorpusDefinition, saved: SubcorpusDefinition[]): SubcorpusDefinition {
  if (!("of" in asked)) return asked;
  const of = asked.of.map((part) => {
    const at = saved.findIndex((other) => JSON.stringify(other) === JSON.stringify(part));
    return at < 0 ? part : `d${at}`;
  });
  return { ...asked, of };
}
