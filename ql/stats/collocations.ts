/**
 * Collocations: which words stand near the hits of a chain, and how much more than elsewhere. measures.ts has the
 * formulas, chain/windows.ts says what a window is.
 *
 * If the chain's query is asked in a subcorpus, sizes and totals are those of the subcorpus, and tokens outside it do not
 * count. Costs: decoding the stream near the hits, at most once for each block of them; as many numbers as the attribute
 * has values.
 */
import { checkChain } from "../chain/check.js";
import { limits } from "../chain/limits.js";
import { type Running, stream } from "../chain/run.js";
import type { Chain } from "../chain/steps.js";
import { WindowFinder } from "../chain/windows.js";
import type { Desk } from "../desk.js";
import { looking, pieces } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import { chainOfValue } from "./collocations-chain.js";
import { CollocateCounts } from "./collocations-count.js";
import {
  type Asked,
  attributeOf,
  type CollocationOptions,
  checked,
  windowShape,
} from "./collocations-options.js";
import { topOf } from "./collocations-top.js";
import { type CollocateValues, collocateValues } from "./collocations-values.js";
import { attributeCounts } from "./counts.js";
import { logRatioMargin, type MeasureName, score, standardErrors } from "./measures.js";

export interface Collocation {
  value: string;
  /** Lines with it, or its occurrences in windows. */
  count: number;
  /** Its occurrences in the corpus, or the subcorpus. */
  total: number;
  /** NaN where a measure has none. */
  scores: Record<string, number>;
  /** Where its lines are. */
  chain?: Chain;
}

export interface Collocations {
  hits: number;
  /** Of the corpus, or the subcorpus. */
  tokens: number;
  /** Tokens in all windows. */
  windowTokens: number;
  /** How many collocates there are that are frequent enough, and how many of them were left out as uncertain. */
  collocates: number;
  uncertain: number;
  rows: Collocation[];
  notices: Notice[];
}

export async function collocations(
  desk: Desk,
  chain: Chain,
  options: CollocationOptions = {},
): Promise<Collocations> {
  checkChain(chain);
  const asked = checked(options);
  const { checkpoint } = desk;
  const values = collocateValues(desk.snapshot, attributeOf(desk, options), checkpoint);
  const running: Running = { notices: [] };
  const [{ subcorpus: part, lists }] = chain;
  const finder = new WindowFinder(desk, windowShape(options), lists);
  try {
    const subcorpus = part === undefined ? undefined : await resolveSubcorpus(desk, part);
    const counted = new CollocateCounts(desk, values, finder, subcorpus, options.every ?? false);
    for await (const block of stream(desk, chain, {}, running)) counted.add(block);
    counted.finish();
    const totals = values.totals(await attributeCounts(desk, values.attribute, subcorpus));
    const tokens = subcorpus?.tokens ?? desk.snapshot.tokens;
    const { hits, windowTokens } = counted;
    const table = new Table(values, counted.counts, totals, hits, tokens, windowTokens, checkpoint);
    const { candidates, uncertain } = table.candidates(asked);
    await desk.turn();
    const rows = table.rows(candidates, asked);
    const look = looking(checkpoint, 256);
    if (options.chains)
      for (const row of rows) {
        look();
        row.chain = chainOfValue(values, chain, options, row.value);
      }
    const collocates = candidates.length + uncertain;
    return {
      hits,
      tokens,
      windowTokens,
      collocates,
      uncertain,
      rows,
      notices: noticesOf(running, finder),
    };
  } finally {
    finder.release();
  }
}

function noticesOf({ notices }: Running, finder: WindowFinder): Notice[] {
  const cut: Notice = {
    code: "window_limit",
    message: `a window with many tokens to skip ends after ${limits.windowTokensMax} tokens (limit windowTokensMax)`,
  };
  return [...notices, ...(finder.skipped?.notices ?? []), ...(finder.cut ? [cut] : [])];
}

class Table {
  constructor(
    readonly values: CollocateValues,
    readonly counts: Float64Array,
    readonly totals: Float64Array,
    readonly hits: number,
    readonly tokens: number,
    readonly windowTokens: number,
    readonly checkpoint: () => void,
  ) {}

  /** The numbers of values that are frequent enough, without those that may be there by chance. */
  candidates({ minCount, minTotal, confidence }: Asked): { candidates: number[]; uncertain: number } {
    const { counts, totals } = this;
    const frequent: number[] = [];
    for (const [from, to] of pieces(counts.length, this.checkpoint))
      for (let number = from; number < to; number++)
        if (counts[number] >= minCount && totals[number] >= minTotal) frequent.push(number);
    if (confidence === 0) return { candidates: frequent, uncertain: 0 };
    const z = standardErrors(confidence, frequent.length);
    const look = looking(this.checkpoint);
    const certain = frequent.filter((number) => {
      look();
      const margin = logRatioMargin(z, counts[number], totals[number], this.tokens, this.windowTokens);
      return Math.abs(this.#score("logRatio", number)) > margin;
    });
    return { candidates: certain, uncertain: frequent.length - certain.length };
  }

  /** Ordered: by the score, then the count, then the value. What has no score comes last. */
  rows(candidates: number[], { measures, order, limit }: Asked): Collocation[] {
    const { values, counts, totals } = this;
    const keys = new Float64Array(candidates.length);
    const look = looking(this.checkpoint);
    for (let i = 0; i < candidates.length; i++) {
      look();
      const key =
        order === "count"
          ? counts[candidates[i]]
          : order === "total"
            ? totals[candidates[i]]
            : this.#score(order, candidates[i]);
      keys[i] = Number.isNaN(key) ? Number.NEGATIVE_INFINITY : key;
    }
    const compare = (a: number, b: number) =>
      keys[b] - keys[a] ||
      counts[candidates[b]] - counts[candidates[a]] ||
      values.compare(candidates[a], candidates[b]);
    const shown = [...new Set([...measures, ...(order === "count" || order === "total" ? [] : [order])])];
    return topOf(candidates.length, limit, compare, this.checkpoint).map((i) => {
      look();
      const number = candidates[i];
      return {
        value: values.text(number),
        count: counts[number],
        total: totals[number],
        scores: Object.fromEntries(shown.map((name) => [name, this.#score(name, number)])),
      };
    });
  }

  #score(name: MeasureName, number: number): number {
    return score(name, this.counts[number], this.totals[number], this.hits, this.tokens, this.windowTokens);
  }
}
