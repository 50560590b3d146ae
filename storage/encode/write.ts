/**
 * The second half of encoding a segment: with the lexicons merged, local numbers become ids, and the segment's
 * files are written: streams, postings, structures, glue. Each is safe on disk before the segment counts as written.
 */
import { mkdirSync } from "node:fs";
import type { StructureRecord } from "../catalog/manifest.js";
import { columnShape, columnsOfArena, decodeColumn, loadSection } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { joinMaps } from "../lexicon/derived.js";
import { mapVersion } from "../lexicon/format.js";
import { glueVersion } from "../stream/format.js";
import { StructureWriter, structureRecord } from "../structures/writer.js";
import { type IdMap, type WrittenFile, writeAttribute } from "./attributes.js";
import type { SegmentPieces } from "./carry.js";
import { structureKey } from "./config.js";
import { numbersVersion } from "./merge.js";
import { type ParsedMeta, parsedVersion } from "./parse.js";
import type { SplitDocument } from "./statistics.js";

export const rangesVersion = 1;

/** A structure that came in from an earlier segment, and where it ends in this one. */
export interface Carried {
  structure: string;
  /** The segment in which it began, and its index there. */
  origin: number;
  originPath: string;
  index: number;
  end: number;
  continues: boolean;
}

export interface WriteTask {
  ordinal: number;
  parsedPath: string;
  folder: string;
  attributes: { name: string; numbersPath: string; derived: { key: string; maps: string[] }[] }[];
  structures: { name: string; attributes: { name: string; unique: boolean; numbersPath: string }[] }[];
  document: string | null;
  /** The ranges of the segment's own structures (job.ts; null: in the parsed file), and what others do to them. */
  rangesPath: string | null;
  pieces: SegmentPieces;
  /** A <g/> at the end of the segment before glues the first token. */
  gluesFirst: boolean;
}

export interface WrittenSegment {
  ordinal: number;
  tokens: number;
  glue: number;
  structures: Record<string, StructureRecord>;
  files: WrittenFile[];
  split?: SplitDocument;
}

export async function writeSegment(arena: Arena, task: WriteTask): Promise<WrittenSegment> {
  mkdirSync(task.folder, { recursive: true });
  const parsed = FileReader.open(task.parsedPath, "parsed", parsedVersion);
  try {
    const meta = parsed.contents.meta as unknown as ParsedMeta;
    const structures = new StructureAssembly(arena, parsed, meta, task);
    const bounds = structures.documentBounds();
    // Nothing is awaited before all is computed: while the disk writes, the thread works on the next segment.
    const files = writeAttributes(arena, parsed, meta, task, bounds);
    const described: WrittenSegment["structures"] = {};
    for (const structure of task.structures) {
      const columns = structures.columns(structure.name);
      if (columns.begins.length === 0) continue;
      const name = `${structure.name}.structure`;
      const writer = new StructureWriter(`${task.folder}/${name}`, arena, columns);
      for (const attribute of structure.attributes) structures.writeValues(writer, structure.name, attribute);
      files.push(written(name, writer.finish()));
      described[structure.name] = structureRecord(columns);
    }
    const bits = meta.glue > 0 ? parsed.read("glue") : Buffer.alloc(Math.ceil(meta.tokens / 8));
    const glue = meta.glue + (task.gluesFirst && (bits[0] & 1) === 0 ? 1 : 0);
    if (glue > 0) {
      if (task.gluesFirst) bits[0] |= 1;
      const file = new FileWriter(`${task.folder}/glue.bits`, "glue", glueVersion);
      file.meta.count = glue;
      file.add("bits", bits);
      files.push(written("glue.bits", file.finish()));
    }
    const split = structures.splitDocument();
    structures.close();
    return {
      ordinal: task.ordinal,
      tokens: meta.tokens,
      glue,
      structures: described,
      files: (await Promise.all(files)).flat(),
      split,
    };
  } finally {
    parsed.close();
  }
}

async function written(name: string, bytes: Promise<number>): Promise<WrittenFile[]> {
  return [{ name, bytes: await bytes }];
}

/** The ids of a segment's local strings: how many, and their address in the arena. */
function localIds(arena: Arena, numbersPath: string, ordinal: number): { count: number; address: number } {
  const file = FileReader.open(numbersPath, "numbers", numbersVersion);
  const count = file.section(`segment:${ordinal}`)[1] / 4;
  const address = arena.allocate(count * 4);
  const mark = arena.mark();
  const numbers = loadSection(arena, file, `segment:${ordinal}`);
  if (count > 0) arena.kernels.gather(numbers, count, loadSection(arena, file, "ids"), address);
  arena.release(mark);
  file.close();
  return { count, address };
}

function writeAttributes(
  arena: Arena,
  parsed: FileReader,
  meta: ParsedMeta,
  task: WriteTask,
  bounds: Uint32Array,
): Promise<WrittenFile[]>[] {
  const { kernels } = arena;
  arena.reset();
  const tokens = decodeColumn(arena, parsed, "tokens");
  const pending: Promise<WrittenFile[]>[] = [];
  for (const attribute of task.attributes) {
    const mark = arena.mark();
    const local = localIds(arena, attribute.numbersPath, task.ordinal);
    const types = local.count;
    const [order, ids, counts] = [0, 0, 0].map(() => arena.allocate(types * 4));
    // Place of each local string among the segment's ids, which stand in ascending order.
    const placeOf = arena.allocate(types * 4);
    kernels.sortKeys(local.address, types, false, order, placeOf);
    kernels.turnRound(order, types, 0, placeOf);
    kernels.gather(order, types, local.address, ids);
    kernels.gather(order, types, loadSection(arena, parsed, `counts:${attribute.name}`), counts);
    const lines = decodeColumn(arena, parsed, `line:${attribute.name}`);
    const lineCount = columnShape(parsed, `line:${attribute.name}`).count;
    const linePlaces = arena.allocate(lineCount * 4 + 16);
    if (types > 0) kernels.gather(lines, lineCount, placeOf, linePlaces);
    const places = arena.allocate(meta.tokens * 4 + 512);
    kernels.gather(tokens, meta.tokens, linePlaces, places);
    pending.push(
      writeAttribute(
        task.folder,
        attribute.name,
        arena,
        { places, tokens: meta.tokens, types, ids, counts },
        bounds,
        attribute.derived.map(({ key, maps }) => loadMap(arena, key, maps)),
      ),
    );
    arena.release(mark);
  }
  return pending;
}

/** The map of a derived lexicon, all generations of it, one behind the other. */
export function loadMap(arena: Arena, key: string, paths: string[]): IdMap {
  const load = columnsOfArena(arena);
  const parts = paths.map((path) => {
    const file = FileReader.open(path, "map", mapVersion);
    const values = load(file, "values");
    const starts = file.has("starts") ? load(file, "starts") : undefined;
    file.close();
    return { values, starts };
  });
  return { key, ...joinMaps(parts) };
}

/** The structures of a segment: its own, behind those that came in from before. */
class StructureAssembly {
  readonly #ranges: FileReader;
  readonly #own: Map<string, ParsedMeta["structures"][number]>;

  constructor(
    readonly arena: Arena,
    readonly parsed: FileReader,
    readonly meta: ParsedMeta,
    readonly task: WriteTask,
  ) {
    this.#ranges =
      task.rangesPath === null ? parsed : FileReader.open(task.rangesPath, "ranges", rangesVersion);
    this.#own = new Map(meta.structures.map((structure) => [structure.name, structure]));
  }

  close(): void {
    if (this.#ranges !== this.parsed) this.#ranges.close();
  }

  #carried(name: string): Carried[] {
    return this.task.pieces.carried.filter((carried) => carried.structure === name);
  }

  columns(name: string) {
    const carried = this.#carried(name);
    const own = this.#own.get(name);
    const shift = carried.length;
    const count = shift + (own?.count ?? 0);
    const begins = new Uint32Array(count);
    const ends = new Uint32Array(count);
    carried.forEach(({ end }, i) => {
      ends[i] = end;
    });
    if (this.#ranges.has(`begin:${name}`)) {
      begins.set(this.#ranges.integers(`begin:${name}`), shift);
      ends.set(this.#ranges.integers(`end:${name}`), shift);
      for (const { structure, index, end } of this.task.pieces.ends)
        if (structure === name) ends[index + shift] = end;
    }
    const carriedOut = carried.flatMap((entry, i) => (entry.continues ? [i] : []));
    for (const { structure, index } of this.task.pieces.open)
      if (structure === name) carriedOut.push(index + shift);
    return { begins, ends, carriedIn: shift, carriedOut };
  }

  /** Begins and ends of documents by turns, ascending; empty ones left out. */
  documentBounds(): Uint32Array {
    if (this.task.document === null) return new Uint32Array(0);
    const { begins, ends } = this.columns(this.task.document);
    const bounds: number[] = [];
    for (let i = 0; i < begins.length; i++) {
      if (ends[i] > begins[i]) bounds.push(begins[i], ends[i]);
    }
    return Uint32Array.from(bounds);
  }

  /** The parts of documents that are cut at the borders of the segment. */
  splitDocument(): SplitDocument | undefined {
    if (this.task.document === null) return undefined;
    const { begins, ends, carriedIn, carriedOut } = this.columns(this.task.document);
    const last = carriedOut.at(-1) ?? -1;
    if (carriedIn === 0 && last < 0) return undefined;
    return { head: carriedIn > 0 ? ends[0] : 0, tail: last >= carriedIn ? begins[last] : -1 };
  }

  writeValues(
    writer: StructureWriter,
    name: string,
    attribute: { name: string; unique: boolean; numbersPath: string },
  ): void {
    const key = structureKey(name, attribute.name);
    const carried = this.#carried(name);
    const count = carried.length + (this.#own.get(name)?.count ?? 0);
    const own = this.parsed.has(`value:${key}`) ? this.parsed.integers(`value:${key}`) : undefined;
    if (attribute.unique) {
      const strings: (Uint8Array | undefined)[] = new Array(count).fill(undefined);
      carried.forEach((entry, i) => {
        strings[i] = atOrigin(entry, (file) => localStrings(file, key)?.[entry.index]);
      });
      localStrings(this.parsed, key)?.forEach((string, i) => {
        strings[carried.length + i] = string;
      });
      writer.unique(attribute.name, strings);
      return;
    }
    const values = new Uint32Array(count);
    carried.forEach((entry, i) => {
      const local = atOrigin(entry, (file) =>
        file.has(`value:${key}`)
          ? file.integers(`value:${key}`).subarray(entry.index, entry.index + 1)
          : noValues,
      );
      this.#translate(local, attribute.numbersPath, entry.origin, values.subarray(i, i + 1));
    });
    if (own) this.#translate(own, attribute.numbersPath, this.task.ordinal, values.subarray(carried.length));
    writer.attribute(attribute.name, values);
  }

  /** Local numbers plus 1 (0: none) become ids plus 1. */
  #translate(local: Uint32Array, numbersPath: string, ordinal: number, values: Uint32Array): void {
    const { arena } = this;
    const mark = arena.mark();
    const { count, address } = localIds(arena, numbersPath, ordinal);
    const ids = arena.zeroed(count + 1);
    arena.u32.copyWithin((ids >>> 2) + 1, address >>> 2, (address >>> 2) + count);
    arena.kernels.addToAll(ids + 4, count, 1);
    const target = arena.allocate(local.length * 4);
    arena.kernels.gather(arena.put(local), local.length, ids, target);
    values.set(arena.integers(target, local.length));
    arena.release(mark);
  }
}

const noValues = new Uint32Array(0);

/** Looks something up in the parsed file of the segment where a carried structure began. */
function atOrigin<Result>(carried: Carried, look: (file: FileReader) => Result): Result {
  const file = FileReader.open(carried.originPath, "parsed", parsedVersion);
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** The strings of an attribute, one for each structure that opens in a segment. */
function localStrings(file: FileReader, key: string): (Uint8Array | undefined)[] | undefined {
  if (!file.has(`value:${key}`)) return undefined;
  const heap = file.read(`heap:${key}`);
  const ends = file.integers(`ends:${key}`);
  return Array.from(file.integers(`value:${key}`), (value) =>
    value === 0 ? undefined : heap.subarray(value > 1 ? ends[value - 2] : 0, ends[value - 1]),
  );
}
