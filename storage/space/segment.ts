/**
 * One segment of a space, open for reading (format.ts has the bytes). The boxes of pages are in memory, joined two by two up to one box
 * of all; pages are read through the pool, leaf by leaf.
 *
 *   node 1 is all; node n has n·2 and n·2 + 1 below it; from `firstPage` on nodes are pages
 */
import { DugongError } from "../errors.js";
import { broken, FileReader } from "../file/reader.js";
import { type Pool, PooledFile } from "../pool/pool.js";
import { bitsAt } from "./bits.js";
import {
  coordinateMax,
  countBits,
  dimensionsMax,
  dimensionsMin,
  offsetBits,
  pageBytesMax,
  riceBits,
  rowHeadWords,
  type SegmentMeta,
  spaceKind,
  spaceVersion,
} from "./format.js";
import { DecodedLeaf } from "./leaf.js";

/** How a box lies to that which is asked for. */
export const [OUTSIDE, ACROSS, INSIDE] = [0, 1, 2];

export class SpaceSegment {
  readonly meta: SegmentMeta;
  readonly k: number;
  readonly pages: number;
  readonly firstPage: number;
  /** By node: low and high of each of the k + 1, one node behind the other. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  /** By node: how many points. */
  readonly points: Float64Array;
  readonly #rows: Uint32Array;
  readonly #file: FileReader;
  readonly #pooled: PooledFile;
  readonly #pagesOffset: number;
  readonly #hints: Uint16Array;

  constructor(
    readonly pool: Pool,
    path: string,
  ) {
    this.#file = FileReader.open(path, spaceKind, spaceVersion);
    try {
      this.meta = this.#file.contents.meta as unknown as SegmentMeta;
      this.k = this.meta.dimensions;
      this.#pooled = new PooledFile(this.#file);
      this.#rows = this.#file.integers("directory");
      this.pages = this.#rows.length / this.#rowWords;
      this.#pagesOffset = this.#file.section("pages")[0];
      this.#checkDirectory();
      this.firstPage = 1;
      while (this.firstPage < this.pages) this.firstPage *= 2;
      const nodes = this.firstPage * 2;
      this.lows = new Uint32Array(nodes * (this.k + 1)).fill(0xffffffff);
      this.highs = new Uint32Array(nodes * (this.k + 1));
      this.points = new Float64Array(nodes);
      this.#hints = new Uint16Array(this.pages);
      this.#join();
    } catch (error) {
      this.#file.close();
      // Contents that are damaged may be anything: what was made of them, and failed, is no bug.
      const { message } = error as Error;
      if (error instanceof DugongError && message.includes(path)) throw error;
      throw broken(path, `its contents make no sense (${message})`);
    }
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  /** Numbers of units here, from the first to the last: at least so many as there are. */
  get units(): number {
    return this.pages === 0 ? 0 : this.highs[2 * this.k + 1] - this.lows[2 * this.k + 1] + 1;
  }

  get path(): string {
    return this.#file.path;
  }

  get #rowWords(): number {
    return rowHeadWords + 2 * (this.k + 1);
  }

  /** What reading relies on: nothing points outside the file. Bytes of pages are checked by `dugong verify`. */
  #checkDirectory(): void {
    const { path } = this.#file;
    const { k, pages } = this;
    if (!(Number.isInteger(k) && k >= dimensionsMin && k <= dimensionsMax))
      throw broken(path, `it says that it has ${k} dimensions`);
    if (!Number.isInteger(pages)) throw broken(path, "its directory has a part of a page");
    const [start, bytes] = this.#file.section("pages");
    if (!(start % 4 === 0 && start + bytes <= this.#file.bytes))
      throw broken(path, "its pages do not lie in it");
    const { unitBase, dictionaries } = this.meta;
    if (!(Number.isSafeInteger(unitBase) && unitBase >= 0))
      throw broken(path, "its units have no first number");
    if (typeof dictionaries !== "object" || dictionaries === null)
      throw broken(path, "it names no dictionaries");
    let points = 0;
    for (let page = 0, at = 0; page < pages; page++, at += this.#rowWords) {
      const [offset, words, leaves, own] = this.#rows.subarray(at, at + rowHeadWords);
      if ((offset + words) * 4 > bytes || words * 4 > pageBytesMax || leaves === 0)
        throw broken(path, `page ${page} of its directory does not lie in it`);
      points += own;
      for (let d = 0; d <= k; d++) {
        const low = this.#rows[at + rowHeadWords + d];
        const high = this.#rows[at + rowHeadWords + k + 1 + d];
        if (low > high || (d < k && high > coordinateMax))
          throw broken(path, `page ${page} of its directory has no box`);
      }
    }
    if (points !== this.meta.points)
      throw broken(path, `its pages have ${points} points; it should have ${this.meta.points}`);
  }

  #join(): void {
    const width = this.k + 1;
    for (let page = 0; page < this.pages; page++) {
      const at = page * this.#rowWords;
      const node = this.firstPage + page;
      this.points[node] = this.#rows[at + 3];
      const boxes = at + rowHeadWords;
      this.lows.set(this.#rows.subarray(boxes, boxes + width), node * width);
      this.highs.set(this.#rows.subarray(boxes + width, boxes + 2 * width), node * width);
    }
    for (let node = this.firstPage - 1; node > 0; node--) {
      this.points[node] = this.points[node * 2] + this.points[node * 2 + 1];
      for (let d = 0; d < width; d++) {
        const [left, right] = [node * 2 * width + d, (node * 2 + 1) * width + d];
        this.lows[node * width + d] = Math.min(this.lows[left], this.lows[right]);
        this.highs[node * width + d] = Math.max(this.highs[left], this.highs[right]);
      }
    }
  }

  /** How a node lies to a box of coordinates. */
  relation(node: number, low: Uint32Array, high: Uint32Array): number {
    const at = node * (this.k + 1);
    const { lows, highs } = this;
    let inside = INSIDE;
    for (let d = 0; d < this.k; d++) {
      const [l, h] = [lows[at + d], highs[at + d]];
      if (h < low[d] || l > high[d]) return OUTSIDE;
      if (l < low[d] || h > high[d]) inside = ACROSS;
    }
    return inside;
  }

  leavesOf(page: number): number {
    return this.#rows[page * this.#rowWords + 2];
  }

  /** Pins a page; returns its frame. */
  acquire(page: number): number {
    const at = page * this.#rowWords;
    const offset = this.#pagesOffset + this.#rows[at] * 4;
    const frame = this.pool.acquire(this.#pooled, offset, this.#rows[at + 1] * 4, this.#hints[page]);
    this.#hints[page] = frame;
    return frame;
  }

  wordsOf(page: number): number {
    return this.#rows[page * this.#rowWords + 1];
  }

  verify(): string[] {
    return this.#file.verify();
  }

  /** The strings that this segment adds to a dimension's dictionary. */
  dictionary(dimension: number): { first: number; strings: string[] } | undefined {
    const known = this.meta.dictionaries[dimension];
    if (!known) return undefined;
    const [first, count] = known;
    if (!(Number.isInteger(first) && Number.isInteger(count)))
      throw broken(this.path, `the dictionary of dimension ${dimension} has no length`);
    const bytes = this.#file.read(`dictionary:${dimension}`);
    const strings: string[] = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      let length = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        length += (byte & 127) * 2 ** shift;
        if (byte === undefined || shift > 28 || byte < 128) break;
      }
      if (!(at + length <= bytes.length))
        throw broken(this.path, `the dictionary of dimension ${dimension} is cut off`);
      strings.push(bytes.toString("utf8", at, at + length));
      at += length;
    }
    return { first, strings };
  }

  close(): void {
    this.#file.close();
  }
}

/** Reads the leaves of pages, one page at a time and one leaf at a time. */
export class PageReader {
  readonly leaf: DecodedLeaf;
  /** Of each leaf of the page: low and high of each of the k + 1, one leaf behind the other. */
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
  readonly counts = new Uint32Array(64);
  leaves = 0;
  page = -1;
  readonly #starts = new Uint32Array(64);
  readonly #parameters = new Uint8Array(64);
  readonly #width: number;
  #coordinatesOf = -1;
  #unitsOf = -1;

  constructor(readonly segment: SpaceSegment) {
    this.#width = segment.k + 1;
    this.leaf = new DecodedLeaf(segment.k);
    this.lows = new Uint32Array(64 * this.#width);
    this.highs = new Uint32Array(64 * this.#width);
  }

  /** Reads the boxes of a page's leaves. */
  open(page: number): void {
    if (this.page === page) return;
    const { segment } = this;
    const width = this.#width;
    const frame = segment.acquire(page);
    const { u8, u32 } = segment.pool;
    const address = segment.pool.addressOf(frame);
    const words = segment.wordsOf(page);
    const node = (segment.firstPage + page) * width;
    const shapeWords = Math.ceil((2 * width) / 4);
    let problem = "";
    const leaves = segment.leavesOf(page);
    if (leaves > 64) problem = "has too many leaves";
    let bit = 0;
    const start = (address >>> 2) + shapeWords;
    for (let leaf = 0; leaf < leaves && problem === ""; leaf++) {
      this.#starts[leaf] = bitsAt(u32, start, bit, offsetBits);
      bit += offsetBits;
      this.counts[leaf] = bitsAt(u32, start, bit, countBits) + 1;
      bit += countBits;
      this.#parameters[leaf] = bitsAt(u32, start, bit, riceBits);
      bit += riceBits;
      if (this.#starts[leaf] > words) problem = `has a leaf ${leaf} that does not lie in it`;
      for (let d = 0; d < width; d++) {
        const lowBits = u8[address + 2 * d];
        const extentBits = u8[address + 2 * d + 1];
        if (lowBits > 32 || extentBits > 32) problem = "has boxes of no shape";
        else {
          const low = segment.lows[node + d] + (lowBits === 0 ? 0 : bitsAt(u32, start, bit, lowBits));
          bit += lowBits;
          const extent = extentBits === 0 ? 0 : bitsAt(u32, start, bit, extentBits);
          bit += extentBits;
          this.lows[leaf * width + d] = low;
          this.highs[leaf * width + d] = low + extent;
          if (low + extent > segment.highs[node + d])
            problem = `has a leaf ${leaf} that is larger than its page`;
        }
      }
    }
    segment.pool.release(frame);
    if (problem !== "") throw broken(segment.path, `page ${page} ${problem}`);
    this.page = page;
    this.leaves = leaves;
    this.#coordinatesOf = -1;
    this.#unitsOf = -1;
  }

  relation(leaf: number, low: Uint32Array, high: Uint32Array): number {
    const at = leaf * this.#width;
    const { lows, highs } = this;
    let inside = INSIDE;
    for (let d = 0; d < this.#width - 1; d++) {
      const [l, h] = [lows[at + d], highs[at + d]];
      if (h < low[d] || l > high[d]) return OUTSIDE;
      if (l < low[d] || h > high[d]) inside = ACROSS;
    }
    return inside;
  }

  #begin(leaf: number): void {
    const width = this.#width;
    const own = this.leaf;
    own.count = this.counts[leaf];
    for (let d = 0; d < width; d++) {
      own.lows[d] = this.lows[leaf * width + d];
      own.extents[d] = this.highs[leaf * width + d] - own.lows[d];
    }
    own.begin();
  }

  /** Decodes the coordinates of a leaf into `leaf`. */
  coordinates(leaf: number): DecodedLeaf {
    if (this.#coordinatesOf === leaf) return this.leaf;
    const { segment } = this;
    this.#begin(leaf);
    const frame = segment.acquire(this.page);
    const start = segment.pool.addressOf(frame) + this.#starts[leaf] * 4;
    this.leaf.decodeCoordinates(segment.pool, start);
    segment.pool.release(frame);
    this.#coordinatesOf = leaf;
    if (this.#unitsOf !== leaf) this.#unitsOf = -1;
    return this.leaf;
  }

  /** Decodes the units of a leaf into `leaf`. */
  units(leaf: number): DecodedLeaf {
    if (this.#unitsOf === leaf) return this.leaf;
    const { segment } = this;
    if (this.#coordinatesOf !== leaf) this.#begin(leaf);
    const frame = segment.acquire(this.page);
    const start = segment.pool.addressOf(frame) + this.#starts[leaf] * 4;
    this.leaf.decodeUnits(segment.pool, start, this.#parameters[leaf]);
    segment.pool.release(frame);
    this.#unitsOf = leaf;
    if (this.#coordinatesOf !== leaf) this.#coordinatesOf = -1;
    return this.leaf;
  }
}
