/**
 * Words that are similar: those that share contexts. A context is a relation (not a unary one) and a collocate; a head has it with
 * the weight w = logDice where that is above 0, in steps of 1/256. A context that very many heads have (promiscuousMax) counts nowhere. Of two
 * heads a and b
 *
 *   similarity = 2 · Σ min(w(a, c), w(b, c)) over the contexts c that both have / (Σ w(a, c) + Σ w(b, c))
 *
 * which is 1 of a word and itself, and 0 of words that share nothing. Not all pairs are compared: from the contexts of a one comes to
 * the heads that have them. What each head weighs in all stands in the index (weigh.ts), so nothing else is read of b.
 *
 * A thesaurus that was computed (compute.ts) has the first of the same neighbours of every frequent head; where it does not say enough,
 * they are found here.
 */
import { QueryError } from "../../plan/errors.js";
import { limits } from "../limits.js";
import type { SketchReader } from "../reader.js";
import { contextWeight } from "../score.js";
import { type FrequentHeads, frequentHeads } from "./frequent.js";
import type { StoredThesaurus } from "./stored.js";
import { nearestOf, oneContext, similarityOf } from "./sums.js";

export interface Neighbour {
  word: string;
  similarity: number;
  count: number;
  /** Contexts that both have. */
  shared: number;
}

export interface SimilarOptions {
  /** Default: 40. */
  limit?: number;
  /** Only words that are so often in relations. Default: those of the most frequent ones. */
  minCount?: number;
  /** What was computed already. */
  stored?: StoredThesaurus;
  checkpoint?: () => void;
}

export interface Similar {
  /** As asked, or as it is unless something is asked. */
  minCount: number;
  /** Were they computed before? */
  isStored: boolean;
  items: (Neighbour & { id: number })[];
}

export function similarTo(reader: SketchReader, head: number, options: SimilarOptions = {}): Similar {
  const { limit = limits.neighboursDefault, stored, checkpoint = () => {} } = options;
  if (limit > limits.neighboursMax)
    throw new QueryError(
      "bad_limit",
      `no more than ${limits.neighboursMax} similar words are found (neighboursMax)`,
    );
  const minCount = options.minCount ?? reader.info.frequentCount;
  const known = stored?.neighboursOf(reader, head, limit, minCount);
  const { words, common, shared } = known ?? found(reader, head, limit, minCount, checkpoint);
  const weight = reader.weight(head);
  return {
    minCount,
    isStored: known !== undefined,
    items: Array.from(words, (id, i) => ({
      id,
      word: reader.words.text(id),
      similarity: similarityOf(common[i], weight, reader.weight(id)),
      count: reader.headCount(id),
      shared: shared[i],
    })),
  };
}

function found(reader: SketchReader, head: number, limit: number, minCount: number, checkpoint: () => void) {
  const heads = frequentHeads(reader, minCount, checkpoint);
  const sums = new Float64Array(heads.count);
  for (const context of contextsOf(reader, head, checkpoint)) addShared(reader, context, heads, sums);
  const own = heads.tables.slots[head];
  if (own >= 0) sums[own] = 0;
  const { slots, common, shared } = nearestOf(sums, reader.weight(head), heads, limit);
  return { words: slots.map((slot) => heads.tables.words[slot]), common, shared };
}

export interface Context {
  relation: number;
  collocate: number;
  /** f(*, R, collocate) */
  count: number;
  weight: number;
}

/** The contexts by which a head is compared with others. */
export function* contextsOf(
  reader: SketchReader,
  head: number,
  checkpoint: () => void = () => {},
): Generator<Context> {
  const { relations, counts: totals } = reader.relationsOf(head);
  for (let r = 0; r < relations.length; r++) {
    const relation = relations[r];
    if (reader.info.relations[relation].kind === "unary") continue;
    const { words, counts } = reader.collocatesOf(head, relation);
    const contexts = reader.contextsOf(relation, words);
    for (let i = 0; i < words.length; i++) {
      if (contexts.heads[i] > limits.promiscuousMax) continue;
      const weight = contextWeight(counts[i], totals[r], contexts.counts[i]);
      if (weight === 0) continue;
      checkpoint();
      yield { relation, collocate: words[i], count: contexts.counts[i], weight };
    }
  }
}

function addShared(
  reader: SketchReader,
  { relation, collocate, count, weight }: Context,
  heads: FrequentHeads,
  sums: Float64Array,
): void {
  const { slots } = heads.tables;
  const { words, counts } = reader.headsOf(collocate, relation);
  for (let i = 0; i < words.length; i++) {
    const slot = slots[words[i]];
    if (slot < 0) continue;
    const other = contextWeight(counts[i], heads.countOf(slot, relation), count);
    if (other > 0) sums[slot] += oneContext + Math.min(weight, other);
  }
}
