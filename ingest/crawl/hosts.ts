/** Hosts from the beginning of their turn to its end: their addresses, connections, rests and failures. */
import type { Client } from "undici";
import { Addresses, type Resolved } from "./addresses.js";
import type { Frontier } from "./frontier.js";
import type { Host, RobotsErrand } from "./host.js";
import { limits } from "./limits.js";
import type { CrawlSettings } from "./options.js";
import { Politeness } from "./politeness.js";
import { count, type Totals } from "./report.js";
import { makeClient } from "./request.js";
import { hostOf } from "./url.js";

export class Hosts {
  readonly politeness = new Politeness();
  readonly #addresses: Addresses;
  #resolved: { host: Host; resolved: Resolved }[] = [];
  /** Being looked up. */
  resolving = 0;
  /** A robots.txt that was to be fetched at a host that is refused. */
  onErrandLost: (errand: RobotsErrand, now: number) => void = () => {};

  constructor(
    readonly settings: CrawlSettings,
    readonly frontier: Frontier,
    readonly totals: Totals,
    readonly wake: () => void,
  ) {
    this.#addresses = new Addresses(settings.addressRules);
  }

  /** Its turn begins: its address is looked up, then it waits for its time. */
  begin(host: Host): void {
    this.resolving++;
    this.#addresses.resolve(hostOf(host.origin)).then((resolved) => {
      this.#resolved.push({ host, resolved });
      this.wake();
    });
  }

  /** The active host of an origin; it begins if it is not. Undefined if it is refused. */
  at(origin: string): Host | undefined {
    const active = this.frontier.active.get(origin);
    if (active) return active;
    const host = this.frontier.begin(origin);
    if (host.record.refused) {
      this.frontier.active.delete(origin);
      return undefined;
    }
    this.begin(host);
    return host;
  }

  /** Hosts whose addresses are known now. */
  takeResolved(now: number): void {
    const list = this.#resolved;
    this.#resolved = [];
    for (const { host, resolved } of list) {
      this.resolving--;
      if (host.isGone) continue;
      if (resolved.failure) {
        this.refuse(host, resolved.failure, now);
        continue;
      }
      const { target } = resolved;
      const { delayMs } = this.settings;
      host.target = target;
      this.politeness.attach(
        host,
        target.ip,
        target.isPublic ? Math.max(delayMs, limits.publicDelayMsMin) : delayMs,
      );
      this.politeness.wait(host, now);
    }
  }

  /** Not all names at once. */
  get canResolve(): boolean {
    return this.resolving < limits.lookupsMax;
  }

  clientOf(host: Host): Client {
    host.client ??= makeClient(host.origin, host.target!);
    return host.client;
  }

  /** A connection that is used again soon is kept. */
  keepsConnection(host: Host): boolean {
    return this.#delayOf(host) < limits.keepAliveMs;
  }

  /** A request to the host has ended well. */
  succeeded(host: Host, now: number): void {
    host.failures = 0;
    this.#rest(host, now, this.#delayOf(host));
  }

  /** It has ended badly, or the host has asked for time: each time it rests twice as long. */
  failed(host: Host, now: number, askedMs = 0): void {
    host.failures++;
    const doubled = Math.min(this.#delayOf(host) * 2 ** host.failures, limits.backoffMsMax);
    if (askedMs > limits.patienceMsMax) this.refuse(host, "asks_to_wait", now);
    else if (host.failures >= limits.hostFailuresMax) this.refuse(host, "failing", now);
    else this.#rest(host, now, Math.max(doubled, askedMs));
  }

  #delayOf(host: Host): number {
    return Math.max(host.address?.delayMs ?? this.settings.delayMs, (host.robots?.delay ?? 0) * 1000);
  }

  #rest(host: Host, now: number, ms: number): void {
    host.dueAt = Math.max(host.dueAt, now + ms);
    // A rest that is longer than usual outlives the process.
    if (ms > this.settings.delayMs) {
      host.record.restUntil = host.dueAt;
      this.frontier.save(host.origin, host.record);
    }
  }

  retire(host: Host): void {
    this.frontier.retire(host);
    this.#close(host);
  }

  /** For good: its queue goes. */
  refuse(host: Host, why: string, now: number): void {
    if (host.isGone) return;
    this.frontier.refuse(host, why);
    count(this.totals.hostsRefused, why);
    this.#close(host);
    const { errands } = host;
    host.errands = [];
    for (const errand of errands) if (errand.for !== host) this.onErrandLost(errand, now);
  }

  /** Its domain is not worth it. */
  drop(domain: string, now: number): void {
    this.totals.domainsDropped++;
    for (const host of this.frontier.dropDomain(domain, "low_yield")) {
      count(this.totals.hostsRefused, "low_yield");
      this.#close(host);
      const { errands } = host;
      host.errands = [];
      for (const errand of errands) if (errand.for !== host) this.onErrandLost(errand, now);
    }
  }

  #close(host: Host): void {
    this.politeness.detach(host);
    // A request may still be under way; it is let finish.
    host.client?.close().catch(() => {});
    host.client = undefined;
  }

  close(): void {
    this.#addresses.cancel();
    for (const host of this.frontier.active.values()) host.client?.destroy().catch(() => {});
  }
}
