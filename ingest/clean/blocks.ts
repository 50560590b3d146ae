/**
 * A page as blocks of text: one pass over its markup, which is not repaired more than that needs.
 *
 *   block    = the text between two block-level tags, or between <br><br>, or between empty lines of <pre>
 *   element  = a block-level element: where blocks lie, and what its names say. They are a list in the order in which they
 *              begin; each knows the one around it.
 *
 * Inline elements leave no trace but their text. An end tag closes the nearest open element of its name that no table cell lies
 * before; <p>, <li>, <td> and their like end where HTML lets them. Scripts, styles, templates, <noscript>, frames and drawings
 * hold no text for readers, but an element of them that is never closed is taken as if it were not there.
 */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { limits } from "../limits.js";
import {
  type ElementName,
  elementIn,
  elementNamed,
  kind,
  mark,
  marksOf,
  marksOfItemprop,
  marksOfRole,
} from "./elements.js";
import { Metadata } from "./metadata.js";
import { keptLines, oneLine } from "./text.js";

export interface Element {
  name: ElementName;
  /** Its place in the list of elements; 0 is the page, which is its own parent. */
  parent: number;
  depth: number;
  /** What its own names say. */
  marks: number;
  /** What it and all elements around it say. */
  marksAround: number;
  /** 1 to 6 inside h1 to h6. */
  heading: number;
  isHidden: boolean;
  /** Equal for elements of the same name and class in elements of equal signature. */
  signature: number;
}

export interface Block {
  text: string;
  element: number;
  /** Characters of its text that lie in links. */
  linkChars: number;
  links: number;
  /** Single <br>. */
  breaks: number;
  /** Images before or in it. */
  images: number;
}

export interface Layout {
  elements: Element[];
  blocks: Block[];
  metadata: Metadata;
  /** Caps that were hit. */
  odd: LayoutIssue[];
}

export type LayoutIssue = "deep_page" | "long_page" | "unclosed_element";

export function layoutOf(html: string): Layout {
  const kept = new Set<string>();
  let text = html;
  for (let again = 0; ; again++) {
    const reader = new LayoutReader(text, kept);
    const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
    tokenizer.write(text);
    tokenizer.end();
    if (again > 0) reader.layout.odd.push("unclosed_element");
    const { skipping, skippedFrom } = reader;
    if (!skipping || again === limits.unclosedMax) return reader.layout;
    // Whatever is never closed would take the rest of the page with it. The tokenizer knows the name of some of them.
    if (skipping.is & kind.raw) text = `${text.slice(0, skippedFrom)}x${text.slice(skippedFrom + 1)}`;
    else kept.add(skipping.name);
  }
}

const nothing = elementNamed("");
/** Elements whose end tags may be left out: what ends them when it begins, and where looking for them stops. */
const impliedEnds: Record<string, { ends: ReadonlySet<string>; within: ReadonlySet<string> }> = {};
for (const [names, ends, within] of [
  ["li", "li", "ul ol menu dir"],
  ["dt dd", "dt dd", "dl"],
  ["td th", "td th", "tr table"],
  ["tr", "tr", "table thead tbody tfoot"],
  ["thead tbody tfoot", "thead tbody tfoot tr", "table"],
  ["option optgroup", "option", "select"],
]) {
  for (const name of names.split(" "))
    impliedEnds[name] = { ends: new Set(ends.split(" ")), within: new Set(within.split(" ")) };
}

class LayoutReader implements TokenizerCallbacks {
  readonly layout: Layout;
  /** The element whose contents are being skipped. */
  skipping: ElementName | undefined;
  /** Where its name begins. */
  skippedFrom = 0;
  #skipDepth = 0;
  /** Places of open elements in the list. */
  readonly #open: number[] = [0];
  /** Open elements beyond the depth that is told apart. */
  #beyond = 0;

  // The tag that is being read.
  #tag = nothing;
  #tagFrom = 0;
  #attribute = "";
  #value = "";
  #attributes = 0;
  #told: Record<string, string> = {};

  // The block that is being read.
  #raw = "";
  #linkChars = 0;
  #links = 0;
  #breaks = 0;
  #images = 0;
  #isAfterBreak = false;
  #inLink = false;
  /** Text of <title> and of scripts that hold data. */
  #rawText: string | undefined;
  #isFull = false;

  constructor(
    readonly html: string,
    readonly kept: ReadonlySet<string>,
  ) {
    const page: Element = {
      name: nothing,
      parent: 0,
      depth: 0,
      marks: 0,
      marksAround: 0,
      heading: 0,
      isHidden: false,
      signature: 1,
    };
    this.layout = { elements: [page], blocks: [], metadata: new Metadata(), odd: [] };
  }

  // ---- tags and their attributes

  onopentagname(start: number, end: number): void {
    this.#tag = end - start > 20 ? nothing : elementIn(this.html, start, end);
    this.#tagFrom = start;
    this.#attributes = 0;
    this.#told = noAttributes;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = "";
    if ((this.#tag.is & (kind.block | kind.told)) === 0 || end - start > 16) return;
    if (++this.#attributes > limits.attributesMax) return;
    const name = this.html.slice(start, end).toLowerCase();
    if (wanted.has(name)) {
      this.#attribute = name;
      this.#value = "";
    }
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === "" || this.#value.length > limits.attributeCharsMax) return;
    this.#value += this.html.slice(start, Math.min(end, start + limits.attributeCharsMax));
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute !== "") this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attribute === "") return;
    if (this.#told === noAttributes) this.#told = Object.create(null) as Record<string, string>;
    // Of an attribute given twice the first counts.
    this.#told[this.#attribute] ??= this.#value;
    this.#attribute = "";
  }

  onselfclosingtag(): void {
    this.#begin(this.#tag, true);
  }

  onopentagend(): void {
    this.#begin(this.#tag, false);
  }

  #begin(tag: ElementName, isClosed: boolean): void {
    if (this.skipping) {
      if (tag === this.skipping && !isClosed) this.#skipDepth++;
      return;
    }
    const { is } = tag;
    if (is & kind.skipped && !this.kept.has(tag.name)) {
      // "<svg/>" has no contents, and "<script/>" has.
      if (isClosed && !(is & kind.raw)) return;
      this.skipping = tag;
      this.skippedFrom = this.#tagFrom;
      this.#skipDepth = 1;
      this.#rawText = this.#holdsData(tag) ? "" : undefined;
      return;
    }
    if (tag.name === "br") {
      this.#break();
      return;
    }
    if (tag.name === "img") this.#images++;
    if (is & kind.told) this.#tell(tag);
    if (is & kind.block) {
      this.#endBlock();
      this.#openElement(tag);
    } else if (tag.name === "a") {
      this.#inLink = this.#told.href !== undefined;
      if (this.#inLink) this.#links++;
    }
  }

  onclosetag(start: number, end: number): void {
    const tag = end - start > 20 ? nothing : elementIn(this.html, start, end);
    if (this.skipping) {
      if (tag !== this.skipping || --this.#skipDepth > 0) return;
      if (this.#rawText !== undefined) {
        if (tag.name === "title") this.layout.metadata.titled(this.#rawText);
        else this.layout.metadata.data(this.#rawText);
      }
      this.#rawText = undefined;
      this.skipping = undefined;
      return;
    }
    if (tag.is & kind.block) {
      this.#endBlock();
      this.#closeElement(tag);
    } else if (tag.name === "a") this.#inLink = false;
    else if (tag.name === "br") this.#break();
  }

  #holdsData(tag: ElementName): boolean {
    return tag.name === "title" || (tag.name === "script" && /\bld\+json\b/i.test(this.#told.type ?? ""));
  }

  #tell(tag: ElementName): void {
    if (this.#told !== noAttributes) this.layout.metadata.element(tag.name, this.#told);
  }

  // ---- elements

  #openElement(tag: ElementName): void {
    const { elements } = this.layout;
    const open = this.#open;
    const implied = impliedEnds[tag.name];
    if (implied && this.#beyond === 0) {
      for (let i = open.length - 1; i > 0; i--) {
        const { name } = elements[open[i]].name;
        if (implied.within.has(name)) break;
        if (implied.ends.has(name)) {
          open.length = i;
          break;
        }
      }
    }
    const top = elements[open[open.length - 1]];
    if (top.name.name === "p" || (top.name.heading > 0 && tag.heading > 0)) open.length--;
    if (tag.name === "hr" || tag.name === "col") return;
    if (open.length >= limits.elementDepthMax || elements.length >= limits.elementsMax) {
      this.#beyond++;
      this.#note(elements.length >= limits.elementsMax ? "long_page" : "deep_page");
      return;
    }
    const parent = open[open.length - 1];
    const around = elements[parent];
    const told = this.#told;
    let marks = tag.marks;
    let signature =
      (Math.imul(around.signature, 31) + tag.rank * 7 + tag.name.length + tag.name.charCodeAt(0)) | 0;
    let isHidden = around.isHidden;
    if (told !== noAttributes) {
      // What a page's <body> is called says what the page is, not where its text is.
      if (tag.name !== "body") {
        if (told.class !== undefined) {
          marks |= marksOf(told.class);
          signature = (Math.imul(signature, 31) + hashOf(told.class)) | 0;
        }
        if (told.id !== undefined) marks |= marksOf(told.id);
        if (told.role !== undefined) marks |= marksOfRole(told.role);
        if (told.itemprop !== undefined) marks |= marksOfItemprop(told.itemprop);
      }
      isHidden ||=
        told.hidden !== undefined || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(told.style ?? "");
    }
    open.push(elements.length);
    elements.push({
      name: tag,
      parent,
      depth: around.depth + 1,
      marks,
      marksAround: around.marksAround | marks,
      heading: tag.heading || around.heading,
      isHidden,
      signature,
    });
  }

  #closeElement(tag: ElementName): void {
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const { elements } = this.layout;
    const isTable = tag.is & kind.scope || tableParts.has(tag.name);
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { name } = elements[this.#open[i]];
      if (name === tag || (name.heading > 0 && tag.heading > 0)) {
        this.#open.length = i;
        return;
      }
      if (name.is & kind.scope && (!isTable || name.name === "table")) return;
    }
  }

  // ---- text

  ontext(start: number, end: number): void {
    if (this.skipping) {
      if (this.#rawText !== undefined && this.#rawText.length < limits.lineCharsMax)
        this.#rawText += this.html.slice(start, end);
      return;
    }
    this.#text(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    const char = String.fromCodePoint(codepoint);
    if (!this.skipping) this.#text(char);
    else if (this.#rawText !== undefined) this.#rawText += char;
  }

  #text(piece: string): void {
    if (this.#isPre()) {
      const parts = piece.split(/\n[\t\r ]*\n/);
      for (let i = 0; i < parts.length; i++) {
        if (i > 0) this.#endBlock();
        this.#add(parts[i]);
      }
    } else this.#add(piece);
  }

  #add(piece: string): void {
    const chars = collapsedLength(piece);
    this.#raw += piece;
    if (chars === 0) return;
    this.#isAfterBreak = false;
    if (this.#inLink) this.#linkChars += chars;
  }

  #isPre(): boolean {
    const { elements } = this.layout;
    return elements[this.#open[this.#open.length - 1]].name.rank === preRank;
  }

  #break(): void {
    if (this.#isAfterBreak) {
      this.#endBlock();
      return;
    }
    this.#raw += this.#isPre() ? "\n" : " ";
    this.#isAfterBreak = this.#raw.length > 1;
    this.#breaks++;
  }

  #endBlock(): void {
    const raw = this.#raw;
    if (raw !== "") {
      const text = this.#isPre() ? keptLines(raw) : oneLine(raw);
      if (text !== "") {
        const { blocks } = this.layout;
        if (blocks.length < limits.elementsMax) {
          blocks.push({
            text,
            element: this.#open[this.#open.length - 1],
            linkChars: Math.min(this.#linkChars, text.length),
            links: this.#links,
            breaks: this.#breaks,
            images: this.#images,
          });
        } else this.#note("long_page");
        this.#images = 0;
        this.#links = this.#inLink ? 1 : 0;
      }
      this.#raw = "";
      this.#linkChars = 0;
      this.#breaks = 0;
    }
    this.#isAfterBreak = false;
  }

  #note(issue: LayoutIssue): void {
    if (this.#isFull && this.layout.odd.includes(issue)) return;
    this.#isFull = true;
    if (!this.layout.odd.includes(issue)) this.layout.odd.push(issue);
  }

  onend(): void {
    this.#endBlock();
  }

  // ---- what a page has beside these

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  isInForeignContext(): boolean {
    return false;
  }
}

const noAttributes: Record<string, string> = {};
const wanted = new Set(
  "class id role itemprop style hidden href rel lang xml:lang name property http-equiv content datetime type".split(
    " ",
  ),
);
const tableParts = new Set(["tr", "tbody", "thead", "tfoot"]);
const preRank = elementNamed("pre").rank;

/** How long a piece of text is when runs of white space are one space and those at its ends are none. */
function collapsedLength(piece: string): number {
  let length = 0;
  let isWhite = true;
  for (let i = 0; i < piece.length; i++) {
    const code = piece.charCodeAt(i);
    if (code > 0x20 && code !== 0xa0) {
      length++;
      isWhite = false;
    } else if (!isWhite) {
      length++;
      isWhite = true;
    }
  }
  return isWhite && length > 0 ? length - 1 : length;
}

function hashOf(text: string): number {
  let hash = 17;
  for (let i = 0; i < text.length && i < 64; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

/** Is this text in the part of the page that nobody sees? */
export function isHidden({ elements }: Layout, { element }: Block): boolean {
  const { isHidden: byStyle, marksAround } = elements[element];
  return byStyle || (marksAround & mark.hidden) !== 0;
}
