/** How many hits a chain has, before it is run. */
import type { Amount, Notice } from "../../client/protocol/messages.js";
import type { Chain, Desk, Prepared } from "../../ql/index.js";
import { isChoosing, knownCount } from "../../ql/run/local.js";

/**
 * Exact where the lexicon knows it, a guess where the plan makes one; undefined for chains of several steps. With what is
 * worth knowing of the query.
 */
export function knownTotal(desk: Desk, chain: Chain): { total: Amount; notices: Notice[] } | undefined {
  const [{ query, strategy, lists, gapMax, subcorpus }, ...later] = chain;
  if (subcorpus !== undefined || later.length > 0) return undefined;
  const { checkpoint } = desk;
  const prepared = desk.engine.prepare(query, { strategy, lists, gapMax, checkpoint });
  try {
    return { total: estimateOf(prepared), notices: prepared.notices };
  } finally {
    prepared.ground.release();
  }
}

export function estimateOf(prepared: Prepared): Amount {
  const cut = prepared.query.cut ?? Number.POSITIVE_INFINITY;
  const known = isChoosing(prepared) ? undefined : knownCount(prepared);
  if (known !== undefined) return { value: Math.min(known, cut), certainty: "exact" };
  return { value: Math.min(Math.round(prepared.source.rows), cut), certainty: "estimate" };
}
