/**
 * Which URLs belong to a crawl. Where nothing is said, those of the domains of its seeds. Else a host belongs if it is under one of
 * the top-level domains, in one of the domains, or in the list of hosts; and its URL, if it matches the pattern.
 */
import { getDomain } from "tldts";
import { hostOf } from "./url.js";

export interface Scope {
  /** "fo", "co.uk": whatever ends in it. */
  tlds?: readonly string[];
  /** "example.fo" and all hosts in it. */
  domains?: readonly string[];
  /** These hosts and no others: "www.example.fo". */
  hosts?: readonly string[];
  /** The whole web. */
  anywhere?: boolean;
  /** A regular expression that URLs must match, beside all else. */
  pattern?: string;
}

/** "example.co.uk" of "www.news.example.co.uk"; hosts that are in no domain (addresses, "localhost") stand for themselves. */
export function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

export function makeScope(scope: Scope): (url: string) => boolean {
  const suffixes = [...(scope.tlds ?? []), ...(scope.domains ?? [])].map((name) =>
    name.toLowerCase().replace(/^\*?\./, ""),
  );
  const under = new Set(suffixes);
  const hosts = new Set([...(scope.hosts ?? []), ...(scope.domains ?? [])].map((name) => name.toLowerCase()));
  const pattern = scope.pattern === undefined ? undefined : new RegExp(scope.pattern);
  const belongs = (host: string): boolean => {
    if (scope.anywhere || hosts.has(host)) return true;
    for (let dot = host.indexOf("."); dot >= 0; dot = host.indexOf(".", dot + 1)) {
      if (under.has(host.slice(dot + 1))) return true;
    }
    return false;
  };
  const known = new Map<string, boolean>();
  return (url) => {
    const host = hostOf(url);
    let isIn = known.get(host);
    if (isIn === undefined) {
      if (known.size > 10_000) known.clear();
      known.set(host, (isIn = belongs(host)));
    }
    return isIn && (pattern === undefined || pattern.test(url));
  };
}
