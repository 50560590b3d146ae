/**
 * What words are compared by, and which words are: the weight of each head over all of its contexts, and how frequent a head is to be
 * among the most frequent ones. Both are of the whole index, and stand in it, so that two words can be compared without
 * reading any other (similar.ts has the formulas).
 */
import { valuesOf } from "./columns.js";
import { limits } from "./limits.js";
import type { PieceSizes } from "./pieces.js";
import { contextWeight } from "./score.js";

/** All contexts, by collocate and relation: how often they occur, and with how many heads. */
class Contexts {
  readonly #starts: Uint32Array;
  readonly #relations: Uint32Array;
  readonly counts: Uint32Array;
  readonly heads: Uint32Array;

  constructor(backward: PieceSizes[], words: number) {
    const collocates = gatheredOf(backward, "slice.head");
    this.#starts = new Uint32Array(words + 1);
    for (let i = 0; i < collocates.length; i++) this.#starts[collocates[i] + 1]++;
    for (let word = 0; word < words; word++) this.#starts[word + 1] += this.#starts[word];
    this.#relations = gatheredOf(backward, "slice.relation");
    this.counts = gatheredOf(backward, "slice.rows");
    this.heads = gatheredOf(backward, "slice.triples");
  }

  /** The number of a context that there is. */
  at(relation: number, collocate: number): number {
    const relations = this.#relations;
    let low = this.#starts[collocate];
    let high = this.#starts[collocate + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (relations[middle] < relation) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A whole column of pieces: of slices there are few. */
function gatheredOf(pieces: PieceSizes[], column: string): Uint32Array {
  const all = new Uint32Array(pieces.reduce((sum, { slices }) => sum + slices, 0));
  let at = 0;
  for (const part of valuesOf(pieces, column)) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Σ of the weights of all contexts of each word. `isUnary`: by number of relation. */
export async function weighHeads(
  forward: PieceSizes[],
  backward: PieceSizes[],
  words: number,
  isUnary: readonly boolean[],
): Promise<Uint32Array> {
  const contexts = new Contexts(backward, words);
  const weights = new Uint32Array(words);
  for (const piece of forward) {
    weighPiece(piece, contexts, isUnary, weights);
    await new Promise((turn) => setImmediate(turn));
  }
  return weights;
}

function weighPiece(
  piece: PieceSizes,
  contexts: Contexts,
  isUnary: readonly boolean[],
  weights: Uint32Array,
): void {
  const [heads, relations, triples, rows] = ["head", "relation", "triples", "rows"].map((name) =>
    gatheredOf([piece], `slice.${name}`),
  );
  const counts = valuesOf([piece], "triple.count");
  let slice = 0;
  let left = triples[0] ?? 0;
  for (const collocates of valuesOf([piece], "triple.word")) {
    const own = counts.next().value as Uint32Array;
    for (let i = 0; i < collocates.length; i++) {
      while (left === 0) left = triples[++slice];
      left--;
      if (isUnary[relations[slice]]) continue;
      const context = contexts.at(relations[slice], collocates[i]);
      if (contexts.heads[context] > limits.promiscuousMax) continue;
      weights[heads[slice]] += contextWeight(own[i], rows[slice], contexts.counts[context]);
    }
  }
}

/** How often a head is in relations to be among the most frequent ones: no more of them than frequentHeadsMax. */
export function frequentCount(forward: PieceSizes[], words: number): number {
  const counts = new Uint32Array(words);
  const rows = valuesOf(forward, "slice.rows");
  for (const heads of valuesOf(forward, "slice.head")) {
    const own = rows.next().value as Uint32Array;
    for (let i = 0; i < heads.length; i++) counts[heads[i]] += own[i];
  }
  counts.sort();
  const most = limits.frequentHeadsMax;
  const excluded = words > most ? counts[words - most - 1] : 0;
  return Math.max(limits.frequentCountMin, excluded + 1);
}
