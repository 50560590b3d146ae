/** Reads postings (writer.ts has the format). Costs: finding an id, one block of `ids`; a cursor, one page. */
import { Column } from "../column/reader.js";
import { END, emptyCursor, gallop, type PositionCursor } from "../cursor.js";
import { limits } from "../limits.js";
import type { Pool, PooledFile } from "../pool/pool.js";
import type { PostingsMeta } from "./writer.js";

const blockValues = limits.blockValues;
const pageBytes = limits.extentBytes;

export class Postings {
  readonly meta: PostingsMeta;
  readonly #ids: Column;
  readonly #counts: Column;
  readonly #offsets: Column;
  readonly #listsAt: number;
  readonly #listsBytes: number;
  readonly #hints: Uint16Array;
  #firsts: Uint32Array | undefined;

  /** `stream` is needed where frequent values are found by scanning it. */
  constructor(
    readonly pool: Pool,
    readonly pooled: PooledFile,
    readonly prefix: string = "",
    readonly stream?: Column,
  ) {
    this.meta = pooled.reader.contents.meta[`${prefix}postings`] as PostingsMeta;
    this.#ids = new Column(pool, pooled, `${prefix}ids`);
    this.#counts = new Column(pool, pooled, `${prefix}counts`);
    this.#offsets = new Column(pool, pooled, `${prefix}offsets`);
    [this.#listsAt, this.#listsBytes] = pooled.reader.section(`${prefix}lists`);
    this.#hints = new Uint16Array(Math.ceil(this.#listsBytes / pageBytes));
  }

  /** How many ids occur in the segment. */
  get types(): number {
    return this.#ids.count;
  }

  /** The ids that occur, and how often each does: for whole-lexicon work. */
  all(): { ids: Uint32Array; counts: Uint32Array } {
    return { ids: this.#ids.toArray(), counts: this.#counts.toArray() };
  }

  /** Where an id stands among those that occur, or −1. */
  #find(id: number): number {
    if (!this.#firsts) {
      const indexes = new Uint32Array(Math.ceil(this.#ids.count / blockValues));
      for (let i = 0; i < indexes.length; i++) indexes[i] = i * blockValues;
      this.#firsts = new Uint32Array(indexes.length);
      this.#ids.gather(indexes, this.#firsts);
    }
    const firsts = this.#firsts;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle] <= id) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return -1;
    const from = (low - 1) * blockValues;
    const got = this.#ids.decode(from, Math.min(blockValues, this.#ids.count - from), this.pool.scratch);
    const block = this.pool.u32;
    const start = (this.pool.scratch >>> 2) + got.skip;
    let a = start;
    let b = start + got.count;
    while (a < b) {
      const middle = (a + b) >>> 1;
      if (block[middle] < id) a = middle + 1;
      else b = middle;
    }
    return a < start + got.count && block[a] === id ? from + a - start : -1;
  }

  /** The directory decoded: for lists of many ids. Kept while others do not need the memory more. */
  #directory(): Directory {
    let directory = directories.get(this);
    if (!directory) {
      directory = directoryOf(this.#ids.toArray(), this.#counts.toArray(), this.#offsets.toArray());
      keepDirectory(this, directory);
    }
    return directory;
  }

  /** All positions of some ids (ascending), ascending. */
  positions(ids: Uint32Array): Uint32Array {
    if (ids.length === 0) return new Uint32Array(0);
    if (ids.length === 1) return drained(this.cursor(ids[0]));
    const { words: own, lists } = this.#directory();
    const places = new Uint32Array(Math.min(ids.length, this.#ids.count));
    const found = findIds(own, ids, places);
    let total = 0;
    for (let i = 0; i < found; i++) total += lists[places[i] * 2];
    const { universe, scanCount } = this.meta;
    const asBits = total > universe / 64;
    const words = asBits ? new Uint32Array((universe >>> 5) + 1) : undefined;
    const all = asBits ? undefined : new Uint32Array(total);
    const { pool } = this;
    const { u32, scratch, kernels } = pool;
    const first = scratch >>> 2;
    let end = 0;
    const take = (values: Uint32Array, from: number, to: number) => {
      if (all) {
        for (let v = from; v < to; v++) all[end++] = values[v];
      } else for (let v = from; v < to; v++) words![values[v] >>> 5] |= 1 << (values[v] & 31);
    };
    let page = -1;
    let frame = -1;
    let address = 0;
    for (let i = 0; i < found; i++) {
      const count = lists[places[i] * 2];
      const offset = lists[places[i] * 2 + 1];
      if (count >= blockValues || (scanCount > 0 && count >= scanCount)) {
        const list = drained(this.#cursorAt(places[i], count, offset));
        take(list, 0, list.length);
        continue;
      }
      // Short lists lie one behind the other: a page stays pinned for as many as it has.
      const ownPage = Math.floor(offset / pageBytes);
      if (ownPage !== page) {
        if (frame >= 0) pool.release(frame);
        address = this.acquire(offset) - offset;
        frame = this.pinned;
        page = ownPage;
      }
      kernels.unpackTail(address + offset, count, -1, scratch);
      take(u32, first, first + count);
    }
    if (frame >= 0) pool.release(frame);
    return all ? all.sort() : placesOf(pool, words!, total);
  }

  /** How often an id occurs in the segment. */
  count(id: number): number {
    const place = this.#find(id);
    return place < 0 ? 0 : this.#counts.get(place);
  }

  /** The positions of an id. */
  cursor(id: number): PositionCursor {
    const place = this.#find(id);
    if (place < 0) return emptyCursor();
    return this.#cursorAt(place, this.#counts.get(place), this.#offsets.get(place));
  }

  #cursorAt(place: number, count: number, offset: number): PositionCursor {
    if (this.meta.scanCount > 0 && count >= this.meta.scanCount) {
      if (!this.stream) throw new Error("postings of a scanned value need the stream");
      return new ScanCursor(this.pool, this.stream, this.#ids.get(place), count);
    }
    return new ListCursor(this, count, offset);
  }

  /** Pins the page with `offset` in it; returns the address of that byte. Release `pinned` on the pool. */
  acquire(offset: number): number {
    const page = Math.floor(offset / pageBytes);
    const start = page * pageBytes;
    const length = Math.min(pageBytes, this.#listsBytes - start);
    this.pinned = this.pool.acquire(this.pooled, this.#listsAt + start, length, this.#hints[page]);
    this.#hints[page] = this.pinned;
    return this.pool.addressOf(this.pinned) + (offset - start);
  }

  /** The frame that `acquire` pinned last. */
  pinned = 0;
}

/**
 * A directory as it is asked for many ids, most of which may not occur: whether one does is told by a bit, and its place
 * among those that do by the bits before it. That is little memory, and one place of it for an id.
 */
interface Directory {
  /** For every 32 ids of the lexicon: a bit for each that occurs, lowest first; and how many do before them. */
  words: Uint32Array;
  /** For each id that occurs: how often, and where its list is. */
  lists: Uint32Array;
}

function directoryOf(ids: Uint32Array, counts: Uint32Array, offsets: Uint32Array): Directory {
  const count = ids.length;
  const words = new Uint32Array(count === 0 ? 0 : ((ids[count - 1] >>> 5) + 1) * 2);
  const lists = new Uint32Array(count * 2);
  for (let i = 0; i < count; i++) {
    words[(ids[i] >>> 5) * 2] |= 1 << (ids[i] & 31);
    lists[i * 2] = counts[i];
    lists[i * 2 + 1] = offsets[i];
  }
  for (let w = 2; w < words.length; w += 2) words[w + 1] = words[w - 1] + ones(words[w - 2]);
  return { words, lists };
}

/** The places of those of the ids that occur; returns how many do. */
function findIds(words: Uint32Array, ids: Uint32Array, places: Uint32Array): number {
  let found = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    const at = (id >>> 5) * 2;
    if (at >= words.length) break;
    const bits = words[at];
    const bit = 1 << (id & 31);
    if ((bits & bit) !== 0) places[found++] = words[at + 1] + ones(bits & (bit - 1));
  }
  return found;
}

/** Decoded directories of this thread, the one that was used longest ago first. */
const directories = new Map<Postings, Directory>();
let directoryBytes = 0;

function keepDirectory(postings: Postings, directory: Directory): void {
  directories.set(postings, directory);
  directoryBytes += bytesOf(directory);
  for (const [oldest, old] of directories) {
    if (directoryBytes <= limits.directoryBytesMax || oldest === postings) break;
    directories.delete(oldest);
    directoryBytes -= bytesOf(old);
  }
}

function bytesOf({ words, lists }: Directory): number {
  return words.byteLength + lists.byteLength;
}

/** All that a cursor has left. */
function drained(cursor: PositionCursor): Uint32Array {
  const all = new Uint32Array(cursor.remaining);
  let count = 0;
  while (count < all.length) {
    const got = cursor.fill(all.subarray(count));
    if (got === 0) break;
    count += got;
  }
  return count === all.length ? all : all.subarray(0, count);
}

/** The numbers of the bits that are set, ascending; `most` at most. */
function placesOf(pool: Pool, words: Uint32Array, most: number): Uint32Array {
  const all = new Uint32Array(most);
  const { u32, scratch, kernels } = pool;
  const target = scratch + wordsAtOnce * 4;
  let count = 0;
  for (let from = 0; from < words.length; from += wordsAtOnce) {
    const some = words.subarray(from, from + wordsAtOnce);
    u32.set(some, scratch >>> 2);
    const found = kernels.placesOfWords(scratch, some.length, from * 32, target);
    all.set(u32.subarray(target >>> 2, (target >>> 2) + found), count);
    count += found;
  }
  return count === most ? all : all.subarray(0, count);
}

/** Words of bits whose places fit a thread's scratch beside them. */
const wordsAtOnce = 4096;

function ones(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** What cursors that decode batches into a buffer of their own have in common. */
abstract class BatchCursor implements PositionCursor {
  protected batch = new Uint32Array(0);
  protected filled = 0;
  protected at = -1;
  /** Positions in batches not yet read. */
  protected ahead: number;
  #current = -1;

  constructor(count: number) {
    this.ahead = count;
  }

  /** Decodes the next batch into `batch`; false at the end. */
  protected abstract load(): boolean;
  /** Skips batches that end before `target`, without decoding them. */
  protected abstract skip(target: number): void;
  /** Decodes as much as `out` holds straight into it, batch borders permitting; 0 if it cannot. */
  protected abstract direct(out: Uint32Array): number;

  get position(): number {
    return this.#current;
  }

  next(): number {
    if (++this.at < this.filled) return (this.#current = this.batch[this.at]);
    if (this.#current === END || !this.load()) return this.#finish();
    this.at = 0;
    return (this.#current = this.batch[0]);
  }

  seek(target: number): number {
    if (this.#current >= 0 && this.#current >= target) return this.#current;
    if (this.#current === END) return END;
    if (this.filled === 0 || this.batch[this.filled - 1] < target) {
      this.skip(target);
      do {
        if (!this.load()) return this.#finish();
      } while (this.batch[this.filled - 1] < target);
      this.at = -1;
    }
    this.at = gallop(this.batch, target, Math.max(0, this.at), this.filled);
    return (this.#current = this.batch[this.at]);
  }

  fill(out: Uint32Array): number {
    if (this.#current === END) return 0;
    let done = 0;
    while (done < out.length) {
      const held = Math.min(this.filled - this.at - 1, out.length - done);
      if (held > 0) {
        out.set(this.batch.subarray(this.at + 1, this.at + 1 + held), done);
        this.at += held;
        done += held;
        continue;
      }
      const direct = this.direct(done === 0 ? out : out.subarray(done));
      done += direct;
      if (direct > 0) {
        this.filled = 0;
        this.at = -1;
      } else {
        if (!this.load()) break;
        this.at = -1;
      }
    }
    if (done === 0) this.#finish();
    else this.#current = out[done - 1];
    return done;
  }

  get remaining(): number {
    return this.#current === END ? 0 : this.ahead + Math.max(0, this.filled - this.at - 1);
  }

  abstract get cost(): number;

  #finish(): number {
    this.filled = 0;
    this.at = -1;
    this.ahead = 0;
    return (this.#current = END);
  }
}

/** A stored list. */
class ListCursor extends BatchCursor {
  readonly #postings: Postings;
  readonly #count: number;
  readonly #head: number;
  /** Chunks × {last, offset, blocks}; and how many positions precede each. */
  #chunks: Uint32Array | undefined;
  #chunk = 0;
  #block = 0;
  /** Of the last position before the next block. */
  #previous = -1;
  #tailRead = false;

  constructor(postings: Postings, count: number, offset: number) {
    super(count);
    this.#postings = postings;
    this.#count = count;
    this.#head = offset;
    if (count < blockValues) this.#chunks = new Uint32Array(0);
  }

  get cost(): number {
    return 200 + this.remaining * 0.6;
  }

  #open(): Uint32Array {
    if (this.#chunks) return this.#chunks;
    const { pool } = this.#postings;
    const head = this.#postings.acquire(this.#head);
    const page = this.#postings.pinned;
    const chunks = pool.u32[head >>> 2];
    this.#chunks = pool.u32.slice((head >>> 2) + 1, (head >>> 2) + 1 + chunks * 3);
    pool.release(page);
    return this.#chunks;
  }

  protected load(): boolean {
    const chunks = this.#open();
    if (this.#chunk * 3 < chunks.length) {
      if (this.batch.length < blockValues) this.batch = new Uint32Array(blockValues);
      const { pool } = this.#postings;
      this.#decode(1, pool.scratch);
      this.batch.set(pool.u32.subarray(pool.scratch >>> 2, (pool.scratch >>> 2) + blockValues));
      this.filled = blockValues;
      return true;
    }
    return this.#loadTail();
  }

  #loadTail(): boolean {
    const rest = this.#count % blockValues;
    if (this.#tailRead || rest === 0) return false;
    this.#tailRead = true;
    const chunks = this.#chunks!;
    const { pool } = this.#postings;
    const skip = chunks.length === 0 ? 0 : 4 + chunks.length * 4;
    const tail = this.#postings.acquire(this.#head + skip);
    const page = this.#postings.pinned;
    if (this.batch.length < rest) this.batch = new Uint32Array(rest);
    const previous = chunks.length === 0 ? -1 : chunks[chunks.length - 3];
    pool.kernels.unpackTail(tail, rest, previous, pool.scratch);
    pool.release(page);
    this.batch.set(pool.u32.subarray(pool.scratch >>> 2, (pool.scratch >>> 2) + rest));
    this.filled = rest;
    this.ahead = 0;
    return true;
  }

  /** Decodes up to `blocks` blocks of the current chunk to `target`; returns the number of positions. */
  #decode(blocks: number, target: number): number {
    const chunks = this.#chunks!;
    const { pool } = this.#postings;
    const at = this.#chunk * 3;
    const total = chunks[at + 2];
    const wanted = Math.min(blocks, total - this.#block);
    const chunk = this.#postings.acquire(chunks[at + 1]);
    const page = this.#postings.pinned;
    const count = pool.kernels.unpackChunk(chunk, total, this.#block, wanted, this.#previous, target);
    pool.release(page);
    this.#block += wanted;
    this.ahead -= count;
    if (this.#block === total) {
      this.#previous = chunks[at];
      this.#chunk++;
      this.#block = 0;
    }
    return count;
  }

  protected direct(out: Uint32Array): number {
    const chunks = this.#open();
    const blocks = Math.floor(out.length / blockValues);
    if (blocks === 0 || this.#chunk * 3 >= chunks.length) return 0;
    const { pool } = this.#postings;
    if (out.buffer === pool.memory.buffer) return this.#decode(blocks, out.byteOffset);
    const count = this.#decode(Math.min(blocks, 1024), pool.scratch);
    out.set(pool.u32.subarray(pool.scratch >>> 2, (pool.scratch >>> 2) + count));
    return count;
  }

  protected skip(target: number): void {
    const chunks = this.#open();
    const chunkCount = chunks.length / 3;
    const { pool } = this.#postings;
    let chunk = this.#chunk;
    if (chunk < chunkCount && chunks[chunk * 3] < target) {
      let low = chunk + 1;
      let high = chunkCount;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (chunks[middle * 3] < target) low = middle + 1;
        else high = middle;
      }
      for (; chunk < low; chunk++) {
        this.ahead -= (chunks[chunk * 3 + 2] - this.#block) * blockValues;
        this.#block = 0;
      }
      this.#chunk = chunk;
      this.#previous = chunks[(chunk - 1) * 3];
    }
    if (chunk >= chunkCount) return;
    const lasts = this.#postings.acquire(chunks[chunk * 3 + 1]) >>> 2;
    const page = this.#postings.pinned;
    const total = chunks[chunk * 3 + 2];
    const block = gallop(pool.u32, target, lasts + this.#block, lasts + total) - lasts;
    pool.release(page);
    this.ahead -= (block - this.#block) * blockValues;
    this.#block = block;
  }
}

/** A frequent value of a one-byte stream: its positions are found by scanning. */
class ScanCursor extends BatchCursor {
  readonly #pool: Pool;
  readonly #stream: Column;
  readonly #value: number;
  #from = 0;

  constructor(pool: Pool, stream: Column, value: number, count: number) {
    super(count);
    this.#pool = pool;
    this.#stream = stream;
    this.#value = value;
  }

  get cost(): number {
    return 200 + (this.#stream.count - this.#from) * 0.1 + this.remaining * 0.8;
  }

  protected load(): boolean {
    while (this.#from < this.#stream.count) {
      const count = this.#scan(4096, this.#pool.scratch);
      if (count === 0) continue;
      if (this.batch.length === 0) this.batch = new Uint32Array(4096);
      const start = this.#pool.scratch >>> 2;
      this.batch.set(this.#pool.u32.subarray(start, start + count));
      this.filled = count;
      return true;
    }
    return false;
  }

  /** Scans up to `tokens` tokens, to a border between them; returns the number of positions found. */
  #scan(tokens: number, target: number): number {
    const extent = Math.floor(this.#from / pageBytes);
    const inside = this.#from - extent * pageBytes;
    const count = Math.min(tokens, pageBytes - inside, this.#stream.count - this.#from);
    const frame = this.#stream.acquire(extent);
    const address = this.#pool.addressOf(frame) + inside;
    const found = this.#pool.kernels.scanBytes(address, count, this.#value, this.#from, target);
    this.#pool.release(frame);
    this.#from += count;
    this.ahead -= found;
    return found;
  }

  protected direct(out: Uint32Array): number {
    if (out.length < 4096 || out.buffer !== this.#pool.memory.buffer) return 0;
    while (this.#from < this.#stream.count) {
      const found = this.#scan(out.length, out.byteOffset);
      if (found > 0) return found;
    }
    return 0;
  }

  protected skip(target: number): void {
    // How many are skipped is not known: `remaining` stays an upper bound.
    if (target > this.#from) this.#from = Math.min(target, this.#stream.count);
  }
}
