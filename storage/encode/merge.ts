/**
 * The lexicon of one key (an attribute, or an attribute of a structure) from the local lexicons of all segments,
 * in the order of the segments, so that the outcome does not depend on who parsed what when. Strings that the
 * corpus has already keep their ids; new ones get the ids that follow, by falling frequency, then in byte order.
 *
 * Numbers file (kind "numbers"; lives in the job's work folder): how local numbers become ids.
 *   segment:<n>   u32 per local string of segment n: its number in the merged table
 *   ids           u32 per number: its id
 */
import { type ColumnLoader, columnsOfArena } from "../column/reader.js";
import { deriver } from "../derive/derive.js";
import { FileReader, readFully } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { type Arena, outOfMemory } from "../kernels/arena.js";
import { Generation, StringWalk } from "../lexicon/generation.js";
import { writeLexiconAt, writeMap } from "../lexicon/writer.js";
import { parsedVersion } from "./parse.js";

export const numbersVersion = 1;

/** A lexicon that is derived from the merged one. */
export interface DerivedTask {
  key: string;
  generations: string[];
  size: number;
  derivation: { function: string; arguments: string[] } | { separator: string };
  lexiconPath: string;
  mapPath: string;
}

export interface MergeTask {
  key: string;
  parsed: { ordinal: number; path: string }[];
  /** Lexicon files of the generations that exist, and how many ids they have. */
  generations: string[];
  size: number;
  lexiconPath: string;
  numbersPath: string;
  derived: DerivedTask[];
}

export interface MergedLexicon {
  key: string;
  size: number;
  /** New ids; no file was written if there are none. */
  added: number;
  bytes: number;
  mapBytes: number;
}

export async function mergeLexicon(arena: Arena, task: MergeTask): Promise<MergedLexicon[]> {
  arena.reset();
  const load = columnsOfArena(arena);
  const merged = new MergedTable(arena, load, task.generations);
  const numbers = new FileWriter(task.numbersPath, "numbers", numbersVersion);
  merged.addSegments(task, numbers);
  const ranked = merged.rank();
  numbers.add("ids", arena.bytes(ranked.idOfNumber, merged.count * 4));
  // Nothing is awaited before all is computed: while the disk writes, the thread works on the next lexicon.
  const numbersWritten = numbers.finish({ durable: false });
  const results = [merged.write(task.key, task.lexiconPath, ranked)];
  for (const derived of task.derived) results.push(mergeDerived(arena, load, merged, ranked, derived));
  await numbersWritten;
  return Promise.all(results);
}

/** All but `fresh` are addresses in the arena. */
interface Ranked {
  /** Strings that are new. */
  fresh: number;
  /** Number in the table → id. */
  idOfNumber: number;
  /** New numbers in byte order, the id (less those that exist) of each, and the rank of each id. */
  sorted: number;
  ids: number;
  ranks: number;
}

/** A kernel's table with all strings of a lexicon: those of its generations first, numbered by their ids. */
class MergedTable {
  readonly table: number;
  readonly existing: number;

  constructor(
    readonly arena: Arena,
    load: ColumnLoader,
    generations: string[],
  ) {
    const loaded = generations.map((path) => Generation.load(load, path));
    this.existing = loaded.reduce((sum, generation) => sum + generation.count, 0);
    this.table = arena.kernels.newTable(Math.max(4096, this.existing)) >>> 0;
    if (this.table === 0) throw outOfMemory();
    for (const generation of loaded) this.#addGeneration(generation);
  }

  get count(): number {
    return this.arena.u32[(this.table >>> 2) + 2];
  }

  entry(number: number): number {
    return (this.arena.u32[(this.table >>> 2) + 3] >>> 2) + number * 4;
  }

  #addGeneration(generation: Generation): void {
    const { arena } = this;
    const starts = new Uint32Array(generation.count + 1);
    const lengths = new Uint32Array(generation.count);
    const walk = new StringWalk(generation, 0);
    let total = 0;
    for (let rank = 0; walk.next(); rank++) {
      lengths[generation.ids[rank]] = walk.length;
      total += walk.length;
    }
    for (let i = 0; i < generation.count; i++) starts[i + 1] = starts[i] + lengths[i];
    const heap = arena.allocate(total + 16);
    const again = new StringWalk(generation, 0);
    for (let rank = 0; again.next(); rank++) {
      arena.u8.set(again.bytes.subarray(0, again.length), heap + starts[generation.ids[rank]]);
    }
    const ends = arena.put(starts.subarray(1));
    const numbers = arena.allocate(generation.count * 4);
    if (!arena.kernels.internAll(this.table, heap, ends, 0, generation.count, numbers)) throw outOfMemory();
  }

  addSegments(task: MergeTask, numbers: FileWriter): void {
    const { arena } = this;
    const { key } = task;
    // Staging places for one segment after the other; a larger segment gets larger ones.
    const places = { heap: 0, ends: 0, counts: 0, numbers: 0 };
    const room = { heap: 0, ends: 0 };
    for (const { ordinal, path } of task.parsed) {
      numbers.section(`segment:${ordinal}`);
      const file = FileReader.open(path, "parsed", parsedVersion);
      if (file.has(`heap:${key}`)) {
        const heapBytes = file.section(`heap:${key}`)[1];
        const endsBytes = file.section(`ends:${key}`)[1];
        if (places.heap === 0 || heapBytes > room.heap) {
          room.heap = heapBytes * 2;
          places.heap = arena.allocate(room.heap);
        }
        if (places.ends === 0 || endsBytes > room.ends) {
          room.ends = endsBytes * 2;
          for (const place of ["ends", "counts", "numbers"] as const)
            places[place] = arena.allocate(room.ends);
        }
        for (const section of ["heap", "ends", "counts"] as const) {
          const [offset, bytes] = file.section(`${section}:${key}`);
          readFully(file.fd, arena.bytes(places[section], bytes), offset);
        }
        const { heap, ends, counts, numbers: own } = places;
        if (!arena.kernels.internAll(this.table, heap, ends, counts, endsBytes / 4, own)) throw outOfMemory();
        numbers.write(arena.bytes(own, endsBytes));
      }
      file.close();
    }
  }

  /** Gives the new strings their ids. */
  rank(): Ranked {
    const { arena, existing, table, count } = this;
    const { kernels } = arena;
    const fresh = count - existing;
    const [sorted, ids, ranks] = [0, 0, 0].map(() => arena.allocate(fresh * 4 + 16));
    const idOfNumber = arena.allocate(count * 4);
    const mark = arena.mark();
    kernels.sortTable(table, existing, arena.allocate(fresh * 16 + 16), sorted);
    arena.release(mark);
    const counts = arena.allocate(count * 4);
    const [frequencies, scratch] = [arena.allocate(fresh * 4), arena.allocate(fresh * 4)];
    kernels.tableColumns(table, 0, 0, counts);
    kernels.gather(sorted, fresh, counts, frequencies);
    kernels.sortKeys(frequencies, fresh, true, ranks, scratch);
    kernels.turnRound(ranks, fresh, 0, ids);
    kernels.gather(ranks, fresh, sorted, scratch);
    kernels.turnRound(scratch, fresh, existing, idOfNumber);
    arena.release(mark);
    countUp(arena.integers(idOfNumber, existing));
    return { fresh, idOfNumber, sorted, ids, ranks };
  }

  async write(key: string, path: string, { fresh, sorted, ids, ranks }: Ranked): Promise<MergedLexicon> {
    const { arena, table, count, existing } = this;
    const { kernels } = arena;
    const result = { key, size: count, added: fresh, bytes: 0, mapBytes: 0 };
    if (fresh === 0 && existing > 0) return result;
    const mark = arena.mark();
    const [starts, lengths] = [arena.allocate(fresh * 4), arena.allocate(fresh * 4)];
    const [allStarts, allLengths] = [arena.allocate(count * 4 + 4), arena.allocate(count * 4)];
    kernels.tableColumns(table, allStarts, allLengths, 0);
    kernels.gather(sorted, fresh, allStarts, starts);
    kernels.gather(sorted, fresh, allLengths, lengths);
    const strings = { count: fresh, heap: arena.u32[(table >>> 2) + 5], starts, lengths };
    const written = writeLexiconAt(path, arena, strings, ids, ranks, existing);
    arena.release(mark);
    result.bytes = await written;
    return result;
  }

  /** Adds one string, counting it `count` times; returns its number. */
  add(string: Uint8Array, count: number, staging: number): number {
    const { arena } = this;
    arena.u8.set(string, staging);
    const number = arena.kernels.intern(this.table, staging, string.length);
    if (number < 0) throw outOfMemory();
    const at = this.entry(number) + 2;
    arena.u32[at] = Math.min(0xffffffff, arena.u32[at] + count);
    return number;
  }

  bytesOf(number: number): Uint8Array {
    const { u32, u8 } = this.arena;
    const at = this.entry(number);
    const start = u32[(this.table >>> 2) + 5] + u32[at];
    return u8.subarray(start, start + u32[at + 1]);
  }
}

/** Derives strings from the new ones of `base`, in the order of their ids. */
async function mergeDerived(
  arena: Arena,
  load: ColumnLoader,
  base: MergedTable,
  ranked: Ranked,
  task: DerivedTask,
): Promise<MergedLexicon> {
  const { fresh } = ranked;
  const numbersAt = arena.allocate(fresh * 4);
  arena.kernels.gather(ranked.ranks, fresh, ranked.sorted, numbersAt);
  const numberOfId = arena.integers(numbersAt, fresh);
  const table = new MergedTable(arena, load, task.generations);
  const several = "separator" in task.derivation;
  const derive = several
    ? splitter((task.derivation as { separator: string }).separator)
    : single(deriver(task.derivation as { function: string; arguments: string[] }));
  let stagingBytes = 1 << 16;
  let staging = arena.allocate(stagingBytes);
  const starts = new Uint32Array(fresh + 1);
  let values = new Uint32Array(fresh + 16);
  let at = 0;
  for (let i = 0; i < fresh; i++) {
    const count = arena.u32[base.entry(numberOfId[i]) + 2];
    for (const string of derive(Buffer.from(base.bytesOf(numberOfId[i])).toString())) {
      const bytes = Buffer.from(string);
      if (bytes.length > stagingBytes) {
        stagingBytes = bytes.length * 2;
        staging = arena.allocate(stagingBytes);
      }
      if (at === values.length) {
        const larger = new Uint32Array(at * 2);
        larger.set(values);
        values = larger;
      }
      values[at++] = table.add(bytes, count, staging);
    }
    starts[i + 1] = at;
  }
  const derivedRanks = table.rank();
  const idOfNumber = arena.integers(derivedRanks.idOfNumber, table.count);
  const ids = values.subarray(0, at).map((number) => idOfNumber[number]);
  const lexicon = table.write(task.key, task.lexiconPath, derivedRanks);
  const map = writeMap(task.mapPath, arena, base.existing, ids, several ? starts : undefined);
  return { ...(await lexicon), mapBytes: await map };
}

function single(derive: (value: string) => string): (value: string) => string[] {
  return (value) => [derive(value)];
}

/** The distinct values of a multi-value string; separators at its ends, or alone, stand for nothing. */
export function splitter(separator: string): (value: string) => string[] {
  if (separator === "") return (value) => [...new Set(value)];
  return (value) => {
    if (!value.includes(separator)) return [value];
    return [...new Set(value.split(separator).filter((part) => part !== ""))];
  };
}

/** 0, 1, 2 … */
function countUp(values: Uint32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = i;
}
