/**
 * Every kind of request that takes long on a large corpus, as clients send it: what bench/gaps.ts and bench/cancel.ts ask.
 * `word` occurs in about one of a hundred tokens; `other` is a corpus that is aligned by documents.
 */
export interface HeavyRequest {
  verb: string;
  [parameter: string]: unknown;
}

/** 20,000 alternatives of some letters each, as a list of words has them. */
const manyWords = Array.from({ length: 20_000 }, (_, i) => `t${(i * 7919).toString(36)}a`).join("|");

export function heavyRequests(word: string, other: string): Record<string, HeavyRequest> {
  const query = `[word=="${word}"]`;
  const scan = '[tag="VB"] []{0,5} [tag="NN"]';
  const year = { kind: "query", query: '<doc year="19[78]5"/>' };
  const half = { kind: "query", query: '<doc year="19[5-8]."/>' };
  const lines = (...steps: object[]) => ({
    verb: "lines",
    chain: [{ step: "query", query }, ...steps],
  });
  const freq = (by: string, more: object = {}) => ({ verb: "freq", query, by, limit: 1000, ...more });
  return {
    "count, a scan": { verb: "count", query: scan },
    "count, a pattern of words": { verb: "count", query: '[word=".*[aeiou]t[ou].*"] [word!=".*k.*"]' },
    "count, a list of words": { verb: "count", query: `[word="${manyWords}"]` },
    "count, ignoring case": { verb: "count", query: '[word="(?i).*NATE.*"] []' },
    "count, inside structures": { verb: "count", query: `"${word}" []{0,20} "${word}" within <s/>` },
    "count, meet": { verb: "count", query: `(meet [tag="VB"] "${word}" -5 5)` },
    "count, in a subcorpus": { verb: "count", query: scan, subcorpus: half },
    "count, longest": { verb: "count", query: scan, strategy: "longest" },
    "prepare, a pattern": { verb: "prepare", query: '[word=".*(ta|to|ti).*e"]' },
    positions: { verb: "positions", query: scan },
    lines: lines(),
    "lines, labels": { verb: "lines", query: `1:[] 2:"${word}" & 1.tag = 2.tag` },
    "lines, labels in many ways": {
      verb: "lines",
      query: `1:[] []{0,20} 2:[] []{0,20} 3:"${word}" & 1.word = 3.word & 2.tag = 1.tag`,
    },
    "lines, whole documents": { verb: "lines", query, context: "100 doc" },
    "lines, filter": lines({ step: "filter", query: '[tag="NN"]', window: { from: 1, to: 3 } }),
    "lines, filter in sentences": lines({ step: "filter", query: '"ta.*"', window: { structure: "s" } }),
    "lines, within": lines({ step: "within", query: '<doc genre="news"/>' }),
    "lines, first": lines({ step: "first", structure: "doc" }),
    "lines, outermost": lines({ step: "outermost" }),
    "lines, sample": lines({ step: "sample", count: 100_000 }),
    "lines, shuffle": lines({ step: "shuffle" }),
    "lines, shuffle and filter": lines({ step: "shuffle" }, { step: "filter", query: '[tag="NN"]' }),
    "lines, sort by bytes": lines({ step: "sort", keys: ["word 1", "lemma -1"], collation: "bytes" }),
    "lines, sort as Unicode does": lines({ step: "sort", keys: ["word 1", "lemma -1"] }),
    "lines, sort ignoring case": lines({ step: "sort", keys: ["word/i 1"] }),
    "lines, sort from the end": lines({ step: "sort", keys: ["word/r 1"] }),
    "lines, sort by frequency": lines({ step: "sort", keys: ["word/f 1"] }),
    "lines, sort by stretches": lines({ step: "sample", percent: 20 }, { step: "sort", keys: ["word 1..3"] }),
    "lines, sort by documents": lines({ step: "sort", keys: ["doc.id"] }),
    "lines, examples": lines({ step: "examples", count: 100 }),
    "lines, sorted examples": lines({ step: "sort", keys: ["word 1"] }, { step: "examples", count: 100 }),
    "lines, two corpora": { verb: "lines", query, aligned: [other] },
    "lines, within the other corpus": { verb: "lines", query: `${query} within ${other}: "ta"` },
    "freq by word": freq("word 1"),
    "freq ignoring case": freq("word/i 1"),
    "freq by stretches": freq("word 1..3"),
    "freq by tag and genre": freq("tag -1, doc.genre"),
    "freq by document": freq("doc.id"),
    "freq, all tokens": { verb: "freq", query: "[]", by: "word 0", subcorpus: year },
    "freq, all rows": freq("word 1, word 2", { limit: undefined }),
    "freq, dispersion": freq("word 1", { dispersion: true }),
    totals: { verb: "totals", query },
    distribution: { verb: "distribution", query, parts: 1000 },
    trend: { verb: "trend", query, over: "doc.year" },
    coll: { verb: "coll", query, attribute: "lemma" },
    "coll ignoring case": { verb: "coll", query, attribute: "word/i" },
    "coll in sentences, with skips": { verb: "coll", query, within: "s", skip: '[tag="DT"]' },
    "coll, all rows": { verb: "coll", query, attribute: "word", minCount: 1, minTotal: 1, limit: 1_000_000 },
    "coll of sorted lines": { verb: "coll", ...without(lines({ step: "sort", keys: ["word 1"] }), "verb") },
    "coll in a subcorpus": { verb: "coll", query, subcorpus: half },
    wordlist: { verb: "wordlist", attributes: ["word"] },
    "wordlist by value": { verb: "wordlist", attributes: ["word"], order: "value" },
    "wordlist by ARF": { verb: "wordlist", attributes: ["word"], order: "arf", limit: 100 },
    "wordlist of a pattern": { verb: "wordlist", attributes: ["word"], patterns: [".*[ou].*ta.*"] },
    "wordlist ignoring case": { verb: "wordlist", attributes: ["word/i"] },
    "wordlist of several": { verb: "wordlist", attributes: ["lemma", "tag"], subcorpus: half },
    "wordlist in a subcorpus": { verb: "wordlist", attributes: ["word"], subcorpus: half },
    "wordlist of documents": { verb: "wordlist", attributes: ["doc.year"] },
    keywords: { verb: "keywords", attribute: "word", reference: other },
    "keywords ignoring case": { verb: "keywords", attribute: "word/i", reference: other },
    "keywords of a subcorpus": { verb: "keywords", attribute: "lemma", subcorpus: half },
    ngrams: { verb: "ngrams", attribute: "word", lengths: [2, 2], minCount: 10 },
    "ngrams, nested, with documents": {
      verb: "ngrams",
      attribute: "lemma",
      lengths: [2, 3],
      subcorpus: year,
      hideNested: 0.8,
      documents: true,
    },
    "ngrams, against a reference": {
      verb: "ngrams",
      attribute: "word",
      lengths: [2, 2],
      subcorpus: year,
      reference: other,
    },
    terms: {
      verb: "terms",
      attribute: "lemma",
      grammar: 'pair = [tag="JJ"] [tag="NN"]\nthree = [tag="NN"] [tag="IN"] [tag="NN"]',
    },
    search: { verb: "search", query: `${word} ta to` },
    "search, sentences": { verb: "search", query: `${word} ta to`, unit: "s", exact: true },
    "count, where": { verb: "count", query: scan, where: 'year>=1950 and genre~"n.*"' },
    "subcorpus, its size": { verb: "totals", query: "[]", subcorpus: half },
    "subcorpus of hits": {
      verb: "totals",
      query: "[]",
      subcorpus: { kind: "hits", chain: [{ step: "query", query }], structure: "s" },
    },
    "values by frequency": { verb: "values", attribute: "word" },
    "values by value": { verb: "values", attribute: "word", order: "value", limit: 100_000 },
    "values ignoring case": { verb: "values", attribute: "word", prefix: "TA", ignoreCase: true },
    "values of documents": { verb: "values", attribute: "doc.year" },
  };
}

function without<Value extends object>(value: Value, name: keyof Value): Partial<Value> {
  const { [name]: _, ...others } = value;
  return others as Partial<Value>;
}
