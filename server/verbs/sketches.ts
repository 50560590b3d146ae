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

const sketchParameters: Record<string, Test> = {
  "word!": text,
  pos: text,
  relations: texts,
  minCount: natural,
  maxItems: positive,
  order: oneOf("score", "count"),
  subcorpus: textOrObject,
};

export const sketchVerbs: Record<string, DeskVerb> = {
  /** What a word does, relation by relation. Cost: O(its triples); in a subcorpus, O(occurrences of its collocates). */
  sketch: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { ...sketchParameters, with: collocate, examples: flag },
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
  /** Words that share contexts with a word. Cost: O(heads of its contexts), and O(triples) of the best candidates. */
  thesaurus: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { "word!": text, pos: text, limit: positive, minCount: natural },
    answer: ({ desk, parameters }) => thesaurus(desk, parameters as unknown as ThesaurusOptions),
  },
};
