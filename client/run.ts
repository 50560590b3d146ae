/**
 * One open stream: rows as they come, no more than were asked for. If the connection is lost, it is opened again at the
 * row that was to come next, on the same snapshot.
 */

import type { Asked, Connection } from "./connection.js";
import { DugongClientError, problem } from "./errors.js";
import type {
  Amount,
  ClientMessage,
  End,
  Request,
  RequestId,
  Rows as RowsMessage,
  ServerMessage,
} from "./protocol/messages.js";

/** What is known of a stream as a whole, so far. */
export interface Known {
  /** How many rows it has. */
  total?: Amount;
  /** What else is said of all rows together: hits, N … */
  summary?: Record<string, unknown>;
  /** Tokens of the corpus that were looked at, of how many. */
  done?: number;
  of?: number;
  /** Hits that were found until now. */
  hits?: Amount;
  /** The snapshot that is asked: "brown@3". */
  corpus?: string;
  /** How it ended, if it has. */
  end?: Omit<End, "type" | "id">;
}

/** Rows [from, from + count), as columns. */
export interface Block {
  from: number;
  count: number;
  columns: Record<string, unknown[]>;
}

export class Run implements Asked {
  readonly repeatable = true;
  readonly #id: RequestId;
  readonly #blocks: Block[] = [];
  /** The row that is to come next, and how many more may come. */
  #next: number;
  #credit: number;
  #seeks = 0;
  #error: Error | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;
  readonly #stop = () => {
    this.close();
    this.fail(this.signal!.reason);
  };

  constructor(
    readonly connection: Connection,
    readonly request: Omit<Request, "id">,
    readonly known: Known,
    first: { row: number; credit: number },
    readonly signal?: AbortSignal,
    readonly changed: () => void = () => {},
  ) {
    this.#next = first.row;
    this.#credit = first.credit;
    this.#id = connection.ask(this);
    if (signal?.aborted) this.#stop();
    else signal?.addEventListener("abort", this.#stop);
  }

  // ---- what the connection calls

  begin(send: (message: ClientMessage) => void, id: RequestId): void {
    const { corpus = this.request.corpus } = this.known;
    const request = { ...this.request, ...(corpus !== undefined && { corpus }), id } as Request;
    if (this.#next === 0) {
      this.#seeks = 0;
      send({ ...request, credit: this.#credit });
      return;
    }
    this.#seeks = 1;
    send({ ...request, credit: 0 });
    send({ verb: "seek", id, row: this.#next, credit: this.#credit });
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case "rows":
        this.#take(message);
        break;
      case "total":
        this.known.total = message.rows;
        if (message.summary) this.known.summary = message.summary;
        break;
      case "progress": {
        const { type: _, id: __, ...news } = message;
        Object.assign(this.known, news);
        break;
      }
      case "end":
        this.#end(message);
        break;
      case "error":
        this.fail(new DugongClientError(message.error));
        break;
      case "result":
        this.fail(problem("unexpected_answer", `${this.request.verb} is not a stream`));
        break;
    }
    this.#wake?.();
    this.changed();
  }

  #take({ from, count, columns, seeks = 0, corpus }: RowsMessage): void {
    // Rows that were on their way when others were asked for.
    if (seeks !== this.#seeks) return;
    if (corpus !== undefined) this.known.corpus = corpus;
    this.#blocks.push({ from, count, columns });
    this.#next = from + count;
    this.#credit -= count;
  }

  #end({ type: _, id: __, ...end }: End): void {
    this.#isOver = true;
    this.known.end = end;
    if (end.corpus !== undefined) this.known.corpus = end.corpus;
    this.signal?.removeEventListener("abort", this.#stop);
    if (end.reason !== "complete") this.#error = errorOf(end);
  }

  fail(error: Error): void {
    this.#isOver = true;
    this.#error ??= error;
    this.signal?.removeEventListener("abort", this.#stop);
    this.#wake?.();
  }

  // ---- what the reader calls

  /** The row that the next block begins with, unless another is sought. */
  get at(): number {
    return this.#blocks[0]?.from ?? this.#next;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** So many more rows may come. */
  want(rows: number): void {
    this.#credit += rows;
    this.connection.tell({ verb: "credit", id: this.#id, rows });
  }

  seek(row: number, credit: number): void {
    this.#blocks.length = 0;
    this.#next = row;
    this.#credit = credit;
    this.#seeks++;
    this.connection.tell({ verb: "seek", id: this.#id, row, credit });
  }

  /** The next rows, or nothing when there are no more. What came before an error is given first. */
  async take(): Promise<Block | undefined> {
    for (;;) {
      const block = this.#blocks.shift();
      if (block) return block;
      if (this.#error) throw this.#error;
      const { total } = this.known;
      if (this.#isOver || (this.request.hold && total?.certainty === "exact" && this.#next >= total.value))
        return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Resolves when it is known how many rows there are in all, or will not be. */
  async counted(): Promise<void> {
    while (!this.#isOver && this.known.total?.certainty !== "exact") {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error) throw this.#error;
  }

  /** Ends the stream, and waits a moment for what its end has to say. */
  async finish(withinMs: number): Promise<void> {
    if (!this.#isOver) {
      this.connection.tell({ verb: "close", id: this.#id });
      const timer = setTimeout(() => this.close(), withinMs);
      while (!this.#isOver) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      clearTimeout(timer);
    }
    this.close();
  }

  close(): void {
    this.signal?.removeEventListener("abort", this.#stop);
    if (!this.#isOver) this.connection.forget(this.#id);
    this.#isOver = true;
    this.#wake?.();
  }
}

/** A stream that did not come to its last row: what was given is not all. */
function errorOf({ reason, error, limits, notices }: Omit<End, "type" | "id">): DugongClientError {
  if (error) return new DugongClientError(error, { limits, notices });
  const named = Object.entries(limits ?? {}).map(([name, value]) => `${name} ${value}`);
  const why = named.length > 0 ? ` (limit ${named.join(", ")})` : "";
  const bodies = {
    limit: { message: `the stream ended before its last row${why}`, hint: "Ask for less at a time." },
    timeout: { message: `the stream took too long${why}`, hint: "Ask for less, or give more time." },
    cancelled: {
      message: notices?.find(({ code }) => code === "killed")?.message ?? "the stream was cancelled",
    },
    error: { message: "the stream failed" },
    complete: { message: "" },
  };
  const code = reason === "error" ? "failed" : reason;
  return new DugongClientError({ code, ...bodies[reason], retryable: false }, { limits, notices });
}
