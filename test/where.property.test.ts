/**
 * Conditions on metadata over random corpora, whose structures nest, overlap and are cut: the tokens that they mean by trying
 * each, what a query finds inside them, and what CQL says of the same condition with `within`.
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
import { collect, Desk, resolveSubcorpus } from "../ql/index.js";
import { encodeCorpus, Pool } from "../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { matchNaively, type NaiveCorpus } from "./reference/matcher.js";
import { split } from "./reference/values.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(12 * scale));
const conditionsEach = 12;
const pool = Pool.create(8 << 20);
let data = "";

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-where-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

// ---- conditions at random, as text and as CQL says them of a token

interface Condition {
  text: string;
  /** Where CQL has the same comparison. */
  cql?: string;
  holds(corpus: NaiveCorpus, at: number): boolean;
}

function valuesAt(corpus: NaiveCorpus, path: string, at: number): string[] {
  const [structure, attribute] = path.split(".");
  const around = (corpus.structures[structure] ?? []).findLast((s) => s.begin <= at && at < s.end);
  const value = around?.attributes[attribute];
  return value === undefined ? [] : split(value, corpus.separators?.[path]);
}

/** Negative, 0, positive, or NaN where there is no order. */
function naiveOrder(value: string, literal: string): number {
  const number = /^-?\d+(\.\d+)?$/;
  if (number.test(literal)) return number.test(value) ? Number(value) - Number(literal) : Number.NaN;
  return Buffer.compare(Buffer.from(value), Buffer.from(literal));
}

const comparisons: Record<string, (value: string, literal: string) => boolean> = {
  "=": (value, literal) => value === literal || (/^\d+$/.test(literal) && naiveOrder(value, literal) === 0),
  "<": (value, literal) => naiveOrder(value, literal) < 0,
  "<=": (value, literal) => naiveOrder(value, literal) <= 0,
  ">": (value, literal) => naiveOrder(value, literal) > 0,
  ">=": (value, literal) => naiveOrder(value, literal) >= 0,
  "~": (value, pattern) => new RegExp(`^(?:${pattern})$`, "u").test(value),
};

const literals: Record<string, string[]> = {
  "doc.id": ["d1", "d2", "d4"],
  "doc.year": ["1990", "1991", "20", "new", "1995", "19.5"],
  "doc.topic": ["a", "b", "c"],
  "s.type": ["t", "u", "v"],
};
const patterns = ["19.*", "d[12]", "a|t", ".*", "[^b]", "n.w"];

const test: fc.Arbitrary<Condition> = fc
  .record({
    path: fc.constantFrom(...Object.keys(literals)),
    operator: fc.constantFrom("=", "!=", "<", "<=", ">", ">=", "~", "!~"),
    choice: fc.nat(100),
    bare: fc.boolean(),
    quoted: fc.boolean(),
    blank: fc.constantFrom("", " "),
  })
  .map(({ path, operator, choice, bare, quoted, blank }) => {
    const isPattern = operator.endsWith("~");
    const all = isPattern ? patterns : literals[path];
    const literal = all[choice % all.length];
    const name = bare ? path.split(".")[1] : path;
    const compare = comparisons[operator.replace(/^!/, "")];
    const value = quoted || isPattern ? `"${literal}"` : literal;
    const negated = operator.startsWith("!");
    const cqlName = `_.${path.replace(".", "_")}`;
    const cqlOperator = isPattern ? "=" : "==";
    return {
      text: `${name}${blank}${operator}${blank}${value}`,
      ...(/[=~]$/.test(operator) &&
        !/[<>]/.test(operator) &&
        !/\d\.\d/.test(literal) && { cql: `${negated ? "!" : ""}(${cqlName}${cqlOperator}"${literal}")` }),
      holds: (corpus, at) => valuesAt(corpus, path, at).some((own) => compare(own, literal)) !== negated,
    };
  });

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    test,
    fc
      .record({ items: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }), any: fc.boolean() })
      .map(({ items, any }) => ({
        text: `(${items.map(({ text }) => text).join(any ? " or " : " AND ")})`,
        ...(items.every(({ cql }) => cql !== undefined) && {
          cql: `(${items.map(({ cql }) => cql).join(any ? " | " : " & ")})`,
        }),
        holds: (corpus: NaiveCorpus, at: number) =>
          any ? items.some((item) => item.holds(corpus, at)) : items.every((item) => item.holds(corpus, at)),
      })),
    tie("condition").map((item) => ({
      text: `not (${item.text})`,
      ...(item.cql !== undefined && { cql: `!(${item.cql})` }),
      holds: (corpus: NaiveCorpus, at: number) => !item.holds(corpus, at),
    })),
  ),
}));

// ---- what is found

async function encoded(corpus: RandomCorpus, name: string): Promise<void> {
  const file = join(data, `${name}.vert`);
  writeFileSync(file, textOf(corpus));
  await encodeCorpus({ data, corpus: name, inputs: [file], ...encodeOptions(corpus) });
}

const queries = ['[word="a"]', "[] []", '[tag="N"] []{0,2} [tag="V"]', "<s/>"];

describe("a condition on metadata", () => {
  it(`holds for the tokens that it means, and narrows a query as within does (seed ${seed})`, async () => {
    let filled = 0;
    let witnessed = 0;
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(randomCorpus, { seed: seed + i, numRuns: 1 });
      const naive = naiveCorpus(corpus);
      await encoded(corpus, `c${i}`);
      const desk = Desk.open({ data, corpus: `c${i}`, pool });
      try {
        for (const { text, cql, holds } of fc.sample(condition, {
          seed: seed + i,
          numRuns: conditionsEach,
        })) {
          const about = JSON.stringify({ text, cql, corpus });
          const wanted = naive.attributes.word.map((_, at) => holds(naive, at));
          const part = await resolveSubcorpus(desk, { kind: "where", where: text });
          const found = wanted.map(() => false);
          for (let r = 0; r < part.begins.length; r++) found.fill(true, part.begins[r], part.ends[r]);
          expect(found, about).toEqual(wanted);
          for (const query of queries) {
            const subcorpus = { kind: "where" as const, where: text };
            const { hits } = await collect(desk, [{ step: "query", query, subcorpus }]);
            const ranges = Array.from({ length: hits.count }, (_, n) => [hits.begins[n], hits.ends[n]]);
            const inside = matchNaively(naive, parse(query).query as Query).filter(({ begin, end }) =>
              wanted.slice(begin, end).every(Boolean),
            );
            expect(ranges, about).toEqual(inside.map(({ begin, end }) => [begin, end]));
            if (cql === undefined) continue;
            const within = parse(`${query} within !([!(${cql})])`).query as Query;
            expect(ranges, about).toEqual(matchNaively(naive, within).map(({ begin, end }) => [begin, end]));
            witnessed++;
          }
          if (wanted.includes(true) && wanted.includes(false)) filled++;
        }
      } finally {
        await desk.close();
      }
    }
    expect(filled).toBeGreaterThan((corporaCount * conditionsEach) / 8);
    expect(witnessed).toBeGreaterThan(corporaCount * 4);
  });
});
