/**
 * Makes one segment of several that stand side by side: the same tokens and structures, fewer files. Ids stay as
 * they are. Structures that were cut between two of the segments are whole again.
 */
import { mkdirSync } from "node:fs";
import { type ColumnLoader, columnShape, columnsOfArena, decodeColumnTo } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";
import { postingsVersion } from "../postings/writer.js";
import { glueVersion, streamVersion } from "../stream/format.js";
import { readStringTable } from "../structures/table.js";
import {
  type StructureMeta,
  StructureWriter,
  structureRecord,
  structureVersion,
} from "../structures/writer.js";
import { type WrittenFile, writeAttribute } from "./attributes.js";
import { loadMap, type WrittenSegment } from "./write.js";

export interface CombineTask {
  ordinal: number;
  /** In order. */
  parts: { folder: string; tokens: number; glue: number; structures: string[] }[];
  folder: string;
  attributes: { name: string; derived: { key: string; maps: string[] }[] }[];
  structures: { name: string; attributes: { name: string; unique: boolean }[] }[];
  document: string | null;
}

export async function combineSegments(arena: Arena, task: CombineTask): Promise<WrittenSegment> {
  mkdirSync(task.folder, { recursive: true });
  arena.reset();
  const load = columnsOfArena(arena);
  const tokens = task.parts.reduce((sum, part) => sum + part.tokens, 0);
  const structures = new Map<string, CombinedStructure>();
  for (const { name } of task.structures) {
    const combined = new CombinedStructure(task, name, load);
    if (combined.begins.length > 0) structures.set(name, combined);
  }
  const documents = task.document === null ? undefined : structures.get(task.document);
  const bounds = documents ? boundsOf(documents.begins, documents.ends) : new Uint32Array(0);
  const files: WrittenFile[] = [];
  for (const attribute of task.attributes) {
    files.push(...(await combineAttribute(arena, load, task, attribute, tokens, bounds)));
  }
  const described: WrittenSegment["structures"] = {};
  for (const { name, attributes } of task.structures) {
    const combined = structures.get(name);
    if (!combined) continue;
    const writer = new StructureWriter(`${task.folder}/${name}.structure`, arena, combined);
    for (const attribute of attributes) {
      if (attribute.unique) writer.unique(attribute.name, combined.strings(attribute.name));
      else writer.attribute(attribute.name, combined.values(attribute.name));
    }
    files.push({ name: `${name}.structure`, bytes: await writer.finish() });
    described[name] = structureRecord(combined);
    combined.close();
  }
  const glue = task.parts.reduce((sum, part) => sum + part.glue, 0);
  if (glue > 0) {
    const file = new FileWriter(`${task.folder}/glue.bits`, "glue", glueVersion);
    file.meta.count = glue;
    file.add("bits", combineGlue(task, tokens));
    files.push({ name: "glue.bits", bytes: await file.finish() });
  }
  return { ordinal: task.ordinal, tokens, glue, structures: described, files };
}

async function combineAttribute(
  arena: Arena,
  load: ColumnLoader,
  task: CombineTask,
  attribute: CombineTask["attributes"][number],
  tokens: number,
  bounds: Uint32Array,
): Promise<WrittenFile[]> {
  const mark = arena.mark();
  const totals = new Map<number, number>();
  const ids = arena.allocate((tokens + limits.blockValues * 2) * 4);
  let at = 0;
  for (const part of task.parts) {
    const postings = FileReader.open(
      `${part.folder}/${attribute.name}.postings`,
      "postings",
      postingsVersion,
    );
    const counts = load(postings, "counts");
    load(postings, "ids").forEach((id, i) => {
      totals.set(id, (totals.get(id) ?? 0) + counts[i]);
    });
    postings.close();
    const stream = FileReader.open(`${part.folder}/${attribute.name}.stream`, "stream", streamVersion);
    decodeColumnTo(arena, stream, "ids", ids + at * 4);
    at += columnShape(stream, "ids").count;
    stream.close();
  }
  const types = Uint32Array.from(totals.keys()).sort();
  const placeOf = new Uint32Array((types.at(-1) ?? 0) + 1);
  types.forEach((id, place) => {
    placeOf[id] = place;
  });
  const places = arena.allocate(tokens * 4 + 512);
  arena.kernels.gather(ids, tokens, arena.put(placeOf), places);
  const written = await writeAttribute(
    task.folder,
    attribute.name,
    arena,
    {
      places,
      tokens,
      types: types.length,
      ids: arena.put(types),
      counts: arena.put(types.map((id) => totals.get(id) as number)),
    },
    bounds,
    attribute.derived.map(({ key, maps }) => loadMap(arena, key, maps)),
  );
  arena.release(mark);
  return written;
}

/** One kind of structure over all parts. A structure that continues in the next part is joined with its rest. */
class CombinedStructure {
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
  readonly carriedIn: number = 0;
  readonly carriedOut: number[] = [];
  readonly #files: (FileReader | undefined)[];
  /** For each combined structure: which part, and which index there, has its attributes. */
  readonly #partOf: number[] = [];
  readonly #indexIn: number[] = [];

  constructor(
    task: CombineTask,
    name: string,
    readonly load: ColumnLoader,
  ) {
    this.#files = task.parts.map(({ folder, structures }) =>
      structures.includes(name)
        ? FileReader.open(`${folder}/${name}.structure`, "structure", structureVersion)
        : undefined,
    );
    const begins: number[] = [];
    const ends: number[] = [];
    let start = 0;
    let carried: number[] = [];
    this.#files.forEach((file, part) => {
      const { tokens } = task.parts[part];
      if (file) {
        const meta = file.contents.meta as unknown as StructureMeta;
        const lengths = load(file, "lengths");
        /** Index in this part → index in the whole. */
        const whole: number[] = [];
        load(file, "begins").forEach((begin, i) => {
          const end = start + begin + lengths[i];
          if (part > 0 && i < meta.carriedIn) {
            whole.push(carried[i]);
            ends[carried[i]] = end;
            return;
          }
          whole.push(begins.length);
          begins.push(start + begin);
          ends.push(end);
          this.#partOf.push(part);
          this.#indexIn.push(i);
        });
        if (part === 0) (this as { carriedIn: number }).carriedIn = meta.carriedIn;
        carried = meta.carriedOut.map((i) => whole[i]);
        if (part === this.#files.length - 1) this.carriedOut.push(...carried);
      }
      start += tokens;
    });
    this.begins = Uint32Array.from(begins);
    this.ends = Uint32Array.from(ends);
  }

  /** Value plus 1 of each structure. */
  values(attribute: string): Uint32Array {
    const columns = this.#files.map((file) =>
      file?.has(`value:${attribute}`) ? this.load(file, `value:${attribute}`) : undefined,
    );
    return Uint32Array.from(this.#partOf, (part, i) => columns[part]?.[this.#indexIn[i]] ?? 0);
  }

  strings(attribute: string): (Uint8Array | undefined)[] {
    const tables = this.#files.map((file) =>
      file?.has(`table:${attribute}`) ? readStringTable(file, attribute, this.load) : undefined,
    );
    return this.#partOf.map((part, i) => tables[part]?.[this.#indexIn[i]]);
  }

  close(): void {
    for (const file of this.#files) file?.close();
  }
}

function boundsOf(begins: Uint32Array, ends: Uint32Array): Uint32Array {
  const bounds: number[] = [];
  for (let i = 0; i < begins.length; i++) if (ends[i] > begins[i]) bounds.push(begins[i], ends[i]);
  return Uint32Array.from(bounds);
}

function combineGlue(task: CombineTask, tokens: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(tokens / 8));
  let start = 0;
  for (const part of task.parts) {
    if (part.glue > 0) {
      const file = FileReader.open(`${part.folder}/glue.bits`, "glue", glueVersion);
      const own = file.read("bits");
      file.close();
      for (let i = 0; i < part.tokens; i++) {
        if (own[i >>> 3] & (1 << (i & 7))) bits[(start + i) >>> 3] |= 1 << ((start + i) & 7);
      }
    }
    start += part.tokens;
  }
  return bits;
}
