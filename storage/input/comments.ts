/**
 * Comments of CoNLL-U: what stands above a sentence, as tags of a vertical file.
 *
 *   # newdoc  parts        <doc …>, as newpar <p …>
 *   # sent_id = value      attribute id of <s>
 *   # key = value          attribute key of <s>
 *   # anything else        attribute comment of <s>, several joined by " | "
 *
 *   parts = ( key " = " value )*  |  ( key "=" value )*                 (other words: attribute comment)
 *
 * Characters of a key that a name cannot have become "_". Of a key given twice the first value counts. A key that makes
 * a longer name than one may be is none: such a comment stands with "anything else", as a whole.
 * Nothing is copied: values are kept as places in the text, which must not change until they are written.
 */

import { limits } from "../limits.js";
import type { GrowingBytes } from "./growing.js";
import { isUsableName } from "./tags.js";

/** What becomes of a comment. Surplus: the tag has as many attributes as it may. Unnamed: its key can be no name. */
export type Taken = "taken" | "skipped" | "repeated" | "surplus" | "unnamed";

/** A key as it stands in the text, and the attribute it becomes. */
interface Key {
  bytes: Uint8Array;
  /** Of the attribute, so that two keys of one attribute are seen to be the same. */
  name: string;
  /** What comes before the value: space, name, equals sign, quote. */
  opening: Uint8Array;
}

const space = 32;
const tab = 9;
const equals = 61;
const keysMax = 64;
const ascii = (text: string) => new TextEncoder().encode(text);
const tagEnd = ascii(">\n");
const quote = ascii('"');
const joint = ascii(" | ");
const newdoc = ascii("newdoc");
const newpar = ascii("newpar");
const sentId = ascii("sent_id");
const keyOf = (key: string, name: string): Key => ({ bytes: ascii(key), name, opening: ascii(` ${name}="`) });
const commentKey = keyOf("comment", "comment");
const idKey = keyOf("id", "id");

/** A tag to be written: its attributes as keys and places of values, some of the latter of several places. */
class PendingTag {
  present = false;
  readonly #start: Uint8Array;
  /** Attributes so far. The lists may be longer, from before. */
  #count = 0;
  readonly #keys: Key[] = [];
  readonly #places: number[] = [];
  #commentCount = 0;
  readonly #comments: number[] = [];

  constructor(name: string) {
    this.#start = ascii(`<${name}`);
  }

  get hasAttributes(): boolean {
    return this.#count + this.#commentCount > 0;
  }

  clear(): void {
    this.present = false;
    this.#count = 0;
    this.#commentCount = 0;
  }

  add(key: Key, start: number, end: number): Taken {
    if (key.name === commentKey.name) {
      this.addComment(start, end);
      return "taken";
    }
    for (let i = 0; i < this.#count; i++) if (this.#keys[i].name === key.name) return "repeated";
    if (this.#count === limits.structureAttributesMax) return "surplus";
    this.#keys[this.#count] = key;
    this.#places[2 * this.#count] = start;
    this.#places[2 * this.#count + 1] = end;
    this.#count++;
    return "taken";
  }

  addComment(start: number, end: number): void {
    this.#comments[2 * this.#commentCount] = start;
    this.#comments[2 * this.#commentCount + 1] = end;
    this.#commentCount++;
  }

  write(out: GrowingBytes, text: Uint8Array): void {
    out.put(this.#start);
    for (let i = 0; i < this.#count; i++) {
      out.put(this.#keys[i].opening);
      out.putEscaped(text, this.#places[2 * i], this.#places[2 * i + 1]);
      out.put(quote);
    }
    for (let i = 0; i < this.#commentCount; i++) {
      out.put(i === 0 ? commentKey.opening : joint);
      out.putEscaped(text, this.#comments[2 * i], this.#comments[2 * i + 1]);
    }
    if (this.#commentCount > 0) out.put(quote);
    out.put(tagEnd);
  }
}

export class SentenceComments {
  /** Whether there was any comment. */
  any = false;
  readonly document = new PendingTag("doc");
  readonly paragraph = new PendingTag("p");
  readonly sentence = new PendingTag("s");
  #text = new Uint8Array(0) as Uint8Array;
  #keys: Key[] = [keyOf("sent_id", "id")];
  readonly #skipped: readonly Uint8Array[];
  readonly #decoder = new TextDecoder();

  constructor(skipped: readonly string[]) {
    this.#skipped = skipped.map(ascii);
  }

  /** Forgets all comments; those to come are places in this text. */
  begin(text: Uint8Array): void {
    this.#text = text;
    this.clear();
  }

  clear(): void {
    this.any = false;
    this.document.clear();
    this.paragraph.clear();
    this.sentence.clear();
  }

  /** Whether this comment, without its "#", can stand only where a sentence starts. */
  startsSentence(start: number, end: number): boolean {
    start = this.#skipWhite(start, end);
    return [newdoc, newpar, sentId].some((word) => this.#isWord(word, start, end));
  }

  /** Takes the comment that stands here, without its "#", and says what became of it. */
  add(start: number, end: number): Taken {
    const text = this.#text;
    start = this.#skipWhite(start, end);
    while (end > start && isWhite(text[end - 1])) end--;
    if (this.#isWord(newdoc, start, end)) return this.#addParts(this.document, start + newdoc.length, end);
    if (this.#isWord(newpar, start, end)) return this.#addParts(this.paragraph, start + newpar.length, end);
    const sign = this.#signAlone(start, end);
    const keyEnd = this.#skipWhiteBack(start, sign === end ? start : sign);
    for (const key of this.#skipped) if (this.#isHere(key, start, keyEnd)) return "skipped";
    this.any = true;
    if (keyEnd === start) {
      if (start < end) this.sentence.addComment(start, end);
      return "taken";
    }
    const key = this.#key(start, keyEnd);
    if (key === undefined) {
      this.sentence.addComment(start, end);
      return "unnamed";
    }
    return this.sentence.add(key, this.#skipWhite(sign + 1, end), end);
  }

  /** Takes what follows newdoc or newpar. */
  #addParts(tag: PendingTag, start: number, end: number): Taken {
    let worst: Taken = tag.present ? "repeated" : "taken";
    this.any = true;
    tag.clear();
    tag.present = true;
    let at = this.#skipWhite(start, end);
    let sign = this.#signAlone(at, end);
    if (sign === end) {
      for (; at < end; at = this.#skipWhite(at, end)) {
        const wordStart = at;
        at = this.#endOfWord(at, end);
        const within = this.#text.subarray(0, at).indexOf(equals, wordStart);
        const key = within <= wordStart ? undefined : this.#key(wordStart, within);
        if (key === undefined) {
          tag.addComment(wordStart, at);
          if (within > wordStart) worst = "unnamed";
        } else {
          const became = tag.add(key, within + 1, at);
          if (became !== "taken") worst = became;
        }
      }
      return worst;
    }
    let keyStart = this.#startOfWord(at, this.#skipWhiteBack(at, sign));
    if (keyStart > at) tag.addComment(at, this.#skipWhiteBack(at, keyStart));
    while (sign < end) {
      const partStart = keyStart;
      const keyEnd = this.#skipWhiteBack(keyStart, sign);
      const key = keyEnd === keyStart ? idKey : this.#key(keyStart, keyEnd);
      at = this.#skipWhite(sign + 1, end);
      sign = this.#signAlone(at, end);
      keyStart = sign === end ? end : this.#startOfWord(at, this.#skipWhiteBack(at, sign));
      const valueEnd = this.#skipWhiteBack(at, keyStart);
      if (key === undefined) tag.addComment(partStart, valueEnd);
      const became = key === undefined ? "unnamed" : tag.add(key, at, valueEnd);
      if (became !== "taken") worst = became;
    }
    return worst;
  }

  /** Where the next equals sign is that has white space, or an end, before and after it; the end if none. */
  #signAlone(start: number, end: number): number {
    const text = this.#text;
    for (let at = start; at < end; at++) {
      if (text[at] !== equals) continue;
      if ((at === start || isWhite(text[at - 1])) && (at + 1 === end || isWhite(text[at + 1]))) return at;
    }
    return end;
  }

  #skipWhite(at: number, end: number): number {
    while (at < end && isWhite(this.#text[at])) at++;
    return at;
  }

  #skipWhiteBack(start: number, at: number): number {
    while (at > start && isWhite(this.#text[at - 1])) at--;
    return at;
  }

  #endOfWord(at: number, end: number): number {
    while (at < end && !isWhite(this.#text[at])) at++;
    return at;
  }

  #startOfWord(start: number, at: number): number {
    while (at > start && !isWhite(this.#text[at - 1])) at--;
    return at;
  }

  #isHere(word: Uint8Array, start: number, end: number): boolean {
    if (end - start !== word.length) return false;
    for (let i = 0; i < word.length; i++) if (this.#text[start + i] !== word[i]) return false;
    return true;
  }

  /** Whether the word is here, with white space or the end after it. */
  #isWord(word: Uint8Array, start: number, end: number): boolean {
    const wordEnd = start + word.length;
    if (wordEnd > end || (wordEnd < end && !isWhite(this.#text[wordEnd]))) return false;
    return this.#isHere(word, start, wordEnd);
  }

  /** The key that stands here; undefined if it can be no name. */
  #key(start: number, end: number): Key | undefined {
    for (const key of this.#keys) if (this.#isHere(key.bytes, start, end)) return key;
    const bytes = this.#text.slice(start, end);
    const name = attributeName(this.#decoder.decode(bytes));
    if (!isUsableName(name)) return undefined;
    const key = { bytes, name, opening: ascii(` ${name}="`) };
    if (this.#keys.length === keysMax) this.#keys.length = 1;
    this.#keys.push(key);
    return key;
  }
}

function isWhite(byte: number): boolean {
  return byte === space || byte === tab;
}

/** The name that a key gives an attribute. */
function attributeName(key: string): string {
  const name = key.replace(/[^\p{L}\p{Nd}_.:-]/gu, "_");
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}
