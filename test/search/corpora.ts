/** Random corpora of documents with titles, addresses, dates and ranks, some of them missing, cut into segments of a few tokens. */
import fc from "fast-check";

export interface SearchCorpus {
  lines: string[];
  segmentBytes: number;
}

export const vocabulary = ["a", "a", "a", "b", "b", "c", "d", "A", "B", "é", "É", "x-y", ",", "n't"];
export const words = ["a", "b", "c", "d", "é", "x-y", "n't"];

const maybe = (attribute: string, values: string[]) =>
  fc
    .option(fc.constantFrom(...values), { nil: undefined, freq: 3 })
    .map((value) => (value === undefined ? "" : ` ${attribute}="${value}"`));

const sentence = fc
  .record({
    tokens: fc.array(fc.constantFrom(...vocabulary), { minLength: 0, maxLength: 12 }),
    glued: fc.boolean(),
    type: maybe("type", ["t", "u"]),
  })
  .map(({ tokens, glued, type }) => [
    `<s${type}>`,
    ...tokens.flatMap((token, i) => (glued && i === 1 ? ["<g/>", token] : [token])),
    "</s>",
  ]);

const document = fc
  .record({
    id: maybe("id", ["one", "two", "three"]),
    title: maybe("title", ["A b", "the C of D", "X-y, é!", "nothing"]),
    url: maybe("url", ["http://a.example/b-c", "http://d.example/%C3%A9"]),
    date: maybe("date", ["1990", "1999-05", "2001-02-03", "unknown"]),
    pagerank: maybe("pagerank", ["0.5", "0.01", "0", "none", "3e-4"]),
    sentences: fc.array(sentence, { maxLength: 6 }),
    loose: fc.array(fc.constantFrom(...vocabulary), { maxLength: 3 }),
  })
  .map(({ id, title, url, date, pagerank, sentences, loose }) => [
    `<doc${id}${title}${url}${date}${pagerank}>`,
    ...sentences.flat(),
    "</doc>",
    ...loose,
  ]);

const declarations =
  '<doc id="one" title="A" url="http://a.example/" date="1990" pagerank="0.1">\n<s type="t">\nq\n</s>\n</doc>';

export const searchCorpus: fc.Arbitrary<SearchCorpus> = fc
  .record({
    documents: fc.array(document, { minLength: 1, maxLength: 14, size: "max" }),
    segmentBytes: fc.constantFrom(40, 100, 200, 400, 10_000),
  })
  .map(({ documents, segmentBytes }) => ({
    lines: [...declarations.split("\n"), ...documents.flat()],
    segmentBytes,
  }));
