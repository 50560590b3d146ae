/** Bits into words, lowest first, and out of them again. */

export class BitWriter {
  words = new Uint32Array(1024);
  /** Bits written so far. */
  length = 0;

  clear(): void {
    this.words.fill(0, 0, (this.length + 31) >>> 5);
    this.length = 0;
  }

  /** The lowest `count` bits of a value that has no others; up to 32. */
  put(value: number, count: number): void {
    if (count === 0) return;
    const at = this.length >>> 5;
    if (at + 2 >= this.words.length) this.#grow();
    const shift = this.length & 31;
    this.words[at] |= value << shift;
    if (shift + count > 32) this.words[at + 1] = value >>> (32 - shift);
    this.length += count;
  }

  /** Codes of a fixed width, 1 to 32. */
  putAll(codes: Uint32Array, count: number, width: number): void {
    while ((this.length + count * width) / 32 + 2 >= this.words.length) this.#grow();
    const { words } = this;
    let at = this.length >>> 5;
    let shift = this.length & 31;
    for (let i = 0; i < count; i++) {
      const code = codes[i];
      words[at] |= code << shift;
      shift += width;
      if (shift >= 32) {
        shift -= 32;
        at++;
        if (shift > 0) words[at] = code >>> (width - shift);
      }
    }
    this.length += count * width;
  }

  /** So many ones, at most 31, and a zero. */
  putOnes(count: number): void {
    this.put(2 ** count - 1, count);
    this.put(0, 1);
  }

  align(): void {
    this.length = (this.length + 31) & ~31;
  }

  #grow(): void {
    const larger = new Uint32Array(this.words.length * 2);
    larger.set(this.words);
    this.words = larger;
  }
}

/** `count` bits (1 to 32) from bit `bit` behind word `word` on. */
export function bitsAt(words: Uint32Array, word: number, bit: number, count: number): number {
  const at = word + (bit >>> 5);
  const shift = bit & 31;
  let value = words[at] >>> shift;
  if (shift + count > 32) value |= words[at + 1] << (32 - shift);
  return count === 32 ? value >>> 0 : (value & ((1 << count) - 1)) >>> 0;
}
