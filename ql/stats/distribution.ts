/** Where hits are: how many begin in each of n equal parts of the corpus or subcorpus, from its first token to its last. */
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { equalParts } from "./dispersion-parts.js";
import { OrderedHits } from "./ordered.js";
import { documentNotices, perMillion, TotalCount, type Totals } from "./totals.js";
import { Whole } from "./whole.js";

export interface DistributionPart {
  /** Places [from, to): tokens as the whole counts them. */
  from: number;
  to: number;
  tokens: number;
  hits: number;
  perMillion: number;
}

export interface Distribution extends Totals {
  distribution: DistributionPart[];
  notices: Notice[];
}

export async function distribution(desk: Desk, chain: Chain, count: number): Promise<Distribution> {
  const whole = await Whole.of(desk, chain);
  const parts = equalParts(whole, count);
  const hitsOf = new Float64Array(count);
  const total = new TotalCount(whole);
  const ordered = new OrderedHits(desk, chain);
  for await (const hits of ordered.blocks()) {
    total.add(hits);
    const numbers = parts.read(hits, whole.places(hits));
    for (let i = 0; i < hits.count; i++) hitsOf[numbers[i]]++;
  }
  let from = 0;
  const shown = Array.from(parts.sizes, (tokens, i): DistributionPart => {
    const part = {
      from,
      to: from + tokens,
      tokens,
      hits: hitsOf[i],
      perMillion: perMillion(hitsOf[i], tokens),
    };
    from += tokens;
    return part;
  });
  return {
    ...total.totals,
    distribution: shown,
    notices: [...ordered.running.notices, ...documentNotices(whole)],
  };
}
