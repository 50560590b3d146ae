/**
 * Words that are similar: those that share contexts. A context is a relation and a collocate; a head has it with the weight
 * w = logDice, if that is above 0. Of two heads a and b
 *
 *   similarity = 2 · Σ min(w(a, c), w(b, c)) over the contexts c that both have / (Σ w(a, c) + Σ w(b, c))
 *
 * which is 1 of a word and itself, and 0 of words that share nothing. Not all pairs are compared: from the contexts of a, the ones with
 * the highest weights first (contextsMax), one comes to the heads that have them. A context that very many heads have
 * (promiscuousMax) leads nowhere. Those that share most (candidatesMax) are compared in full, by all of their contexts.
 */
import { limits } from "./limits.js";
import type { SketchReader } from "./reader.js";
import { logDice } from "./score.js";

export interface Neighbour {
  word: string;
  similarity: number;
  count: number;
  /** Contexts that both have. */
  shared: number;
}

interface Context {
  relation: number;
  collocate: number;
  weight: number;
}

export function similarTo(
  reader: SketchReader,
  head: number,
  {
    limit = limits.neighboursDefault,
    minCount = 1,
    checkpoint = () => {},
  }: { limit?: number; minCount?: number; checkpoint?: () => void } = {},
): Neighbour[] {
  const own = contextsOf(reader, head, checkpoint);
  const shared = new Map<number, number>();
  for (const { relation, collocate, weight } of [...own]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limits.contextsMax)) {
    checkpoint();
    const { words, counts } = reader.headsOf(collocate, relation);
    if (words.length > limits.promiscuousMax) continue;
    const f2 = reader.countOfCollocate(relation, collocate);
    for (let i = 0; i < words.length; i++) {
      if (words[i] === head) continue;
      const least = Math.min(weight, logDice(counts[i], reader.countOfHead(words[i], relation), f2));
      if (least > 0) shared.set(words[i], (shared.get(words[i]) ?? 0) + least);
    }
  }
  const weights = new Map(own.map((one) => [`${one.relation} ${one.collocate}`, one.weight]));
  const total = sumOf(own);
  return [...shared]
    .filter(([word]) => reader.headCount(word) >= minCount)
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, limits.candidatesMax)
    .map(([word]) => compared(reader, word, weights, total, checkpoint))
    .sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
    .slice(0, Math.min(limit, limits.neighboursMax));
}

function compared(
  reader: SketchReader,
  word: number,
  weights: ReadonlyMap<string, number>,
  total: number,
  checkpoint: () => void,
): Neighbour {
  const contexts = contextsOf(reader, word, checkpoint);
  let common = 0;
  let shared = 0;
  for (const { relation, collocate, weight } of contexts) {
    const other = weights.get(`${relation} ${collocate}`);
    if (other === undefined) continue;
    common += Math.min(weight, other);
    shared++;
  }
  const similarity = (2 * common) / (total + sumOf(contexts));
  return { word: reader.words.text(word), similarity, count: reader.headCount(word), shared };
}

function contextsOf(reader: SketchReader, head: number, checkpoint: () => void): Context[] {
  const contexts: Context[] = [];
  const { relations, counts: totals } = reader.relationsOf(head);
  relations.forEach((relation, r) => {
    checkpoint();
    if (reader.info.relations[relation].kind === "unary") return;
    const { words, counts } = reader.collocatesOf(head, relation);
    const others = reader.countsOfCollocates(relation, words);
    for (let i = 0; i < words.length; i++) {
      const weight = logDice(counts[i], totals[r], others[i]);
      if (weight > 0) contexts.push({ relation, collocate: words[i], weight });
    }
  });
  return contexts;
}

function sumOf(contexts: readonly Context[]): number {
  return contexts.reduce((sum, { weight }) => sum + weight, 0);
}
