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
import { writeColumnOf } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { writeStrings } from "../lexicon/writer.js";
import { writePostings } from "../postings/writer.js";

export const structureVersion = 2;
const noParent = 0xffffffff;

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
    const parents = parentsOf(begins, ends);
    this.#meta = { carriedIn, carriedOut, attributes: {} };
    writeColumnOf(this.#file, arena, "begins", begins, { ordered: true });
    writeColumnOf(
      this.#file,
      arena,
      "lengths",
      ends.map((end, i) => end - begins[i]),
    );
    if (parents) {
      writeColumnOf(
        this.#file,
        arena,
        "parents",
        parents.map((parent, i) => (parent === noParent ? 0 : i - parent)),
      );
    }
  }

  /** An attribute with a lexicon: per structure the id of its value plus 1, or 0. */
  attribute(name: string, values: Uint32Array): void {
    this.#meta.attributes[name] = { unique: false };
    writeColumnOf(this.#file, this.arena, `value:${name}`, values);
    const lists = invertValues(values);
    const mark = this.arena.mark();
    const positions = this.arena.put(lists.positions);
    writePostings(
      this.#file,
      this.arena,
      listPrefix(name),
      { ids: lists.ids, counts: lists.counts, documents: lists.counts, positions },
      { universe: values.length, scanCount: 0 },
    );
    this.arena.release(mark);
  }

  /** A unique attribute: a string per structure, or undefined. */
  unique(name: string, strings: (Uint8Array | undefined)[]): void {
    this.#meta.attributes[name] = { unique: true };
    const absent: number[] = [];
    const starts = new Uint32Array(strings.length);
    const ends = new Uint32Array(strings.length);
    let end = 0;
    strings.forEach((string, i) => {
      if (string === undefined) absent.push(i);
      starts[i] = end;
      ends[i] = end += string?.length ?? 0;
    });
    const heap = Buffer.concat(strings.filter((string) => string !== undefined));
    this.#file.section(`table:${name}`);
    const blocks = writeStrings(this.#file, { heap, starts, ends });
    writeColumnOf(this.#file, this.arena, `blocks:${name}`, blocks, { ordered: true });
    if (absent.length > 0) {
      writeColumnOf(this.#file, this.arena, `absent:${name}`, Uint32Array.from(absent), { ordered: true });
    }
  }

  finish(): Promise<number> {
    Object.assign(this.#file.meta, this.#meta);
    return this.#file.finish();
  }
}

/** From "value plus 1 of each structure" to "structures of each value". */
function invertValues(values: Uint32Array): {
  ids: Uint32Array;
  counts: Uint32Array;
  positions: Uint32Array;
} {
  const present: number[] = [];
  for (let i = 0; i < values.length; i++) if (values[i] > 0) present.push(i);
  const positions = Uint32Array.from(present).sort((a, b) => values[a] - values[b] || a - b);
  const ids: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < positions.length; i++) {
    const id = values[positions[i]] - 1;
    if (ids.length === 0 || ids[ids.length - 1] !== id) {
      ids.push(id);
      counts.push(0);
    }
    counts[counts.length - 1]++;
  }
  return { ids: Uint32Array.from(ids), counts: Uint32Array.from(counts), positions };
}

/** For each range the nearest one around it, or `noParent`; undefined where all are apart and none is empty. */
function parentsOf(begins: Uint32Array, ends: Uint32Array): Uint32Array | undefined {
  const parents = new Uint32Array(begins.length).fill(noParent);
  const around: number[] = [];
  let needed = false;
  for (let i = 0; i < begins.length; i++) {
    while (around.length > 0 && ends[around[around.length - 1]] <= begins[i]) around.pop();
    if (around.length > 0) parents[i] = around[around.length - 1];
    if (around.length > 0 || begins[i] === ends[i]) needed = true;
    around.push(i);
  }
  return needed ? parents : undefined;
}
