/**
 * What a crawler wants to know of a page, in one pass over its text: where its links lead, whether robots are asked to keep
 * off, and how much running text it has. Tags are told apart as browsers do (comments, quoted values, scripts and other raw
 * text), but no tree is made, and no entities are decoded but in links: this runs at several times the speed of a parser.
 *
 * Running text is what stands in blocks (between tags of block level) of at least 60 characters, less than a third of them in
 * links. Menus and lists of headlines have none.
 */
import { limits } from "./limits.js";

export interface PageLinks {
  /** As they are written, entities decoded; those with rel="nofollow" are left out. */
  hrefs: string[];
  /** Of the first <base>. */
  base?: string;
  noindex: boolean;
  nofollow: boolean;
  /** Characters of running text. */
  textChars: number;
  /** Some of it, if it is asked for. */
  sample: string;
}

const blockCharsMin = 60;
const linkShareMax = 1 / 3;
const longTextChars = 50;

enum Kind {
  Other = 0,
  Block = 1,
  Anchor = 2,
  Frame = 3,
  Base = 4,
  Meta = 5,
  Raw = 6,
}

const kinds = new Map<string, Kind>();
const add = (kind: Kind, names: string) => {
  for (const name of names.split(" ")) kinds.set(name, kind);
};
add(
  Kind.Block,
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 " +
    "h6 head header hgroup hr html legend li main menu nav ol option p pre search section select summary table tbody td tfoot th thead tr ul",
);
add(Kind.Anchor, "a area");
add(Kind.Frame, "frame iframe");
add(Kind.Base, "base");
add(Kind.Meta, "meta");
add(Kind.Raw, "script style textarea title xmp noembed noframes");

/** `agent`: the name of a <meta> that is for us, beside "robots". */
export function readLinks(html: string, agent: string, wantsSample: boolean): PageLinks {
  const page: PageLinks = { hrefs: [], noindex: false, nofollow: false, textChars: 0, sample: "" };
  const { length } = html;
  let pieces: string[] = [];
  let chars = 0;
  let linkChars = 0;
  let inLink = false;
  let afterSpace = true;

  const text = (from: number, to: number) => {
    const before = chars;
    // What stands between tags is white space most often; in longer text the odd run of it does not matter.
    if (to - from > longTextChars) chars += to - from;
    else {
      for (let i = from; i < to; i++) {
        const isWhite = html.charCodeAt(i) <= 0x20;
        if (!isWhite || !afterSpace) chars++;
        afterSpace = isWhite;
      }
    }
    if (inLink) linkChars += chars - before;
    if (wantsSample && chars > before) pieces.push(html.slice(from, to));
  };

  const endBlock = () => {
    if (chars >= blockCharsMin && linkChars < chars * linkShareMax) {
      page.textChars += chars;
      if (wantsSample && page.sample.length < limits.sampleCharsMax)
        page.sample += `${decodeEntities(pieces.join("")).replace(/\s+/g, " ").trim()}\n`;
    }
    if (wantsSample) pieces = [];
    chars = linkChars = 0;
    afterSpace = true;
  };

  const attributes = new Map<string, string>();
  let at = 0;
  while (at < length) {
    const open = html.indexOf("<", at);
    if (open < 0) {
      text(at, length);
      break;
    }
    if (open > at) text(at, open);
    const next = html.charCodeAt(open + 1);
    if (next === 0x21 || next === 0x3f) {
      at = endOfDeclaration(html, open);
      continue;
    }
    const isClosing = next === 0x2f;
    const nameFrom = open + (isClosing ? 2 : 1);
    if (!isLetter(html.charCodeAt(nameFrom))) {
      if (isClosing) {
        // "</" and no name: a comment to the next ">".
        const end = html.indexOf(">", nameFrom);
        at = end < 0 ? length : end + 1;
      } else {
        text(open, open + 1);
        at = open + 1;
      }
      continue;
    }
    let nameTo = nameFrom + 1;
    while (nameTo < length && !endsName(html.charCodeAt(nameTo))) nameTo++;
    const name = html.slice(nameFrom, nameTo).toLowerCase();
    const kind = kinds.get(name) ?? Kind.Other;
    if (isClosing || kind === Kind.Other || kind === Kind.Block || kind === Kind.Raw) {
      at = skipAttributes(html, nameTo);
      if (kind === Kind.Block) {
        endBlock();
        inLink = false;
      } else if (kind === Kind.Anchor) inLink = false;
      else if (kind === Kind.Raw && !isClosing) at = endOfRaw(html, name, at);
      continue;
    }
    attributes.clear();
    at = readAttributes(html, nameTo, attributes);
    if (kind === Kind.Anchor) {
      if (name === "a") inLink = attributes.has("href");
      const href = attributes.get("href");
      if (href !== undefined && !hasWord(attributes.get("rel"), "nofollow")) addLink(page, href);
    } else if (kind === Kind.Frame) {
      const source = attributes.get("src");
      if (source !== undefined) addLink(page, source);
      if (name === "iframe") at = endOfRaw(html, name, at);
    } else if (kind === Kind.Base) page.base ??= attributes.get("href");
    else readMeta(page, attributes, agent);
  }
  endBlock();
  return page;
}

function addLink(page: PageLinks, href: string): void {
  if (href !== "" && href.charCodeAt(0) !== 0x23 && page.hrefs.length < limits.pageLinksMax)
    page.hrefs.push(href);
}

function readMeta(page: PageLinks, attributes: Map<string, string>, agent: string): void {
  const content = attributes.get("content");
  if (content === undefined) return;
  const name = attributes.get("name")?.trim().toLowerCase();
  if (name === "robots" || name === agent.toLowerCase()) Object.assign(page, withDirectives(page, content));
  if (attributes.get("http-equiv")?.trim().toLowerCase() === "refresh") {
    const url = /^\s*[\d.]*\s*[;,]?\s*url\s*=\s*(?:"([^"]*)"|'([^']*)'|(.*))/i.exec(content);
    const href = url?.[1] ?? url?.[2] ?? url?.[3];
    if (href) addLink(page, href.trim());
  }
}

export interface Directives {
  noindex: boolean;
  nofollow: boolean;
}

/** "noindex, follow" of a <meta name="robots"> or an X-Robots-Tag. */
export function withDirectives(before: Directives, content: string): Directives {
  const words = content.toLowerCase().split(/[\s,]+/);
  const isNone = words.includes("none");
  return {
    noindex: before.noindex || isNone || words.includes("noindex"),
    nofollow: before.nofollow || isNone || words.includes("nofollow"),
  };
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function endsName(code: number): boolean {
  return code === 0x3e || code === 0x2f || isSpace(code);
}

function hasWord(value: string | undefined, word: string): boolean {
  return value?.toLowerCase().split(/\s+/).includes(word) ?? false;
}

function endOfDeclaration(html: string, open: number): number {
  if (html.startsWith("<!--", open)) {
    // "<!-->" and "<!--->" are whole comments.
    if (html.startsWith(">", open + 4)) return open + 5;
    if (html.startsWith("->", open + 4)) return open + 6;
    const end = html.indexOf("--", open + 4);
    for (let from = end; from >= 0; from = html.indexOf("--", from + 1)) {
      if (html.startsWith(">", from + 2)) return from + 3;
      if (html.startsWith("!>", from + 2)) return from + 4;
    }
    return html.length;
  }
  const end = html.indexOf(">", open);
  return end < 0 ? html.length : end + 1;
}

/** Behind `</script` and the like, wherever it begins. */
function endOfRaw(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
    const to = at + 2 + name.length;
    if (html.slice(at + 2, to).toLowerCase() === name && (to >= html.length || endsName(html.charCodeAt(to))))
      return skipAttributes(html, to);
  }
  return html.length;
}

/** Where the tag is over; values in quotes may have ">" in them. */
function skipAttributes(html: string, from: number): number {
  const { length } = html;
  let at = from;
  let afterEquals = false;
  while (at < length) {
    const code = html.charCodeAt(at);
    if (code === 0x3e) return at + 1;
    if (afterEquals && (code === 0x22 || code === 0x27)) {
      const end = html.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (end < 0) return length;
      at = end + 1;
      afterEquals = false;
    } else if (afterEquals && !isSpace(code)) {
      // Without quotes, up to white space: quotes in it mean themselves.
      while (at < length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== 0x3e) at++;
      afterEquals = false;
    } else {
      if (code === 0x3d && at > from && !startsAttribute(html, at)) afterEquals = true;
      at++;
    }
  }
  return length;
}

/** An equals sign where a name should begin belongs to the name. */
function startsAttribute(html: string, at: number): boolean {
  let before = at - 1;
  while (isSpace(html.charCodeAt(before))) before--;
  const code = html.charCodeAt(before);
  return code === 0x2f || code === 0x22 || code === 0x27;
}

/** The first of a name counts. Values have their entities decoded. */
function readAttributes(html: string, from: number, into: Map<string, string>): number {
  const { length } = html;
  let at = from;
  for (;;) {
    while (at < length && (isSpace(html.charCodeAt(at)) || html.charCodeAt(at) === 0x2f)) at++;
    if (at >= length) return length;
    if (html.charCodeAt(at) === 0x3e) return at + 1;
    const nameFrom = at++;
    while (at < length) {
      const code = html.charCodeAt(at);
      if (code === 0x3d || endsName(code)) break;
      at++;
    }
    const name = html.slice(nameFrom, at).toLowerCase();
    while (at < length && isSpace(html.charCodeAt(at))) at++;
    let value = "";
    if (html.charCodeAt(at) === 0x3d) {
      at++;
      while (at < length && isSpace(html.charCodeAt(at))) at++;
      const quote = html.charCodeAt(at);
      let to: number;
      if (quote === 0x22 || quote === 0x27) {
        to = html.indexOf(quote === 0x22 ? '"' : "'", at + 1);
        if (to < 0) return length;
        value = html.slice(at + 1, to);
        at = to + 1;
      } else {
        to = at;
        while (to < length && !isSpace(html.charCodeAt(to)) && html.charCodeAt(to) !== 0x3e) to++;
        value = html.slice(at, to);
        at = to;
      }
    }
    if (!into.has(name)) into.set(name, decodeEntities(value));
  }
}

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));?/g,
    (all, decimal, hex, name) => {
      if (name !== undefined) return named[name];
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : all;
    },
  );
}
