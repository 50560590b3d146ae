/**
 * Builds a space of a corpus, and publishes it with the corpus's snapshot.
 *
 *   plan     scales and dictionaries                                  plan.json
 *   points   the units of each segment of the corpus, as sorted runs  <segment>.<n>.run, <segment>.done
 *   order    all runs, slab by slab, into one segment of the space    parts/<number>.space
 *   publish  one transaction
 *
 * All but the last file lie in <corpus>/spacing/<name>.<hash>/ until then: a build that was ended goes on where it was, at the
 * segment that it was at. A space that was built before text was appended gets one more segment, by the same scales.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Catalog } from "../catalog/catalog.js";
import { writeNumbered } from "../catalog/numbered.js";
import {
  beginBuilding,
  putSpace,
  type SpaceRecord,
  type SpaceSegmentRecord,
  spaceRecords,
  unnamedSpaceFiles,
} from "../catalog/spaces.js";
import { openCorpus, type Snapshot } from "../corpus/snapshot.js";
import { DugongError } from "../errors.js";
import { limits } from "../limits.js";
import { pageRanks } from "../links/pagerank.js";
import { readLinks } from "../links/table.js";
import { clearOthers, hashOf } from "../parts/leftovers.js";
import { memoryBytesDefault, orderRuns, PointCollector } from "./builder.js";
import { type DimensionRecord, hasDictionary, type Source } from "./dimensions.js";
import { Extractor, type UnitRange, unitsOfSegments, WordReader } from "./extract.js";
import { coordinateMax, leafPointsDefault, spaceVersion } from "./format.js";
import { GrowingDictionary } from "./measure.js";
import { type DimensionSpec, dimensionOf, parseDimensions, sourceOf, unitStructure } from "./plan.js";
import { SpaceSegment } from "./segment.js";
import { SegmentWriter } from "./writer.js";

export interface SpaceBuildOptions {
  data: string;
  corpus: string;
  /** A structure, or "token"; the corpus's documents unless given. */
  unit?: string;
  /** As plan.ts reads them: "word,year,length,rank". */
  dimensions: string;
  name?: string;
  /** A link table, for PageRank; and the attribute of documents that has their addresses. */
  links?: string;
  linkAttribute?: string;
  /** Build all of it, though text was only appended. */
  anew?: boolean;
  memoryBytes?: number;
  onProgress?: (report: SpaceProgress) => void;
  checkpoint?: () => void;
}

export interface SpaceProgress {
  phase: "plan" | "points" | "order" | "done";
  fraction: number;
  points: number;
  seconds: number;
  secondsLeft?: number;
}

export interface SpaceBuildResult {
  corpus: string;
  record: SpaceRecord;
  /** It was there already. */
  known: boolean;
  /** Segments of the corpus that an earlier run had done. */
  resumed: number;
  /** Points that were there before text was appended. */
  kept: number;
  /** What the link table came to. */
  links?: { pages: number; links: number; badLines: number; iterations: number; documents: number };
  seconds: number;
}

/** What is decided before points are made. */
interface Plan {
  dimensions: DimensionRecord[];
  /** By dimension: strings of the dictionary, and how many of them segments before have. */
  dictionaries: ({ known: number; strings: string[] } | null)[];
}

interface Done {
  points: number;
  beyond: number[];
  runs: string[];
}

export async function buildSpace(options: SpaceBuildOptions): Promise<SpaceBuildResult> {
  const { data, corpus, name = "default" } = options;
  checkSpaceName(name);
  const specs = parseDimensions(options.dimensions);
  const snapshot = openCorpus({ data, corpus });
  const catalog = Catalog.open(data);
  try {
    catalog.checkWritable();
    return await new Build(snapshot, catalog, specs, { ...options, name }).run();
  } finally {
    await catalog.close();
    await snapshot.close();
  }
}

/** Shares of the time. */
const pointsShare = 0.45;

class Build {
  readonly #began = performance.now();
  readonly #unit: string;
  readonly #sources: Source[];
  readonly #fingerprint: string;
  readonly #checkpoint: () => void;
  #links: SpaceBuildResult["links"];
  #points = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly catalog: Catalog,
    readonly specs: DimensionSpec[],
    readonly options: SpaceBuildOptions & { name: string },
  ) {
    this.#checkpoint = options.checkpoint ?? (() => {});
    this.#unit = options.unit ?? snapshot.config.document ?? "";
    if (this.#unit === "")
      throw new DugongError(
        "bad_unit",
        `corpus ${snapshot.corpus} has no documents`,
        `Say what units are with --unit: ${[...snapshot.structures.map((structure) => structure.name), "token"].join(", ")}.`,
      );
    unitStructure(snapshot, this.#unit);
    this.#sources = specs.map((spec) => sourceOf(snapshot, this.#unit, spec, options.linkAttribute));
    this.#checkSources();
    this.#fingerprint = hashOf([
      spaceVersion,
      snapshot.manifest.origin ?? 0,
      this.#unit,
      specs,
      this.#sources.map(withoutNewest),
    ]);
  }

  #checkSources(): void {
    const words = this.#sources.filter(({ from }) => from === "token").length;
    if (words > 1 && this.#unit !== "token")
      throw new DugongError(
        "bad_dimensions",
        `a ${this.#unit} has many words: of a space of these one dimension can be words`,
        "Combine attributes (word+tag), or use --unit token.",
      );
    const wantsLinks = this.#sources.some(({ from }) => from === "links");
    if (wantsLinks && this.options.links === undefined)
      throw new DugongError(
        "no_links",
        "PageRank needs a link table",
        "Give one with --links FILE: an address, a tab and an address in each line.",
      );
    if (!wantsLinks && this.options.links !== undefined)
      throw new DugongError(
        "bad_dimensions",
        "a link table is given, but no dimension is called rank",
        "Add rank to --dimensions, or leave --links out.",
      );
  }

  async run(): Promise<SpaceBuildResult> {
    const { snapshot, catalog, options } = this;
    const { corpus, name } = options;
    const earlier = options.anew ? undefined : this.#earlier();
    if (earlier?.tokens === snapshot.tokens) return this.#known(earlier);
    const own = `${name}.${hashOf([this.#fingerprint, snapshot.number, earlier?.segments ?? [], this.#linksIdentity])}`;
    const lock = beginBuilding(catalog, corpus, name, { folder: own, snapshot: snapshot.number });
    const all = join(snapshot.folder, "spacing");
    const folder = join(all, own);
    let isDone = false;
    try {
      clearOthers(all, name, own);
      mkdirSync(folder, { recursive: true });
      const result = await this.#build(folder, earlier);
      isDone = true;
      return result;
    } finally {
      // Without a plan there is nothing to go on with.
      const forget = isDone || !existsSync(join(folder, "plan.json"));
      if (forget) rmSync(folder, { recursive: true, force: true });
      lock.release({ forget });
    }
  }

  /** Ranks by another table are other points: what was made by the one before is of no use. */
  get #linksIdentity(): unknown {
    const stat =
      this.options.links === undefined ? undefined : statSync(this.options.links, { throwIfNoEntry: false });
    return stat && [stat.size, stat.mtimeMs];
  }

  /** The last space of this name that says the same of what was there then. */
  #earlier(): SpaceRecord | undefined {
    const { catalog, options, snapshot } = this;
    return spaceRecords(catalog, options.corpus)
      .filter(
        ({ name, fingerprint, tokens }) =>
          name === options.name && fingerprint === this.#fingerprint && tokens <= snapshot.tokens,
      )
      .at(-1);
  }

  /** A build that was killed when it had just published leaves its folder. */
  #clearLeftovers(): void {
    const { catalog, snapshot, options } = this;
    const all = join(snapshot.folder, "spacing");
    if (!existsSync(all) || readdirSync(all).length === 0) return;
    try {
      const lock = beginBuilding(catalog, options.corpus, options.name, {
        folder: "",
        snapshot: snapshot.number,
      });
      clearOthers(all, options.name, "");
      lock.release({ forget: true });
    } catch (error) {
      // Somebody builds it anew: then the folder is theirs.
      if (!(error instanceof DugongError)) throw error;
    }
  }

  #known(record: SpaceRecord): SpaceBuildResult {
    const { catalog, snapshot, options } = this;
    const known = { ...record, snapshot: snapshot.number };
    if (record.snapshot !== snapshot.number)
      catalog.database.transactionSync(() => putSpace(catalog, options.corpus, known));
    this.#clearLeftovers();
    const seconds = this.#seconds;
    return { corpus: options.corpus, record: known, known: true, resumed: 0, kept: record.points, seconds };
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  async #build(folder: string, earlier: SpaceRecord | undefined): Promise<SpaceBuildResult> {
    const { snapshot, options } = this;
    this.#meter("plan", 0);
    const ranks = await this.#ranks();
    const plan = this.#plan(folder, earlier, ranks);
    const ranges = unitsOfSegments(snapshot, this.#unit);
    const base = earlier?.units ?? 0;
    const units = ranges.at(-1)?.to ?? 0;
    if (units - base >= 2 ** 32)
      throw new DugongError(
        "too_many_units",
        `a segment of a space has at most 2^32 units, not ${units - base}`,
      );
    const { done, resumed } = await this.#extract(folder, plan, ranges, base, ranks);
    const points = done.reduce((sum, own) => sum + own.points, 0);
    this.#points = points;
    const record: Omit<SpaceRecord, "segments"> = {
      name: options.name,
      snapshot: snapshot.number,
      unit: this.#unit,
      dimensions: plan.dimensions,
      fingerprint: this.#fingerprint,
      origin: snapshot.manifest.origin ?? 0,
      tokens: snapshot.tokens,
      points: (earlier?.points ?? 0) + points,
      units,
      beyond: plan.dimensions.map((_, d) =>
        done.reduce((sum, { beyond }) => sum + beyond[d], earlier?.beyond[d] ?? 0),
      ),
      created: new Date().toISOString(),
    };
    const runs = done.flatMap((own) => own.runs.map((run) => join(folder, run)));
    const published = await this.#publish(record, plan, runs, points, base, earlier?.segments ?? []);
    this.#meter("done", 1);
    return {
      corpus: options.corpus,
      record: published,
      known: false,
      resumed,
      kept: earlier?.points ?? 0,
      ...(this.#links && { links: this.#links }),
      seconds: this.#seconds,
    };
  }

  /** By number of the document: how often its rank is the average one; NaN for those that the table does not name. */
  async #ranks(): Promise<Float64Array | undefined> {
    const source = this.#sources.find((one) => one.from === "links");
    const { links } = this.options;
    if (source?.from !== "links" || links === undefined) return undefined;
    const table = await readLinks(links, { checkpoint: this.#checkpoint });
    const { ranks, iterations } = pageRanks(table.graph, { checkpoint: this.#checkpoint });
    const structure = this.snapshot.structure(source.structure);
    const values = new Float64Array(structure.count).fill(Number.NaN);
    let documents = 0;
    for (let number = 0; number < structure.count; number++) {
      if ((number & 1023) === 0) this.#checkpoint();
      const url = structure.value(number, source.attribute);
      const page = url === undefined ? undefined : table.numbers.get(url);
      if (page === undefined) continue;
      values[number] = ranks[page] * ranks.length;
      documents++;
    }
    if (documents === 0 && structure.count > 0)
      throw new DugongError(
        "no_links",
        `${links} names no ${source.structure} of the corpus by its ${source.attribute}`,
        "Say with --link-attribute which attribute has the addresses.",
      );
    this.#links = {
      pages: table.urls.length,
      links: table.graph.sources.length,
      badLines: table.badLines,
      iterations,
      documents,
    };
    return values;
  }

  /** Scales of before, or new ones; dictionaries with all strings that there will be. */
  #plan(folder: string, earlier: SpaceRecord | undefined, ranks: Float64Array | undefined): Plan {
    const path = join(folder, "plan.json");
    if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Plan;
    const { snapshot } = this;
    const dimensions = this.specs.map((spec, d) => {
      if (!earlier) return dimensionOf(snapshot, this.#unit, spec, this.#sources[d], ranks);
      const { of, max } = earlier.dimensions[d];
      const isLexicon = of.from === "token" && of.attributes.length === 1;
      const size = isLexicon ? snapshot.attribute(of.attributes[0]).lexicon.size : max;
      return { ...earlier.dimensions[d], max: size };
    });
    const dictionaries = dimensions.map((dimension, d) => {
      if (!hasDictionary(dimension)) return null;
      const known = earlier ? this.#stringsOf(earlier, d) : [];
      const dictionary = new GrowingDictionary(known);
      for (const string of this.#newStrings(dimension, earlier?.tokens ?? 0)) dictionary.place(string);
      const { strings } = dictionary;
      if (strings.length > coordinateMax)
        throw new DugongError(
          "bad_dimensions",
          `${dimension.name} has ${strings.length} values; a dimension has at most ${coordinateMax}`,
        );
      dimension.max = strings.length;
      return { known: known.length, strings };
    });
    const plan: Plan = { dimensions, dictionaries };
    writeWhole(path, JSON.stringify(plan));
    return plan;
  }

  #stringsOf({ segments }: SpaceRecord, d: number): string[] {
    return segments.flatMap(({ file }) => {
      const segment = new SpaceSegment(this.snapshot.pool, join(this.snapshot.folder, "parts", file));
      try {
        return segment.dictionary(d)?.strings ?? [];
      } finally {
        segment.close();
      }
    });
  }

  /** The most frequent first; last the empty string, for units without a value. */
  #newStrings({ of }: DimensionRecord, from: number): string[] {
    const { snapshot } = this;
    if (of.from === "token")
      return new WordReader(snapshot, of.attributes).combinations(from, snapshot.tokens, this.#checkpoint);
    if (of.from !== "structure") return [];
    const lexicon = snapshot.structure(of.structure).lexicon(of.attribute);
    if (!lexicon) return [];
    const { frequencies } = lexicon;
    const ids = [...frequencies.keys()].filter((id) => frequencies[id] > 0);
    ids.sort((a, b) => frequencies[b] - frequencies[a] || a - b);
    return [...ids.map((id) => lexicon.string(id)), ""];
  }

  /** Points of each segment of the corpus, in runs. */
  async #extract(
    folder: string,
    plan: Plan,
    ranges: UnitRange[],
    base: number,
    ranks: Float64Array | undefined,
  ): Promise<{ done: Done[]; resumed: number }> {
    const dictionaries = plan.dictionaries.map((own) =>
      own ? new GrowingDictionary(own.strings) : undefined,
    );
    const extractor = new Extractor(this.snapshot, this.#unit, plan.dimensions, dictionaries, ranks);
    const { memoryBytes = memoryBytesDefault } = this.options;
    const done: Done[] = [];
    let resumed = 0;
    let runs: string[] = [];
    let segment = 0;
    const nextRun = () => {
      const run = `${segment}.${runs.length}.run`;
      runs.push(run);
      return join(folder, run);
    };
    const collector = new PointCollector(plan.dimensions.length, memoryBytes, nextRun);
    const total = (ranges.at(-1)?.to ?? 0) - base;
    for (const { from, to } of ranges) {
      const path = join(folder, `${segment}.done`);
      if (to > base) {
        if (existsSync(path)) {
          done.push(JSON.parse(readFileSync(path, "utf8")) as Done);
          resumed++;
        } else {
          runs = [];
          const before = extractor.beyond;
          let points = 0;
          collector.onSpill = (count) => {
            points += count;
          };
          extractor.extract({ from: Math.max(from, base), to }, base, collector, this.#checkpoint);
          collector.spill();
          const beyond = extractor.beyond.map((count, d) => count - before[d]);
          const own: Done = { points, beyond, runs };
          writeWhole(path, JSON.stringify(own));
          done.push(own);
        }
        this.#points += done.at(-1)?.points ?? 0;
        this.#meter("points", total === 0 ? 1 : (to - base) / total);
        // Signals and timers get their turn.
        await setImmediate();
      }
      segment++;
    }
    return { done, resumed };
  }

  async #publish(
    record: Omit<SpaceRecord, "segments">,
    plan: Plan,
    runs: string[],
    points: number,
    base: number,
    earlier: SpaceSegmentRecord[],
  ): Promise<SpaceRecord> {
    const { catalog, options } = this;
    const { corpus, memoryBytes } = options;
    const k = plan.dimensions.length;
    const dictionaries = new Map(
      plan.dictionaries.flatMap((own, d) =>
        own ? [[d, { first: own.known, strings: own.strings.slice(own.known) }] as const] : [],
      ),
    );
    let published: SpaceRecord | undefined;
    let before: SpaceRecord | undefined;
    await writeNumbered(
      catalog,
      corpus,
      "space",
      async (path) => {
        const writer = new SegmentWriter(path, k);
        try {
          await orderRuns(writer, runs, {
            k,
            memoryBytes,
            checkpoint: this.#checkpoint,
            onProgress: (did, total) => this.#meter("order", total === 0 ? 1 : did / total),
          });
        } catch (error) {
          writer.abandon();
          throw error;
        }
        return writer.finish({ unitBase: base, leafPoints: leafPointsDefault }, dictionaries);
      },
      (file) => {
        const own = { ...file, points, unitBase: base, units: record.units - base };
        published = { ...record, segments: [...earlier, own] };
        const put = putSpace(catalog, corpus, published);
        before = put.before;
        return put.named;
      },
    );
    if (before) catalog.removeParts(corpus, unnamedSpaceFiles(catalog, corpus, [before]));
    return published as SpaceRecord;
  }

  #meter(phase: SpaceProgress["phase"], own: number): void {
    const seconds = this.#seconds;
    const fraction =
      phase === "done" ? 1 : phase === "order" ? pointsShare + (1 - pointsShare) * own : pointsShare * own;
    const secondsLeft = fraction > 0.01 ? (seconds * (1 - fraction)) / fraction : undefined;
    this.options.onProgress?.({ phase, fraction, points: this.#points, seconds, secondsLeft });
  }
}

/** The newest date changes with what is appended; the scale of before stays. */
function withoutNewest(source: Source): Source {
  return source.from === "recency" ? { ...source, newest: 0 } : source;
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.unfinished`, text);
  renameSync(`${path}.unfinished`, path);
}

function checkSpaceName(name: string): void {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) && name.length <= limits.spaceNameCharsMax) return;
  throw new DugongError(
    "bad_name",
    `${JSON.stringify(name)} cannot be the name of a space`,
    `Use up to ${limits.spaceNameCharsMax} letters, digits, "_", "-" and ".".`,
  );
}
