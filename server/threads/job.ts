/**
 * A job: one request, as a thread works on it. It computes only when it is its turn, and rows only while it has credit
 * and its reader has taken most of what was sent. Whatever ends it, exactly one last message goes to the client:
 * `result`, `error` or `end`.
 */
import { getHeapStatistics } from "node:v8";
import { type Codec, codecOf } from "../../client/protocol/codec.js";
import type { End, EndReason, ErrorBody, Notice } from "../../client/protocol/messages.js";
import type { PlanStep, Prepared, Query } from "../../ql/index.js";
import { limits } from "../limits.js";
import { budgetSpent, isTold, killed, problem, problemOf, refusal, tokenExpired } from "../problems.js";
import { corporaNamed, withQueriesAsText } from "../verbs/chains.js";
import { type Rows, TableRows } from "../verbs/rows.js";
import { deskVerbs } from "../verbs/table.js";
import type { Asking } from "../verbs/verb.js";
import type { Cores } from "./cores.js";
import type { Desks } from "./desks.js";
import { type Caps, type Done, type Ending, flagOf, type JobTold, type Lane, type Said } from "./messages.js";
import { HandOver, Stopped } from "./stops.js";
import type { Passer, Turnstile } from "./turnstile.js";

/** What a job has around it. */
export interface Site {
  lane: Lane;
  turnstile: Turnstile;
  desks: Desks;
  flags: Int32Array;
  slowQueryMs: number;
  caps: Caps;
  cores: Cores;
  say(said: Said): void;
}

export class Job implements Passer {
  readonly connection: number;
  readonly #codec: Codec;
  readonly #began: number;
  #deadline: number;
  #cpuMs: number;
  #turnBegan = 0;
  /** Threads that compute for it besides this one. */
  #helpers = 0;
  /** Of the turn, and of the step that the next rows take. */
  #stepMs = 0;
  #bytes = 0;
  #turnBytes = 0;
  #memoryLooked = 0;

  #credit: number;
  #seekTo: number | undefined;
  #seeks: number;
  #nextRow: number;
  #rows: number;
  #unacknowledged = 0;
  #blockRows: number = limits.firstBlockRows;
  #wake: (() => void) | undefined;

  #followed: Prepared | undefined;
  #plan: PlanStep | undefined;
  #progressed = 0;
  #done = -1;
  #hitsTold = -1;
  #totalTold: string | undefined;
  /** Was the last message said? */
  #isOver = false;
  readonly #notices: Notice[] = [];
  readonly #limits: Record<string, number> = {};

  constructor(
    readonly told: JobTold,
    readonly site: Site,
  ) {
    this.connection = told.connection;
    this.#codec = codecOf(told.subprotocol);
    const now = performance.now();
    this.#began = now - told.waitedMs;
    this.#deadline = now + told.timeoutMs;
    this.#credit = told.credit;
    this.#cpuMs = told.before?.cpuMs ?? 0;
    this.#nextRow = told.before?.nextRow ?? 0;
    this.#rows = told.before?.rows ?? 0;
    this.#seeks = told.before?.seeks ?? 0;
    if (this.#nextRow > 0) this.#seekTo = this.#nextRow;
  }

  // ---- turns

  began(now: number): void {
    this.#turnBegan = now;
    this.#memoryLooked = now;
    this.#turnBytes = this.#memory();
  }

  paused(now: number): void {
    this.#cpuMs += this.#computed(now);
    this.#stepMs += now - this.#turnBegan;
    this.#turnBegan = now;
    this.#bytes = Math.max(0, this.#bytes + this.#memory() - this.#turnBytes);
  }

  /** Looking takes longer than many a question: where there is no limit, nobody looks. */
  #memory(): number {
    return this.told.memoryBytesMax < Number.MAX_SAFE_INTEGER ? memoryBytes() : 0;
  }

  /** Others compute for it, too, from now on; or so many fewer. */
  helped(change: number): void {
    this.#stepMs += performance.now() - this.#turnBegan;
    this.#turnBegan = this.#charge();
    this.#helpers = Math.max(0, this.#helpers + change);
  }

  #computed(now: number): number {
    return (now - this.#turnBegan) * (1 + this.#helpers);
  }

  /** Throws if the job has to end, or to go elsewhere. Called once a block, wherever something is computed. */
  check(): void {
    this.checkEnd();
    const now = performance.now();
    if (this.#cpuMs + this.#computed(now) > this.told.cpuMsMax) throw new Stopped(flagOf.budget);
    if (this.site.lane === "quick" && this.#stepMs + now - this.#turnBegan > limits.quickMs)
      throw new HandOver(false);
    if (now - this.#memoryLooked < limits.memoryCheckMs) return;
    this.#memoryLooked = now;
    if (this.#bytes + this.#memory() - this.#turnBytes > this.told.memoryBytesMax)
      throw new Stopped("memory");
  }

  /**
   * The same while something is loaded that others will need as well: that is not begun anew elsewhere, or it would never
   * be there.
   */
  checkEnd(): void {
    // Its word may be another's already.
    if (this.#isOver) throw new Stopped(flagOf.dropped);
    const flag = this.#flag;
    if (flag !== flagOf.going) throw new Stopped(flag as Ending);
    if (performance.now() > this.#deadline) throw new Stopped(flagOf.timeout);
  }

  get #flag(): number {
    return Atomics.load(this.site.flags, this.told.slot);
  }

  /** Says its last message, if it has to end, while another job computes; the rest when it is its turn. True if it did. */
  endEarly(): boolean {
    const flag = this.#flag;
    if (this.#isOver || flag === flagOf.going || flag === flagOf.unbegun) return false;
    if (flag === flagOf.withdrawn) this.#drop();
    else this.#stop(new Stopped(flag as Ending));
    return true;
  }

  /** Throws if a query asks an aligned corpus that whoever sent it may not read. */
  mayAsk(query: string | Query): void {
    const { denied } = this.told;
    if (denied.length === 0) return;
    for (const corpus of corporaNamed(query))
      if (denied.includes(corpus))
        throw refusal("no_corpus", `there is no corpus ${corpus} that you may read`);
  }

  /** The first query of a job is the one whose progress is told. */
  follow(prepared: Prepared): boolean {
    this.#followed ??= prepared;
    return this.#followed === prepared;
  }

  looked(done: number, of: number, hits: number): void {
    const now = performance.now();
    if (now - Math.max(this.#progressed, this.#began) < limits.progressMs || done === this.#done) return;
    this.#progressed = now;
    const frame = {
      type: "progress",
      id: this.told.id,
      done,
      ...(this.#done < 0 && { of }),
      ...(hits !== this.#hitsTold && { hits: { value: hits, certainty: "atLeast" } }),
    };
    this.#done = done;
    this.#hitsTold = hits;
    const cpuMs = this.#cpuMs + this.#computed(now);
    this.site.say({ job: this.told.job, frames: [this.#encode(frame)], progress: { done, of }, cpuMs });
  }

  /** What was planned is worth a look if it took long. */
  plan(plan: () => PlanStep): void {
    if (this.#cpuMs + performance.now() - this.#turnBegan >= this.site.slowQueryMs) this.#plan ??= plan();
  }

  // ---- what the client says meanwhile

  addCredit(rows: number): void {
    this.#credit += rows;
    this.wake();
  }

  seek(row: number, credit: number): void {
    this.#seekTo = row;
    this.#credit = credit;
    this.#seeks++;
    this.wake();
  }

  taken(bytes: number): void {
    this.#unacknowledged -= bytes;
    if (this.#unacknowledged < limits.streamBytesMax / 2) this.wake();
  }

  wake(): void {
    this.#wake?.();
  }

  // ---- the work

  async run(): Promise<void> {
    const { turnstile } = this.site;
    if (this.endEarly()) return;
    await turnstile.enter(this);
    try {
      this.#begin();
      this.check();
      await this.#answer();
    } catch (error) {
      this.#fail(error);
    } finally {
      turnstile.end(this);
      this.site.desks.trim();
    }
  }

  /** From here on it ends at its own checkpoints; before, the main thread ends it. */
  #begin(): void {
    const { flags } = this.site;
    const { slot } = this.told;
    const flag = Atomics.compareExchange(flags, slot, flagOf.unbegun, flagOf.going);
    if (flag === flagOf.withdrawn) this.#drop();
  }

  async #answer(): Promise<void> {
    const { told, site } = this;
    const verb = deskVerbs[told.verb];
    if (site.lane === "quick" && verb.heavy) throw new HandOver(true);
    const asking: Asking = {
      desk: site.desks.get(told.corpus),
      parameters: withQueriesAsText(told.parameters),
      deskOf: (corpus) => site.desks.get(told.others[corpus]),
      notices: this.#notices,
      limits: this.#limits,
      caps: site.caps,
    };
    if (verb.kind === "result") {
      const value = await verb.answer(asking);
      this.#stopClock();
      const result = {
        type: "result",
        id: told.id,
        value,
        corpus: told.corpus,
        statistics: this.#statistics(),
        ...this.#remarks(),
      };
      this.#finish([this.#encodeAnswer(result)], { reason: "result" });
      return;
    }
    const rows = await verb.open(asking);
    try {
      const reason = await this.#stream(rows);
      this.#stopClock();
      this.#finish([this.#encode(this.#end(reason))], { reason });
    } finally {
      await rows.close();
    }
  }

  /** Sends rows until there are no more, or no more may be sent. */
  async #stream(rows: Rows): Promise<EndReason> {
    const { told, site } = this;
    for (;;) {
      this.check();
      if (this.#seekTo !== undefined) {
        const row = this.#seekTo;
        this.#seekTo = undefined;
        // Also where it has to go on elsewhere, before it gets there.
        this.#nextRow = row;
        await rows.seek(row);
      }
      const left = told.rowsMax - this.#rows;
      if (left <= 0 && !rows.over) {
        this.#limits[told.rowsLimit] = told.rowsMax;
        return "limit";
      }
      if (rows.over && !told.hold) {
        this.#say({ frames: this.#totalFrames(rows) });
        return "complete";
      }
      const wanted = rows.over ? 0 : Math.min(this.#credit, this.#blockRows, left);
      if (wanted === 0 || this.#unacknowledged >= limits.streamBytesMax) {
        if (told.counting && rows.count && (await rows.count()))
          this.#say({ frames: this.#totalFrames(rows, true) });
        else if (this.#isBehindAll(rows)) return "complete";
        else await this.#stand(rows);
        await site.turnstile.turn(this);
        continue;
      }
      const frames = this.#totalFrames(rows);
      const block = await rows.next(wanted);
      if (this.#seekTo === undefined) this.#sendRows(frames, block, rows);
      this.#stepMs = 0;
      this.#turnBegan = this.#charge();
      if (site.lane === "quick" && this.#cpuMs > limits.quickStreamMs && !(rows instanceof TableRows))
        throw new HandOver(true);
      await site.turnstile.turn(this);
    }
  }

  #sendRows(frames: Uint8Array[], block: { count: number; columns: object }, rows: Rows): void {
    const { count, columns } = block;
    let bytes = 0;
    if (count > 0) {
      const frame = this.#encodeAnswer({
        type: "rows",
        id: this.told.id,
        from: this.#nextRow,
        count,
        columns,
        ...(this.#seeks > 0 && { seeks: this.#seeks }),
        ...(this.#rows === 0 && { corpus: this.told.corpus }),
      });
      bytes = frame.length;
      this.#credit -= count;
      this.#nextRow += count;
      this.#rows += count;
      this.#unacknowledged += bytes;
      frames.push(frame);
      // The next block is as long as fits, but does not grow all at once.
      const fitting = Math.ceil((count * limits.blockBytes) / bytes);
      this.#blockRows = Math.max(1, Math.min(fitting, this.#blockRows * 4, limits.blockRowsMax));
    }
    frames.push(...this.#totalFrames(rows));
    const cpuMs = this.#cpuMs + this.#computed(performance.now());
    this.#say({ frames, rows: count, bytes, seeks: this.#seeks, cpuMs });
  }

  /** What is known of the whole, if it is more than was known before. `guess`: also what is not exact. */
  #totalFrames(rows: Rows, guess = false): Uint8Array[] {
    if (this.#totalTold === "exact" || !(rows.isCounted || guess)) return [];
    const { total, summary } = rows;
    const now = performance.now();
    const told = rows.isCounted ? "exact" : `${total.certainty} ${total.value}`;
    const tooSoon = this.#totalTold !== undefined && now - this.#progressed < limits.progressMs;
    if (told === this.#totalTold || (told !== "exact" && tooSoon)) return [];
    this.#progressed = now;
    this.#totalTold = told;
    return [this.#encode({ type: "total", id: this.told.id, rows: total, ...(summary && { summary }) })];
  }

  /** Waits, without computing, until something was said. The time does not count. */
  async #stand(rows: Rows): Promise<void> {
    const { turnstile, cores } = this.site;
    this.#say({ frames: this.#totalFrames(rows, true), state: "standing" });
    const left = this.#deadline - performance.now();
    turnstile.leave(this);
    // Those who help rest, and others may use the cores.
    cores.give(this.#helpers);
    while (!this.#mayGoOn(rows)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
    await turnstile.enter(this);
    cores.retake(this.#helpers);
    this.#deadline = performance.now() + left;
    this.#say({ state: "going" });
  }

  /** Waits for what another job does; ends early if this one has to. */
  async aside(until: Promise<unknown>): Promise<void> {
    const { turnstile } = this.site;
    turnstile.leave(this);
    await Promise.race([
      until,
      new Promise<void>((resolve) => {
        this.#wake = resolve;
      }),
    ]);
    this.#wake = undefined;
    await turnstile.enter(this);
    this.check();
  }

  /** Is it known, without looking further, that no rows are left? */
  #isBehindAll(rows: Rows): boolean {
    if (this.told.hold || this.#credit > 0 || this.#seekTo !== undefined) return false;
    const { total } = rows;
    if (total.certainty !== "exact" || this.#nextRow < total.value) return false;
    this.#say({ frames: this.#totalFrames(rows) });
    return true;
  }

  #mayGoOn(rows: Rows): boolean {
    if (this.#seekTo !== undefined || this.#isOver || this.#flag !== flagOf.going) return true;
    return !rows.over && this.#credit > 0 && this.#unacknowledged < limits.streamBytesMax;
  }

  // ---- the end

  #fail(error: unknown): void {
    const { told } = this;
    this.#stopClock();
    if (this.#isOver) return;
    if (error instanceof HandOver) {
      const { job } = told;
      this.site.say({
        job,
        handOver: {
          nextRow: this.#seekTo ?? this.#nextRow,
          rows: this.#rows,
          seeks: this.#seeks,
          cpuMs: this.#cpuMs,
          always: error.always,
        },
      });
      return;
    }
    if (error instanceof Stopped) {
      this.#stop(error);
      return;
    }
    const own = problemOf(error);
    this.#refuse(own, isTold(error) ? undefined : String((error as Error)?.stack ?? error));
  }

  #stop({ why }: Stopped): void {
    const { told } = this;
    switch (why) {
      case flagOf.dropped:
        this.#drop();
        return;
      case flagOf.killed:
        this.#notices.push(killed);
        this.#cut("cancelled", problem("cancelled", killed.message));
        return;
      case flagOf.cancelled:
        this.#cut("cancelled", problem("cancelled", "the request was cancelled"));
        return;
      case flagOf.budget:
        this.#limits.cpuMsPerHour = told.cpuMsMax;
        this.#cut("limit", budgetSpent);
        return;
      case flagOf.rows:
        this.#limits.rowsPerHour = told.rowsMax;
        this.#cut("limit", budgetSpent);
        return;
      case flagOf.expired:
        this.#refuse(tokenExpired);
        return;
      case flagOf.idle:
        this.#limits.standingMs = told.standingMs;
        this.#cut("timeout", problem("timeout", "no credit was given for too long (limit standingMs)"));
        return;
      case "memory":
        this.#limits.memoryBytesMax = told.memoryBytesMax;
        this.#cut(
          "limit",
          problem(
            "memory_limit",
            `the request needs more than ${told.memoryBytesMax} bytes of memory (limit memoryBytesMax)`,
            "Ask for less at a time: a sample, a more special query.",
          ),
        );
        return;
      default:
        this.#limits.timeoutMs = told.timeoutMs;
        this.#cut(
          "timeout",
          problem(
            "timeout",
            `the request was not done within ${Math.round(told.timeoutMs)} ms (limit timeoutMs)`,
          ),
        );
    }
  }

  /** The client has been answered by the main thread, which waits to hear that nobody works on this. */
  #drop(): void {
    this.#finish([], { reason: "cancelled" });
  }

  /** A stream ends early with its reason; what was to have one result has none. */
  #cut(reason: EndReason, error: ErrorBody): void {
    if (deskVerbs[this.told.verb].kind === "stream")
      this.#finish([this.#encode(this.#end(reason))], { reason });
    else this.#finish([this.#encode({ type: "error", id: this.told.id, error })], { reason, error });
  }

  #refuse(error: ErrorBody, stack?: string): void {
    const isStream = deskVerbs[this.told.verb].kind === "stream";
    const last = isStream ? { ...this.#end("error"), error } : { type: "error", id: this.told.id, error };
    this.#finish([this.#encode(last)], { reason: "error", error, ...(stack && { stack }) });
  }

  #end(reason: EndReason): End {
    const { id, corpus } = this.told;
    return { type: "end", id, reason, corpus, statistics: this.#statistics(), ...this.#remarks() };
  }

  #statistics(): End["statistics"] {
    return {
      rows: this.#rows,
      elapsedMs: rounded(performance.now() - this.#began),
      cpuMs: rounded(this.#cpuMs),
    };
  }

  #remarks(): Pick<End, "limits" | "notices"> {
    return {
      ...(Object.keys(this.#limits).length > 0 && { limits: this.#limits }),
      ...(this.#notices.length > 0 && { notices: this.#notices }),
    };
  }

  #finish(frames: Uint8Array[], done: Pick<Done, "reason" | "error" | "stack">): void {
    const { job } = this.told;
    if (this.#isOver) return;
    this.#isOver = true;
    const plan = this.#plan && { plan: this.#plan };
    this.site.say({ job, frames, done: { ...done, rows: this.#rows, cpuMs: rounded(this.#cpuMs), ...plan } });
  }

  /** From here on nothing more is computed for it. */
  #stopClock(): void {
    if (this.site.turnstile.current === this) this.#turnBegan = this.#charge();
  }

  #charge(): number {
    const now = performance.now();
    this.#cpuMs += this.#computed(now);
    return now;
  }

  #say(said: Omit<Said, "job">): void {
    if (said.state || (said.frames && said.frames.length > 0)) this.site.say({ job: this.told.job, ...said });
  }

  /** Throws if it is more than a client takes. */
  #encodeAnswer(message: object): Uint8Array {
    const frame = this.#encode(message);
    const { answerBytesMax } = this.site.caps;
    if (frame.length <= answerBytesMax) return frame;
    throw refusal(
      "answer_too_large",
      `the answer has ${frame.length} bytes in one message, more than ${answerBytesMax} (limit answerBytesMax)`,
      "Ask for less at a time: fewer attributes, less context, a shorter query.",
    );
  }

  #encode(message: object): Uint8Array {
    const frame = this.#codec.encode(message);
    return typeof frame === "string" ? Buffer.from(frame) : frame;
  }
}

function rounded(ms: number): number {
  return Number(ms.toFixed(3));
}

/** What this thread holds of memory, as far as it can be told quickly. */
function memoryBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
