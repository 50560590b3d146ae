/**
 * A lexicon that was computed from another: lower case, or the single values of a multi-value attribute. Which
 * derived ids a base id has, and which base ids a derived id comes from.
 */
import { columnsOf } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import type { Pool } from "../pool/pool.js";
import { mapVersion } from "./format.js";

export class DerivedMap {
  #forward: { values: Uint32Array; starts?: Uint32Array } | undefined;
  #backward: { values: Uint32Array; starts: Uint32Array } | undefined;

  constructor(
    readonly pool: Pool,
    readonly paths: string[],
    readonly baseSize: number,
    readonly size: number,
  ) {}

  /** Derived ids of base ids: `values[id]` where there are no `starts`, else values[starts[id]] … values[starts[id+1]]. */
  get forward(): { values: Uint32Array; starts?: Uint32Array } {
    if (this.#forward) return this.#forward;
    const load = columnsOf(this.pool);
    const parts = this.paths.map((path) => {
      const file = FileReader.open(path, "map", mapVersion);
      try {
        const values = load(file, "values");
        return { values, starts: file.has("starts") ? load(file, "starts") : undefined };
      } finally {
        file.close();
      }
    });
    this.#forward = joinMaps(parts);
    return this.#forward;
  }

  /** The derived ids of a base id. */
  of(base: number): Uint32Array {
    const { values, starts } = this.forward;
    return starts ? values.subarray(starts[base], starts[base + 1]) : values.subarray(base, base + 1);
  }

  /** The base ids that a derived id comes from, ascending. */
  from(derived: number): Uint32Array {
    const { values, starts } = this.#inverted();
    return values.subarray(starts[derived], starts[derived + 1]);
  }

  #inverted(): { values: Uint32Array; starts: Uint32Array } {
    if (this.#backward) return this.#backward;
    const forward = this.forward;
    const starts = new Uint32Array(this.size + 1);
    for (const id of forward.values) starts[id + 1]++;
    for (let id = 0; id < this.size; id++) starts[id + 1] += starts[id];
    const next = starts.slice();
    const values = new Uint32Array(forward.values.length);
    for (let base = 0; base < this.baseSize; base++) {
      if ((base & 0x3fff) === 0) this.pool.checkpoint();
      for (const id of this.of(base)) values[next[id]++] = base;
    }
    this.#backward = { values, starts };
    return this.#backward;
  }
}

/** Maps of generations, one behind the other, as one. */
export function joinMaps(parts: { values: Uint32Array; starts?: Uint32Array }[]): {
  values: Uint32Array;
  starts?: Uint32Array;
} {
  if (parts.length === 1) return parts[0];
  const values = new Uint32Array(parts.reduce((sum, part) => sum + part.values.length, 0));
  const several = parts.some((part) => part.starts);
  const starts = several
    ? new Uint32Array(parts.reduce((sum, part) => sum + (part.starts as Uint32Array).length - 1, 0) + 1)
    : undefined;
  let at = 0;
  let id = 0;
  for (const part of parts) {
    values.set(part.values, at);
    if (starts && part.starts) {
      for (let i = 0; i + 1 < part.starts.length; i++) starts[++id] = at + part.starts[i + 1];
    }
    at += part.values.length;
  }
  return { values, starts };
}
