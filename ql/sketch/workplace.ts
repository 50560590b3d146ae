/** What a thread does for sketches: relations of a part of a segment, and portions of the rows that are merged. */
import type { Snapshot } from "../../storage/index.js";
import type { SketchGrammar } from "./grammar.js";
import type { Heads } from "./heads.js";
import { BackwardPiece, ForwardPiece, type PieceSizes } from "./pieces.js";
import { orderOf, picked, RunWriter, sorted } from "./rows.js";
import { gathered, type Portion, type RowSource } from "./stretch.js";
import { computeTask, type RelationTask } from "./task.js";

export type WorkOrder =
  | ({ kind: "relation" } & RelationTask)
  /** What portions are of from now on. */
  | { kind: "source"; source: RowSource }
  | { kind: "forward" | "backward"; portion: Portion; path: string; words: number };

export type WorkResult = PieceSizes | undefined;

export class Workplace {
  #source: RowSource | undefined;

  constructor(
    readonly snapshot: Snapshot,
    readonly heads: Heads,
    readonly grammar: SketchGrammar,
  ) {}

  work(order: WorkOrder): WorkResult {
    switch (order.kind) {
      case "relation":
        computeTask(this.snapshot, this.heads, this.grammar, order);
        return undefined;
      case "source":
        this.#source = order.source;
        return undefined;
      case "forward":
        return this.#forward(order.portion, order.path);
      case "backward":
        return this.#backward(order.portion, order.path, order.words);
    }
  }

  /** The piece, and beside it its rows the other way round: collocate, relation, position, head. */
  #forward(portion: Portion, path: string): PieceSizes {
    const piece = new ForwardPiece(path);
    const back = new RunWriter(`${path}.back`, 4);
    for (const stretch of portion) {
      const rows = gathered(this.#source!, stretch);
      const { columns, count } = sorted(rows.columns, rows.count);
      piece.add(columns, count);
      const [heads, relations, words, positions] = columns;
      const order = orderOf([words, relations, positions], count);
      const turned = [words, relations, positions, heads].map((column) => picked(column, order, count));
      back.add(turned, count, {});
    }
    back.finish(false);
    return piece.finish();
  }

  #backward(portion: Portion, path: string, words: number): PieceSizes {
    const piece = new BackwardPiece(path, words);
    for (const stretch of portion) {
      const { columns, count } = gathered(this.#source!, stretch);
      const order = orderOf(columns.slice(0, 3), count);
      piece.add(
        columns.map((column) => picked(column, order, count)),
        count,
      );
    }
    return piece.finish();
  }
}
