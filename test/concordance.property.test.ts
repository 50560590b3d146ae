/**
 * Lines of random hits in random corpora, with glue, structures that nest, overlap and are empty, and segments of a few
 * tokens that cut through all of it: what is read is what can be put together of plain arrays.
 *
 * DUGONG_TEST_SCALE multiplies the corpora, DUGONG_TEST_SEED repeats a run.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context, Hits, LineOptions } from "../ql/index.js";
import { Desk, lines } from "../ql/index.js";
import { encodeCorpus, removeCorpus } from "../storage/index.js";
import { columns, encodeOptions, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { type Corpus, type Range, readVertical } from "./reference/corpus.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(25 * scale));
const questionsEach = 60;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gluedCorpus: fc.Arbitrary<RandomCorpus> = fc
  .tuple(randomCorpus, fc.array(fc.boolean(), { minLength: 100, maxLength: 100 }))
  .map(([corpus, glue]) => ({
    ...corpus,
    lines: corpus.lines.flatMap((line, i) => (glue[i] ? ["<g/>", line] : [line])),
  }));

const structures = ["doc", "s", "x"];
const someOf = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });

const context: fc.Arbitrary<Context> = fc.oneof(
  fc.record({ tokens: fc.nat(5) }),
  fc.record({ characters: fc.nat(12) }),
  fc.record({ structure: fc.constantFrom(...structures), count: fc.nat(3) }),
);

interface Question {
  options: LineOptions;
  /** As parts of the corpus: begin, and length. */
  hits: [number, number][];
  ordered: boolean;
}

const question: fc.Arbitrary<Question> = fc.record({
  options: fc.record({
    context,
    attributes: fc.option(
      fc.uniqueArray(fc.constantFrom("word", "lc", "tag", "feats"), { minLength: 1, maxLength: 2 }),
      { nil: undefined },
    ),
    nodeAttributes: fc.option(fc.uniqueArray(fc.constantFrom("word", "tag"), { minLength: 1 }), {
      nil: undefined,
    }),
    tags: someOf("doc", "doc.year", "s", "s.type", "x"),
    refs: fc.uniqueArray(fc.constantFrom("#", "doc", "doc.id", "doc.year", "doc.topic", "s", "s.type", "x"), {
      maxLength: 4,
    }),
  }),
  hits: fc.array(fc.tuple(fc.nat(1000), fc.nat(4)), { maxLength: 12 }),
  ordered: fc.boolean(),
});

/** So many that structures are merged with them, instead of looked up one by one. */
const largeQuestion = fc.tuple(question, fc.nat(1000)).map(([asked, first]) => ({
  ...asked,
  hits: Array.from({ length: 700 }, (_, i): [number, number] => [(first + i * 7) % 1001, i % 5]),
}));

describe("lines of hits", () => {
  it(`are what plain arrays give (seed ${seed})`, { timeout: 300_000 * Math.max(1, scale) }, async () => {
    let compared = 0;
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(gluedCorpus, { seed: seed + i, numRuns: 1 });
      const file = join(folder, "corpus.vert");
      writeFileSync(file, textOf(corpus));
      await encodeCorpus({ data: folder, corpus: "random", inputs: [file], ...encodeOptions(corpus) });
      const naive = readVertical([{ name: "corpus", text: textOf(corpus) }], {
        attributes: columns.length,
        document: corpus.document === "" ? null : corpus.document,
      });
      const desk = Desk.open({ data: folder, corpus: "random" });
      const attributesOf = new Map(
        desk.snapshot.structures.map(({ name, attributes }) => [name, attributes.map((one) => one.name)]),
      );
      try {
        const questions = fc.sample(question, { seed: seed + i, numRuns: questionsEach });
        for (const asked of [...questions, ...fc.sample(largeQuestion, { seed: seed + i, numRuns: 2 })]) {
          const ranges = rangesOf(asked, naive.glue.length);
          const expected = ranges.map(([begin, end]) =>
            naiveLine(naive, begin, end, asked.options, attributesOf),
          );
          const got = lines(desk, hitsOf(ranges), asked.options);
          expect(got, `seed ${seed + i}: ${JSON.stringify({ ...asked, lines: corpus.lines })}`).toEqual(
            expected,
          );
          compared += got.length;
        }
      } finally {
        await desk.close();
      }
      await removeCorpus({ data: folder, corpus: "random" });
    }
    expect(compared).toBeGreaterThan(corporaCount * questionsEach);
  });
});

function rangesOf({ hits, ordered }: Question, tokens: number): [number, number][] {
  const ranges = hits.map(([at, length]): [number, number] => {
    const begin = at % (tokens + 1);
    return [begin, Math.min(tokens, begin + length)];
  });
  return ordered ? ranges.sort(([a, b], [c, d]) => a - c || b - d) : ranges;
}

function hitsOf(ranges: [number, number][]): Hits {
  return {
    count: ranges.length,
    begins: Uint32Array.from(ranges, ([begin]) => begin),
    ends: Uint32Array.from(ranges, ([, end]) => end),
    ascending: ranges.every(
      ([a, b], i) => i === 0 || a > ranges[i - 1][0] || (a === ranges[i - 1][0] && b >= ranges[i - 1][1]),
    ),
    labels: new Map(),
  };
}

// ---- the same, slowly

function valuesOf(corpus: Corpus, attribute: string): string[] {
  if (attribute === "lc") return corpus.tokens[0].map((word) => word.toLowerCase());
  return corpus.tokens[columns.indexOf(attribute as (typeof columns)[number])];
}

const ofKind = (corpus: Corpus, name: string): Range[] => corpus.structures.get(name) ?? [];
const innermost = (ranges: Range[], position: number) =>
  ranges.findLastIndex(({ begin, end }) => begin <= position && position < end);

function naiveExtent(corpus: Corpus, begin: number, end: number, options: LineOptions): [number, number] {
  const tokens = corpus.glue.length;
  const { context = { tokens: 10 } } = options;
  if ("tokens" in context)
    return [Math.max(0, begin - context.tokens), Math.min(tokens, end + context.tokens)];
  if ("characters" in context) {
    const words = valuesOf(corpus, options.attributes?.[0] ?? "word");
    const plain = (from: number, to: number) =>
      words
        .slice(from, to)
        .reduce((text, word, i) => text + (i === 0 || corpus.glue[from + i] ? "" : " ") + word, "");
    const fits = (from: number, to: number) => [...plain(from, to)].length <= context.characters;
    let [from, to] = [begin, end];
    while (from > 0 && begin - from < context.characters && fits(from - 1, begin)) from--;
    while (to < tokens && to - end < context.characters && fits(end, to + 1)) to++;
    return [from, to];
  }
  const { structure, count = 1 } = context;
  if (count === 0) return [begin, end];
  const ranges = ofKind(corpus, structure);
  const first = innermost(ranges, begin);
  const last =
    first >= 0 && ranges[first].end >= end ? first : end > begin ? innermost(ranges, end - 1) : first;
  const from = first < 0 ? Math.max(0, begin - 10) : ranges[Math.max(0, first - count + 1)].begin;
  const further = ranges[Math.min(ranges.length - 1, last + count - 1)];
  const to = last < 0 ? Math.min(tokens, end + 10) : Math.max(ranges[last].end, further.end);
  return [from, to];
}

function naiveLine(
  corpus: Corpus,
  begin: number,
  end: number,
  options: LineOptions,
  /** In the corpus's order, which is not the text's. */
  attributesOf: Map<string, string[]>,
) {
  const [from, to] = naiveExtent(corpus, begin, end, options);
  const shown = new Map<string, string[]>();
  for (const name of options.tags ?? []) {
    const [structure, attribute] = name.split(".");
    const all = attributesOf.get(structure)!;
    const before = shown.get(structure) ?? [];
    shown.set(structure, [...new Set([...before, ...(attribute ? [attribute] : all)])]);
  }
  const kinds = [...shown.keys()].sort((a, b) => ofKind(corpus, a).length - ofKind(corpus, b).length);
  const opened = kinds
    .flatMap((kind, rank) => ofKind(corpus, kind).map((range, index) => ({ kind, rank, index, ...range })))
    .sort((a, b) => a.begin - b.begin || b.end - a.end || a.rank - b.rank || a.index - b.index);
  const tag = ({ kind, attributes }: (typeof opened)[number], end: string) =>
    `<${kind}${shown
      .get(kind)!
      .filter((name) => attributes.has(name))
      .map((name) => ` ${name}="${attributes.get(name)}"`)
      .join("")}${end}`;
  const closingAt = (position: number) =>
    opened
      .filter((one) => one.end === position && one.begin < one.end && position > from && position <= to)
      .reverse()
      .map(({ kind }) => `</${kind}>`)
      .join("");
  const openingAt = (position: number) => {
    const here = opened.filter((one) => one.begin === position && position >= from && position < to);
    return [
      ...here.filter((one) => one.end === one.begin).map((one) => tag(one, "/>")),
      ...here.filter((one) => one.end > one.begin).map((one) => tag(one, ">")),
    ].join("");
  };
  const context = options.attributes ?? ["word"];
  const node = options.nodeAttributes ?? context;
  const token = (position: number) =>
    (position >= begin && position < end ? node : context)
      .map((name) => valuesOf(corpus, name)[position])
      .join("/");

  // Everything in a row: before each token what closes, a space, what opens. Then it is cut at the hit.
  const fields = { left: "", match: "", right: "" };
  const glued = { left: false, right: false };
  for (let position = from; position <= to; position++) {
    const [closing, opening] = [closingAt(position), openingAt(position)];
    const space = position > from && position < to && !corpus.glue[position] ? " " : "";
    const atBegin = position === begin;
    const atEnd = position === end;
    if (atBegin && atEnd) {
      // A hit without tokens: what closes and opens lies to its left.
      fields.left += closing;
      fields.left += opening === "" ? "" : space + opening;
      glued.left = opening !== "" || (from < begin && begin < to && space === "");
    } else if (atBegin) {
      fields.left += closing;
      fields.left += opening === "" ? "" : space + opening;
      glued.left = opening !== "" || (from < begin && space === "");
    } else if (atEnd) {
      fields.right += closing + (closing === "" ? "" : space) + opening;
      glued.right = closing !== "" || (end < to && space === "");
    } else if (position < begin) fields.left += closing + space + opening;
    else if (position < end) fields.match += closing + space + opening;
    else fields.right += closing + space + opening;
    if (position === to) break;
    if (position < begin) fields.left += token(position);
    else if (position < end) fields.match += token(position);
    else fields.right += token(position);
  }
  const refs = Object.fromEntries(
    (options.refs ?? []).map((name) => {
      if (name === "#") return [name, begin];
      const [structure, attribute] = name.split(".");
      const number = innermost(ofKind(corpus, structure), begin);
      if (number < 0) return [name, null];
      return [
        name,
        attribute ? (ofKind(corpus, structure)[number].attributes.get(attribute) ?? null) : number,
      ];
    }),
  );
  return {
    begin,
    end,
    ...fields,
    ...(glued.left && { gluedLeft: true }),
    ...(glued.right && { gluedRight: true }),
    ...((options.refs ?? []).length > 0 && { refs }),
  };
}
