/**
 * Small random corpora of a fixed vocabulary, so that queries at random find something in them: vertical text, how it
 * is encoded, and what the naive matcher makes of it. Structures nest, overlap and are empty, values are missing or
 * many, heads lead anywhere, and segments of a few tokens cut through all of it.
 */
import fc from "fast-check";
import type { EncodeOptions } from "../../storage/index.js";
import { readVertical } from "../reference/corpus.js";
import type { NaiveCorpus } from "../reference/matcher.js";

export interface RandomCorpus {
  lines: string[];
  /** The structure that is a document, or none. */
  document: "doc" | "";
  /** About so much text in a segment. */
  segmentBytes: number;
}

/** What can stand in a column, or in an attribute of a structure; the frequent first, and more than once. */
export const values = {
  word: ["a", "a", "a", "b", "b", "c", "A", "é", "E", "x.y"],
  tag: ["N", "N", "V", "V", "D"],
  feats: ["p", "q", "p|q", "|q|r|", "q|q", "|", ""],
  head: ["1", "1", "-1", "-1", "0", "2", "-2", "3", "-40", "x", "9007199254740992", "9007199254740993"],
  deprel: ["subj", "obj", "obj", "obj:x", "root"],
  "doc.id": ["d1", "d2", "d3"],
  "doc.year": ["1990", "1991", "1999", "20", "new"],
  "doc.topic": ["a;b", "b", "c;", ";", ""],
  "s.type": ["t", "u"],
};

export const columns = ["word", "tag", "feats", "head", "deprel"] as const;
/** Structures with the names of their attributes: every corpus has them all. */
export const structures: Record<string, string[]> = { doc: ["id", "year", "topic"], s: ["type"], x: [] };
export const lists: Record<string, string[]> = {
  few: ["a", "N", "q"],
  more: ["b", "c", "V", "p", "1991", "t"],
  none: [],
};

const token = fc
  .tuple(...columns.map((column) => fc.constantFrom(...values[column])))
  .map((row) => row.join("\t"));

function openTag(name: string, end: string): fc.Arbitrary<string> {
  const attributes = structures[name].map((attribute) => {
    const of = values[`${name}.${attribute}` as keyof typeof values];
    return fc.option(fc.constantFrom(...of), { nil: undefined, freq: 4 }).map((value) => {
      return value === undefined ? "" : ` ${attribute}="${value}"`;
    });
  });
  return fc.tuple(...attributes).map((given) => `<${name}${given.join("")}${end}`);
}

const names = Object.keys(structures);
const line = fc.oneof(
  { weight: 14, arbitrary: token },
  { weight: 3, arbitrary: openTag("s", ">") },
  { weight: 1, arbitrary: openTag("doc", ">") },
  { weight: 1, arbitrary: openTag("x", ">") },
  { weight: 5, arbitrary: fc.constantFrom("</s>", "</s>", "</s>", "</x>", "</doc>") },
  { weight: 1, arbitrary: fc.constantFrom(...names).chain((name) => openTag(name, "/>")) },
);

/** Here every structure and attribute occurs: an empty structure of each kind. */
export const declarations = names.map((name) => {
  const attributes = structures[name].map(
    (attribute) => ` ${attribute}="${values[`${name}.${attribute}` as keyof typeof values][0]}"`,
  );
  return `<${name}${attributes.join("")}/>`;
});

export const randomCorpus: fc.Arbitrary<RandomCorpus> = fc
  .record({
    lines: fc.array(line, { minLength: 6, maxLength: 80, size: "max" }),
    first: token,
    declaredFirst: fc.boolean(),
    document: fc.constantFrom("doc" as const, "" as const),
    segmentBytes: fc.constantFrom(1, 40, 100, 100, 200, 200, 400, 400, 10_000),
  })
  .map(({ lines, first, declaredFirst, document, segmentBytes }) => ({
    lines: declaredFirst ? [...declarations, first, ...lines] : [first, ...lines, ...declarations],
    document,
    segmentBytes,
  }));

export function textOf({ lines }: RandomCorpus): string {
  return `${lines.join("\n")}\n`;
}

export function encodeOptions({ document, segmentBytes }: RandomCorpus): Partial<EncodeOptions> {
  return {
    attributes: [...columns],
    multivalue: { feats: "|", "doc.topic": ";" },
    unique: ["doc.id"],
    derive: ["lc"],
    document,
    segmentBytes,
    workers: 1,
  };
}

/** The same for the naive matcher, with what was appended to it, read without any of the code that encodes. */
export function naiveCorpus(corpus: RandomCorpus, ...appended: RandomCorpus[]): NaiveCorpus {
  const files = [corpus, ...appended].map((part, i) => ({ name: String(i), text: textOf(part) }));
  const { tokens, structures: found } = readVertical(files, {
    attributes: columns.length,
    document: corpus.document === "" ? null : corpus.document,
  });
  const attributes: Record<string, string[]> = Object.fromEntries(
    columns.map((name, i) => [name, tokens[i]]),
  );
  attributes.lc = attributes.word.map((word) => word.toLowerCase());
  return {
    attributes,
    defaultAttribute: "word",
    structures: Object.fromEntries(
      [...found].map(([name, ranges]) => [
        name,
        ranges.map(({ begin, end, attributes }) => ({
          begin,
          end,
          attributes: Object.fromEntries(attributes),
        })),
      ]),
    ),
    separators: { feats: "|", "doc.topic": ";" },
    lists,
  };
}
