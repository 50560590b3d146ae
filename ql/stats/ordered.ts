/**
 * The hits of a chain in the order of the corpus, whatever order the chain gives them: for what is counted, order says
 * nothing, and places that ascend can be told apart, merged with structures and measured one by one.
 */
import { type Hits, pick } from "../chain/hits.js";
import { blocksOf, gathered, type Running, stream } from "../chain/run.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { comparing, upTo } from "../pace.js";
import { limits } from "./limits.js";

export class OrderedHits {
  readonly running: Running = { notices: [] };
  readonly #chain: Chain;
  /** All hits, if they were few enough to be kept. */
  #kept: Hits[] | undefined;

  constructor(
    readonly desk: Desk,
    chain: Chain,
    readonly labels: readonly string[] = [],
    /** Will they be asked for again? */
    readonly again = false,
  ) {
    this.#chain = withoutOrder(chain);
  }

  async *blocks(): AsyncGenerator<Hits> {
    if (this.#kept) {
      for (const block of this.#kept) {
        this.desk.checkpoint();
        const wait = this.desk.turn();
        if (wait) await wait;
        yield block;
      }
      return;
    }
    const kept: Hits[] = [];
    let count = 0;
    for await (const block of this.#run()) {
      count += block.count;
      if (this.again && count <= limits.keptHitsMax) kept.push(block);
      else kept.length = 0;
      yield block;
    }
    if (this.again && count <= limits.keptHitsMax) this.#kept = kept;
  }

  async *#run(): AsyncGenerator<Hits> {
    const { desk, labels, running } = this;
    const blocks = stream(desk, this.#chain, { labels }, running);
    const { value: first, done } = await blocks.next();
    if (done) return;
    if (first.ascending) {
      yield first;
      yield* blocks;
    } else {
      const all = await gathered(desk, withFirst(first, blocks));
      yield* blocksOf(ascending(all, desk.checkpoint));
    }
  }
}

/** A chain that has the same hits, without the steps at its end that only put them into another order. */
function withoutOrder(chain: Chain): Chain {
  let steps = chain.length;
  while (steps > 1 && (chain[steps - 1].step === "sort" || chain[steps - 1].step === "shuffle")) steps--;
  return chain.slice(0, steps) as Chain;
}

async function* withFirst(first: Hits, rest: AsyncIterable<Hits>): AsyncGenerator<Hits> {
  yield first;
  yield* rest;
}

function ascending(hits: Hits, checkpoint: () => void): Hits {
  const { begins, ends } = hits;
  const order = upTo(hits.count).sort(
    comparing((a, b) => begins[a] - begins[b] || ends[a] - ends[b] || a - b, checkpoint),
  );
  return pick(hits, order, true, checkpoint);
}
