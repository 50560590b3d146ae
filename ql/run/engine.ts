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
import { count as countHere, isChoosing, knownCount, run as runHere, upTo } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";
import { type Block, StartChooser } from "./strategy.js";
import type { MovedBlock, PartAnswer, PartTask, WorkerStart } from "./worker.js";

/** Parts of a scan are no longer than this, so that threads end together. */
const partTokens = 1 << 19;
/** Parts that may be ready before those in front of them are: what bounds memory. */
const partsAhead = 4;

export class Engine {
  readonly #workers: Worker[] = [];
  readonly #stopped = new SharedArrayBuffer(4);
  #lastNumber = 0;

  constructor(
    readonly snapshot: Snapshot,
    /** Threads that compute; with one, it is the thread that asks. */
    readonly threads = 1,
  ) {}

  /** A query made ready: say what it will do, or run it. */
  prepare(query: string | Query, options: QueryOptions = {}): Prepared {
    return prepare(this.snapshot, query, options);
  }

  /** Matches in order, in blocks. Ending the loop early ends the work. */
  async *run(prepared: Prepared, options: QueryOptions = {}): AsyncGenerator<Block> {
    if (this.threads < 2 || prepared.query.expand) {
      yield* runHere(prepared);
      return;
    }
    const chooser = new StartChooser(isChoosing(prepared) ? prepared.strategy : "all");
    let left = prepared.query.cut ?? Number.POSITIVE_INFINITY;
    for await (const part of this.#parts(prepared, options, false)) {
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

  async count(prepared: Prepared, options: QueryOptions = {}): Promise<number> {
    const known = knownCount(prepared);
    const { query } = prepared;
    if (known !== undefined) return Math.min(known, query.cut ?? Number.POSITIVE_INFINITY);
    if (this.threads < 2 || query.expand) return countHere(prepared);
    let total = 0;
    if (query.cut === undefined && !isChoosing(prepared)) {
      for await (const part of this.#parts(prepared, options, true)) total += part.count;
      return total;
    }
    for await (const block of this.run(prepared, options)) total += block.count;
    return total;
  }

  /** The parts of a query, in order, as threads have computed them. */
  async *#parts(
    prepared: Prepared,
    options: QueryOptions,
    counting: boolean,
  ): AsyncGenerator<Exclude<PartAnswer, { error: unknown }>> {
    const parts = this.#cut(prepared);
    const number = ++this.#lastNumber;
    const { checkpoint: _, ...plain } = options;
    const ready = new Map<number, PartAnswer>();
    let wake = () => {};
    let next = 0;
    let wanted = 0;
    const told = new Set<Worker>();
    const give = (worker: Worker): void => {
      if (next >= parts.length || next >= wanted + partsAhead * this.threads) return;
      const [from, to] = parts[next];
      const task: PartTask = { number, part: next++, from, to, counting };
      if (!told.has(worker))
        Object.assign(task, { query: prepared.query, options: { ...plain, strategy: prepared.strategy } });
      told.add(worker);
      busy.add(worker);
      worker.postMessage(task);
    };
    const busy = new Set<Worker>();
    const workers = this.#start();
    const listeners = workers.map((worker) => {
      const listener = (answer: PartAnswer) => {
        busy.delete(worker);
        ready.set(answer.part, answer);
        give(worker);
        wake();
      };
      worker.on("message", listener);
      return listener;
    });
    try {
      for (const worker of workers) give(worker);
      for (; wanted < parts.length; wanted++) {
        while (!ready.has(wanted)) await new Promise<void>((resolve) => (wake = resolve));
        const answer = ready.get(wanted)!;
        ready.delete(wanted);
        if ("error" in answer) throw revived(answer.error);
        for (const notice of answer.notices) {
          if (!prepared.notices.some(({ message }) => message === notice.message))
            prepared.notices.push(notice);
        }
        for (const worker of workers) if (!busy.has(worker)) give(worker);
        yield answer;
      }
    } finally {
      Atomics.store(new Int32Array(this.#stopped), 0, number);
      while (busy.size > 0) await new Promise<void>((resolve) => (wake = resolve));
      for (const [i, worker] of workers.entries()) worker.off("message", listeners[i]);
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
      const start: WorkerStart = {
        kernels: compiledKernels(),
        pool: this.snapshot.pool.handle,
        folder: this.snapshot.folder,
        manifest: this.snapshot.manifest,
        stopped: this.#stopped,
      };
      const worker = new Worker(builtFile("ql/run/worker.js"), { workerData: start });
      worker.setMaxListeners(0);
      this.#workers.push(worker);
    }
    return this.#workers;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#workers.length = 0;
  }
}

function blockOf({ base, count, begins, ends }: MovedBlock): Block {
  return typeof ends === "number" ? Spans.ofLength(base, begins, count, ends) : { base, count, begins, ends };
}

function revived({
  code,
  message,
  hint,
  span,
  stack,
}: Extract<PartAnswer, { error: unknown }>["error"]): Error {
  if (span) return new QueryError(code ?? "error", message, hint, span);
  if (code) return new DugongError(code, message, hint);
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
}
