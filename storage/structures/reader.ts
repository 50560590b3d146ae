/** Reads the structures of one kind in one segment (writer.ts has the format). Costs: a lookup is O(log structures). */
import { Column, columnsOf } from "../column/reader.js";
import { emptyCursor, type PositionCursor } from "../cursor.js";
import { FileReader } from "../file/reader.js";
import { type Pool, PooledFile } from "../pool/pool.js";
import { Postings } from "../postings/reader.js";
import { StringTable } from "./table.js";
import { listPrefix, type StructureMeta, structureVersion } from "./writer.js";

export class Structures {
  readonly count: number;
  readonly meta: StructureMeta;
  readonly #file: FileReader;
  readonly #pooled: PooledFile;
  readonly #begins: Column;
  readonly #lengths: Column;
  readonly #parents: Column | undefined;
  readonly #values = new Map<string, Column>();
  readonly #tables = new Map<string, StringTable>();
  readonly #postings = new Map<string, Postings>();

  constructor(
    readonly pool: Pool,
    path: string,
  ) {
    this.#file = FileReader.open(path, "structure", structureVersion);
    this.#pooled = new PooledFile(this.#file);
    this.meta = this.#file.contents.meta as unknown as StructureMeta;
    this.#begins = new Column(pool, this.#pooled, "begins");
    this.#lengths = new Column(pool, this.#pooled, "lengths");
    this.#parents = this.#file.has("parents") ? new Column(pool, this.#pooled, "parents") : undefined;
    this.count = this.#begins.count;
  }

  close(): void {
    this.#file.close();
  }

  /** Do some of them nest, or are some empty? */
  get nested(): boolean {
    return this.#parents !== undefined;
  }

  begin(index: number): number {
    return this.#begins.get(index);
  }

  end(index: number): number {
    return this.#begins.get(index) + this.#lengths.get(index);
  }

  /** Begins and ends of `count` structures from `from` on. */
  ranges(from: number, count: number, begins: Uint32Array, ends: Uint32Array): void {
    this.#begins.read(from, count, begins);
    this.#lengths.read(from, count, ends);
    for (let i = 0; i < count; i++) ends[i] += begins[i];
  }

  /** The nearest structure of the same kind around another, or −1. */
  parent(index: number): number {
    const up = this.#parents?.get(index) ?? 0;
    return up === 0 ? -1 : index - up;
  }

  /** The first structure that begins at `position` or behind it; `count` if none does. */
  firstFrom(position: number): number {
    return position <= 0 ? 0 : this.#begins.upperBound(position - 1);
  }

  /** The innermost structure around a position, or −1. */
  containing(position: number): number {
    let index = this.#begins.upperBound(position) - 1;
    while (index >= 0 && this.end(index) <= position) {
      if (!this.#parents) return -1;
      index = this.parent(index);
    }
    return index;
  }

  /** All structures around a position, innermost first. */
  allContaining(position: number): number[] {
    const found: number[] = [];
    for (let index = this.containing(position); index >= 0; index = this.parent(index)) found.push(index);
    return found;
  }

  hasAttribute(attribute: string): boolean {
    return Object.hasOwn(this.meta.attributes, attribute);
  }

  /** The id of an attribute's value, or −1 where the structure has none. Not for unique attributes. */
  valueId(index: number, attribute: string): number {
    return (this.#valueColumn(attribute)?.get(index) ?? 0) - 1;
  }

  /** Ids plus 1 (0: none) of `count` structures from `from` on. */
  valueIds(attribute: string, from: number, count: number, out: Uint32Array): void {
    const column = this.#valueColumn(attribute);
    if (column) column.read(from, count, out);
    else out.fill(0, 0, count);
  }

  #valueColumn(attribute: string): Column | undefined {
    if (!this.hasAttribute(attribute)) return undefined;
    let column = this.#values.get(attribute);
    if (!column) {
      column = new Column(this.pool, this.#pooled, `value:${attribute}`);
      this.#values.set(attribute, column);
    }
    return column;
  }

  /** The value of a unique attribute. */
  uniqueValue(index: number, attribute: string): string | undefined {
    if (!this.hasAttribute(attribute)) return undefined;
    let table = this.#tables.get(attribute);
    if (!table) {
      table = new StringTable(this.#file, attribute, columnsOf(this.pool));
      this.#tables.set(attribute, table);
    }
    return table.get(index)?.toString();
  }

  /** The structures whose attribute has the value with that id: a cursor over their indexes. */
  withValue(attribute: string, id: number): PositionCursor {
    if (!this.hasAttribute(attribute) || this.meta.attributes[attribute].unique) return emptyCursor();
    let postings = this.#postings.get(attribute);
    if (!postings) {
      postings = new Postings(this.pool, this.#pooled, listPrefix(attribute));
      this.#postings.set(attribute, postings);
    }
    return postings.cursor(id);
  }
}
