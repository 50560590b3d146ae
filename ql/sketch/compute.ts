/**
 * Computes word sketches: each relation in each segment (in a part of a large one, in small ones together) is a task of its own, on worker threads; what a task has found is a
 * file that is there whole or not at all, so that a computation that was ended goes on where it was. In the end all are merged
 * (merge.ts). The index does not depend on the number of threads: nothing that one does depends on another.
 *
 * What was computed before text was appended is not computed again: its index becomes one more run (base.ts). Only matches that
 * look over its end are found again (reach.ts).
 *
 *   <corpus>/sketching/<name>.<hash>/<relation>.<from>.run, base.run      until the sketches are published
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import {
  beginSketching,
  Catalog,
  clearOthers,
  DugongError,
  hashOf,
  openCorpus,
  putSketches,
  type SketchesRecord,
  type Snapshot,
  sketchesRecords,
  sketchVersion,
  unnamedSketches,
  writeNumbered,
} from "../../storage/index.js";
import { EarlierSketches } from "./base.js";
import { aloneCrew, type Crew, checkWorkers, Threads } from "./crew.js";
import { readSketchGrammar, type SketchGrammar } from "./grammar.js";
import { defaultHeads, type HeadList, Heads, numberHeads, type SharedHeads } from "./heads.js";
import { limits } from "./limits.js";
import { mergeRuns } from "./merge.js";
import { reachOf } from "./reach.js";
import { checkGrammar, type RelationTask } from "./task.js";
import { type WorkOrder, Workplace, type WorkResult } from "./workplace.js";

export interface SketchComputeOptions {
  data: string;
  corpus: string;
  /** Text of the grammar, and the name of its file: *.m4 is expanded. */
  grammar: string;
  grammarName: string;
  heads?: string;
  name?: string;
  workers?: number;
  /** Rows that a thread has in memory at a time; what limits.ts says (taskRowsMax, mergeRowsMax) unless given. */
  rowsMax?: number;
  onProgress?: (report: SketchProgress) => void;
}

export interface SketchProgress {
  phase: "relations" | "merge" | "done";
  fraction: number;
  tasks: number;
  tasksTotal: number;
  seconds: number;
  secondsLeft?: number;
}

export interface SketchComputeResult {
  corpus: string;
  record: SketchesRecord;
  /** They were there already: same grammar, same heads, same text. */
  known: boolean;
  /** Tasks that an earlier run had done. */
  resumed: number;
  /** Tokens whose sketches were there before text was appended, and were not computed again. */
  kept: number;
  seconds: number;
}

export async function computeSketches(options: SketchComputeOptions): Promise<SketchComputeResult> {
  const { data, corpus, grammarName, name = "default" } = options;
  checkSketchesName(name);
  checkWorkers(options.workers);
  const grammar = readSketchGrammar(options.grammar, { name: basename(grammarName) });
  const snapshot = openCorpus({ data, corpus });
  const catalog = Catalog.open(data);
  try {
    catalog.checkWritable();
    if (snapshot.tokens >= 2 ** 32)
      throw new DugongError("corpus_too_large", "sketches are computed of corpora of fewer than 2^32 tokens");
    return await new Computation(snapshot, catalog, grammar, { ...options, name }).run();
  } finally {
    await catalog.close();
    await snapshot.close();
  }
}

/** Shares of the time: finding, then merging. */
const findShare = 0.75;

class Computation {
  readonly #began = performance.now();
  /** How much an earlier run had done: it took none of the time since. */
  #before: number | undefined;
  readonly #heads: string;
  readonly #grammarName: string;
  /** Says what the index says of a text: by which grammar and heads, of which corpus, however much has been appended to it. */
  readonly #fingerprint: string;

  constructor(
    readonly snapshot: Snapshot,
    readonly catalog: Catalog,
    readonly grammar: SketchGrammar,
    readonly options: SketchComputeOptions & { name: string },
  ) {
    this.#heads = options.heads ?? defaultHeads(snapshot);
    this.#grammarName = basename(options.grammarName);
    this.#fingerprint = hashOf([
      sketchVersion,
      snapshot.manifest.origin ?? 0,
      this.#heads,
      this.#grammarName,
      options.grammar,
    ]);
  }

  async run(): Promise<SketchComputeResult> {
    const { snapshot, catalog, options } = this;
    const { corpus, name } = options;
    const earlier = this.#earlier();
    if (earlier?.tokens === snapshot.tokens) return this.#known(earlier);
    const { shared, list } = numberHeads(snapshot, this.#heads);
    checkGrammar(snapshot, this.grammar, this.#grammarName);
    const base = this.#baseOf(earlier);
    const own = `${name}.${hashOf([this.#fingerprint, snapshot.number, base?.record.file ?? ""])}`;
    const lock = beginSketching(catalog, corpus, name, { folder: own, snapshot: snapshot.number });
    const all = join(snapshot.folder, "sketching");
    const folder = join(all, own);
    let isDone = false;
    try {
      clearOthers(all, name, own);
      mkdirSync(folder, { recursive: true });
      const crew = this.#crew(shared);
      try {
        const result = await this.#compute(folder, list, base, crew);
        isDone = true;
        return result;
      } finally {
        await crew.close();
      }
    } finally {
      base?.sketches.close();
      if (isDone) rmSync(folder, { recursive: true, force: true });
      lock.release({ forget: isDone });
    }
  }

  /** The last sketches of this name that say the same of what was there then. */
  #earlier(): SketchesRecord | undefined {
    return sketchesRecords(this.catalog, this.options.corpus)
      .filter(
        ({ name, fingerprint, tokens }) =>
          name === this.options.name && fingerprint === this.#fingerprint && tokens <= this.snapshot.tokens,
      )
      .at(-1);
  }

  /** They are there, perhaps of a snapshot with the same text: then they are this one's, too. */
  #known(record: SketchesRecord): SketchComputeResult {
    const { catalog, snapshot, options } = this;
    const known = { ...record, snapshot: snapshot.number };
    if (record.snapshot !== snapshot.number) {
      const { before } = catalog.database.transactionSync(() => putSketches(catalog, options.corpus, known));
      this.#removeUnnamed(before);
    }
    const seconds = (performance.now() - this.#began) / 1000;
    return { corpus: options.corpus, record: known, known: true, resumed: 0, kept: snapshot.tokens, seconds };
  }

  #removeUnnamed(before: SketchesRecord | undefined): void {
    const { catalog, options } = this;
    if (before) catalog.removeParts(options.corpus, unnamedSketches(catalog, options.corpus, [before]));
  }

  /** What need not be computed again: sketches of the tokens before `keep`, where matches that began there end before `end`. */
  #baseOf(earlier: SketchesRecord | undefined): Base | undefined {
    const reach = earlier && reachOf(this.grammar);
    if (!earlier || reach === undefined || reach > limits.tailTokensMax) return undefined;
    const keep = reach === 0 ? earlier.tokens : Math.max(0, earlier.tokens - 2 * reach);
    if (keep === 0) return undefined;
    const path = join(this.snapshot.folder, "parts", earlier.file);
    try {
      const sketches = new EarlierSketches(this.snapshot.pool, path);
      return { record: earlier, sketches, keep, from: reach === 0 ? keep : Math.max(0, keep - reach) };
    } catch {
      // Damaged, or gone: then all is computed.
      return undefined;
    }
  }

  #crew(shared: SharedHeads): Crew<WorkOrder, WorkResult> {
    const { snapshot, grammar, options } = this;
    const { workers = 1 } = options;
    if (workers > 1)
      return new Threads(snapshot, workers, "ql/sketch/worker.js", {
        grammar: options.grammar,
        grammarName: this.#grammarName,
        heads: shared,
      });
    return aloneCrew(new Workplace(snapshot, new Heads(snapshot, shared), grammar));
  }

  async #compute(
    folder: string,
    list: HeadList,
    base: Base | undefined,
    crew: Crew<WorkOrder, WorkResult>,
  ): Promise<SketchComputeResult> {
    const { snapshot, catalog, grammar, options } = this;
    const { corpus, name } = options;
    const tasks = tasksOf(snapshot, grammar, folder, base);
    const left = tasks.filter(({ path }) => !existsSync(path));
    let done = tasks.length - left.length;
    const resumed = done;
    this.#meter("relations", tasks.length === 0 ? 1 : done / tasks.length, done, tasks.length);
    const { rowsMax } = options;
    const orders: WorkOrder[] = left.map((task) => ({ kind: "relation", rowsMax, ...task }));
    const basePath = join(folder, "base.run");
    await Promise.all([
      crew.run(orders, () => this.#meter("relations", ++done / tasks.length, done, tasks.length)),
      base && !existsSync(basePath) && base.sketches.writeRun(basePath, list.strings, base.keep, rowsMax),
    ]);
    const info = {
      ...{ corpus, name, grammar: this.#grammarName, heads: this.#heads },
      ...(grammar.structure !== undefined && { structure: grammar.structure }),
      partsOfSpeech: grammar.partsOfSpeech,
      order: grammar.order,
      tokens: snapshot.tokens,
    };
    let record: SketchesRecord | undefined;
    let merged: Awaited<ReturnType<typeof mergeRuns>>;
    let before: SketchesRecord | undefined;
    this.#meter("merge", 0, done, tasks.length);
    await writeNumbered(
      catalog,
      corpus,
      "sketch",
      async (path) => {
        merged = await mergeRuns({
          ...{ path, grammar, info, crew, heads: list, rowsMax },
          folder: join(folder, "merging"),
          runs: [...(base ? [basePath] : []), ...tasks.map((task) => task.path)],
          onProgress: (fraction) => this.#meter("merge", fraction, done, tasks.length),
        });
        return merged.bytes;
      },
      (file) => {
        const { triples, occurrences, relations } = merged;
        record = {
          ...file,
          ...{
            version: sketchVersion,
            name,
            snapshot: snapshot.number,
            grammar: this.#grammarName,
            heads: this.#heads,
          },
          fingerprint: this.#fingerprint,
          origin: snapshot.manifest.origin ?? 0,
          tokens: snapshot.tokens,
          ...{ relations, triples, occurrences },
          created: new Date().toISOString(),
        };
        const put = putSketches(catalog, corpus, record);
        before = put.before;
        return put.named;
      },
    );
    this.#removeUnnamed(before);
    this.#meter("done", 1, done, tasks.length);
    return {
      corpus,
      record: record as SketchesRecord,
      known: false,
      resumed,
      kept: base?.keep ?? 0,
      seconds: (performance.now() - this.#began) / 1000,
    };
  }

  #meter(phase: SketchProgress["phase"], own: number, tasks: number, tasksTotal: number): void {
    const seconds = (performance.now() - this.#began) / 1000;
    const fraction =
      phase === "done" ? 1 : phase === "merge" ? findShare + (1 - findShare) * own : findShare * own;
    this.#before ??= fraction;
    const ownFraction = fraction - this.#before;
    const secondsLeft = ownFraction > 0.01 ? (seconds * (1 - fraction)) / ownFraction : undefined;
    this.options.onProgress?.({ phase, fraction, tasks, tasksTotal, seconds, secondsLeft });
  }
}

/** Sketches of before. */
interface Base {
  record: SketchesRecord;
  sketches: EarlierSketches;
  /** Rows whose heads stand before are kept … */
  keep: number;
  /** … and all others come from matches that begin here or behind. */
  from: number;
}

function tasksOf(
  snapshot: Snapshot,
  grammar: SketchGrammar,
  folder: string,
  base: Base | undefined,
): RelationTask[] {
  const keepFrom = base?.keep ?? 0;
  return partsOf(snapshot, base?.from ?? 0).flatMap(([from, to]) =>
    grammar.relations.map((_, relation) => ({
      ...{ relation, from, to, keepFrom },
      path: join(folder, `${relation}.${from}.run`),
    })),
  );
}

/** The tokens from one on in parts of no more than a task has: whole segments as far as they fit, small ones together. */
function partsOf({ segments }: Snapshot, first: number): [from: number, to: number][] {
  const parts: [from: number, to: number][] = [];
  const most = limits.taskTokensMax;
  for (const { start, tokens } of segments) {
    const end = start + tokens;
    for (let from = Math.max(start, first); from < end; ) {
      const last = parts.at(-1);
      if (last && end - last[0] <= most) {
        last[1] = end;
        break;
      }
      const to = Math.min(end, from + most);
      parts.push([from, to]);
      from = to;
    }
  }
  return parts;
}

function checkSketchesName(name: string): void {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name) && name.length <= limits.nameCharsMax) return;
  throw new DugongError(
    "bad_name",
    `${JSON.stringify(name)} cannot be the name of sketches`,
    `Use up to ${limits.nameCharsMax} letters, digits, "_", "-" and ".".`,
  );
}
