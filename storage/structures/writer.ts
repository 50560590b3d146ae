/**
 * Structures of one kind in one segment: ranges of tokens, in the order in which they open (by begin; where begins
 * are equal, the outer first), with their attributes.
 *
 * Structure file (kind "structure"):
 *   begins            ordered column: first token
 *   lengths           column: tokens
 *   parents           column: i − index of the nearest enclosing structure of this kind, 0 where there is none;
 *                     left out where no two nest and none is empty
 *   value:<a>         column: id of attribute a's value, plus 1; 0 where a structure has none
 *   list:<a>:ids …    postings of attribute a (postings/writer.ts): value id → structures that have it
 *   table:<a>         a unique attribute instead: its strings in order, front-coded in blocks of 16
 *   blocks:<a>        ordered column: offset of each block in table:<a>
 *   absent:<a>        ordered column: structures without the attribute; left out where there are none
 *   meta              {carriedIn, carriedOut, attributes: {<a>: {unique}}}
 *
 * A structure that goes beyond its segment is stored as pieces. The first `carriedIn` structures continue ones of
 * the segment before; `carriedOut` lists those that go on in the next, where they stand in the same order.
 */
import type { StructureRecord } from "../catalog/manifest.js";
import { writeColumn, writeColumnOf } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { type StringsAt, writeStrings } from "../lexicon/writer.js";
import { writePostings } from "../postings/writer.js";

export const structureVersion = 2;

export interface StructureMeta {
  carriedIn: number;
  carriedOut: number[];
  attributes: Record<string, { unique: boolean }>;
}

export interface StructureColumns {
  begins: Uint32Array;
  ends: Uint32Array;
  carriedIn: number;
  carriedOut: number[];
}

/** What the manifest says of the structures. */
export function structureRecord({ begins, carriedIn, carriedOut }: StructureColumns): StructureRecord {
  return { count: begins.length, carriedIn, carriedOut };
}

/** The prefix of an attribute's postings: no attribute can be called so that it is another's. */
export function listPrefix(attribute: string): string {
  return `list:${attribute}:`;
}

export class StructureWriter {
  readonly #file: FileWriter;
  readonly #meta: StructureMeta;

  constructor(
    path: string,
    readonly arena: Arena,
    readonly columns: StructureColumns,
  ) {
    this.#file = new FileWriter(path, "structure", structureVersion);
    const { begins, ends, carriedIn, carriedOut } = columns;
    this.#meta = { carriedIn, carriedOut, attributes: {} };
    const mark = arena.mark();
    const count = begins.length;
    const [beginsAt, endsAt, lengthsAt] = [arena.put(begins), arena.put(ends), arena.allocate(count * 4)];
    const apart = arena.kernels.lengthsOf(beginsAt, endsAt, count, lengthsAt);
    writeColumn(this.#file, arena, "begins", beginsAt, count, { ordered: true });
    writeColumn(this.#file, arena, "lengths", lengthsAt, count);
    if (!apart) writeColumnOf(this.#file, arena, "parents", parentsOf(begins, ends));
    arena.release(mark);
  }

  /** An attribute with a lexicon: per structure the id of its value plus 1, or 0. */
  attribute(name: string, values: Uint32Array): void {
    this.#meta.attributes[name] = { unique: false };
    const { arena } = this;
    const count = values.length;
    const mark = arena.mark();
    const address = arena.put(values);
    writeColumn(this.#file, arena, `value:${name}`, address, count);
    // From "value plus 1 of each structure" to "structures of each value"; those without one come first.
    const order = arena.allocate(count * 4);
    const [ids, counts] = [arena.allocate(count * 4), arena.allocate(count * 4)];
    arena.kernels.sortKeys(address, count, false, order, ids);
    let absent = 0;
    const { u32 } = arena;
    while (absent < count && u32[(address >>> 2) + u32[(order >>> 2) + absent]] === 0) absent++;
    const positions = order + absent * 4;
    const runs = arena.kernels.findRuns(address, positions, count - absent, 1, ids, counts);
    writePostings(
      this.#file,
      arena,
      listPrefix(name),
      { count: runs, ids, counts, documents: counts, positions },
      { universe: count, scanCount: 0 },
    );
    arena.release(mark);
  }

  /** A unique attribute: a string per structure, or undefined. */
  unique(name: string, strings: (Uint8Array | undefined)[]): void {
    this.#meta.attributes[name] = { unique: true };
    const { arena } = this;
    const absent: number[] = [];
    strings.forEach((string, i) => {
      if (string === undefined) absent.push(i);
    });
    const mark = arena.mark();
    this.#file.section(`table:${name}`);
    const blocks = writeStrings(this.#file, arena, putStrings(arena, strings));
    writeColumn(this.#file, arena, `blocks:${name}`, blocks.address, blocks.count, { ordered: true });
    arena.release(mark);
    if (absent.length > 0) {
      writeColumnOf(this.#file, arena, `absent:${name}`, Uint32Array.from(absent), { ordered: true });
    }
  }

  finish(): Promise<number> {
    Object.assign(this.#file.meta, this.#meta);
    return this.#file.finish();
  }
}

/** Brings strings into the arena; those that are absent are empty. */
function putStrings(arena: Arena, strings: (Uint8Array | undefined)[]): StringsAt {
  const lengths = Uint32Array.from(strings, (string) => string?.length ?? 0);
  const starts = arena.allocate(strings.length * 4);
  const at = arena.put(lengths);
  arena.kernels.sumBefore(at, strings.length, starts);
  const heap = arena.putBytes(Buffer.concat(strings.filter((string) => string !== undefined)));
  return { count: strings.length, heap, starts, lengths: at };
}

/** For each range how many before it the nearest one around it stands; 0: there is none. */
function parentsOf(begins: Uint32Array, ends: Uint32Array): Uint32Array {
  const parents = new Uint32Array(begins.length);
  const around: number[] = [];
  for (let i = 0; i < begins.length; i++) {
    while (around.length > 0 && ends[around[around.length - 1]] <= begins[i]) around.pop();
    if (around.length > 0) parents[i] = i - around[around.length - 1];
    around.push(i);
  }
  return parents;
}
