/** Lists about a whole corpus, or a part of one: words, keywords, n-grams, terms. */
import {
  type Desk,
  isOfStructures,
  type KeywordsOptions,
  keywords,
  type NgramsOptions,
  ngrams,
  readGrammar,
  structureList,
  type TermsOptions,
  terms,
  type WordlistOptions,
  wordlist,
} from "../../ql/index.js";
import { noticeSubcorpora } from "./chains.js";
import { TableRows } from "./rows.js";
import {
  type Asking,
  type DeskVerb,
  flag,
  natural,
  number,
  object,
  type Parameters,
  type Test,
  text,
  textOrObject,
  texts,
} from "./verb.js";

const pageParameters: Record<string, Test> = { from: natural, limit: natural, subcorpus: textOrObject };
const referenceParameters: Record<string, Test> = {
  reference: text,
  referenceSubcorpus: textOrObject,
  measures: texts,
  smoothing: number,
};
const referenceOf = ({ reference }: Parameters) => (reference === undefined ? [] : [reference as string]);
const rules: Test = (value) =>
  Array.isArray(value) &&
  value.every((rule) => object(rule) && text((rule as Parameters).name) && text((rule as Parameters).query));
const lengths: Test = (value) => Array.isArray(value) && value.length === 2 && value.every(natural);

export const listVerbs: Record<string, DeskVerb> = {
  /**
   * Values of attributes with their counts. Cost: O(values) for one attribute of the whole corpus; O(tokens) for several, and
   * in a subcorpus.
   */
  wordlist: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      ...pageParameters,
      "attributes!": texts,
      patterns: texts,
      minCount: natural,
      maxCount: natural,
      include: texts,
      exclude: texts,
      order: text,
    },
    open: async (asking) => {
      const options = optionsOf(asking) as unknown as WordlistOptions;
      const list = isOfStructures(options.attributes) ? structureList : wordlist;
      return tableOf(asking, await list(asking.desk, options));
    },
  },
  /** Values that are more frequent here than in a reference. Cost: O(values); O(tokens) in subcorpora. */
  keywords: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      ...pageParameters,
      ...referenceParameters,
      "attribute!": text,
      pattern: text,
      minCount: natural,
      minReferenceCount: natural,
      minDocuments: natural,
    },
    others: referenceOf,
    open: async (asking) => {
      const { desk } = asking;
      const options = { ...optionsOf(asking), reference: reference(asking) ?? { desk } };
      return tableOf(asking, await keywords(desk, options as unknown as KeywordsOptions));
    },
  },
  /** Stretches of words that occur again and again. Cost: O(tokens) for each length, and each pass that memory needs. */
  ngrams: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    heavy: true,
    parameters: {
      ...pageParameters,
      ...referenceParameters,
      "attribute!": text,
      "lengths!": lengths,
      within: text,
      minCount: natural,
      maxCount: natural,
      each: text,
      containing: texts,
      starting: text,
      ending: text,
      hideNested: number,
      documents: flag,
      crossing: flag,
    },
    others: referenceOf,
    open: async (asking) => {
      const { crossing, ...options } = optionsOf(asking);
      const own = { ...options, ...(crossing === true && { within: null }), reference: reference(asking) };
      return tableOf(asking, await ngrams(asking.desk, own as unknown as NgramsOptions));
    },
  },
  /** What a grammar matches, the best first. Cost: that of the grammar's queries, here and in the reference. */
  terms: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      ...pageParameters,
      ...referenceParameters,
      grammar: (value) => text(value) || rules(value),
      attribute: text,
      minCount: natural,
      minLength: natural,
      maxLength: natural,
      strategy: text,
      lists: object,
      gapMax: natural,
    },
    others: referenceOf,
    open: async (asking) => {
      const { grammar, ...options } = optionsOf(asking);
      const read = typeof grammar === "string" ? readGrammar(grammar) : (grammar as TermsOptions["grammar"]);
      const own = { ...options, ...(read && { grammar: read }), reference: reference(asking) };
      return tableOf(asking, await terms(asking.desk, own as TermsOptions));
    },
  },
};

/** A page of a list, at most as long as is given at once. */
function optionsOf({ desk, parameters, caps }: Asking): Parameters {
  const { reference: _, referenceSubcorpus: __, ...options } = parameters;
  noticeSubcorpora(desk, parameters);
  const { limit = caps.tableRowsMax } = options as { limit?: number };
  return { ...options, limit: Math.min(limit, caps.tableRowsMax) };
}

/** What is compared with: another corpus, or a part of this or another one. */
type Reference = KeywordsOptions["reference"];

function reference({ desk, deskOf, parameters }: Asking): Reference | undefined {
  const { reference: corpus, referenceSubcorpus: subcorpus } = parameters as {
    reference?: string;
    referenceSubcorpus?: Reference["subcorpus"];
  };
  if (corpus === undefined && subcorpus === undefined) return undefined;
  const other: Desk = corpus === undefined ? desk : deskOf(corpus);
  noticeSubcorpora(other, { subcorpus });
  return { desk: other, ...(subcorpus !== undefined && { subcorpus }) };
}

interface List {
  rows: object[];
  types: number;
  notices: Asking["notices"];
}

function tableOf({ desk, parameters, notices, limits: hit, caps }: Asking, list: List): TableRows {
  const { rows, notices: own, ...summary } = list;
  notices.push(...own);
  const { from = 0, limit } = parameters as { from?: number; limit?: number };
  // What is on the page, and what was asked for and is not.
  const wanted = Math.min(list.types - from, limit ?? Number.POSITIVE_INFINITY);
  if (rows.length < wanted) hit.tableRowsMax = caps.tableRowsMax;
  return new TableRows(rows, summary, desk.checkpoint);
}
