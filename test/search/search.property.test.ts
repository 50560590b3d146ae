/**
 * Ranked retrieval on random corpora: every part of every score, order and counts as the naive formula has them, whichever way
 * units are walked; snippets; conditions.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, type SearchItem, search } from "../../ql/index.js";
import { encodeCorpus, Pool } from "../../storage/index.js";
import { readVertical } from "../reference/corpus.js";
import { scale, seed } from "../seed.js";
import { type SearchCorpus, searchCorpus, words } from "./corpora.js";
import { type NaiveText, type NaiveWeights, searchNaively } from "./naive.js";

const corporaCount = Math.max(1, Math.round(25 * scale));
const queriesEach = 10;
const pool = Pool.create(8 << 20);
let data = "";

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-search-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

interface Asked {
  clauses: { words: string[]; phrase: boolean }[];
  weights: Partial<NaiveWeights>;
  unit: "doc" | "s";
  where?: string;
  limit: number;
  from: number;
  snippet: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  clauses: fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          words: fc.constantFrom(...words, "zzz").map((w) => [w]),
          phrase: fc.constant(false),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          words: fc.array(fc.constantFrom(...words.slice(0, 4)), { minLength: 1, maxLength: 3 }),
          phrase: fc.constant(true),
        }),
      },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  weights: fc.record(
    {
      bm25: fc.constantFrom(0, 1, 3),
      title: fc.constantFrom(0, 0.5, 2),
      url: fc.constantFrom(0, 0.5),
      pairs: fc.constantFrom(0, 0.5, 1),
      terms: fc.constantFrom(0, 0.5, 1),
      closeness: fc.constantFrom(0, 0.25, 1),
      rank: fc.constantFrom(0, 0.25, 1),
      recency: fc.constantFrom(0, 0.1, 1),
      k1: fc.constantFrom(0.5, 1.2, 2),
      b: fc.constantFrom(0, 0.75, 1),
      halfLife: fc.constantFrom(1, 10),
    },
    { requiredKeys: [] },
  ),
  unit: fc.constantFrom("doc" as const, "s" as const),
  where: fc.option(
    fc.constantFrom("date>=1999", 'doc.title~".*b.*" or id=two', "not type=t", 'date<2001-02 and id!="one"'),
    {
      nil: undefined,
      freq: 2,
    },
  ),
  limit: fc.constantFrom(1, 2, 3, 100),
  from: fc.constantFrom(0, 0, 1, 3),
  snippet: fc.constantFrom(1, 3, 8, 40),
});

const usual: NaiveWeights = {
  ...{ bm25: 1, title: 0.5, url: 0.25, pairs: 0.5, terms: 0.5, closeness: 0.25, rank: 0.25, recency: 0.05 },
  ...{ k1: 1.2, b: 0.75, halfLife: 10 },
};

async function encoded({ lines, segmentBytes }: SearchCorpus, name: string, lc: boolean): Promise<void> {
  const file = join(data, `${name}.vert`);
  writeFileSync(file, `${lines.join("\n")}\n`);
  await encodeCorpus({
    ...{ data, corpus: name, inputs: [file], attributes: ["word"], segmentBytes, workers: 1 },
    ...(lc && { derive: ["lc"] }),
  });
}

function naiveText({ lines }: SearchCorpus): NaiveText & { tokens: string[]; glue: boolean[] } {
  const { tokens, glue, structures } = readVertical([{ name: "0", text: `${lines.join("\n")}\n` }], {
    attributes: 1,
    document: "doc",
  });
  return {
    tokens: tokens[0],
    glue,
    words: tokens[0].map((word) => word.toLowerCase()),
    structures: Object.fromEntries(
      [...structures].map(([name, ranges]) => [
        name,
        ranges.map(({ begin, end, attributes }) => ({
          begin,
          end,
          attributes: Object.fromEntries(attributes),
        })),
      ]),
    ),
  };
}

/** The conditions above, by hand. */
function holds(text: NaiveText, where: string | undefined, at: number): boolean {
  const around = (kind: string) =>
    text.structures[kind]?.findLast(({ begin, end }) => begin <= at && at < end)?.attributes ?? {};
  const doc: Record<string, string | undefined> = around("doc");
  switch (where) {
    case "date>=1999":
      return /^(1999|2001)/.test(doc.date ?? "");
    case 'doc.title~".*b.*" or id=two':
      return (doc.title ?? "").includes("b") || doc.id === "two";
    case "not type=t":
      return around("s").type !== "t";
    case 'date<2001-02 and id!="one"':
      return /^(1990|1999)/.test(doc.date ?? "") && doc.id !== "one";
    default:
      return true;
  }
}

describe("ranked retrieval", () => {
  it(`scores, orders and counts as the formula says, on either way (seed ${seed})`, async () => {
    let found = 0;
    let passed = 0;
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(searchCorpus, { seed: seed + i, numRuns: 1 });
      const text = naiveText(corpus);
      await encoded(corpus, `c${i}`, i % 3 !== 0);
      const desk = Desk.open({ data, corpus: `c${i}`, pool });
      try {
        for (const one of fc.sample(asked, { seed: seed + i, numRuns: queriesEach })) {
          const { clauses, weights, unit, where, limit, from, snippet } = one;
          const query = clauses
            .map(({ words: own, phrase }) => (phrase ? `"${own.join(" ")}"` : own[0]))
            .join(" ");
          const about = JSON.stringify({ query, ...one, corpus });
          const wanted = searchNaively(
            text,
            unit,
            {
              sequence: clauses.flatMap((c) => c.words),
              phrases: clauses.filter((c) => c.phrase).map((c) => c.words),
            },
            { ...usual, ...(weights as NaiveWeights) },
            ({ begin, end }) =>
              Array.from({ length: end - begin }, (_, n) => begin + n).every((at) => holds(text, where, at)),
          );
          const options = {
            query,
            weights,
            unit,
            limit,
            from,
            snippet,
            ...(where !== undefined && { where }),
          };
          for (const exact of [true, false]) {
            const answer = await search(desk, { ...options, exact });
            const page = wanted.slice(from, from + limit);
            expect(
              answer.items.map(({ number, score }) => ({ number, score })),
              about,
            ).toEqual(page.map(({ number, score }) => ({ number, score })));
            answer.items.forEach((item, n) => {
              for (const [name, value] of Object.entries(page[n].parts))
                expect(item.parts[name as "bm25"], `${name} ${about}`).toBeCloseTo(value, 5);
              checkSnippet(
                text,
                item,
                clauses.flatMap((c) => c.words),
                snippet,
                about,
              );
            });
            if (answer.exact) expect(answer.hits, about).toBe(wanted.length);
            else {
              expect(answer.hits, about).toBeLessThanOrEqual(wanted.length);
              passed++;
            }
            expect(exact && !answer.exact).toBe(false);
          }
          found += wanted.length;
        }
      } finally {
        await desk.close();
      }
    }
    expect(found).toBeGreaterThan(corporaCount * queriesEach);
    expect(passed).toBeGreaterThan(0);
  });
});

describe("units that cannot be among the best", () => {
  it(`are passed over, and no others (seed ${seed})`, async () => {
    // Few words, each in fewer documents than the one before; documents of very different lengths.
    const terms = ["a", "b", "c", "d", "e"];
    const word = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => terms[Math.floor(x ** 4 * 5)] ?? "a");
    const texts = fc.array(
      fc.array(fc.oneof({ weight: 1, arbitrary: word }, { weight: 3, arbitrary: fc.constant("x") }), {
        minLength: 1,
        maxLength: 30,
      }),
      {
        ...{ minLength: 150, maxLength: 150, size: "max" as const },
      },
    );
    const one = fc.record({
      query: fc
        .uniqueArray(fc.constantFrom(...terms), { minLength: 1, maxLength: 4 })
        .map((own) => own.join(" ")),
      limit: fc.constantFrom(1, 2, 5),
      weights: fc.record({
        bm25: fc.constantFrom(0, 1, 3),
        pairs: fc.constantFrom(0, 0, 1),
        terms: fc.constantFrom(0, 0, 0.5, 1),
        closeness: fc.constantFrom(0, 0, 0.5),
        b: fc.constantFrom(0, 0.75),
      }),
    });
    let passed = 0;
    for (let i = 0; i < Math.max(1, Math.round(3 * scale)); i++) {
      const [documents] = fc.sample(texts, { seed: seed + i, numRuns: 1 });
      const lines = documents.flatMap((tokens) => ["<doc>", ...tokens, "</doc>"]);
      await encoded({ lines, segmentBytes: 2000 }, `many${i}`, true);
      const desk = Desk.open({ data, corpus: `many${i}`, pool });
      for (const asked of fc.sample(one, { seed: seed + i, numRuns: 150 })) {
        const counted = await search(desk, { ...asked, snippet: 0, exact: true });
        const quick = await search(desk, { ...asked, snippet: 0, exact: false });
        expect(quick.items, JSON.stringify(asked)).toEqual(counted.items);
        if (quick.hits < counted.hits) passed++;
      }
      await desk.close();
    }
    expect(passed).toBeGreaterThan(50);
  });
});

/** It is text of its unit, the marks are the terms in it, and no other stretch of its length has terms that weigh more. */
function checkSnippet(
  text: NaiveText & { tokens: string[]; glue: boolean[] },
  item: SearchItem,
  terms: string[],
  most: number,
  about: string,
): void {
  const { begin, end } = item;
  const plain = item.text.replace(/^… /, "").replace(/ …$/, "");
  const stretches: string[] = [];
  const lengths = Array.from({ length: Math.min(most, end - begin) }, (_, n) => n + 1);
  for (const length of lengths)
    for (let from = begin; from + length <= end; from++) {
      const own = text.tokens
        .slice(from, from + length)
        .map((token, n) => (n > 0 && !text.glue[from + n] ? ` ${token}` : token))
        .join("");
      const hasMore = `${from > begin ? "… " : ""}${own}${from + length < end ? " …" : ""}`;
      if (hasMore === item.text) stretches.push(hasMore);
    }
  expect(stretches.length, `${item.text} ${about}`).toBeGreaterThan(0);
  const marked = item.marks.map(([from, to]) => item.text.slice(from, to).toLowerCase());
  for (const own of marked)
    expect(own.split(/\s+/).some((word) => terms.some((term) => word.includes(term)))).toBe(true);
  expect(item.snippet.replaceAll(/[[\]]/g, "")).toBe(item.text);
  const distinct = (words: string[]) =>
    terms.filter((term, i) => terms.indexOf(term) === i && words.includes(term));
  if (most >= end - begin)
    expect(plain.length).toBeGreaterThanOrEqual(distinct(text.words.slice(begin, end)).length);
  expect(marked.length, about).toBeGreaterThan(0);
}
