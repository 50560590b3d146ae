/** The desks of a thread: one for each snapshot that it was told of, opened when it is first asked. */
import { Desk, type Subcorpus } from "../../ql/index.js";
import { SubcorpusStore } from "../../ql/subcorpus/store.js";
import { attachSnapshot, DugongError, type Pool, type Snapshot } from "../../storage/index.js";
import { limits } from "../limits.js";
import type { Cores } from "./cores.js";
import { ServedEngine, type Turns } from "./engine.js";
import type { OpenTold } from "./messages.js";

class ServedDesk extends Desk {
  override readonly subcorpora: SubcorpusStore;
  override readonly turn: () => Promise<void> | void;

  constructor(engine: ServedEngine, data: string, checkpoint: () => void, resultBytes: number) {
    super(engine, data, checkpoint, resultBytes);
    this.turn = () => engine.turns.turn();
    this.subcorpora = new ServedSubcorpora(data, engine.snapshot, engine.turns);
  }
}

/**
 * Subcorpora that several jobs may want at once. One computes, the others stand aside: they would wait for each other
 * otherwise. If that one is ended, another begins anew.
 */
class ServedSubcorpora extends SubcorpusStore {
  readonly #computing = new Map<string, Promise<unknown>>();

  constructor(
    data: string,
    snapshot: Snapshot,
    readonly turns: Turns,
  ) {
    super(data, snapshot);
  }

  override async once(key: string, compute: () => Promise<Subcorpus>): Promise<Subcorpus> {
    for (;;) {
      const others = this.#computing.get(key);
      if (!others) break;
      await this.turns.aside(others);
    }
    const made = super.once(key, compute);
    const settled = made.then(
      () => {},
      () => {},
    );
    this.#computing.set(key, settled);
    try {
      return await made;
    } finally {
      this.#computing.delete(key);
    }
  }
}

export class Desks {
  readonly #told = new Map<string, OpenTold>();
  /** The least lately used first. */
  readonly #desks = new Map<string, Desk>();

  constructor(
    readonly pool: Pool,
    readonly data: string,
    readonly turns: Turns,
    readonly checkpoint: () => void,
    readonly resultBytes: number,
    readonly cores: Cores,
  ) {}

  tell(told: OpenTold): void {
    this.#told.set(told.citation, told);
  }

  get(citation: string): Desk {
    const known = this.#desks.get(citation) ?? this.#open(citation);
    this.#desks.delete(citation);
    this.#desks.set(citation, known);
    return known;
  }

  #open(citation: string): Desk {
    const told = this.#told.get(citation);
    if (!told) throw new DugongError("no_snapshot", `the thread was not told of ${citation}`);
    if (this.#desks.size >= limits.desksMax) void this.#closeDesk(this.#desks.keys().next().value as string);
    const snapshot = attachSnapshot(this.pool, told.folder, told.manifest);
    const engine = new ServedEngine(snapshot, this.turns, this.cores);
    return new ServedDesk(engine, this.data, this.checkpoint, this.resultBytes);
  }

  /** Nobody will ask of this snapshot any more. */
  close(citation: string): void {
    void this.#closeDesk(citation);
    this.#told.delete(citation);
  }

  async #closeDesk(citation: string): Promise<void> {
    const desk = this.#desks.get(citation);
    this.#desks.delete(citation);
    await desk?.close();
  }

  /** All results together stay within the thread's budget: those of desks that were not asked for longest go first. */
  trim(): void {
    let bytes = 0;
    for (const { results } of this.#desks.values()) bytes += results.bytes;
    for (const { results } of this.#desks.values()) {
      if (bytes <= this.resultBytes) return;
      bytes -= results.bytes;
      results.clear();
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#desks.keys()].map((citation) => this.#closeDesk(citation)));
  }
}
