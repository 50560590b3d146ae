/** Writes lexicon, statistics and map files (format.ts). */
import { writeColumnOf } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { lexiconVersion, mapVersion, putVarint, statisticsVersion, stringsPerBlock } from "./format.js";

export interface SortedStrings {
  count: number;
  /** Bytes of string `rank` as [start, end) in `heap`. */
  heap: Uint8Array;
  start(rank: number): number;
  end(rank: number): number;
}

/** Writes one generation: strings in byte order, and the id (less `base`) of each. */
export async function writeLexicon(
  path: string,
  arena: Arena,
  strings: SortedStrings,
  ids: Uint32Array,
  base: number,
): Promise<number> {
  const file = new FileWriter(path, "lexicon", lexiconVersion);
  file.meta.base = base;
  file.meta.count = strings.count;
  file.section("strings");
  const blocks = writeStrings(file, strings);
  const ranks = new Uint32Array(ids.length);
  for (let rank = 0; rank < ids.length; rank++) ranks[ids[rank]] = rank;
  writeColumnOf(file, arena, "blocks", blocks, { ordered: true });
  writeColumnOf(file, arena, "ids", ids);
  writeColumnOf(file, arena, "ranks", ranks);
  return file.finish();
}

/** Front-codes strings into the section that is open; returns the offset of each block. */
export function writeStrings(file: FileWriter, strings: SortedStrings): Uint32Array {
  const { heap } = strings;
  const blocks = new Uint32Array(Math.ceil(strings.count / stringsPerBlock));
  let buffer = new Uint8Array(1 << 16);
  let offset = 0;
  for (let block = 0; block < blocks.length; block++) {
    blocks[block] = offset;
    const last = Math.min(strings.count, (block + 1) * stringsPerBlock);
    let at = 0;
    for (let rank = block * stringsPerBlock; rank < last; rank++) {
      const start = strings.start(rank);
      const end = strings.end(rank);
      if (at + end - start + 16 > buffer.length) {
        const larger = new Uint8Array((at + end - start + 16) * 2);
        larger.set(buffer.subarray(0, at));
        buffer = larger;
      }
      let shared = 0;
      if (rank % stringsPerBlock > 0) {
        const before = strings.start(rank - 1);
        const most = Math.min(end - start, strings.end(rank - 1) - before);
        while (shared < most && heap[before + shared] === heap[start + shared]) shared++;
        at = putVarint(buffer, at, shared);
      }
      at = putVarint(buffer, at, end - start - shared);
      buffer.set(heap.subarray(start + shared, end), at);
      at += end - start - shared;
    }
    file.write(buffer.subarray(0, at));
    offset += at;
  }
  return blocks;
}

export async function writeStatistics(
  path: string,
  arena: Arena,
  frequency: Float64Array,
  documents: Uint32Array,
): Promise<number> {
  const file = new FileWriter(path, "statistics", statisticsVersion);
  const low = new Uint32Array(frequency.length);
  const high = new Uint32Array(frequency.length);
  for (let id = 0; id < frequency.length; id++) {
    low[id] = frequency[id] % 2 ** 32;
    high[id] = Math.floor(frequency[id] / 2 ** 32);
  }
  writeColumnOf(file, arena, "frequency", low);
  writeColumnOf(file, arena, "frequencyHigh", high);
  writeColumnOf(file, arena, "documents", documents);
  return file.finish();
}

/** `starts` is left out where every base id has exactly one derived id. */
export async function writeMap(
  path: string,
  arena: Arena,
  base: number,
  values: Uint32Array,
  starts?: Uint32Array,
): Promise<number> {
  const file = new FileWriter(path, "map", mapVersion);
  file.meta.base = base;
  file.meta.count = starts ? starts.length - 1 : values.length;
  writeColumnOf(file, arena, "values", values);
  if (starts) writeColumnOf(file, arena, "starts", starts, { ordered: true });
  return file.finish();
}
