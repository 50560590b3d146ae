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
import { writeColumn } from "../column/writer.js";
import type { FileWriter } from "../file/writer.js";
import { type Arena, outOfMemory } from "../kernels/arena.js";

export const postingsVersion = 2;

export interface PostingsMeta {
  /** Positions are below this. */
  universe: number;
  /** Lists of this many positions or more are not stored; 0 where all are. */
  scanCount: number;
}

/** What postings count of each id: addresses in the arena, `count` integers each. */
export interface Counts {
  count: number;
  /** Ascending. */
  ids: number;
  counts: number;
  documents: number;
}

export interface Lists extends Counts {
  /** Address of all positions, list after list. */
  positions: number;
}

export function writePostings(
  file: FileWriter,
  arena: Arena,
  prefix: string,
  lists: Lists,
  meta: PostingsMeta,
): void {
  const { count } = lists;
  const mark = arena.mark();
  const offsets = arena.allocate((count + 1) * 4);
  const pages = arena.kernels.layLists(lists.positions, lists.counts, count, meta.scanCount, offsets) >>> 0;
  if (pages === 0) throw outOfMemory();
  file.add(`${prefix}lists`, arena.bytes(pages, arena.u32[(offsets >>> 2) + count]));
  writeCounts(file, arena, prefix, lists);
  writeColumn(file, arena, `${prefix}offsets`, offsets, count, { ordered: true });
  arena.release(mark);
  file.meta[`${prefix}postings`] = meta;
}

/** The part of postings that statistics are made of: also written alone, for derived attributes. */
export function writeCounts(file: FileWriter, arena: Arena, prefix: string, lists: Counts): void {
  const { count } = lists;
  writeColumn(file, arena, `${prefix}ids`, lists.ids, count, { ordered: true });
  writeColumn(file, arena, `${prefix}counts`, lists.counts, count);
  writeColumn(file, arena, `${prefix}documents`, lists.documents, count);
}
