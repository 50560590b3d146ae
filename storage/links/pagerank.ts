/**
 * PageRank: how likely somebody is to be on a page who follows a link of the page they are on, each as likely as the other, and now and then (1 in
 * 1 / (1 − damping) steps) goes anywhere. Who is on a page without links goes anywhere.
 *
 *   rank(p) = (1 − d) / N + d · (Σ over pages q that link to p: rank(q) / links(q)  +  Σ over pages without links: rank / N)
 *
 * By power iteration, until no rank changes by 1 / (10 · N) or more. Ranks add up to 1.
 */
export interface Graph {
  pages: number;
  /** Where the links to each page begin in `sources`; one more for the end. */
  firsts: Uint32Array;
  /** The pages that they come from. */
  sources: Uint32Array;
}

export interface PageRanks {
  ranks: Float64Array;
  iterations: number;
  /** The largest change of a rank in the last iteration. */
  change: number;
  /** Was the change small enough before there were too many iterations? */
  converged: boolean;
  /** Pages without links. */
  dangling: number;
  seconds: number;
}

export interface PageRankOptions {
  damping?: number;
  /** Largest change with which it ends; 1 / (10 · N) unless given. */
  tolerance?: number;
  iterationsMax?: number;
  /** Called after each iteration. */
  onIteration?: (iteration: number, change: number) => void;
  checkpoint?: () => void;
}

export const dampingDefault = 0.85;
const iterationsMaxDefault = 1000;
/** Pages between two looks whether somebody still wants to know. */
const lookPages = 1 << 16;

export function pageRanks(graph: Graph, options: PageRankOptions = {}): PageRanks {
  const { pages } = graph;
  const { damping = dampingDefault, tolerance = 1 / (10 * pages) } = options;
  const { iterationsMax = iterationsMaxDefault, checkpoint = () => {} } = options;
  const links = linksOf(graph);
  let dangling = 0;
  for (let page = 0; page < pages; page++) if (links[page] === 0) dangling++;
  const ranks = new Float64Array(pages).fill(1 / pages);
  /** What each page gives to each that it links to. */
  const shares = new Float64Array(pages);
  const began = performance.now();
  let change = pages === 0 ? 0 : Number.POSITIVE_INFINITY;
  let iterations = 0;
  while (change >= tolerance && iterations < iterationsMax && pages > 0) {
    let lost = 0;
    for (let page = 0; page < pages; page++) {
      if (links[page] === 0) lost += ranks[page];
      else shares[page] = ranks[page] / links[page];
    }
    const base = (1 - damping) / pages + (damping * lost) / pages;
    change = 0;
    for (let from = 0; from < pages; from += lookPages) {
      checkpoint();
      const to = Math.min(pages, from + lookPages);
      change = Math.max(change, step(graph, from, to, shares, ranks, base, damping));
    }
    iterations++;
    options.onIteration?.(iterations, change);
  }
  return {
    ranks,
    iterations,
    change,
    converged: change < tolerance || pages === 0,
    dangling,
    seconds: (performance.now() - began) / 1000,
  };
}

/** New ranks of the pages [from, to); returns the largest change. */
function step(
  { firsts, sources }: Graph,
  from: number,
  to: number,
  shares: Float64Array,
  ranks: Float64Array,
  base: number,
  damping: number,
): number {
  let change = 0;
  let at = firsts[from];
  for (let page = from; page < to; page++) {
    const end = firsts[page + 1];
    let sum = 0;
    for (; at < end; at++) sum += shares[sources[at]];
    const rank = base + damping * sum;
    const difference = Math.abs(rank - ranks[page]);
    if (difference > change) change = difference;
    ranks[page] = rank;
  }
  return change;
}

/** How many links each page has. */
export function linksOf({ pages, sources }: Graph): Uint32Array {
  const links = new Uint32Array(pages);
  for (let i = 0; i < sources.length; i++) links[sources[i]]++;
  return links;
}
