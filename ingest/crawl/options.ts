/** What a crawl can be told, and what it may not be told: every rule about being polite is enforced here. */
import { DugongError } from "../../storage/errors.js";
import type { AddressRules } from "./addresses.js";
import { limits } from "./limits.js";
import type { Scope } from "./scope.js";
import { excludedWords } from "./traps.js";

export interface CrawlOptions {
  /** Files with a URL a line, "-" for standard input. "#" begins a comment. */
  seeds: readonly string[];
  /** The folder for all that is written. A crawl that is there goes on. */
  out: string;
  /** The domains of the seeds, if nothing is said. */
  scope?: Scope;
  /** Links from where a domain was entered. Default: 8. */
  depth?: number;
  /** Ends when there are so many in the WARC files. */
  pagesMax?: number;
  /** Who is to be asked if something is wrong: an address of mail or of a page. Needed for hosts of the public. */
  contact?: string;
  /** The name in User-Agent and in robots.txt. */
  agent?: string;
  delayMs?: number;
  connections?: number;
  timeoutMs?: number;
  responseBytes?: number;
  /** Loopback and private addresses may be asked; without `contact`, no others. */
  allowPrivate?: boolean;
  /** Addresses by host name, instead of what the DNS says. */
  mapping?: AddressRules["mapping"];
  dnsServers?: readonly string[];
  /** Words that URLs may not have. Default: download files image pics upload redir search. */
  words?: readonly string[];
  /** See yield.ts; 0 keeps all domains. */
  minYield?: number;
  warcBytes?: number;
  /**
   * How much of a text is wanted, 0 to 1: of a language, say. Asked of each page that has running text, of up to 2,000 characters of
   * it; domains that have too little of it are dropped.
   */
  isWanted?: (text: string) => number;
  /** Hosts that have their turn at the same time. */
  activeHosts?: number;
}

export interface CrawlSettings
  extends Required<Omit<CrawlOptions, "contact" | "mapping" | "isWanted" | "scope" | "pagesMax">> {
  scope: Scope | undefined;
  pagesMax: number;
  isWanted: ((text: string) => number) | undefined;
  contact: string | undefined;
  userAgent: string;
  addressRules: AddressRules;
}

export function settingsOf(options: CrawlOptions): CrawlSettings {
  const { contact, allowPrivate = false, delayMs = limits.delayMs, agent = "dugong" } = options;
  if (contact === undefined && !allowPrivate) {
    throw refused(
      "a crawl of the public web needs a contact address",
      "Give --contact with a mail address or a page about the crawl, or --allow-private to crawl hosts of your own only.",
    );
  }
  if (contact !== undefined && !/^[\x21-\x7e]*(@|:\/\/)[\x21-\x7e]+$/.test(contact)) {
    throw refused(`"${contact}" is no contact address`, "Give a mail address or the URL of a page.");
  }
  if (delayMs < limits.publicDelayMsMin && !allowPrivate) {
    throw refused(
      `a delay of ${delayMs / 1000} s is too short for hosts of others`,
      `Use --delay ${limits.publicDelayMsMin / 1000} or more, or --allow-private for hosts of your own.`,
    );
  }
  if (!/^[A-Za-z_-]+$/.test(agent)) {
    throw refused(`"${agent}" cannot be the name of a robot`, "Use letters, - and _, as robots.txt does.");
  }
  if (options.scope?.pattern !== undefined) {
    try {
      new RegExp(options.scope.pattern);
    } catch (error) {
      throw refused(`--match is no regular expression: ${(error as Error).message}`);
    }
  }
  const about = contact === undefined ? "private crawl" : `+${contact}`;
  return {
    seeds: options.seeds,
    out: options.out,
    scope: options.scope,
    depth: options.depth ?? 8,
    pagesMax: options.pagesMax ?? Number.POSITIVE_INFINITY,
    contact,
    agent,
    userAgent: `${agent}/1.0 (${about})`,
    delayMs,
    connections: options.connections ?? limits.connections,
    timeoutMs: options.timeoutMs ?? limits.timeoutMs,
    responseBytes: options.responseBytes ?? limits.responseBytes,
    allowPrivate,
    dnsServers: options.dnsServers ?? [],
    words: options.words ?? excludedWords,
    minYield: options.minYield ?? limits.yieldStep,
    warcBytes: options.warcBytes ?? limits.warcBytes,
    isWanted: options.isWanted,
    activeHosts: options.activeHosts ?? limits.activeHostsMax,
    addressRules: {
      allowPrivate,
      allowPublic: contact !== undefined,
      mapping: options.mapping,
      dnsServers: options.dnsServers,
    },
  };
}

function refused(message: string, hint?: string): DugongError {
  return new DugongError("bad_option", message, hint);
}
