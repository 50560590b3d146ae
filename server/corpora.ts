/**
 * The corpora that the server has open: the current snapshot of each that somebody asks, and older ones as long as
 * somebody reads them. Each is leased in the catalogue, so that its files stay.
 */
import { type Catalog, type CorpusInfo, describeCorpus, type Manifest } from "../storage/index.js";
import { limits } from "./limits.js";
import { refusal } from "./problems.js";

export interface OpenCorpus {
  name: string;
  /** name@snapshot */
  citation: string;
  folder: string;
  manifest: Manifest;
  /** Requests that use it. */
  users: number;
  usedAt: number;
  release(): void;
}

/** "brown", or "brown@3". */
export function parseCitation(text: string): { name: string; snapshot?: number } {
  const [, name, number] = /^([^@]+)(?:@(\d{1,9}))?$/.exec(text) ?? [];
  if (name === undefined)
    throw refusal(
      "bad_name",
      `${JSON.stringify(text.slice(0, 100))} is not the name of a corpus`,
      'Write "brown", or "brown@3" for one snapshot.',
    );
  return { name, ...(number !== undefined && { snapshot: Number(number) }) };
}

export class Corpora {
  readonly #open = new Map<string, OpenCorpus>();
  readonly #described = new Map<string, CorpusInfo>();

  constructor(
    readonly catalog: Catalog,
    /** Told of every snapshot that is closed. */
    readonly onClose: (citation: string) => void,
  ) {}

  /** The corpus of that name, held until `leave`. Throws if there is none. */
  enter({ name, snapshot }: { name: string; snapshot?: number }): OpenCorpus {
    // Where nothing is there, the catalogue says so in its own words; names that are none it refuses.
    const number = snapshot ?? (this.catalog.current(name) || this.catalog.manifest(name).snapshot);
    const citation = `${name}@${number}`;
    let corpus = this.#open.get(citation);
    if (!corpus) {
      const { manifest, release } = this.catalog.lease(name, number);
      const folder = this.catalog.corpusFolder(name);
      corpus = { name, citation, folder, manifest, users: 0, usedAt: 0, release };
      this.#open.set(citation, corpus);
    }
    corpus.users++;
    corpus.usedAt = Date.now();
    return corpus;
  }

  leave(corpus: OpenCorpus): void {
    corpus.users--;
    corpus.usedAt = Date.now();
  }

  get size(): number {
    return this.#open.size;
  }

  /** What a corpus consists of. Snapshots do not change. */
  describe({ name, snapshot }: { name: string; snapshot?: number }): CorpusInfo {
    const number = snapshot ?? (this.catalog.current(name) || this.catalog.manifest(name).snapshot);
    const citation = `${name}@${number}`;
    let info = this.#described.get(citation);
    if (info) return info;
    info = describeCorpus(this.#open.get(citation)?.manifest ?? this.catalog.manifest(name, number));
    if (this.#described.size >= 1000) this.#described.clear();
    this.#described.set(citation, info);
    return info;
  }

  /** Closes what nobody needs. */
  sweep(now = Date.now()): void {
    for (const corpus of this.#open.values()) {
      if (corpus.users > 0) continue;
      const isCurrent = this.catalog.current(corpus.name) === corpus.manifest.snapshot;
      const idleMs = now - corpus.usedAt;
      if (idleMs > (isCurrent ? limits.corpusIdleMs : limits.sweepMs)) this.#close(corpus);
    }
  }

  #close(corpus: OpenCorpus): void {
    this.#open.delete(corpus.citation);
    this.onClose(corpus.citation);
    corpus.release();
  }

  closeAll(): void {
    for (const corpus of [...this.#open.values()]) this.#close(corpus);
  }
}
