/**
 * A page of a result: hits [from, from + limit), and how many there are in all. The hits that are not on it are counted,
 * nothing more. A result that fits into what the desk keeps is kept, so that the next page is there at once, whatever
 * made it; where the number of matches is known without looking, the search ends with the page.
 */
import { DugongError } from "../../storage/index.js";
import { checkChain } from "../chain/check.js";
import { bytesOf, type Hits, join, slice } from "../chain/hits.js";
import { type Running, stream } from "../chain/run.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { knownCount } from "../run/local.js";
import type { Prepared } from "../run/prepare.js";
import { filterLabels, LabelReader } from "./labels.js";

export interface PageOptions {
  /** Hits to leave out before the first. Default: 0. */
  from?: number;
  /** Default: all. */
  limit?: number;
  /** Is it wanted what labels are bound to? Default: yes. */
  labels?: boolean;
  /** Keep the result for other pages? Default: yes, if there is room for it. */
  keep?: boolean;
}

export interface Page {
  hits: Hits;
  /** All hits of the result: exact. */
  total: number;
  notices: Notice[];
}

export async function page(
  desk: Desk,
  chain: Chain,
  { from = 0, limit = Number.POSITIVE_INFINITY, labels = true, keep = true }: PageOptions = {},
): Promise<Page> {
  checkChain(chain);
  const shown: Hits[] = [];
  const all: Hits[] = [];
  const running: Running = { notices: [] };
  let bytes = 0;
  let total = 0;
  const known = knownTotal(desk, chain);
  let complete = true;
  for await (const block of stream(desk, chain, { labels: filterLabels(chain) }, running)) {
    if (total < from + limit && total + block.count > from)
      shown.push(slice(block, Math.max(0, from - total), from + limit - total));
    total += block.count;
    bytes += bytesOf(block);
    if (keep && bytes <= desk.results.bytesMax) all.push(block);
    else all.length = 0;
    if (known && total >= from + limit && total < known.hits) {
      complete = false;
      break;
    }
  }
  if (complete && keep && bytes <= desk.results.bytesMax)
    desk.results.keep(chain, chain.length, { hits: join(desk.snapshot, all), notices: running.notices });
  const hits = join(desk.snapshot, shown);
  return {
    hits: labels ? bound(desk, chain, hits) : hits,
    total: complete ? total : known!.hits,
    notices: complete ? running.notices : known!.notices,
  };
}

/** The hits with what labels of the query are bound to. */
function bound(desk: Desk, chain: Chain, hits: Hits): Hits {
  if (hits.count === 0) return hits;
  const reader = new LabelReader(desk, chain[0]);
  try {
    return reader.bind(hits);
  } finally {
    reader.release();
  }
}

/** How many hits a chain has. */
export async function countHits(desk: Desk, chain: Chain): Promise<{ hits: number; notices: Notice[] }> {
  checkChain(chain);
  const kept = desk.results.longest(chain);
  if (kept?.steps === chain.length) return { hits: kept.result.hits.count, notices: kept.result.notices };
  if (isPlain(chain)) {
    const prepared = prepare(desk, chain);
    try {
      return { hits: await desk.engine.count(prepared), notices: prepared.notices };
    } finally {
      prepared.ground.release();
    }
  }
  const running: Running = { notices: [] };
  let hits = 0;
  for await (const block of stream(desk, chain, {}, running)) hits += block.count;
  return { hits, notices: running.notices };
}

/** Hit number `number` of a result, counted from 1. */
export async function hitNumber(
  desk: Desk,
  chain: Chain,
  number: number,
  options: Pick<PageOptions, "labels" | "keep"> = {},
): Promise<Page> {
  const found = await page(desk, chain, { ...options, from: number - 1, limit: 1 });
  if (found.hits.count === 1) return found;
  throw new DugongError(
    "no_hit",
    `there is no hit number ${number}: the result has ${found.total}`,
    "Hits are counted from 1.",
  );
}

function isPlain(chain: Chain): boolean {
  return chain.length === 1 && chain[0].subcorpus === undefined;
}

/** The number of matches, where nothing has to be looked at to know it. */
function knownTotal(desk: Desk, chain: Chain): { hits: number; notices: Notice[] } | undefined {
  if (!isPlain(chain)) return undefined;
  const prepared = prepare(desk, chain);
  try {
    const hits = knownCount(prepared);
    const { cut = Number.POSITIVE_INFINITY } = prepared.query;
    return hits === undefined ? undefined : { hits: Math.min(hits, cut), notices: prepared.notices };
  } finally {
    prepared.ground.release();
  }
}

function prepare({ engine, checkpoint }: Desk, [{ query, strategy, lists, gapMax }]: Chain): Prepared {
  return engine.prepare(query, { strategy, lists, gapMax, checkpoint });
}
