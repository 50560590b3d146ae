/** A crawl's account of itself while it runs and at its end. */
import type { Warnings } from "../stream/report.js";
import type { Flights } from "./flights.js";
import type { Frontier } from "./frontier.js";
import type { Hosts } from "./hosts.js";
import type { Reading } from "./reading.js";
import { type CrawlProgress, type CrawlReport, Rate, type Totals } from "./report.js";
import type { CrawlState } from "./state.js";

export interface AccountParts {
  out: string;
  state: CrawlState;
  frontier: Frontier;
  hosts: Hosts;
  flights: Flights;
  reading: Reading;
  totals: Totals;
  now: () => number;
  onProgress: ((progress: CrawlProgress) => void) | undefined;
}

const progressMs = 100;

export class Account {
  readonly #rate = new Rate();
  readonly #before: Totals;
  readonly #began: number;
  #told = 0;
  /** Nothing is sent earlier. */
  notBefore = 0;

  constructor(readonly parts: AccountParts) {
    this.#before = structuredClone(parts.totals);
    this.#began = parts.now();
  }

  get isResumed(): boolean {
    return this.#before.requests > 0;
  }

  add(now: number, pages: number, bytes: number): void {
    this.#rate.add(now, pages, bytes);
  }

  /** Over all runs. */
  secondsAt(now: number): number {
    return this.#before.seconds + (now - this.#began) / 1000;
  }

  /** When it is time to tell again. */
  get tellsAt(): number {
    return this.parts.onProgress ? this.#told + progressMs : Number.POSITIVE_INFINITY;
  }

  tell(now: number): void {
    if (now < this.tellsAt) return;
    this.#told = now;
    const { totals, state, frontier, flights } = this.parts;
    const { pages, requests, bytes, errors } = totals;
    const waiting = this.#waiting(now);
    this.parts.onProgress?.({
      pages,
      requests,
      bytes,
      ...this.#rate.of(now, this.#began),
      queued: state.counters.queued,
      hosts: frontier.active.size,
      connections: flights.size,
      errors,
      seconds: (now - this.#began) / 1000,
      ...(waiting && { waiting }),
    });
  }

  #waiting(now: number): CrawlProgress["waiting"] {
    const { flights, reading, frontier, hosts } = this.parts;
    if (flights.size > 0 || reading.pending > 0) return undefined;
    const active = frontier.active.size;
    const until = (at: number) => Math.max(0, (Number.isFinite(at) ? at - now : 0) / 1000);
    if (now < this.notBefore) return { reason: "resume", hosts: active, seconds: until(this.notBefore) };
    if (hosts.resolving > 0 && hosts.resolving >= active)
      return { reason: "dns", hosts: hosts.resolving, seconds: 0 };
    return { reason: "politeness", hosts: active, seconds: until(hosts.politeness.nextAt) };
  }

  report(ended: CrawlReport["ended"], warcFiles: number, warnings: Warnings): CrawlReport {
    const { state, totals, out, now } = this.parts;
    const seconds = (now() - this.#began) / 1000;
    const pages = totals.pages - this.#before.pages;
    const requests = totals.requests - this.#before.requests;
    return {
      step: "crawl",
      ended,
      ...totals,
      hosts: state.counters.hosts,
      seen: state.countOf(state.seen),
      queued: state.counters.queued,
      run: { pages, requests, seconds, pagesPerSecond: pages / seconds },
      resumed: this.isResumed,
      warcFiles,
      warnings: warnings.list,
      out,
    };
  }
}
