/** A space of a snapshot, open: its segments as one, names and values in the place of numbers. */
import { dirname, join } from "node:path";
import { Catalog } from "../catalog/catalog.js";
import { noSpace, type SpaceRecord, spaceRecord } from "../catalog/spaces.js";
import type { Snapshot } from "../corpus/snapshot.js";
import { ArrayCursor, type PositionCursor } from "../cursor.js";
import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import type { Lexicon } from "../lexicon/lexicon.js";
import { Search } from "./best.js";
import { type ConjunctionSpace, unitsOfAll } from "./conjunction.js";
import { type DimensionRecord, hasDictionary } from "./dimensions.js";
import { leafPointsMax } from "./format.js";
import { cellText, intervalOf } from "./quantise.js";
import { PageReader, SpaceSegment } from "./segment.js";
import {
  type Asking,
  type BestFirst,
  type Box,
  type Condition,
  emptyPoints,
  type Points,
  type Space,
  type SpaceInfo,
} from "./types.js";
import { countIn, eachLeaf, Matches } from "./walk.js";

/** The space of that name of a snapshot, or an error that says what to type. It is good as long as the snapshot is open. */
export function openSpace(snapshot: Snapshot, name = "default"): Space {
  const catalog = Catalog.open(dirname(snapshot.folder));
  try {
    const record = spaceRecord(catalog, snapshot.corpus, snapshot.number, name);
    if (!record) throw noSpace(catalog, snapshot.corpus, snapshot.number, name);
    return new StoredSpace(snapshot, record);
  } finally {
    void catalog.close();
  }
}

/** The same, or undefined where there is none. */
export function findSpace(snapshot: Snapshot, name = "default"): Space | undefined {
  const catalog = Catalog.open(dirname(snapshot.folder));
  try {
    const record = spaceRecord(catalog, snapshot.corpus, snapshot.number, name);
    return record && new StoredSpace(snapshot, record);
  } finally {
    void catalog.close();
  }
}

/** What a unit's cursor takes for a point that it has to look for, in nanoseconds. */
const pointCost = 25;

/** Segments as one: what is asked in coordinates. */
export class Segments {
  readonly readers: PageReader[];
  readonly k: number;

  constructor(
    readonly segments: readonly SpaceSegment[],
    readonly single: readonly boolean[],
  ) {
    this.k = single.length;
    this.readers = segments.map((segment) => new PageReader(segment));
  }

  count(box: Box, asking?: Asking): number {
    let count = 0;
    for (const reader of this.readers) count += countIn(reader, box, asking);
    return count;
  }

  top(box: Box, weights: Float64Array, limit: number, asking?: Asking): Points {
    // No more than there are: a limit may be any number.
    const most = Math.min(
      limit,
      this.segments.reduce((sum, { meta }) => sum + meta.points, 0),
    );
    const points = emptyPoints(this.k, Math.max(0, most));
    if (!(most > 0)) return points;
    const search = new Search(this.readers, box, weights, asking, most);
    while (points.count < most && search.next()) {
      const at = points.count++;
      points.units[at] = search.unit;
      points.scores[at] = search.score;
      for (let d = 0; d < this.k; d++) points.coordinates[d][at] = search.coordinate(d);
    }
    return points;
  }

  bestFirst(box: Box, weights: Float64Array, asking?: Asking): BestFirst {
    return new Search(this.readers, box, weights, asking);
  }

  /** Units with a point in a box, ascending, each once. */
  units(box: Box, asking?: Asking): Uint32Array {
    let units = new Uint32Array(1024);
    let count = 0;
    for (const reader of this.readers) {
      const matches = new Matches(reader);
      const { unitBase } = reader.segment.meta;
      eachLeaf(
        reader,
        box,
        (leaf, relation) => {
          if (relation !== 2) reader.coordinates(leaf);
          const own = reader.units(leaf);
          const found = relation === 2 ? own.count : matches.find(leaf, relation, box);
          if (count + found > units.length) {
            const larger = new Uint32Array(Math.max(units.length * 2, count + found));
            larger.set(units);
            units = larger;
          }
          if (relation === 2) for (let i = 0; i < found; i++) units[count++] = unitBase + own.units[i];
          else for (let i = 0; i < found; i++) units[count++] = unitBase + own.units[matches.places[i]];
        },
        asking,
      );
    }
    asking?.checkpoint?.();
    const sorted = units.subarray(0, count).sort();
    let kept = 0;
    for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i];
    return sorted.subarray(0, kept);
  }

  topOfAll(boxes: readonly Box[], weights: Float64Array, limit: number, asking: Asking = {}): Points {
    const heavy = this.single.findIndex((single, d) => !single && weights[d] !== 0);
    if (heavy >= 0)
      throw new DugongError(
        "bad_order",
        `units with several words are ordered by what a unit has one value of: dimension ${heavy} is not`,
      );
    if (boxes.length === 0 || !(limit > 0)) return emptyPoints(this.k, 0);
    const most = Math.min(
      limit,
      this.segments.reduce((sum, { meta }) => sum + meta.points, 0),
    );
    return unitsOfAll(this.#conjunction, boxes, weights, most, asking).points;
  }

  countOfAll(boxes: readonly Box[], asking: Asking = {}): number {
    if (boxes.length === 0) return 0;
    const nothing = new Float64Array(this.k);
    return unitsOfAll(this.#conjunction, boxes, nothing, Number.POSITIVE_INFINITY, asking).total;
  }

  get #conjunction(): ConjunctionSpace {
    return { readers: this.readers, k: this.k, single: this.single };
  }

  close(): void {
    for (const segment of this.segments) segment.close();
  }
}

class StoredSpace implements Space {
  readonly info: SpaceInfo;
  readonly #all: Segments;
  readonly #dimensions: DimensionRecord[];
  readonly #beyond: number[];
  readonly #dictionaries = new Map<number, Dictionary>();
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, record: SpaceRecord) {
    this.#snapshot = snapshot;
    this.#dimensions = record.dimensions;
    this.#beyond = record.beyond;
    const segments: SpaceSegment[] = [];
    try {
      for (const { file } of record.segments)
        segments.push(new SpaceSegment(snapshot.pool, join(snapshot.folder, "parts", file)));
    } catch (error) {
      for (const segment of segments) segment.close();
      throw error;
    }
    this.#all = new Segments(
      segments,
      record.dimensions.map(({ single }) => single),
    );
    this.info = {
      corpus: snapshot.corpus,
      snapshot: snapshot.number,
      name: record.name,
      unit: record.unit,
      dimensions: record.dimensions.map(({ name, kind, max, single, source }) => ({
        ...{ name, kind, max, single, source },
      })),
      points: record.points,
      units: record.units,
      segments: segments.length,
      bytes: record.segments.reduce((sum, { bytes }) => sum + bytes, 0),
      created: record.created,
    };
  }

  dimension(name: string): number {
    const found = this.#dimensions.findIndex((dimension) => dimension.name === name);
    if (found >= 0) return found;
    const names = this.#dimensions.map((dimension) => dimension.name);
    const near = nearestName(name, names);
    throw new DugongError(
      "unknown_dimension",
      `no dimension ${JSON.stringify(name)} in space ${this.info.name} of ${this.info.corpus} (it has ${names.join(", ")})`,
      near && `Did you mean ${near}?`,
    );
  }

  everything(): Box {
    return {
      low: new Uint32Array(this.#dimensions.length),
      high: Uint32Array.from(this.#dimensions, ({ max }) => max),
      exact: true,
    };
  }

  box(conditions: readonly Condition[]): Box {
    const box = this.everything();
    for (const condition of conditions) {
      const d = this.dimension(condition.dimension);
      const { low, high, exact } = this.#interval(d, condition);
      box.low[d] = Math.max(box.low[d], low);
      box.high[d] = Math.min(box.high[d], high);
      box.exact &&= exact;
    }
    return box;
  }

  #interval(d: number, condition: Condition): { low: number; high: number; exact: boolean } {
    const { scale } = this.#dimensions[d];
    if (scale.kind !== "category" && scale.kind !== "word")
      return intervalOf(scale, condition, this.#beyond[d] === 0);
    if (condition.operator !== "=")
      throw new DugongError(
        "bad_condition",
        `${condition.dimension} is a ${scale.kind}: it can be asked with = alone, not with ${condition.operator}`,
      );
    const at = this.#find(d, condition.value);
    return at < 0 ? { low: 1, high: 0, exact: true } : { low: at, high: at, exact: true };
  }

  #find(d: number, value: string): number {
    const { of } = this.#dimensions[d];
    if (!hasDictionary(this.#dimensions[d])) return this.#lexicon(d).find(value);
    return this.#dictionary(d).find(of.from === "token" ? combined(value, of.attributes.length) : value);
  }

  value(d: number, coordinate: number): string {
    const dimension = this.#dimensions[d];
    if (!dimension) throw new RangeError(`no dimension ${d} of ${this.#dimensions.length}`);
    if (coordinate >= dimension.max) return "";
    const { scale } = dimension;
    if (hasDictionary(dimension)) return this.#dictionary(d).string(coordinate).replaceAll("\t", "/");
    return scale.kind === "word" || scale.kind === "category"
      ? this.#lexicon(d).string(coordinate)
      : cellText(scale, coordinate);
  }

  #lexicon(d: number): Lexicon {
    const { of } = this.#dimensions[d];
    if (of.from !== "token") throw new Error(`dimension ${d} has no lexicon`);
    return this.#snapshot.attribute(of.attributes[0]).lexicon;
  }

  #dictionary(d: number): Dictionary {
    let dictionary = this.#dictionaries.get(d);
    if (!dictionary) {
      dictionary = new Dictionary();
      for (const segment of this.#all.segments) dictionary.add(segment.dictionary(d)?.strings ?? []);
      this.#dictionaries.set(d, dictionary);
    }
    return dictionary;
  }

  weights(byName: Readonly<Record<string, number>>): Float64Array {
    const weights = new Float64Array(this.#dimensions.length);
    for (const [name, weight] of Object.entries(byName)) {
      if (!Number.isFinite(weight))
        throw new DugongError("bad_order", `the weight of ${name} is not a number`);
      weights[this.dimension(name)] = weight;
    }
    return weights;
  }

  count(box: Box, asking?: Asking): number {
    return this.#all.count(box, asking);
  }

  units(box: Box, asking?: Asking): PositionCursor {
    return new UnitCursor(
      () => this.#all.count(box, asking),
      () => this.#all.units(box, asking),
    );
  }

  top(box: Box, weights: Float64Array, limit: number, asking?: Asking): Points {
    return this.#all.top(box, weights, limit, asking);
  }

  bestFirst(box: Box, weights: Float64Array, asking?: Asking): BestFirst {
    return this.#all.bestFirst(box, weights, asking);
  }

  topOfAll(boxes: readonly Box[], weights: Float64Array, limit: number, asking?: Asking): Points {
    return this.#all.topOfAll(boxes, weights, limit, asking);
  }

  countOfAll(boxes: readonly Box[], asking?: Asking): number {
    return this.#all.countOfAll(boxes, asking);
  }

  coordinatesOfUnits(dimension: number, asking?: Asking): Uint32Array {
    const { max, single, name } = this.#dimensions[dimension];
    if (!single)
      throw new DugongError("bad_dimensions", `a ${this.info.unit} has several values of ${name}, not one`);
    const coordinates = new Uint32Array(this.info.units).fill(max);
    const everything = this.everything();
    for (const reader of this.#all.readers) {
      const { unitBase } = reader.segment.meta;
      eachLeaf(
        reader,
        everything,
        (leaf) => {
          const column = reader.coordinates(leaf).coordinates[dimension];
          const { units, count } = reader.units(leaf);
          for (let i = 0; i < count; i++) coordinates[unitBase + units[i]] = column[i];
        },
        asking,
      );
    }
    return coordinates;
  }

  *blocks(box: Box, asking?: Asking): Generator<Points> {
    const nothing = new Float64Array(this.#dimensions.length);
    const search = this.#all.bestFirst(box, nothing, asking);
    let block = emptyPoints(nothing.length, leafPointsMax);
    while (search.next()) {
      const at = block.count++;
      block.units[at] = search.unit;
      for (let d = 0; d < nothing.length; d++) block.coordinates[d][at] = search.coordinate(d);
      if (block.count < leafPointsMax) continue;
      yield block;
      block = emptyPoints(nothing.length, leafPointsMax);
    }
    if (block.count > 0) yield block;
  }

  close(): void {
    this.#all.close();
  }
}

/** Of a value that is written run/VERB: the last slashes part it, as many as it takes. */
function combined(value: string, attributes: number): string {
  const parts = value.split("/");
  const first = parts.slice(0, parts.length - attributes + 1).join("/");
  return [first, ...parts.slice(parts.length - attributes + 1)].join("\t");
}

/** Strings by their coordinates, and back. */
export class Dictionary {
  readonly #strings: string[] = [];
  readonly #places = new Map<string, number>();

  add(strings: readonly string[]): void {
    for (const string of strings) this.#places.set(string, this.#strings.push(string) - 1);
  }

  get size(): number {
    return this.#strings.length;
  }

  find(string: string): number {
    return this.#places.get(string) ?? -1;
  }

  string(place: number): string {
    return this.#strings[place] ?? "";
  }
}

/** Units that are looked for when the cursor is first moved. */
class UnitCursor implements PositionCursor {
  #cursor: ArrayCursor | undefined;
  #most: number | undefined;

  constructor(
    readonly count: () => number,
    readonly list: () => Uint32Array,
  ) {}

  get #own(): ArrayCursor {
    this.#cursor ??= new ArrayCursor(this.list());
    return this.#cursor;
  }

  get position(): number {
    return this.#cursor?.position ?? -1;
  }

  next(): number {
    return this.#own.next();
  }

  seek(target: number): number {
    return this.#own.seek(target);
  }

  fill(out: Uint32Array): number {
    return this.#own.fill(out);
  }

  get remaining(): number {
    if (this.#cursor) return this.#cursor.remaining;
    this.#most ??= this.count();
    return this.#most;
  }

  get cost(): number {
    return this.#cursor ? this.#cursor.cost : this.remaining * pointCost;
  }
}
