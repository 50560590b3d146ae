/**
 * The subcorpora of a desk: those of its corpus that have names, and those that were computed lately. What has a name
 * is looked up in the catalogue whenever it is asked for: others may have given it to something else.
 */
import { createHash } from "node:crypto";
import {
  Catalog,
  definitionOf,
  findSubcorpus,
  keepRanges,
  loadRanges,
  type RangesRecord,
  rangesRecords,
  removeSubcorpus,
  type Snapshot,
  type SubcorpusRecord,
  type SubcorpusSizes,
  saveSubcorpus,
  subcorpusRecords,
} from "../../storage/index.js";
import { isSpan } from "../cql/tree.js";
import type { SubcorpusDefinition } from "./definition.js";
import { limits } from "./limits.js";
import { Subcorpus } from "./subcorpus.js";

export class SubcorpusStore {
  #catalog: Catalog | undefined;
  readonly #kept = new Map<string, { part: Promise<Subcorpus>; bytes: number }>();

  constructor(
    readonly data: string,
    readonly snapshot: Snapshot,
  ) {}

  get catalog(): Catalog {
    this.#catalog ??= Catalog.open(this.data);
    return this.#catalog;
  }

  async close(): Promise<void> {
    await this.#catalog?.close();
    this.#catalog = undefined;
  }

  // ---- what was computed

  /** Computes a subcorpus once, also for those who ask meanwhile. The least lately used are forgotten. */
  once(key: string, compute: () => Promise<Subcorpus>): Promise<Subcorpus> {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.part;
    }
    const entry = { part: compute(), bytes: 0 };
    this.#kept.set(key, entry);
    entry.part.then(
      ({ bytes }) => {
        entry.bytes = bytes;
        this.#forget();
      },
      () => this.#kept.delete(key),
    );
    return entry.part;
  }

  #forget(): void {
    let bytes = 0;
    for (const entry of this.#kept.values()) bytes += entry.bytes;
    for (const [oldest, entry] of this.#kept) {
      if (bytes <= limits.keptBytesMax) break;
      this.#kept.delete(oldest);
      bytes -= entry.bytes;
    }
  }

  // ---- what has a name

  list(): SubcorpusRecord[] {
    return subcorpusRecords(this.catalog, this.snapshot.corpus);
  }

  /** The subcorpus of that name, or an error that knows the nearest. */
  find(name: string): SubcorpusRecord {
    return findSubcorpus(this.catalog, this.snapshot.corpus, name);
  }

  definition(record: SubcorpusRecord): SubcorpusDefinition {
    return definitionOf(this.catalog, this.snapshot.corpus, record) as SubcorpusDefinition;
  }

  /** Sizes that are stored, of all snapshots. */
  sizes(): RangesRecord[] {
    return rangesRecords(this.catalog, this.snapshot.corpus);
  }

  /** Its ranges in this snapshot, if they are stored. */
  load(record: SubcorpusRecord): Subcorpus | undefined {
    const { corpus, number } = this.snapshot;
    const ranges = loadRanges(this.catalog, corpus, number, record);
    return ranges && Subcorpus.of(this.snapshot, ranges);
  }

  /** Stores its ranges in this snapshot; where nothing can be written, they are computed again next time. */
  async keep(record: SubcorpusRecord, part: Subcorpus, sizes: SubcorpusSizes): Promise<void> {
    const { corpus, number } = this.snapshot;
    if (this.catalog.writable) await keepRanges(this.catalog, corpus, number, record, sizes, part);
  }

  save(
    name: string,
    definition: SubcorpusDefinition,
    part: Subcorpus,
    sizes: SubcorpusSizes,
    replace: boolean,
  ): Promise<SubcorpusRecord> {
    const { corpus, number: snapshot } = this.snapshot;
    return saveSubcorpus(this.catalog, { corpus, snapshot, name, definition, sizes, ranges: part }, replace);
  }

  remove(name: string): void {
    removeSubcorpus(this.catalog, this.snapshot.corpus, name);
  }
}

/** The same for definitions that mean the same, however long they are. */
export function keyOf(definition: SubcorpusDefinition): string {
  const text = JSON.stringify(definition, (key, value) => {
    if (isSpan(key, value)) return undefined;
    if (!value || typeof value !== "object" || Array.isArray(value)) return value;
    const { name, ...rest } = value as Record<string, unknown>;
    // What a definition was called says nothing; a list's name in a query does.
    const own = name !== undefined && "kind" in rest && rest.kind !== "list" ? rest : value;
    return Object.fromEntries(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash("sha256").update(text).digest("base64");
}
