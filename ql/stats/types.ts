/**
 * Types: the different values of an attribute, numbered from 0, as tokens are counted by them. "lemma": the ids of its
 * lexicon. "word/i": values that are the same but for case are one type; "/d" but for diacritics, "/id" but for both.
 *
 * The text of a folded type is the folded one; patterns and lists are meant folded too.
 */
import type { Attribute, Lexicon, TokenStream } from "../../storage/index.js";
import { DugongError } from "../../storage/index.js";
import { compareBytes } from "../../storage/lexicon/generation.js";
import { parseKey } from "../chain/keys.js";
import { compareCodePoints } from "../chain/sort.js";
import { foldText } from "../chain/values.js";
import type { Desk } from "../desk.js";
import { comparing, looking, pieces, upTo } from "../pace.js";
import { idsMatching, idsOfStrings } from "../regex/index.js";
import { limits } from "./limits.js";
import { remembered } from "./memory.js";
import { patternOf } from "./pattern.js";

/** Where there is no such type. */
export const NO_TYPE = 0xffffffff;

/** A number for each token, by which tokens are counted. */
export interface Numbering {
  /** Numbers are below this, as far as tokens have been read. */
  readonly size: number;
  /** The numbers of the tokens at [from, from + count). */
  read(from: number, count: number, out: Uint32Array): void;
}

export interface Types extends Numbering {
  /** "word", "word/i" */
  readonly name: string;
  readonly attribute: Attribute;
  /** The type of each id of the attribute; undefined where ids are types. */
  readonly ofIds?: Uint32Array;
  text(type: number): string;
  /** The type of a string, or NO_TYPE. */
  find(text: string): number;
  /** The place of each type in the order of the texts' bytes. */
  readonly ranks: Uint32Array;
  /** A 1 for each type that a pattern matches as a whole. */
  matching(pattern: string): Uint8Array;
  /** A 1 for each type that is one of these strings. */
  among(strings: readonly string[]): Uint8Array;
}

/** The types that a name means; its errors name what the corpus has. */
export async function typesOf(desk: Desk, name: string): Promise<Types> {
  const key = parseKey(name);
  if (key.attribute.includes("."))
    throw new DugongError(
      "bad_attribute",
      `${key.attribute} is an attribute of a structure: tokens are not counted by it here`,
      "Name an attribute of tokens, as word, lemma or word/i.",
    );
  const { retrograde, byFrequency, falling, ignoreCase, ignoreDiacritics } = key;
  if (retrograde || byFrequency || falling || /\s/.test(name.trim()))
    throw new DugongError(
      "bad_attribute",
      `${JSON.stringify(name)} is not an attribute to count by`,
      "Write its name, with /i to ignore case or /d to ignore diacritics.",
    );
  const attribute = desk.snapshot.attribute(key.attribute);
  if (!ignoreCase && !ignoreDiacritics) return new PlainTypes(desk, attribute);
  const flags = `${ignoreCase ? "i" : ""}${ignoreDiacritics ? "d" : ""}`;
  const folding = await remembered(
    desk,
    `folding ${attribute.name}/${flags}`,
    () => new Folding(attribute.lexicon, { ignoreCase, ignoreDiacritics }, desk.checkpoint),
    ({ bytes }) => bytes,
  );
  return new FoldedTypes(desk, attribute, `${attribute.name}/${flags}`, folding);
}

/**
 * A stream that is read in order, perhaps in short stretches: a block is decoded at a time. That never takes longer than
 * reading everything, and reading everything is fast.
 */
class ReadingAhead {
  #block = new Uint32Array(0);
  #from = 0;
  #to = 0;

  constructor(readonly stream: TokenStream) {}

  read(from: number, count: number, out: Uint32Array): void {
    if (count >= limits.blockTokens / 4) {
      this.stream.read(from, count, out);
      return;
    }
    if (from < this.#from || from + count > this.#to) {
      const length = Math.min(limits.blockTokens, this.stream.count - from);
      if (this.#block.length < length) this.#block = new Uint32Array(limits.blockTokens);
      this.stream.read(from, length, this.#block);
      this.#from = from;
      this.#to = from + length;
    }
    const at = from - this.#from;
    if (count < 32) for (let i = 0; i < count; i++) out[i] = this.#block[at + i];
    else out.set(this.#block.subarray(at, at + count));
  }
}

class PlainTypes implements Types {
  readonly name: string;
  readonly size: number;
  readonly #stream: ReadingAhead;

  constructor(
    readonly desk: Desk,
    readonly attribute: Attribute,
  ) {
    this.name = attribute.name;
    this.size = attribute.lexicon.size;
    this.#stream = new ReadingAhead(desk.snapshot.stream(attribute));
  }

  read(from: number, count: number, out: Uint32Array): void {
    this.#stream.read(from, count, out);
  }

  text(type: number): string {
    return this.attribute.lexicon.string(type);
  }

  find(text: string): number {
    const id = this.attribute.lexicon.find(text);
    return id < 0 ? NO_TYPE : id;
  }

  get ranks(): Uint32Array {
    return this.attribute.lexicon.order.rankOfId;
  }

  matching(pattern: string): Uint8Array {
    const { checkpoint } = this.desk;
    const { lexicon } = this.attribute;
    return marked(this.size, idsMatching(lexicon, patternOf(pattern, {}, checkpoint), { checkpoint }).ids);
  }

  among(strings: readonly string[]): Uint8Array {
    return marked(this.size, idsOfStrings(this.attribute.lexicon, [...strings], this.desk.checkpoint).ids);
  }
}

interface Ignoring {
  ignoreCase: boolean;
  ignoreDiacritics: boolean;
}

/** Which ids of a lexicon have the same folded string. */
class Folding {
  readonly ofIds: Uint32Array;
  readonly texts: string[] = [];
  readonly bytes: number;
  readonly #numbers: Map<string, number>;
  #ranks: Uint32Array | undefined;

  constructor(
    readonly lexicon: Lexicon,
    readonly ignoring: Ignoring,
    readonly checkpoint: () => void,
  ) {
    this.ofIds = new Uint32Array(lexicon.size);
    const numbers = new Map<string, number>();
    let chars = 0;
    const look = looking(checkpoint);
    for (const { id, bytes } of lexicon.inOrder()) {
      look();
      const text = foldText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(), ignoring);
      let number = numbers.get(text);
      if (number === undefined) {
        number = this.texts.push(text) - 1;
        numbers.set(text, number);
        chars += text.length;
      }
      this.ofIds[id] = number;
    }
    this.#numbers = numbers;
    this.bytes = this.ofIds.byteLength + this.texts.length * 64 + chars * 2;
  }

  /** The number of a folded string. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  get ranks(): Uint32Array {
    if (!this.#ranks) {
      const { texts, checkpoint } = this;
      const order = upTo(texts.length).sort(
        comparing((a, b) => compareCodePoints(texts[a], texts[b]), checkpoint),
      );
      const ranks = new Uint32Array(order.length);
      for (const [from, to] of pieces(order.length, checkpoint))
        for (let rank = from; rank < to; rank++) ranks[order[rank]] = rank;
      this.#ranks = ranks;
    }
    return this.#ranks;
  }
}

class FoldedTypes implements Types {
  readonly size: number;
  readonly ofIds: Uint32Array;
  readonly #stream: ReadingAhead;

  constructor(
    readonly desk: Desk,
    readonly attribute: Attribute,
    readonly name: string,
    readonly folding: Folding,
  ) {
    this.size = folding.texts.length;
    this.ofIds = folding.ofIds;
    this.#stream = new ReadingAhead(desk.snapshot.stream(attribute));
  }

  read(from: number, count: number, out: Uint32Array): void {
    this.#stream.read(from, count, out);
    const { ofIds } = this;
    for (let i = 0; i < count; i++) out[i] = ofIds[out[i]];
  }

  text(type: number): string {
    return this.folding.texts[type];
  }

  find(text: string): number {
    return this.folding.find(foldText(text, this.folding.ignoring)) ?? NO_TYPE;
  }

  get ranks(): Uint32Array {
    return this.folding.ranks;
  }

  matching(pattern: string): Uint8Array {
    const compiled = patternOf(pattern, this.folding.ignoring, this.desk.checkpoint);
    const { ids } = idsMatching(this.attribute.lexicon, compiled, { checkpoint: this.desk.checkpoint });
    const marks = new Uint8Array(this.size);
    for (let i = 0; i < ids.length; i++) marks[this.ofIds[ids[i]]] = 1;
    return marks;
  }

  among(strings: readonly string[]): Uint8Array {
    const marks = new Uint8Array(this.size);
    for (const string of strings) {
      const type = this.find(string);
      if (type !== NO_TYPE) marks[type] = 1;
    }
    return marks;
  }
}

function marked(size: number, ids: Uint32Array): Uint8Array {
  const marks = new Uint8Array(size);
  for (let i = 0; i < ids.length; i++) marks[ids[i]] = 1;
  return marks;
}

/**
 * For each type the one of the same text in another corpus, or NO_TYPE. Two lexicons are merged in the order of their
 * bytes, and no string is made; folded types meet by their texts.
 */
export function meeting(types: Types, others: Types, checkpoint: () => void): Uint32Array {
  const look = looking(checkpoint);
  const met = new Uint32Array(types.size).fill(NO_TYPE);
  if (types.attribute.lexicon === others.attribute.lexicon && types.name === others.name) {
    for (let type = 0; type < met.length; type++) met[type] = type;
  } else if (types instanceof FoldedTypes && others instanceof FoldedTypes) {
    for (let type = 0; type < met.length; type++) {
      look();
      met[type] = others.folding.find(types.folding.texts[type]) ?? NO_TYPE;
    }
  } else {
    const [own, other] = [types.attribute.lexicon.inOrder(), others.attribute.lexicon.inOrder()];
    let [a, b] = [own.next(), other.next()];
    while (!a.done && !b.done) {
      look();
      const order = compareBytes(a.value.bytes, a.value.bytes.length, b.value.bytes);
      if (order === 0) met[a.value.id] = b.value.id;
      if (order <= 0) a = own.next();
      if (order >= 0) b = other.next();
    }
  }
  return met;
}
