/**
 * The catalogue of a data directory: one LMDB file, `catalog.mdb`, that names everything else.
 *
 *   ["corpus", name]                 {snapshot, nextJob}: which snapshot is current
 *   ["snapshot", name, n]            manifest of snapshot n
 *   ["job", name]                    the encoding job that holds the corpus for writing
 *   ["lease", name, n, pid, serial]  a reader of snapshot n
 *
 * (subcorpora.ts, alignments.ts, sketches.ts, spaces.ts and numbered.ts say what else is there.)
 *
 * Publishing a snapshot is one transaction: before it, readers see the old state, after it, the new one; there is
 * nothing in between. Files that no snapshot names are removed by whoever holds the corpus for writing.
 */
import { accessSync, constants, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import { makeFolder } from "../folder.js";
import { limits } from "../limits.js";
import { alignmentsOf } from "./alignments.js";
import { checkFile } from "./check.js";
import { type Manifest, manifestFormat } from "./manifest.js";
import { identify, isRunning, type ProcessIdentity } from "./process.js";
import { carrySketches, pruneSketches } from "./sketches.js";
import { carrySpaces, pruneSpaces } from "./spaces.js";
import { rangesRecords } from "./subcorpora.js";

export interface JobRecord {
  number: number;
  fingerprint: string;
  command: string;
  process: ProcessIdentity;
}

interface CorpusRecord {
  /** 0 while no snapshot has been published. */
  snapshot: number;
  nextJob: number;
  /** Of subcorpora, and of files that are written without holding the corpus. */
  nextNumber?: number;
}

export interface Lease {
  manifest: Manifest;
  release(): void;
}

type Key = (string | number)[];

export class Catalog {
  #serial = 0;

  private constructor(
    readonly folder: string,
    readonly database: RootDatabase<unknown, Key>,
    readonly writable: boolean,
  ) {}

  static open(folder: string, options: { create?: boolean } = {}): Catalog {
    if (options.create) makeFolder(folder);
    else if (!existsSync(join(folder, "catalog.mdb"))) {
      throw new DugongError(
        "no_data",
        `there are no corpora in ${folder}`,
        "Make one with `dugong encode`, or name another directory with --data or $DUGONG_DATA.",
      );
    }
    const path = join(folder, "catalog.mdb");
    checkFile(path);
    const writable = isWritable(existsSync(path) ? path : folder);
    if (options.create && !writable) throw readOnly(folder);
    const settings = { path, noSubdir: true, maxReaders: 512, readOnly: !writable };
    return new Catalog(folder, open<unknown, Key>(settings), writable);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  corpusFolder(corpus: string): string {
    return join(this.folder, checkName(corpus));
  }

  /** Where files are whose writers do not hold the corpus (numbered.ts). */
  partsFolder(corpus: string): string {
    return join(this.corpusFolder(corpus), "parts");
  }

  checkWritable(): void {
    if (!this.writable) throw readOnly(this.folder);
  }

  /** Names of the corpora that have a snapshot, sorted. */
  corpora(): string[] {
    const names: string[] = [];
    for (const { key, value } of this.database.getRange({ start: ["corpus"], end: ["corpus\u0001"] })) {
      if ((value as CorpusRecord).snapshot > 0) names.push((key as Key)[1] as string);
    }
    return names;
  }

  has(corpus: string): boolean {
    return ((this.#record(corpus)?.snapshot as number) ?? 0) > 0;
  }

  /** Is there a corpus of that name, or what an encoding has left that was stopped before its first snapshot? */
  hasAnything(corpus: string): boolean {
    return this.#record(corpus) !== undefined;
  }

  /** The number of a corpus's current snapshot, 0 if there is none: nothing else is read. */
  current(corpus: string): number {
    return this.#record(corpus)?.snapshot ?? 0;
  }

  #record(corpus: string): CorpusRecord | undefined {
    return this.database.get(["corpus", checkName(corpus)]) as CorpusRecord | undefined;
  }

  /** The manifest of a snapshot, the current one unless another is named. */
  manifest(corpus: string, snapshot?: number): Manifest {
    const manifest = this.manifestOfAnyFormat(corpus, snapshot);
    if (manifest.format !== manifestFormat) {
      throw new DugongError(
        "wrong_version",
        `corpus ${corpus} was written in format ${manifest.format}; this program reads format ${manifestFormat}`,
        "Encode the corpus again (--replace), or use the version of Dugong that wrote it.",
      );
    }
    return manifest;
  }

  /** The same, also if another version wrote it: good for its name and its size, not for reading the corpus. */
  manifestOfAnyFormat(corpus: string, snapshot?: number): Manifest {
    const record = this.#record(corpus);
    if (!record || record.snapshot === 0) throw this.noCorpus(corpus);
    const wanted = snapshot ?? record.snapshot;
    const manifest = this.database.get(["snapshot", corpus, wanted]) as Manifest | undefined;
    if (!manifest) {
      throw new DugongError(
        "no_snapshot",
        `corpus ${corpus} has no snapshot ${wanted}`,
        `The current one is ${record.snapshot}.`,
      );
    }
    return manifest;
  }

  noCorpus(corpus: string): DugongError {
    const near = nearestName(corpus, this.corpora());
    return new DugongError(
      "no_corpus",
      `there is no corpus ${corpus} in ${this.folder}`,
      near ? `Did you mean ${near}?` : "`dugong corpora` lists those there are.",
    );
  }

  snapshots(corpus: string): Manifest[] {
    const range = { start: ["snapshot", corpus, 0], end: ["snapshot", corpus, Number.MAX_SAFE_INTEGER] };
    return [...this.database.getRange(range)].map(({ value }) => value as Manifest);
  }

  /** The manifest of a snapshot, whose files stay until the lease is released or this process ends. */
  lease(corpus: string, snapshot?: number): Lease {
    // Where nothing can be written, no lease can be: but then whoever could remove the files is far away.
    if (!this.writable) return { manifest: this.manifest(corpus, snapshot), release: () => {} };
    return this.database.transactionSync(() => {
      const manifest = this.manifest(corpus, snapshot);
      const key: Key = ["lease", corpus, manifest.snapshot, process.pid, ++this.#serial + Date.now() * 1000];
      this.database.putSync(key, identify());
      let held = true;
      return {
        manifest,
        release: () => {
          if (held) this.database.removeSync(key);
          held = false;
        },
      };
    });
  }

  /**
   * Takes a corpus for writing. A job of a process that is gone is resumed if it was the same job (`resumed`), and
   * given up if it was another.
   */
  beginJob(corpus: string, command: string, fingerprint: string): { job: JobRecord; resumed: boolean } {
    checkName(corpus);
    this.checkWritable();
    return this.database.transactionSync(() => {
      const held = this.database.get(["job", corpus]) as JobRecord | undefined;
      if (held && isRunning(held.process) && held.process.pid !== process.pid) {
        throw new DugongError(
          "corpus_busy",
          `corpus ${corpus} is being written by process ${held.process.pid} (${held.command})`,
          "Wait until it is done.",
        );
      }
      const record = this.#record(corpus) ?? { snapshot: 0, nextJob: 1 };
      const resumed = held?.fingerprint === fingerprint;
      const number = resumed ? held.number : record.nextJob;
      const job: JobRecord = { number, fingerprint, command, process: identify() };
      this.database.putSync(["corpus", corpus], { ...record, nextJob: Math.max(record.nextJob, number + 1) });
      this.database.putSync(["job", corpus], job);
      return { job, resumed };
    });
  }

  /** A number that nothing else of the corpus has. Inside a transaction. */
  takeNumber(corpus: string): number {
    const record = this.#record(corpus) as CorpusRecord;
    const number = record.nextNumber ?? 1;
    this.database.putSync(["corpus", corpus], { ...record, nextNumber: number + 1 });
    return number;
  }

  /** Removes files that a record named until now. */
  removeParts(corpus: string, files: readonly { file: string }[]): void {
    for (const { file } of files) rmSync(join(this.partsFolder(corpus), file), { force: true });
  }

  /** Gives a corpus back without a new snapshot. */
  endJob(corpus: string): void {
    this.database.transactionSync(() => {
      this.database.removeSync(["job", corpus]);
      const record = this.#record(corpus);
      if (record && record.snapshot === 0 && this.snapshots(corpus).length === 0) {
        this.database.removeSync(["corpus", corpus]);
      }
    });
  }

  /**
   * Makes a manifest the current snapshot of its corpus, and ends the job: the one moment of truth. `sameAs`: a snapshot with the
   * same tokens; what was computed of it is good for this one.
   */
  publish(manifest: Manifest, sameAs?: number): Manifest {
    const published = this.database.transactionSync(() => {
      const record = this.#record(manifest.corpus) as CorpusRecord;
      const next = { ...manifest, snapshot: record.snapshot + 1 };
      this.database.putSync(["snapshot", manifest.corpus, next.snapshot], next);
      this.database.putSync(["corpus", manifest.corpus], { ...record, snapshot: next.snapshot });
      this.database.removeSync(["job", manifest.corpus]);
      if (sameAs !== undefined) {
        carrySketches(this, manifest.corpus, sameAs, next.snapshot);
        carrySpaces(this, manifest.corpus, sameAs, next.snapshot);
      }
      return next;
    });
    return published;
  }

  /**
   * Forgets snapshots that nobody reads and that are not part of the current one's history; returns the manifests
   * that remain. Called by whoever holds the corpus, or has just published it.
   */
  prune(corpus: string): Manifest[] {
    return this.database.transactionSync(() => {
      const leased = new Set<number>();
      for (const { key, value } of this.database.getRange({
        start: ["lease", corpus, 0],
        end: ["lease", corpus, Number.MAX_SAFE_INTEGER],
      })) {
        if (isRunning(value as ProcessIdentity)) leased.add((key as Key)[2] as number);
        else this.database.removeSync(key as Key);
      }
      const all = this.snapshots(corpus);
      const current = all.at(-1);
      if (!current) return [];
      const segments = new Set(current.segments.map(({ id }) => id));
      const kept = all.filter((manifest) => {
        const history =
          manifest.snapshot > current.snapshot - limits.snapshotsKept &&
          manifest.segments.every(({ id }) => segments.has(id));
        if (manifest === current || history || leased.has(manifest.snapshot)) return true;
        this.database.removeSync(["snapshot", corpus, manifest.snapshot]);
        for (const { snapshot, id } of rangesRecords(this, corpus, manifest.snapshot))
          this.database.removeSync(["ranges", corpus, snapshot, id]);
        return false;
      });
      pruneSketches(this, corpus, kept);
      pruneSpaces(this, corpus, kept);
      return kept;
    });
  }

  /** Pids of the processes that read a corpus, this one left out. */
  readers(corpus: string): number[] {
    const range = { start: ["lease", corpus, 0], end: ["lease", corpus, Number.MAX_SAFE_INTEGER] };
    const pids = new Set<number>();
    for (const { value } of this.database.getRange(range)) {
      const reader = value as ProcessIdentity;
      if (reader.pid !== process.pid && isRunning(reader)) pids.add(reader.pid);
    }
    return [...pids];
  }

  /** Forgets a corpus altogether. Its files are the caller's to remove. */
  remove(corpus: string): void {
    this.database.transactionSync(() => {
      for (const kind of [
        "snapshot",
        "lease",
        "subcorpus",
        "definition",
        "ranges",
        "sketches",
        "sketching",
        "spaces",
        "spacing",
        "writing",
      ]) {
        const range = { start: [kind, corpus], end: [kind, `${corpus}\u0001`] };
        for (const { key } of this.database.getRange(range)) this.database.removeSync(key as Key);
      }
      for (const { first, second } of alignmentsOf(this, corpus))
        this.database.removeSync(["alignment", first, second]);
      this.database.removeSync(["job", corpus]);
      this.database.removeSync(["corpus", corpus]);
    });
  }
}

function readOnly(folder: string): DugongError {
  return new DugongError(
    "read_only",
    `nothing can be written to ${folder}`,
    "Ask whoever owns it, or work on a copy.",
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A corpus's name is the name of its folder: letters, digits, "_", "-" and ".", not beginning with "." or "-". */
export function checkName(name: string): string {
  if (
    !/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) ||
    name.length > limits.corpusNameCharsMax ||
    name.startsWith("catalog.mdb")
  ) {
    throw new DugongError(
      "bad_name",
      `${JSON.stringify(name)} cannot be the name of a corpus`,
      `Use up to ${limits.corpusNameCharsMax} letters, digits, "_", "-" and ".", beginning with a letter, a digit or "_".`,
    );
  }
  return name;
}
