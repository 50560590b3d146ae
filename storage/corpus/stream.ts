/**
 * The id at each position of a whole snapshot: the streams of its segments, one behind the other, each opened when it
 * is first needed.
 */
import { GatherBatch } from "../column/gather.js";
import type { Column } from "../column/reader.js";
import type { Pool } from "../pool/pool.js";
import type { TokenStream } from "../stream/stream.js";
import type { Segment } from "./segment.js";

/** Which segment a position lies in: a table that knows nearly, and a search for the rest. */
export class SegmentIndex {
  /** Where each segment starts, and where the last one ends. */
  readonly starts: Float64Array;
  /** A power of two: no position is rounded into the stretch beside its own. */
  readonly #scale: number;
  /** The segment with the first position of each of many equal stretches, and the last segment. */
  readonly #first: Uint32Array;

  constructor(segments: readonly { start: number; tokens: number }[]) {
    const last = segments.at(-1);
    const tokens = last ? last.start + last.tokens : 0;
    this.starts = Float64Array.from([...segments.map(({ start }) => start), tokens]);
    const stretches = Math.max(1, Math.min(1 << 16, segments.length * 16));
    let length = 1;
    while (length * stretches < tokens) length *= 2;
    this.#scale = 1 / length;
    this.#first = new Uint32Array(stretches + 1).fill(Math.max(0, segments.length - 1));
    for (let stretch = 0, at = 0; stretch < stretches; stretch++) {
      while (at + 1 < segments.length && this.starts[at + 1] <= stretch * length) at++;
      this.#first[stretch] = at;
    }
  }

  /** The segment of a position that is in one. */
  at(position: number): number {
    const stretch = (position * this.#scale) >>> 0;
    const { starts } = this;
    let low = this.#first[stretch];
    let high = this.#first[stretch + 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

export class SnapshotStream implements TokenStream {
  readonly #columns: (Column | undefined)[];
  /** The columns in the order in which they were opened, and the number of each one's first extent in that order. */
  readonly #opened: Column[] = [];
  readonly #firstExtents: Uint32Array;
  #extents = 0;

  constructor(
    readonly pool: Pool,
    readonly segments: Segment[],
    readonly index: SegmentIndex,
    /** A stored attribute. */
    readonly attribute: string,
  ) {
    this.#columns = segments.map(() => undefined);
    this.#firstExtents = new Uint32Array(segments.length);
  }

  get count(): number {
    return this.index.starts[this.segments.length];
  }

  #open(segment: number): Column {
    const { column } = this.segments[segment].storedStream(this.attribute);
    this.#columns[segment] = column;
    this.#opened.push(column);
    this.#firstExtents[segment] = this.#extents;
    this.#extents += column.extents;
    return column;
  }

  at(position: number): number {
    const segment = this.index.at(position);
    const column = this.#columns[segment] ?? this.#open(segment);
    return column.get((position - this.index.starts[segment]) >>> 0);
  }

  gather(positions: ArrayLike<number>, out: Uint32Array, count = positions.length): void {
    // Sorting looks at every extent that there is: a few positions are read sooner one by one.
    if (count * 16 < this.#extents) {
      for (let i = 0; i < count; i++) out[i] = this.at(positions[i]);
      return;
    }
    const batch = new GatherBatch(this.pool, count);
    const { index } = this;
    for (let done = 0; done < count; done += batch.size) {
      const here = Math.min(batch.size, count - done);
      for (let i = 0; i < here; i++) {
        const position = positions[done + i];
        const segment = index.at(position);
        const column = this.#columns[segment] ?? this.#open(segment);
        const place = (position - index.starts[segment]) >>> 0;
        const extent = (place / column.perExtent) >>> 0;
        batch.extents[i] = this.#firstExtents[segment] + extent;
        batch.places[i] = place - extent * column.perExtent;
      }
      batch.read(this.#opened, here, out, done);
    }
  }

  read(from: number, count: number, out: Uint32Array): void {
    const { starts } = this.index;
    for (let done = 0; done < count; ) {
      const segment = this.index.at(from + done);
      const place = from + done - starts[segment];
      const here = Math.min(count - done, starts[segment + 1] - from - done);
      const column = this.#columns[segment] ?? this.#open(segment);
      column.read(place, here, out.subarray(done, done + here));
      done += here;
    }
  }
}
