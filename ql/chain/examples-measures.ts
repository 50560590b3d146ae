/**
 * What is measured of an example: the tokens of the sentence around a hit.
 *
 *   length                 tokens
 *   words                  tokens with a letter or a digit
 *   word_length            characters of a word, on average
 *   longest                characters of the longest word
 *   rarest                 occurrences of its rarest word in a million tokens
 *   digits                 tokens with a digit
 *   symbols                tokens with signs that are none of a sentence's own: @ # § = < …
 *   capitals               words written in capitals throughout
 *   blacklist              words that are on the list given with the step
 *   anaphora               1 if its first word is a pronoun that points back (English: he, this, such …), else 0
 *   position               where the hit begins: 0 at the first token, 1 at the last one
 *   node                   tokens of the hit
 *   is_whole_sentence()    1 if it begins with a capital letter, and its last token but for quotes and brackets ends a
 *                          sentence
 *   rare(n)                words with fewer than n occurrences in a million tokens
 *   long_words(n)          words of more than n characters
 *   begins_with("a", …)    1 if its first word is one of these, whatever its case
 *   contains("a", …)       how many of its words are among these
 *
 * `rare` and `rarest` leave the hit's own tokens out: they are what is asked for.
 */
import type { Vocabulary } from "./examples-formula.js";
import { kind, type Words } from "./examples-words.js";

/** Words that point back to what an example does not show. Other languages have begins_with. */
const pronouns =
  "he him his she her hers it its they them their theirs this that these those such another both neither either former latter".split(
    " ",
  );

export class Example {
  /** Places of its tokens in the columns of words. */
  readonly #places: Uint32Array;
  length = 0;
  words = 0;
  wordCharacters = 0;
  longest = 0;
  digits = 0;
  symbols = 0;
  capitals = 0;
  /** Of the first token that is a word; −1 if there is none. */
  #first = -1;
  isWhole = false;
  /** The hit in it. */
  node = 0;
  position = 0;
  #nodeFrom = 0;
  #nodeTo = 0;

  constructor(
    readonly columns: Words,
    tokensMax: number,
  ) {
    this.#places = new Uint32Array(tokensMax);
  }

  /** Takes the tokens of a sentence; `complete`: the structure, not some tokens around a hit. */
  read(ids: Uint32Array, length: number, complete: boolean): void {
    const { columns } = this;
    const places = this.#places;
    this.length = length;
    for (let i = 0; i < length; i++) places[i] = columns.place(ids[i]);
    const { kinds, characters } = columns;
    [this.words, this.wordCharacters, this.longest, this.#first] = [0, 0, 0, -1];
    [this.digits, this.symbols, this.capitals] = [0, 0, 0];
    for (let i = 0; i < length; i++) {
      const bits = kinds[places[i]];
      if (bits & kind.word) {
        if (this.#first < 0) this.#first = places[i];
        this.words++;
        this.wordCharacters += characters[places[i]];
        if (characters[places[i]] > this.longest) this.longest = characters[places[i]];
      }
      if (bits & kind.digit) this.digits++;
      if (bits & kind.symbol) this.symbols++;
      if (bits & kind.shouted) this.capitals++;
    }
    this.isWhole = complete && this.#first >= 0 && this.#beginsWell() && this.#endsWell();
  }

  #beginsWell(): boolean {
    return (this.columns.kinds[this.#first] & (kind.capital | kind.digit)) !== 0;
  }

  #endsWell(): boolean {
    const { kinds } = this.columns;
    let last = this.length - 1;
    while (last > 0 && kinds[this.#places[last]] & kind.closing) last--;
    return (kinds[this.#places[last]] & kind.stop) !== 0;
  }

  /** The hit is its tokens [from, to). */
  setNode(from: number, to: number): void {
    this.#nodeFrom = from;
    this.#nodeTo = to;
    this.node = to - from;
    this.position = this.length > 1 ? from / (this.length - 1) : 0;
  }

  /** How many of its words are rarer than so many in a million. */
  rare(perMillion: number): number {
    const { kinds, perMillion: frequencies } = this.columns;
    let count = 0;
    for (let i = 0; i < this.length; i++) {
      if (i >= this.#nodeFrom && i < this.#nodeTo) continue;
      const place = this.#places[i];
      if (kinds[place] & kind.word && frequencies[place] < perMillion) count++;
    }
    return count;
  }

  get rarest(): number {
    const { kinds, perMillion: frequencies } = this.columns;
    let least = 1e6;
    for (let i = 0; i < this.length; i++) {
      if (i >= this.#nodeFrom && i < this.#nodeTo) continue;
      const place = this.#places[i];
      if (kinds[place] & kind.word && frequencies[place] < least) least = frequencies[place];
    }
    return least;
  }

  longWords(characters: number): number {
    let count = 0;
    for (let i = 0; i < this.length; i++) {
      const place = this.#places[i];
      if (this.columns.kinds[place] & kind.word && this.columns.characters[place] > characters) count++;
    }
    return count;
  }

  onList(bit: number): number {
    let count = 0;
    for (let i = 0; i < this.length; i++) if (this.columns.lists[this.#places[i]] & bit) count++;
    return count;
  }

  beginsOnList(bit: number): number {
    return this.#first >= 0 && this.columns.lists[this.#first] & bit ? 1 : 0;
  }
}

/** What formulas can say of examples. Lists are added to the words' columns as formulas name them. */
export function vocabularyOf(
  columns: Pick<Words, "addList">,
  blacklist: readonly string[],
): Vocabulary<Example> {
  const blacklisted = columns.addList(blacklist);
  const pointing = columns.addList(pronouns);
  return {
    measures: {
      length: (example) => example.length,
      words: (example) => example.words,
      word_length: (example) => (example.words === 0 ? 0 : example.wordCharacters / example.words),
      longest: (example) => example.longest,
      rarest: (example) => example.rarest,
      digits: (example) => example.digits,
      symbols: (example) => example.symbols,
      capitals: (example) => example.capitals,
      blacklist: (example) => example.onList(blacklisted),
      anaphora: (example) => example.beginsOnList(pointing),
      position: (example) => example.position,
      node: (example) => example.node,
    },
    functions: {
      is_whole_sentence: { arguments: 0, value: (example) => (example.isWhole ? 1 : 0) },
      rare: { arguments: 1, value: (example, perMillion) => example.rare(perMillion) },
      long_words: { arguments: 1, value: (example, characters) => example.longWords(characters) },
    },
    lists: {
      begins_with: (words) => {
        const bit = columns.addList(words);
        return (example) => example.beginsOnList(bit);
      },
      contains: (words) => {
        const bit = columns.addList(words);
        return (example) => example.onList(bit);
      },
    },
  };
}
