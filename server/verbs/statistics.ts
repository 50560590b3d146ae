/** Tables about the hits of a chain: frequencies, collocations, how hits are spread and how that changes. */
import {
  type Chain,
  type CollocationOptions,
  collocateChain,
  collocations,
  type Desk,
  distribution,
  type FrequencyOptions,
  frequency,
  groupOptions,
  splitGroup,
  type TrendOptions,
  totals,
  trend,
} from "../../ql/index.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";
import { chainOf, chainParameters } from "./chains.js";
import { TableRows } from "./rows.js";
import {
  type DeskVerb,
  flag,
  natural,
  number,
  object,
  type Parameters,
  positive,
  text,
  textOrObject,
  texts,
} from "./verb.js";

const collocateParameters = { attribute: text, window: object, within: text, skip: textOrObject };

export const statisticsVerbs: Record<string, DeskVerb> = {
  /** Hits counted by keys: those of `by`, or of a chain's last step. Cost: that of the query, and O(hits), twice with dispersion. */
  freq: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      ...chainParameters,
      by: text,
      minCount: natural,
      maxCount: natural,
      from: natural,
      limit: natural,
      order: text,
      rising: flag,
      dispersion: flag,
      parts: positive,
    },
    open: async ({ desk, parameters, notices }) => {
      const { chain, options } = groupedChain(desk, parameters);
      const { rows, notices: own, ...summary } = await frequency(desk, chain, options);
      notices.push(...own);
      return new TableRows(rows, summary, desk.checkpoint);
    },
  },
  /** How many hits, in how many documents, how evenly. Cost: that of the query, and O(hits). */
  totals: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, parts: positive },
    answer: async ({ desk, parameters, notices }) => {
      const { parts } = parameters as { parts?: number };
      const { notices: own, ...answer } = await totals(desk, chainOf(desk, parameters), { parts });
      notices.push(...own);
      return answer;
    },
  },
  /** Hits in equal parts of the corpus, from its beginning to its end. Cost: that of the query, and O(hits). */
  distribution: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, parts: positive },
    open: async ({ desk, parameters, notices }) => {
      const { parts = 100 } = parameters as { parts?: number };
      if (parts > limits.partsMax)
        throw refusal("bad_parameter", `there are at most ${limits.partsMax} parts (limit partsMax)`);
      const {
        distribution: rows,
        notices: own,
        ...summary
      } = await distribution(desk, chainOf(desk, parameters), parts);
      notices.push(...own);
      return new TableRows(rows, summary, desk.checkpoint);
    },
  },
  /** Hits over time, and whether they rise or fall. Cost: that of the query, and O(hits). */
  trend: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, "over!": text, bin: number },
    open: async ({ desk, parameters, notices }) => {
      const options = without(parameters, chainParameters) as unknown as TrendOptions;
      const { points, notices: own, ...summary } = await trend(desk, chainOf(desk, parameters), options);
      notices.push(...own);
      return new TableRows(points, summary, desk.checkpoint);
    },
  },
  /** Words near hits. Cost: that of the query, O(tokens near hits), and O(values of the attribute). */
  coll: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      ...chainParameters,
      ...collocateParameters,
      every: flag,
      minCount: natural,
      minTotal: natural,
      measures: texts,
      order: text,
      limit: natural,
      confidence: number,
      chains: flag,
    },
    open: async ({ desk, parameters, notices }) => {
      const options = without(parameters, chainParameters) as CollocationOptions;
      const { rows, notices: own, ...summary } = await collocations(desk, chainOf(desk, parameters), options);
      notices.push(...own);
      return new TableRows(rows, summary, desk.checkpoint);
    },
  },
  /** The chain whose hits are the lines with a collocate. Cost: O(log values). */
  collocateChain: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, ...collocateParameters, "value!": text },
    answer: ({ desk, parameters }) => {
      const { value, ...options } = without(parameters, chainParameters);
      return { chain: collocateChain(desk, chainOf(desk, parameters), options, value as string) };
    },
  },
};

/** What is counted, and by what: a chain may say it in its last step. */
function groupedChain(desk: Desk, parameters: Parameters): { chain: Chain; options: FrequencyOptions } {
  const { chain, group } = splitGroup(parameters.chain as Chain);
  const given = without(parameters, chainParameters);
  if (!group) {
    if (given.by === undefined)
      throw refusal("bad_parameter", "freq needs by, or a chain that ends in a step group");
    return { chain: chainOf(desk, parameters), options: given as unknown as FrequencyOptions };
  }
  const [also] = Object.keys(given);
  if (also !== undefined)
    throw refusal("bad_parameter", `give ${also} or a chain that ends in a step group, not both`);
  const options = groupOptions(group, chain.length);
  return { chain: chainOf(desk, { ...parameters, chain }), options };
}

/** What is not about the chain. */
export function without(parameters: Parameters, others: Record<string, unknown>): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !Object.hasOwn(others, name)));
}
