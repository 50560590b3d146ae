/**
 * A block of a stream as documents and pieces, with a hash for each n-gram (or each line).
 *
 *   document = pieces; loose text between documents is one too, which is never dropped
 *   piece    = a paragraph with its tags and its words, or a frame: other lines, which stay as long as their document does
 *
 * In vertical streams a paragraph is what stands between its tags, or a run of lines outside of them; a token is the first
 * column of a line. The text stream is written anew on the way, with all its tags (stream/documents.ts).
 */
import { type Document, DocumentReader } from "../stream/documents.js";
import { Warnings } from "../stream/report.js";
import { escapeText, openTag } from "../stream/tags.js";
import { Hashes, pushGrams, pushText, pushWord } from "./hash.js";
import { pushWords } from "./words.js";

export interface ReadingSetup {
  format: "text" | "vertical";
  /** Hash lines instead of n-grams: text streams only. */
  lines: boolean;
  ngram: number;
  /** The tags of documents and paragraphs; in text streams doc and p. */
  document: string;
  paragraph: string;
}

/** What a piece has: numbers in a row. */
export const pieceFields = 4;
export const pieceStart = 0;
export const pieceEnd = 1;
/** How many hashes it has; -1 of a frame. */
export const pieceHashes = 2;
export const pieceWords = 3;

export class BlockReader {
  /** What is left of the text, as it may be written. */
  text = "";
  /** For each piece pieceFields numbers. */
  pieces: number[] = [];
  /** For each document where its pieces end. */
  documentEnds: number[] = [];
  /** For each document: is it only what stands between documents? */
  loose: boolean[] = [];
  /** One for each word (or line), of all documents. */
  readonly hashes = new Hashes();
  /** One for each document. */
  readonly texts = new Hashes();
  lines = 0;
  warnings = new Warnings();
  readonly #words = new Hashes();

  constructor(readonly setup: ReadingSetup) {}

  read(text: string, source: string): void {
    this.text = text;
    this.pieces = [];
    this.documentEnds = [];
    this.loose = [];
    this.hashes.clear();
    this.texts.clear();
    this.#words.clear();
    this.warnings = new Warnings();
    if (this.setup.format === "text") this.#readText(text, source);
    else this.#readVertical(text, source);
  }

  #piece(start: number, end: number, hashes: number, words: number): void {
    if (end > start) this.pieces.push(start, end, hashes, words);
  }

  #endDocument(isLoose = false): void {
    const words = this.#words;
    if (!this.setup.lines) {
      pushGrams(this.hashes, words, 0, this.setup.ngram);
      pushText(this.texts, words, 0, words.count);
    }
    words.clear();
    this.documentEnds.push(this.pieces.length);
    this.loose.push(isLoose);
  }

  #readText(text: string, source: string): void {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    this.lines = lines.length;
    for (let i = 0; i < lines.length; i++) {
      if (lines[i].endsWith("\r")) lines[i] = lines[i].slice(0, -1);
      if (lines[i].includes("\ufffd")) this.#invalid(source, i + 1);
    }
    const reader = new DocumentReader({ warnings: this.warnings });
    const written: string[] = [];
    let at = 0;
    const write = (document: Document) => {
      at = this.#writeDocument(document, written, at);
    };
    for (const document of reader.take({ lines, source, from: 1 })) write(document);
    for (const document of reader.end()) write(document);
    this.text = written.join("");
  }

  #writeDocument({ attributes, paragraphs }: Document, written: string[], at: number): number {
    const frame = (text: string) => {
      written.push(text);
      this.#piece(at, at + text.length, -1, 0);
      at += text.length;
    };
    frame(`${openTag("doc", attributes)}\n`);
    /** Of the document, when its words are not what is hashed. */
    const all = this.setup.lines ? new Hashes() : this.#words;
    for (const { attributes, text } of paragraphs) {
      const open = `${openTag("p", attributes)}\n`;
      const body = text === "" ? "" : `${escapeText(text)}\n`;
      written.push(open, body, "</p>\n");
      const end = at + open.length + body.length + 5;
      const before = all.count;
      let words = 0;
      let hashes = 0;
      if (this.setup.lines) {
        for (const line of text === "" ? [] : text.split("\n")) {
          const from = all.count;
          words += pushWords(all, line, 0, line.length);
          pushText(this.hashes, all, from, all.count, true);
          hashes++;
        }
      } else {
        words = pushWords(all, text, 0, text.length);
        hashes = all.count - before;
      }
      this.#piece(at, end, hashes, words);
      at = end;
    }
    frame("</doc>\n");
    if (this.setup.lines) pushText(this.texts, all, 0, all.count);
    this.#endDocument();
    return at;
  }

  #invalid(source: string, line: number): void {
    const message = "a line has U+FFFD, or bytes that are not UTF-8 and became it";
    this.warnings.add("invalid_utf8", message, { source, line });
  }

  #readVertical(text: string, source: string): void {
    if (text.includes("\ufffd")) {
      for (const [i, line] of text.split("\n").entries()) {
        if (line.includes("\ufffd")) this.#invalid(source, i + 1);
      }
    }
    // A last line without its end would grow together with what is written after it.
    if (text !== "" && !text.endsWith("\n")) this.text = text += "\n";
    const words = this.#words;
    const { length } = text;
    /** Where the piece begins that is being read, and how many words there were before it. */
    let start = 0;
    let before = 0;
    /** Where the last line ends that belongs to a paragraph without tags: tags that open are left to what follows. */
    let bodyEnd = 0;
    let hasOpened = false;
    let isTagged = false;
    let isDocument = false;
    let lines = 0;
    const endPiece = (at: number) => {
      const tokens = words.count - before;
      if (tokens === 0 && !isTagged) this.#piece(start, at, -1, 0);
      else {
        const end = isTagged ? at : bodyEnd;
        this.#piece(start, end, tokens, tokens);
        this.#piece(end, at, -1, 0);
      }
      if (tokens > 0) isDocument = true;
      start = at;
      before = words.count;
      isTagged = false;
      hasOpened = false;
    };
    const endDocument = (at: number) => {
      endPiece(at);
      const pieces = this.pieces.length;
      if (pieces > (this.documentEnds.at(-1) ?? 0)) this.#endDocument(!isDocument);
      before = 0;
      isDocument = false;
    };
    for (let at = 0; at < length; ) {
      lines++;
      if (text.charCodeAt(at) === 0x3c) {
        const end = text.indexOf("\n", at);
        const tag = this.#tag(text, at, end);
        if (tag !== notTag) {
          const next = end + 1;
          if (tag === openDocument) {
            endDocument(at);
            isDocument = true;
            endPiece(next);
          } else if (tag === closeDocument) {
            endPiece(at);
            endDocument(next);
          } else if (tag === openParagraph) {
            endPiece(at);
            isTagged = true;
          } else if (tag === closeParagraph) {
            if (!isTagged) bodyEnd = next;
            endPiece(next);
          } else if (!isTagged) {
            const isClosing = text.charCodeAt(at + 1) === 0x2f;
            if (isClosing && !hasOpened && words.count === before) endPiece(next);
            else if (!isClosing) hasOpened = true;
            if (isClosing || text.charCodeAt(end - 2) === 0x2f) bodyEnd = next;
          }
          at = next;
          continue;
        }
      }
      let end = at;
      let code = text.charCodeAt(end);
      while (code !== 0x09 && code !== 0x0a) code = text.charCodeAt(++end);
      if (code === 0x0a && text.charCodeAt(end - 1) === 0x0d) end--;
      // An empty line is no token.
      if (end > at) pushWord(words, text, at, end);
      if (code !== 0x0a) end = text.indexOf("\n", end);
      else if (text.charCodeAt(end) === 0x0d) end++;
      at = end + 1;
      bodyEnd = at;
    }
    endDocument(length);
    this.lines = lines;
  }

  /** What the line from `at` to `end` is. */
  #tag(text: string, at: number, end: number): number {
    if (text.charCodeAt(end - 1) === 0x0d) end--;
    if (end - at < 3 || text.charCodeAt(end - 1) !== 0x3e) return notTag;
    const isClosing = text.charCodeAt(at + 1) === 0x2f;
    const name = at + (isClosing ? 2 : 1);
    const { document, paragraph } = this.setup;
    const is = (word: string) => {
      if (!text.startsWith(word, name)) return false;
      const after = text.charCodeAt(name + word.length);
      return after === 0x3e || after === 0x20 || after === 0x09;
    };
    const isEmpty = !isClosing && text.charCodeAt(end - 2) === 0x2f;
    if (isEmpty) return otherTag;
    if (is(document)) return isClosing ? closeDocument : openDocument;
    if (is(paragraph)) return isClosing ? closeParagraph : openParagraph;
    return otherTag;
  }
}

const notTag = 0;
const otherTag = 1;
const openDocument = 2;
const closeDocument = 3;
const openParagraph = 4;
const closeParagraph = 5;
