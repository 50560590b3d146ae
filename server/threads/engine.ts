/**
 * An engine whose queries let others pass: between two windows of the corpus the job looks whether its slice is over.
 * In the quick lane, a query that is likely to take long does not begin. In the heavy lane one that has taken 20 ms is
 * helped by as many threads as there are cores that nobody uses; they are ended when they were not needed for a while.
 */
import { type Block, Engine, type Prepared, planOf, type Query, type QueryOptions } from "../../ql/index.js";
import { windowsOf } from "../../ql/match/ranges.js";
import type { Crew } from "../../ql/run/crew.js";
import { isChoosing, knownCount } from "../../ql/run/local.js";
import { DugongError, type Snapshot } from "../../storage/index.js";
import { limits } from "../limits.js";
import type { Cores } from "./cores.js";
import type { Job } from "./job.js";
import type { Lane } from "./messages.js";
import { HandOver } from "./stops.js";

/** Whose turn it is. */
export interface Turns {
  readonly lane: Lane;
  readonly job: Job | undefined;
  /** Resolves when the job that is computing may go on. */
  turn(): Promise<void> | void;
  /** Lets others compute until something has happened that one of them does. */
  aside(until: Promise<unknown>): Promise<void>;
}

export class ServedEngine extends Engine {
  /** How many cores each query has that is helped with. */
  readonly #helped = new Map<Crew, number>();
  #ending: NodeJS.Timeout | undefined;

  constructor(
    snapshot: Snapshot,
    readonly turns: Turns,
    readonly cores: Cores,
  ) {
    super(snapshot, turns.lane === "heavy" ? cores.threads : 1);
  }

  /** Alone at first: most are done before another thread has begun. */
  protected override begun(): void {}

  protected override pause(crew: Crew): Promise<void> | void {
    const { prepared, counting, counted } = crew;
    const { job, turn } = this.turns;
    if (crew.workedMs >= limits.helpedFromMs && !this.#helped.has(crew)) this.#seekHelp(crew);
    const { tokens } = this.snapshot;
    if (counting && job?.follow(prepared))
      job.looked(Math.round(counted.share * tokens), tokens, counted.hits);
    return turn();
  }

  #seekHelp(crew: Crew): void {
    const count = this.cores.take();
    if (count === 0) return;
    clearTimeout(this.#ending);
    this.#helped.set(crew, count);
    this.turns.job?.helped(count);
    this.help(crew, count);
  }

  protected override ended(crew: Crew): void {
    const count = this.#helped.get(crew);
    if (count === undefined) return;
    this.#helped.delete(crew);
    this.cores.give(count);
    this.turns.job?.helped(-count);
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => void this.endHelpers(), limits.helpersIdleMs).unref();
  }

  override async close(): Promise<void> {
    clearTimeout(this.#ending);
    await super.close();
  }

  override prepare(query: string | Query, options: QueryOptions = {}): Prepared {
    const { lane, job } = this.turns;
    job?.mayAsk(query);
    if (lane !== "quick") return super.prepare(query, options);
    try {
      return super.prepare(query, { ...options, backreferenceMs: limits.quickBackreferenceMs });
    } catch (error) {
      if (error instanceof DugongError && error.code === "pattern_timeout") throw new HandOver(true);
      throw error;
    }
  }

  override async *run(prepared: Prepared): AsyncGenerator<Block> {
    const { turns } = this;
    const { job } = turns;
    this.#weigh(prepared);
    const isFirst = job?.follow(prepared) ?? false;
    let hits = 0;
    try {
      for await (const block of super.run(prepared)) {
        hits += block.count;
        const last = block.count > 0 ? block.begins[block.count - 1] : 0;
        if (isFirst) job?.looked(block.base + last, this.snapshot.tokens, hits);
        await turns.turn();
        if (block.count > 0) yield block;
      }
    } finally {
      if (isFirst) job?.plan(() => planOf(prepared.source));
    }
  }

  override async count(prepared: Prepared): Promise<number> {
    const { query, source, ground } = prepared;
    const known = knownCount(prepared);
    if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
    let total = 0;
    if (query.expand || query.cut !== undefined || isChoosing(prepared)) {
      for await (const block of this.run(prepared)) total += block.count;
      return total;
    }
    this.#weigh(prepared);
    const { job } = this.turns;
    const isFirst = job?.follow(prepared) ?? false;
    const shared = await this.countTogether(prepared);
    if (shared !== undefined) {
      if (isFirst) job?.plan(() => planOf(source));
      return shared;
    }
    try {
      for (const [from, to] of windowsOf(ground, source.window)) {
        ground.checkpoint();
        total += source.count(from, to);
        if (isFirst) job?.looked(to, this.snapshot.tokens, total);
        await this.turns.turn();
      }
    } finally {
      if (isFirst) job?.plan(() => planOf(source));
    }
    return total;
  }

  /** Costs are in nanoseconds. */
  #weigh({ source }: Prepared): void {
    if (this.turns.lane === "quick" && source.cost > limits.quickEstimateMs * 1e6) throw new HandOver(true);
  }
}
