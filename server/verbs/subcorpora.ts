/** Parts of a corpus under names. */
import {
  createSubcorpus,
  listSubcorpora,
  removeSubcorpus,
  type SubcorpusDefinition,
  subcorpusInfo,
} from "../../ql/index.js";
import { type DeskVerb, flag, object, text } from "./verb.js";

export const subcorpusVerbs: Record<string, DeskVerb> = {
  /** Those that there are, with their sizes. Cost: O(subcorpora). */
  subcorpora: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: {},
    answer: ({ desk }) => ({ subcorpora: listSubcorpora(desk) }),
  },
  /** One of them, with its definition. Cost: that of its definition, if it was not computed for this snapshot yet. */
  subcorpus: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { "name!": text },
    answer: ({ desk, parameters }) => subcorpusInfo(desk, parameters.name as string),
  },
  /** Gives a name to a definition. Cost: that of the definition. */
  createSubcorpus: {
    kind: "result",
    access: "write",
    corpus: "needed",
    parameters: { "name!": text, "definition!": object, replace: flag },
    answer: async ({ desk, parameters, notices }) => {
      const { name, definition, replace } = parameters as {
        name: string;
        definition: SubcorpusDefinition;
        replace?: boolean;
      };
      const { notices: own, ...info } = await createSubcorpus(desk, name, definition, { replace });
      notices.push(...own);
      return info;
    },
  },
  /** Forgets a name. Cost: O(1). */
  removeSubcorpus: {
    kind: "result",
    access: "write",
    corpus: "needed",
    parameters: { "name!": text },
    answer: ({ desk, parameters }) => {
      removeSubcorpus(desk, parameters.name as string);
      return { removed: parameters.name };
    },
  },
};
