/**
 * Rows of a frequency list: what hits have in all columns together, numbered from 1 as it turns up. A row is a number of
 * a table of pairs (what is to the left, the last value); nothing is made for a hit.
 */
import { DugongError } from "../../storage/index.js";
import type { Hits } from "../chain/hits.js";
import { PairTable } from "../chain/pairs.js";
import { pieces } from "../pace.js";
import type { Column } from "./frequency-columns.js";
import { limits } from "./limits.js";

/** For which rows hits count: entry by entry, a row, and the hit it is one of. */
export interface Entries {
  count: number;
  rows: Uint32Array;
  /** Undefined where every hit has one entry. */
  hits?: Uint32Array;
}

export class Rows {
  readonly #levels: PairTable[];
  readonly #several: boolean;

  constructor(
    readonly columns: readonly Column[],
    readonly checkpoint: () => void = () => {},
  ) {
    this.#levels = columns.map(() => new PairTable(checkpoint));
    this.#several = columns.some(({ singles }) => singles);
  }

  /** How many rows there are; their numbers are 1 … size. */
  get size(): number {
    return this.#levels[this.#levels.length - 1].size;
  }

  /** The entries of hits: one each, or one for each combination where attributes have several values. */
  read(hits: Hits): Entries {
    const columns = this.columns.map((column) => {
      this.checkpoint();
      const values = new Uint32Array(hits.count);
      column.read(hits, values);
      return values;
    });
    const entries = this.#several ? this.#combine(columns, hits.count) : this.#number(columns, hits.count);
    if (this.#levels.some(({ size }) => size > limits.frequencyRowsMax)) throw tooManyRows();
    return entries;
  }

  #number(columns: Uint32Array[], count: number): Entries {
    const rows = new Uint32Array(count);
    columns.forEach((values, at) => {
      const level = this.#levels[at];
      let [left, value, row] = [-1, -1, 0];
      for (let i = 0; i < count; i++) {
        if (rows[i] !== left || values[i] !== value) {
          left = rows[i];
          value = values[i];
          row = level.number(left, value);
        }
        rows[i] = row;
      }
    });
    return { count, rows };
  }

  #combine(columns: Uint32Array[], count: number): Entries {
    let entries: Required<Entries> = {
      count,
      rows: new Uint32Array(count),
      hits: Uint32Array.from({ length: count }, (_, i) => i),
    };
    columns.forEach((values, at) => {
      entries = this.#expand(entries, values, at);
    });
    return entries;
  }

  #expand(before: Required<Entries>, values: Uint32Array, at: number): Required<Entries> {
    const level = this.#levels[at];
    const { singles } = this.columns[at];
    let rows = new Uint32Array(before.count * 2);
    let hits = new Uint32Array(before.count * 2);
    let count = 0;
    for (let i = 0; i < before.count; i++) {
      const hit = before.hits[i];
      const several = singles?.(values[hit]);
      const many = several ? several.length : 1;
      if (count + many > rows.length) {
        rows = longer(rows, count + many);
        hits = longer(hits, count + many);
      }
      for (let n = 0; n < many; n++) {
        rows[count] = level.number(before.rows[i], several ? several[n] : values[hit]);
        hits[count++] = hit;
      }
    }
    return { count, rows, hits };
  }

  /** The number of the value that a row has in a column. */
  value(row: number, column: number): number {
    let own = row;
    for (let at = this.#levels.length - 1; at > column; at--) own = this.#levels[at].left(own);
    return this.#levels[column].right(own);
  }

  /** The row with these values, a new one if need be. */
  row(values: readonly number[]): number {
    return values.reduce((left, value, at) => this.#levels[at].number(left, value), 0);
  }

  texts(row: number): string[] {
    return this.columns.map((column, at) => column.text(this.value(row, at)));
  }

  /**
   * How these rows compare by their texts, the first column first; those that look alike in the order in which they
   * turned up.
   */
  ranked(rows: Uint32Array): (a: number, b: number) => number {
    const ranks = this.columns.map((column, at) => {
      const values = new Uint32Array(rows.length);
      for (const [from, to] of pieces(rows.length, this.checkpoint))
        for (let i = from; i < to; i++) values[i] = this.value(rows[i], at);
      return column.ranks(values, this.checkpoint);
    });
    return (a, b) => {
      for (let at = 0; at < ranks.length; at++) {
        const order = ranks[at](this.value(a, at)) - ranks[at](this.value(b, at));
        if (order !== 0) return order;
      }
      return a - b;
    };
  }
}

function longer(column: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, column.length * 2));
  larger.set(column);
  return larger;
}

function tooManyRows(): DugongError {
  return new DugongError(
    "too_many_rows",
    `the frequency list has more than ${limits.frequencyRowsMax.toLocaleString("en")} different rows (limit frequencyRowsMax)`,
    "Count by fewer keys, or fewer hits.",
  );
}

/** A number for each row, which grows as rows turn up. */
export class RowNumbers {
  numbers = new Float64Array(1024);

  /** Room for rows up to `size`. */
  reach(size: number): Float64Array {
    if (size >= this.numbers.length) {
      const larger = new Float64Array(Math.max(size + 1, this.numbers.length * 2));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    return this.numbers;
  }
}
