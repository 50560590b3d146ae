/**
 * The thread that reads and writes pages: undoes their encodings, finds their links and the amount of their text, and writes
 * them to WARC files and the link table. A batch of pages is answered when it is written; the main thread then makes a note of it.
 * What was written and not noted is cut off when the crawl goes on.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { type WarcPlace, WarcWriter } from "../warc/writer.js";
import { limits } from "./limits.js";
import { readLinks } from "./links.js";
import { decodeContent, decodeText } from "./page.js";
import { makeScope, type Scope } from "./scope.js";
import { makeExclusion } from "./traps.js";
import { normaliseLink, normaliseUrl, originOf } from "./url.js";

export interface WorkerSettings {
  folder: string;
  agent: string;
  scope: Scope;
  words: readonly string[];
  decodedBytesMax: number;
  warcBytes: number;
  info: Record<string, string>;
  wantsSample: boolean;
  warc: WarcPlace;
  links: number;
}

/** A page that was fetched. */
export interface FetchedPage {
  id: number;
  url: string;
  /** Milliseconds since 1970. */
  fetched: number;
  address: string;
  head: Uint8Array;
  contentType: string;
  contentEncoding: string;
  body: Uint8Array;
  isChunked: boolean;
  isTruncated: boolean;
  noindex: boolean;
  nofollow: boolean;
  /** Links of it are too deep, and may be found again from elsewhere. */
  isDeepest: boolean;
}

/** What came of it. */
export interface ReadPage {
  id: number;
  failure?: "too_large" | "bad_encoding";
  /** Where it is stored; absent if it is not to be (noindex). */
  place?: WarcPlace;
  /** Links that may be new, normalised, in scope, one a line. */
  links: string;
  /** Links that were left out, by why. */
  left: Record<string, number>;
  /** Of the page, its content encodings undone. */
  bytes: number;
  /** Of running text. */
  textBytes: number;
  sample: string;
}

export interface Batch {
  pages: FetchedPage[];
  /** Redirects, for the link table: from, to. */
  redirects: [string, string][];
  isLast?: boolean;
}

export interface BatchRead {
  pages: ReadPage[];
  warc: WarcPlace;
  links: number;
}

const settings = workerData as WorkerSettings;
const isInScope = makeScope(settings.scope);
const trapOf = makeExclusion({ words: settings.words });
const warc = new WarcWriter({
  folder: `${settings.folder}/warc`,
  prefix: "crawl",
  bytesMax: settings.warcBytes,
  level: limits.warcLevel,
  info: settings.info,
  from: settings.warc,
});
const linkTable = openAt(`${settings.folder}/links.tsv.gz`, settings.links);
let linkBytes = settings.links;
let linkLines = "";

/** Links of late, in two generations: the older one goes when the younger is full. */
let young = new Set<string>();
let old = new Set<string>();

parentPort!.on("message", ({ pages, redirects, isLast }: Batch) => {
  const read = pages.map(readPage);
  for (const [from, to] of redirects) linkLines += `${from}\t${to}\n`;
  const place = warc.flush();
  // A table without a link is a gzip file all the same.
  if (linkLines !== "" || (isLast && linkBytes === 0)) {
    const member = gzipSync(linkLines, { level: limits.warcLevel });
    for (let at = 0; at < member.length; ) at += writeSync(linkTable, member, at);
    linkBytes += member.length;
    linkLines = "";
  }
  if (isLast) {
    warc.close();
    closeSync(linkTable);
  }
  parentPort!.postMessage({ pages: read, warc: place, links: linkBytes } satisfies BatchRead);
  if (isLast) parentPort!.close();
});

function readPage(page: FetchedPage): ReadPage {
  const { id, url, body, contentType, contentEncoding } = page;
  const result: ReadPage = { id, links: "", left: {}, bytes: body.length, textBytes: 0, sample: "" };
  const decoded = decodeContent(body, contentEncoding, settings.decodedBytesMax);
  if (decoded.failure) return { ...result, failure: decoded.failure };
  result.bytes = decoded.bytes.length;
  const html = decodeText(decoded.bytes, contentType);
  const found = readLinks(html, settings.agent, settings.wantsSample);
  // As many bytes as its characters have on the page.
  result.textBytes = Math.round((found.textChars * decoded.bytes.length) / Math.max(html.length, 1));
  result.sample = found.sample.slice(0, limits.sampleCharsMax);
  if (!page.nofollow && !found.nofollow) followed(page, found.base, found.hrefs, result);
  if (page.noindex || found.noindex) return result;
  const { fetched, address, head, isChunked, isTruncated } = page;
  const truncated = isTruncated ? ("length" as const) : undefined;
  result.place = warc.add({ url, fetched: new Date(fetched), address, head, body, isChunked, truncated });
  return result;
}

function followed(
  { url, isDeepest }: FetchedPage,
  baseHref: string | undefined,
  hrefs: string[],
  result: ReadPage,
): void {
  const base = (baseHref !== undefined && normaliseUrl(baseHref, url)) || url;
  const origin = originOf(base);
  const ownLinks = new Set<string>();
  const fresh: string[] = [];
  const leave = (why: string) => {
    result.left[why] = (result.left[why] ?? 0) + 1;
  };
  for (const href of hrefs) {
    const link = normaliseLink(href, base, origin);
    if (link === undefined || link === url || ownLinks.has(link)) continue;
    ownLinks.add(link);
    // What was let through of late is in scope and no trap.
    const isRecent = young.has(link) || old.has(link);
    if (!isRecent) {
      if (!isInScope(link)) {
        leave("out_of_scope");
        continue;
      }
      const trap = trapOf(link);
      if (trap !== undefined) {
        leave(trap);
        continue;
      }
      if (!isDeepest) remember(link);
      fresh.push(link);
    }
    linkLines += `${url}\t${link}\n`;
  }
  result.links = fresh.join("\n");
}

function remember(link: string): void {
  if (young.size >= limits.recentLinksMax) {
    old = young;
    young = new Set();
  }
  young.add(link);
}

/** Opens a file to go on at `bytes`; what lies behind is cut off. */
function openAt(path: string, bytes: number): number {
  const file = openSync(path, "a+");
  if (fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  return file;
}
