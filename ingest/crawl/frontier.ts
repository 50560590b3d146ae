/**
 * What is to be fetched, and who is next. The queue lies on the disk; in memory are the hosts that have their turn (up to 20,000),
 * each with its next URLs (up to 16), nearest first. A host that has had its turn goes to the end of the line if others wait for
 * one; so all hosts go forward together, breadth first, and a site of a million pages holds up nobody.
 */
import { Host } from "./host.js";
import { limits } from "./limits.js";
import { domainOf } from "./scope.js";
import type { CrawlState, HostRecord, QueuedUrl } from "./state.js";
import { calendarShape } from "./traps.js";
import { hostOf, originOf } from "./url.js";

const knownRecordsMax = 50_000;

export class Frontier {
  readonly active = new Map<string, Host>();
  readonly #records = new Map<string, HostRecord>();
  readonly #droppedDomains: Set<string>;
  /** Offered, and not in the queue yet: by depth and origin. */
  readonly #found = new Map<string, { origin: string; record: HostRecord; depth: number; urls: string[] }>();
  /** Are there refused hosts whose queue is still to be removed? */
  hasCondemned = true;
  /** All hosts whose turn has a number up to this are active. */
  #turnsTaken = 0;

  constructor(
    readonly state: CrawlState,
    readonly depthMax: number,
    readonly activeMax: number = limits.activeHostsMax,
  ) {
    this.#droppedDomains = new Set();
    for (const { key } of state.refused.getRange({})) if (!key.includes("://")) this.#droppedDomains.add(key);
  }

  /** Queues a URL that is new; says whether it was, or why not. It is normalised, in scope and not excluded. */
  offer(url: string, depth: number, redirects = 0): "queued" | "seen" | "too_deep" | "refused" | "calendar" {
    if (depth > this.depthMax) return "too_deep";
    const origin = originOf(url);
    let record = this.#record(origin);
    if (record?.refused || this.#droppedDomains.has(record?.domain ?? domainOf(hostOf(origin))))
      return "refused";
    if (!this.state.see(url)) return "seen";
    if (this.#isCalendar(url)) return "calendar";
    record ??= this.#newRecord(origin);
    if (redirects > 0) this.#queue(origin, record, [url], depth, redirects, 0);
    else this.#collect(origin, record, url, depth);
    return "queued";
  }

  /** URLs of a host at one depth become one entry of the queue. */
  #collect(origin: string, record: HostRecord, url: string, depth: number): void {
    const key = `${depth} ${origin}`;
    const found = this.#found.get(key);
    if (!found) this.#found.set(key, { origin, record, depth, urls: [url] });
    else if (found.urls.push(url) >= limits.entryUrls) {
      this.#queue(origin, record, found.urls, depth, 0, 0);
      this.#found.delete(key);
    }
  }

  /** What was offered goes to the queue. */
  flush(): void {
    for (const { origin, record, urls, depth } of this.#found.values())
      this.#queue(origin, record, urls, depth, 0, 0);
    this.#found.clear();
  }

  /** Once more, because it was told to come later. */
  requeue(host: Host, { url, depth, redirects, tries }: QueuedUrl): void {
    this.#queue(host.origin, host.record, [url], depth, redirects, tries + 1);
  }

  #queue(
    origin: string,
    record: HostRecord,
    urls: string[],
    depth: number,
    redirects: number,
    tries: number,
  ): void {
    this.state.enqueue(record, urls, depth, redirects, tries);
    if (record.turn === 0) this.#takeNumber(origin, record);
  }

  /** A page at `depth` of one domain leads to others of it one deeper; where it leads to another domain, that begins. */
  depthOf(from: Host, depth: number, url: string): number {
    const origin = originOf(url);
    if (origin === from.origin) return depth + 1;
    const domain = this.#record(origin)?.domain ?? domainOf(hostOf(origin));
    return domain === from.record.domain ? depth + 1 : 0;
  }

  /** Hosts whose turn begins. */
  activate(): Host[] {
    const room = this.activeMax - this.active.size;
    if (room <= 0 || this.state.counters.turns <= this.#turnsTaken) return [];
    const begun: Host[] = [];
    // Read first: what is read may not change meanwhile.
    const turns = [
      ...this.state.turns.getRange({ start: this.#turnsTaken + 1, limit: Math.min(room, 1000) }),
    ];
    for (const { key, value: origin } of turns) {
      this.#turnsTaken = key;
      const record = this.#record(origin);
      if (!record || this.active.has(origin)) continue;
      if (record.refused || this.#droppedDomains.has(record.domain)) {
        this.#refuseRecord(origin, record, "domain");
        continue;
      }
      begun.push(this.begin(origin, record));
    }
    if (turns.length === 0) this.#turnsTaken = this.state.counters.turns;
    return begun;
  }

  /** An active host, also if it has nothing in the queue. */
  begin(origin: string, record = this.#record(origin) ?? this.#newRecord(origin)): Host {
    const host = new Host(origin, record);
    host.dueAt = record.restUntil ?? 0;
    this.active.set(origin, host);
    return host;
  }

  /** The next URL of a host whose turn it is; it leaves the queue. */
  take(host: Host): QueuedUrl | undefined {
    if (host.turn.length === 0 && !(host.taken >= limits.turnUrls && this.#othersWait())) {
      host.turn = this.state.head(host.record, limits.turnUrls).reverse();
      host.taken = 0;
    }
    const entry = host.turn.at(-1);
    if (!entry) return undefined;
    host.taken++;
    if (entry.urls.length === 1) host.turn.pop();
    return this.state.takeFrom(entry);
  }

  /** Its turn is over: to the end of the line, or out of it if its queue is empty. */
  retire(host: Host): void {
    host.isGone = true;
    this.active.delete(host.origin);
    const { record, origin } = host;
    if (record.turn === 0) return;
    this.state.turns.removeSync(record.turn);
    record.turn = 0;
    if (!record.refused && this.state.hasQueued(record)) this.#takeNumber(origin, record);
    else this.save(origin, record);
  }

  /** Never again, and what is in the queue goes. */
  refuse(host: Host, why: string): void {
    this.active.delete(host.origin);
    host.isGone = true;
    host.turn = [];
    this.#refuseRecord(host.origin, host.record, why);
  }

  /** All hosts of a domain; those that are active are returned, and refused. */
  dropDomain(domain: string, why: string): Host[] {
    this.#droppedDomains.add(domain);
    this.state.refused.putSync(domain, why);
    const hosts = [...this.active.values()].filter(({ record }) => record.domain === domain);
    for (const host of hosts) this.refuse(host, why);
    return hosts;
  }

  isDropped(domain: string): boolean {
    return this.#droppedDomains.has(domain);
  }

  /** Some of the URLs of hosts that were refused leave the queue. */
  removeCondemned(): void {
    if (!this.hasCondemned) return;
    const [first] = this.state.condemned.getRange({ limit: 1 });
    this.hasCondemned = first !== undefined;
    if (first) {
      const id = first.key;
      const left = this.state.head({ id }, limits.removalsAtOnce);
      for (const entry of left) this.state.removeEntry(entry);
      if (left.length === 0) this.state.condemned.removeSync(id);
    }
  }

  save(origin: string, record: HostRecord): void {
    this.state.hosts.putSync(origin, record);
  }

  /** Is there anybody in line, and no room for them? */
  #othersWait(): boolean {
    return this.state.counters.turns > this.#turnsTaken && this.active.size >= this.activeMax;
  }

  /** Is there anybody in line who can begin? */
  get hasTurns(): boolean {
    return this.state.counters.turns > this.#turnsTaken && this.active.size < this.activeMax;
  }

  get isEmpty(): boolean {
    return this.active.size === 0 && this.state.counters.turns <= this.#turnsTaken;
  }

  #refuseRecord(origin: string, record: HostRecord, why: string): void {
    record.refused = true;
    if (record.turn !== 0) this.state.turns.removeSync(record.turn);
    record.turn = 0;
    this.save(origin, record);
    if (!this.state.refused.doesExist(origin)) this.state.refused.putSync(origin, why);
    this.state.condemned.putSync(record.id, origin);
    this.hasCondemned = true;
  }

  #takeNumber(origin: string, record: HostRecord): void {
    record.turn = ++this.state.counters.turns;
    this.state.turns.putSync(record.turn, origin);
    this.save(origin, record);
  }

  #record(origin: string): HostRecord | undefined {
    const known = this.active.get(origin)?.record ?? this.#records.get(origin);
    if (known) return known;
    const stored = this.state.hosts.get(origin);
    if (stored) this.#remember(origin, stored);
    return stored;
  }

  #newRecord(origin: string): HostRecord {
    const record = { id: ++this.state.counters.hosts, domain: domainOf(hostOf(origin)), turn: 0 };
    this.save(origin, record);
    this.#remember(origin, record);
    return record;
  }

  #remember(origin: string, record: HostRecord): void {
    if (this.#records.size >= knownRecordsMax) this.#records.delete(this.#records.keys().next().value!);
    this.#records.set(origin, record);
  }

  /** More URLs with dates than a site has archives are a calendar. */
  #isCalendar(url: string): boolean {
    const shape = calendarShape(url);
    if (shape === undefined) return false;
    const key = this.state.key(shape);
    const count = this.state.shapes.get(key) ?? 0;
    if (count >= limits.calendarUrlsMax) return true;
    this.state.shapes.putSync(key, count + 1);
    return false;
  }
}
