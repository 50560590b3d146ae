/**
 * An encoding job: from sources to a published snapshot.
 *
 *   1 parse    each segment's text to local numbers, in parallel          work/<job>/<n>.parsed
 *              and, segment after segment, where tags do not nest,
 *              what structures are made of them                           work/<job>/<n>.ranges
 *   2 merge    local lexicons to global ones, one key per thread          lexicon/, work/<job>/<key>.numbers
 *   3 write    each segment's files, in parallel                          segments/<job>.<n>/, work/<job>/<n>.written
 *   4 sum      statistics of each lexicon                                 lexicon/
 *   5 publish  one LMDB transaction
 *
 * Every step's outcome depends on the input alone, and is complete when its file has its header (or its name):
 * a job that was killed is run again and takes over what it finds. Nothing before step 5 can be seen by a reader.
 *
 * Memory: workers × (4 bytes × tokens of a segment × 4, and its distinct lines; twice the text of a segment if it has to be
 * converted) + (workers + 1) × text of a segment for streams + in step 2, per thread, one lexicon.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "../catalog/catalog.js";
import {
  type LexiconRecord,
  type Manifest,
  manifestFormat,
  type SegmentRecord,
} from "../catalog/manifest.js";
import { sweep, syncFolder } from "../catalog/sweep.js";
import { DugongError } from "../errors.js";
import { xxh64 } from "../file/format.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import type { Source } from "../input/sources.js";
import { limits } from "../limits.js";
import { listPrefix } from "../structures/writer.js";
import { StructureBuilder } from "./builder.js";
import { cutLate } from "./carry.js";
import {
  type CorpusConfig,
  type ReadingConfig,
  storedAttributes,
  structureKey,
  valuesKey,
} from "./config.js";
import { Cutter, type SegmentText } from "./cut.js";
import type { MergedLexicon, MergeTask } from "./merge.js";
import { flatStructures, type ParsedMeta, parsedVersion, pieceInput } from "./parse.js";
import { type Phase, ProgressMeter, type ProgressReport } from "./progress.js";
import type { SumTask } from "./statistics.js";
import { Threads } from "./threads.js";
import {
  type Place,
  refusedKinds,
  refusedStrictly,
  TagWarnings,
  type Warning,
  WarningSummary,
} from "./warnings.js";
import { rangesVersion, type WrittenSegment } from "./write.js";

export interface JobOptions {
  catalog: Catalog;
  corpus: string;
  command: string;
  fingerprint: string;
  /** Append to this snapshot; undefined makes a new corpus of it. */
  base?: Manifest;
  sources: Source[];
  config: CorpusConfig;
  reading: ReadingConfig;
  segmentBytes: number;
  workers: number;
  onProgress?: (report: ProgressReport) => void;
}

export interface JobResult {
  manifest: Manifest;
  warnings: Warning[];
  resumed: boolean;
  seconds: number;
  addedTokens: number;
}

export async function runJob(options: JobOptions): Promise<JobResult> {
  const meter = new ProgressMeter(options);
  const threads = new Threads(options.workers, options.reading);
  try {
    threads.expect(segmentsExpected(options));
    return await runWith(threads, meter, options);
  } finally {
    meter.stop();
    await threads.close();
  }
}

async function runWith(threads: Threads, meter: ProgressMeter, options: JobOptions): Promise<JobResult> {
  const { catalog, corpus } = options;
  const { job, resumed } = catalog.beginJob(corpus, options.command, options.fingerprint);
  const run = new Job(options, job.number, meter, threads);
  try {
    if (!resumed) sweep(catalog, corpus, job.number);
    mkdirSync(run.work, { recursive: true });
    const manifest = catalog.publish(await run.encode());
    // Readers have it now: what is left is tidying up.
    const { seconds } = meter;
    await rm(run.work, { recursive: true, force: true });
    sweep(catalog, corpus);
    meter.finish();
    return {
      manifest,
      warnings: run.warnings.list(),
      resumed,
      seconds,
      addedTokens: manifest.tokens - (options.base?.tokens ?? 0),
    };
  } catch (error) {
    // Input that is refused once would be refused again; after anything else (a full disk) the job can go on.
    if (error instanceof DugongError) {
      catalog.endJob(corpus);
      sweep(catalog, corpus);
    }
    throw error;
  }
}

/** At least so many, as far as the input is known beforehand. */
function segmentsExpected({ sources, segmentBytes }: JobOptions): number {
  return Math.ceil(
    sources.reduce((sum, { bytes }) => sum + bytes, 0) / (segmentBytes * limits.segmentOverrun),
  );
}

class Job {
  readonly warnings = new WarningSummary();
  readonly folder: string;
  readonly work: string;
  readonly config: CorpusConfig;

  constructor(
    readonly options: JobOptions,
    readonly number: number,
    readonly meter: ProgressMeter,
    readonly threads: Threads,
  ) {
    this.folder = options.catalog.corpusFolder(options.corpus);
    this.work = join(this.folder, "work", String(number));
    this.config = structuredClone(options.config);
    this.#builder = new StructureBuilder(flatStructures(options.reading), (kind, segment, place) => {
      // CoNLL-U has no ends of documents and paragraphs: there it is no oddity.
      if (kind !== "document_not_closed" || options.reading.format !== "conllu") {
        this.#oddTags.add(kind, segment, place);
      }
    });
  }

  async encode(): Promise<Manifest> {
    const parsed = await this.#phase("parse", () => this.#parse());
    this.#findStructures(parsed);
    const lexicons = await this.#phase("merge", () => this.#merge(parsed.length));
    const written = await this.#phase("write", () => this.#write(parsed, lexicons));
    // What was parsed has been used: it goes while the rest is done. (A job that is killed now parses again.)
    const removed = Promise.all(parsed.map((_, ordinal) => rm(this.#parsedPath(ordinal), { force: true })));
    await this.#phase("sum", () => this.#sum(written, lexicons));
    // That was the last they had to do: they end while the rest is done.
    void this.threads.close();
    return this.#phase("publish", async () => {
      syncFolder(join(this.folder, "lexicon"));
      syncFolder(join(this.folder, "segments"));
      syncFolder(this.folder);
      syncFolder(this.options.catalog.folder);
      await removed;
      return this.#manifest(written, lexicons);
    });
  }

  #phase<Result>(phase: Phase, run: () => Promise<Result>): Promise<Result> {
    this.meter.begin(phase);
    return run();
  }

  #parsedPath(ordinal: number): string {
    return join(this.work, `${ordinal}.parsed`);
  }

  /** Where the pieces of each segment lie, for warnings. */
  readonly #origins: { file: string; firstLine: number }[][] = [];

  async #parse(): Promise<ParsedMeta[]> {
    const { options, meter } = this;
    const cutter = new Cutter({
      format: options.reading.format,
      document: this.config.document,
      segmentBytes: options.segmentBytes,
      buffersMax: options.workers + 1,
      warn: (kind, file) => this.warnings.add(kind, 1, [{ file, line: 1 }]),
      onRead: (bytes) => meter.read(bytes),
    });
    const parsed: ParsedMeta[] = [];
    const pieces: SegmentText["pieces"][] = [];
    let built = 0;
    const running: Promise<void>[] = [];
    let failure: unknown;
    let refused = false;
    for await (const text of cutter.segments(options.sources)) {
      if (failure || refused) break;
      pieces[text.ordinal] = text.pieces;
      const parse = async () => {
        try {
          parsed[text.ordinal] = this.#parsedBefore(text) ?? (await this.#parseText(text));
          meter.parsed(parsed[text.ordinal].tokens);
          if (this.#isRefused(parsed[text.ordinal])) refused = true;
          // Structures are built in the order of the segments, while later ones are still being parsed.
          while (parsed[built]) await this.#buildStructures(parsed[built], built++);
        } catch (error) {
          failure ??= error;
        } finally {
          cutter.giveBack(text.buffers);
        }
      };
      running.push(parse());
    }
    await Promise.all(running);
    if (failure) throw failure;
    this.#collectWarnings(parsed, pieces);
    return parsed;
  }

  #parseText(text: SegmentText): Promise<ParsedMeta> {
    return this.threads.run({ kind: "parse", pieces: text.pieces, path: this.#parsedPath(text.ordinal) });
  }

  #rangesPath(ordinal: number): string {
    return join(this.work, `${ordinal}.ranges`);
  }

  readonly #oddTags = new TagWarnings();
  readonly #builder: StructureBuilder;

  /** Segments whose ranges are in their parsed files. */
  readonly #nested = new Set<number>();

  /**
   * Builds the structures of the next segment into its ranges file (kind "ranges"): begin:<s> and end:<s>, u32 each;
   * or leaves them as they were found when it was parsed.
   */
  async #buildStructures({ structures, nested, tokens }: ParsedMeta, ordinal: number): Promise<void> {
    if (nested && this.#builder.idle) {
      this.#nested.add(ordinal);
      this.#builder.skipSegment(tokens);
      return;
    }
    const parsed = FileReader.open(this.#parsedPath(ordinal), "parsed", parsedVersion);
    const names = structures.map(({ name }) => name);
    const built = this.#builder.addSegment(names, parsed.integers("events"), tokens);
    parsed.close();
    const file = new FileWriter(this.#rangesPath(ordinal), "ranges", rangesVersion);
    for (const { name, count, begins, ends } of built) {
      if (count === 0) continue;
      file.add(`begin:${name}`, new Uint8Array(begins.buffer, 0, count * 4));
      file.add(`end:${name}`, new Uint8Array(ends.buffer, 0, count * 4));
    }
    await file.finish({ durable: false });
  }

  /** What an earlier run of this job left of the same text. */
  #parsedBefore(text: SegmentText): ParsedMeta | undefined {
    const path = this.#parsedPath(text.ordinal);
    if (!existsSync(path)) return undefined;
    try {
      const file = FileReader.open(path, "parsed", parsedVersion);
      const meta = file.contents.meta as unknown as ParsedMeta;
      const intact = meta.input === text.pieces.map(pieceInput).join("\n") && file.verify().length === 0;
      file.close();
      return intact ? meta : undefined;
    } catch {
      return undefined;
    }
  }

  #isRefused({ warnings }: Pick<ParsedMeta, "warnings">): boolean {
    const refused = this.options.reading.strict ? refusedStrictly : refusedKinds;
    return warnings.some(({ kind }) => refused.includes(kind));
  }

  /** Where a line stands is known only when all before it has been read: so what is refused waits until then. */
  #refuse(): void {
    const { strict, encoding } = this.options.reading;
    const warnings = this.warnings.list();
    for (const kind of refusedKinds) {
      const [place] = warnings.find((warning) => warning.kind === kind)?.places ?? [];
      if (!place) continue;
      const what = kind === "line_too_long" ? "line" : "the sentence from line";
      throw new DugongError(
        kind,
        `${what} ${place.line} of ${place.file} is longer than ${limits.lineBytesMax} bytes`,
        kind === "line_too_long"
          ? "Is this a text file? It has a token, or a tag, a line."
          : "Is this CoNLL-U? It has an empty line after each sentence.",
      );
    }
    const [place] = warnings.find(({ kind }) => kind === "invalid_utf8")?.places ?? [];
    if (!strict || !place) return;
    throw new DugongError(
      "invalid_utf8",
      `invalid ${encoding === "utf-8" ? "UTF-8" : encoding} in line ${place.line} of ${place.file}`,
      "Mend the file, name its encoding (--encoding), or leave out --strict to have such bytes replaced.",
    );
  }

  #collectWarnings(parsed: ParsedMeta[], pieces: SegmentText["pieces"][]): void {
    const linesBefore = new Map<string, number>();
    parsed.forEach((meta, ordinal) => {
      const origins = pieces[ordinal].map(({ name, startsFile, splitsDocument }, i) => {
        const firstLine = startsFile ? 0 : (linesBefore.get(name) ?? 0);
        linesBefore.set(name, firstLine + meta.pieceLines[i]);
        if (splitsDocument) this.warnings.add("document_split", 1, [{ file: name, line: firstLine + 1 }]);
        return { file: name, firstLine };
      });
      this.#origins.push(origins);
      this.warnings.addPieces(meta.warnings, origins);
    });
    this.#refuse();
    for (const { kind, count, places } of this.#oddTags.list()) {
      this.warnings.add(
        kind,
        count,
        places.map(({ segment, line }) => this.#placeOfTag(parsed[segment], segment, line)),
      );
    }
  }

  #placeOfTag({ pieceStarts }: ParsedMeta, segment: number, line: number): Place {
    const piece = pieceStarts.findLastIndex((start) => start <= line);
    const { file, firstLine } = this.#origins[segment][piece];
    const own = this.options.reading.format === "conllu" ? 0 : line - pieceStarts[piece];
    return { file, line: firstLine + own + 1 };
  }

  /** Structures and attributes that were found but not declared join the corpus's description. */
  #findStructures(parsed: ParsedMeta[]): void {
    for (const meta of parsed) {
      for (const found of meta.structures) {
        let structure = this.config.structures.find(({ name }) => name === found.name);
        if (!structure) {
          structure = { name: found.name, attributes: [] };
          this.config.structures.push(structure);
        }
        for (const name of found.attributes) {
          if (!structure.attributes.some((attribute) => attribute.name === name))
            structure.attributes.push({ name });
        }
      }
    }
  }

  #lexiconFile(key: string, kind: string): string {
    return `${key}.${this.number}.${kind}`;
  }

  #lexiconPath(file: string): string {
    return join(this.folder, "lexicon", file);
  }

  /** The lexicons that are merged from segments, and those that are derived from each. */
  #lexiconKeys(): {
    key: string;
    derived: { key: string; derivation: MergeTask["derived"][number]["derivation"] }[];
  }[] {
    const positional = storedAttributes(this.config).map(({ name, separator }) => ({
      key: name,
      derived: [
        ...(separator === undefined ? [] : [{ key: valuesKey(name), derivation: { separator } }]),
        ...this.config.attributes.flatMap(({ name: derivedName, derived }) =>
          derived?.from === name ? [{ key: derivedName, derivation: derived }] : [],
        ),
      ],
    }));
    const structural = this.config.structures.flatMap((structure) =>
      structure.attributes
        .filter(({ unique }) => !unique)
        .map(({ name, separator }) => {
          const key = structureKey(structure.name, name);
          return {
            key,
            derived: separator === undefined ? [] : [{ key: valuesKey(key), derivation: { separator } }],
          };
        }),
    );
    return [...positional, ...structural];
  }

  async #merge(segments: number): Promise<Record<string, LexiconRecord>> {
    mkdirSync(join(this.folder, "lexicon"), { recursive: true });
    const before = this.options.base?.lexicons ?? {};
    const recordOf = (key: string) => (Object.hasOwn(before, key) ? before[key] : undefined);
    const existing = (key: string) => ({
      generations: (recordOf(key)?.generations ?? []).map(({ file }) => this.#lexiconPath(file)),
      size: recordOf(key)?.size ?? 0,
    });
    const parsed = Array.from({ length: segments }, (_, ordinal) => ({
      ordinal,
      path: this.#parsedPath(ordinal),
    }));
    const keys = this.#lexiconKeys();
    const merged = await Promise.all(
      keys.map(({ key, derived }) =>
        this.threads.run({
          kind: "merge",
          task: {
            key,
            parsed,
            ...existing(key),
            lexiconPath: this.#lexiconPath(this.#lexiconFile(key, "lexicon")),
            numbersPath: this.#numbersPath(key),
            derived: derived.map(({ key: derivedKey, derivation }) => ({
              key: derivedKey,
              derivation,
              ...existing(derivedKey),
              lexiconPath: this.#lexiconPath(this.#lexiconFile(derivedKey, "lexicon")),
              mapPath: this.#lexiconPath(this.#lexiconFile(derivedKey, "map")),
            })),
          },
        }),
      ),
    );
    const lexicons: Record<string, LexiconRecord> = {};
    merged.flat().forEach((result) => {
      lexicons[result.key] = this.#record(result, recordOf(result.key));
    });
    for (const { key, derived } of keys) for (const child of derived) lexicons[child.key].base = key;
    return lexicons;
  }

  #numbersPath(key: string): string {
    return join(this.work, `${key}.numbers`);
  }

  #record(result: MergedLexicon, before: LexiconRecord | undefined): LexiconRecord {
    const record: LexiconRecord = {
      size: result.size,
      generations: [...(before?.generations ?? [])],
      statistics: { file: this.#lexiconFile(result.key, "statistics"), bytes: 0 },
    };
    if (result.bytes > 0) {
      record.generations.push({ file: this.#lexiconFile(result.key, "lexicon"), bytes: result.bytes });
    }
    if (result.mapBytes > 0) {
      const map = { file: this.#lexiconFile(result.key, "map"), bytes: result.mapBytes };
      record.maps = [...(before?.maps ?? []), map];
    } else if (before?.maps) record.maps = before.maps;
    return record;
  }

  #derivedOf(key: string, lexicons: Record<string, LexiconRecord>): { key: string; maps: string[] }[] {
    return Object.entries(lexicons)
      .filter(([, record]) => record.base === key)
      .map(([derived, record]) => ({
        key: derived,
        maps: (record.maps ?? []).map(({ file }) => this.#lexiconPath(file)),
      }));
  }

  #segmentId(ordinal: number): string {
    return `${this.number}.${ordinal}`;
  }

  #write(parsed: ParsedMeta[], lexicons: Record<string, LexiconRecord>): Promise<WrittenSegment[]> {
    const attributes = storedAttributes(this.config).map(({ name }) => ({
      name,
      numbersPath: this.#numbersPath(name),
      derived: this.#derivedOf(name, lexicons),
    }));
    const structures = this.config.structures.map((structure) => ({
      name: structure.name,
      attributes: structure.attributes.map(({ name, unique }) => ({
        name,
        unique: unique ?? false,
        numbersPath: this.#numbersPath(structureKey(structure.name, name)),
      })),
    }));
    const gluesFirst = this.#carryGlue(parsed);
    const pieces = cutLate(
      this.#builder.late,
      parsed.map(({ tokens }) => tokens),
      (ordinal) => this.#parsedPath(ordinal),
    );
    const state = xxh64(Buffer.from(parsed.map(({ input }) => input).join("\n\n"))).toString(16);
    return Promise.all(
      parsed.map(async (meta, ordinal) => {
        const donePath = join(this.work, `${ordinal}.written`);
        // Ids depend on every segment's text: what was written counts only if none of it has changed.
        const before = readJson<{ state: string; segment: WrittenSegment }>(donePath);
        let segment = before?.state === state ? before.segment : undefined;
        if (!segment) {
          const folder = join(this.folder, "segments", this.#segmentId(ordinal));
          segment = await this.threads.run({
            kind: "write",
            task: {
              ordinal,
              parsedPath: this.#parsedPath(ordinal),
              folder,
              attributes,
              structures,
              document: this.config.document,
              rangesPath: this.#nested.has(ordinal) ? null : this.#rangesPath(ordinal),
              pieces: pieces[ordinal],
              gluesFirst: gluesFirst[ordinal],
            },
          });
          syncFolder(folder);
          writeJson(donePath, { state, segment });
        }
        this.meter.written(meta.tokens);
        return segment;
      }),
    );
  }

  /** For each segment: does a <g/> of the segments before it glue its first token? */
  #carryGlue(parsed: ParsedMeta[]): boolean[] {
    let pending = false;
    return parsed.map(({ gluesNext, firstPiece: { tokens, endsFile } }, ordinal) => {
      const glues = pending && tokens > 0;
      if (pending && tokens === 0 && endsFile) {
        this.warnings.addPieces([{ kind: "glue_at_end", count: 1, places: [] }], this.#origins[ordinal]);
      }
      pending = gluesNext || (pending && tokens === 0 && !endsFile);
      return glues;
    });
  }

  async #sum(written: WrittenSegment[], lexicons: Record<string, LexiconRecord>): Promise<void> {
    const before = this.options.base?.lexicons ?? {};
    const folders = written.map(({ ordinal }) => join(this.folder, "segments", this.#segmentId(ordinal)));
    const run = async (key: string, task: Omit<SumTask, "size" | "path">) => {
      const record = lexicons[key];
      const path = this.#lexiconPath(record.statistics.file);
      const { bytes } = await this.threads.run({ kind: "sum", task: { size: record.size, path, ...task } });
      record.statistics.bytes = bytes;
    };
    const addTo = (key: string) =>
      Object.hasOwn(before, key) ? this.#lexiconPath(before[key].statistics.file) : undefined;
    const tasks: Promise<void>[] = [];
    const laterTasks: (() => Promise<void>)[] = [];
    for (const { key, derived } of this.#lexiconKeys()) {
      const [structure, attribute] = key.split("@");
      const structural = attribute !== undefined;
      const counts = folders.flatMap((folder, i): SumTask["counts"] => {
        if (!structural) {
          const split = written[i].split && { ...written[i].split, stream: `${folder}/${key}.stream` };
          return [{ path: `${folder}/${key}.postings`, kind: "postings", prefix: "", split }];
        }
        if (!Object.hasOwn(written[i].structures, structure)) return [];
        return [
          {
            path: `${folder}/${structure}.structure`,
            kind: "structure",
            prefix: listPrefix(attribute),
            attribute,
          },
        ];
      });
      tasks.push(run(key, { before: addTo(key), counts }));
      for (const child of derived) {
        const maps = (lexicons[child.key].maps ?? []).map(({ file }) => this.#lexiconPath(file));
        if (structural) {
          const statistics = this.#lexiconPath(lexicons[key].statistics.file);
          laterTasks.push(() => run(child.key, { counts: [], through: { statistics, maps } }));
        } else {
          const prefixed = counts.map((count) => ({ ...count, prefix: `${child.key}:` }));
          tasks.push(run(child.key, { before: addTo(child.key), counts: prefixed, maps }));
        }
      }
    }
    await Promise.all(tasks);
    await Promise.all(laterTasks.map((task) => task()));
  }

  #manifest(written: WrittenSegment[], lexicons: Record<string, LexiconRecord>): Manifest {
    const { base } = this.options;
    const segments: SegmentRecord[] = base ? [...base.segments] : [];
    let start = base?.tokens ?? 0;
    for (const { ordinal, tokens, glue, structures, files } of written) {
      segments.push({ id: this.#segmentId(ordinal), start, tokens, glue, structures, files });
      start += tokens;
    }
    return {
      format: manifestFormat,
      corpus: this.options.corpus,
      snapshot: 0,
      created: new Date().toISOString(),
      config: this.config,
      reading: base?.reading ?? this.options.reading,
      tokens: start,
      segments,
      lexicons,
      origin: base ? (base.origin ?? 0) : this.number,
      fingerprint: this.options.fingerprint,
      segmentBytes: this.options.segmentBytes,
    };
  }
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Value;
  } catch {
    return undefined;
  }
}

/** A file that is there is whole: it gets its name last. */
function writeJson(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(value));
  renameSync(`${path}.new`, path);
}
