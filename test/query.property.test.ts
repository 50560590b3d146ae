/**
 * Random queries over random corpora: the engine finds what the naive matcher finds, range by range and label by
 * label, under every strategy and limit, however the corpus is cut into segments.
 *
 * 110 corpora are asked 190 queries each, a third of them with costs that make the planner take other ways; DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run. A
 * query that fails is made smaller, then the corpus is, line by line; the message has both, as text.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Query } from "../ql/cql/ast.js";
import { labelsOf } from "../ql/cql/labels.js";
import { parse } from "../ql/cql/parse.js";
import { print } from "../ql/cql/print.js";
import { withoutSpans } from "../ql/cql/tree.js";
import { type Found, findAll } from "../ql/index.js";
import { costs } from "../ql/plan/costs.js";
import {
  type DugongError,
  encodeCorpus,
  openCorpus,
  Pool,
  removeCorpus,
  type Snapshot,
} from "../storage/index.js";
import {
  declarations,
  encodeOptions,
  lists,
  naiveCorpus,
  type RandomCorpus,
  randomCorpus,
  textOf,
} from "./query/corpora.js";
import { type RandomQuery, randomQuery } from "./query/queries.js";
import { smallest } from "./query/smaller.js";
import { type Match, matchNaively, type NaiveCorpus, TooManyWays } from "./reference/matcher.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(110 * scale));
const queriesEach = 190;

/** Repeats in repeats may be more than the reference or the engine takes on: few are. */
const stepsMax = 200_000;
const limitCodes = ["pattern_too_large", "too_many_derivations"];

const pool = Pool.create(8 << 20);
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-query-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a query at random", () => {
  it(`finds what the reference finds (seed ${seed})`, { timeout: 600_000 * Math.max(1, scale) }, async () => {
    const counts = { queries: 0, withHits: 0, refused: 0, segments: 0 };
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(randomCorpus, { seed: seed + i, numRuns: 1 });
      const other = costsOf[i % costsOf.length];
      const failure = await withSnapshot(corpus, (snapshot) => {
        counts.segments += snapshot.segments.length;
        return withCosts(other, () => askMany(snapshot, naiveCorpus(corpus), seed + i, counts));
      });
      if (failure) throw new Error(await report(corpus, failure, other));
    }
    const share = Math.round((100 * counts.withHits) / counts.queries);
    console.log(
      `${counts.queries} queries over ${corporaCount} corpora in ${counts.segments} segments; ${share} % have hits, ${counts.refused} were refused`,
    );
    expect(counts.queries).toBe(corporaCount * queriesEach);
    expect(share).toBeGreaterThan(35);
    expect(counts.refused).toBeLessThan(counts.queries / 100);
  });

  it("is made of its text as it was", () => {
    fc.assert(
      fc.property(randomQuery, ({ query }) => {
        expect(withoutSpans(parse(print(query)).query)).toEqual(query);
      }),
      { numRuns: 500, seed },
    );
  });
});

/**
 * In corpora that are small enough for the naive matcher, a scan is nearly always the cheapest way. So every third corpus is asked as if
 * looking around places cost next to nothing, and every third as if scanning did: other ways must find the same.
 */
const costsOf: Partial<typeof costs>[] = [
  { posting: 0.001, place: 0.001, list: 0.001, fetch: 0.001 },
  {},
  { scanByte: 0.001, scanPacked: 0.001, start: 0.001 },
];

function withCosts<Result>(other: Partial<typeof costs>, run: () => Result): Result {
  const before = { ...costs };
  Object.assign(costs, other);
  try {
    return run();
  } finally {
    Object.assign(costs, before);
  }
}

/** Asks until something fails: then the smallest query that does. */
function askMany(
  snapshot: Snapshot,
  naive: NaiveCorpus,
  seed: number,
  counts: { queries: number; withHits: number; refused: number },
): RandomQuery | undefined {
  const property = fc.property(randomQuery, (random) => {
    const { difference, hits, refused } = ask(snapshot, naive, random);
    counts.queries++;
    if (refused) counts.refused++;
    if (hits > 0) counts.withHits++;
    if (difference !== undefined) throw new Error(difference);
  });
  const result = fc.check(property, { seed, numRuns: queriesEach });
  if (!result.failed || !result.counterexample) return undefined;
  const [random] = result.counterexample;
  const fails = (query: Query) => ask(snapshot, naive, { ...random, query }).difference !== undefined;
  return { ...random, query: smallest(random.query, fails) };
}

/** What the engine answers otherwise than the naive matcher, if anything, and how many matches there should be. */
function ask(
  snapshot: Snapshot,
  naive: NaiveCorpus,
  { query, strategy, gapMax }: RandomQuery,
): { difference?: string; hits: number; refused?: boolean } {
  let matches: Match[];
  try {
    matches = matchNaively(naive, query, strategy, gapMax, stepsMax);
  } catch (error) {
    if (error instanceof TooManyWays) return { hits: 0, refused: true };
    throw error;
  }
  const labels = [...labelsOf(query.expression)];
  const wanted = matches.map((match) => shown(match, labels));
  try {
    const found = findAll(snapshot, print(query), { strategy, gapMax, lists });
    const got = matchesOf(found).map((match) => shown(match, labels));
    if (found.count !== got.length) return { difference: `count is ${found.count}`, hits: matches.length };
    return { difference: firstDifference(got, wanted), hits: matches.length };
  } catch (error) {
    if (limitCodes.includes((error as DugongError).code)) return { hits: matches.length, refused: true };
    return { difference: `it throws ${(error as Error).stack}`, hits: matches.length };
  }
}

function matchesOf({ begins, ends, labels }: Found): Match[] {
  return Array.from(begins, (begin, i) => {
    const bound: Match["labels"] = {};
    for (const [label, places] of Object.entries(labels)) {
      if (!Number.isNaN(places.begins[i])) bound[label] = [places.begins[i], places.ends[i]];
    }
    return { begin, end: ends[i], labels: bound };
  });
}

/** begin-end label:begin-end … */
function shown(match: Match, labels: string[]): string {
  const bound = labels.flatMap((label) => {
    const range = match.labels[label];
    return range ? [`${label}:${range[0]}-${range[1]}`] : [];
  });
  return [`${match.begin}-${match.end}`, ...bound].join(" ");
}

function firstDifference(got: string[], wanted: string[]): string | undefined {
  const at = wanted.findIndex((match, i) => match !== got[i]);
  if (at < 0 && got.length === wanted.length) return undefined;
  const from = at < 0 ? wanted.length : at;
  const few = (matches: string[]) => matches.slice(from, from + 5).join(", ") || "nothing";
  return `from match ${from} on the reference has ${few(wanted)}; the engine has ${few(got)}`;
}

/** The failure in words, with a corpus that is as small as can be. */
async function report(
  corpus: RandomCorpus,
  random: RandomQuery,
  other: Partial<typeof costs>,
): Promise<string> {
  const fails = (smaller: RandomCorpus) =>
    withSnapshot(smaller, (snapshot) =>
      withCosts(other, () => ask(snapshot, naiveCorpus(smaller), random).difference),
    );
  let least = corpus;
  for (let at = corpus.lines.length - 1; at >= 0; at--) {
    if (declarations.includes(least.lines[at])) continue;
    const smaller = { ...least, lines: least.lines.filter((_, i) => i !== at) };
    if (!smaller.lines.some((line) => line.includes("\t"))) continue;
    if (await fails(smaller)) least = smaller;
  }
  const { query, strategy, gapMax } = random;
  return [
    `the engine and the reference differ (seed ${seed}, costs ${JSON.stringify(other)})`,
    `  ${print(query)}`,
    `  strategy ${strategy ?? "not given"}, gapMax ${gapMax ?? "not given"}`,
    `  document "${least.document}", segmentBytes ${least.segmentBytes}`,
    `  ${await fails(least)}`,
    textOf(least),
  ].join("\n");
}

async function withSnapshot<Result>(
  corpus: RandomCorpus,
  use: (snapshot: Snapshot) => Result,
): Promise<Result> {
  const name = `c${serial++}`;
  const path = join(folder, `${name}.vert`);
  writeFileSync(path, textOf(corpus));
  await encodeCorpus({ data: folder, corpus: name, inputs: [path], ...encodeOptions(corpus) });
  const snapshot = openCorpus({ data: folder, corpus: name, pool });
  try {
    return use(snapshot);
  } finally {
    await snapshot.close();
    await removeCorpus({ data: folder, corpus: name });
  }
}
