/**
 * Postings: for each id of one attribute in one segment, the sorted positions where it occurs.
 *
 *   ids      ordered column   the ids that occur, ascending
 *   counts   column           how often each occurs
 *   documents column          in how many documents of the segment
 *   offsets  ordered column   where each one's list begins in `lists`
 *   lists    pages of 64 KiB, zero-filled where the next item does not fit: no item crosses a page
 *
 *   list of fewer than 128 positions = tail
 *   list of more  = chunks, and `head` where the offset points:
 *     head  = u32 number of chunks, chunks × {u32 last position, u32 offset of the chunk, u32 blocks}, tail
 *     chunk = blocks × u32 last position, blocks × u8 width, the blocks packed one behind the other
 *     block = 128 gaps at its width (kernels/assembly/postings.ts); the tail holds the positions behind them
 *
 * Where the attribute's stream is of one byte per token, values that occur `scanCount` times or more have no list:
 * scanning the stream finds them as fast. Sections and columns are named with a prefix, so that the postings of a
 * structure's attributes can share its file.
 */
import { writeColumnOf } from "../column/writer.js";
import type { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";

export const postingsVersion = 2;

export interface PostingsMeta {
  /** Positions are below this. */
  universe: number;
  /** Lists of this many positions or more are not stored; 0 where all are. */
  scanCount: number;
}

export interface Lists {
  /** Ascending. */
  ids: Uint32Array;
  counts: Uint32Array;
  documents: Uint32Array;
  /** Address of all positions in the arena, list after list. */
  positions: number;
}

const pageBytes = limits.extentBytes;
const chunkEntryBytes = 12;

export function writePostings(
  file: FileWriter,
  arena: Arena,
  prefix: string,
  lists: Lists,
  meta: PostingsMeta,
): void {
  const mark = arena.mark();
  const offsets = new Uint32Array(lists.ids.length);
  file.section(`${prefix}lists`);
  const pages = new PageWriter(file);
  const writer = new ListWriter(arena, pages, maxStored(lists.counts, meta.scanCount));
  let address = lists.positions;
  for (let i = 0; i < lists.ids.length; i++) {
    const count = lists.counts[i];
    offsets[i] = meta.scanCount > 0 && count >= meta.scanCount ? pages.offset : writer.write(address, count);
    address += count * 4;
  }
  pages.finish();
  arena.release(mark);
  writeCounts(file, arena, prefix, lists);
  writeColumnOf(file, arena, `${prefix}offsets`, offsets, { ordered: true });
  file.meta[`${prefix}postings`] = meta;
}

/** The part of postings that statistics are made of: also written alone, for derived attributes. */
export function writeCounts(
  file: FileWriter,
  arena: Arena,
  prefix: string,
  lists: { ids: Uint32Array; counts: Uint32Array; documents: Uint32Array },
): void {
  writeColumnOf(file, arena, `${prefix}ids`, lists.ids, { ordered: true });
  writeColumnOf(file, arena, `${prefix}counts`, lists.counts);
  writeColumnOf(file, arena, `${prefix}documents`, lists.documents);
}

function maxStored(counts: Uint32Array, scanCount: number): number {
  let most = 0;
  for (const count of counts) if (count > most && !(scanCount > 0 && count >= scanCount)) most = count;
  return most;
}

/** Lays items into pages; an item that does not fit what is left of a page begins the next. */
class PageWriter {
  readonly #page = Buffer.alloc(pageBytes);
  #pages = 0;
  #filled = 0;

  constructor(readonly file: FileWriter) {}

  get offset(): number {
    return this.#pages * pageBytes + this.#filled;
  }

  get room(): number {
    return pageBytes - this.#filled;
  }

  turn(): void {
    this.#page.fill(0, this.#filled);
    this.file.write(this.#page);
    this.#pages++;
    this.#filled = 0;
  }

  add(bytes: Uint8Array): void {
    this.#page.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  align(): void {
    const filled = Math.min(pageBytes, (this.#filled + 3) & ~3);
    this.#page.fill(0, this.#filled, filled);
    this.#filled = filled;
  }

  finish(): void {
    this.file.write(this.#page.subarray(0, this.#filled));
  }
}

class ListWriter {
  readonly #packed: number;
  readonly #tail: number;
  readonly #widths: Uint8Array;

  constructor(
    readonly arena: Arena,
    readonly pages: PageWriter,
    countMax: number,
  ) {
    const blocks = Math.floor(countMax / limits.blockValues);
    // A list of n positions below 2^27 can be at most a little larger than its blocks at 28 bits.
    this.#packed = arena.allocate(blocks * 16 * 28 + 1024);
    this.#tail = arena.allocate(1024);
    this.#widths = new Uint8Array(blocks);
  }

  /** Writes one list; returns its offset. */
  write(address: number, count: number): number {
    const { arena, pages } = this;
    const blocks = Math.floor(count / limits.blockValues);
    if (blocks === 0) {
      const bytes = arena.kernels.packTail(address, count, -1, this.#tail);
      if (bytes > pages.room) pages.turn();
      const offset = pages.offset;
      pages.add(arena.bytes(this.#tail, bytes));
      return offset;
    }
    this.#packBlocks(address, blocks);
    const head = this.#writeChunks(address, blocks);
    const rest = count - blocks * limits.blockValues;
    let tailBytes = 0;
    if (rest > 0) {
      const previous = arena.u32[(address >>> 2) + blocks * limits.blockValues - 1];
      tailBytes = arena.kernels.packTail(
        address + blocks * limits.blockValues * 4,
        rest,
        previous,
        this.#tail,
      );
    }
    pages.align();
    if (head.length + tailBytes > pages.room) pages.turn();
    const offset = pages.offset;
    pages.add(head);
    pages.add(arena.bytes(this.#tail, tailBytes));
    return offset;
  }

  #packBlocks(address: number, blocks: number): void {
    const { kernels, u32 } = this.arena;
    let target = this.#packed;
    let previous = -1;
    for (let b = 0; b < blocks; b++) {
      const width = kernels.packPositions(address + b * 512, previous, target);
      this.#widths[b] = width;
      target += width * 16;
      previous = u32[(address >>> 2) + b * 128 + 127] | 0;
    }
  }

  /** Spreads the packed blocks over pages; returns the list's head without its tail. */
  #writeChunks(address: number, blocks: number): Buffer {
    const { pages, arena } = this;
    const entries: number[] = [];
    const lastOf = (block: number) => arena.u32[(address >>> 2) + block * 128 + 127];
    let source = this.#packed;
    for (let first = 0; first < blocks; ) {
      pages.align();
      let fitting = 0;
      let bytes = 0;
      while (first + fitting < blocks) {
        const more = 5 + this.#widths[first + fitting] * 16;
        if (bytes + more > pages.room) break;
        bytes += more;
        fitting++;
      }
      // Not worth a chunk of its own at the end of a page, unless it is all there is.
      if (fitting === 0 || (fitting < 4 && first + fitting < blocks && pages.room < pageBytes)) {
        pages.turn();
        continue;
      }
      entries.push(lastOf(first + fitting - 1), pages.offset, fitting);
      const table = Buffer.allocUnsafe(fitting * 5);
      for (let b = 0; b < fitting; b++) {
        table.writeUInt32LE(lastOf(first + b), b * 4);
        table[fitting * 4 + b] = this.#widths[first + b];
      }
      pages.add(table);
      pages.add(arena.bytes(source, bytes - fitting * 5));
      source += bytes - fitting * 5;
      first += fitting;
    }
    const head = Buffer.allocUnsafe(4 + (entries.length / 3) * chunkEntryBytes);
    head.writeUInt32LE(entries.length / 3, 0);
    entries.forEach((value, i) => {
      head.writeUInt32LE(value, 4 + i * 4);
    });
    return head;
  }
}
