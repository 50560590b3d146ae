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
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { type Arena, outOfMemory } from "../kernels/arena.js";
import { Generation, StringWalk } from "../lexicon/generation.js";
import { writeLexicon, writeMap } from "../lexicon/writer.js";
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
  numbers.add("ids", new Uint8Array(ranked.idOfNumber.buffer));
  // Nothing is awaited before all is computed: while the disk writes, the thread works on the next lexicon.
  const numbersWritten = numbers.finish({ durable: false });
  const results = [merged.write(task.key, task.lexiconPath, ranked)];
  for (const derived of task.derived) results.push(mergeDerived(arena, load, merged, ranked, derived));
  await numbersWritten;
  return Promise.all(results);
}

interface Ranked {
  /** Number in the table → id. */
  idOfNumber: Uint32Array;
  /** New numbers in byte order. */
  sorted: Uint32Array;
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
    // One staging place for all, before the table begins to grow behind it.
    let heapBytes = 16;
    let endsBytes = 16;
    const each = (work: (file: FileReader, ordinal: number) => void) => {
      for (const { ordinal, path } of task.parsed) {
        const file = FileReader.open(path, "parsed", parsedVersion);
        work(file, ordinal);
        file.close();
      }
    };
    each((file) => {
      if (!file.has(`heap:${key}`)) return;
      heapBytes = Math.max(heapBytes, file.section(`heap:${key}`)[1]);
      endsBytes = Math.max(endsBytes, file.section(`ends:${key}`)[1]);
    });
    const heap = arena.allocate(heapBytes + 16);
    const [ends, counts, out] = [
      arena.allocate(endsBytes),
      arena.allocate(endsBytes),
      arena.allocate(endsBytes),
    ];
    each((file, ordinal) => {
      numbers.section(`segment:${ordinal}`);
      if (!file.has(`heap:${key}`)) return;
      arena.u8.set(file.read(`heap:${key}`), heap);
      arena.u8.set(file.read(`ends:${key}`), ends);
      arena.u8.set(file.read(`counts:${key}`), counts);
      const count = file.section(`ends:${key}`)[1] / 4;
      if (!arena.kernels.internAll(this.table, heap, ends, counts, count, out)) throw outOfMemory();
      numbers.write(arena.bytes(out, count * 4));
    });
  }

  /** Gives the new strings their ids. */
  rank(): Ranked {
    const { arena, existing } = this;
    const fresh = this.count - existing;
    const mark = arena.mark();
    const scratch = arena.allocate(fresh * 16 + 16);
    const order = arena.allocate(fresh * 4 + 16);
    arena.kernels.sortTable(this.table, existing, scratch, order);
    const sorted = arena.integers(order, fresh).slice();
    arena.release(mark);
    const { u32 } = arena;
    const first = this.entry(existing);
    const frequencies = new Uint32Array(fresh);
    for (let i = 0; i < fresh; i++) frequencies[i] = u32[first + (sorted[i] - existing) * 4 + 2];
    const byFrequency = sortByFallingKey(sorted, frequencies);
    const idOfNumber = new Uint32Array(this.count);
    for (let id = 0; id < existing; id++) idOfNumber[id] = id;
    for (let i = 0; i < fresh; i++) idOfNumber[byFrequency[i]] = existing + i;
    return { idOfNumber, sorted };
  }

  async write(key: string, path: string, { idOfNumber, sorted }: Ranked): Promise<MergedLexicon> {
    const { arena } = this;
    const result = { key, size: this.count, added: sorted.length, bytes: 0, mapBytes: 0 };
    if (sorted.length === 0 && this.existing > 0) return result;
    const { u32, u8 } = arena;
    const heap = u32[(this.table >>> 2) + 5];
    const entries = this.entry(0);
    const starts = sorted.map((number) => heap + u32[entries + number * 4]);
    const ends = sorted.map((number, rank) => starts[rank] + u32[entries + number * 4 + 1]);
    const ids = sorted.map((number) => idOfNumber[number] - this.existing);
    result.bytes = await writeLexicon(path, arena, { heap: u8, starts, ends }, ids, this.existing);
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
  const fresh = ranked.sorted.length;
  const numberOfId = new Uint32Array(fresh);
  for (const number of ranked.sorted) numberOfId[ranked.idOfNumber[number] - base.existing] = number;
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
  const ids = values.subarray(0, at).map((number) => derivedRanks.idOfNumber[number]);
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

/** Sorts numbers by falling key, equal keys in the order they have: a counting sort on 16 bits, twice. */
export function sortByFallingKey(numbers: Uint32Array, keys: Uint32Array): Uint32Array {
  const count = numbers.length;
  let from = Uint32Array.from(numbers.keys());
  let to = new Uint32Array(count);
  const places = new Uint32Array(65_537);
  for (const shift of [0, 16]) {
    places.fill(0);
    for (let i = 0; i < count; i++) places[65_536 - ((keys[from[i]] >>> shift) & 0xffff)]++;
    for (let k = 0; k < 65_536; k++) places[k + 1] += places[k];
    for (let i = 0; i < count; i++) to[places[65_535 - ((keys[from[i]] >>> shift) & 0xffff)]++] = from[i];
    [from, to] = [to, from];
  }
  return from.map((index) => numbers[index]);
}
