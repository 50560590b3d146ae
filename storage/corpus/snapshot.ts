/**
 * A snapshot of a corpus, open for reading: what every question is asked of. It stays what it is, whatever is
 * appended or replaced meanwhile, until it is closed.
 */
import { join } from "node:path";
import { Catalog, type Lease } from "../catalog/catalog.js";
import { type Manifest, manifestBytes } from "../catalog/manifest.js";
import { nearestName } from "../derive/nearest.js";
import { type CorpusConfig, structureKey, valuesKey } from "../encode/config.js";
import { DugongError } from "../errors.js";
import { DerivedMap } from "../lexicon/derived.js";
import { Lexicon } from "../lexicon/lexicon.js";
import { limits } from "../limits.js";
import { Pool } from "../pool/pool.js";
import { derivedStream, type TokenStream } from "../stream/stream.js";
import { Attribute } from "./attribute.js";
import { Segment } from "./segment.js";
import { SegmentIndex, SnapshotStream } from "./stream.js";
import { Structure, type StructureLexicon } from "./structure.js";

export interface OpenOptions {
  data: string;
  corpus: string;
  /** The current one unless another is named. */
  snapshot?: number;
  /** Share a pool between corpora, or with other threads. */
  pool?: Pool;
}

/** Opens a corpus for reading. Costs no more than a look into the catalogue: files are opened when they are needed. */
export function openCorpus(options: OpenOptions): Snapshot {
  const catalog = Catalog.open(options.data);
  let lease: Lease;
  try {
    lease = catalog.lease(options.corpus, options.snapshot);
  } catch (error) {
    void catalog.close();
    throw error;
  }
  const pool = options.pool ?? Pool.create(limits.poolBytesDefault);
  return new Snapshot(pool, catalog.corpusFolder(options.corpus), lease.manifest, async () => {
    lease.release();
    await catalog.close();
  });
}

/**
 * The same snapshot in another thread, or in tests: from its manifest alone. Whoever gives the manifest holds the
 * lease, for longer than this is used.
 */
export function attachSnapshot(pool: Pool, folder: string, manifest: Manifest): Snapshot {
  return new Snapshot(pool, folder, manifest, async () => {});
}

export class Snapshot {
  readonly attributes: Attribute[];
  readonly structures: Structure[];
  readonly segments: Segment[];
  readonly #index: SegmentIndex;
  readonly #streams = new Map<string, SnapshotStream>();
  readonly #release: () => Promise<void>;

  constructor(
    readonly pool: Pool,
    readonly folder: string,
    readonly manifest: Manifest,
    release: () => Promise<void>,
  ) {
    this.#release = release;
    this.segments = manifest.segments.map(
      (record) => new Segment(pool, join(folder, "segments", record.id), record),
    );
    this.#index = new SegmentIndex(this.segments);
    this.attributes = this.#openAttributes();
    this.structures = manifest.config.structures.map((config) => {
      const lexicons = new Map<string, StructureLexicon>();
      for (const { name } of config.attributes) {
        const key = structureKey(config.name, name);
        if (!manifest.lexicons[key]) continue;
        const values = manifest.lexicons[valuesKey(key)]
          ? { lexicon: this.#lexicon(valuesKey(key)), map: this.#map(valuesKey(key)) }
          : undefined;
        lexicons.set(key, { lexicon: this.#lexicon(key), values });
      }
      return new Structure(config, this.segments, lexicons);
    });
  }

  get corpus(): string {
    return this.manifest.corpus;
  }

  get number(): number {
    return this.manifest.snapshot;
  }

  /** corpus@snapshot: what a result is cited by. */
  get citation(): string {
    return `${this.corpus}@${this.number}`;
  }

  get tokens(): number {
    return this.manifest.tokens;
  }

  get config(): CorpusConfig {
    return this.manifest.config;
  }

  get bytes(): number {
    return manifestBytes(this.manifest);
  }

  #openAttributes(): Attribute[] {
    const { attributes } = this.manifest.config;
    const opened = new Map<string, Attribute>();
    for (const config of attributes) {
      if (config.derived) continue;
      const attribute = new Attribute(config.name, this.#lexicon(config.name), config);
      const key = valuesKey(config.name);
      if (this.manifest.lexicons[key]) {
        attribute.values = new Attribute(config.name, this.#lexicon(key), config, {
          base: attribute,
          map: this.#map(key),
        });
      }
      opened.set(config.name, attribute);
    }
    for (const config of attributes) {
      if (!config.derived) continue;
      const base = opened.get(config.derived.from) as Attribute;
      const derived = { base, map: this.#map(config.name) };
      opened.set(config.name, new Attribute(config.name, this.#lexicon(config.name), config, derived));
    }
    return attributes.map(({ name }) => opened.get(name) as Attribute);
  }

  #lexicon(key: string): Lexicon {
    const record = this.manifest.lexicons[key];
    const path = (file: string) => join(this.folder, "lexicon", file);
    return new Lexicon(this.pool, {
      size: record.size,
      generations: record.generations.map(({ file }) => path(file)),
      statistics: path(record.statistics.file),
    });
  }

  #map(key: string): DerivedMap {
    const record = this.manifest.lexicons[key];
    const base = this.manifest.lexicons[record.base as string];
    const paths = (record.maps ?? []).map(({ file }) => join(this.folder, "lexicon", file));
    return new DerivedMap(this.pool, paths, base.size, record.size);
  }

  /** The attribute of that name, or an error that names those there are. */
  attribute(name: string): Attribute {
    const found = this.attributes.find((attribute) => attribute.name === name);
    if (found) return found;
    throw this.#unknown("attribute", name, this.attributes);
  }

  get defaultAttribute(): Attribute {
    return this.attribute(this.config.defaultAttribute);
  }

  structure(name: string): Structure {
    const found = this.structures.find((structure) => structure.name === name);
    if (found) return found;
    throw this.#unknown("structure", name, this.structures);
  }

  #unknown(what: string, name: string, known: { name: string }[]): DugongError {
    const names = known.map((item) => item.name);
    const near = nearestName(name, names);
    return new DugongError(
      `unknown_${what}`,
      `no ${what} ${JSON.stringify(name)} in corpus ${this.corpus} (it has ${names.join(", ") || "none"})`,
      near && `Did you mean ${near}?`,
    );
  }

  #noPosition(position: number): RangeError {
    return new RangeError(`no position ${position} in ${this.citation} with ${this.tokens} tokens`);
  }

  /** The segment with a global position in it. */
  segmentAt(position: number): Segment {
    if (!(position >= 0 && position < this.tokens)) throw this.#noPosition(position);
    return this.segments[this.#index.at(position)];
  }

  /** The ids of an attribute's tokens, by global positions. The single values of a multi-value one have no stream. */
  stream(attribute: Attribute): TokenStream {
    if (attribute.derived) {
      const { base, map } = attribute.derived;
      return derivedStream(attribute.name, this.stream(base), map);
    }
    let stream = this.#streams.get(attribute.name);
    if (!stream) {
      stream = new SnapshotStream(this.pool, this.segments, this.#index, attribute.name);
      this.#streams.set(attribute.name, stream);
    }
    return stream;
  }

  /** The ids of an attribute at global positions [from, from + count). */
  ids(attribute: Attribute, from: number, count: number, out: Uint32Array): void {
    if (!(from >= 0 && from + count <= this.tokens)) throw this.#noPosition(from + count - 1);
    this.stream(attribute).read(from, count, out);
  }

  readonly #others: { close(): Promise<void> }[] = [];

  /** What was opened for the sake of this snapshot is closed with it. */
  closeWith(other: { close(): Promise<void> }): void {
    this.#others.push(other);
  }

  /** Closes its files and lets its segments go. */
  async close(): Promise<void> {
    for (const other of this.#others.splice(0)) await other.close();
    for (const segment of this.segments) segment.close();
    await this.#release();
  }
}
