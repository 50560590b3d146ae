/**
 * A crawl, breadth first, in rounds of
 *
 *   manage   note what came of pages and requests, queue new links, give hosts their turns, choose what is sent    a transaction
 *   fetch    send it; up to a thousand requests are under way, one at each address                                 undici
 *   parse    read pages, write them                                                                                 a thread
 *
 * A round takes some milliseconds, and does not wait for the one before: a slow host holds up nobody. What a request is about to ask is noted
 * before it is sent, and what came of it together with the places up to which files are whole; so a crawl can be killed at any moment. When it
 * goes on, files are cut off at what was noted, and what was under way counts as interrupted: it is not asked for again.
 */
import { join } from "node:path";
import type { Warnings } from "../stream/report.js";
import { Account } from "./account.js";
import { type Flight, Flights, type Landed, type Task } from "./flights.js";
import type { Frontier } from "./frontier.js";
import type { Host } from "./host.js";
import { Hosts } from "./hosts.js";
import { limits } from "./limits.js";
import type { CrawlSettings } from "./options.js";
import { Pages } from "./pages.js";
import { Reading } from "./reading.js";
import { CrawlLog, type CrawlProgress, type CrawlReport, noTotals, type Totals } from "./report.js";
import { RobotsErrands } from "./robots-errands.js";
import { makeScope, type Scope } from "./scope.js";
import type { CrawlState, Places } from "./state.js";
import { makeExclusion } from "./traps.js";
import { pathOf } from "./url.js";
import type { BatchRead } from "./worker.js";

export interface CrawlContext {
  /** Ends the crawl: nothing more is sent, and what is under way is waited for. */
  signal?: AbortSignal;
  /** At most ten times a second. */
  onProgress?: (progress: CrawlProgress) => void;
}

/** Rounds follow each other this fast while there is something to do; if there is much, more is done in each. */
const roundMs = 1;
const fullRoundMs = 5;
const fullFlights = 50;
const idleMs = 1000;
/** URLs of one host that are passed over for its robots.txt, in one round. */
const passesMax = 1000;

/** Milliseconds since 1970, and never backwards. */
const clock = () => performance.timeOrigin + performance.now();

export class Rounds {
  readonly #frontier: Frontier;
  readonly #hosts: Hosts;
  readonly #robots: RobotsErrands;
  readonly #reading: Reading;
  readonly #pages: Pages;
  readonly #log: CrawlLog;
  readonly #totals: Totals;
  readonly #places: Places;
  readonly #flights: Flights;
  readonly #account: Account;
  #read: BatchRead[] = [];
  #pagesUnderWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = 0;
  #swept = 0;
  #isStopping = false;
  #isClosed = false;
  #end: { resolve(): void; reject(error: Error): void } | undefined;

  constructor(
    readonly settings: CrawlSettings,
    scope: Scope,
    readonly state: CrawlState,
    frontier: Frontier,
    readonly context: CrawlContext,
  ) {
    const { out, agent } = settings;
    this.#totals = { ...noTotals(), ...(state.meta.get("totals") as Totals | undefined) };
    this.#places = (state.meta.get("places") as Places | undefined) ?? {
      warc: { serial: 0, bytes: 0 },
      links: 0,
      log: 0,
    };
    this.#log = new CrawlLog(join(out, "log.jsonl"), this.#places.log);
    this.#frontier = frontier;
    this.#hosts = new Hosts(settings, this.#frontier, this.#totals, () => this.#wake());
    this.#flights = new Flights(this.#hosts, clock, () => this.#wake());
    this.#robots = new RobotsErrands(this.#hosts, state, agent);
    this.#reading = new Reading(
      {
        folder: out,
        agent,
        scope,
        words: settings.words,
        decodedBytesMax: settings.responseBytes * limits.inflationMax,
        warcBytes: settings.warcBytes,
        info: {
          software: settings.userAgent,
          format: "WARC File Format 1.1",
          robots: "RFC 9309",
          ...(settings.contact && { operator: settings.contact }),
        },
        wantsSample: settings.isWanted !== undefined,
        warc: this.#places.warc,
        links: this.#places.links,
      },
      (batch) => {
        this.#read.push(batch);
        this.#wake();
      },
      (error) => this.#end?.reject(error),
    );
    this.#pages = new Pages({
      settings,
      state,
      frontier: this.#frontier,
      hosts: this.#hosts,
      reading: this.#reading,
      log: this.#log,
      totals: this.#totals,
      isInScope: makeScope(scope),
      trapOf: makeExclusion({ words: settings.words }),
    });
    this.#account = new Account({
      out,
      state,
      frontier,
      hosts: this.#hosts,
      flights: this.#flights,
      reading: this.#reading,
      totals: this.#totals,
      now: clock,
      onProgress: context.onProgress,
    });
  }

  async run(warnings: Warnings): Promise<CrawlReport> {
    // Whoever was asked just before the crawl was killed is not asked again at once.
    if (this.#account.isResumed) this.#account.notBefore = clock() + this.settings.delayMs;
    this.state.transaction(() => {
      this.#pages.recover();
      this.#save();
    });
    const { signal } = this.context;
    const stop = () => {
      this.#isStopping = true;
      this.#wake();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        this.#wake();
      });
      await this.#reading.close();
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    const ended = this.#isStopping ? "stopped" : this.#hasEnough ? "max_pages" : "complete";
    return this.#account.report(ended, this.#places.warc.serial, warnings);
  }

  get #pauseMs(): number {
    return this.#flights.size > fullFlights ? fullRoundMs : roundMs;
  }

  /** A round comes soon, or at a time. */
  #wake(at = clock() + this.#pauseMs): void {
    if (this.#isClosed || (this.#timer && this.#timerAt <= at)) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(this.#round, Math.max(0, at - clock()));
  }

  readonly #round = (): void => {
    this.#timer = undefined;
    try {
      const now = clock();
      this.#flights.expire(now);
      const chosen: Flight[] = [];
      this.state.transaction(() => this.#manage(chosen, now));
      for (const flight of chosen) this.#flights.send(flight);
      this.#reading.send();
      this.#account.tell(now);
      if (this.#isOver()) this.#end?.resolve();
      else this.#wake(this.#nextAt(now));
    } catch (error) {
      this.#end?.reject(error as Error);
    }
  };

  #manage(chosen: Flight[], now: number): void {
    const read = this.#read;
    this.#read = [];
    for (const landed of this.#flights.takeLanded()) this.#settle(landed, now);
    for (const batch of read) {
      this.#pages.note(batch, now);
      this.#pagesUnderWay -= batch.pages.length;
      this.#places.warc = batch.warc;
      this.#places.links = batch.links;
      const pages = batch.pages.filter(({ place }) => place).length;
      this.#account.add(now, pages, 0);
    }
    this.#hosts.takeResolved(now);
    this.#frontier.flush();
    this.#frontier.removeCondemned();
    if (!this.#isStopping && now >= this.#account.notBefore) {
      if (this.#hosts.canResolve) for (const host of this.#frontier.activate()) this.#hosts.begin(host);
      this.#choose(chosen, now);
    }
    if (now - this.#swept > 60_000) {
      this.#swept = now;
      this.#hosts.politeness.sweep(now);
    }
    this.#save();
  }

  #save(): void {
    this.#places.log = this.#log.flush();
    this.#totals.seconds = this.#account.secondsAt(clock());
    this.state.saveCounters();
    this.state.meta.putSync("places", this.#places);
    this.state.meta.putSync("totals", this.#totals);
  }

  get #hasEnough(): boolean {
    return this.#totals.pages + this.#pagesUnderWay >= this.settings.pagesMax;
  }

  /** Fills free connections with requests of hosts whose turn it is. */
  #choose(chosen: Flight[], now: number): void {
    const { politeness } = this.#hosts;
    while (
      this.#flights.size + chosen.length < this.settings.connections &&
      this.#reading.hasRoom &&
      !this.#hasEnough
    ) {
      const host = politeness.next(now);
      if (!host) return;
      const address = host.address!;
      const task = this.#taskOf(host, now);
      if (task) {
        this.#totals.requests++;
        chosen.push({ host, address, task });
      } else {
        politeness.pass(address, now);
        if (!host.awaitsRobots && !host.isWaiting) this.#hosts.retire(host);
      }
    }
  }

  #taskOf(host: Host, now: number): Task | undefined {
    if (host.errands.length === 0 && !host.awaitsRobots) this.#robots.areKnown(host, now);
    const errand = host.errands.shift();
    if (errand) return { errand };
    if (host.awaitsRobots) return undefined;
    for (let passes = 0; passes < passesMax; passes++) {
      const entry = this.#frontier.take(host);
      if (!entry) return undefined;
      if (host.mayFetch!(pathOf(entry.url))) {
        this.state.inFlight.putSync(this.state.key(entry.url), { url: entry.url });
        this.#pagesUnderWay++;
        return { entry };
      }
      this.#pages.disallowed(entry);
    }
    // There is more, but others wait: not in this round.
    host.dueAt = now + roundMs;
    this.#hosts.politeness.wait(host, now);
    return undefined;
  }

  #settle({ host, address, task, result }: Landed, now: number): void {
    const { politeness } = this.#hosts;
    politeness.done(address, now);
    const { response, ms, message } = result;
    const bytes = response?.body.length ?? 0;
    this.#account.add(now, 0, bytes);
    if (task.entry) {
      const unread = this.#pages.unread;
      this.#pages.settle(host, task.entry, address.ip, result, now);
      if (this.#pages.unread === unread) this.#pagesUnderWay--;
    } else {
      this.#totals.bytes += bytes;
      const { url } = task.errand;
      const reason = this.#robots.settle(host, task.errand, result, now);
      this.#log.add({ url, reason, status: response?.status, bytes, ms, message });
    }
    politeness.wait(host, now);
  }

  #isOver(): boolean {
    const isIdle = this.#flights.size === 0 && this.#read.length === 0 && this.#reading.pending === 0;
    if (!isIdle || this.#frontier.hasCondemned) return false;
    return this.#isStopping || this.#hasEnough || (this.#hosts.resolving === 0 && this.#frontier.isEmpty);
  }

  #nextAt(now: number): number {
    if (this.#flights.hasLanded || this.#read.length > 0) return now + this.#pauseMs;
    const canSend =
      this.#flights.size < this.settings.connections && this.#reading.hasRoom && !this.#isStopping;
    let next = Math.min(now + idleMs, this.#account.tellsAt, this.#flights.expiresAt);
    if (this.#frontier.hasCondemned) next = now;
    if (now < this.#account.notBefore)
      return Math.max(now + roundMs, Math.min(next, this.#account.notBefore));
    if (canSend && !this.#hasEnough) {
      next = Math.min(next, this.#hosts.politeness.nextAt);
      if (this.#frontier.hasTurns && this.#hosts.canResolve) next = now;
    }
    return Math.max(next, now + this.#pauseMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#hosts.close();
    this.#log.close();
    await this.#reading.abandon();
  }
}
