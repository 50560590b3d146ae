/**
 * The engine: queries on one snapshot, over several threads if it is told so. The corpus is cut into parts; threads take
 * one after the other, and matches come out in the order of the corpus.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError, type Snapshot } from "../../storage/index.js";
import { compiledKernels } from "../../storage/kernels/index.js";
import type { Query } from "../cql/ast.js";
import { isMeasured } from "../plan/explain.js";
import { limits } from "../plan/limits.js";
import { ENDED, FREE } from "./claims.js";
import { Crew } from "./crew.js";
import { count as countHere, isChoosing, knownCount, run as runHere, upTo } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";
import { type Block, StartChooser } from "./strategy.js";
import type { Answer, Call, WorkerStart } from "./worker.js";

/** Parts of a scan are no longer than this, so that threads end together. */
const partTokens = 1 << 18;
/** Pieces that each of the last segments is cut into for what reads lists. */
const lastPieces = 4;

interface Helper {
  worker: Worker;
  /** Where its answers come. */
  port: MessagePort;
  /** Is it at work (claims.ts)? */
  state: Int32Array;
}

export class Engine {
  /** Threads that help the one that asks. One that has ended is replaced when the next query comes. */
  readonly #helpers: Helper[] = [];
  /** Queries that are under way, by their numbers. */
  readonly #crews = new Map<number, Crew>();
  readonly threads: number;
  #lastNumber = 0;

  constructor(
    readonly snapshot: Snapshot,
    /** Threads that compute: the one that asks is among them. */
    threads = 1,
    /** Queries that are estimated to take less than so many nanoseconds are not worth sharing. */
    readonly sharedFromNs: number = limits.sharedFromNs,
  ) {
    this.threads = Math.min(threads, limits.threadsMax);
  }

  /** A query made ready: say what it will do, or run it. */
  prepare(query: string | Query, options: QueryOptions = {}): Prepared {
    return prepare(this.snapshot, query, options);
  }

  /** Matches in order, in blocks. Ending the loop early ends the work. What is asked meanwhile shares the threads. */
  async *run(prepared: Prepared): AsyncGenerator<Block> {
    if (!this.#isShared(prepared)) {
      yield* runHere(prepared);
      return;
    }
    const chooser = new StartChooser(isChoosing(prepared) ? prepared.strategy : "all");
    let left = prepared.query.cut ?? Number.POSITIVE_INFINITY;
    const crew = this.#gather(prepared, false);
    try {
      for (let found = crew.next(); found; found = crew.next()) {
        if (found === "later") {
          await crew.turn();
          continue;
        }
        for (const block of upTo(left, [chooser.push(found)])) {
          left -= block.count;
          yield block;
        }
        if (left <= 0) return;
      }
      yield* upTo(left, [chooser.finish()]);
    } finally {
      this.#dismiss(crew);
    }
  }

  async count(prepared: Prepared): Promise<number> {
    const known = knownCount(prepared);
    const { query } = prepared;
    if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
    if (!this.#isShared(prepared)) return countHere(prepared);
    if (query.cut !== undefined || isChoosing(prepared)) {
      let total = 0;
      for await (const block of this.run(prepared)) total += block.count;
      return total;
    }
    return (await this.countTogether(prepared)) ?? countHere(prepared);
  }

  /** How many matches begin anywhere, counted by several threads; undefined where that is not worth it. */
  protected async countTogether(prepared: Prepared): Promise<number | undefined> {
    if (!this.#isShared(prepared)) return undefined;
    const crew = this.#gather(prepared, true);
    try {
      return await crew.count();
    } finally {
      this.#dismiss(crew);
    }
  }

  #isShared({ query, source }: Prepared): boolean {
    // What other threads find would not be measured.
    return this.threads > 1 && !query.expand && source.cost >= this.sharedFromNs && !isMeasured(source);
  }

  /** A query is shared out: others help from the beginning. Where engines share the cores, `help` may come later. */
  protected begun(crew: Crew): void {
    this.help(crew, this.threads - 1);
  }

  /** So many threads help with a query that is under way; started if there are not so many. */
  protected help(crew: Crew, count: number): void {
    crew.enlist(this.#start(count).map(({ worker }) => worker));
  }

  /** It is over. */
  protected ended(_crew: Crew): void {}

  /** While several threads work, the one that asks lets others have their turn now and then. */
  protected pause(_crew: Crew): Promise<void> | void {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** The threads, put to work on a query. Several may be under way. */
  #gather(prepared: Prepared, counting: boolean): Crew {
    const number = ++this.#lastNumber;
    const crew: Crew = new Crew(
      number,
      prepared,
      this.threads,
      this.#cut(prepared),
      counting,
      () => this.#receive(),
      () => this.pause(crew),
    );
    this.#crews.set(number, crew);
    this.begun(crew);
    return crew;
  }

  #dismiss(crew: Crew): void {
    crew.dismiss();
    this.#crews.delete(crew.number);
    this.ended(crew);
  }

  /** Hands answers that have come to the crews they are for, if there still are these. */
  #receive(): void {
    for (const { port } of this.#helpers) {
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const answer = got.message as Answer;
        this.#crews.get(answer.number)?.take(answer);
      }
    }
  }

  /**
   * Whole segments for what reads lists, some windows of them for what scans: where each begins and ends. The last segments
   * are cut smaller in any case, so that threads end together.
   */
  #cut({ source }: Prepared): Float64Array {
    const bounds: number[] = [];
    const { segments } = this.snapshot;
    segments.forEach(({ start, tokens }, at) => {
      const whole = at < segments.length - this.threads ? tokens : Math.ceil(tokens / lastPieces);
      const most = source.window === Number.POSITIVE_INFINITY ? whole : partTokens;
      // Parts begin at multiples of 2^18: memory that does not lie evenly is copied byte by byte.
      for (let from = 0; from < tokens; from += most)
        bounds.push(start + from, start + Math.min(tokens, from + most));
    });
    return Float64Array.from(bounds);
  }

  /** The threads that help, as far as they have been started and have not ended. */
  get helpers(): Worker[] {
    return this.#helpers.map(({ worker }) => worker);
  }

  #start(count: number): Helper[] {
    const { pool } = this.snapshot;
    while (this.#helpers.length < count && pool.hasPlace) {
      const { port1: port, port2 } = new MessageChannel();
      const start: WorkerStart = {
        kernels: compiledKernels(),
        pool: pool.reserve(),
        folder: this.snapshot.folder,
        manifest: this.snapshot.manifest,
        port: port2,
        state: new SharedArrayBuffer(4),
      };
      const options = { workerData: start, transferList: [port2] };
      const worker = new Worker(builtFile("ql/run/worker.js"), options);
      const helper = { worker, port, state: new Int32Array(start.state) };
      worker.on("error", () => {});
      worker.on("exit", () => {
        pool.giveBack(start.pool);
        const at = this.#helpers.indexOf(helper);
        if (at >= 0) this.#helpers.splice(at, 1);
        for (const crew of this.#crews.values()) crew.threadEnded(worker);
      });
      this.#helpers.push(helper);
    }
    return this.#helpers.slice(0, count);
  }

  /** Ends the threads that help, if none of them is at work. Others are started when they are needed. */
  protected async endHelpers(): Promise<void> {
    if (this.#crews.size > 0) return;
    // Who asks meanwhile starts others.
    await Promise.all(this.#helpers.splice(0).map(endThread));
  }

  /**
   * Ends what is under way, and the threads. Those at work end by themselves, when they look up: one that is ended in the
   * middle of a read would leave the pool locked.
   */
  async close(): Promise<void> {
    const closed = () => new DugongError("closed", "the corpus was closed while a query ran");
    for (const crew of this.#crews.values()) crew.dismiss(closed());
    await Promise.all(this.#helpers.map(endThread));
  }
}

async function endThread({ worker, state }: Helper): Promise<void> {
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  if (Atomics.compareExchange(state, 0, FREE, ENDED) === FREE) void worker.terminate();
  else worker.postMessage({ end: true } satisfies Call);
  await ended;
}
