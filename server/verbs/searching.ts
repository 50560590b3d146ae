/** Ranked retrieval. */
import { type SearchOptions, search } from "../../ql/index.js";
import { noticeSubcorpora } from "./chains.js";
import { type DeskVerb, flag, natural, object, type Test, text, textOrObject, texts } from "./verb.js";

const marks: Test = (value) => texts(value) && (value as string[]).length === 2;

export const searchVerbs: Record<string, DeskVerb> = {
  /**
   * The units that some words fit best. Cost: O(occurrences of the words); of very frequent ones, of those in units that may be
   * among the best. The first time O(units).
   */
  search: {
    kind: "result",
    heavy: true,
    access: "read",
    corpus: "needed",
    parameters: {
      "query!": text,
      subcorpus: textOrObject,
      unit: text,
      limit: natural,
      from: natural,
      weights: object,
      attribute: text,
      snippet: natural,
      marks,
      explain: flag,
      exact: flag,
    },
    answer: ({ desk, parameters }) => {
      noticeSubcorpora(desk, parameters);
      return search(desk, parameters as unknown as SearchOptions);
    },
  },
};
