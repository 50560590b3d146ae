/**
 * The rows of a stream: asked for a few at a time, by whoever has credit for them. Nothing is computed ahead.
 */
import type { Amount } from "../../client/protocol/messages.js";

export interface Block {
  count: number;
  /** All have `count` values. */
  columns: Record<string, unknown[]>;
}

export interface Rows {
  /** The next rows, at most `count`; none when there are no more. */
  next(count: number): Promise<Block> | Block;
  /** Have all rows been given? May be known only when `next` has given none. */
  readonly over: boolean;
  /** The next row is this one, or the end if there are not so many. */
  seek(row: number): Promise<void> | void;
  /** How many there are, as far as is known; and whether that is exact. */
  readonly total: Amount;
  readonly isCounted: boolean;
  /** What else is known of the whole. */
  readonly summary?: Record<string, unknown>;
  /** Goes on a little to find out how many there are; false when that is known. */
  count?(): Promise<boolean>;
  close(): Promise<void> | void;
}

/** Rows of a table that is known as a whole. A row is an object; a field that it has not is null. */
export class TableRows implements Rows {
  #next = 0;
  readonly total: Amount;
  readonly isCounted = true;
  readonly #names: string[];

  constructor(
    readonly rows: readonly object[],
    readonly summary: Record<string, unknown> | undefined,
    checkpoint: () => void,
  ) {
    this.total = { value: rows.length, certainty: "exact" };
    const names = new Set<string>();
    rows.forEach((row, i) => {
      if ((i & 0xfff) === 0) checkpoint();
      for (const [name, value] of Object.entries(row)) if (value !== undefined) names.add(name);
    });
    this.#names = [...names];
  }

  get over(): boolean {
    return this.#next >= this.rows.length;
  }

  next(count: number): Block {
    const rows = this.rows.slice(this.#next, this.#next + count);
    this.#next += rows.length;
    const columns: Record<string, unknown[]> = {};
    for (const name of this.#names)
      columns[name] = rows.map((row) => (row as Record<string, unknown>)[name] ?? null);
    return { count: rows.length, columns };
  }

  seek(row: number): void {
    this.#next = Math.min(row, this.rows.length);
  }

  close(): void {}
}
