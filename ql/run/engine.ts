/**
 * The engine: queries on one snapshot, over several threads if it is told so. The corpus is cut into parts; threads take
 * one after the other, and matches come out in the order of the corpus.
 */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError, type Snapshot } from "../../storage/index.js";
import { compiledKernels } from "../../storage/kernels/index.js";
import type { Query } from "../cql/ast.js";
import { Spans } from "../match/source.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { Crew } from "./crew.js";
import { count as countHere, isChoosing, knownCount, run as runHere, upTo } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";
import { type Block, StartChooser } from "./strategy.js";
import type { MovedBlock, PartAnswer, WorkerStart } from "./worker.js";

/** Parts of a scan are no longer than this, so that threads end together. */
const partTokens = 1 << 19;

export class Engine {
  /** Threads that are there. One that has ended is replaced when the next query comes. */
  readonly #workers: Worker[] = [];
  readonly #crews = new Set<Crew>();
  readonly threads: number;
  #lastNumber = 0;

  constructor(
    readonly snapshot: Snapshot,
    /** Threads that compute; with one, it is the thread that asks. */
    threads = 1,
  ) {
    this.threads = Math.min(threads, limits.threadsMax);
  }

  /** A query made ready: say what it will do, or run it. */
  prepare(query: string | Query, options: QueryOptions = {}): Prepared {
    return prepare(this.snapshot, query, options);
  }

  /** Matches in order, in blocks. Ending the loop early ends the work. What is asked meanwhile shares the threads. */
  async *run(prepared: Prepared): AsyncGenerator<Block> {
    if (this.threads < 2 || prepared.query.expand) {
      yield* runHere(prepared);
      return;
    }
    const chooser = new StartChooser(isChoosing(prepared) ? prepared.strategy : "all");
    let left = prepared.query.cut ?? Number.POSITIVE_INFINITY;
    for await (const part of this.#parts(prepared, false)) {
      for (const moved of part.blocks) {
        for (const block of upTo(left, () => [chooser.push(blockOf(moved))])) {
          left -= block.count;
          yield block;
        }
        if (left <= 0) return;
      }
    }
    yield* upTo(left, () => [chooser.finish()]);
  }

  async count(prepared: Prepared): Promise<number> {
    const known = knownCount(prepared);
    const { query } = prepared;
    if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
    if (this.threads < 2 || query.expand) return countHere(prepared);
    let total = 0;
    if (query.cut === undefined && !isChoosing(prepared)) {
      for await (const part of this.#parts(prepared, true)) total += part.count;
      return total;
    }
    for await (const block of this.run(prepared)) total += block.count;
    return total;
  }

  /** The parts of a query, in order, as threads have computed them. Several queries may be under way. */
  async *#parts(
    prepared: Prepared,
    counting: boolean,
  ): AsyncGenerator<Exclude<PartAnswer, { error: unknown }>> {
    const { checkpoint, ...plain } = prepared.options;
    const crew = new Crew(this.#start(), ++this.#lastNumber, this.#cut(prepared), counting, {
      tree: prepared.query,
      options: { ...plain, strategy: prepared.strategy },
      stopped: new SharedArrayBuffer(4),
    });
    this.#crews.add(crew);
    try {
      for (let part = 0; part < crew.parts.length; part++) {
        const answer = await crew.answer(part, checkpoint);
        if ("error" in answer) throw revived(answer.error);
        for (const notice of answer.notices) {
          if (!prepared.notices.some(({ message }) => message === notice.message))
            prepared.notices.push(notice);
        }
        yield answer;
      }
    } finally {
      await crew.dismiss();
      this.#crews.delete(crew);
    }
  }

  /** Whole segments for what reads lists, pieces of them for what scans. */
  #cut({ source }: Prepared): [from: number, to: number][] {
    const parts: [number, number][] = [];
    const scans = source.window !== Number.POSITIVE_INFINITY;
    for (const { start, tokens } of this.snapshot.segments) {
      const pieces = scans ? Math.max(1, Math.ceil(tokens / partTokens)) : 1;
      for (let i = 0; i < pieces; i++) {
        const from = start + Math.floor((tokens * i) / pieces);
        const to = start + Math.floor((tokens * (i + 1)) / pieces);
        if (from < to) parts.push([from, to]);
      }
    }
    return parts;
  }

  #start(): Worker[] {
    while (this.#workers.length < this.threads) {
      const { pool } = this.snapshot;
      const start: WorkerStart = {
        kernels: compiledKernels(),
        pool: pool.reserve(),
        folder: this.snapshot.folder,
        manifest: this.snapshot.manifest,
      };
      const worker = new Worker(builtFile("ql/run/worker.js"), { workerData: start });
      worker.setMaxListeners(0);
      worker.on("error", () => {});
      worker.on("exit", () => {
        pool.giveBack(start.pool);
        const at = this.#workers.indexOf(worker);
        if (at >= 0) this.#workers.splice(at, 1);
      });
      this.#workers.push(worker);
    }
    return [...this.#workers];
  }

  /**
   * Ends what is under way, and the threads. Not the other way round: one that is ended in the middle of a read would
   * leave the pool locked.
   */
  async close(): Promise<void> {
    const closed = () => new DugongError("closed", "the corpus was closed while a query ran");
    await Promise.all([...this.#crews].map((crew) => crew.dismiss(closed())));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function blockOf({ base, count, begins, ends }: MovedBlock): Block {
  return typeof ends === "number" ? Spans.ofLength(base, begins, count, ends) : { base, count, begins, ends };
}

function revived(error: Extract<PartAnswer, { error: unknown }>["error"]): Error {
  const { code, message, hint, span, ofQuery, stack } = error;
  if (code) return ofQuery ? new QueryError(code, message, hint, span) : new DugongError(code, message, hint);
  return Object.assign(new Error(message), { stack });
}
