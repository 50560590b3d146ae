/** Word sketches, their differences, and similar words. */
import {
  type AskDiffOptions,
  type AskSketchOptions,
  sketch,
  sketchDiff,
  type ThesaurusOptions,
  thesaurus,
} from "../../ql/index.js";
import { noticeSubcorpora } from "./chains.js";
import {
  type DeskVerb,
  flag,
  natural,
  object,
  oneOf,
  type Parameters,
  positive,
  type Test,
  text,
  textOrObject,
  texts,
} from "./verb.js";

const forms: Test = (value) => texts(value) && (value as string[]).length === 2;
const collocate: Test = (value) => {
  if (!object(value)) return false;
  const { collocate, relation } = value as Parameters;
  return text(collocate) && (relation === undefined || text(relation));
};

/** true, or how similar words of a cluster are on average. */
const cluster: Test = (value) => flag(value) || (typeof value === "number" && value > 0 && value <= 1);

const sketchParameters: Record<string, Test> = {
  "word!": text,
  pos: text,
  relations: texts,
  minCount: natural,
  maxItems: positive,
  order: oneOf("score", "count"),
  subcorpus: textOrObject,
  sketches: text,
};

export const sketchVerbs: Record<string, DeskVerb> = {
  /**
   * What a word does, relation by relation. Cost: O(its triples); in a subcorpus, O(occurrences of its collocates); of clusters,
   * O(triples of what is shown) besides.
   */
  sketch: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { ...sketchParameters, with: collocate, reverse: flag, cluster, examples: flag },
    answer: ({ desk, parameters }) => {
      noticeSubcorpora(desk, parameters);
      return sketch(desk, parameters as unknown as AskSketchOptions);
    },
  },
  /** Two sketches beside each other. Cost: that of both. */
  sketchDiff: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { ...sketchParameters, other: text, forms, otherSubcorpus: textOrObject },
    answer: ({ desk, parameters }) => {
      noticeSubcorpora(desk, parameters);
      noticeSubcorpora(desk, { subcorpus: parameters.otherSubcorpus });
      return sketchDiff(desk, parameters as unknown as AskDiffOptions);
    },
  },
  /** Words that share contexts with a word. Cost: O(1) of a thesaurus that was computed; else O(heads of its contexts). */
  thesaurus: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { "word!": text, pos: text, limit: positive, minCount: natural, cluster, sketches: text },
    answer: ({ desk, parameters }) => thesaurus(desk, parameters as unknown as ThesaurusOptions),
  },
};
