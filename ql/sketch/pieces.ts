/**
 * Pieces of the index: what a portion of sorted rows comes to, a file for each column, u32 each. Numbers in them count from the
 * piece's own beginning, so that it does not matter who makes which; columns.ts puts them one behind the other.
 *
 *   slice.head, .relation     a slice is a head and a relation (the other way round: a collocate and a relation)
 *   slice.triples, .rows      how many it has
 *   triple.word, .count       the collocate (the head), and how often
 *   triple.first              the position of the head in the first occurrence     (the other way round: slice.first, of the slice)
 *   gaps                      of all others: how far behind the one before
 *   distances                 of each occurrence: where the collocate is, from the head (0, -1, 1, -2, 2 …)
 */
import { type Columns, Spool } from "./rows.js";

export const forwardColumns = [
  "slice.head",
  "slice.relation",
  "slice.triples",
  "slice.rows",
  "triple.word",
  "triple.count",
  "triple.first",
  "gaps",
  "distances",
] as const;
export const backwardColumns = [
  "slice.head",
  "slice.relation",
  "slice.triples",
  "slice.rows",
  "slice.first",
  "triple.word",
  "triple.count",
  "gaps",
] as const;

/** How many values each column of a piece has. */
export interface PieceSizes {
  path: string;
  slices: number;
  triples: number;
  rows: number;
}

/** The file of a column of a piece. */
export function pieceFile(path: string, column: string): string {
  return `${path}.${column}`;
}

function spools<Name extends string>(path: string, names: readonly Name[]): Record<Name, Spool> {
  return Object.fromEntries(names.map((name) => [name, new Spool(pieceFile(path, name))])) as Record<
    Name,
    Spool
  >;
}

/** Rows by head, relation, collocate, position. */
export class ForwardPiece {
  readonly #spools: Record<(typeof forwardColumns)[number], Spool>;
  #slices = 0;
  #triples = 0;
  #rows = 0;
  #head = -1;
  #relation = -1;
  #word = -1;
  #position = 0;
  #sliceTriples = 0;
  #sliceRows = 0;
  #own = 0;

  constructor(readonly path: string) {
    this.#spools = spools(path, forwardColumns);
  }

  /** Sorted rows, behind those of before. */
  add([heads, relations, words, positions, others]: Columns, count: number): void {
    const { gaps, distances, ...own } = this.#spools;
    for (let i = 0; i < count; i++) {
      const position = positions[i];
      const isSlice = heads[i] !== this.#head || relations[i] !== this.#relation;
      if (isSlice || words[i] !== this.#word) {
        this.#endTriple();
        if (isSlice) {
          this.#endSlice();
          this.#head = heads[i];
          this.#relation = relations[i];
          own["slice.head"].push(this.#head);
          own["slice.relation"].push(this.#relation);
          this.#slices++;
        }
        this.#word = words[i];
        own["triple.word"].push(this.#word);
        own["triple.first"].push(position);
        this.#triples++;
        this.#sliceTriples++;
      } else gaps.push(position - this.#position);
      this.#position = position;
      const distance = others[i] - position;
      distances.push(distance < 0 ? -distance * 2 - 1 : distance * 2);
      this.#own++;
    }
    this.#rows += count;
  }

  #endTriple(): void {
    if (this.#own > 0) this.#spools["triple.count"].push(this.#own);
    this.#sliceRows += this.#own;
    this.#own = 0;
  }

  #endSlice(): void {
    if (this.#sliceRows === 0) return;
    this.#spools["slice.triples"].push(this.#sliceTriples);
    this.#spools["slice.rows"].push(this.#sliceRows);
    this.#sliceTriples = 0;
    this.#sliceRows = 0;
  }

  finish(): PieceSizes {
    this.#endTriple();
    this.#endSlice();
    for (const spool of Object.values(this.#spools)) spool.close();
    return { path: this.path, slices: this.#slices, triples: this.#triples, rows: this.#rows };
  }
}

/** Rows by collocate, relation, position; the heads of a slice are counted. */
export class BackwardPiece {
  readonly #spools: Record<(typeof backwardColumns)[number], Spool>;
  /** Of the slice: how often each head occurs, and which do. */
  readonly #counts: Uint32Array;
  #heads: number[] = [];
  #slices = 0;
  #triples = 0;
  #rows = 0;
  #word = -1;
  #relation = -1;
  #position = 0;
  #sliceRows = 0;

  constructor(
    readonly path: string,
    words: number,
  ) {
    this.#spools = spools(path, backwardColumns);
    this.#counts = new Uint32Array(words);
  }

  add([words, relations, positions, heads]: Columns, count: number): void {
    const { gaps, ...own } = this.#spools;
    const counts = this.#counts;
    for (let i = 0; i < count; i++) {
      const position = positions[i];
      if (words[i] !== this.#word || relations[i] !== this.#relation) {
        this.#endSlice();
        this.#word = words[i];
        this.#relation = relations[i];
        own["slice.head"].push(this.#word);
        own["slice.relation"].push(this.#relation);
        own["slice.first"].push(position);
        this.#slices++;
      } else gaps.push(position - this.#position);
      this.#position = position;
      if (counts[heads[i]]++ === 0) this.#heads.push(heads[i]);
      this.#sliceRows++;
    }
    this.#rows += count;
  }

  #endSlice(): void {
    if (this.#sliceRows === 0) return;
    const heads = this.#heads.length > 1 ? Uint32Array.from(this.#heads).sort() : this.#heads;
    for (const head of heads) {
      this.#spools["triple.word"].push(head);
      this.#spools["triple.count"].push(this.#counts[head]);
      this.#counts[head] = 0;
    }
    this.#triples += heads.length;
    this.#spools["slice.triples"].push(heads.length);
    this.#spools["slice.rows"].push(this.#sliceRows);
    this.#heads = [];
    this.#sliceRows = 0;
  }

  finish(): PieceSizes {
    this.#endSlice();
    for (const spool of Object.values(this.#spools)) spool.close();
    return { path: this.path, slices: this.#slices, triples: this.#triples, rows: this.#rows };
  }
}
