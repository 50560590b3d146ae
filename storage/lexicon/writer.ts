/** Writes lexicon, statistics and map files (format.ts). */
import { writeColumn, writeColumnOf } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { lexiconVersion, mapVersion, statisticsVersion, stringsPerBlock } from "./format.js";

/** Strings one after the other: string i is bytes [starts[i], ends[i]) of `heap`. */
export interface Strings {
  heap: Uint8Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Strings in the arena: string i is lengths[i] bytes from heap + starts[i] on. All but `count` are addresses. */
export interface StringsAt {
  count: number;
  heap: number;
  starts: number;
  lengths: number;
}

/** Writes one generation: strings in byte order, and the id (less `base`) of each. */
export function writeLexicon(
  path: string,
  arena: Arena,
  { heap, starts, ends }: Strings,
  ids: Uint32Array,
  base: number,
): Promise<number> {
  const count = ids.length;
  const mark = arena.mark();
  const strings = {
    count,
    heap: arena.putBytes(heap),
    starts: arena.put(starts),
    lengths: arena.put(ends.map((end, i) => end - starts[i])),
  };
  const idsAt = arena.put(ids);
  const ranks = arena.allocate(count * 4);
  arena.kernels.turnRound(idsAt, count, 0, ranks);
  const written = writeLexiconAt(path, arena, strings, idsAt, ranks, base);
  arena.release(mark);
  return written;
}

/** The same of what is in the arena already: `ids` and, the other way round, `ranks` are addresses. */
export function writeLexiconAt(
  path: string,
  arena: Arena,
  strings: StringsAt,
  ids: number,
  ranks: number,
  base: number,
): Promise<number> {
  const { count } = strings;
  const file = new FileWriter(path, "lexicon", lexiconVersion);
  file.meta.base = base;
  file.meta.count = count;
  file.section("strings");
  const mark = arena.mark();
  const blocks = writeStrings(file, arena, strings);
  writeColumn(file, arena, "blocks", blocks.address, blocks.count, { ordered: true });
  arena.release(mark);
  writeColumn(file, arena, "ids", ids, count);
  writeColumn(file, arena, "ranks", ranks, count);
  return file.finish();
}

/** Front-codes strings into the section that is open; returns where the offset of each block is in the arena. */
export function writeStrings(
  file: FileWriter,
  arena: Arena,
  { count, heap, starts, lengths }: StringsAt,
): { address: number; count: number } {
  const blocks = { address: 0, count: Math.ceil(count / stringsPerBlock) };
  blocks.address = arena.allocate(blocks.count * 4);
  const mark = arena.mark();
  const state = arena.allocate(8);
  let room = 1 << 18;
  let target = arena.allocate(room);
  let written = 0;
  for (let from = 0; from < count; ) {
    arena.kernels.frontCode(heap, starts, lengths, from, count, target, room, blocks.address, written, state);
    const [next, bytes] = arena.integers(state, 2);
    if (next === from) {
      // Not even one string fits.
      room *= 2;
      target = arena.allocate(room);
    }
    file.write(arena.bytes(target, bytes));
    written += bytes;
    from = next;
  }
  arena.release(mark);
  return blocks;
}

/** `frequency` and `documents` are addresses of `count` integers of 64 and of 32 bits. */
export function writeStatistics(
  path: string,
  arena: Arena,
  count: number,
  frequency: number,
  documents: number,
): Promise<number> {
  const file = new FileWriter(path, "statistics", statisticsVersion);
  const mark = arena.mark();
  const [low, high] = [arena.allocate(count * 4), arena.allocate(count * 4)];
  arena.kernels.splitHalves(frequency, count, low, high);
  writeColumn(file, arena, "frequency", low, count);
  writeColumn(file, arena, "frequencyHigh", high, count);
  arena.release(mark);
  writeColumn(file, arena, "documents", documents, count);
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
