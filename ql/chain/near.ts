/**
 * Filters: hits that have a match of another query near them, or lie inside one. The other query's matches come in order
 * as the hits do, and are walked beside them once; only those that are still within reach are kept.
 */
import { DugongError, type Snapshot } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { structureIndex } from "../match/structures.js";
import { structureNumbers } from "./around.js";
import { type Hits, join, NOWHERE, pick, positionColumn, type Ranges } from "./hits.js";
import { limits } from "./limits.js";
import type { FilterStep } from "./steps.js";
import type { WindowFinder, WindowShape } from "./windows.js";

/** Matches that are read ahead and forgotten behind. */
class Ahead {
  readonly #blocks: AsyncIterator<Hits>;
  /** Read and not yet forgotten; `from` is the first that is still needed. */
  hits: Hits | undefined;
  from = 0;
  #ended = false;

  constructor(
    readonly snapshot: Snapshot,
    blocks: AsyncGenerator<Hits>,
  ) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** Are all matches known that begin before `position`? */
  reaches(position: number): boolean {
    const { hits } = this;
    return this.#ended || (hits !== undefined && hits.begins[hits.count - 1] >= position);
  }

  /** Reads until they are. */
  async reach(position: number): Promise<void> {
    while (!this.reaches(position)) {
      const next = await this.#blocks.next();
      if (next.done) this.#ended = true;
      else if (next.value.count > 0) this.#append(next.value);
    }
  }

  #append(block: Hits): void {
    if (!this.hits || this.from === this.hits.count) this.hits = block;
    else {
      const left = Uint32Array.from({ length: this.hits.count - this.from }, (_, i) => this.from + i);
      this.hits = join(this.snapshot, [pick(this.hits, left, true), block]);
    }
    this.from = 0;
  }

  /** No match that begins before `position` is asked for any more. */
  forget(position: number): void {
    const { hits } = this;
    while (hits && this.from < hits.count && hits.begins[this.from] < position) this.from++;
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}

/** What a filter says of a block of hits: 1 for each that is kept. */
export interface Decided {
  hits: Hits;
  marks: Uint8Array;
}

/** Where a filter looks for each hit: from `lows[i]` to `highs[i]`. Nothing before `bounds[i]` is asked for any more. */
interface Windows {
  lows: Float64Array;
  highs: Float64Array;
  bounds: Float64Array;
}

function windowsOf(snapshot: Snapshot, hits: Hits, window: FilterStep["window"]): Windows {
  const [lows, highs, bounds] = [0, 1, 2].map(() => new Float64Array(hits.count));
  if (window && "structure" in window) {
    const structure = snapshot.structure(window.structure);
    const numbers = structureNumbers(snapshot, structure, hits, snapshot.pool.checkpoint);
    const index = structureIndex(snapshot, structure);
    const { checkpoint } = snapshot.pool;
    let [last, low, high, bound] = [-1, 0, 0, 0];
    for (let i = 0; i < hits.count; i++) {
      if ((i & 0xfff) === 0) checkpoint();
      if (numbers[i] < 0) {
        bounds[i] = hits.begins[i];
        continue;
      }
      if (numbers[i] !== last) {
        last = numbers[i];
        [low, high] = structure.range(last);
        // A later hit may be in one that lies around this one, and began earlier.
        const at = snapshot.segments.indexOf(snapshot.segmentAt(hits.begins[i]));
        bound = index.isFlat(at) ? low : index.around(at, hits.begins[i])[0];
      }
      lows[i] = low;
      highs[i] = high;
      bounds[i] = bound;
    }
    return { lows, highs, bounds };
  }
  const { from, to } = window ?? { from: -5, to: 5 };
  for (let i = 0; i < hits.count; i++) {
    // A window on one side of the hit ends at the hit, not in it.
    lows[i] = Math.max(0, from > 0 ? hits.ends[i] + from - 1 : hits.begins[i] + from);
    highs[i] = Math.min(snapshot.tokens, to < 0 ? hits.begins[i] + to + 1 : hits.ends[i] + to);
    bounds[i] = hits.begins[i] + from;
  }
  return { lows, highs, bounds };
}

/** The same for windows that end at structures, or skip tokens. */
function boundedWindows(hits: Hits, { from, to, skip }: WindowShape, finder: WindowFinder): Windows {
  const { leftFroms, leftTos, rightFroms, rightTos } = finder.find(hits);
  const reach = skip === undefined ? from : -limits.windowTokensMax;
  return {
    lows: from > 0 ? rightFroms : leftFroms,
    highs: to < 0 ? leftTos : rightTos,
    bounds: Float64Array.from(hits.begins, (begin) => begin + reach),
  };
}

/** Which hits have a match near them; blocks have to come in order. `finder`: for windows that are bounded. */
export async function* near(
  { snapshot, checkpoint }: Desk,
  blocks: AsyncIterable<Hits>,
  step: FilterStep,
  matches: AsyncGenerator<Hits>,
  finder?: WindowFinder,
): AsyncGenerator<Decided> {
  const ahead = new Ahead(snapshot, matches);
  const { drop = false, node = true, occurrence, label } = step;
  try {
    for await (const hits of blocks) {
      const { lows, highs, bounds } = finder
        ? boundedWindows(hits, step.window as WindowShape, finder)
        : windowsOf(snapshot, hits, step.window);
      const marks = new Uint8Array(hits.count);
      const found: Ranges = {
        begins: positionColumn(snapshot, hits.count).fill(NOWHERE),
        ends: positionColumn(snapshot, hits.count).fill(NOWHERE),
      };
      for (let i = 0; i < hits.count; i++) {
        if ((i & 0xfff) === 0) checkpoint();
        if (highs[i] > lows[i]) {
          if (!ahead.reaches(highs[i])) await ahead.reach(highs[i]);
          ahead.forget(bounds[i]);
          const without: Range | undefined = node ? undefined : [hits.begins[i], hits.ends[i]];
          const at = choose(ahead, lows[i], highs[i], occurrence, without);
          if (at >= 0) {
            marks[i] = 1;
            found.begins[i] = ahead.hits!.begins[at];
            found.ends[i] = ahead.hits!.ends[at];
          }
        }
        if (drop) marks[i] = 1 - marks[i];
      }
      const labels = label === undefined ? hits.labels : new Map([...hits.labels, [label, found]]);
      yield { hits: { ...hits, labels }, marks };
    }
  } finally {
    finder?.release();
    await ahead.close();
  }
}

type Range = [begin: number, end: number];

/** The match in a window that is meant, or −1. */
function choose(
  { hits, from }: Ahead,
  low: number,
  high: number,
  occurrence: number | undefined,
  without: Range | undefined,
): number {
  if (!hits) return -1;
  let counted = 0;
  const places: number[] = [];
  for (let i = firstFrom(hits, low, from); i < hits.count && hits.begins[i] < high; i++) {
    if (hits.ends[i] > high) continue;
    if (without && hits.begins[i] < without[1] && hits.ends[i] > without[0]) continue;
    if (occurrence === undefined || ++counted === occurrence) return i;
    if (occurrence < 0) places.push(i);
  }
  return occurrence !== undefined && occurrence < 0 ? (places.at(occurrence) ?? -1) : -1;
}

function firstFrom({ begins, count }: Hits, position: number, from: number): number {
  let [low, high] = [from, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (begins[middle] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Which hits lie inside a match; blocks have to come in order. */
export async function* inside(
  { snapshot, checkpoint }: Desk,
  blocks: AsyncIterable<Hits>,
  drop: boolean,
  matches: AsyncGenerator<Hits>,
): AsyncGenerator<Decided> {
  const ahead = new Ahead(snapshot, matches);
  /** Of the matches that have begun, the last end. */
  let last = 0;
  try {
    for await (const hits of blocks) {
      const marks = new Uint8Array(hits.count);
      for (let i = 0; i < hits.count; i++) {
        if ((i & 0xfff) === 0) checkpoint();
        const begin = hits.begins[i];
        if (!ahead.reaches(begin + 1)) await ahead.reach(begin + 1);
        const known = ahead.hits;
        for (; known && ahead.from < known.count && known.begins[ahead.from] <= begin; ahead.from++)
          last = Math.max(last, known.ends[ahead.from]);
        marks[i] = hits.ends[i] <= last !== drop ? 1 : 0;
      }
      yield { hits, marks };
    }
  } finally {
    await ahead.close();
  }
}

/** What a window may be; thrown before anything is computed. */
export function checkWindow(window: FilterStep["window"], tokensMax: number): void {
  if (!window || "structure" in window) return;
  const { from, to } = window;
  if (!(from <= to) || Math.abs(from) > tokensMax || Math.abs(to) > tokensMax) {
    throw new DugongError(
      "bad_window",
      `a window from ${from} to ${to} cannot be`,
      `Write the place further left first, and at most ${tokensMax} tokens (limit windowTokensMax).`,
    );
  }
}
