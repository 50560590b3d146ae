/**
 * Which thread answers what, and when. Every request goes to the quick lane first, which answers what takes little and
 * hands over what does not: to the heavy lane, where requests share the cores in slices. So a small question is never
 * behind a large one.
 *
 * Requests wait here until a thread has room for them; connections take turns. What was handed over once goes to the
 * heavy lane at once when it is asked again, and to the thread that may have kept something of it.
 */
import { limits as protocolLimits } from "../client/protocol/limits.js";
import type { Pool } from "../storage/index.js";
import type { User } from "./access/users.js";
import type { Config } from "./config.js";
import { limits } from "./limits.js";
import { refusal } from "./problems.js";
import { FairQueue } from "./queue.js";
import type { Asked } from "./requests.js";
import { Cores } from "./threads/cores.js";
import { type Done, type Ending, flagOf, type Lane, type Said } from "./threads/messages.js";
import { OwnThread, type Thread, WorkerThread } from "./threads/thread.js";

export interface LaneEvents {
  /** Something to send; `taken` is to be called when it has left the server. */
  said(asked: Asked, said: Said, taken: (() => void) | undefined): void;
  ended(asked: Asked, done: Done): void;
  /** Ended without a thread having said anything to the client. */
  failed(asked: Asked, why: Failed): void;
  threadFailed(lane: Lane, error: Error | undefined): void;
}

export type Failed =
  | "cancelled"
  | "killed"
  | "timeout"
  | "thread_ended"
  | "too_many_streams"
  | "token_expired"
  | "budget_spent";

export class Lanes {
  readonly #threads: Record<Lane, Thread[]> = { quick: [], heavy: [] };
  readonly #queues: Record<Lane, FairQueue> = { quick: new FairQueue(), heavy: new FairQueue() };
  readonly #waitingOf = new Map<string, number>();
  readonly asked = new Set<Asked>();
  readonly #flagWords = new SharedArrayBuffer(4 * slotsMax);
  readonly #flags = new Int32Array(this.#flagWords);
  readonly #freeSlots: number[] = [];
  #usedSlots = 0;
  readonly #knownHeavy = new Set<string>();
  readonly #cores: Cores;
  #closing = false;

  constructor(
    readonly config: Config,
    readonly data: string,
    readonly pool: Pool,
    readonly events: LaneEvents,
    readonly threading: Threading,
  ) {
    this.#cores = new Cores(config.threads);
    if (threading !== "own") this.#start("quick", 0);
    const heavy = threading === "own" ? 1 : config.threads;
    for (let i = 0; i < heavy; i++) this.#start("heavy", i);
  }

  #start(lane: Lane, number: number): void {
    const { threads, resultBytes, slowQueryMs, tableRowsMax, lineContextMax, lineTokensMax } = this.config;
    const { shared } = this.#cores;
    const isOwn = this.threading === "own";
    // Where there is no socket, frames may be of any size.
    const answerBytesMax =
      this.threading === "ready" ? protocolLimits.frameBytesMax : Number.MAX_SAFE_INTEGER;
    const start = {
      data: this.data,
      flags: this.#flagWords,
      resultBytes: isOwn ? resultBytes : Math.floor(resultBytes / (threads + 1)),
      slowQueryMs,
      cores: { threads, shared, owner: number },
      caps: { answerBytesMax, tableRowsMax, lineContextMax, lineTokensMax },
    };
    const events = {
      said: (from: Thread, said: Said) => this.#said(from, said),
      ended: (from: Thread, error: Error | undefined) => this.#threadEnded(from, error),
    };
    const Kind = isOwn ? OwnThread : WorkerThread;
    const thread = new Kind(lane, start, this.pool, events);
    if (thread instanceof WorkerThread && this.threading === "ready") thread.begin();
    this.#threads[lane].push(thread);
  }

  /** What a thread has to do has become more, or less. */
  #activate(thread: Thread, change: 1 | -1): void {
    thread.active += change;
    if (thread.lane === "heavy")
      this.#cores.busy = this.#threads.heavy.reduce((sum, { active }) => sum + (active > 0 ? 1 : 0), 0);
  }

  get waiting(): number {
    return this.#queues.quick.size + this.#queues.heavy.size;
  }

  /** Threads that help with queries besides those of the lanes. */
  get helping(): number {
    return this.#cores.helping;
  }

  active(lane: Lane): number {
    return this.#threads[lane].reduce((sum, thread) => sum + thread.active, 0);
  }

  // ---- in

  /** Throws if there are too many already. */
  submit(asked: Asked): void {
    const { queueMax, queuePerUserMax, queuePerConnectionMax } = this.config;
    const { connection, user } = asked;
    const ofUser = this.#waitingOf.get(user.key) ?? 0;
    const full =
      this.waiting >= queueMax
        ? "queueMax"
        : ofUser >= queuePerUserMax
          ? "queuePerUserMax"
          : connection.waiting >= queuePerConnectionMax
            ? "queuePerConnectionMax"
            : undefined;
    if (full !== undefined)
      throw refusal(
        "busy",
        `too many requests are waiting (limit ${full})`,
        "Ask again when some have been answered.",
      );
    this.asked.add(asked);
    asked.lane = this.#isHeavy(asked) ? "heavy" : "quick";
    this.#wait(asked);
    this.#pump(asked.lane);
  }

  #isHeavy(asked: Asked): boolean {
    return this.threading === "own" || asked.verb.heavy === true || this.#knownHeavy.has(heavyKey(asked));
  }

  #wait(asked: Asked): void {
    asked.state = "waiting";
    asked.thread = undefined;
    asked.connection.waiting++;
    this.#waitingOf.set(asked.user.key, (this.#waitingOf.get(asked.user.key) ?? 0) + 1);
    this.#queues[asked.lane].push(asked);
  }

  #waitedFor(asked: Asked): void {
    asked.connection.waiting--;
    const left = (this.#waitingOf.get(asked.user.key) ?? 1) - 1;
    if (left > 0) this.#waitingOf.set(asked.user.key, left);
    else this.#waitingOf.delete(asked.user.key);
  }

  /** Somebody takes again what is sent to them: what they asked may begin. */
  goOn(): void {
    this.#pump("quick");
    this.#pump("heavy");
  }

  #pump(lane: Lane): void {
    const most = lane === "quick" ? limits.quickJobsMax : limits.heavyJobsMax;
    const queue = this.#queues[lane];
    while (queue.size > 0 && this.#threads[lane].some(({ active }) => active < most)) {
      const asked = queue.take();
      if (!asked) return;
      this.#waitedFor(asked);
      if (asked.connection.standing >= this.config.streamsPerConnectionMax) {
        this.#fail(asked, "too_many_streams");
        continue;
      }
      this.#give(asked, this.#threadFor(asked));
    }
  }

  /** The thread that may have kept something of what the request begins with, unless others have much less to do. */
  #threadFor(asked: Asked): Thread {
    const threads = this.#threads[asked.lane];
    const least = threads.reduce((a, b) => (b.active < a.active ? b : a));
    if (asked.lane === "quick" || threads.length === 1) return least;
    const own = threads[hash(beginningKey(asked)) % threads.length];
    return own.active <= least.active + 1 ? own : least;
  }

  #give(asked: Asked, thread: Thread): void {
    const { config } = this;
    const { parameters, corpus, others, user, before } = asked;
    const left = asked.timeoutMs - (before ? 0 : performance.now() - asked.began);
    if (left <= 0) {
      this.#fail(asked, "timeout");
      return;
    }
    if (asked.slot < 0) {
      if (this.#freeSlots.length === 0 && this.#usedSlots >= slotsMax) {
        this.#fail(asked, "too_many_streams");
        return;
      }
      asked.slot = this.#freeSlots.pop() ?? this.#usedSlots++;
    }
    Atomics.store(this.#flags, asked.slot, flagOf.unbegun);
    asked.state = "going";
    asked.thread = thread;
    this.#activate(thread, 1);
    thread.jobs.set(asked.number, asked);
    thread.open(corpus);
    for (const other of others.values()) thread.open(other);
    const { rowsLeft, cpuMsLeft } = user.spent;
    const isBudget = rowsLeft + asked.rows < config.rowsMax;
    thread.tell({
      kind: "job",
      job: asked.number,
      slot: asked.slot,
      connection: asked.connection.number,
      id: asked.id,
      subprotocol: asked.connection.subprotocol,
      verb: asked.name,
      parameters,
      corpus: corpus.citation,
      others: Object.fromEntries([...others].map(([name, { citation }]) => [name, citation])),
      denied: asked.denied,
      waitedMs: performance.now() - asked.began,
      credit: asked.credit,
      hold: asked.hold,
      counting: asked.counting,
      timeoutMs: left,
      rowsMax: isBudget ? rowsLeft + asked.rows : config.rowsMax,
      rowsLimit: isBudget ? "rowsPerHour" : "rowsMax",
      cpuMsMax: cpuMsLeft,
      memoryBytesMax: config.memoryBytesMax,
      standingMs: config.standingMs,
      before,
    });
  }

  // ---- meanwhile

  credit(asked: Asked, rows: number): void {
    asked.credit += rows;
    asked.thread?.tell({ kind: "credit", job: asked.number, rows });
  }

  seek(asked: Asked, row: number, credit: number): void {
    asked.credit = credit;
    asked.seeks++;
    asked.seekRow = row;
    if (asked.thread) asked.thread.tell({ kind: "seek", job: asked.number, row, credit });
    else asked.before = this.#beforeOf(asked, asked.before ?? { nextRow: 0, rows: 0, seeks: 0, cpuMs: 0 });
  }

  /** Where a job begins that was somewhere else before: seeks that nobody has heard of count. */
  #beforeOf(asked: Asked, before: NonNullable<Asked["before"]>): NonNullable<Asked["before"]> {
    return before.seeks === asked.seeks ? before : { ...before, seeks: asked.seeks, nextRow: asked.seekRow };
  }

  /**
   * Ends a request, wherever it is. What no thread has begun, this one ends: a thread may be starting, or at a step that
   * takes long, and hears of it later. What is computed ends at its next checkpoint.
   */
  stop(asked: Asked, why: Ending): void {
    const told = toldOf(why);
    if (this.#queues[asked.lane].remove(asked)) {
      this.#waitedFor(asked);
      this.#fail(asked, told);
      return;
    }
    if (asked.slot < 0 || asked.state === "withdrawn") return;
    const { unbegun, withdrawn, going } = flagOf;
    if (Atomics.compareExchange(this.#flags, asked.slot, unbegun, withdrawn) === unbegun) {
      asked.state = "withdrawn";
      this.#fail(asked, told);
      return;
    }
    Atomics.compareExchange(this.#flags, asked.slot, going, why);
    asked.thread?.tell({ kind: "wake", job: asked.number });
  }

  sweep(now = performance.now()): void {
    for (const asked of [...this.#queues.quick, ...this.#queues.heavy]) {
      if (now - asked.began <= asked.timeoutMs || asked.before) continue;
      this.#queues[asked.lane].remove(asked);
      this.#waitedFor(asked);
      this.#fail(asked, "timeout");
    }
    for (const asked of this.asked)
      if (asked.state === "standing" && now - asked.stoodAt > this.config.standingMs)
        this.stop(asked, flagOf.idle);
  }

  close(citation: string): void {
    for (const thread of this.#all()) thread.close(citation);
  }

  *#all(): Generator<Thread> {
    yield* this.#threads.quick;
    yield* this.#threads.heavy;
  }

  // ---- out

  #said(thread: Thread, said: Said): void {
    const asked = thread.jobs.get(said.job);
    if (!asked) return;
    if (asked.state === "withdrawn") {
      this.#dropped(thread, asked);
      this.#pump(thread.lane);
      return;
    }
    if (said.state) this.#stand(thread, asked, said.state);
    if (said.progress) asked.progress = said.progress;
    if (said.rows) {
      asked.rows += said.rows;
      asked.user.spent.add(said.rows, 0);
      if (said.seeks === asked.seeks) asked.credit -= said.rows;
    }
    if (said.cpuMs !== undefined) this.#charge(asked, said.cpuMs);
    const { bytes, done } = said;
    const taken =
      bytes && !done
        ? () => {
            if (asked.thread === thread) thread.tell({ kind: "taken", job: asked.number, bytes });
          }
        : undefined;
    if (said.frames && said.frames.length > 0) this.events.said(asked, said, taken);
    if (said.handOver) this.#handOver(thread, asked, said.handOver);
    if (done) this.#done(thread, asked, done);
    this.#endSpent(asked.user);
  }

  #stand(thread: Thread, asked: Asked, state: "standing" | "going"): void {
    if (asked.state === state) return;
    const change = state === "standing" ? 1 : -1;
    asked.state = state;
    asked.stoodAt = performance.now();
    asked.connection.standing += change;
    this.#activate(thread, state === "standing" ? -1 : 1);
    if (state === "standing") this.#pump(thread.lane);
  }

  #leave(thread: Thread, asked: Asked): void {
    thread.jobs.delete(asked.number);
    if (asked.state === "standing") asked.connection.standing--;
    else this.#activate(thread, -1);
  }

  /** A thread has found that it need not begin with a request that has ended: its word may be another's. */
  #dropped(thread: Thread, asked: Asked): void {
    this.#leave(thread, asked);
    this.#freeSlots.push(asked.slot);
    asked.slot = -1;
  }

  #handOver(thread: Thread, asked: Asked, before: NonNullable<Asked["before"]>): void {
    this.#leave(thread, asked);
    asked.before = this.#beforeOf(asked, before);
    // It was to end, but its thread had done with it by then.
    const flag = Atomics.load(this.#flags, asked.slot);
    if (flag !== flagOf.going) {
      this.#fail(asked, toldOf(flag));
      this.#pump(thread.lane);
      return;
    }
    asked.lane = "heavy";
    const key = heavyKey(asked);
    if (key.length <= limits.knownHeavyCharsMax && before.always) {
      if (this.#knownHeavy.size >= limits.knownHeavyMax)
        this.#knownHeavy.delete(this.#knownHeavy.values().next().value as string);
      this.#knownHeavy.add(key);
    }
    this.#wait(asked);
    this.#pump("heavy");
    this.#pump(thread.lane);
  }

  #done(thread: Thread, asked: Asked, done: Done): void {
    this.#leave(thread, asked);
    this.#forget(asked);
    this.#charge(asked, done.cpuMs);
    this.events.ended(asked, done);
    this.#pump(thread.lane);
  }

  #fail(asked: Asked, why: Failed): void {
    this.#forget(asked);
    this.#charge(asked, asked.before?.cpuMs ?? 0);
    this.events.failed(asked, why);
  }

  /** Of the time that it has taken in all, what was not charged before. */
  #charge(asked: Asked, cpuMs: number): void {
    asked.user.spent.add(0, Math.max(0, cpuMs - asked.cpuMs));
    asked.cpuMs = Math.max(cpuMs, asked.cpuMs);
  }

  /** Requests that were begun while there was a budget for each of them alone. */
  #endSpent({ spent }: User): void {
    const why = spent.rowsLeft <= 0 ? flagOf.rows : spent.cpuMsLeft <= 0 ? flagOf.budget : undefined;
    if (why === undefined) return;
    for (const asked of [...this.asked]) if (asked.user.spent === spent) this.stop(asked, why);
  }

  #forget(asked: Asked): void {
    asked.thread = undefined;
    this.asked.delete(asked);
    if (asked.slot < 0 || asked.state === "withdrawn") return;
    this.#freeSlots.push(asked.slot);
    asked.slot = -1;
  }

  /** What a thread was computing when it ended, nobody will. Another takes its place. */
  #threadEnded(thread: Thread, error: Error | undefined): void {
    const threads = this.#threads[thread.lane];
    threads.splice(threads.indexOf(thread), 1);
    if (thread.lane === "heavy") this.#cores.giveAllOf(thread.number);
    for (const asked of [...thread.jobs.values()]) {
      if (asked.state === "withdrawn") {
        this.#dropped(thread, asked);
        continue;
      }
      this.#leave(thread, asked);
      this.#fail(asked, "thread_ended");
    }
    if (this.#closing) return;
    this.events.threadFailed(thread.lane, error);
    this.#start(thread.lane, thread.number);
    this.#pump(thread.lane);
  }

  /** Ends the threads, when nothing is left to do. */
  async end(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#all()].map((thread) => thread.end()));
  }
}

/**
 * Which threads there are: `ready`, a quick one and the heavy ones, from the beginning on; `lazy`, the same, each when it is
 * first needed; `own`, the one that the server is in, with others that help it with long queries.
 */
export type Threading = "ready" | "lazy" | "own";

const slotsMax = 1 << 17;

function toldOf(why: number): Failed {
  switch (why) {
    case flagOf.killed:
      return "killed";
    case flagOf.expired:
      return "token_expired";
    case flagOf.budget:
    case flagOf.rows:
      return "budget_spent";
    default:
      return "cancelled";
  }
}

function heavyKey({ corpus, name, parameters }: Asked): string {
  return `${corpus.citation} ${name} ${JSON.stringify(parameters)}`;
}

/** What the results of a chain are kept by. */
function beginningKey({ corpus, parameters }: Asked): string {
  const { chain, query } = parameters as { chain?: { query?: unknown }[]; query?: unknown };
  return `${corpus.citation} ${JSON.stringify(chain?.[0]?.query ?? query ?? "")}`;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
