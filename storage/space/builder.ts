/**
 * Builds a segment of a space from points in any order, in bounded memory. What fits is ordered at once; what does not is put away in sorted runs,
 * and ordered slab by slab (runs.ts).
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { DugongError } from "../errors.js";
import { limits } from "../limits.js";
import { coordinateMax, dimensionsMax, dimensionsMin, leafPointsDefault, leafPointsMax } from "./format.js";
import { KdOrder, type SplitRule } from "./order.js";
import { Run, slabEnds, sortBy, sortPoints, writeRun } from "./runs.js";
import { SegmentWriter } from "./writer.js";

export interface BuilderOptions {
  k: number;
  /** Where runs are put. */
  folder: string;
  /** For points and what sorting them takes. */
  memoryBytes?: number;
  leafPoints?: number;
  rule?: SplitRule;
  checkpoint?: () => void;
}

export const memoryBytesDefault = limits.spaceMemoryBytesDefault;

/** Points of a run, or a slab: columns, and as many again to sort them. */
export function runPointsOf(k: number, memoryBytes: number): number {
  return Math.max(1 << 10, Math.floor(memoryBytes / ((k + 1) * 8)));
}

/** Collects points, and puts them away in runs when there is no room for more. */
export class PointCollector {
  readonly k: number;
  columns: Uint32Array[];
  count = 0;
  /** Told how many points were put away. */
  onSpill: (points: number) => void = () => {};
  readonly #pointsMax: number;
  #spare: Uint32Array[] = [];

  constructor(
    k: number,
    memoryBytes: number,
    /** Names the next run. */
    readonly nextRun: () => string,
  ) {
    this.k = k;
    this.#pointsMax = runPointsOf(k, memoryBytes);
    this.columns = this.#room(1 << 14);
  }

  #room(points: number): Uint32Array[] {
    return Array.from({ length: this.k + 1 }, () => new Uint32Array(points));
  }

  /** Makes room for so many points behind the first `count`, and puts points away where there is none. */
  reserve(points: number): void {
    if (this.count > 0 && this.count + points > this.#pointsMax) this.spill();
    const { length } = this.columns[0];
    if (this.count + points <= length) return;
    const larger = this.#room(Math.max(this.count + points, Math.min(this.#pointsMax, length * 2)));
    larger.forEach((column, c) => {
      column.set(this.columns[c].subarray(0, this.count));
    });
    this.columns = larger;
  }

  sort(): void {
    if (this.#spare.length === 0 || this.#spare[0].length < this.count)
      this.#spare = this.#room(this.columns[0].length);
    sortPoints(this.columns, this.count, this.#spare);
  }

  /** What there is becomes a run. */
  spill(): void {
    if (this.count === 0) return;
    this.sort();
    writeRun(this.nextRun(), this.columns, this.count);
    this.onSpill(this.count);
    this.count = 0;
  }
}

export class SpaceBuilder {
  readonly #collector: PointCollector;
  readonly #runs: string[] = [];
  readonly #options: Required<Pick<BuilderOptions, "memoryBytes" | "leafPoints" | "rule">> & BuilderOptions;

  constructor(options: BuilderOptions) {
    checkBuilder(options);
    this.#options = {
      memoryBytes: memoryBytesDefault,
      leafPoints: leafPointsDefault,
      rule: "first",
      ...options,
    };
    this.#collector = new PointCollector(options.k, this.#options.memoryBytes, () => {
      const path = join(options.folder, `points.${this.#runs.length}.run`);
      this.#runs.push(path);
      return path;
    });
  }

  /** Adds points: a column for each dimension, and one with the numbers of their units. */
  add(columns: readonly Uint32Array[], count: number): void {
    const { k } = this.#options;
    for (let d = 0; d < k; d++)
      for (let i = 0; i < count; i++)
        if (columns[d][i] > coordinateMax)
          throw new DugongError(
            "bad_coordinate",
            `a point has ${columns[d][i]} in dimension ${d}; coordinates are at most ${coordinateMax}`,
          );
    const collector = this.#collector;
    for (let done = 0; done < count; ) {
      const part = Math.min(count - done, 1 << 10);
      collector.reserve(part);
      for (let c = 0; c <= k; c++)
        collector.columns[c].set(columns[c].subarray(done, done + part), collector.count);
      collector.count += part;
      done += part;
    }
  }

  /** Writes all points to a file; resolves to its bytes. */
  async finish(
    path: string,
    unitBase = 0,
    dictionaries?: ReadonlyMap<number, { first: number; strings: readonly string[] }>,
    options: { durable: boolean } = { durable: true },
  ): Promise<number> {
    const { k, leafPoints, rule, checkpoint } = this.#options;
    const writer = new SegmentWriter(path, k);
    try {
      if (this.#runs.length === 0) {
        this.#collector.sort();
        const { columns, count } = this.#collector;
        order(writer, columns, count, leafPoints, rule, checkpoint);
      } else {
        this.#collector.spill();
        await orderRuns(writer, this.#runs, this.#options);
      }
    } catch (error) {
      writer.abandon();
      throw error;
    } finally {
      this.clear();
    }
    return writer.finish({ unitBase, leafPoints }, dictionaries, options);
  }

  /** Removes what was put away. */
  clear(): void {
    for (const path of this.#runs.splice(0)) rmSync(path, { force: true });
  }
}

function order(
  writer: SegmentWriter,
  columns: readonly Uint32Array[],
  count: number,
  leafPoints: number,
  rule: SplitRule,
  checkpoint?: () => void,
): void {
  const sink = (all: readonly Uint32Array[], from: number, to: number) => writer.leaf(all, from, to);
  new KdOrder(columns, leafPoints, sink, rule, checkpoint).run(0, count);
}

/** Orders the points of runs, slab by slab, into a writer. */
export async function orderRuns(
  writer: SegmentWriter,
  paths: readonly string[],
  {
    k,
    memoryBytes = memoryBytesDefault,
    leafPoints = leafPointsDefault,
    rule = "first",
    checkpoint = () => {},
    onProgress = () => {},
  }: Omit<BuilderOptions, "folder"> & { onProgress?: (points: number, total: number) => void },
): Promise<void> {
  const runs = paths.map((path) => new Run(path, k + 1));
  const total = runs.reduce((sum, { count }) => sum + count, 0);
  const ends = slabEnds(runs, runPointsOf(k, memoryBytes));
  const begins = runs.map(() => 0);
  let [columns, spare]: Uint32Array[][] = [[], []];
  let done = 0;
  for (let slab = 0; slab <= ends.length; slab++) {
    checkpoint();
    // Signals and timers get their turn.
    await setImmediate();
    const until = runs.map((run) => (slab < ends.length ? run.firstFrom(ends[slab]) : run.count));
    const count = until.reduce((sum, to, r) => sum + to - begins[r], 0);
    if (!columns[0] || columns[0].length < count)
      [columns, spare] = [0, 1].map(() => Array.from({ length: k + 1 }, () => new Uint32Array(count)));
    let at = 0;
    runs.forEach((run, r) => {
      run.load(begins[r], until[r], columns, at);
      at += until[r] - begins[r];
      begins[r] = until[r];
    });
    // Each run's part is sorted; together they are not.
    sortBy(0, columns, count, spare);
    order(writer, columns, count, leafPoints, rule, checkpoint);
    done += count;
    onProgress(done, total);
  }
}

function checkBuilder({ k, leafPoints = leafPointsDefault }: BuilderOptions): void {
  if (!(Number.isInteger(k) && k >= dimensionsMin && k <= dimensionsMax))
    throw new DugongError(
      "bad_dimensions",
      `a space has ${dimensionsMin} to ${dimensionsMax} dimensions, not ${k}`,
    );
  if (!(Number.isInteger(leafPoints) && leafPoints >= 2 && leafPoints <= leafPointsMax))
    throw new DugongError("bad_leaf", `a leaf has 2 to ${leafPointsMax} points, not ${leafPoints}`);
}
