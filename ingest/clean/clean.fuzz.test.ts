/** Any page, however broken: cleaning does not throw, invents nothing, and does the same twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutOf } from "./blocks.js";
import { cleaningOf } from "./clean.js";
import { featureCount, measure } from "./features.js";
import { cleanPage } from "./page.js";

const names =
  "p div td tr table ul li h1 h2 a b span br pre article nav select option script style title noscript svg template textarea dl dd form x-y".split(
    " ",
  );
const word = fc.constantFrom(
  "the",
  "of",
  "and",
  "text",
  "über",
  "日本語。",
  "&amp;",
  "&#0;",
  "&nbsp;",
  "&bogus",
  "<",
  ">",
  '"',
  "\0",
  "\u00ad",
  "\u200b",
  "😀",
  "...",
  "©",
  "]]>",
  "<!--",
  "-->",
  "<![CDATA[",
  "\n\n",
);
const words = fc.array(word, { maxLength: 12 }).map((list) => list.join(" "));
const attribute = fc.constantFrom(
  "",
  ' class="content"',
  " id=comment-5",
  ' style="display:none"',
  " href=x",
  ' class="',
  " =",
  " / ",
  " hidden",
  ' itemprop="articleBody"',
  ' role=main lang="en"',
);
const name = fc.constantFrom(...names);
const piece = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.tuple(name, attribute).map(([tag, own]) => `<${tag}${own}>`),
  name.map((tag) => `</${tag}>`),
  fc.tuple(name, words).map(([tag, text]) => `<${tag}>${text}</${tag}>`),
  fc.tuple(name, attribute, words).map(([tag, own, text]) => `<${tag}${own}>${text.repeat(8)}</${tag}>`),
  fc.string({ unit: fc.constantFrom("<", ">", "/", "!", "-", "a", " ", '"', "'", "=", "&", ";", "p") }),
);
const html = fc.array(piece, { maxLength: 40 }).map((list) => list.join(""));
const settings = fc.constantFrom(
  cleaningOf({}),
  cleaningOf({ noComments: true }),
  cleaningOf({ algorithm: "justext" }),
  cleaningOf({ algorithm: "justext", noStopWords: true, parameters: { lengthLow: 5, lengthHigh: 10 } }),
);
const page = (body: Uint8Array) => ({ url: "u", body, source: "s" });

/** What text can come of a page: its characters and those that its entities mean, without white space. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const char of part) {
    at = whole.indexOf(char, at);
    if (at < 0) return false;
    at += char.length;
  }
  return true;
}

describe("any page", () => {
  it("is cleaned without a failure, twice the same way, and nothing is invented", () => {
    fc.assert(
      fc.property(html, settings, (text, cleaning) => {
        const bytes = Buffer.from(text);
        const one = cleanPage(page(bytes), cleaning);
        expect(cleanPage(page(Uint8Array.from(bytes)), cleaning)).toEqual(one);
        const decoded = text.replaceAll("&amp;", "&").replaceAll("&#0;", "\ufffd").replaceAll("&nbsp;", " ");
        const found = one.document?.paragraphs.map((paragraph) => paragraph.text).join("") ?? "";
        expect(isSubsequence(found.replace(/\s+/g, ""), decoded)).toBe(true);
        for (const paragraph of one.document?.paragraphs ?? [])
          expect(paragraph.text).toMatch(/^\S(?:[^\n]*\S)?(?:\n\S[^\n]*)*$/u);
      }),
      { numRuns: 1500 },
    );
  });

  it("has blocks with elements that are there, links no longer than they are, and features that are numbers", () => {
    fc.assert(
      fc.property(html, (text) => {
        const layout = layoutOf(text);
        const { blocks, elements } = layout;
        for (const block of blocks) {
          expect(block.linkChars).toBeLessThanOrEqual(block.text.length);
          expect(elements[block.element]).toBeDefined();
        }
        elements.forEach(({ parent, depth }, i) => {
          if (i === 0) return;
          expect(parent).toBeLessThan(i);
          expect(depth).toBe(elements[parent].depth + 1);
        });
        const { features } = measure(layout, "text of the page");
        expect(features.length).toBe(blocks.length * featureCount);
        expect(features.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("may be any bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2000 }),
        settings,
        fc.constantFrom(undefined, "text/html", "text/plain", "text/html; charset=gbk"),
        (body, cleaning, contentType) => {
          const one = cleanPage({ ...page(body), contentType }, cleaning);
          expect(one.wordsOut === 0 || one.document !== undefined).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
