/**
 * What elements mean for a page's layout: which begin a block of text, which hold no text for readers, and what the names that
 * authors give them (class, id, role, itemprop) say about their contents.
 */

export const kind = {
  /** It begins and ends blocks of text. */
  block: 1,
  /** What is inside is not for readers. */
  skipped: 2,
  /** It has no end. */
  void: 4,
  /** Its attributes tell something about the page. */
  told: 8,
  /** End tags inside do not reach beyond it. */
  scope: 16,
  /** Its text is all text until its end tag: the tokenizer sees to it. */
  raw: 32,
} as const;

export interface ElementName {
  name: string;
  /** A bit set of `kind`. */
  is: number;
  /** 1 to 6 for h1 to h6, else 0. */
  heading: number;
  /** Marks that it has by its name alone. */
  marks: number;
  /** How likely its own text is content, roughly and by rank: what a decision tree can cut in two. */
  rank: number;
}

/**
 * What names say. A mark is a bit; an element has those of its own names, and lies inside those of the elements around it.
 * The words are those that authors everywhere use, in English as in most templates.
 */
const words = {
  content:
    /^(?:content|contents|article|articles|post|posts|entry|story|body|text|texto|texte|inhalt|conteudo|contenido|blog|page|hentry|copy|editorial|prose|richtext|wysiwyg|wiki|maincontent|contentmain|contentbody)$|article(?:body|text|content)|(?:post|story|entry)(?:body|text|content)/,
  comment: /comment|disqus|^repl(?:y|ies)$|respond|discuss|^kommentar|^reviews?$|^thread|feedback/,
  nav: /^nav|navi|navbar|menu|crumb|^pag(?:er|ination|ing)|^tabs?$|toolbar|^skip|sitemap|^prev(?:ious)?$|^next$|^links?$|toc/,
  side: /side|^aside|^rail|widget|gadget|^right|rightcol|^portlet|^module|^box(?:es)?$|^block|^panel/,
  foot: /foot|copyright|colophon|legal|disclaimer|^bottom|impressum/,
  head: /^head(?:er|band)?$|mast|banner|logo|^top(?:bar|nav|per)?$|branding|^hd$|siteheader|pageheader/,
  social:
    /shar(?:e|ing)|social|twitter|facebook|addthis|addtoany|follow|tweet|like|pinterest|bookmark|^sns|^rss|email|print/,
  related:
    /relat|recommend|^more|^also|popular|trend|latest|recent|similar|^most|featured|teaser|archive|blogroll|readnext|suggest|^card|^carousel|headlines/,
  advert:
    /^ads?$|^adv|advert|sponsor|promo|taboola|outbrain|doubleclick|^dfp|^gpt|affiliate|commercial|offer|banner/,
  meta: /meta|byline|author|^date|datetime|timestamp|^time|^tags?$|tagged|tagcloud|categor|^info|credit|publish|posted|dateline|source|^bio/,
  form: /subscri|newsletter|signup|signin|login|logout|regist|^form|search|cookie|consent|gdpr|modal|popup|overlay|dialog|paywall|^account|captcha|^input|select|poll|quiz|survey/,
  media: /caption|figure|image|^img|photo|galler|thumb|media|video|audio|slide|player|picture|^pic/,
  title: /title|headline|^heading/,
  hidden: /^hid(?:e|den)$|^invisible|offscreen|screenreader|^sronly|visuallyhidden|noprint|noscript/,
  story: /articlebody|^main$|^maincontent$|^maincol/,
  quote:
    /^quote|blockquote|pullquote|excerpt|summary|^lead$|^intro|abstract|subtitle|deck|^standfirst|description/,
  list: /^list|listing|^items?$|^table|^grid|^row$|^results?$|^index/,
} as const;

/** Most words of names say nothing. */
const anyWord = new RegExp(
  Object.values(words)
    .map(({ source }) => source)
    .join("|"),
);

export type Mark = keyof typeof words;
export const markNames = Object.keys(words) as Mark[];
export const mark = Object.fromEntries(markNames.map((name, bit) => [name, 1 << bit])) as Record<
  Mark,
  number
>;

const names = new Map<string, ElementName>();
const unknown: ElementName = { name: "", is: 0, heading: 0, marks: 0, rank: 5 };

function define(list: string, is: number, rank = 5, marks = 0): void {
  for (const name of list.split(" ")) {
    const heading = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    names.set(name, { name, is, heading, marks, rank });
  }
}

const { block, skipped, told, scope, raw } = kind;
define("html", told);
define("body hgroup details summary hr tbody thead tfoot colgroup col optgroup", block);
define("div section", block, 6);
define("p", block, 10);
define("blockquote", block, 9, mark.quote);
define("pre xmp plaintext listing", block, 8);
define("article", block, 7, mark.content);
define("main", block, 7, mark.content | mark.story);
define("h1 h2 h3 h4 h5 h6", block, 4);
define("figure figcaption", block, 3, mark.media);
define("caption", block | scope, 3);
define("table", block | scope, 5);
define("tr", block, 5);
define("td th", block | scope, 5);
define("ul ol dl dir", block, 2, mark.list);
define("li", block, 2);
define("dt dd", block, 3);
define("center address fieldset legend label", block, 3);
define("form", block, 3, mark.form);
define("menu nav", block, 1, mark.nav);
define("aside", block, 1, mark.side);
define("header", block, 3, mark.head);
define("footer", block, 1, mark.foot);
define("dialog", block, 0, mark.form);
define("select option button", block, 0, mark.form);
define("noscript template svg canvas audio video object applet map datalist", skipped);
define("style iframe noembed noframes textarea", skipped | raw);
define("title script", skipped | raw | told);
define("meta link base", kind.void | told);
define("img input area source track embed param wbr keygen basefont frame", kind.void);
define("br", kind.void);
define("a time", told);

/** What an element is, by its name as it is written. */
export function elementNamed(written: string): ElementName {
  const found = names.get(written);
  if (found) return found;
  return names.get(written.toLowerCase()) ?? unknown;
}

/** Names by a number made of their letters, so that the name of a tag is found in a page without a string being made of it. */
const slots: (ElementName | undefined)[] = new Array(1024).fill(undefined);
const slotMask = slots.length - 1;
for (const element of names.values()) {
  let hash = 0;
  for (let i = 0; i < element.name.length; i++) hash = Math.imul(hash, 31) + element.name.charCodeAt(i);
  let slot = hash & slotMask;
  while (slots[slot]) slot = (slot + 1) & slotMask;
  slots[slot] = element;
}

/** What an element is whose name stands in a page from `start` to `end`, white space around it or not. */
export function elementIn(html: string, start: number, end: number): ElementName {
  let from = start;
  let to = end;
  while (from < to && isSpace(html.charCodeAt(from))) from++;
  while (from < to && isSpace(html.charCodeAt(to - 1))) to--;
  let hash = 0;
  for (let at = from; at < to; at++) {
    const code = html.charCodeAt(at);
    // Capitals and white space beyond ASCII are rare, and the language knows better.
    if (code > 0x7f) return elementNamed(html.slice(start, end).trim());
    hash = Math.imul(hash, 31) + smallOf(code);
  }
  for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
    const element = slots[slot];
    if (!element) return unknown;
    const { name } = element;
    if (name.length !== to - from) continue;
    let same = 0;
    while (same < name.length && name.charCodeAt(same) === smallOf(html.charCodeAt(from + same))) same++;
    if (same === name.length) return element;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function smallOf(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Marks of names, and of words of names, that have been met. They come from pages: what is kept of them has to end somewhere. */
const knownNames = new Map<string, number>();
const knownWords = new Map<string, number>();
const knownMax = 20_000;
const knownCharsMax = 100;

function remember(known: Map<string, number>, name: string, marks: number): number {
  if (known.size >= knownMax) known.clear();
  // A piece of a page's string would keep the whole page in memory.
  if (name.length <= knownCharsMax) known.set(Buffer.from(name, "utf16le").toString("utf16le"), marks);
  return marks;
}

/** The marks of a class or an id: of each of its words, and of all words of a name together ("article-body", "articleBody"). */
export function marksOf(value: string): number {
  const known = knownNames.get(value);
  if (known !== undefined) return known;
  let marks = 0;
  for (const name of value.split(/\s+/)) {
    const parts = name
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((part) => part !== "");
    for (const part of parts) marks |= marksOfWord(part);
    if (parts.length > 1) marks |= marksOfWord(parts.join(""));
  }
  return remember(knownNames, value, marks);
}

function marksOfWord(word: string): number {
  const known = knownWords.get(word);
  if (known !== undefined) return known;
  let marks = 0;
  if (anyWord.test(word)) {
    for (const name of markNames) if (words[name].test(word)) marks |= mark[name];
  }
  return remember(knownWords, word, marks);
}

const roles: Record<string, number> = {
  main: mark.content | mark.story,
  article: mark.content,
  navigation: mark.nav,
  menu: mark.nav,
  menubar: mark.nav,
  tablist: mark.nav,
  complementary: mark.side,
  contentinfo: mark.foot,
  banner: mark.head,
  search: mark.form,
  form: mark.form,
  dialog: mark.form,
  alert: mark.form,
};

export function marksOfRole(role: string): number {
  return roles[role.trim().toLowerCase()] ?? 0;
}

export function marksOfItemprop(value: string): number {
  return /articleBody|reviewBody|recipeInstructions/i.test(value)
    ? mark.content | mark.story
    : marksOf(value) & ~mark.content;
}
