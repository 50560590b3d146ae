/** What bench/stats.ts asks: each question with the hits and rows of its answer. */

import { slice } from "../ql/chain/hits.js";
import { type Chain, collect, collocations, type Desk, frequency, lines, type Step } from "../ql/index.js";
import { forgetCounts } from "../ql/stats/memory.js";
import { wordlist } from "../ql/stats/wordlist.js";

type Question = (desk: Desk, word: string) => Promise<{ hits: number; rows: number }>;

/** The word whose share of the corpus is nearest to this. */
export function frequentWord({ snapshot }: Pick<Desk, "snapshot">, share: number): string {
  const { lexicon } = snapshot.attribute("word");
  const distance = (id: number) => Math.abs(lexicon.frequency(id) - share * snapshot.tokens);
  let nearest = 0;
  for (let id = 1; id < Math.min(1000, lexicon.size); id++)
    if (distance(id) < distance(nearest)) nearest = id;
  return lexicon.string(nearest);
}

const chain = (word: string, ...steps: Step[]): Chain => [
  { step: "query", query: `[word=="${word}"]` },
  ...steps,
];

function sorted(keys: string[], collation?: string): Question {
  return async (desk, word) => {
    const { hits } = await collect(
      desk,
      chain(word, { step: "sort", keys, ...(collation && { collation }) }),
    );
    return { hits: hits.count, rows: lines(desk, slice(hits, 0, 50)).length };
  };
}

function kept(step: Step): Question {
  return async (desk, word) => ({ hits: (await collect(desk, chain(word, step))).hits.count, rows: 0 });
}

export const questions: Record<string, Question> = {
  "frequency by right neighbour": async (desk, word) => {
    const { hits, rowsTotal } = await frequency(desk, chain(word), { by: "word 1", limit: 100 });
    return { hits, rows: rowsTotal };
  },
  "frequency by two keys and text type": async (desk, word) => {
    const { hits, rowsTotal } = await frequency(desk, chain(word), { by: "tag -1, doc.genre", limit: 100 });
    return { hits, rows: rowsTotal };
  },
  "collocations, -5..5": async (desk, word) => {
    const { hits, collocates } = await collocations(desk, chain(word), { attribute: "lemma", limit: 100 });
    return { hits, rows: collocates };
  },
  "collocations, -5..5 within s": async (desk, word) => {
    const { hits, collocates } = await collocations(desk, chain(word), {
      attribute: "lemma",
      within: "s",
      limit: 100,
    });
    return { hits, rows: collocates };
  },
  "sort by two keys, bytes, first page": sorted(["word 1", "lemma -1"], "bytes"),
  "sort by two keys, as Unicode does": sorted(["word 1", "lemma -1"]),
  "sort by two keys, ignoring case": sorted(["word/i 1", "lemma/i -1"]),
  "sort by text type and word": sorted(["doc.year", "word 1"], "bytes"),
  "filter by a tag nearby": kept({ step: "filter", query: '[tag="NN"]', window: { from: 1, to: 3 } }),
  "keep what is inside documents": kept({ step: "within", query: '<doc genre="news"/>' }),
  "first of each document": kept({ step: "first", structure: "doc" }),
  "sample of 1,000": kept({ step: "sample", count: 1000 }),
  "word list of words with documents": async (desk) => {
    forgetCounts(desk);
    const { rows, types } = await wordlist(desk, { attributes: ["word"], limit: 1000 });
    return { hits: types, rows: rows.length };
  },
  "word list of lemmas and tags": async (desk) => {
    forgetCounts(desk);
    const { rows, types } = await wordlist(desk, { attributes: ["lemma", "tag"], limit: 1000 });
    return { hits: types, rows: rows.length };
  },
};
