/** What there is to know of a word when examples are measured: found out once for each word, when it is first met. */
import { type Attribute, DugongError, type Snapshot } from "../../storage/index.js";
import { limits } from "./limits.js";

/** Bits of `Words.kinds`. */
export const kind = {
  /** Has a letter or a digit: not a sign. */
  word: 1,
  digit: 2,
  /** Has a sign that is none of a sentence's own: @ # § = …. */
  symbol: 4,
  /** Begins with a capital letter, or with one of a script that has none. */
  capital: 8,
  /** All letters are capitals, two at least. */
  shouted: 16,
  /** Ends a sentence. */
  stop: 32,
  /** Quotes and brackets that may stand behind the end of a sentence. */
  closing: 64,
} as const;

export class Words {
  /** Place of each id in the columns plus 1; 0 for words that have not been met. */
  readonly #places: Uint32Array;
  #count = 0;
  kinds = new Uint8Array(1024);
  characters = new Uint16Array(1024);
  /** Occurrences in a million tokens; of the word in small letters, if that is more frequent. */
  perMillion = new Float64Array(1024);
  /** Which lists a word is on. */
  lists = new Uint32Array(1024);
  readonly #words = new Map<string, number>();
  #listCount = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly attribute: Attribute,
  ) {
    this.#places = new Uint32Array(attribute.lexicon.size);
  }

  /** Puts words on a list, whatever their case; lists are made before words are met. Its bit. */
  addList(words: readonly string[]): number {
    if (this.#listCount === limits.formulaListsMax) {
      throw new DugongError(
        "bad_formula",
        `the formula has more than ${limits.formulaListsMax - 2} lists of words (limit formulaListsMax)`,
      );
    }
    const bit = (1 << this.#listCount++) >>> 0;
    for (const word of words) {
      const lower = word.toLowerCase();
      this.#words.set(lower, ((this.#words.get(lower) ?? 0) | bit) >>> 0);
    }
    return bit;
  }

  /** Where the columns have a word. */
  place(id: number): number {
    return (this.#places[id] || this.#meet(id)) - 1;
  }

  #meet(id: number): number {
    if (this.#count === this.kinds.length) this.#grow();
    const at = this.#count++;
    const { lexicon } = this.attribute;
    const text = lexicon.string(id);
    const lower = text.toLowerCase();
    this.kinds[at] = kindOf(text);
    this.characters[at] = Math.min(0xffff, text.length);
    this.lists[at] = this.#words.get(lower) ?? 0;
    let frequency = lexicon.frequency(id);
    if (lower !== text) {
      const small = lexicon.find(lower);
      if (small >= 0) frequency = Math.max(frequency, lexicon.frequency(small));
    }
    this.perMillion[at] = (frequency / Math.max(1, this.snapshot.tokens)) * 1e6;
    this.#places[id] = this.#count;
    return this.#count;
  }

  #grow(): void {
    const capacity = this.kinds.length * 2;
    const [{ kinds, characters, perMillion, lists }] = [this];
    this.kinds = new Uint8Array(capacity);
    this.characters = new Uint16Array(capacity);
    this.perMillion = new Float64Array(capacity);
    this.lists = new Uint32Array(capacity);
    this.kinds.set(kinds);
    this.characters.set(characters);
    this.perMillion.set(perMillion);
    this.lists.set(lists);
  }
}

function kindOf(text: string): number {
  let bits = 0;
  if (/[\p{L}\p{N}]/u.test(text)) bits |= kind.word;
  if (/\p{N}/u.test(text)) bits |= kind.digit;
  if (/[\p{S}\p{C}@#%&*/\\_[\]{}|~§¶•]/u.test(text)) bits |= kind.symbol;
  if (/^[\p{Lu}\p{Lt}\p{Lo}]/u.test(text)) bits |= kind.capital;
  if (/\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)) bits |= kind.shouted;
  if (/[.!?…。！？｡।॥؟۔]$/u.test(text) && !(bits & kind.word)) bits |= kind.stop;
  if (/^["'`´\p{Pe}\p{Pf}\p{Pi}]+$/u.test(text)) bits |= kind.closing;
  return bits;
}
