/**
 * What a crawl knows, in LMDB. Every change is part of a transaction of the main thread, and is on its way to the disk (in the hands of the
 * operating system) when that ends: a crawl that is killed finds all of it again. A failure of power may take the last of it.
 *
 *   seen         hash of URL → nothing                    every URL that was ever queued; only added to
 *   downloaded   hash of URL → serial, offset             where in the WARC files its page is; only added to
 *   forbidden    hash of URL → why                        never to be asked for (again); only added to
 *   refused      origin or domain → why                   hosts and domains that are left; only added to
 *   hosts        origin → record                          every host that has had a URL in the queue
 *   queue        host, depth, number → some URLs          what is to be fetched: by host, nearest first
 *   turns        number → origin                          hosts that have something in the queue, in the order of their turns
 *   inFlight     hash of URL → URL                        asked for, and nothing has come of it yet
 *   robots       origin → rules                           of each robots.txt what concerns us
 *   domains      domain → pages, bytes, wanted            the yield of domains
 *   shapes       hash of host and shape → count           URLs with dates
 *   condemned    host → origin                            refused hosts whose queue is still to be removed
 *   meta         counters, places in files, totals
 *
 * Hashes are of 64 bits: of ten million URLs, two are taken for one with a chance of three in a million.
 */
import { mkdirSync } from "node:fs";
import { type Database, open, type RootDatabase } from "lmdb";
import xxhash from "xxhash-wasm";
import type { WarcPlace } from "../warc/writer.js";
import { limits } from "./limits.js";
import type { Robots } from "./robots.js";
import type { DomainYield } from "./yield.js";

export interface HostRecord {
  id: number;
  domain: string;
  /** The number of its turn; 0 if it has nothing in the queue. */
  turn: number;
  refused?: boolean;
  /** It asked to be left in peace until then (milliseconds since 1970). */
  restUntil?: number;
}

/** URLs that were found together: one entry of the queue, which gets shorter as they are taken. */
export interface QueuedUrls {
  key: Buffer;
  urls: string[];
  depth: number;
  redirects: number;
  tries: number;
}

export interface QueuedUrl {
  url: string;
  depth: number;
  /** On the way to it. */
  redirects: number;
  /** How often it was asked for. */
  tries: number;
}

/** Up to where files are whole. */
export interface Places {
  warc: WarcPlace;
  links: number;
  log: number;
}

export interface Counters {
  hosts: number;
  /** Entries that the queue has had. */
  entries: number;
  turns: number;
  /** URLs in the queue. */
  queued: number;
}

export interface KeptRobots extends Robots {
  fetched: number;
}

const nothing = Buffer.alloc(0);

export class CrawlState {
  readonly #env: RootDatabase;
  readonly #key = Buffer.alloc(8);
  readonly #hash: (text: string) => bigint;
  readonly seen: Database<Buffer, Buffer>;
  readonly downloaded: Database<Buffer, Buffer>;
  readonly forbidden: Database<string, Buffer>;
  readonly refused: Database<string, string>;
  readonly hosts: Database<HostRecord, string>;
  readonly queue: Database<Buffer, Buffer>;
  readonly turns: Database<string, number>;
  readonly inFlight: Database<{ url: string }, Buffer>;
  readonly robots: Database<KeptRobots, string>;
  readonly domains: Database<DomainYield, string>;
  readonly shapes: Database<number, Buffer>;
  readonly condemned: Database<string, number>;
  readonly meta: Database<unknown, string>;
  readonly counters: Counters;

  private constructor(folder: string, hash: (text: string) => bigint) {
    mkdirSync(folder, { recursive: true });
    this.#hash = hash;
    this.#env = open({
      path: folder,
      maxDbs: 16,
      mapSize: limits.stateBytesMax,
      // The operating system writes when it likes; see above.
      noSync: true,
    });
    const bytes = { keyEncoding: "binary", encoding: "binary" } as const;
    this.seen = this.#env.openDB("seen", bytes);
    this.downloaded = this.#env.openDB("downloaded", bytes);
    this.forbidden = this.#env.openDB("forbidden", { keyEncoding: "binary", encoding: "string" });
    this.refused = this.#env.openDB("refused", { encoding: "string" });
    this.hosts = this.#env.openDB("hosts", {});
    this.queue = this.#env.openDB("queue", bytes);
    this.turns = this.#env.openDB("turns", { encoding: "string" });
    this.inFlight = this.#env.openDB("inFlight", { keyEncoding: "binary" });
    this.robots = this.#env.openDB("robots", {});
    this.domains = this.#env.openDB("domains", {});
    this.shapes = this.#env.openDB("shapes", { keyEncoding: "binary" });
    this.condemned = this.#env.openDB("condemned", { encoding: "string" });
    this.meta = this.#env.openDB("meta", {});
    this.counters = (this.meta.get("counters") as Counters) ?? { hosts: 0, entries: 0, turns: 0, queued: 0 };
  }

  static async open(folder: string): Promise<CrawlState> {
    const { h64 } = await xxhash();
    return new CrawlState(folder, (text) => h64(text));
  }

  /** All of it, or nothing. */
  transaction(work: () => void): void {
    this.#env.transactionSync(work);
  }

  /** Belongs into every transaction that counted something. */
  saveCounters(): void {
    this.meta.putSync("counters", this.counters);
  }

  async close(): Promise<void> {
    await this.#env.close();
  }

  /** The key of a URL; good until the next is asked for. */
  key(url: string): Buffer {
    this.#key.writeBigUInt64BE(this.#hash(url));
    return this.#key;
  }

  /** Whether the URL is new; from now on it is not. */
  see(url: string): boolean {
    const key = this.key(url);
    if (this.seen.doesExist(key)) return false;
    this.seen.putSync(key, nothing);
    return true;
  }

  enqueue(host: HostRecord, urls: string[], depth: number, redirects = 0, tries = 0): void {
    this.queue.putSync(queueKey(host.id, depth, ++this.counters.entries), queueValue(urls, redirects, tries));
    this.counters.queued += urls.length;
  }

  /** The next entries of a host, nearest first, with at least `count` URLs if there are as many. They stay in the queue. */
  head(host: { id: number }, count: number): QueuedUrls[] {
    const range = { start: queueKey(host.id, 0, 0), end: queueKey(host.id + 1, 0, 0), limit: count };
    const found: QueuedUrls[] = [];
    let left = count;
    for (const { key, value } of this.queue.getRange(range)) {
      const urls = value.toString("utf8", 2).split("\n");
      found.push({ key: Buffer.from(key), urls, depth: key[4], redirects: value[0], tries: value[1] });
      left -= urls.length;
      if (left <= 0) break;
    }
    return found;
  }

  hasQueued(host: HostRecord): boolean {
    return this.head(host, 1).length > 0;
  }

  /** The first URL of an entry leaves the queue. */
  takeFrom(entry: QueuedUrls): QueuedUrl {
    const url = entry.urls.shift()!;
    const { key, urls, depth, redirects, tries } = entry;
    if (urls.length === 0) this.queue.removeSync(key);
    else this.queue.putSync(key, queueValue(urls, redirects, tries));
    this.counters.queued--;
    return { url, depth, redirects, tries };
  }

  removeEntry({ key, urls }: QueuedUrls): void {
    this.queue.removeSync(key);
    this.counters.queued -= urls.length;
  }

  countOf(database: Database<never, never> | Database): number {
    return (database.getStats() as { entryCount: number }).entryCount;
  }

  /** Was it under way when the crawl was killed? Of such a URL nobody knows what came of it. */
  isInterrupted(url: string): boolean {
    const key = this.key(url);
    return this.inFlight.doesExist(key) || this.forbidden.get(key) === "interrupted";
  }

  forbid(url: string, why: string): void {
    const key = this.key(url);
    if (!this.forbidden.doesExist(key)) this.forbidden.putSync(key, why);
  }

  downloadedAt(url: string, place: WarcPlace): void {
    const value = Buffer.alloc(10);
    value.writeUInt32BE(place.serial, 0);
    value.writeUIntBE(place.bytes, 4, 6);
    this.downloaded.putSync(this.key(url), value);
  }
}

function queueValue(urls: string[], redirects: number, tries: number): Buffer {
  const text = urls.join("\n");
  const value = Buffer.allocUnsafe(2 + Buffer.byteLength(text));
  value[0] = redirects;
  value[1] = tries;
  value.write(text, 2);
  return value;
}

/** Four bytes of host, one of depth, six of the order in which URLs were found. */
function queueKey(host: number, depth: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(11);
  key.writeUInt32BE(host, 0);
  key[4] = Math.min(depth, 255);
  key.writeUIntBE(number, 5, 6);
  return key;
}
