/** Writes lexicon, statistics and map files (format.ts). */
import { writeColumnOf } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { lexiconVersion, mapVersion, putVarint, statisticsVersion, stringsPerBlock } from "./format.js";

/** Strings one after the other: string i is bytes [starts[i], ends[i]) of `heap`. */
export interface Strings {
  heap: Uint8Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Writes one generation: strings in byte order, and the id (less `base`) of each. */
export async function writeLexicon(
  path: string,
  arena: Arena,
  strings: Strings,
  ids: Uint32Array,
  base: number,
): Promise<number> {
  const file = new FileWriter(path, "lexicon", lexiconVersion);
  file.meta.base = base;
  file.meta.count = ids.length;
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
export function writeStrings(file: FileWriter, strings: Strings): Uint32Array {
  const { heap, starts, ends } = strings;
  const count = starts.length;
  const blocks = new Uint32Array(Math.ceil(count / stringsPerBlock));
  let buffer = new Uint8Array(1 << 18);
  let at = 0;
  let written = 0;
  for (let i = 0; i < count; i++) {
    const start = starts[i];
    const length = ends[i] - start;
    if (at + length + 16 > buffer.length) {
      file.write(buffer.subarray(0, at));
      written += at;
      at = 0;
      if (length + 16 > buffer.length) buffer = new Uint8Array(length + 16);
    }
    let shared = 0;
    if (i % stringsPerBlock === 0) blocks[i / stringsPerBlock] = written + at;
    else {
      const before = starts[i - 1];
      const most = Math.min(length, ends[i - 1] - before);
      while (shared < most && heap[before + shared] === heap[start + shared]) shared++;
      at = putVarint(buffer, at, shared);
    }
    const rest = length - shared;
    at = putVarint(buffer, at, rest);
    if (rest < 32) for (let k = 0; k < rest; k++) buffer[at + k] = heap[start + shared + k];
    else buffer.set(heap.subarray(start + shared, start + length), at);
    at += rest;
  }
  file.write(buffer.subarray(0, at));
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
