/**
 * robots.txt, as RFC 9309 has it:
 *
 *   file   = group*
 *   group  = (user-agent: name)+ (allow: pattern | disallow: pattern | crawl-delay: seconds)*
 *
 * All groups that name us count as one; if none does, those that name "*". The longest pattern that matches a path decides,
 * and of two that are as long the one that allows. In patterns "*" is any text, and "$" at the end is the end. Names are compared
 * without case, paths with it. Percent-encodings are made alike first: a "*" or "$" of a path is %2A or %24 in a pattern.
 */
import { limits } from "./limits.js";
import { normalisePercents } from "./url.js";

export interface RobotsRule {
  allow: boolean;
  pattern: string;
}

/** What of a file is about us. Plain data: it is kept. */
export interface Robots {
  rules: RobotsRule[];
  /** Seconds. */
  delay?: number;
}

export const allowAll: Robots = { rules: [] };
export const disallowAll: Robots = { rules: [{ allow: false, pattern: "/" }] };

/** `agent` is the product token: "dugong". */
export function parseRobots(bytes: Uint8Array, agent: string): Robots {
  const text = new TextDecoder().decode(bytes.subarray(0, limits.robotsBytesMax));
  const own: Robots = { rules: [] };
  const others: Robots = { rules: [] };
  const name = agent.toLowerCase();
  let isNamed = false;
  let groups: Robots[] = [];
  let inNames = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field, rest] = /^\s*([^:#]*?)\s*:([^#]*)/.exec(line) ?? [];
    if (field === undefined) continue;
    const value = rest.trim();
    switch (field.toLowerCase()) {
      case "user-agent": {
        if (!inNames) groups = [];
        inNames = true;
        const token = /^[a-z_-]+/i.exec(value)?.[0].toLowerCase();
        if (token === name) {
          isNamed = true;
          groups.push(own);
        } else if (value === "*") groups.push(others);
        break;
      }
      case "allow":
      case "disallow": {
        inNames = false;
        // An empty pattern matches nothing.
        if (value === "") break;
        const rule = { allow: field.toLowerCase() === "allow", pattern: normalisePattern(value) };
        for (const group of groups) group.rules.push(rule);
        break;
      }
      case "crawl-delay": {
        inNames = false;
        const seconds = Number(value);
        if (value === "" || !(seconds >= 0)) break;
        for (const group of groups) group.delay = Math.max(group.delay ?? 0, seconds);
      }
    }
  }
  return isNamed ? own : others;
}

/** May this path (with its query) be fetched? */
export function makeRobotsCheck({ rules }: Robots): (path: string) => boolean {
  // Longest first, and those that allow before those that do not: the first that matches decides.
  const sorted = rules
    .map(({ allow, pattern }) => ({ allow, length: pattern.length, matches: makeMatcher(pattern) }))
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
  return (path) => {
    if (path === "/robots.txt" || sorted.length === 0) return true;
    const text = normalisePath(path);
    return sorted.find(({ matches }) => matches(text))?.allow ?? true;
  };
}

function makeMatcher(pattern: string): (path: string) => boolean {
  const isAnchored = pattern.endsWith("$");
  const [first, ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  const last = isAnchored && parts.length > 0 ? parts.pop() : undefined;
  return (path) => {
    if (!path.startsWith(first)) return false;
    let at = first.length;
    if (isAnchored && last === undefined) return path.length === at;
    // The first place for each part is as good as any later one.
    for (const part of parts) {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return last === undefined || (path.length - last.length >= at && path.endsWith(last));
  };
}

/** A "$" that is not at the end means itself. */
function normalisePattern(pattern: string): string {
  return normalisePercents(encoded(pattern).replace(/\$(?!$)/g, "%24"));
}

function normalisePath(path: string): string {
  return normalisePercents(encoded(path).replaceAll("*", "%2A").replaceAll("$", "%24"));
}

/** What is not printable ASCII, percent-encoded as UTF-8. */
function encoded(text: string): string {
  return text.replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
}
