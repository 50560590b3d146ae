/**
 * A query inside a subcorpus: every match that lies in it begins in one of its ranges, so that only these are looked at.
 * Where that is no gain, or where one match depends on others (strategies, expand, cut), all of it is.
 */
import type { Engine } from "../run/engine.js";
import { isChoosing, windows } from "../run/local.js";
import type { Prepared } from "../run/prepare.js";
import type { Block } from "../run/strategy.js";
import type { Subcorpus } from "./subcorpus.js";

/** Ranges that are no further apart are looked at together: beginning anew costs about as much. */
const gapTokensMax = 1 << 14;
/** What beginning anew takes, in nanoseconds. */
const stretchCost = 4_000;
/** With threads, more than this is better left to them. */
const tokensForOneThread = 4_000_000;

/** Which way is cheaper. */
interface Way {
  /** Look at these alone; undefined: at everything. */
  stretches?: [from: number, to: number][];
  /** In nanoseconds. */
  cost: number;
  why: string;
}

export function wayInside(engine: Engine, prepared: Prepared, part: Subcorpus): Way {
  const { query, source } = prepared;
  const everything = (why: string): Way => ({
    cost: source.cost,
    why: `${why}: the whole corpus is looked at, and what lies outside is dropped`,
  });
  if (query.expand || query.cut !== undefined || isChoosing(prepared))
    return everything("a match depends on others");
  const stretches = stretchesOf(part, gapTokensMax);
  const tokens = stretches.reduce((sum, [from, to]) => sum + to - from, 0);
  if (engine.threads > 1 && tokens > tokensForOneThread)
    return everything("most of it is better left to threads");
  const share = tokens / Math.max(1, engine.snapshot.tokens);
  const cost = stretches.length * stretchCost + source.cost * share;
  if (cost >= source.cost && stretches.length > 1) return everything("beginning anew so often costs more");
  const many = stretches.length === 1 ? "1 stretch" : `${stretches.length.toLocaleString("en")} stretches`;
  return { stretches, cost, why: `looks at ${many} of ${tokens.toLocaleString("en")} tokens alone` };
}

/** The matches that begin in a subcorpus, and perhaps others: in order, as the engine gives them. */
export function runInside(
  engine: Engine,
  prepared: Prepared,
  part: Subcorpus,
): AsyncIterable<Block> | Iterable<Block> {
  const { stretches } = wayInside(engine, prepared, part);
  return stretches ? inStretches(prepared, stretches) : engine.run(prepared);
}

/** The matches that begin in stretches of the corpus. */
export function* inStretches(
  prepared: Prepared,
  stretches: readonly [from: number, to: number][],
): Generator<Block> {
  for (const [from, to] of stretches) yield* windows(prepared, from, to);
}

/** The ranges of a subcorpus; those at most so many tokens apart as one. */
export function stretchesOf({ begins, ends }: Subcorpus, gapMax: number): [from: number, to: number][] {
  const stretches: [number, number][] = [];
  for (let i = 0; i < begins.length; i++) {
    const last = stretches.at(-1);
    if (last && begins[i] - last[1] <= gapMax) last[1] = ends[i];
    else stretches.push([begins[i], ends[i]]);
  }
  return stretches;
}

/** How many matches of a block lie in a subcorpus as a whole. */
export function countInside(part: Subcorpus, { base, begins, ends, count }: Block): number {
  const hits = {
    count,
    ascending: true,
    begins: Float64Array.from(begins.subarray(0, count), (begin) => base + begin),
    ends: Float64Array.from(ends.subarray(0, count), (end) => base + end),
    labels: new Map(),
  };
  return part.keep(hits).count;
}
