/** Writes a segment of a space from points that come in kd-order, leaf by leaf (format.ts has the grammar). */
import { DugongError } from "../errors.js";
import { FileWriter } from "../file/writer.js";
import { BitWriter } from "./bits.js";
import {
  bitsOf,
  countBits,
  offsetBits,
  pageBytesMax,
  riceBits,
  rowHeadWords,
  type SegmentMeta,
  spaceKind,
  spaceVersion,
} from "./format.js";
import { type Bounds, boundsOf, LeafEncoder, UnitOrder } from "./leaf.js";

/** Leaves of a page, as long as they fit. */
const pageLeavesMax = 32;

export class SegmentWriter {
  readonly #file: FileWriter;
  readonly #encoder: LeafEncoder;
  readonly #order = new UnitOrder();
  readonly #bounds: Bounds;
  /** Of the page that is being filled: its leaves as bits, and for each leaf where it begins, points, parameter, lows, highs. */
  readonly #leaves = new BitWriter();
  readonly #page = new BitWriter();
  readonly #heads: Uint32Array;
  #leafCount = 0;
  #rows = new Uint32Array(1024);
  #rowWords = 0;
  #offsetWords = 0;
  #points = 0;
  #leavesTotal = 0;

  constructor(
    path: string,
    readonly k: number,
  ) {
    this.#file = new FileWriter(path, spaceKind, spaceVersion);
    this.#file.section("pages");
    this.#encoder = new LeafEncoder(k);
    this.#bounds = { lows: new Uint32Array(k + 1), highs: new Uint32Array(k + 1) };
    this.#heads = new Uint32Array(pageLeavesMax * this.#headWords);
  }

  get points(): number {
    return this.#points;
  }

  get #headWords(): number {
    return 3 + 2 * (this.k + 1);
  }

  /** Points [from, to) of columns (coordinates, then units) are a leaf. They are put in order of their units on the way. */
  leaf(columns: readonly Uint32Array[], from: number, to: number): void {
    this.#order.sort(columns, from, to);
    boundsOf(columns, from, to, this.#bounds);
    if (this.#leafCount === pageLeavesMax) this.#flush(this.#leafCount, this.#leaves.length);
    const start = this.#leaves.length;
    const b = this.#encoder.encode(columns, from, to, this.#bounds, this.#leaves);
    this.#put(this.#leafCount, start >>> 5, to - from, b);
    this.#leafCount++;
    if (this.#bytesOf(this.#leafCount) > pageBytesMax) this.#flush(this.#leafCount - 1, start);
    this.#points += to - from;
    this.#leavesTotal++;
  }

  #put(leaf: number, word: number, count: number, b: number): void {
    const at = leaf * this.#headWords;
    this.#heads[at] = word;
    this.#heads[at + 1] = count;
    this.#heads[at + 2] = b;
    this.#heads.set(this.#bounds.lows, at + 3);
    this.#heads.set(this.#bounds.highs, at + 3 + this.k + 1);
  }

  /** At most, with so many leaves: entries as wide as they can be. */
  #bytesOf(leaves: number): number {
    const entry = offsetBits + countBits + riceBits + (this.k + 1) * 64;
    return this.#shapeWords * 4 + Math.ceil((leaves * entry) / 32) * 4 + (this.#leaves.length >>> 3);
  }

  get #shapeWords(): number {
    return Math.ceil((2 * (this.k + 1)) / 4);
  }

  /** The first leaves, which end at bit `end`, become a page; what is left becomes the beginning of the next. */
  #flush(leaves: number, end: number): void {
    if (leaves === 0) throw new DugongError("leaf_too_large", "a leaf of a space does not fit a page");
    const { k } = this;
    const heads = this.#heads;
    const words = this.#headWords;
    const lows = new Uint32Array(k + 1).fill(0xffffffff);
    const highs = new Uint32Array(k + 1);
    const lowBits = new Uint8Array(k + 1);
    const extentBits = new Uint8Array(k + 1);
    let points = 0;
    for (let leaf = 0; leaf < leaves; leaf++) {
      const at = leaf * words;
      points += heads[at + 1];
      for (let d = 0; d <= k; d++) {
        const low = heads[at + 3 + d];
        const high = heads[at + 4 + k + d];
        if (low < lows[d]) lows[d] = low;
        if (high > highs[d]) highs[d] = high;
        extentBits[d] = Math.max(extentBits[d], bitsOf(high - low));
      }
    }
    for (let leaf = 0; leaf < leaves; leaf++)
      for (let d = 0; d <= k; d++)
        lowBits[d] = Math.max(lowBits[d], bitsOf(heads[leaf * words + 3 + d] - lows[d]));
    const page = this.#page;
    page.clear();
    for (let d = 0; d <= k; d++) {
      page.put(lowBits[d], 8);
      page.put(extentBits[d], 8);
    }
    page.align();
    let entryBits = offsetBits + countBits + riceBits;
    for (let d = 0; d <= k; d++) entryBits += lowBits[d] + extentBits[d];
    const before = this.#shapeWords + Math.ceil((leaves * entryBits) / 32);
    for (let leaf = 0; leaf < leaves; leaf++) {
      const at = leaf * words;
      page.put(before + heads[at], offsetBits);
      page.put(heads[at + 1] - 1, countBits);
      page.put(heads[at + 2], riceBits);
      for (let d = 0; d <= k; d++) {
        page.put(heads[at + 3 + d] - lows[d], lowBits[d]);
        page.put(heads[at + 4 + k + d] - heads[at + 3 + d], extentBits[d]);
      }
    }
    page.align();
    this.#write(page.words, page.length >>> 5);
    this.#write(this.#leaves.words, end >>> 5);
    this.#row(before + (end >>> 5), leaves, points, lows, highs);
    this.#keepRest(leaves, end);
  }

  #write(words: Uint32Array, count: number): void {
    this.#file.write(new Uint8Array(words.buffer, words.byteOffset, count * 4));
  }

  #row(words: number, leaves: number, points: number, lows: Uint32Array, highs: Uint32Array): void {
    const length = rowHeadWords + 2 * (this.k + 1);
    if (this.#rowWords + length > this.#rows.length) {
      const larger = new Uint32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows.set([this.#offsetWords, words, leaves, points], this.#rowWords);
    this.#rows.set(lows, this.#rowWords + rowHeadWords);
    this.#rows.set(highs, this.#rowWords + rowHeadWords + this.k + 1);
    this.#rowWords += length;
    this.#offsetWords += words;
  }

  /** A leaf for which there was no room moves to the front. */
  #keepRest(leaves: number, end: number): void {
    const rest = this.#leaves.words.slice(end >>> 5, this.#leaves.length >>> 5);
    this.#leaves.clear();
    for (const word of rest) this.#leaves.put(word, 32);
    const words = this.#headWords;
    this.#heads.copyWithin(0, leaves * words, this.#leafCount * words);
    this.#leafCount -= leaves;
    if (this.#leafCount > 0) this.#heads[0] = 0;
  }

  /** Completes the file; resolves to its bytes. */
  async finish(
    meta: Pick<SegmentMeta, "unitBase" | "leafPoints">,
    dictionaries: ReadonlyMap<number, { first: number; strings: readonly string[] }> = new Map(),
    options: { durable: boolean } = { durable: true },
  ): Promise<number> {
    if (this.#leafCount > 0) this.#flush(this.#leafCount, this.#leaves.length);
    this.#file.section("directory");
    this.#write(this.#rows, this.#rowWords);
    const named: SegmentMeta["dictionaries"] = {};
    for (const [d, { first, strings }] of dictionaries) {
      this.#file.section(`dictionary:${d}`);
      for (const string of strings) this.#file.write(lengthAndBytes(string));
      named[d] = [first, strings.length];
    }
    Object.assign(this.#file.meta, {
      dimensions: this.k,
      points: this.#points,
      leaves: this.#leavesTotal,
      ...meta,
      dictionaries: named,
    } satisfies SegmentMeta);
    return this.#file.finish(options);
  }

  abandon(): void {
    this.#file.abandon();
  }
}

function lengthAndBytes(string: string): Buffer {
  const bytes = Buffer.from(string);
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}
