/** `dugong crawl`: fetches pages, beginning with seeds, into WARC files; stopped or killed, the same command goes on. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import type { CrawlOptions } from "../../ingest/crawl/options.js";
import type { CrawlProgress, CrawlReport } from "../../ingest/crawl/report.js";
import { counted, duration, grouped, size } from "./format.js";
import {
  byteCount,
  examples,
  type GlobalOptions,
  nameList,
  names,
  repeated,
  wholeNumber,
} from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { StatusLine } from "./progress.js";

interface Options extends GlobalOptions {
  out: string;
  tld?: string[];
  domain?: string[];
  onlyHosts?: string;
  match?: string;
  anywhere?: boolean;
  depth?: number;
  maxPages?: number;
  contact?: string;
  agent?: string;
  delay?: number;
  connections?: number;
  timeout?: number;
  maxBytes?: number;
  warcSize?: number;
  excludeWords?: string[];
  minYield?: number;
  language?: string;
  allowPrivate?: boolean;
  resolve?: string[];
  hosts?: string;
  dns?: string[];
}

export function addCrawl(program: Command): void {
  program
    .command("crawl")
    .summary("Fetch pages of the web into WARC files.")
    .description(
      "Fetch pages, beginning with seeds and going on with their links, breadth first, into WARC files. Robots.txt is obeyed; a host, and an " +
        "address, has one request at a time with a delay after it; a page is fetched once. A crawl that was stopped or killed goes on when " +
        "the same command is given again.",
    )
    .argument("<seeds...>", "files with a URL a line; - for standard input")
    .requiredOption("--out <folder>", "where all goes: warc/, links.tsv.gz, log.jsonl, state/")
    .option("--contact <address>", "a mail address or page for those who are asked; needed for public hosts")
    .option(
      "--tld <names>",
      "hosts under these top-level domains: fo,dk (default: the domains of the seeds)",
      nameList,
    )
    .option("--domain <names>", "hosts of these domains", nameList)
    .option("--only-hosts <file>", "hosts in this file, one a line")
    .option("--anywhere", "all hosts")
    .option("--match <regex>", "of these, only URLs that match")
    .option("--depth <n>", "links from where a domain was entered (default: 8)", upTo(250))
    .option("--max-pages <n>", "end with so many pages", wholeNumber)
    .option(
      "--delay <seconds>",
      "after each request to a host or an address (default: 7; under 1 only for private ones)",
      seconds,
    )
    .option("--connections <n>", "requests under way at most (default: 1000)", upTo(20_000, 1))
    .option("--timeout <seconds>", "for a whole response (default: 30)", seconds)
    .option("--max-bytes <size>", "of a response; what follows is cut off (default: 1M)", byteCount)
    .option("--warc-size <size>", "when to begin another WARC file (default: 1 GB)", byteCount)
    .option(
      "--exclude-words <words>",
      'leave URLs with such words out (default: "download,files,image,pics,upload,redir,search")',
      names,
    )
    .option(
      "--min-yield <share>",
      "drop domains with less text, of their bytes, for every tenfold of pages beyond ten; 0 keeps all (default: 0.01)",
      share,
    )
    .option("--language <code>", "only text in this language counts for the yield: fao (default: any text)")
    .option("--agent <name>", "the robot's name (default: dugong)")
    .option("--allow-private", "allow private and loopback addresses; without --contact, no others")
    .option(
      "--resolve <host=address>",
      "an address for a host, with :port if it has one; repeatable",
      repeated,
    )
    .option("--hosts <file>", "such addresses as a hosts file has them: 127.0.0.5:8080 www.example.fo")
    .option("--dns <servers>", "DNS servers instead of the system's", nameList)
    .addHelpText(
      "after",
      examples(
        [
          "dugong crawl seeds.txt --out faroe --tld fo --contact mailto:corpus@example.org",
          "the Faroese web, politely",
        ],
        [
          "dugong crawl seeds.txt --out news --contact https://example.org/crawl --max-pages 10000 --json",
          "ten thousand pages of the seeds' domains, for a program",
        ],
        [
          "echo http://wiki.intern/ | dugong crawl - --out wiki --resolve wiki.intern=10.0.0.7:8080 --allow-private --delay 0",
          "a host of one's own, as fast as it goes",
        ],
      ),
    )
    .action(run);
}

function upTo(most: number, least = 0): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number < least || number > most)
      throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`);
    return number;
  };
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number <= 86_400))
    throw new InvalidArgumentError("Use a number of seconds from 0 to 86400.");
  return number;
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError("Use a number from 0 to 1.");
  return number;
}

async function run(seeds: string[], _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { json = false } = options;
  const { crawl } = await import("../../ingest/crawl/crawl.js");
  const stop = new AbortController();
  const progress = progressOn(process.stderr, json);
  const interrupt = () => {
    progress.done();
    process.stderr.write("stopping: requests under way are waited for; Ctrl-C again ends at once\n");
    stop.abort();
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    const settings = await crawlOptions(seeds, options, command);
    const report = await crawl(settings, { signal: stop.signal, onProgress: progress.report });
    progress.done();
    if (json) await writeJson(report);
    else await writeLines(reportLines(report));
    if (report.ended === "stopped") process.exitCode = 130;
  } finally {
    progress.done();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

async function crawlOptions(seeds: string[], options: Options, command: Command): Promise<CrawlOptions> {
  const { tld, domain, onlyHosts, match, anywhere } = options;
  const hosts = onlyHosts === undefined ? undefined : hostList(onlyHosts);
  const isScoped = tld || domain || hosts || anywhere;
  if (match !== undefined && !isScoped)
    command.error("--match needs to know which hosts: add --tld, --domain, --only-hosts or --anywhere");
  const ms = (value: number | undefined) => (value === undefined ? undefined : value * 1000);
  return {
    seeds,
    out: options.out,
    scope: isScoped ? { tlds: tld, domains: domain, hosts, anywhere, pattern: match } : undefined,
    depth: options.depth,
    pagesMax: options.maxPages,
    contact: options.contact?.replace(/^mailto:/i, ""),
    agent: options.agent,
    delayMs: ms(options.delay),
    connections: options.connections,
    timeoutMs: ms(options.timeout),
    responseBytes: options.maxBytes,
    warcBytes: options.warcSize,
    words: options.excludeWords,
    minYield: options.minYield,
    isWanted: await wantedOf(options.language),
    allowPrivate: options.allowPrivate,
    mapping: await mappingOf(options, command),
    dnsServers: options.dns,
  };
}

async function wantedOf(language: string | undefined): Promise<CrawlOptions["isWanted"]> {
  if (language === undefined) return undefined;
  const { wantedIn } = await import("../../ingest/crawl/wanted.js");
  return wantedIn(language);
}

function hostList(file: string): string[] {
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
}

async function mappingOf(
  { hosts, resolve = [] }: Options,
  command: Command,
): Promise<CrawlOptions["mapping"]> {
  const { parseAddress, parseHostsFile } = await import("../../ingest/crawl/addresses.js");
  const mapping = hosts === undefined ? new Map() : parseHostsFile(readFileSync(hosts, "utf8"), hosts);
  for (const text of resolve) {
    const equals = text.indexOf("=");
    const address = equals > 0 ? parseAddress(text.slice(equals + 1)) : undefined;
    if (!address) command.error(`--resolve ${text} is not HOST=ADDRESS: www.example.fo=127.0.0.5:8080`);
    mapping.set(text.slice(0, equals).toLowerCase(), address!);
  }
  return mapping;
}

/** A line on a terminal that is drawn over and over; elsewhere a line every ten seconds; JSON lines for programs. */
function progressOn(stream: NodeJS.WriteStream, json: boolean) {
  if (json) {
    const every = rarely(1000);
    return {
      report: (progress: CrawlProgress) => every(() => stream.write(`${JSON.stringify({ progress })}\n`)),
      done: () => {},
    };
  }
  if (stream.isTTY === true && process.env.TERM !== "dumb") {
    const line = new StatusLine(stream);
    return {
      report: (progress: CrawlProgress) => line.draw(undefined, parts(progress)),
      done: () => line.clear(),
    };
  }
  const every = rarely(10_000);
  return {
    report: (progress: CrawlProgress) => every(() => stream.write(`crawl: ${parts(progress).join(", ")}\n`)),
    done: () => {},
  };
}

function rarely(ms: number): (work: () => void) => void {
  let last = performance.now();
  return (work) => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    work();
  };
}

/** "1,200 pages", "14.2 pages/s", … and, if it waits, why. */
export function parts(progress: CrawlProgress): string[] {
  const { pages, pagesPerSecond, bytesPerSecond, queued, hosts, connections, errors, waiting } = progress;
  const list = [counted(pages, "page")];
  if (waiting) list.push(waitingFor(waiting));
  else list.push(`${pagesPerSecond.toFixed(1)} pages/s`, `${size(Math.round(bytesPerSecond))}/s`);
  list.push(`${grouped(queued)} queued`, counted(hosts, "host"));
  if (!waiting) list.push(counted(connections, "connection"));
  const kinds = Object.entries(errors).sort((a, b) => b[1] - a[1]);
  if (kinds.length > 0) list.push(kinds.map(([kind, count]) => `${kind} ${grouped(count)}`).join(" "));
  return list;
}

function waitingFor({ reason, hosts, seconds: left }: NonNullable<CrawlProgress["waiting"]>): string {
  const next = `next in ${duration(left)}`;
  switch (reason) {
    case "resume":
      return `waiting after the last run, ${next}`;
    case "dns":
      return `looking up ${counted(hosts, "host")}`;
    case "politeness":
      return `waiting for politeness of ${counted(hosts, "host")}, ${next}`;
  }
}

const endings: Record<CrawlReport["ended"], string> = {
  complete: "complete",
  max_pages: "as many pages as were wanted",
  stopped: "stopped; run the same command again to go on",
};

export function reportLines(report: CrawlReport): string[] {
  const { pages, requests, bytes, redirects, hosts, seen, queued, run, errors, left, hostsRefused } = report;
  const kinds = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort((a, b) => b[1] - a[1])
      .map(([kind, count]) => `${kind} ${grouped(count)}`)
      .join(", ");
  const lines = [
    `crawl: ${counted(pages, "page")} of ${counted(hosts, "host")}, ${size(bytes)}, with ${counted(requests, "request")}; ${endings[report.ended]}`,
    `  this run: ${counted(run.pages, "page")} in ${duration(run.seconds)} (${run.pagesPerSecond.toFixed(1)} pages/s)${report.resumed ? ", resumed" : ""}`,
    `  URLs: ${grouped(seen)} found, ${grouped(queued)} left, ${counted(redirects, "redirect")}`,
  ];
  if (Object.keys(errors).length > 0) lines.push(`  not fetched: ${kinds(errors)}`);
  if (Object.keys(left).length > 0) lines.push(`  links not followed: ${kinds(left)}`);
  if (Object.keys(hostsRefused).length > 0) lines.push(`  hosts left: ${kinds(hostsRefused)}`);
  for (const { kind, message, count, places } of report.warnings) {
    const where = places
      .map(({ source, line }) => (line === undefined ? source : `${source}:${line}`))
      .join(", ");
    lines.push(`  ${kind}: ${message} (${grouped(count)}×): ${where}`);
  }
  lines.push(`  in ${report.out}: ${counted(report.warcFiles, "WARC file")}, links.tsv.gz, log.jsonl`);
  return lines;
}
