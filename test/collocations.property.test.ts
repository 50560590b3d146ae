/**
 * Collocations at random over corpora at random: counts, totals, order and lines are those of their naive meaning, for
 * any window, with structures that it ends at and tokens that it skips, in subcorpora, however the corpus is cut into
 * segments.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Chain,
  type CollocationOptions,
  collect,
  collocateChain,
  collocations,
  Desk,
  findAll,
  type Hits,
  type Step,
} from "../ql/index.js";
import { encodeCorpus, Pool, removeCorpus } from "../storage/index.js";
import {
  encodeOptions,
  naiveCorpus,
  type RandomCorpus,
  randomCorpus,
  textOf,
  values,
} from "./query/corpora.js";
import { structureAt } from "./reference/chain.js";
import type { NaiveCorpus } from "./reference/matcher.js";
import { split } from "./reference/values.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(40 * scale));
const questionsEach = 40;

const pool = Pool.create(8 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-collocations-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Conditions on a token, as text and as what they mean. */
const skips: Record<string, (corpus: NaiveCorpus, at: number) => boolean> = {
  '[tag="N"]': ({ attributes }, at) => attributes.tag[at] === "N",
  '[word="a" | tag="V"]': ({ attributes }, at) => attributes.word[at] === "a" || attributes.tag[at] === "V",
  '[lc="a|b"]': ({ attributes }, at) => ["a", "b"].includes(attributes.lc[at]),
  '[word!="b"]': ({ attributes }, at) => attributes.word[at] !== "b",
  '"none"': () => false,
};

interface Question {
  chain: Chain;
  options: CollocationOptions;
}

/** One of them, or nothing. */
const perhaps = (...texts: string[]) => fc.constantFrom(...texts, ...texts.map(() => undefined));

const window = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 0, max: 9 }))
  .map(([from, more]) => ({ from, to: from + more }))
  .filter(({ from, to }) => from !== 0 || to !== 0);

const laterSteps = fc.constantFrom<Step[]>(
  [],
  [],
  [],
  [{ step: "shuffle" }],
  [{ step: "sort", keys: ["word 1"] }],
  [{ step: "filter", query: '[tag="V"]', drop: true }],
);

const question: fc.Arbitrary<Question> = fc.record({
  chain: fc
    .record({
      query: fc.constantFrom(
        '"a"',
        "[]",
        '[tag="N"]',
        '[tag="N"]',
        "[]",
        "[]{1,3}",
        '[tag="V"] []{0,2} [tag="N"]',
        "<s/>",
        '"none"',
      ),
      subcorpus: perhaps("<doc/>", "<s/>", '[tag!="D"]', "<x/>", '"a" []{2}'),
      later: laterSteps,
    })
    .map(({ query, subcorpus, later }): Chain => {
      const part = subcorpus && { subcorpus: { kind: "query" as const, query: subcorpus } };
      return [{ step: "query", query, ...part }, ...later];
    }),
  options: fc.record(
    {
      attribute: fc.constantFrom(
        "word",
        "tag",
        "lc",
        "word/i",
        "word/d",
        "word/id",
        "lc/d",
        "feats",
        "feats/i",
        "head",
      ),
      window,
      within: perhaps("s", "s", "doc", "x"),
      skip: perhaps(...Object.keys(skips)),
      every: fc.boolean(),
      minCount: fc.constantFrom(0, 1, 2),
      minTotal: fc.constantFrom(0, 0, 3),
      order: fc.constantFrom("count" as const, "total" as const, "MI" as const, "logLikelihood" as const),
      limit: fc.constantFrom(0, 1, 3, 100),
    },
    { requiredKeys: ["attribute", "window", "within", "skip", "minCount", "minTotal"] },
  ),
});

// ---- the naive meaning

interface Range {
  begin: number;
  end: number;
}

/** The tokens in the window of a hit that count, one by one. */
function windowOf(corpus: NaiveCorpus, hit: Range, options: CollocationOptions, part: Set<number>): number[] {
  const { window: { from, to } = { from: -5, to: 5 }, within, skip } = options;
  const tokens = corpus.attributes.word.length;
  const isSkipped = (at: number) => skip !== undefined && skips[skip as string](corpus, at);
  const around = (at: number) =>
    within === undefined
      ? { begin: 0, end: tokens }
      : corpus.structures[within][structureAt(corpus, within, at)];
  const found: number[] = [];
  const left = around(hit.begin);
  for (let at = hit.begin - 1, place = -1; left && at >= left.begin && place >= from; at--) {
    if (isSkipped(at)) continue;
    if (place >= from && place <= to) found.push(at);
    place--;
  }
  const right = around(hit.end - 1);
  for (let at = hit.end, place = 1; right && at < right.end && place <= to; at++) {
    if (isSkipped(at)) continue;
    if (place >= from && place <= to) found.push(at);
    place++;
  }
  return found.filter((at) => part.has(at));
}

/** Each token's values: one, but for a multi-value attribute. */
function valuesOf(corpus: NaiveCorpus, attribute: string): string[][] {
  const [name, flags = ""] = attribute.split("/");
  return corpus.attributes[name].map((text) => {
    const folded = split(text, corpus.separators?.[name]).map((value) => {
      const lower = flags.includes("i") ? value.toLowerCase() : value;
      return flags.includes("d") ? lower.normalize("NFD").replace(/\p{M}/gu, "") : lower;
    });
    return [...new Set(folded)];
  });
}

function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function rangesOf({ begins, ends, count }: Pick<Hits, "begins" | "ends" | "count">): Range[] {
  return Array.from({ length: count }, (_, i) => ({ begin: begins[i], end: ends[i] }));
}

const key = ({ begin, end }: Range) => `${begin}-${end}`;

/** Answers with how many rows there are. */
async function ask(desk: Desk, corpus: NaiveCorpus, { chain, options }: Question): Promise<number> {
  const tokens = corpus.attributes.word.map((_, at) => at);
  const [{ subcorpus }] = chain;
  const part = new Set(tokens);
  if (subcorpus !== undefined && typeof subcorpus !== "string" && subcorpus.kind === "query") {
    part.clear();
    for (const { begin, end } of rangesOf(findAll(desk.snapshot, subcorpus.query)))
      for (let at = begin; at < end; at++) part.add(at);
  }
  const hits = rangesOf((await collect(desk, chain)).hits);
  const values = valuesOf(corpus, options.attribute!);
  const windows = hits.map((hit) => windowOf(corpus, hit, options, part));
  const inLines = windows.map((places) => places.flatMap((at) => values[at]));
  const counts = tally(inLines.flatMap((line) => (options.every ? line : [...new Set(line)])));
  const totals = tally([...part].flatMap((at) => values[at]));
  const { minCount = 0, minTotal = 0, limit = Number.POSITIVE_INFINITY } = options;
  const frequent = [...counts]
    .map(([value, count]) => ({ value, count, total: totals.get(value)! }))
    .filter(({ count, total }) => count >= minCount && total >= minTotal);

  const found = await collocations(desk, chain, options);
  expect({ ...found, rows: undefined, notices: undefined }).toEqual({
    hits: hits.length,
    tokens: part.size,
    windowTokens: windows.flat().length,
    collocates: frequent.length,
    uncertain: 0,
  });
  const order = options.order ?? "logDice";
  const everything = await collocations(desk, chain, { ...options, limit: undefined });
  const keyOf = new Map(
    everything.rows.map((row) => [
      row.value,
      order === "count" ? row.count : order === "total" ? row.total : row.scores[order],
    ]),
  );
  frequent.sort(
    (a, b) =>
      keyOf.get(b.value)! - keyOf.get(a.value)! ||
      b.count - a.count ||
      Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)),
  );
  const plain = found.rows.map(({ value, count, total }) => ({ value, count, total }));
  expect(plain).toEqual(frequent.slice(0, limit));

  for (const { value } of found.rows.slice(0, 3)) {
    const expected = hits.filter((_, i) => inLines[i].includes(value));
    const lines = await collect(desk, collocateChain(desk, chain, options, value));
    expect(rangesOf(lines.hits).map(key), `lines with ${value}`).toEqual(expected.map(key));
  }
  if (hits.length < 1000) await askPairs(desk, corpus, chain, options, hits);
  return frequent.length;
}

/** Filters with the same window: hits with two tokens in it that are not the hit's. */
async function askPairs(
  desk: Desk,
  corpus: NaiveCorpus,
  chain: Chain,
  { window: { from, to } = { from: -5, to: 5 }, within, skip }: CollocationOptions,
  hits: Range[],
): Promise<void> {
  const all = new Set(corpus.attributes.word.keys());
  const expected = hits.filter((hit) => {
    const places = windowOf(corpus, hit, { window: { from, to }, within, skip }, all);
    const low = Math.min(...places, ...(from > 0 ? [] : [hit.begin]));
    const high = Math.max(...places.map((at) => at + 1), ...(to < 0 ? [] : [hit.end]));
    const isFree = (at: number) => at >= low && at < high && (at < hit.begin || at >= hit.end);
    return [...all].some((at) => isFree(at) && isFree(at + 1) && at + 1 < all.size);
  });
  const step: Step = {
    step: "filter",
    query: "[]{2}",
    window: { from, to, ...(within && { within }), ...(skip && { skip }) },
    node: false,
  };
  const { hits: found } = await collect(desk, [...chain, step]);
  expect(rangesOf(found).map(key), "hits with a pair near them").toEqual(expected.map(key));
}

/** A corpus of many stretches and segments: rare words far apart, long documents, a long run of one tag. */
function largeCorpus(): RandomCorpus {
  let state = 7;
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const one = (list: readonly string[]) => list[below(list.length)];
  const lines: string[] = [];
  for (let document = 0; document < 40; document++) {
    const length = document % 10 === 3 ? 60 : 3000 + below(3000);
    lines.push(`<doc id="d${document}" year="${1990 + document}">`);
    for (let token = 0, sentence = 0; token < length; token++) {
      if (sentence === 0) lines.push("<s>");
      const word = below(7000) === 0 ? "rare" : `${one(values.word)}${below(3) === 0 ? below(500) : ""}`;
      const tag = document === 5 ? "N" : one(values.tag);
      lines.push([word, tag, one(values.feats), one(values.head), one(values.deprel)].join("\t"));
      sentence = token === length - 1 || below(20) === 0 ? 0 : sentence + 1;
      if (sentence === 0) lines.push("</s>");
    }
    lines.push("</doc>");
  }
  return { lines, document: "doc", segmentBytes: 500_000 };
}

async function withDesk<Result>(corpus: RandomCorpus, use: (desk: Desk) => Promise<Result>): Promise<Result> {
  const name = `c${++serial}`;
  const input = join(folder, `${name}.vert`);
  writeFileSync(input, textOf(corpus));
  await encodeCorpus({ data: folder, corpus: name, inputs: [input], ...encodeOptions(corpus) });
  const desk = Desk.open({ data: folder, corpus: name, pool });
  try {
    return await use(desk);
  } finally {
    await desk.close();
    await removeCorpus({ data: folder, corpus: name });
    rmSync(input);
  }
}

describe("collocations at random", () => {
  it(`are those of the naive computation (seed ${seed})`, {
    timeout: 600_000 * Math.max(1, scale),
  }, async () => {
    let withRows = 0;
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(randomCorpus, { seed: seed + i, numRuns: 1 });
      const naive = naiveCorpus(corpus);
      await withDesk(corpus, async (desk) => {
        for (const one of fc.sample(question, { seed: seed + i, numRuns: questionsEach })) {
          try {
            if ((await ask(desk, naive, one)) > 0) withRows++;
          } catch (error) {
            const told = `${JSON.stringify(one)}\non\n${textOf(corpus)}\nseed ${seed}`;
            throw new Error(`${(error as Error).message}\n${told}`, { cause: error });
          }
        }
      });
    }
    expect(withRows).toBeGreaterThan((corporaCount * questionsEach) / 4);
  });

  const tokenQueries = ['"rare"', '"a"', "<doc/>", '"a" []{0,3} "rare"', '[tag="N"] [tag="V"]'];
  const shapes: CollocationOptions[] = [
    { window: { from: -5, to: 5 } },
    { window: { from: -40, to: -3 }, every: true },
    { window: { from: 2, to: 30 }, within: "s" },
    { window: { from: -3, to: 3 }, skip: '[tag="N"]' },
    { window: { from: -200, to: 300 }, within: "doc", skip: '[word="a" | tag="V"]', every: true },
  ];

  it("are so in large corpora, where stretches are read one after the other", {
    timeout: 300_000,
  }, async () => {
    const corpus = largeCorpus();
    const naive = naiveCorpus(corpus);
    await withDesk(corpus, async (desk) => {
      expect(desk.snapshot.tokens).toBeGreaterThan(2 * 65_536);
      expect(desk.snapshot.segments.length).toBeGreaterThan(3);
      for (const query of tokenQueries) {
        for (const shape of shapes) {
          // Every window of a frequent word, token by token, is too much for the naive way.
          if (query === '"a"' && shape.window!.to > 100) continue;
          const options = { attribute: "word", minCount: 1, minTotal: 1, limit: 50, ...shape };
          const later: Step[] = shape.within ? [{ step: "shuffle" }] : [];
          const rows = await ask(desk, naive, { chain: [{ step: "query", query }, ...later], options });
          // A document has nothing of its own sentences beside it.
          const isAlone = query === "<doc/>" && shape.within !== undefined;
          expect(rows > 0, JSON.stringify([query, shape])).toBe(!isAlone);
        }
      }
    });
  });
});
