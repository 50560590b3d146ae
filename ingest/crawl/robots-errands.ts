/**
 * Fetching robots.txt: before the first page of a host, and again after a day. What comes of it is kept (state.ts), so that a
 * crawl that goes on does not ask again.
 *
 *   2xx            the rules that it has
 *   3xx            followed, five times at most, also to other hosts, each by its own rules of politeness; more: no rules
 *   4xx            no rules
 *   429, 5xx, none all is disallowed: asked again twice, each time after twice the time, and not before Retry-After;
 *                  then the host is left
 */
import type { Host, RobotsErrand } from "./host.js";
import type { Hosts } from "./hosts.js";
import { limits } from "./limits.js";
import { decodeContent } from "./page.js";
import { retryAfterMs } from "./pages.js";
import type { RequestResult } from "./request.js";
import { allowAll, makeRobotsCheck, parseRobots, type Robots } from "./robots.js";
import type { CrawlState } from "./state.js";
import { normaliseUrl, originOf } from "./url.js";

export class RobotsErrands {
  constructor(
    readonly hosts: Hosts,
    readonly state: CrawlState,
    readonly agent: string,
  ) {
    hosts.onErrandLost = (errand, now) => this.#unreachable(errand, now);
  }

  /** Whether the rules of a host are known. If not, they are from now on to be fetched. */
  areKnown(host: Host, now: number): boolean {
    if (host.mayFetch && host.robotsUntil > now) return true;
    const kept = this.state.robots.get(host.origin);
    if (kept && kept.fetched + limits.robotsAgeMsMax > now) {
      this.#use(host, kept, kept.fetched);
      return true;
    }
    host.awaitsRobots = true;
    host.errands.push({ url: `${host.origin}/robots.txt`, for: host, redirects: 0 });
    return false;
  }

  /** `at`: the host that was asked, for itself or for another. */
  settle(at: Host, errand: RobotsErrand, { response, failure }: RequestResult, now: number): string {
    if (failure === "connection") {
      this.hosts.refuse(at, "connection", now);
      if (errand.for !== at) this.#unreachable(errand, now);
      return failure;
    }
    const status = response?.status ?? 0;
    if (!response || status === 429 || status >= 500) {
      this.hosts.failed(at, now, retryAfterMs(response?.header("retry-after"), now));
      this.#unreachable(errand, now);
      return failure ?? `status_${status}`;
    }
    this.hosts.succeeded(at, now);
    if (status >= 300 && status < 400) return this.#redirected(at, errand, response.header("location"), now);
    if (status >= 400) this.#arrived(errand.for, allowAll, now);
    else {
      const encoding = response.header("content-encoding") ?? "";
      const decoded = decodeContent(response.body, encoding, limits.robotsBytesMax * limits.inflationMax);
      if (decoded.failure) {
        this.#unreachable(errand, now);
        return decoded.failure;
      }
      this.#arrived(errand.for, parseRobots(decoded.bytes, this.agent), now);
    }
    return "robots_txt";
  }

  #redirected(at: Host, errand: RobotsErrand, location: string | undefined, now: number): string {
    const url = location === undefined ? undefined : normaliseUrl(location, errand.url);
    if (url === undefined || errand.redirects >= limits.robotsRedirectsMax) {
      this.#arrived(errand.for, allowAll, now);
      return "robots_txt";
    }
    const next = { url, for: errand.for, redirects: errand.redirects + 1 };
    const host = originOf(url) === at.origin ? at : this.hosts.at(originOf(url));
    if (!host || host.isGone) this.#unreachable(next, now);
    else {
      host.errands.push(next);
      if (host.address && host !== at) this.hosts.politeness.wait(host, now);
    }
    return "redirect";
  }

  #arrived(host: Host, robots: Robots, now: number): void {
    if (host.isGone) return;
    const kept = robots.delay === undefined ? { rules: robots.rules } : robots;
    this.state.robots.putSync(host.origin, { ...kept, fetched: now });
    this.#use(host, robots, now);
    if ((robots.delay ?? 0) * 1000 > limits.patienceMsMax) {
      this.hosts.refuse(host, "asks_to_wait", now);
      return;
    }
    // The delay that it asks for counts from its robots.txt on.
    if (robots.delay !== undefined) host.dueAt = Math.max(host.dueAt, now + robots.delay * 1000);
    this.hosts.politeness.wait(host, now);
  }

  #use(host: Host, robots: Robots, fetched: number): void {
    host.robots = robots;
    host.mayFetch = makeRobotsCheck(robots);
    host.robotsUntil = fetched + limits.robotsAgeMsMax;
    host.awaitsRobots = false;
    host.robotsTries = 0;
  }

  #unreachable(errand: RobotsErrand, now: number): void {
    const host = errand.for;
    if (host.isGone) return;
    host.awaitsRobots = false;
    if (++host.robotsTries >= limits.robotsTriesMax) {
      this.hosts.refuse(host, "robots_unreachable", now);
      return;
    }
    const { delayMs } = this.hosts.settings;
    host.dueAt = Math.max(host.dueAt, now + delayMs * 2 ** host.robotsTries);
    this.hosts.politeness.wait(host, now);
  }
}
