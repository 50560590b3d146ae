/**
 * Runs a chain. Steps that can decide about a hit when they see it pass blocks on; those that have to see all hits first
 * (sort, shuffle, examples, outermost) keep them. A result that was asked for as a whole is kept (cache.ts).
 */
import { DugongError } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { labelsOf } from "../run/local.js";
import type { Prepared } from "../run/prepare.js";
import type { Block } from "../run/strategy.js";
import { runInside } from "../subcorpus/ask.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import { applyStep } from "./apply.js";
import type { Result } from "./cache.js";
import { checkChain } from "./check.js";
import { type Hits, join, NOWHERE, positionColumn, type Ranges, slice } from "./hits.js";
import { labelsOfKeys, parseKey } from "./keys.js";
import { limits } from "./limits.js";
import type { Asked, Chain, QueryStep, Step } from "./steps.js";

export interface RunOptions {
  /** Labels whose columns are wanted at the end, besides those that the chain's own steps need. */
  labels?: readonly string[];
}

/** What is learnt on the way. */
export interface Running {
  notices: Notice[];
}

/** The hits of a chain, block by block, in its order. Ending the loop ends the work. */
export async function* stream(
  desk: Desk,
  chain: Chain,
  { labels = [] }: RunOptions = {},
  running: Running = { notices: [] },
): AsyncGenerator<Hits> {
  checkChain(chain);
  const wanted = labelsNeeded(chain, labels);
  const known = desk.results.longest(chain);
  const isThere = (label: string, { result, steps }: NonNullable<typeof known>) =>
    result.hits.labels.has(label) || isFilterLabel(chain.slice(steps), label);
  const usable = known && wanted.every((label) => isThere(label, known)) ? known : undefined;
  const [first] = chain;
  let blocks: AsyncGenerator<Hits>;
  if (usable) {
    addNotices(running.notices, usable.result.notices);
    blocks = blocksOf(usable.result.hits);
  } else
    blocks = queryBlocks(
      desk,
      first,
      wanted.filter((label) => !isFilterLabel(chain, label)),
      running,
    );
  for (let at = usable?.steps ?? 1; at < chain.length; at++) {
    // What a step has to see as a whole is known as a whole: other chains may go on from there.
    const isKept = at === usable?.steps;
    const keep = (hits: Hits) => desk.results.keep(chain, at, { hits, notices: [...running.notices] });
    blocks = applyStep(desk, chain[at] as Step, blocks, running, isKept ? undefined : keep);
  }
  for await (const block of blocks) {
    desk.checkpoint();
    if (block.count > 0) yield block;
  }
}

/** All hits of a chain at once. Kept, so that chains that go on from here need not ask again. */
export async function collect(desk: Desk, chain: Chain, options: RunOptions = {}): Promise<Result> {
  const running: Running = { notices: [] };
  const hits = await gathered(desk, stream(desk, chain, options, running));
  const result = { hits, notices: running.notices };
  desk.results.keep(chain, chain.length, result);
  return result;
}

/** Blocks as one, up to the limit on hits. */
export async function gathered(desk: Desk, blocks: AsyncIterable<Hits>): Promise<Hits> {
  const all: Hits[] = [];
  let count = 0;
  for await (const block of blocks) {
    count += block.count;
    if (count > limits.hitsMax) {
      throw new DugongError(
        "too_many_hits",
        `the result has more than ${limits.hitsMax.toLocaleString("en")} hits (limit hitsMax)`,
        "Ask for a sample, or make the query more special.",
      );
    }
    all.push(block);
  }
  return join(desk.snapshot, all, desk.checkpoint);
}

export async function* blocksOf(hits: Hits): AsyncGenerator<Hits> {
  for (let from = 0; from < hits.count; from += limits.blockHits)
    yield slice(hits, from, from + limits.blockHits);
}

export function addNotices(notices: Notice[], more: readonly Notice[]): void {
  for (const notice of more)
    if (!notices.some(({ message }) => message === notice.message)) notices.push(notice);
}

function isFilterLabel(chain: readonly (QueryStep | Step)[], label: string): boolean {
  return chain.some((step) => step.step === "filter" && step.label === label);
}

/** Labels that the end or a step on the way asks for. */
function labelsNeeded(chain: Chain, labels: readonly string[]): string[] {
  const inside = chain.flatMap((step) => (step.step === "sort" ? labelsOfKeys(step.keys.map(parseKey)) : []));
  return [...new Set([...labels, ...inside])];
}

/** The matches of a query as hits. */
export async function* queryBlocks(
  desk: Desk,
  { subcorpus, ...asked }: Asked & Pick<QueryStep, "subcorpus">,
  labels: readonly string[],
  running: Running,
): AsyncGenerator<Hits> {
  const part = subcorpus === undefined ? undefined : await resolveSubcorpus(desk, subcorpus);
  const { query, strategy, lists, gapMax } = asked;
  const prepared = desk.engine.prepare(query, { strategy, lists, gapMax, checkpoint: desk.checkpoint });
  checkLabels(prepared, labels);
  try {
    for await (const block of part ? runInside(desk.engine, prepared, part) : desk.engine.run(prepared)) {
      // What runs in a part alone takes no turns itself.
      const wait = part && desk.turn();
      if (wait) await wait;
      if (block.count === 0) continue;
      const hits = hitsOf(desk, prepared, block, labels);
      yield part ? part.keep(hits) : hits;
    }
    addNotices(running.notices, prepared.notices);
  } finally {
    prepared.ground.release();
  }
}

function checkLabels({ source }: Prepared, labels: readonly string[]): void {
  const missing = labels.find((label) => !source.labels.includes(label));
  if (missing === undefined) return;
  throw new DugongError(
    "unknown_label",
    `the query has no label ${JSON.stringify(missing)}${source.labels.length > 0 ? ` (it has ${source.labels.join(", ")})` : ""}`,
    'Write one into it, as in 1:[tag="NN"], or name one that is there.',
  );
}

/** A block of the engine with positions as the corpus counts them, and what labels are bound to. */
function hitsOf(
  { snapshot, checkpoint }: Desk,
  prepared: Prepared,
  block: Block,
  labels: readonly string[],
): Hits {
  const { count } = block;
  const absolute = ({ base, begins, ends }: Pick<Block, "base" | "begins" | "ends">): Ranges => {
    const ranges = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
    for (let i = 0; i < count; i++) ranges.begins[i] = base + begins[i];
    for (let i = 0; i < count; i++) ranges.ends[i] = base + ends[i];
    return ranges;
  };
  const hits: Hits = {
    count,
    ascending: true,
    ...absolute(block),
    ...(block.before && { before: absolute(block.before) }),
    labels: new Map(),
  };
  for (const label of labels) {
    hits.labels.set(label, {
      begins: positionColumn(snapshot, count).fill(NOWHERE),
      ends: positionColumn(snapshot, count).fill(NOWHERE),
    });
  }
  for (let i = 0; i < count && labels.length > 0; i++) {
    if ((i & 0x3ff) === 0) checkpoint();
    const bound = labelsOf(prepared, block, i);
    for (const label of labels) {
      if (!Object.hasOwn(bound, label)) continue;
      const ranges = hits.labels.get(label)!;
      [ranges.begins[i], ranges.ends[i]] = bound[label];
    }
  }
  return hits;
}
