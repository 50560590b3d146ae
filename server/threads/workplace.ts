/**
 * Where jobs are worked on, turn by turn: in a thread of the server, or in the very thread that has the server, where there
 * is one client and nothing else to do.
 */
import type { Pool } from "../../storage/index.js";
import { limits } from "../limits.js";
import { Cores } from "./cores.js";
import { Desks } from "./desks.js";
import { Job, type Site } from "./job.js";
import type { Said, ThreadStart, Told } from "./messages.js";
import { Turnstile } from "./turnstile.js";

export class Workplace {
  readonly turnstile: Turnstile;
  readonly #desks: Desks;
  readonly #site: Site;
  readonly #jobs = new Map<number, Job>();
  #lookedAround = 0;

  constructor(
    start: Omit<ThreadStart, "kernels" | "pool">,
    pool: Pool,
    say: (said: Said) => void,
    /** Called when there is nothing to do but wait for messages, and when somebody waits for what was said. */
    readonly idle: () => void = () => {},
    /** Called between two turns: what was said a while ago must not wait for the next who says something. */
    between: () => void = () => {},
  ) {
    const { lane, data, resultBytes, slowQueryMs, caps } = start;
    const { threads, shared, owner } = start.cores;
    const cores = new Cores(threads, shared, owner);
    const turnstile = new Turnstile(
      lane === "quick" ? limits.quickSliceMs : limits.heavySliceMs,
      idle,
      between,
    );
    this.turnstile = turnstile;
    const current = () => turnstile.current as Job | undefined;
    const turns = {
      lane,
      get job() {
        return current();
      },
      turn: () => {
        const job = current();
        return job && turnstile.turn(job)?.then(() => job.check());
      },
      aside: async (until: Promise<unknown>) => {
        await current()?.aside(until);
      },
    };
    const checkpoint = () => {
      current()?.check();
      this.#lookAround();
    };
    pool.checkpoint = () => {
      current()?.checkEnd();
      this.#lookAround();
    };
    this.#desks = new Desks(pool, data, turns, checkpoint, resultBytes, cores);
    const flags = new Int32Array(start.flags);
    this.#site = { lane, turnstile, desks: this.#desks, flags, slowQueryMs, caps, cores, say };
  }

  /** What takes long without a turn must not keep those waiting that were cancelled meanwhile. */
  #lookAround(): void {
    const { current } = this.turnstile;
    const now = performance.now();
    if (now - this.#lookedAround < limits.lookAroundMs) return;
    this.#lookedAround = now;
    let ended = false;
    for (const job of this.#jobs.values()) if (job !== current && job.endEarly()) ended = true;
    if (ended) this.idle();
  }

  receive(told: Told): void {
    switch (told.kind) {
      case "open":
        this.#desks.tell(told);
        return;
      case "close":
        this.#desks.close(told.citation);
        return;
      case "job": {
        const job = new Job(told, this.#site);
        this.#jobs.set(told.job, job);
        void job.run().finally(() => this.#jobs.delete(told.job));
        return;
      }
      case "credit":
        this.#jobs.get(told.job)?.addCredit(told.rows);
        return;
      case "seek":
        this.#jobs.get(told.job)?.seek(told.row, told.credit);
        return;
      case "taken":
        this.#jobs.get(told.job)?.taken(told.bytes);
        return;
      case "wake":
        this.#jobs.get(told.job)?.wake();
    }
  }

  close(): Promise<void> {
    return this.#desks.closeAll();
  }
}
