/**
 * One name for one page. The URL standard does most of it: the scheme and the host in lower case, the host in punycode, no
 * default port, no dot segments, what may not stand in a URL percent-encoded. Beyond it:
 *
 *   - the fragment goes, and a "?" with nothing behind it
 *   - percent-encoded letters, digits and -._~ are written as they are, other percent-encodings in capitals (RFC 3986, 6.2.2)
 *   - the dot at the end of a host goes
 *
 * The order of a query is kept, as are its names and values, empty path parts, "index.html" and the slash at the end:
 * servers may mean different things by them.
 */

/** The normalised URL; undefined if it is not one that can be fetched. */
export function normaliseUrl(href: string, base?: string): string | undefined {
  const text = trimmed(href);
  // White space and angle brackets inside come from broken pages, and lead nowhere.
  if (text === "" || /[\s<>]/.test(text)) return undefined;
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return undefined;
  }
  if ((url.protocol !== "http:" && url.protocol !== "https:") || url.username !== "" || url.password !== "")
    return undefined;
  const host = url.hostname.endsWith(".") ? url.hostname.slice(0, -1) : url.hostname;
  if (host === "" || host.length > 253 || /^\.|\.\.|\.$/.test(host)) return undefined;
  const port = url.port === "" ? "" : `:${url.port}`;
  const search = url.search === "?" ? "" : url.search;
  const tail = url.pathname + search;
  return `${url.protocol}//${host}${port}${tail.includes("%") ? normalisePercents(tail) : tail}`;
}

/** Hrefs that need no parsing: of plain characters, without dot segments; a path from the root, or the whole of a URL with a name for a host. */
const plainPath = /^\/(?!\/)[A-Za-z0-9_~/=&?;,+@!:-]*(?:\.[A-Za-z0-9][A-Za-z0-9_~=&?;,+@!:-]*)*$/;
const plainUrl =
  /^https?:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}\/[A-Za-z0-9_~/=&?;,+@!:-]*(?:\.[A-Za-z0-9][A-Za-z0-9_~=&?;,+@!:-]*)*$/;

/** The same as normaliseUrl, for links of a page: most of them are plain. */
export function normaliseLink(href: string, base: string, baseOrigin: string): string | undefined {
  if (!href.endsWith("?")) {
    if (plainPath.test(href)) return baseOrigin + href;
    if (plainUrl.test(href) && href.length < 200) return href;
  }
  return normaliseUrl(href, base);
}

function trimmed(href: string): string {
  // Of what URLs are trimmed of, String.trim() leaves control characters.
  return href.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
}

const unreserved = /[A-Za-z0-9._~-]/;

/** Percent-encoded octets as RFC 3986 wants them; a stray "%" stays. */
export function normalisePercents(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (octet) => {
    const char = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return unreserved.test(char) ? char : octet.toUpperCase();
  });
}

/** "https://www.example.fo:8443" of a normalised URL. */
export function originOf(url: string): string {
  const end = url.indexOf("/", 8);
  return end < 0 ? url : url.slice(0, end);
}

/** "www.example.fo" of an origin or a normalised URL; IPv6 in its brackets. */
export function hostOf(url: string): string {
  const from = url.indexOf("//") + 2;
  const bracket = url.charCodeAt(from) === 0x5b ? url.indexOf("]", from) : from;
  const colon = url.indexOf(":", bracket);
  const slash = url.indexOf("/", bracket);
  const end = slash < 0 ? url.length : slash;
  return url.slice(from, colon >= 0 && colon < end ? colon : end);
}

/** What stands behind the origin, from "/" on. */
export function pathOf(url: string): string {
  const from = url.indexOf("/", 8);
  return from < 0 ? "/" : url.slice(from);
}
