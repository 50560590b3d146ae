/**
 * A lexicon as it is asked: string ↔ id, frequencies, byte order, prefixes, automata. Generations and files are
 * out of sight. Everything is loaded when it is first needed: opening a lexicon costs nothing.
 */
import { columnsOf, loadColumn } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import type { Pool } from "../pool/pool.js";
import { statisticsVersion } from "./format.js";
import { compareBytes, Generation, StringWalk } from "./generation.js";

/**
 * Anything that reads a string's UTF-8 bytes one after the other and says at the end whether it likes it. States are
 * numbers; `dead` is the state from which nothing is accepted any more.
 */
export interface Automaton {
  readonly start: number;
  readonly dead: number;
  step(state: number, byte: number): number;
  accepts(state: number): boolean;
}

/** How often long ways look whether somebody still wants to get there: every 16,384 ids. */
const lookMask = 0x3fff;

export interface LexiconFiles {
  /** How many ids there are. */
  size: number;
  generations: string[];
  statistics: string;
}

export class Lexicon {
  readonly size: number;
  #generations: Generation[] | undefined;
  #frequency: Float64Array | undefined;
  #documents: Uint32Array | undefined;
  #ranks: { idOfRank: Uint32Array; rankOfId: Uint32Array } | undefined;
  #numbers: { values: Float64Array; order: Uint32Array } | undefined;

  constructor(
    readonly pool: Pool,
    readonly files: LexiconFiles,
  ) {
    this.size = files.size;
  }

  get generations(): Generation[] {
    this.#generations ??= this.files.generations.map((path) =>
      Generation.load(columnsOf(this.pool), path, this.pool.checkpoint),
    );
    return this.#generations;
  }

  /** The id of a string, or −1. O(log size). */
  find(string: string): number {
    return this.findBytes(Buffer.from(string));
  }

  findBytes(bytes: Uint8Array): number {
    for (const generation of this.generations) {
      const rank = generation.find(bytes);
      if (rank >= 0) return generation.base + generation.ids[rank];
    }
    return -1;
  }

  /** The string of an id. */
  string(id: number): string {
    return this.bytes(id).toString();
  }

  bytes(id: number): Buffer {
    const generation = this.#generationOf(id);
    return generation.bytesAt(generation.ranks[id - generation.base]);
  }

  #generationOf(id: number): Generation {
    if (!(id >= 0 && id < this.size)) throw new RangeError(`no id ${id} in a lexicon of ${this.size}`);
    const generations = this.generations;
    for (let g = generations.length - 1; g > 0; g--) if (id >= generations[g].base) return generations[g];
    return generations[0];
  }

  /** How often each id occurs in the snapshot, by id. */
  get frequencies(): Float64Array {
    this.#loadStatistics();
    return this.#frequency!;
  }

  /**
   * In how many documents each id occurs, by id; zeros in a corpus without documents. Not for attributes of structures:
   * there it is the frequency once more, how many structures have the value, however many of them share a document.
   */
  get documentFrequencies(): Uint32Array {
    this.#loadStatistics();
    return this.#documents!;
  }

  frequency(id: number): number {
    return this.frequencies[id];
  }

  documentFrequency(id: number): number {
    return this.documentFrequencies[id];
  }

  #loadStatistics(): void {
    if (this.#frequency) return;
    const file = FileReader.open(this.files.statistics, "statistics", statisticsVersion);
    try {
      const low = loadColumn(this.pool, file, "frequency");
      const high = loadColumn(this.pool, file, "frequencyHigh");
      this.#documents = loadColumn(this.pool, file, "documents");
      const frequency = new Float64Array(low.length);
      for (let id = 0; id < low.length; id++) {
        if ((id & lookMask) === 0) this.pool.checkpoint();
        frequency[id] = high[id] * 2 ** 32 + low[id];
      }
      this.#frequency = frequency;
    } finally {
      file.close();
    }
  }

  /** The ids of the strings that begin with `prefix`, ascending. */
  idsWithPrefix(prefix: string): Uint32Array {
    const bytes = Buffer.from(prefix);
    const ranges = this.generations.map((generation) => generation.prefixRange(bytes));
    const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const isSmall = count * 32 < this.size;
    const marks = new Uint8Array(isSmall ? 0 : this.size);
    const found = new Uint32Array(count);
    let own = 0;
    this.generations.forEach(({ ids, base }, at) => {
      const [from, to] = ranges[at];
      for (let rank = from; rank < to; rank++) {
        if ((rank & lookMask) === 0) this.pool.checkpoint();
        if (isSmall) found[own++] = base + ids[rank];
        else marks[base + ids[rank]] = 1;
      }
    });
    // Of many, marks are read in order: sorting would take longer.
    if (isSmall) return found.sort();
    for (let id = 0; id < marks.length; id++) {
      if ((id & lookMask) === 0) this.pool.checkpoint();
      if (marks[id]) found[own++] = id;
    }
    return found;
  }

  /** The ids of the strings that an automaton accepts, ascending. Shared prefixes are read once. */
  idsMatching(automaton: Automaton): Uint32Array {
    const found = new Ids();
    for (const generation of this.generations) matchGeneration(generation, automaton, found);
    return found.take().sort();
  }

  /** Byte order over all generations: rank → id, and id → rank. */
  get order(): { idOfRank: Uint32Array; rankOfId: Uint32Array } {
    if (!this.#ranks) {
      const [first, ...others] = this.generations;
      this.#ranks =
        others.length === 0
          ? { idOfRank: first.ids, rankOfId: first.ranks }
          : mergeOrder(this.generations, this.size, this.pool.checkpoint);
    }
    return this.#ranks;
  }

  /** Ids and strings in byte order. The bytes are good until the next step. */
  *inOrder(): Generator<{ id: number; bytes: Uint8Array }> {
    const { idOfRank } = this.order;
    const generations = this.generations;
    if (generations.length === 1) {
      const walk = new StringWalk(generations[0], 0);
      for (let rank = 0; walk.next(); rank++) {
        yield { id: idOfRank[rank], bytes: walk.bytes.subarray(0, walk.length) };
      }
      return;
    }
    for (const id of idOfRank) yield { id, bytes: this.bytes(id) };
  }

  /**
   * The strings as numbers: `values[id]` (NaN where the string is none), and the ids that are numbers, ascending by
   * value. Whole numbers and decimals count; so does nothing else.
   */
  get numbers(): { values: Float64Array; order: Uint32Array } {
    if (this.#numbers) return this.#numbers;
    const values = new Float64Array(this.size).fill(Number.NaN);
    for (const generation of this.generations) {
      const walk = new StringWalk(generation, 0);
      for (let rank = 0; walk.next(); rank++) {
        if ((rank & lookMask) === 0) this.pool.checkpoint();
        // "9" is the last byte a number can begin with: most strings are told by that.
        if (walk.length === 0 || walk.length > 400 || walk.bytes[0] > 57) continue;
        const string = Buffer.from(walk.bytes.buffer, 0, walk.length).toString("latin1");
        if (/^[+-]?\d+(\.\d+)?$/.test(string))
          values[generation.base + generation.ids[rank]] = Number(string);
      }
    }
    const ids = new Ids();
    for (let id = 0; id < values.length; id++) if (!Number.isNaN(values[id])) ids.add(id);
    let compared = 0;
    const order = ids.take().sort((a, b) => {
      if ((++compared & lookMask) === 0) this.pool.checkpoint();
      return values[a] - values[b] || a - b;
    });
    this.#numbers = { values, order };
    return this.#numbers;
  }

  /** The ids whose strings are numbers in [low, high], ascending by value. */
  idsBetween(low: number, high: number): Uint32Array {
    const { values, order } = this.numbers;
    return order.subarray(
      firstWhere(order.length, (i) => values[order[i]] >= low),
      firstWhere(order.length, (i) => values[order[i]] > high),
    );
  }
}

function matchGeneration(generation: Generation, automaton: Automaton, found: Ids): void {
  const walk = new StringWalk(generation, 0);
  let states = new Float64Array(256);
  states[0] = automaton.start;
  /** The state after `length` bytes is dead for every string that shares more than `deadAt` bytes. */
  let deadAt = Number.POSITIVE_INFINITY;
  for (let rank = 0; walk.next(); rank++) {
    // The first string of a block shares 0 bytes, as far as is known: it is always read.
    let depth = walk.shared;
    if (depth > deadAt) continue;
    if (walk.length >= states.length) {
      const larger = new Float64Array(walk.length * 2);
      larger.set(states);
      states = larger;
    }
    deadAt = Number.POSITIVE_INFINITY;
    let state = states[depth];
    while (depth < walk.length) {
      state = automaton.step(state, walk.bytes[depth]);
      if (state === automaton.dead) {
        deadAt = depth;
        break;
      }
      states[++depth] = state;
    }
    if (deadAt === Number.POSITIVE_INFINITY && automaton.accepts(state)) {
      found.add(generation.base + generation.ids[rank]);
    }
  }
}

function mergeOrder(generations: Generation[], size: number, checkpoint: () => void) {
  const idOfRank = new Uint32Array(size);
  const rankOfId = new Uint32Array(size);
  const walks = generations.map((generation) => {
    const walk = new StringWalk(generation, 0);
    return { generation, walk, rank: 0, more: walk.next() };
  });
  for (let rank = 0; rank < size; rank++) {
    if ((rank & lookMask) === 0) checkpoint();
    let least: (typeof walks)[number] | undefined;
    for (const candidate of walks) {
      if (!candidate.more) continue;
      if (
        !least ||
        compareBytes(
          candidate.walk.bytes,
          candidate.walk.length,
          least.walk.bytes.subarray(0, least.walk.length),
        ) < 0
      ) {
        least = candidate;
      }
    }
    const id = least!.generation.base + least!.generation.ids[least!.rank++];
    idOfRank[rank] = id;
    rankOfId[id] = rank;
    least!.more = least!.walk.next();
  }
  return { idOfRank, rankOfId };
}

/** A growing list of ids. */
class Ids {
  #ids = new Uint32Array(256);
  #count = 0;

  add(id: number): void {
    if (this.#count === this.#ids.length) {
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#count++] = id;
  }

  take(): Uint32Array {
    return this.#ids.slice(0, this.#count);
  }
}

/** The first index below `count` for which `test` holds; it must hold for all that follow. */
export function firstWhere(count: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
