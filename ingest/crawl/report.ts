/** What a crawl says of itself: a line for each request in log.jsonl, how far it is, and what came of it. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Warning } from "../stream/report.js";

/** Since the crawl was begun, over all its runs. */
export interface Totals {
  /** Written to WARC files. */
  pages: number;
  /** Sent, those for robots.txt among them. */
  requests: number;
  /** Received, as bodies. */
  bytes: number;
  /** Running text of pages. */
  textBytes: number;
  redirects: number;
  /** Requests and URLs that came to nothing, by why. */
  errors: Record<string, number>;
  /** Links that were not followed, by why. */
  left: Record<string, number>;
  hostsRefused: Record<string, number>;
  domainsDropped: number;
  seconds: number;
}

export function noTotals(): Totals {
  return {
    pages: 0,
    requests: 0,
    bytes: 0,
    textBytes: 0,
    redirects: 0,
    errors: {},
    left: {},
    hostsRefused: {},
    domainsDropped: 0,
    seconds: 0,
  };
}

export function count(counts: Record<string, number>, kind: string, by = 1): void {
  counts[kind] = (counts[kind] ?? 0) + by;
}

export interface CrawlProgress {
  pages: number;
  requests: number;
  bytes: number;
  /** Of the last seconds. */
  pagesPerSecond: number;
  bytesPerSecond: number;
  /** URLs that wait. */
  queued: number;
  /** Hosts that have their turn. */
  hosts: number;
  connections: number;
  errors: Record<string, number>;
  /** Of this run. */
  seconds: number;
  /** If nothing is under way: why, and for how long. */
  waiting?: { reason: "politeness" | "dns" | "resume"; hosts: number; seconds: number };
}

export interface CrawlReport extends Totals {
  step: "crawl";
  /** Why it ended: nothing is left, there are as many pages as were wanted, or somebody has had enough. */
  ended: "complete" | "max_pages" | "stopped";
  /** Hosts that had a URL in the queue. */
  hosts: number;
  /** URLs that were found. */
  seen: number;
  /** URLs that are left. */
  queued: number;
  /** Of this run. */
  run: { pages: number; requests: number; seconds: number; pagesPerSecond: number };
  resumed: boolean;
  warcFiles: number;
  warnings: Warning[];
  out: string;
}

export interface LogEntry {
  url: string;
  /** What came of it: "stored", or why not. */
  reason: string;
  status?: number;
  bytes?: number;
  ms?: number;
  depth?: number;
  /** Of a redirect. */
  to?: string;
  /** Of a failure. */
  message?: string;
}

/** log.jsonl: written in batches, and cut off at what had been noted when a crawl goes on. */
export class CrawlLog {
  readonly #file: number;
  #bytes: number;
  #pending = "";

  constructor(path: string, bytes: number) {
    this.#file = openSync(path, "a+");
    if (fstatSync(this.#file).size > bytes) ftruncateSync(this.#file, bytes);
    this.#bytes = Math.min(bytes, fstatSync(this.#file).size);
  }

  add(entry: LogEntry): void {
    this.#pending += `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`;
  }

  /** Up to where it is whole. */
  flush(): number {
    if (this.#pending !== "") {
      const bytes = Buffer.from(this.#pending);
      this.#pending = "";
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#bytes += bytes.length;
    }
    return this.#bytes;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** How much came in of late: by seconds, the last five. */
export class Rate {
  readonly #seconds: { at: number; pages: number; bytes: number }[] = [];

  add(now: number, pages: number, bytes: number): void {
    const at = Math.floor(now / 1000);
    const last = this.#seconds.at(-1);
    if (last?.at === at) {
      last.pages += pages;
      last.bytes += bytes;
    } else {
      this.#seconds.push({ at, pages, bytes });
      if (this.#seconds.length > 6) this.#seconds.shift();
    }
  }

  of(now: number, began: number): { pagesPerSecond: number; bytesPerSecond: number } {
    const from = Math.max(now / 1000 - 5, began / 1000);
    let pages = 0;
    let bytes = 0;
    for (const second of this.#seconds) {
      if (second.at + 1 < from) continue;
      pages += second.pages;
      bytes += second.bytes;
    }
    const span = Math.max(now / 1000 - from, 0.2);
    return { pagesPerSecond: pages / span, bytesPerSecond: bytes / span };
  }
}
