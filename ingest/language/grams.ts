/**
 * What a model sees of a text: runs of one to five characters inside of words, with the borders of words, and words whole.
 *
 * Letters are in lower case and composed (NFC); what is not a letter or a mark belongs to no word. A run is known by a hash of 32
 * bits, which includes its length: "a" as a run of one, " a" and " a " are different things, and " the " is a run that is a word.
 */

/** Runs of up to so many characters. */
export const orderMax = 5;
/** The orders of runs, and one more for words that are longer than any run. */
export const orders = orderMax + 1;

const space = 0x20;
const comma = 0x2c;

/** Is it part of words? ASCII and Latin are asked most, and have a table. */
const tableSize = 0x250;
const letterTable = new Uint8Array(tableSize);
const letter = /[\p{L}\p{M}]/u;
for (let code = 0; code < tableSize; code++)
  letterTable[code] = letter.test(String.fromCharCode(code)) ? 1 : 0;

const isLetterCache = new Int8Array(0x10000).fill(-1);

function isLetter(code: number): boolean {
  if (code < tableSize) return letterTable[code] === 1;
  // Halves of characters outside the first plane: scripts, most of them; signs are few in running text.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  let known = isLetterCache[code];
  if (known < 0) isLetterCache[code] = known = letter.test(String.fromCharCode(code)) ? 1 : 0;
  return known === 1;
}

function isLatin(code: number): boolean {
  return code < 0x250 || (code >= 0x1e00 && code < 0x1f00);
}

/** Accents: of any script, and in decomposed text as many as letters. */
function isCombining(code: number): boolean {
  return code >= 0x300 && code < 0x370;
}

/** Where so much of the text is in another script, its Latin words are names and terms: they say nothing of its language. */
const otherShare = 0.25;
/** A sign of Han, Kana or Hangul says about as much as so many letters. */
const signLetters = 3;

function isGuestLatin(text: string, end: number): boolean {
  let others = 0;
  let latin = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x250) latin += letterTable[code];
    else if (!isLatin(code) && !isCombining(code) && isLetter(code))
      others += code >= 0x2e80 && code < 0xd800 ? signLetters : 1;
  }
  return others > 0 && latin > 0 && others >= otherShare * (others + latin);
}

/** So many letters must remain of a text without its names. */
const othersMin = 25;

/** Does a name begin here: a capital, not where a sentence may begin, before a small letter? Of German, this leaves out nouns too. */
function isName(text: string, lower: string, at: number): boolean {
  if (at < 2 || text.charCodeAt(at) === lower.charCodeAt(at)) return false;
  if (text.charCodeAt(at - 1) !== space || at + 1 >= text.length) return false;
  const before = text.charCodeAt(at - 2);
  if (before !== comma && !isLetter(before)) return false;
  return text.charCodeAt(at + 1) === lower.charCodeAt(at + 1) && isLetter(text.charCodeAt(at + 1));
}

/** Are there letters enough besides the names? Only asked where letters keep their places when they become small. */
function hasOtherWords(text: string, lower: string): boolean {
  if (text.length !== lower.length) return false;
  let others = 0;
  let isOut = false;
  for (let at = 0; at < text.length && others < othersMin; at++) {
    const code = lower.charCodeAt(at);
    if (!isLetter(code)) isOut = false;
    else if (!isOut) {
      if ((at === 0 || !isLetter(lower.charCodeAt(at - 1))) && isName(text, lower, at)) isOut = true;
      else others++;
    }
  }
  return others >= othersMin;
}

/** The runs of a text: `hashes` and `orderOf` have `count` of them. Filled anew each time; a longer text is cut. */
export class Grams {
  readonly hashes: Uint32Array;
  readonly orderOf: Uint8Array;
  count = 0;
  /** Characters of words, and those among them of scripts with many signs (Han, Kana, Hangul), or without spaces (Thai and its neighbours). */
  letters = 0;
  han = 0;
  thai = 0;
  readonly #codes: Uint16Array;

  constructor(readonly charsMax: number) {
    this.hashes = new Uint32Array(charsMax * (orderMax + 1) * 2);
    this.orderOf = new Uint8Array(this.hashes.length);
    this.#codes = new Uint16Array(charsMax + 2);
  }

  /** With `skipsNames`, names are left out if enough else is there: they are the same in many languages. */
  fill(text: string, skipsNames = false): void {
    this.count = 0;
    this.letters = 0;
    this.han = 0;
    this.thai = 0;
    const start = text.length > this.charsMax ? text.slice(0, this.charsMax) : text;
    const composed = start.normalize("NFC");
    const lower = composed.toLowerCase();
    const isNamed = skipsNames && hasOtherWords(composed, lower);
    const codes = this.#codes;
    const end = Math.min(lower.length, this.charsMax);
    const isMixed = isGuestLatin(lower, end);
    codes[0] = space;
    for (let at = 0; at < end; ) {
      let code = lower.charCodeAt(at);
      if (!isLetter(code) || (isMixed && isLatin(code))) {
        at++;
        continue;
      }
      if (isNamed && isName(composed, lower, at)) {
        do at++;
        while (at < end && isLetter(lower.charCodeAt(at)));
        continue;
      }
      let length = 1;
      do {
        codes[length++] = code;
        if (code >= 0x2e80 && code < 0xd800) this.han++;
        else if ((code >= 0x0e00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)) this.thai++;
        code = lower.charCodeAt(++at);
      } while (at < end && isLetter(code) && !(isMixed && isLatin(code)));
      codes[length++] = space;
      this.#word(length);
    }
  }

  /** The runs of the word that lies in the first `length` codes, with a space before and behind it. */
  #word(length: number): void {
    const codes = this.#codes;
    const { hashes, orderOf } = this;
    let count = this.count;
    this.letters += length - 2;
    for (let from = 0; from < length - 1; from++) {
      let hash = 0x811c9dc5;
      const to = Math.min(length, from + orderMax);
      for (let at = from; at < to; at++) {
        hash = Math.imul(hash ^ codes[at], 0x01000193);
        hash ^= hash >>> 15;
        // A border alone says nothing.
        if (at === from && from === 0) continue;
        hashes[count] = Math.imul(hash ^ (at - from), 0x9e3779b1);
        orderOf[count++] = at - from;
      }
    }
    if (length > orderMax) {
      let hash = 0x2545f491;
      for (let at = 1; at < length - 1; at++) {
        hash = Math.imul(hash ^ codes[at], 0x01000193);
        hash ^= hash >>> 13;
      }
      hashes[count] = hash;
      orderOf[count++] = orderMax;
    }
    this.count = count;
  }
}
