/**
 * A pipeline may begin with a crawl: `crawl:` in its file, with the parameters of `dugong crawl`. It is not a step, since it has no input
 * to be told by: what it fetched is an input of the steps, as if its WARC files had been named. A crawl that ended is left alone until
 * its parameters or seeds change; then, and if it was stopped, it goes on where it was, and fetches nothing twice.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DugongError } from "../../storage/errors.js";
import type { CrawlOptions } from "../crawl/options.js";
import type { CrawlProgress, CrawlReport } from "../crawl/report.js";
import { writeWhole } from "../stream/whole.js";
import { isFile, type OptionsSchema, type Parameters } from "./entry.js";
import { contentHash } from "./inputs.js";

export const crawlParameters: OptionsSchema = {
  seeds: { type: "file", isRequired: true, summary: "a file with a URL a line" },
  out: { type: "string", summary: "the folder of the crawl (the file's name with .crawl)" },
  contact: { type: "string", summary: "a mail address or page; needed for public hosts" },
  tld: { type: "strings", summary: "hosts under these top-level domains (the domains of the seeds)" },
  domain: { type: "strings", summary: "hosts of these domains" },
  onlyHosts: { type: "file", summary: "hosts in this file, one a line" },
  anywhere: { type: "boolean", summary: "all hosts (false)" },
  match: { type: "string", summary: "of these, only URLs that match" },
  depth: { type: "integer", min: 0, max: 250, summary: "links from where a domain was entered (8)" },
  maxPages: { type: "integer", min: 1, summary: "end with so many pages" },
  delay: { type: "number", min: 0, max: 86_400, summary: "seconds after each request to a host (7)" },
  connections: { type: "integer", min: 1, max: 20_000, isNeutral: true, summary: "at most (1000)" },
  timeout: { type: "number", min: 0, max: 86_400, summary: "seconds for a whole response (30)" },
  maxBytes: { type: "integer", min: 1, summary: "of a response (1048576)" },
  warcSize: { type: "integer", min: 1, summary: "bytes, when to begin another WARC file (1000000000)" },
  excludeWords: { type: "strings", summary: "leave URLs with such words out (download, files, …)" },
  minYield: { type: "number", min: 0, max: 1, summary: "drop domains with less text (0.01)" },
  language: { type: "string", summary: "only text in this language counts for the yield" },
  agent: { type: "string", summary: "the robot's name (dugong)" },
  allowPrivate: { type: "boolean", summary: "allow private and loopback addresses (false)" },
  resolve: { type: "strings", summary: "addresses of hosts: [www.example.fo=127.0.0.5:8080]" },
  hosts: { type: "file", summary: "such addresses as a hosts file has them" },
  dns: { type: "strings", summary: "DNS servers instead of the system's" },
};

/** The crawl of a pipeline. */
export interface PipelineCrawl {
  out: string;
  parameters: Parameters;
}

/** What is noted in the folder when it has ended. */
interface Ended {
  key: string;
  report: CrawlReport;
}

/** All that decides what is fetched; a path is its content. */
async function keyOf({ parameters }: PipelineCrawl): Promise<string> {
  const parts: unknown[] = [];
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name];
    if (crawlParameters[name].isNeutral || name === "out") continue;
    parts.push([name, isFile(crawlParameters[name], value) ? await contentHash(value as string) : value]);
  }
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

const noteOf = (out: string) => join(out, "pipeline.json");

/** Why it has to be done: undefined if it has ended, and nothing has changed since. */
export async function whyCrawl(crawl: PipelineCrawl): Promise<string | undefined> {
  const ended = endedIn(crawl.out);
  if (!ended) return "it has not ended yet";
  return ended.key === (await keyOf(crawl)) ? undefined : "its parameters or seeds have changed";
}

function endedIn(out: string): Ended | undefined {
  try {
    return JSON.parse(readFileSync(noteOf(out), "utf8"));
  } catch {
    return undefined;
  }
}

/** Crawls, unless that is done. Rejects with the signal's reason if it was stopped. */
export async function runCrawl(
  crawl: PipelineCrawl,
  context: { signal?: AbortSignal; onProgress?: (progress: CrawlProgress) => void },
): Promise<{ report: CrawlReport; isReused: boolean }> {
  if ((await whyCrawl(crawl)) === undefined) return { report: endedIn(crawl.out)!.report, isReused: true };
  const { crawl: start } = await import("../crawl/crawl.js");
  const key = await keyOf(crawl);
  const report = await start(await optionsOf(crawl), context);
  context.signal?.throwIfAborted();
  if (report.pages === 0)
    throw new DugongError(
      "nothing_crawled",
      `the crawl in ${relative("", crawl.out) || crawl.out} has no page`,
      `Its log.jsonl says why: ${JSON.stringify({ ...report.errors, ...report.hostsRefused })}`,
    );
  writeWhole(noteOf(crawl.out), `${JSON.stringify({ key, report } satisfies Ended)}\n`);
  return { report, isReused: false };
}

async function optionsOf({ out, parameters }: PipelineCrawl): Promise<CrawlOptions> {
  const given = parameters as Record<string, never> & {
    seeds: string;
    tld?: string[];
    domain?: string[];
    onlyHosts?: string;
    anywhere?: boolean;
    match?: string;
    hosts?: string;
    resolve?: string[];
    contact?: string;
    language?: string;
  };
  const listed = (file: string | undefined) =>
    file === undefined
      ? undefined
      : readFileSync(file, "utf8")
          .split(/\r?\n/)
          .map((line) => line.replace(/#.*/, "").trim())
          .filter((line) => line !== "");
  const { tld: tlds, domain: domains, anywhere, match: pattern } = given;
  const hosts = listed(given.onlyHosts);
  const isScoped = tlds ?? domains ?? hosts ?? anywhere;
  if (pattern !== undefined && !isScoped)
    throw new DugongError("bad_option", "crawl: match needs tld, domain, onlyHosts or anywhere beside it");
  const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);
  const { wantedIn } = await import("../crawl/wanted.js");
  return {
    seeds: [given.seeds],
    out,
    scope: isScoped ? { tlds, domains, hosts, anywhere, pattern } : undefined,
    depth: given.depth,
    pagesMax: given.maxPages,
    contact: given.contact?.replace(/^mailto:/i, ""),
    agent: given.agent,
    delayMs: ms(given.delay),
    connections: given.connections,
    timeoutMs: ms(given.timeout),
    responseBytes: given.maxBytes,
    warcBytes: given.warcSize,
    words: given.excludeWords,
    minYield: given.minYield,
    isWanted: given.language === undefined ? undefined : wantedIn(given.language),
    allowPrivate: given.allowPrivate,
    mapping: await mappingOf(given),
    dnsServers: given.dns,
  };
}

async function mappingOf(given: { hosts?: string; resolve?: string[] }): Promise<CrawlOptions["mapping"]> {
  const { hosts, resolve = [] } = given;
  const { parseAddress, parseHostsFile } = await import("../crawl/addresses.js");
  const mapping = hosts === undefined ? new Map() : parseHostsFile(readFileSync(hosts, "utf8"), hosts);
  for (const text of resolve) {
    const equals = text.indexOf("=");
    const address = equals > 0 ? parseAddress(text.slice(equals + 1)) : undefined;
    if (!address) throw new DugongError("bad_option", `crawl: resolve: ${text} is not HOST=ADDRESS`);
    mapping.set(text.slice(0, equals).toLowerCase(), address);
  }
  return mapping;
}
