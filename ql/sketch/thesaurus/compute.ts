/**
 * Computes a thesaurus of sketches that were computed: the neighbours of every head that is frequent enough. Not all pairs are compared:
 * the contexts are walked, and whoever is in one together shares it (similar.ts has the formulas). First contexts are weighed, then the
 * neighbours of some heads at a time are found (task.ts); each of both is a task of its own, on worker threads, and leaves a file that is
 * there whole or not at all, so that a computation that was ended goes on where it was. The thesaurus does not depend on the
 * number of threads.
 *
 *   <corpus>/sketching/<name>~thesaurus.<hash>/contexts.<from>, neighbours.<from>      until it is published
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  beginSketching,
  Catalog,
  clearOthers,
  DugongError,
  findSketches,
  hashOf,
  openCorpus,
  putThesaurus,
  type SketchesRecord,
  type Snapshot,
  type ThesaurusRecord,
  thesaurusVersion,
  unnamedSketches,
  writeNumbered,
} from "../../../storage/index.js";
import { aloneCrew, type Crew, checkWorkers, Threads } from "../crew.js";
import { limits } from "../limits.js";
import { StoredSketches } from "../stored.js";
import { FrequentHeads } from "./frequent.js";
import { writeThesaurus } from "./stored.js";
import { type ThesaurusOrder, ThesaurusPlace } from "./task.js";

export interface ThesaurusComputeOptions {
  data: string;
  corpus: string;
  /** Of which sketches. Default: "default". */
  name?: string;
  /** Heads that are so often in relations. Default: the most frequent ones, frequentHeadsMax of them at most. */
  minCount?: number;
  /** Neighbours of each. Default: 100. */
  limit?: number;
  workers?: number;
  /** Rows of contexts that a task weighs, and heads whose neighbours it finds; what limits.ts says unless given. */
  rowsMax?: number;
  headsMax?: number;
  onProgress?: (report: ThesaurusProgress) => void;
}

export interface ThesaurusProgress {
  phase: "contexts" | "neighbours" | "write" | "done";
  fraction: number;
  tasks: number;
  tasksTotal: number;
  seconds: number;
  secondsLeft?: number;
}

export interface ThesaurusComputeResult {
  corpus: string;
  /** Name of the sketches. */
  name: string;
  record: ThesaurusRecord;
  /** It was there already. */
  known: boolean;
  /** Tasks that an earlier run had done. */
  resumed: number;
  seconds: number;
}

export async function computeThesaurus(options: ThesaurusComputeOptions): Promise<ThesaurusComputeResult> {
  const { data, corpus, name = "default", limit = limits.neighboursStored } = options;
  checkWorkers(options.workers);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= limits.neighboursMax))
    throw new DugongError(
      "bad_limit",
      `a thesaurus cannot keep ${limit} neighbours of a word`,
      `Use 1 to ${limits.neighboursMax} (limit neighboursMax).`,
    );
  const snapshot = openCorpus({ data, corpus });
  const catalog = Catalog.open(data);
  try {
    catalog.checkWritable();
    const record = findSketches(catalog, corpus, snapshot.number, name);
    const sketches = new StoredSketches(snapshot, join(snapshot.folder, "parts", record.file));
    try {
      return await new Computation(snapshot, catalog, record, sketches, { ...options, name, limit }).run();
    } finally {
      sketches.close();
    }
  } finally {
    await catalog.close();
    await snapshot.close();
  }
}

/** Shares of the time: weighing, then comparing. */
const [weighShare, compareShare] = [0.15, 0.8];

type Tasks = { contexts: Task<"contexts">[]; neighbours: Task<"neighbours">[] };
type Task<Kind extends ThesaurusOrder["kind"]> = Extract<ThesaurusOrder, { kind: Kind }>;

class Computation {
  readonly #began = performance.now();
  /** How much an earlier run had done: it took none of the time since. */
  #before: number | undefined;
  readonly #minCount: number;
  #done = 0;
  #total = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly catalog: Catalog,
    readonly record: SketchesRecord,
    readonly sketches: StoredSketches,
    readonly options: ThesaurusComputeOptions & { name: string; limit: number },
  ) {
    this.#minCount = options.minCount ?? sketches.info.frequentCount;
  }

  async run(): Promise<ThesaurusComputeResult> {
    const { snapshot, catalog, record, options } = this;
    const { corpus, name, limit } = options;
    const there = record.thesaurus;
    if (there && there.minCount === this.#minCount && there.limit === limit)
      return { corpus, name, record: there, known: true, resumed: 0, seconds: this.#seconds };
    const own = `${name}~thesaurus.${hashOf([thesaurusVersion, record.file, this.#minCount, limit])}`;
    // No name of sketches has a "~": who computes those is not kept out.
    const lock = beginSketching(catalog, corpus, `${name}~thesaurus`, {
      folder: own,
      snapshot: snapshot.number,
    });
    const all = join(snapshot.folder, "sketching");
    const folder = join(all, own);
    let isDone = false;
    try {
      clearOthers(all, `${name}~thesaurus`, own);
      mkdirSync(folder, { recursive: true });
      const heads = this.#frequentHeads();
      const crew = this.#crew(heads);
      try {
        const result = await this.#compute(folder, heads, crew);
        isDone = true;
        return result;
      } finally {
        await crew.close();
      }
    } finally {
      if (isDone) rmSync(folder, { recursive: true, force: true });
      lock.release({ forget: isDone });
    }
  }

  #frequentHeads(): FrequentHeads {
    const heads = FrequentHeads.of(this.sketches, this.#minCount);
    if (heads.count <= limits.thesaurusHeadsMax) return heads;
    throw new DugongError(
      "too_many_heads",
      `${heads.count} words occur ${this.#minCount} times in relations; a thesaurus has up to ${limits.thesaurusHeadsMax} (thesaurusHeadsMax)`,
      "Ask for more frequent ones: --min-count.",
    );
  }

  #crew(heads: FrequentHeads): Crew<ThesaurusOrder, undefined> {
    const { snapshot, sketches, options } = this;
    if ((options.workers ?? 1) === 1) return aloneCrew(new ThesaurusPlace(sketches, heads));
    return new Threads(snapshot, options.workers!, "ql/sketch/thesaurus/worker.js", {
      sketches: sketches.path,
      heads: heads.tables,
    });
  }

  async #compute(
    folder: string,
    heads: FrequentHeads,
    crew: Crew<ThesaurusOrder, undefined>,
  ): Promise<ThesaurusComputeResult> {
    const { catalog, record: sketches, options } = this;
    const { corpus, name, limit } = options;
    const { contexts, neighbours } = this.#tasks(folder, heads.count);
    const resumed = await this.#doAll(contexts, neighbours, crew);
    let record: ThesaurusRecord | undefined;
    let before: SketchesRecord[] = [];
    let written = { bytes: 0, neighbours: 0 };
    this.#meter("write", 0);
    await writeNumbered(
      catalog,
      corpus,
      "thesaurus",
      async (path) => {
        const info = { sketches: sketches.file, minCount: this.#minCount, limit };
        const runs = neighbours.map(({ path: run, from, to }) => ({ path: run, slots: to - from }));
        written = await writeThesaurus(path, info, heads.tables.words, runs);
        return written.bytes;
      },
      (file) => {
        const own: ThesaurusRecord = {
          ...file,
          ...{ heads: heads.count, minCount: this.#minCount, limit, neighbours: written.neighbours },
          created: new Date().toISOString(),
        };
        before = putThesaurus(catalog, corpus, sketches.file, own);
        if (before.length > 0) record = own;
        return before.length > 0;
      },
    );
    if (!record)
      throw new DugongError(
        "sketches_changed",
        `sketches ${name} of ${corpus} were computed anew, or removed, in the meantime`,
        "Compute the thesaurus of those there are now.",
      );
    catalog.removeParts(
      corpus,
      unnamedSketches(
        catalog,
        corpus,
        before.filter(({ thesaurus }) => thesaurus),
      ),
    );
    this.#meter("done", 1);
    return { corpus, name, record, known: false, resumed, seconds: this.#seconds };
  }

  /** Returns how many of the tasks were done before. */
  async #doAll(
    contexts: Tasks["contexts"],
    neighbours: Tasks["neighbours"],
    crew: Crew<ThesaurusOrder, undefined>,
  ): Promise<number> {
    this.#total = contexts.length + neighbours.length;
    for (const [phase, tasks] of [["contexts", contexts] as const, ["neighbours", neighbours] as const]) {
      const left = tasks.filter(({ path }) => !existsSync(path));
      let own = tasks.length - left.length;
      this.#done += own;
      this.#meter(phase, own / Math.max(1, tasks.length));
      await crew.run(left, () => {
        this.#done++;
        this.#meter(phase, ++own / tasks.length);
      });
      this.#resumed += tasks.length - left.length;
    }
    return this.#resumed;
  }

  #resumed = 0;

  #tasks(folder: string, heads: number): Tasks {
    const { rowsMax = limits.thesaurusRowsMax, headsMax = headsOfTask(heads), limit } = this.options;
    const sizes = this.sketches.triplesOfCollocates();
    const contexts: Tasks["contexts"] = [];
    let [from, rows] = [0, 0];
    for (let word = 0; word < sizes.length; word++) {
      rows += sizes[word];
      if (rows < rowsMax && word + 1 < sizes.length) continue;
      contexts.push({ kind: "contexts", from, to: word + 1, path: join(folder, `contexts.${from}`) });
      [from, rows] = [word + 1, 0];
    }
    const paths = contexts.map(({ path }) => path);
    const neighbours: Tasks["neighbours"] = [];
    for (let first = 0; first < heads; first += headsMax)
      neighbours.push({
        ...{ kind: "neighbours", from: first, to: Math.min(heads, first + headsMax) },
        ...{ path: join(folder, `neighbours.${first}`), contexts: paths, limit },
      });
    return { contexts, neighbours };
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  #meter(phase: ThesaurusProgress["phase"], own: number): void {
    const seconds = this.#seconds;
    const fraction = {
      contexts: weighShare * own,
      neighbours: weighShare + compareShare * own,
      write: weighShare + compareShare,
      done: 1,
    }[phase];
    this.#before ??= fraction;
    const ownFraction = fraction - this.#before;
    const secondsLeft = ownFraction > 0.01 ? (seconds * (1 - fraction)) / ownFraction : undefined;
    const [tasks, tasksTotal] = [this.#done, this.#total];
    this.options.onProgress?.({ phase, fraction, tasks, tasksTotal, seconds, secondsLeft });
  }
}

/** So many that their sums fit memory, and that there is something for every thread. */
function headsOfTask(heads: number): number {
  return Math.max(
    1,
    Math.min(limits.thesaurusTaskHeads, Math.floor(limits.thesaurusSumsMax / Math.max(1, heads))),
  );
}
