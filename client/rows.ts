/**
 * Rows that can be asked for: a table of an analysis, the lines of a concordance. Nothing is asked before somebody reads.
 *
 *   for await (const row of rows)    one after the other, no faster than they are taken: the server computes a little
 *                                    ahead, and then waits. Ends without an error only behind the last row.
 *   rows.blocks()                    the same as columns: for millions of them
 *   rows.part(1000, 20)              the same of twenty rows, and then how many there are in all
 *   rows.page(1000, 20)              twenty rows from the 1001st on; the stream stays open for other pages until close()
 *   rows.all()                       an array
 *
 * Each iteration is a stream of its own.
 */

import type { Connection } from "./connection.js";
import { limits } from "./limits.js";
import type { Amount, Request } from "./protocol/messages.js";
import { type Block, type Known, Run } from "./run.js";

export interface StreamOptions {
  /** Ends the stream; whoever waits for a row gets the signal's reason. */
  signal?: AbortSignal;
  /** Ends the stream when it has computed so long. */
  timeoutMs?: number;
  /** Rows that may be on their way. Default: 1000. */
  windowRows?: number;
  /** For pages: find out how many rows there are, while nobody asks for more. */
  counting?: boolean;
  /** Called when more is known of the whole. */
  onProgress?: (known: Known) => void;
}

export interface Page<Row> {
  from: number;
  rows: Row[];
  /** Of all pages, as far as is known. */
  total?: Amount;
}

/** Makes one row of columns. */
export type RowOf<Row> = (columns: Record<string, unknown[]>, i: number) => Row;

export function plainRow<Row>(columns: Record<string, unknown[]>, i: number): Row {
  const row: Record<string, unknown> = {};
  for (const name of Object.keys(columns)) row[name] = columns[name][i];
  return row as Row;
}

export class Rows<Row, Summary = Record<string, unknown>> implements AsyncIterable<Row> {
  #known: Known = {};
  #held: Run | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly connection: Connection,
    readonly request: Omit<Request, "id">,
    readonly options: StreamOptions = {},
    readonly rowOf: RowOf<Row> = plainRow,
  ) {}

  /** What is known of the whole until now, or was when it ended. */
  get known(): Known & { summary?: Summary } {
    return this.#known as Known & { summary?: Summary };
  }

  /** How many rows there are, as far as is known. */
  get total(): Amount | undefined {
    return this.#known.total;
  }

  #run(first: { row: number; credit: number }, also: object = {}): Run {
    const { signal, timeoutMs, onProgress } = this.options;
    const known: Known = {};
    this.#known = known;
    const request = { ...this.request, ...(timeoutMs !== undefined && { timeoutMs }), ...also };
    return new Run(
      this.connection,
      request as Omit<Request, "id">,
      known,
      first,
      signal,
      () => this.#known === known && onProgress?.(known),
    );
  }

  /** Rows as columns, some at a time. */
  async *blocks(from = 0): AsyncGenerator<Block> {
    const { windowRows = limits.windowRows } = this.options;
    const run = this.#run({ row: from, credit: windowRows });
    let taken = 0;
    try {
      for (;;) {
        const block = await run.take();
        if (!block) return;
        yield block;
        taken += block.count;
        if (taken * 2 < windowRows) continue;
        run.want(taken);
        taken = 0;
      }
    } finally {
      run.close();
    }
  }

  /**
   * Rows [from, from + count) as columns; fewer where there are no more. Behind them the work goes on until it is known how
   * many rows there are in all (`total` is exact then), unless nobody wants to know. `known.end` has what was said at the end.
   */
  async *part(from: number, count: number, { counted = true } = {}): AsyncGenerator<Block> {
    const { windowRows = limits.windowRows } = this.options;
    // To the last row, and then the stream ends by itself.
    const isRest = count === Number.POSITIVE_INFINITY;
    const first = { row: from, credit: Math.min(windowRows, count) };
    const run = this.#run(first, isRest ? {} : { hold: true, counting: counted });
    let [given, taken, left] = [first.credit, 0, count];
    try {
      while (left > 0) {
        const block = await run.take();
        if (!block) break;
        yield block;
        left -= block.count;
        taken += block.count;
        if (taken * 2 < windowRows) continue;
        const more = Math.min(taken, count - given);
        if (more > 0) run.want(more);
        given += more;
        taken = 0;
      }
      if (isRest) return;
      if (counted) await run.counted();
      await run.finish(limits.finishMs);
    } finally {
      run.close();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    for await (const { columns, count } of this.blocks())
      for (let i = 0; i < count; i++) yield this.rowOf(columns, i);
  }

  async all(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { columns, count } of this.blocks())
      for (let i = 0; i < count; i++) rows.push(this.rowOf(columns, i));
    return rows;
  }

  /** At most `count` rows from a row on: fewer, or none, only where there are no more. */
  page(from: number, count: number): Promise<Page<Row>> {
    const page = this.#turn.then(() => this.#page(from, count));
    this.#turn = page.catch(() => {});
    return page;
  }

  async #page(from: number, count: number): Promise<Page<Row>> {
    const { counting } = this.options;
    if (!this.#held || this.#held.isOver) {
      const also = { hold: true, ...(counting && { counting }) };
      this.#held = this.#run({ row: from, credit: count }, also);
    } else if (this.#held.at === from) this.#held.want(count);
    else this.#held.seek(from, count);
    const rows: Row[] = [];
    while (rows.length < count) {
      const block = await this.#held.take();
      if (!block) break;
      for (let i = 0; i < block.count; i++) rows.push(this.rowOf(block.columns, i));
    }
    return { from, rows, ...(this.total && { total: this.total }) };
  }

  /** Ends the stream that pages come from. */
  close(): void {
    this.#held?.close();
    this.#held = undefined;
  }

  /** The same, and waits for what was said at its end: `known.end` has notices, and limits that were hit. */
  async finish(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.finish(limits.finishMs);
  }
}
