/** One page, from bytes to a document: decoded, cut into blocks, and of these the ones that are text. */
import { createHash } from "node:crypto";
import { limits } from "../limits.js";
import { type Document, type Paragraph, wordCount } from "../stream/documents.js";
import type { Page } from "../stream/page.js";
import type { Attributes } from "../stream/tags.js";
import { isOtherThanText } from "./binary.js";
import { type Block, type Layout, type LayoutIssue, layoutOf } from "./blocks.js";
import { type CharsetIssue, type Decoded, decodePage } from "./charset.js";
import { mostlyText } from "./choose.js";
import { mark } from "./elements.js";
import { measure } from "./features.js";
import { type Judging, type JustextParameters, judgingFor, justext } from "./justext.js";
import { withoutListings } from "./listings.js";
import { model } from "./model.js";
import { bestList, listedLanguage, type StopWords, wordsOf } from "./stopwords.js";
import { keptLines, oneLine } from "./text.js";
import { Forest } from "./trees.js";

export type Cleaning = {
  /** Paragraphs of readers' comments are left out wherever the page says which they are. */
  noComments: boolean;
} & (
  | { algorithm: "default" }
  | {
      algorithm: "justext";
      parameters: JustextParameters;
      /** One list for all pages; null for none; undefined to choose it page by page. */
      stopWords: StopWords | null | undefined;
    }
);

export type PageIssue =
  | CharsetIssue
  | LayoutIssue
  | "not_text"
  | "robots_txt"
  | "no_text"
  | "listing"
  | "text_from_data";

export interface CleanPage {
  /** Absent where there was no text. */
  document?: Document;
  charset?: string;
  /** The list of stop words that was chosen for the page. */
  stopWords?: string;
  wordsIn: number;
  wordsOut: number;
  odd: PageIssue[];
}

export function cleanPage(page: Page, cleaning: Cleaning): CleanPage {
  const body = page.body.subarray(0, limits.htmlBytesMax);
  if (isOtherThanText(body, page.contentType)) return { wordsIn: 0, wordsOut: 0, odd: ["not_text"] };
  // Archives of crawlers have them; nobody reads them but crawlers.
  if (/^[a-z]+:\/\/[^/]+\/robots\.txt$/i.test(page.url))
    return { wordsIn: 0, wordsOut: 0, odd: ["robots_txt"] };
  const decoded = decodePage(body, page.contentType);
  const odd: PageIssue[] = [...decoded.odd];
  if (body.length < page.body.length) odd.push("long_page");

  let found: Found;
  if (isPlain(decoded.text, page.contentType)) found = plainText(decoded.text);
  else {
    const layout = layoutOf(decoded.text);
    for (const issue of layout.odd) if (!odd.includes(issue)) odd.push(issue);
    found = textOf(layout, cleaning);
  }
  const { paragraphs, wordsIn, stopWords } = found;
  if (found.hasListing) odd.push("listing");
  if (found.isFromData) odd.push("text_from_data");
  const wordsOut = paragraphs.reduce((sum, { text }) => sum + wordCount(text), 0);
  const { charset } = decoded;
  if (paragraphs.length === 0) return { charset, stopWords, wordsIn, wordsOut, odd: [...odd, "no_text"] };
  const document = { attributes: attributesOf(page, decoded, found.layout), paragraphs };
  return { document, charset, stopWords, wordsIn, wordsOut, odd };
}

function attributesOf(page: Page, { charset }: Decoded, layout: Layout | undefined): Attributes {
  const about = layout?.metadata;
  const all: Record<string, string | undefined> = {
    url: page.url,
    title: about?.title,
    date: about?.date,
    fetched: page.fetched,
    hash: createHash("sha1").update(page.body).digest("hex"),
    charset,
    declared: about?.language ?? headerLanguage(page),
    licence: about?.licence,
  };
  const attributes: Attributes = Object.create(null);
  for (const [name, value] of Object.entries(all)) if (value !== undefined) attributes[name] = value;
  return attributes;
}

function headerLanguage({ headers }: Page): string | undefined {
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.exec(headers?.["content-language"]?.trim() ?? "")?.[0];
}

interface Found {
  paragraphs: Paragraph[];
  wordsIn: number;
  layout?: Layout;
  stopWords?: string;
  hasListing?: boolean;
  isFromData?: boolean;
}

function textOf(layout: Layout, cleaning: Cleaning): Found {
  const { blocks, elements } = layout;
  const wordsIn = blocks.reduce((sum, { text }) => sum + wordCount(text), 0);
  const found: Found = { paragraphs: [], wordsIn, layout };
  let kept: boolean[];
  if (cleaning.algorithm === "justext") {
    let judging: Judging;
    if (cleaning.stopWords === undefined) {
      found.stopWords = languageOf(layout);
      judging = judgingFor(found.stopWords, cleaning.parameters);
    } else judging = { stopWords: cleaning.stopWords, parameters: cleaning.parameters };
    kept = justext(layout, judging.stopWords, judging.parameters);
  } else {
    const rest = withoutListings(blocks, likelyText(layout));
    found.hasListing = rest.found;
    kept = rest.kept;
  }
  if (cleaning.noComments) {
    kept = kept.map((one, i) => one && (elements[blocks[i].element].marksAround & mark.comment) === 0);
  }
  found.paragraphs = blocks.filter((_, i) => kept[i]).map((block) => paragraphOf(layout, block));
  if (cleaning.algorithm === "default") fromData(found);
  return found;
}

function paragraphOf({ elements }: Layout, { text, element }: Block): Paragraph {
  const attributes: Attributes = Object.create(null);
  if (elements[element].heading > 0) attributes.heading = "1";
  return { attributes, text };
}

let forest: Forest | undefined;

/** The default algorithm: trees say how likely each block is text, and the best set of them is kept. */
export function likelyText(layout: Layout): boolean[] {
  forest ??= Forest.parse(model);
  const { features, words } = measure(layout, layout.metadata.title);
  return mostlyText(forest.likelihoods(features), words);
}

/** Which list of stop words: of the language that the page says, else the one that fits its text best. */
function languageOf({ blocks, metadata }: Layout): string | undefined {
  const said = listedLanguage(metadata.language);
  if (said) return said;
  const words: string[] = [];
  for (const { text } of blocks) {
    // Menus have none, and would only add noise.
    if (text.length >= 70 && words.length < 1000) words.push(...wordsOf(text.slice(0, 4000)));
  }
  return bestList(words);
}

/** A page that scripts put together may have its text in its data only. */
function fromData(found: Found): void {
  const words = found.paragraphs.reduce((sum, { text }) => sum + wordCount(text), 0);
  if (words > 60) return;
  const body = found.layout?.metadata.articleBody;
  if (!body || wordCount(body) < 3 * Math.max(words, 20)) return;
  const texts = body.includes("<")
    ? layoutOf(body).blocks.map(({ text }) => text)
    : body.split(/\n+/).map(oneLine);
  found.paragraphs = texts
    .filter((text) => text !== "")
    .map((text) => ({ attributes: Object.create(null), text }));
  found.isFromData = true;
}

// ---- what is not HTML

function isPlain(text: string, contentType = ""): boolean {
  return /^\s*text\/plain\b/i.test(contentType) && !/^\s*<(?:!doctype|html|\?xml|head|body)\b/i.test(text);
}

function plainText(text: string): Found {
  const paragraphs = text
    .split(/(?:\r\n?|\n)[\t ]*(?:\r\n?|\n)\s*/)
    .map(keptLines)
    .filter((lines) => lines !== "")
    .map((lines) => ({ attributes: Object.create(null), text: lines }));
  return { paragraphs, wordsIn: wordCount(text) };
}
