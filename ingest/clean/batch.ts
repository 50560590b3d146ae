/**
 * Pages by the batch: what a thread does at a time. What is odd about a page is counted here, with its place, so that a run says
 * the same with one thread as with many.
 */
import { documentText } from "../stream/documents.js";
import type { Page } from "../stream/page.js";
import type { Place } from "../stream/report.js";
import { type Cleaning, cleanPage, type PageIssue } from "./page.js";

export interface BatchResult {
  text: string;
  pages: number;
  documents: number;
  wordsIn: number;
  wordsOut: number;
  charsets: Record<string, number>;
  stopWords: Record<string, number>;
  odd: { kind: PageIssue | "failed_page"; message: string; place: Place }[];
}

const messages: Record<PageIssue, string> = {
  charset_wrong: "the page's charset is not what it or its server says",
  charset_unknown: "a charset that nobody knows is declared",
  charset_guessed: "the charset is guessed from the bytes",
  invalid_bytes: "bytes that mean nothing in the page's charset became U+FFFD",
  mixed_charsets: "UTF-8 and another charset are mixed; each byte is decoded as what it is",
  encoded_twice: "UTF-8 that was taken for windows-1252 and encoded again is decoded twice",
  deep_page: "elements lie too deep inside each other to be told apart",
  long_page: "the end of a page that is too long is left out",
  unclosed_element:
    "an element that is not for readers is never closed, and is taken as if it were not there",
  not_text: "neither HTML nor plain text; left out",
  robots_txt: "a robots.txt is no page; left out",
  no_text: "nothing on the page is text; left out",
  listing: "a long list of short entries is no text; left out",
  text_from_data: "the page's text is in its data (JSON-LD) only, and is taken from there",
};

export function cleanBatch(pages: readonly Page[], cleaning: Cleaning): BatchResult {
  const result: BatchResult = {
    text: "",
    pages: pages.length,
    documents: 0,
    wordsIn: 0,
    wordsOut: 0,
    charsets: {},
    stopWords: {},
    odd: [],
  };
  for (const page of pages) {
    const place: Place = { source: page.source };
    if (page.offset !== undefined) place.offset = page.offset;
    try {
      const { document, charset, stopWords, wordsIn, wordsOut, odd } = cleanPage(page, cleaning);
      for (const kind of odd) result.odd.push({ kind, message: messages[kind], place });
      count(result.charsets, charset);
      count(result.stopWords, stopWords);
      result.wordsIn += wordsIn;
      if (!document) continue;
      result.text += documentText(document);
      result.documents++;
      result.wordsOut += wordsOut;
    } catch (error) {
      // One page in a billion must not end the run that cleans them.
      const message = `a page cannot be cleaned, and is left out (${(error as Error).message})`;
      result.odd.push({ kind: "failed_page", message, place });
    }
  }
  return result;
}

function count(counts: Record<string, number>, name: string | undefined): void {
  if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
}
