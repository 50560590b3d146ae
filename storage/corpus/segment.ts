/**
 * One segment of a snapshot. Positions here are those within the segment; `start` is the global position of its
 * first token. Files are opened when they are first needed.
 */
import { join } from "node:path";
import type { SegmentRecord, StructureRecord } from "../catalog/manifest.js";
import type { PositionCursor } from "../cursor.js";
import { FileReader } from "../file/reader.js";
import { type Pool, PooledFile } from "../pool/pool.js";
import { Postings } from "../postings/reader.js";
import { unionOf } from "../postings/union.js";
import { postingsVersion } from "../postings/writer.js";
import { glueVersion } from "../stream/format.js";
import { derivedStream, type SegmentStream, StoredStream } from "../stream/stream.js";
import { Structures } from "../structures/reader.js";
import type { Attribute } from "./attribute.js";

export class Segment {
  readonly start: number;
  readonly tokens: number;
  readonly #streams = new Map<string, StoredStream>();
  readonly #postings = new Map<string, { file: FileReader; postings: Postings }>();
  readonly #structures = new Map<string, Structures>();
  #glue: Uint8Array | undefined;

  constructor(
    readonly pool: Pool,
    readonly folder: string,
    readonly record: SegmentRecord,
  ) {
    this.start = record.start;
    this.tokens = record.tokens;
  }

  get id(): string {
    return this.record.id;
  }

  /** The ids of an attribute's tokens. The single values of a multi-value attribute have no stream. */
  stream(attribute: Attribute): SegmentStream {
    if (!attribute.derived) return this.storedStream(attribute.name);
    const { base, map } = attribute.derived;
    return derivedStream(attribute.name, this.stream(base), map);
  }

  /** The stream of a stored attribute. */
  storedStream(name: string): StoredStream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = new StoredStream(this.pool, join(this.folder, `${name}.stream`));
      this.#streams.set(name, stream);
    }
    return stream;
  }

  /** The directory of a stored attribute's lists: which ids occur here, and how often. */
  postings(attribute: Attribute): Postings {
    if (attribute.derived) throw new Error(`${attribute.name} is derived: it has no lists of its own`);
    let entry = this.#postings.get(attribute.name);
    if (!entry) {
      const file = FileReader.open(
        join(this.folder, `${attribute.name}.postings`),
        "postings",
        postingsVersion,
      );
      const postings = new Postings(
        this.pool,
        new PooledFile(file),
        "",
        this.storedStream(attribute.name).column,
      );
      entry = { file, postings };
      this.#postings.set(attribute.name, entry);
    }
    return entry.postings;
  }

  /** The positions of an id, whether the attribute is stored or derived. */
  positions(attribute: Attribute, id: number): PositionCursor {
    if (!attribute.derived) return this.postings(attribute).cursor(id);
    return this.positionsOfAny(attribute.derived.base, attribute.derived.map.from(id));
  }

  /** The positions of any of several ids. */
  positionsOfAny(attribute: Attribute, ids: Iterable<number>): PositionCursor {
    const cursors: PositionCursor[] = [];
    for (const id of ids) {
      const cursor = this.positions(attribute, id);
      if (cursor.remaining > 0) cursors.push(cursor);
    }
    return unionOf(cursors, this.tokens);
  }

  /** The same at once, for a stored attribute and ascending ids. */
  listOfAny(attribute: Attribute, ids: Uint32Array): Uint32Array {
    return this.postings(attribute).positions(ids);
  }

  /** How often an id occurs in this segment; for a multi-value's single value, in how many tokens. */
  count(attribute: Attribute, id: number): number {
    if (!attribute.derived) return this.postings(attribute).count(id);
    const { base, map } = attribute.derived;
    let count = 0;
    for (const from of map.from(id)) count += this.count(base, from);
    return count;
  }

  /** What the manifest says of one kind of structure here. Names come from the input: any may be one of Object's. */
  structureRecord(name: string): StructureRecord | undefined {
    return Object.hasOwn(this.record.structures, name) ? this.record.structures[name] : undefined;
  }

  /** The structures of one kind, or undefined where the segment has none. */
  structures(name: string): Structures | undefined {
    if (!this.structureRecord(name)) return undefined;
    let structures = this.#structures.get(name);
    if (!structures) {
      structures = new Structures(this.pool, join(this.folder, `${name}.structure`));
      this.#structures.set(name, structures);
    }
    return structures;
  }

  /** Is the token written without a space before it? */
  glued(position: number): boolean {
    const bits = this.glue;
    return bits !== undefined && (bits[position >>> 3] & (1 << (position & 7))) !== 0;
  }

  /** A bit per token, lowest first: no space before it; undefined where there is always one. */
  get glue(): Uint8Array | undefined {
    if (this.record.glue > 0 && !this.#glue) {
      const file = FileReader.open(join(this.folder, "glue.bits"), "glue", glueVersion);
      this.#glue = file.read("bits");
      file.close();
    }
    return this.#glue;
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close();
    for (const { file } of this.#postings.values()) file.close();
    for (const structures of this.#structures.values()) structures.close();
    this.#streams.clear();
    this.#postings.clear();
    this.#structures.clear();
  }
}
