/**
 * Candidates for terms: what the rules of a grammar match, by the words of an attribute. Each rule's hits come as a
 * stream in order; they are merged, so that what two rules match counts once, for the first of them.
 */
import { DugongError } from "../../storage/index.js";
import { structureNumbers } from "../chain/around.js";
import { type Hits, type Positions, positionColumn } from "../chain/hits.js";
import { limits as chainLimits } from "../chain/limits.js";
import { PairTable } from "../chain/pairs.js";
import { type Running, stream } from "../chain/run.js";
import type { Asked } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import type { GrammarRule } from "./grammar.js";
import { limits } from "./limits.js";
import type { Types } from "./types.js";

/** Where candidates are looked for, and how rules are meant. */
export interface Search extends Omit<Asked, "query"> {
  rules: readonly GrammarRule[];
  subcorpus?: string | SubcorpusDefinition;
}

interface Found extends Pick<Hits, "begins" | "ends" | "count" | "ascending"> {
  /** The rule of each. */
  rules: Uint8Array;
}

/** What all rules match, in order, each range once. */
export async function* candidates(
  desk: Desk,
  { rules, subcorpus, ...asked }: Search,
  running: Running,
): AsyncGenerator<Found> {
  const sources = rules.map(({ query }) => {
    const chain = { step: "query" as const, query, ...asked, ...(subcorpus !== undefined && { subcorpus }) };
    return new Source(stream(desk, [chain], {}, running));
  });
  try {
    // One after the other: a thread computes one thing at a time, and all of it for the same asker.
    for (const source of sources) await source.next();
    const size = chainLimits.blockHits;
    let found = emptyFound(desk, size);
    for (;;) {
      let first = -1;
      for (let i = 0; i < sources.length; i++) {
        if (sources[i].ended) continue;
        if (first < 0 || sources[i].compare(sources[first]) < 0) first = i;
      }
      if (first < 0) break;
      if ((found.count & 0xfff) === 0xfff) desk.checkpoint();
      const { begin, end } = sources[first];
      found.begins[found.count] = begin;
      found.ends[found.count] = end;
      found.rules[found.count++] = first;
      for (const source of sources)
        if (!source.ended && source.begin === begin && source.end === end && !source.step())
          await source.next();
      if (found.count === size) {
        yield found;
        found = emptyFound(desk, size);
      }
    }
    if (found.count > 0) yield found;
  } finally {
    for (const { blocks } of sources) await blocks.return(undefined);
  }
}

function emptyFound({ snapshot }: Desk, size: number): Found {
  return {
    begins: positionColumn(snapshot, size),
    ends: positionColumn(snapshot, size),
    count: 0,
    ascending: true,
    rules: new Uint8Array(size),
  };
}

/** One rule's hits, one after the other. */
class Source {
  begin = 0;
  end = 0;
  ended = false;
  #begins: Positions = new Uint32Array(0);
  #ends: Positions = new Uint32Array(0);
  #at = -1;
  #count = 0;

  constructor(readonly blocks: AsyncGenerator<Hits>) {}

  compare(other: Source): number {
    return this.begin - other.begin || this.end - other.end;
  }

  /** Goes to the next hit of the block; false where it is used up. */
  step(): boolean {
    if (++this.#at >= this.#count) return false;
    this.begin = this.#begins[this.#at];
    this.end = this.#ends[this.#at];
    return true;
  }

  /** Goes to the first hit of the next block. */
  async next(): Promise<void> {
    const { value, done } = await this.blocks.next();
    if (done) {
      this.ended = true;
      return;
    }
    ({ begins: this.#begins, ends: this.#ends, count: this.#count } = value);
    this.#at = -1;
    this.step();
  }
}

/** Candidates as rows of types, with what is counted of them. Row numbers begin at 1. */
export class CandidateTable {
  /** A row is a pair of the row before its last word (0: none) and that word's type. */
  readonly rows: PairTable;
  counts = new Float64Array(1024);
  documents = new Float64Array(1024);
  /** A bit for each rule that matched it. */
  rules = new Uint32Array(1024);
  /** Occurrences. */
  total = 0;
  #seen = new Float64Array(1024);

  constructor(checkpoint: () => void = () => {}) {
    this.rows = new PairTable(checkpoint);
  }

  /** The row of a sequence of types. */
  row(types: ArrayLike<number>, from: number, to: number): number {
    let row = 0;
    for (let i = from; i < to; i++) row = this.rows.number(row, types[i]);
    return row;
  }

  /** The same if it has one, else 0. */
  find(types: ArrayLike<number>, from: number, to: number): number {
    let row = 0;
    for (let i = from; i < to; i++) {
      row = this.rows.find(row, types[i]);
      if (row === 0) return 0;
    }
    return row;
  }

  /** The types of a row. */
  types(row: number): number[] {
    const types: number[] = [];
    for (let at = row; at > 0; at = this.rows.left(at)) types.push(this.rows.right(at));
    return types.reverse();
  }

  /** One more occurrence, in a document (−1: in none), matched by a rule. */
  add(row: number, document: number, rule: number): void {
    if (row >= this.counts.length) this.#grow(row);
    this.counts[row]++;
    this.total++;
    this.rules[row] |= 1 << rule;
    if (document < 0 || this.#seen[row] === document + 1) return;
    this.#seen[row] = document + 1;
    this.documents[row]++;
  }

  #grow(row: number): void {
    if (row > limits.termsMax)
      throw new DugongError(
        "too_many_terms",
        `there are more than ${limits.termsMax.toLocaleString("en")} different candidates (limit termsMax)`,
        "Make the grammar more special, or look in a subcorpus.",
      );
    const size = Math.max(row + 1, this.counts.length * 2);
    const larger = (column: Float64Array) => {
      const room = new Float64Array(size);
      room.set(column);
      return room;
    };
    this.counts = larger(this.counts);
    this.documents = larger(this.documents);
    this.#seen = larger(this.#seen);
    const rules = new Uint32Array(size);
    rules.set(this.rules);
    this.rules = rules;
  }
}

/** Reads the types of ranges that come in order. */
export class RangeReader {
  readonly types: Uint32Array = new Uint32Array(limits.termTokensMax);

  constructor(readonly source: Types) {}

  /** The types of [begin, end) into `types`; how many, or 0 where there are more than a term may have. */
  read(begin: number, end: number): number {
    const count = end - begin;
    if (count > limits.termTokensMax) return 0;
    this.source.read(begin, count, this.types);
    return count;
  }
}

/** Counts all candidates of a search. */
export async function countCandidates(
  desk: Desk,
  search: Search,
  types: Types,
  running: Running,
): Promise<CandidateTable> {
  const table = new CandidateTable(desk.checkpoint);
  const reader = new RangeReader(types);
  const { config, structures } = desk.snapshot;
  const document = structures.find(({ name }) => name === config.document);
  for await (const found of candidates(desk, search, running)) {
    const documents = document && structureNumbers(desk.snapshot, document, found);
    for (let i = 0; i < found.count; i++) {
      if ((i & 0xfff) === 0) desk.checkpoint();
      const count = reader.read(found.begins[i], found.ends[i]);
      if (count === 0) continue;
      table.add(table.row(reader.types, 0, count), documents ? documents[i] : -1, found.rules[i]);
    }
  }
  return table;
}
