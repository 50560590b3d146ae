/**
 * A desk: one snapshot of a corpus opened for asking. It has the engine that runs queries, the results that were computed
 * lately, and the subcorpora that have names. Every question of the analysis layer is asked at a desk.
 */
import { type OpenOptions, openCorpus } from "../storage/index.js";
import { ResultCache } from "./chain/cache.js";
import { Engine } from "./run/engine.js";
import { SubcorpusStore } from "./subcorpus/store.js";

export interface DeskOptions extends OpenOptions {
  /** Threads of the engine. */
  workers?: number;
  /** Called now and then while something is computed; what it throws ends it. */
  checkpoint?: () => void;
}

export class Desk {
  /**
   * Lets others go on who compute in this thread; to be awaited between steps of some milliseconds, where there is
   * something to wait for.
   */
  readonly turn: () => Promise<void> | void = () => {};
  readonly results: ResultCache;
  readonly subcorpora: SubcorpusStore;

  constructor(
    readonly engine: Engine,
    /** The data directory: where subcorpora are kept, and other corpora are. */
    readonly data: string,
    readonly checkpoint: () => void = () => {},
    /** Of results that are kept. */
    resultBytesMax?: number,
  ) {
    this.subcorpora = new SubcorpusStore(data, engine.snapshot);
    this.results = new ResultCache(resultBytesMax, (name) => this.subcorpora.find(name).id);
  }

  static open(options: DeskOptions): Desk {
    const snapshot = openCorpus(options);
    if (options.checkpoint) snapshot.pool.checkpoint = options.checkpoint;
    return new Desk(new Engine(snapshot, options.workers ?? 1), options.data, options.checkpoint);
  }

  get snapshot() {
    return this.engine.snapshot;
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.subcorpora.close();
    await this.snapshot.close();
  }
}
