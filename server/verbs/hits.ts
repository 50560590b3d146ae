/**
 * The hits of a chain as rows. They are found as they are asked for; those that were found are kept while there is room,
 * so that going back costs nothing, and a whole result is kept for other requests (ql/chain/cache.ts).
 */
import type { Amount, Notice } from "../../client/protocol/messages.js";
import { bytesOf, join, slice } from "../../ql/chain/hits.js";
import { type Chain, type Desk, type Hits, type Running, stream } from "../../ql/index.js";
import { limits } from "../limits.js";
import { knownTotal } from "./estimate.js";
import type { Block, Rows } from "./rows.js";

const unknown: { total: Amount; notices: Notice[] } = {
  total: { value: 0, certainty: "estimate" },
  notices: [],
};

/** Makes rows of some hits: of all, or of the first ones, if it takes long or they are large. */
export type RowsOf = (hits: Hits) => Block;

export class HitRows implements Rows {
  #running: Running = { notices: [] };
  #hits: AsyncGenerator<Hits> | undefined;
  /** Blocks one behind the other, from the first hit on, unless there were too many. */
  #kept: Hits[] = [];
  #keptBytes = 0;
  #isKept = true;
  /** Hits that were found, and whether these are all. */
  #found = 0;
  #complete = false;
  /** The last block, and the number of its first hit. */
  #block: Hits | undefined;
  #blockFrom = 0;
  #next = 0;
  #known: Amount | undefined;
  #atOnce: number;

  constructor(
    readonly desk: Desk,
    readonly chain: Chain,
    readonly labels: readonly string[],
    readonly rowsOf: RowsOf,
    readonly notices: Notice[],
    /** How many rows are made at first, before it is known how long they take. */
    first = Number.POSITIVE_INFINITY,
    readonly release: () => void = () => {},
  ) {
    this.#atOnce = first;
    const kept = desk.results.longest(chain);
    if (kept?.steps === chain.length && labels.every((label) => kept.result.hits.labels.has(label))) {
      const { hits, notices: own } = kept.result;
      notices.push(...own);
      this.#kept = hits.count > 0 ? [hits] : [];
      this.#found = hits.count;
      this.#complete = true;
    }
  }

  get isCounted(): boolean {
    return this.#complete || this.#known?.certainty === "exact";
  }

  /** An estimate takes a look at the plan, so it is made when somebody asks. */
  get total(): Amount {
    if (this.#complete) return { value: this.#found, certainty: "exact" };
    if (!this.#known) {
      const { total, notices } = knownTotal(this.desk, this.chain) ?? unknown;
      this.#known = total;
      // Nobody may look further, then.
      if (total.certainty === "exact") this.#note(notices);
    }
    // What was found says more than what was guessed, once it is more.
    return this.#known.certainty === "exact" || this.#known.value > this.#found
      ? this.#known
      : { value: this.#found, certainty: "atLeast" };
  }

  get over(): boolean {
    return this.#complete && this.#next >= this.#found;
  }

  async next(count: number): Promise<Block> {
    await this.seek(this.#next);
    const hits = this.#at(Math.min(count, this.#atOnce));
    if (!hits) return { count: 0, columns: {} };
    const began = performance.now();
    const block = this.rowsOf(hits);
    this.#pace(performance.now() - began, hits.count);
    this.#next += block.count;
    return block;
  }

  /** So many rows are made at a time as a turn has room for: others wait. */
  #pace(ms: number, rows: number): void {
    const { rowsMs } = limits;
    if (ms > rowsMs) this.#atOnce = Math.max(1, Math.floor((rows * rowsMs) / ms));
    else if (ms < rowsMs / 4) this.#atOnce *= 4;
  }

  async seek(row: number): Promise<void> {
    if (row < this.#blockFrom && !this.#isKept) await this.#again();
    while (this.#found <= row && !this.#complete) await this.#find();
    this.#next = row;
  }

  async count(): Promise<boolean> {
    if (this.isCounted) return false;
    await this.#find();
    return true;
  }

  async close(): Promise<void> {
    await this.#hits?.return(undefined);
    this.release();
  }

  /** One block more. */
  async #find(): Promise<void> {
    this.#hits ??= stream(this.desk, this.chain, { labels: this.labels }, this.#running);
    const { done, value } = await this.#hits.next();
    if (done) {
      this.#complete = true;
      this.#note(this.#running.notices);
      if (!this.#isKept) return;
      const hits = join(this.desk.snapshot, this.#kept, this.desk.checkpoint);
      this.desk.results.keep(this.chain, this.chain.length, { hits, notices: this.#running.notices });
      this.#kept = hits.count > 0 ? [hits] : [];
      this.#place = [0, 0];
      return;
    }
    this.#block = value;
    this.#blockFrom = this.#found;
    this.#found += value.count;
    this.#keptBytes += bytesOf(value);
    if (this.#isKept && this.#keptBytes <= this.desk.results.bytesMax) this.#kept.push(value);
    else {
      this.#isKept = false;
      this.#kept = [];
    }
  }

  #note(notices: readonly Notice[]): void {
    for (const notice of notices)
      if (!this.notices.some(({ message }) => message === notice.message)) this.notices.push(notice);
  }

  /** From the first hit on: what lies before the last block was not kept. */
  async #again(): Promise<void> {
    await this.#hits?.return(undefined);
    this.#hits = undefined;
    this.#running = { notices: [] };
    if (this.#complete) this.#known = this.total;
    this.#complete = false;
    this.#found = 0;
    this.#blockFrom = 0;
    this.#block = undefined;
    this.#keptBytes = Number.POSITIVE_INFINITY;
  }

  /** Hits from the next one on, at most `count`, of one block. */
  #at(count: number): Hits | undefined {
    if (this.#next >= this.#found) return undefined;
    if (!this.#isKept)
      return slice(this.#block!, this.#next - this.#blockFrom, this.#next - this.#blockFrom + count);
    let [at, from] = this.#place;
    if (from > this.#next) [at, from] = [0, 0];
    while (from + this.#kept[at].count <= this.#next) from += this.#kept[at++].count;
    this.#place = [at, from];
    return slice(this.#kept[at], this.#next - from, this.#next - from + count);
  }

  /** The kept block that was asked last, and the number of its first hit. */
  #place: [at: number, from: number] = [0, 0];
}

/** [begin, end) of each hit, and of each label that is bound. */
export function positionRows(desk: Desk, { count, begins, ends, labels }: Hits): Block {
  const { tokens } = desk.snapshot;
  const columns: Record<string, unknown[]> = { begin: Array.from(begins), end: Array.from(ends) };
  if (labels.size === 0) return { count, columns };
  columns.labels = columns.begin.map((_, i) => {
    const bound: Record<string, [number, number]> = {};
    for (const [label, ranges] of labels)
      if (ranges.begins[i] < tokens) bound[label] = [ranges.begins[i], ranges.ends[i]];
    return bound;
  });
  return { count, columns };
}
