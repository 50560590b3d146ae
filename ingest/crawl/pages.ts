/**
 * What comes of the URLs that were asked for. Each is settled once:
 *
 *   a page (200 or 203, HTML)      read, stored, its links offered to the queue
 *   a redirect                     its target is offered to the queue; the URL is done with
 *   429, 503                       "later": back to the queue, three times at most, after the time that was asked for
 *   anything else                  forbidden for good
 *
 * From when it is sent until it is settled a URL is in `inFlight`. What is found there when a crawl goes on was interrupted: it may or may
 * not have been answered, and is not asked for again.
 */
import type { Frontier } from "./frontier.js";
import type { Host } from "./host.js";
import type { Hosts } from "./hosts.js";
import { limits } from "./limits.js";
import { type Directives, withDirectives } from "./links.js";
import type { CrawlSettings } from "./options.js";
import type { Reading } from "./reading.js";
import { type CrawlLog, count, type Totals } from "./report.js";
import type { RequestResult, Response } from "./request.js";
import type { CrawlState, QueuedUrl } from "./state.js";
import type { makeExclusion } from "./traps.js";
import { normaliseUrl } from "./url.js";
import type { BatchRead, ReadPage } from "./worker.js";
import { type DomainYield, isLowYield } from "./yield.js";

interface Unread {
  host: Host;
  entry: QueuedUrl;
  status: number;
  bytes: number;
  ms: number;
}

export interface PagesParts {
  settings: CrawlSettings;
  state: CrawlState;
  frontier: Frontier;
  hosts: Hosts;
  reading: Reading;
  log: CrawlLog;
  totals: Totals;
  isInScope: (url: string) => boolean;
  trapOf: ReturnType<typeof makeExclusion>;
}

const domainsKnownMax = 20_000;

export class Pages {
  readonly #unread = new Map<number, Unread>();
  readonly #domains = new Map<string, DomainYield>();
  #ids = 0;

  constructor(readonly parts: PagesParts) {}

  /** Sent, or read and not noted. */
  get unread(): number {
    return this.#unread.size;
  }

  /** Whether the body of a response is wanted. */
  static wants(status: number, header: Response["header"]): boolean {
    return (status === 200 || status === 203) && isHtml(header("content-type"));
  }

  /** A request has ended. */
  settle(host: Host, entry: QueuedUrl, address: string, result: RequestResult, now: number): void {
    const { hosts } = this.parts;
    const { response, failure, message, ms } = result;
    if (!response) {
      this.#forbid(entry, failure!, { ms, message });
      if (failure === "connection") hosts.refuse(host, "connection", now);
      else hosts.failed(host, now);
      return;
    }
    const { status, header, body } = response;
    const about = { status, bytes: body.length, ms };
    this.parts.totals.bytes += body.length;
    if (status === 429 || status === 503) {
      this.#later(host, entry, about, header("retry-after"), now);
      return;
    }
    if (status >= 500) hosts.failed(host, now);
    else hosts.succeeded(host, now);
    const location = status >= 300 && status < 400 ? header("location") : undefined;
    if (location !== undefined) this.#redirected(entry, location, about);
    else if (status !== 200 && status !== 203) this.#forbid(entry, `status_${status}`, about);
    else if (!isHtml(header("content-type"))) this.#forbid(entry, "wrong_type", about);
    else this.#read(host, entry, address, response, ms, now);
  }

  #read(host: Host, entry: QueuedUrl, address: string, response: Response, ms: number, now: number): void {
    const { settings, reading } = this.parts;
    const { status, head, header, body, isTruncated } = response;
    const id = ++this.#ids;
    this.#unread.set(id, { host, entry, status, bytes: body.length, ms });
    reading.add({
      id,
      url: entry.url,
      fetched: now - ms,
      address,
      head,
      body,
      isTruncated,
      contentType: header("content-type") ?? "",
      contentEncoding: header("content-encoding") ?? "",
      isChunked: /\bchunked\b/i.test(header("transfer-encoding") ?? ""),
      isDeepest: entry.depth >= settings.depth,
      ...directivesOf(header("x-robots-tag"), settings.agent),
    });
  }

  /** Pages were read and written. */
  note({ pages }: BatchRead, now: number): void {
    for (const page of pages) {
      const unread = this.#unread.get(page.id)!;
      this.#unread.delete(page.id);
      this.#noteOne(unread, page, now);
    }
  }

  #noteOne({ host, entry, status, bytes, ms }: Unread, page: ReadPage, now: number): void {
    const { state, frontier, totals, log } = this.parts;
    const about = { status, bytes, ms };
    if (page.failure) {
      this.#forbid(entry, page.failure, about);
      return;
    }
    if (page.place) {
      state.inFlight.removeSync(state.key(entry.url));
      state.downloadedAt(entry.url, page.place);
      totals.pages++;
      totals.textBytes += page.textBytes;
      log.add({ url: entry.url, reason: "stored", ...about, depth: entry.depth });
    } else this.#forbid(entry, "noindex", about);
    for (const [why, links] of Object.entries(page.left)) count(totals.left, why, links);
    if (page.links !== "") {
      for (const link of page.links.split("\n")) {
        const answer = frontier.offer(link, frontier.depthOf(host, entry.depth, link));
        if (answer !== "queued" && answer !== "seen") count(totals.left, answer);
      }
    }
    this.#weigh(host.record.domain, page, now);
  }

  /** Adds to the yield of the domain, and drops it if that is too low. */
  #weigh(domain: string, { bytes, textBytes, sample }: ReadPage, now: number): void {
    const { state, settings, hosts, frontier } = this.parts;
    const before = this.#domains.get(domain) ??
      state.domains.get(domain) ?? { pages: 0, bytes: 0, wanted: 0 };
    const { isWanted } = settings;
    const share = isWanted && sample !== "" ? Math.min(1, Math.max(0, isWanted(sample))) : 1;
    const after = {
      pages: before.pages + 1,
      bytes: before.bytes + bytes,
      wanted: before.wanted + Math.round(textBytes * share),
    };
    if (this.#domains.size >= domainsKnownMax) this.#domains.delete(this.#domains.keys().next().value!);
    this.#domains.set(domain, after);
    state.domains.putSync(domain, after);
    if (isLowYield(after, settings.minYield) && !frontier.isDropped(domain)) hosts.drop(domain, now);
  }

  #redirected(entry: QueuedUrl, location: string, about: Record<string, number>): void {
    const { state, frontier, reading, log, totals, isInScope, trapOf } = this.parts;
    const { url, depth, redirects } = entry;
    state.inFlight.removeSync(state.key(url));
    state.forbid(url, "redirect");
    totals.redirects++;
    const to = normaliseUrl(location, url);
    log.add({ url, reason: "redirect", ...about, ...(to !== undefined && { to }) });
    if (to === undefined) return;
    if (redirects >= limits.redirectsMax) count(totals.left, "redirects");
    else if (!isInScope(to)) count(totals.left, "out_of_scope");
    else {
      const trap = trapOf(to);
      if (trap !== undefined) {
        count(totals.left, trap);
        return;
      }
      reading.addRedirect(url, to);
      const answer = frontier.offer(to, depth, redirects + 1);
      if (answer !== "queued" && answer !== "seen") count(totals.left, answer);
    }
  }

  #later(
    host: Host,
    entry: QueuedUrl,
    about: { status: number; bytes: number; ms: number },
    retryAfter: string | undefined,
    now: number,
  ): void {
    const { hosts, frontier, state, log, totals } = this.parts;
    if (entry.tries + 1 >= limits.laterMax) this.#forbid(entry, `status_${about.status}`, about);
    else {
      state.inFlight.removeSync(state.key(entry.url));
      log.add({ url: entry.url, reason: "later", ...about });
      count(totals.errors, "later");
      frontier.requeue(host, entry);
    }
    hosts.failed(host, now, retryAfterMs(retryAfter, now));
  }

  /** Not sent: robots.txt is against it. */
  disallowed(entry: QueuedUrl): void {
    const { state, log, totals } = this.parts;
    state.forbid(entry.url, "robots");
    count(totals.errors, "robots");
    log.add({ url: entry.url, reason: "robots" });
  }

  #forbid(
    entry: QueuedUrl,
    why: string,
    about: { status?: number; bytes?: number; ms?: number; message?: string },
  ): void {
    const { state, log, totals } = this.parts;
    state.inFlight.removeSync(state.key(entry.url));
    state.forbid(entry.url, why);
    count(totals.errors, why);
    log.add({ url: entry.url, reason: why, ...about });
  }

  /** What was under way when the crawl was killed. */
  recover(): number {
    const { state, log, totals } = this.parts;
    const left = [...state.inFlight.getRange({})].map(({ value }) => value.url);
    for (const url of left) {
      state.inFlight.removeSync(state.key(url));
      state.forbid(url, "interrupted");
      count(totals.errors, "interrupted");
      log.add({ url, reason: "interrupted" });
    }
    return left.length;
  }
}

function isHtml(contentType: string | undefined): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|,|$)/i.test(contentType ?? "");
}

/** "noindex", "dugong: nofollow", "otherbot: noindex, nofollow": with a name, it is for that robot. */
function directivesOf(header: string | undefined, agent: string): Directives {
  let directives: Directives = { noindex: false, nofollow: false };
  if (header === undefined) return directives;
  let isForUs = true;
  for (const part of header.split(",")) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? [];
    // "unavailable_after: …" has a colon too.
    if (name !== undefined && !/^(unavailable_after|max-\w+(-\w+)?)$/i.test(name))
      isForUs = name.toLowerCase() === agent.toLowerCase();
    if (isForUs) directives = withDirectives(directives, rest ?? part);
  }
  return directives;
}

/** Seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
