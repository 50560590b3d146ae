/**
 * Hashes of words and of runs of words, 64 bits in two lanes of 32 that know nothing of each other.
 *
 *   word    FNV-1a in one lane, multiply-rotate in the other, over UTF-16 units; each lane mixed at the end
 *   n-gram  in each lane the polynomial  w1·Bⁿ⁻¹ + … + wn  modulo 2³², which rolls: one step a word, whatever n is;
 *           mixed at the end
 *   text    the polynomial over all words, with another end, so that a text of n words is no n-gram
 *
 * No word of one hash is 0 in both lanes: tables take that for an empty slot.
 */

/** Pairs of lanes that grow: low and high at 2i and 2i + 1. */
export class Hashes {
  lanes = new Uint32Array(2 * 4096);
  count = 0;

  push(low: number, high: number): void {
    const at = 2 * this.count++;
    if (at === this.lanes.length) {
      const longer = new Uint32Array(2 * at);
      longer.set(this.lanes);
      this.lanes = longer;
    }
    this.lanes[at] = low;
    this.lanes[at + 1] = high;
  }

  clear(): void {
    this.count = 0;
  }
}

const lowBase = 0x2c1b3c6d;
const highBase = 0x9e3779b5 | 0;

/** Adds the hash of the word that is text[from] to text[to - 1]. */
export function pushWord(words: Hashes, text: string, from: number, to: number): void {
  let low = 0x811c9dc5 | 0;
  let high = 0x3c6ef372;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high = (high << 13) | (high >>> 19);
  }
  words.push(mixLow(low), mixHigh(high + to - from));
}

/** Adds the hash of each n-gram of words[from…], at the place of its last word; (0, 0) where there is none yet. */
export function pushGrams(grams: Hashes, words: Hashes, from: number, n: number): void {
  const { lanes, count } = words;
  const lowLast = power(lowBase, n);
  const highLast = power(highBase, n);
  let low = 0;
  let high = 0;
  for (let i = from; i < count; i++) {
    low = (Math.imul(low, lowBase) + lanes[2 * i]) | 0;
    high = (Math.imul(high, highBase) + lanes[2 * i + 1]) | 0;
    const gone = i - n;
    if (gone >= from) {
      low = (low - Math.imul(lanes[2 * gone], lowLast)) | 0;
      high = (high - Math.imul(lanes[2 * gone + 1], highLast)) | 0;
    }
    if (gone >= from - 1) pushMixed(grams, low, high);
    else grams.push(0, 0);
  }
}

/** Adds the hash of all words[from…to - 1]; of a document, or of a line: a document of one line is not that line. */
export function pushText(texts: Hashes, words: Hashes, from: number, to: number, isLine = false): void {
  const { lanes } = words;
  let low = isLine ? 0x3b2ebec7 : 0x6a09e667;
  let high = to - from;
  for (let i = from; i < to; i++) {
    low = (Math.imul(low, lowBase) + lanes[2 * i]) | 0;
    high = (Math.imul(high, highBase) + lanes[2 * i + 1]) | 0;
  }
  pushMixed(texts, low ^ 0x510e527f, high ^ 0x1f83d9ab);
}

function pushMixed(hashes: Hashes, low: number, high: number): void {
  const mixed = mixLow(low);
  const other = mixHigh(high);
  hashes.push(mixed === 0 && other === 0 ? 1 : mixed, other);
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}

function mixLow(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mixHigh(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}
