/**
 * Word lists, keywords, n-grams and terms of random corpora, in several segments and in subcorpora: what is counted by
 * columns, in passes and parts, agrees with sums over plain arrays that are as simple as the definitions.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "../ql/cql/parse.js";
import { Desk, keywords, ngrams, structureList, terms, wordlist } from "../ql/index.js";
import { limits } from "../ql/stats/limits.js";
import { appendToCorpus, encodeCorpus, Pool, removeCorpus } from "../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { matchNaively, type NaiveCorpus } from "./reference/matcher.js";
import { split } from "./reference/values.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(25 * scale));
const asksEach = 25;
const pool = Pool.create(8 << 20);
const usual = { ...limits };
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-lists-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  Object.assign(limits, usual);
});

interface Asking {
  desk: Desk;
  naive: Naive;
}

/** A corpus as plain arrays, and what of it is in a subcorpus. */
interface Naive extends NaiveCorpus {
  document: string;
}

async function withCorpora<Result>(corpora: RandomCorpus[], use: (asking: Asking[]) => Promise<Result>) {
  const opened: Asking[] = [];
  const names: string[] = [];
  try {
    for (const corpus of corpora) {
      const name = `c${serial++}`;
      const path = join(folder, `${name}.vert`);
      writeFileSync(path, textOf(corpus));
      await encodeCorpus({ data: folder, corpus: name, inputs: [path], ...encodeOptions(corpus) });
      names.push(name);
      opened.push({
        desk: Desk.open({ data: folder, corpus: name, pool }),
        naive: { ...naiveCorpus(corpus), document: corpus.document },
      });
    }
    return await use(opened);
  } finally {
    for (const { desk } of opened) await desk.close();
    for (const corpus of names) await removeCorpus({ data: folder, corpus });
  }
}

/** Runs a property over many random corpora. */
function overCorpora<Asked>(
  count: number,
  asked: fc.Arbitrary<Asked>,
  check: (asking: Asking[], asked: Asked) => Promise<void>,
) {
  return async () => {
    for (let i = 0; i < corporaCount; i++) {
      const corpora = fc.sample(randomCorpus, { seed: seed + i, numRuns: count });
      await withCorpora(corpora, (asking) =>
        fc.assert(
          fc.asyncProperty(asked, (one) => check(asking, one)),
          { seed: seed + i, numRuns: asksEach },
        ),
      );
    }
  };
}

// ---- the definitions, over plain arrays

const subcorpora = ['<doc year="19.*"/>', "<s/>", '[tag="N|V"]+', '[word="a"] []{0,5}', '[word="zz"]'];
const subcorpus = fc.option(fc.constantFrom(...subcorpora), { nil: undefined, freq: 2 });

/** Positions in order; ranges are runs of them. */
function positionsOf(naive: Naive, query: string | undefined): number[] {
  const all = naive.attributes.word.map((_, position) => position);
  if (query === undefined) return all;
  const matches = matchNaively(naive, parse(query).query!, "all");
  return all.filter((position) => matches.some(({ begin, end }) => begin <= position && position < end));
}

function definition(query: string | undefined) {
  return query === undefined ? {} : { subcorpus: { kind: "query" as const, query } };
}

function documentOf(naive: Naive, position: number): number {
  if (naive.document === "") return -1;
  return naive.structures.doc.findIndex(({ begin, end }) => begin <= position && position < end);
}

function valuesOf(naive: Naive, name: string): string[] {
  const [attribute, flags = ""] = name.split("/");
  return naive.attributes[attribute].map((value) => fold(value, flags));
}

function fold(value: string, flags: string): string {
  const cased = flags.includes("i") ? value.toLowerCase() : value;
  return flags.includes("d") ? cased.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC") : cased;
}

function groups<Item>(items: Item[], key: (item: Item) => string): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return found;
}

function distinctDocuments(naive: Naive, positions: number[]): number {
  return new Set(positions.map((position) => documentOf(naive, position)).filter((one) => one >= 0)).size;
}

/** `places` among N tokens. */
function reduced(places: number[], tokens: number): number {
  const v = tokens / places.length;
  const distances = places.map((place, i) =>
    i === 0 ? place + tokens - places[places.length - 1] : place - places[i - 1],
  );
  return distances.reduce((sum, distance) => sum + Math.min(distance, v), 0) / v;
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function close(got: number, wanted: number): void {
  expect(Math.abs(got - wanted)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)));
}

// ---- word lists

const attribute = fc.constantFrom("word", "tag", "lc", "word/i", "word/d", "word/id", "feats", "head");

describe(`over random corpora (seed ${seed})`, () => {
  it(
    "word lists have the counts, documents and ARF of their definitions",
    overCorpora(
      1,
      fc.record({
        attributes: fc.oneof(
          attribute.map((one) => [one]),
          fc.tuple(attribute, attribute),
          fc.tuple(attribute, attribute, attribute),
        ),
        subcorpus,
        pattern: fc.option(fc.constantFrom("[aAbN]", ".*", "(?!a).*", "é|e"), { nil: undefined, freq: 3 }),
        minCount: fc.integer({ min: 0, max: 3 }),
        maxCount: fc.constantFrom(3, 20, 1000),
        include: fc.option(fc.constant(["a", "b", "N", "V", "é\tN", "x.y"]), { nil: undefined }),
        exclude: fc.option(fc.constant(["b", "D", "a\tV"]), { nil: undefined }),
        order: fc.constantFrom("count" as const, "documents" as const, "arf" as const, "value" as const),
        from: fc.integer({ min: 0, max: 3 }),
        limit: fc.constantFrom(2, 5, 1000),
        blockTokens: fc.constantFrom(4, 16, usual.blockTokens),
        pairTableEntriesMax: fc.constantFrom(0, usual.pairTableEntriesMax),
      }),
      async ([{ desk, naive }], { subcorpus, pattern, blockTokens, pairTableEntriesMax, ...options }) => {
        Object.assign(limits, { blockTokens, pairTableEntriesMax });
        const { attributes, minCount, maxCount, include, exclude, order, from, limit } = options;
        const list = await wordlist(desk, {
          ...options,
          ...definition(subcorpus),
          ...(pattern !== undefined && { patterns: [pattern] }),
        });
        const flags = attributes.map((name) => name.split("/")[1] ?? "");
        const columns = attributes.map((name) => valuesOf(naive, name));
        const positions = positionsOf(naive, subcorpus);
        const rowsOf = (lines: readonly string[]) =>
          lines.map((line) =>
            line
              .split("\t")
              .map((value, i) => fold(value, flags[i] ?? ""))
              .join("\t"),
          );
        const among = (values: string[], lines: readonly string[]) =>
          rowsOf(lines).some((line) => line === values.join("\t") || line === values[0]);
        const expected = [
          ...groups(positions, (position) => columns.map((values) => values[position]).join("\t")),
        ]
          .map(([value, own]) => ({
            value,
            values: value.split("\t"),
            count: own.length,
            documents: distinctDocuments(naive, own),
            arf: reduced(
              own.map((position) => positions.indexOf(position)),
              positions.length,
            ),
          }))
          .filter(({ values, count }) => {
            if (count < minCount || count > maxCount) return false;
            if (pattern !== undefined && !new RegExp(`^(?:${fold(pattern, flags[0])})$`, "u").test(values[0]))
              return false;
            return (!include || among(values, include)) && !(exclude && among(values, exclude));
          });
        expect(list.types).toBe(expected.length);
        expect(list.tokens).toBe(positions.length);
        expect(list.occurrences).toBe(expected.reduce((sum, { count }) => sum + count, 0));
        expect(list.rows.length).toBe(Math.max(0, Math.min(limit, expected.length - from)));
        // Sums of distances are not always added in the same order: rows are compared by value, and the order by itself.
        for (const row of list.rows) {
          const twin = expected.find(({ value }) => value === row.value)!;
          expect({ count: row.count, documents: row.documents }).toEqual({
            count: twin.count,
            documents: twin.documents,
          });
          close(row.arf, twin.arf);
          if (attributes.length > 1) expect(row.values).toEqual(twin.values);
        }
        if (order !== "arf") {
          const key = (row: (typeof expected)[number]) => (order === "value" ? 0 : row[order]);
          expected.sort((a, b) => key(b) - key(a) || compareRows(a.values, b.values));
          expect(list.rows.map(({ value }) => value)).toEqual(
            expected.slice(from, from + limit).map(({ value }) => value),
          );
        } else
          for (const [i, row] of list.rows.entries())
            if (i > 0) expect(row.arf).toBeLessThanOrEqual(list.rows[i - 1].arf + 1e-9);
      },
    ),
    600_000,
  );

  it(
    "structures are counted by their values, and so are their tokens",
    overCorpora(
      1,
      fc.record({
        name: fc.constantFrom("doc.year", "doc.topic", "doc.id", "s.type", "doc.year/i"),
        subcorpus,
        pattern: fc.option(fc.constantFrom("19.*", "[abt].*"), { nil: undefined }),
      }),
      async ([{ desk, naive }], { name, subcorpus, pattern }) => {
        const list = await structureList(desk, {
          attributes: [name],
          ...definition(subcorpus),
          ...(pattern !== undefined && { patterns: [pattern] }),
        });
        const [structure, attribute] = name.split("/")[0].split(".");
        const inside = new Set(positionsOf(naive, subcorpus));
        const sized = naive.structures[structure]
          .map(({ begin, end, attributes }) => {
            let tokens = 0;
            for (let p = begin; p < end; p++) if (inside.has(p)) tokens++;
            return { value: attributes[attribute], tokens };
          })
          .filter(({ value, tokens }) => value !== undefined && (subcorpus === undefined || tokens > 0))
          .flatMap(({ value, tokens }, number) =>
            split(value!, naive.separators?.[name]).map((one) => ({ value: one, tokens, number })),
          )
          .filter(({ value }) => pattern === undefined || new RegExp(`^(?:${pattern})$`).test(value));
        expect(list.occurrences).toBe(new Set(sized.map(({ number }) => number)).size);
        const expected = [...groups(sized, ({ value }) => value)]
          .map(([value, own]) => ({
            value,
            count: own.length,
            tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
          }))
          .sort((a, b) => b.count - a.count || byBytes(a.value, b.value));
        expect(list.rows.map(({ value, count, tokens }) => ({ value, count, tokens }))).toEqual(expected);
      },
    ),
    600_000,
  );

  it(
    "keywords meet by their texts in both corpora, or parts of them",
    overCorpora(
      2,
      fc.record({
        attribute,
        subcorpus,
        referenceSubcorpus: subcorpus,
        same: fc.boolean(),
        minCount: fc.integer({ min: 1, max: 3 }),
        minReferenceCount: fc.integer({ min: 0, max: 2 }),
        minDocuments: fc.integer({ min: 0, max: 1 }),
        smoothing: fc.constantFrom(1, 100, 0.5),
      }),
      async ([focus, other], asked) => {
        const { attribute, smoothing, minCount, minReferenceCount, minDocuments } = asked;
        const reference = asked.same ? focus : other;
        const [own, theirs] = [
          positionsOf(focus.naive, asked.subcorpus),
          positionsOf(reference.naive, asked.referenceSubcorpus),
        ];
        const asking = keywords(focus.desk, {
          attribute,
          smoothing,
          minCount,
          minReferenceCount,
          minDocuments,
          ...definition(asked.subcorpus),
          reference: { desk: reference.desk, ...definition(asked.referenceSubcorpus) },
        });
        if (own.length === 0 || theirs.length === 0) {
          await expect(asking).rejects.toMatchObject({ code: "nothing_to_compare" });
          return;
        }
        const list = await asking;
        const [values, others] = [valuesOf(focus.naive, attribute), valuesOf(reference.naive, attribute)];
        const expected = [...groups(own, (position) => values[position])]
          .map(([value, positions]) => ({
            value,
            count: positions.length,
            referenceCount: theirs.filter((position) => others[position] === value).length,
            documents: distinctDocuments(focus.naive, positions),
          }))
          .filter((row) => row.count >= minCount && row.referenceCount >= minReferenceCount)
          .filter((row) => row.documents >= minDocuments);
        expect(list.types).toBe(expected.length);
        for (const { score, ...row } of list.rows) {
          const twin = expected.find(({ value }) => value === row.value)!;
          expect(row).toMatchObject(twin);
          const fpm = (1e6 * twin.count) / own.length;
          const rpm = (1e6 * twin.referenceCount) / theirs.length;
          close(score, (fpm + smoothing) / (rpm + smoothing));
        }
        for (let i = 1; i < list.rows.length; i++)
          expect(list.rows[i].score).toBeLessThanOrEqual(list.rows[i - 1].score);
      },
    ),
    600_000,
  );

  let passesMost = 0;
  afterAll(() => expect(passesMost).toBeGreaterThan(8));
  const lengths = fc.constantFrom<[number, number]>([1, 1], [2, 2], [3, 3], [2, 3], [1, 4], [2, 5]);
  it(
    "n-grams are counted in one pass or many as they are one by one",
    overCorpora(
      2,
      fc.record({
        attribute: fc.constantFrom("word", "tag", "lc", "word/id"),
        subcorpus,
        lengths,
        within: fc.constantFrom("s", "doc", "x", null, undefined),
        minCount: fc.integer({ min: 1, max: 3 }),
        maxCount: fc.constantFrom(4, 1000),
        each: fc.option(fc.constantFrom("[abNV]", "(?!c).*"), { nil: undefined, freq: 2 }),
        containing: fc.constantFrom([], ["a|N"], ["a|N", "b|V"]),
        starting: fc.option(fc.constantFrom("[aN]"), { nil: undefined, freq: 2 }),
        ending: fc.option(fc.constantFrom("[bV]"), { nil: undefined, freq: 2 }),
        hideNested: fc.option(fc.constantFrom(1, 0.5), { nil: undefined }),
        compared: fc.boolean(),
        referenceSubcorpus: subcorpus,
        small: fc.boolean(),
      }),
      async ([focus, other], { subcorpus, compared, referenceSubcorpus, small, ...options }) => {
        if (small)
          Object.assign(limits, { blockTokens: 8, ngramTableBytesMax: 160, ngramSketchBytesMax: 16 });
        else Object.assign(limits, usual);
        const own = stretches(focus.naive, options.within, subcorpus);
        const theirs = stretches(other.naive, options.within, referenceSubcorpus);
        const asking = ngrams(focus.desk, {
          ...options,
          documents: true,
          ...definition(subcorpus),
          ...(compared && { reference: { desk: other.desk, ...definition(referenceSubcorpus) } }),
        });
        const sizes = [positionsOf(focus.naive, subcorpus), positionsOf(other.naive, referenceSubcorpus)];
        if (compared && sizes.some(({ length }) => length === 0)) {
          await expect(asking).rejects.toMatchObject({ code: "nothing_to_compare" });
          return;
        }
        const list = await asking;
        const values = valuesOf(focus.naive, options.attribute);
        const others = valuesOf(other.naive, options.attribute);
        const expected = naiveNgrams(focus.naive, values, own, options).map((row) => ({
          ...row,
          ...(compared && {
            referenceCount: occurrences(others, theirs, row.values.length).filter(
              (begin) => others.slice(begin, begin + row.values.length).join(" ") === row.value,
            ).length,
          }),
        }));
        const shown = list.rows.map(({ value, values, count, documents, referenceCount }) => ({
          value,
          values,
          count,
          documents,
          ...(compared && { referenceCount }),
        }));
        const order = (a: { value: string }, b: { value: string }) => byBytes(a.value, b.value);
        expect([...shown].sort(order)).toEqual([...expected].sort(order));
        if (!compared)
          expect(shown.map(({ value }) => value)).toEqual(
            expected
              .sort((a, b) => b.count - a.count || compareRows(a.values, b.values))
              .map(({ value }) => value),
          );
        passesMost = Math.max(passesMost, list.passes);
      },
    ),
    600_000,
  );

  it(
    "terms are what rules match, once where two do, and C-values follow from their counts",
    overCorpora(
      2,
      fc.record({
        queries: fc.constantFrom(
          ['[tag="N"]+'],
          ['[tag="N|V"]{1,3}', '[tag="N"]+ [tag="D"]'],
          ['"a" []?', '[tag="N"]{1,2}', '[word="b"]'],
        ),
        attribute: fc.constantFrom("word", "lc", "word/id"),
        subcorpus,
        minCount: fc.integer({ min: 1, max: 2 }),
        compared: fc.boolean(),
      }),
      async ([focus, other], { queries, attribute, subcorpus, minCount, compared }) => {
        const grammar = queries.map((query, i) => ({ name: `r${i}`, query }));
        if (compared && positionsOf(focus.naive, subcorpus).length === 0) return;
        const list = await terms(focus.desk, {
          grammar,
          attribute,
          minCount,
          ...definition(subcorpus),
          ...(compared && { reference: { desk: other.desk } }),
        });
        const inside = subcorpus && runs(positionsOf(focus.naive, subcorpus));
        const matched = matchedOnce(focus.naive, queries).filter(
          ([begin, end]) => !inside || inside.some(([from, to]) => from <= begin && end <= to),
        );
        const values = valuesOf(focus.naive, attribute);
        const others = valuesOf(other.naive, attribute);
        const elsewhere = matchedOnce(other.naive, queries).map(([begin, end]) =>
          others.slice(begin, end).join(" "),
        );
        const found = [...groups(matched, ([begin, end]) => values.slice(begin, end).join(" "))]
          .map(([value, own]) => ({
            value,
            count: own.length,
            documents: distinctDocuments(
              focus.naive,
              own.map(([begin]) => begin),
            ),
          }))
          .filter(({ count }) => count >= minCount);
        expect(list.types).toBe(found.length);
        expect(list.occurrences).toBe(matched.length);
        for (const row of list.rows) {
          const twin = found.find(({ value }) => value === row.value)!;
          expect(row).toMatchObject(twin);
          const longer = found.filter(
            ({ value }) => value !== row.value && ` ${value} `.includes(` ${row.value} `),
          );
          const nested = longer.reduce((sum, { count }) => sum + count, 0) / (longer.length || 1);
          close(row.cValue, Math.log2(row.value.split(" ").length + 1) * (twin.count - nested));
          if (compared)
            expect(row.referenceCount).toBe(elsewhere.filter((text) => text === row.value).length);
          else expect(row.score).toBe(row.cValue);
        }
      },
    ),
    600_000,
  );
});

describe("a corpus that was appended to", () => {
  const sentence = fc.array(fc.constantFrom("a", "A", "b", "á", "zz", "c", "Žluť", "x.y", "ab"), {
    minLength: 1,
  });
  const text = fc.array(sentence, { minLength: 1, maxLength: 4 });
  const written = (sentences: string[][]) =>
    `<doc>\n${sentences.map((words) => `<s>\n${words.join("\n")}\n</s>\n`).join("")}</doc>\n`;

  it("has the lists of one that was encoded at once, though its lexicons have several generations", async () => {
    let generations = 0;
    await fc.assert(
      fc.asyncProperty(text, text, text, async (...texts) => {
        const name = `g${serial++}`;
        const paths = texts.map((own, i) => {
          const path = join(folder, `${name}.${i}.vert`);
          writeFileSync(path, written(own));
          return path;
        });
        const how = { data: folder, workers: 1, attributes: ["word"] };
        await encodeCorpus({ ...how, corpus: `${name}once`, inputs: paths });
        await encodeCorpus({ ...how, corpus: `${name}grown`, inputs: paths.slice(0, 1) });
        for (const path of paths.slice(1))
          await appendToCorpus({
            data: folder,
            corpus: `${name}grown`,
            inputs: [path],
            workers: 1,
            compact: false,
          });
        const [once, grown] = ["once", "grown"].map((kind) =>
          Desk.open({ data: folder, corpus: name + kind, pool }),
        );
        for (const attribute of ["word", "word/i", "word/id"]) {
          const asks = [
            (desk: Desk) => wordlist(desk, { attributes: [attribute] }),
            (desk: Desk) => wordlist(desk, { attributes: [attribute], order: "value" }),
            (desk: Desk) => wordlist(desk, { attributes: [attribute, "word"] }),
            (desk: Desk) =>
              keywords(desk, { attribute, reference: { desk: once }, measures: ["log-likelihood"] }),
            (desk: Desk) => keywords(once, { attribute, reference: { desk } }),
            (desk: Desk) =>
              ngrams(desk, { attribute, lengths: [1, 3], minCount: 1, reference: { desk: once } }),
          ];
          for (const ask of asks) expect((await ask(grown)).rows).toEqual((await ask(once)).rows);
        }
        generations = Math.max(generations, grown.snapshot.attribute("word").lexicon.generations.length);
        for (const desk of [once, grown]) await desk.close();
        for (const kind of ["once", "grown"]) await removeCorpus({ data: folder, corpus: name + kind });
      }),
      { seed, numRuns: Math.max(5, Math.round(15 * scale)) },
    );
    expect(generations).toBeGreaterThan(1);
  }, 600_000);
});

function compareRows(a: string[], b: string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return byBytes(a[i], b[i]);
  return a.length - b.length;
}

// ---- n-grams and terms, one by one

/** Ranges of positions that follow each other. */
function runs(positions: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const position of positions) {
    const last = found.at(-1);
    if (last && last[1] === position) last[1]++;
    else found.push([position, position + 1]);
  }
  return found;
}

/** Tests of where n-grams may lie. */
function stretches(
  naive: Naive,
  within: string | null | undefined,
  query: string | undefined,
): (begin: number, end: number) => boolean {
  const ranges = runs(positionsOf(naive, query));
  const structures = within === null ? undefined : naive.structures[within ?? "s"];
  return (begin, end) =>
    ranges.some(([from, to]) => from <= begin && end <= to) &&
    (!structures || structures.some((one) => one.begin <= begin && end <= one.end));
}

function occurrences(
  values: string[],
  lie: (begin: number, end: number) => boolean,
  length: number,
): number[] {
  return values.flatMap((_, begin) =>
    begin + length <= values.length && lie(begin, begin + length) ? [begin] : [],
  );
}

function naiveNgrams(
  naive: Naive,
  values: string[],
  lie: (begin: number, end: number) => boolean,
  options: {
    lengths: [number, number];
    minCount: number;
    maxCount: number;
    each?: string;
    containing: readonly string[];
    starting?: string;
    ending?: string;
    hideNested?: number;
    attribute: string;
  },
) {
  const flags = options.attribute.split("/")[1] ?? "";
  const test = (pattern: string | undefined) => (value: string) =>
    pattern === undefined || new RegExp(`^(?:${fold(pattern, flags)})$`, "u").test(value);
  const found: { value: string; values: string[]; count: number; documents: number }[] = [];
  for (let length = options.lengths[0]; length <= options.lengths[1]; length++) {
    const begins = occurrences(values, lie, length);
    for (const [value, own] of groups(begins, (begin) => values.slice(begin, begin + length).join(" "))) {
      const words = value.split(" ");
      if (own.length < options.minCount || own.length > options.maxCount) continue;
      if (!words.every(test(options.each)) || !test(options.starting)(words[0])) continue;
      if (!test(options.ending)(words[length - 1])) continue;
      if (!options.containing.every((pattern) => words.some(test(pattern)))) continue;
      found.push({ value, values: words, count: own.length, documents: distinctDocuments(naive, own) });
    }
  }
  const { hideNested } = options;
  if (hideNested === undefined) return found;
  return found.filter(
    (row) =>
      !found.some(
        (longer) =>
          longer.values.length > row.values.length &&
          ` ${longer.value} `.includes(` ${row.value} `) &&
          longer.count >= hideNested * row.count,
      ),
  );
}

function matchedOnce(naive: Naive, queries: readonly string[]): [number, number][] {
  const ranges = new Map<string, [number, number]>();
  for (const query of queries)
    for (const { begin, end } of matchNaively(naive, parse(query).query!, "all"))
      if (end > begin) ranges.set(`${begin}-${end}`, [begin, end]);
  return [...ranges.values()];
}
