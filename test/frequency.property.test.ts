/**
 * Frequency lists of random queries by random keys over random corpora, in several segments and in subcorpora: what is
 * computed block by block agrees with sums over plain arrays that are as simple as the definitions.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "../ql/cql/parse.js";
import {
  type Chain,
  Desk,
  distribution,
  type FrequencyList,
  type FrequencyOptions,
  type FrequencyRow,
  frequency,
  totals,
  trend,
} from "../ql/index.js";
import { encodeCorpus, Pool, removeCorpus } from "../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { type Match, matchNaively, type NaiveCorpus, type NaiveStructure } from "./reference/matcher.js";
import { split } from "./reference/values.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(25 * scale));
const asksEach = 40;
const pool = Pool.create(8 << 20);
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-frequency-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// ---- what is asked

/** Labels 1 and x are in all that have any; x is not always bound. */
const plain = [
  "[]",
  '[word="a"]',
  '[tag="N"] []{0,2} [word="b"]',
  "<s> []{1,3} </s>",
  '"[abc]" within <doc/>',
];
const labelled = ['1:[tag="N"] x:[]?', '1:[]{1,3} x:[word="a"]', '1:[] []? (x:[tag="V"]{1,2} | [word="b"])'];
const subcorpora = ['<doc year="19.*"/>', "<s/>", '[tag="N|V"]+', '<doc topic="b"/>', '[word="zz"]'];

const flags = fc.constantFrom("", "", "", "/i", "/d", "/id");
const structureKey = fc
  .tuple(fc.constantFrom("doc.year", "doc.topic", "doc.id", "s.type"), flags)
  .map(([attribute, flag]) => attribute + flag);
const singlePlace = fc.constantFrom("0", "first", "last", "-1", "1", "2L", "3R");
const longPlace = fc.constantFrom("node", "-2..-1", "-1..-3", "0..1", "first..last");
function tokenKey(labels: boolean): fc.Arbitrary<string> {
  const label = labels ? fc.constantFrom("", "1:", "x:") : fc.constant("");
  return fc
    .oneof(
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constantFrom("word", "tag", "feats", "lc", "head"), flags, label, singlePlace),
      },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom("word", "tag", "lc"), flags, label, longPlace) },
    )
    .map(([attribute, flag, own, place]) => `${attribute}${flag} ${own}${place}`);
}

interface Asked {
  query: string;
  subcorpus?: string;
  options: FrequencyOptions & { by: string };
}

const asked: fc.Arbitrary<Asked> = fc.boolean().chain((labels) =>
  fc.record({
    query: fc.constantFrom(...(labels ? labelled : plain)),
    subcorpus: fc.option(fc.constantFrom(...subcorpora), { nil: undefined, freq: 1 }),
    options: fc.record(
      {
        by: fc
          .array(
            fc.oneof({ weight: 2, arbitrary: tokenKey(labels) }, { weight: 1, arbitrary: structureKey }),
            {
              minLength: 1,
              maxLength: 3,
            },
          )
          .map((keys) => keys.join(", ")),
        minCount: fc.integer({ min: 0, max: 3 }),
        maxCount: fc.integer({ min: 3, max: 30 }),
        from: fc.integer({ min: 0, max: 4 }),
        limit: fc.integer({ min: 0, max: 40 }),
        order: fc.constantFrom(
          "count" as const,
          "value" as const,
          "perMillion" as const,
          "documents" as const,
        ),
        rising: fc.boolean(),
        dispersion: fc.boolean(),
        parts: fc.constantFrom(1, 2, 3, 5),
      },
      { requiredKeys: ["by"] },
    ),
  }),
);

// ---- what is true

class Naive {
  readonly tokens: number;
  /** Which tokens are in the subcorpus, and how many of them come before each. */
  readonly inside: boolean[];
  readonly places: number[] = [];
  readonly size: number;
  readonly hits: Match[];

  constructor(
    readonly corpus: NaiveCorpus,
    { query, subcorpus }: Pick<Asked, "query" | "subcorpus">,
  ) {
    this.tokens = corpus.attributes.word.length;
    const all = (cql: string) => matchNaively(corpus, parse(cql).query!);
    this.inside = Array(this.tokens).fill(subcorpus === undefined);
    if (subcorpus !== undefined)
      for (const { begin, end } of all(subcorpus))
        for (let at = begin; at < end; at++) this.inside[at] = true;
    let place = 0;
    for (let at = 0; at < this.tokens; at++) {
      this.places.push(place);
      if (this.inside[at]) place++;
    }
    this.size = place;
    this.hits = all(query).filter(({ begin, end }) =>
      this.inside.slice(begin, end).every((inside) => inside),
    );
  }

  /** The one that opened last of those around a token; the first one, for documents. */
  around(
    name: string,
    at: number,
    which: "innermost" | "outermost" = "innermost",
  ): NaiveStructure | undefined {
    const found = this.corpus.structures[name].filter(({ begin, end }) => begin <= at && at < end);
    return found.at(which === "innermost" ? -1 : 0);
  }

  /** The values that a hit counts for, by one key. */
  values(key: string, hit: Pick<Match, "begin" | "end" | "labels">): string[] {
    const [, attribute, flag = "", label, from, to = from] =
      /^([\w.]+)(?:\/(\w+))?(?: (?:(\w+):)?([\w-]+)(?:\.\.([\w-]+))?)?$/.exec(key)!;
    const fold = (text: string) => {
      const lower = flag.includes("i") ? text.toLowerCase() : text;
      return flag.includes("d") ? lower.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC") : lower;
    };
    const several = (text: string) => {
      const values = new Set(split(text, this.corpus.separators?.[attribute]).map(fold));
      return values.size > 0 ? [...values] : [""];
    };
    if (attribute.includes(".")) {
      const [name, own] = attribute.split(".");
      const value = this.around(name, hit.begin)?.attributes[own];
      // A unique attribute has no single values.
      return value === undefined ? [""] : several(value);
    }
    const range = label === undefined ? [hit.begin, hit.end] : hit.labels[label];
    if (!range) return [""];
    const [begin, end] = range;
    const offset = (where: string, side: "from" | "to") => {
      if (where === "node") return side === "from" ? begin : end - 1;
      if (where === "first" || where === "0") return begin;
      if (where === "last") return end - 1;
      const count = Number.parseInt(where, 10);
      if (/L$/.test(where)) return begin - count;
      return count > 0 ? end - 1 + count : begin + count;
    };
    const [first, last] = [offset(from, "from"), offset(to, "to")];
    const text = (at: number) => this.corpus.attributes[attribute][at];
    if (from === to && from !== "node") return text(first) === undefined ? [""] : several(text(first));
    const words: string[] = [];
    for (let at = first; first <= last ? at <= last : at >= last; at += first <= last ? 1 : -1)
      if (text(at) !== undefined) words.push(text(at));
    return [fold(words.join(" "))];
  }

  /** All combinations of one value of each key. */
  rows(keys: string[], hit: Pick<Match, "begin" | "end" | "labels">): string[][] {
    return keys.reduce<string[][]>(
      (rows, key) => rows.flatMap((row) => this.values(key, hit).map((value) => [...row, value])),
      [[]],
    );
  }

  textTypeTokens(keys: string[], values: string[]): number | undefined {
    const wanted = keys.flatMap((key, i) =>
      key.includes(".") && !key.includes(" ") ? [{ key, value: values[i] }] : [],
    );
    if (wanted.length === 0) return undefined;
    let count = 0;
    for (let at = 0; at < this.tokens; at++) {
      const token = { begin: at, end: at + 1, labels: {} };
      if (this.inside[at] && wanted.every(({ key, value }) => this.values(key, token).includes(value)))
        count++;
    }
    return count;
  }

  documents(hits: Match[]): number {
    const found = hits.map(({ begin }) => this.around("doc", begin, "outermost"));
    return new Set(found.filter((document) => document !== undefined)).size;
  }

  /** For each token of the whole, the part it is in. */
  partsOf(parts: number | undefined): unknown[] {
    const own: unknown[] = [];
    for (let at = 0; at < this.tokens; at++) {
      if (!this.inside[at]) continue;
      if (parts === undefined) own.push(this.around("doc", at, "outermost"));
      else {
        let part = 0;
        while (Math.floor(((part + 1) * this.size) / parts) <= own.length) part++;
        own.push(part);
      }
    }
    return own;
  }

  dispersion(hits: Match[], parts: number | undefined) {
    const none = { arf: null, aldf: null, juillandD: null, dp: null, dpNorm: null };
    const f = hits.length;
    const n = this.size;
    if (f === 0 || n === 0) return none;
    const places = hits.map(({ begin }) => this.places[begin]).sort((a, b) => a - b);
    const distances = places.map((place, i) => (i + 1 < f ? places[i + 1] : places[0] + n) - place);
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    const partOf = this.partsOf(parts);
    const all = [...new Set(partOf)].map((part) => ({
      size: partOf.filter((own) => own === part).length,
      hits: places.filter((place) => partOf[place] === part).length,
    }));
    const relative = all.map((part) => part.hits / part.size);
    const mean = sum(relative) / all.length;
    const deviation = Math.sqrt(sum(relative.map((number) => (number - mean) ** 2)) / all.length);
    const dp = sum(all.map((part) => Math.abs(part.hits / f - part.size / n))) / 2;
    const several = all.length > 1;
    return {
      arf: (f / n) * sum(distances.map((distance) => Math.min(distance, n / f))),
      aldf: n * 10 ** (-sum(distances.map((d) => (d === 0 ? 0 : d * Math.log10(d)))) / n),
      juillandD: several ? 1 - deviation / mean / Math.sqrt(all.length - 1) : null,
      dp,
      dpNorm: several ? dp / (1 - Math.min(...all.map(({ size }) => size)) / n) : null,
    };
  }

  list({ by, ...options }: Asked["options"]): Pick<FrequencyList, "hits" | "rowsTotal" | "rowsAll" | "rows"> {
    const keys = by.split(", ");
    const groups = new Map<string, { values: string[]; hits: Match[] }>();
    for (const hit of this.hits) {
      for (const values of this.rows(keys, hit)) {
        const key = JSON.stringify(values);
        const group = groups.get(key) ?? { values, hits: [] };
        group.hits.push(hit);
        groups.set(key, group);
      }
    }
    const {
      minCount = 0,
      maxCount = Number.POSITIVE_INFINITY,
      from = 0,
      limit = Number.POSITIVE_INFINITY,
    } = options;
    const rows = [...groups.values()].map(({ values, hits }): FrequencyRow => {
      const textTypeTokens = this.textTypeTokens(keys, values);
      const perMillion = (hits.length * 1e6) / (textTypeTokens ?? this.size);
      return {
        values,
        count: hits.length,
        perMillion,
        documents: this.documents(hits),
        ...(textTypeTokens !== undefined && {
          textTypeTokens,
          density: (100 * perMillion * this.size) / (this.hits.length * 1e6),
        }),
        ...((options.dispersion || options.parts !== undefined) && this.dispersion(hits, options.parts)),
      };
    });
    const { order = "count", rising = order === "value" } = options;
    const byValues = (a: FrequencyRow, b: FrequencyRow) => {
      const at = a.values.findIndex((value, i) => value !== b.values[i]);
      return Buffer.compare(Buffer.from(a.values[at]), Buffer.from(b.values[at]));
    };
    const compare = (a: FrequencyRow, b: FrequencyRow) => {
      if (order === "value") return rising ? byValues(a, b) : byValues(b, a);
      const [x, y] = [a[order] as number, b[order] as number];
      return x === y ? byValues(a, b) : rising ? x - y : y - x;
    };
    const within = rows.filter(({ count }) => count >= minCount && count <= maxCount).sort(compare);
    return {
      hits: this.hits.length,
      rowsTotal: within.length,
      rowsAll: rows.length,
      rows: within.slice(from, from + limit),
    };
  }
}

// ---- both

function chainOf({ query, subcorpus }: Pick<Asked, "query" | "subcorpus">): Chain {
  return [
    {
      step: "query",
      query,
      ...(subcorpus !== undefined && { subcorpus: { kind: "query", query: subcorpus } }),
    },
  ];
}

/** As text, without what is lost in sums of another order. */
function shown(value: unknown): string {
  const round = (number: number) => Number(number.toPrecision(9)) + 0;
  return JSON.stringify(value, (_, own) =>
    typeof own === "number" ? (Math.abs(own) < 1e-9 ? 0 : round(own)) : own,
  );
}

async function withDesk(corpus: RandomCorpus, use: (desk: Desk) => Promise<void>): Promise<void> {
  const name = `c${serial++}`;
  const path = join(folder, `${name}.vert`);
  writeFileSync(path, textOf(corpus));
  await encodeCorpus({ data: folder, corpus: name, inputs: [path], ...encodeOptions(corpus) });
  const desk = Desk.open({ data: folder, corpus: name, pool });
  try {
    await use(desk);
  } finally {
    await desk.close();
    await removeCorpus({ data: folder, corpus: name });
  }
}

function same(got: unknown, wanted: unknown): void {
  if (shown(got) !== shown(wanted)) throw new Error(`got    ${shown(got)}\nwanted ${shown(wanted)}`);
}

/** Asks one corpus many questions; a failure is shown with the corpus. */
async function askMany<Question>(
  corpus: RandomCorpus,
  questions: fc.Arbitrary<Question>,
  numRuns: number,
  ask: (question: Question) => Promise<void>,
): Promise<void> {
  const result = await fc.check(fc.asyncProperty(questions, ask), { seed: seed + serial, numRuns });
  if (!result.failed) return;
  const { counterexample, errorInstance } = result;
  const { document, segmentBytes } = corpus;
  throw new Error(
    `${JSON.stringify(counterexample)}\n${(errorInstance as Error)?.message}\ndocument "${document}", segmentBytes ${segmentBytes}\n${textOf(corpus)}`,
  );
}

describe(`frequencies at random (seed ${seed})`, () => {
  const corpora = Array.from(
    { length: corporaCount },
    (_, i) => fc.sample(randomCorpus, { seed: seed + i, numRuns: 1 })[0],
  );

  it("are what plain sums say, by any keys", { timeout: 300_000 * Math.max(1, scale) }, async () => {
    let [rows, segments] = [0, 0];
    for (const corpus of corpora) {
      await withDesk(corpus, async (desk) => {
        segments += desk.snapshot.segments.length;
        const naive = naiveCorpus(corpus);
        await askMany(corpus, asked, asksEach, async (question) => {
          const own = new Naive(naive, question);
          if (question.options.parts !== undefined && question.options.parts > own.size) return;
          const { hits, rowsTotal, rowsAll, ...list } = await frequency(
            desk,
            chainOf(question),
            question.options,
          );
          rows += list.rows.length;
          same({ hits, rowsTotal, rowsAll, rows: list.rows }, own.list(question.options));
          expect([list.tokens, list.documents]).toEqual([own.size, own.documents(own.hits)]);
        });
      });
    }
    console.log(`${rows} rows of ${corporaCount} corpora in ${segments} segments`);
    expect(rows).toBeGreaterThan(corporaCount * 20);
    expect(segments).toBeGreaterThan(corporaCount);
  });

  it("have totals, distributions and points over time that sum up", {
    timeout: 120_000 * Math.max(1, scale),
  }, async () => {
    let points = 0;
    for (const corpus of corpora) {
      await withDesk(corpus, async (desk) => {
        const naive = naiveCorpus(corpus);
        const question = fc.record({
          query: fc.constantFrom(...plain),
          subcorpus: fc.option(fc.constantFrom(...subcorpora), { nil: undefined, freq: 1 }),
          parts: fc.option(fc.constantFrom(1, 2, 3, 7), { nil: undefined }),
          bin: fc.option(fc.constantFrom(1, 2, 10, 2.5), { nil: undefined }),
        });
        await askMany(corpus, question, 12, async ({ parts, bin, ...asked }) => {
          const own = new Naive(naive, asked);
          if (own.size < (parts ?? 1)) return;
          const chain = chainOf(asked);
          const { hits, documents, tokens, arf, aldf, juillandD, dp, dpNorm } = await totals(desk, chain, {
            parts,
          });
          same(
            { hits, documents, tokens, arf, aldf, juillandD, dp, dpNorm },
            {
              hits: own.hits.length,
              documents: own.documents(own.hits),
              tokens: own.size,
              ...own.dispersion(own.hits, parts),
            },
          );

          const count = parts ?? 1;
          const partOf = own.partsOf(count);
          const distributed = await distribution(desk, chain, count);
          expect(distributed.distribution.map((part) => [part.tokens, part.hits])).toEqual(
            Array.from({ length: count }, (_, part) => [
              partOf.filter((one) => one === part).length,
              own.hits.filter(({ begin }) => partOf[own.places[begin]] === part).length,
            ]),
          );

          const year = (at: number) => {
            const value = own.around("doc", at)?.attributes.year ?? "";
            if (!/^\d+$/.test(value)) return "other";
            return bin === undefined ? Number(value) : Math.floor(Number(value) / bin) * bin;
          };
          const tokensOf = new Map<number | "other", [tokens: number, hits: number]>();
          const add = (at: number, which: 0 | 1) => {
            const both = tokensOf.get(year(at)) ?? [0, 0];
            both[which]++;
            tokensOf.set(year(at), both);
          };
          for (let at = 0; at < own.tokens; at++) if (own.inside[at]) add(at, 0);
          for (const { begin } of own.hits) add(begin, 1);
          const other = tokensOf.get("other") ?? [0, 0];
          tokensOf.delete("other");
          const series = trend(desk, chain, { over: "doc.year", ...(bin !== undefined && { bin }) });
          if (tokensOf.size === 0) {
            await expect(series).rejects.toMatchObject({ code: "not_numeric" });
            return;
          }
          const result = await series;
          points += result.points.length;
          expect(result.points.map((point) => [point.value, [point.tokens, point.hits]])).toEqual(
            [...tokensOf].sort(([a], [b]) => Number(a) - Number(b)),
          );
          expect([result.other.tokens, result.other.hits]).toEqual(other);
        });
      });
    }
    expect(points).toBeGreaterThan(corporaCount);
  });
});
