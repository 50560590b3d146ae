/**
 * Words that belong together, among the collocates of a relation or the neighbours of a word: clusters by average linkage. At first each
 * word is alone; then, again and again, the two clusters are joined whose words are most similar on average (over all pairs of a word
 * of the one and a word of the other; of equals those whose first words come first), as long as that is at least some similarity
 * (thesaurus/similar.ts has what it is). Clusters and their words stay in the order in which the words came.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";
import type { SketchReader } from "./reader.js";
import { contextWeight } from "./score.js";
import { similarityOf } from "./thesaurus/sums.js";

/** `true`: at the usual similarity. */
export type ClusterOption = boolean | number;

/** A word's contexts, by their numbers here, and what each weighs for it. */
interface Contexts {
  numbers: Uint32Array;
  weights: Uint16Array;
  total: number;
}

/** Contexts that were met, numbered as they come: many words share them, and what is known of one is looked up once. */
class KnownContexts {
  count = 0;
  readonly #numbers = new Map<number, Map<number, number>>();
  #counts = new Uint32Array(1 << 12);
  #heads = new Uint32Array(1 << 12);

  constructor(readonly reader: SketchReader) {}

  /** Of a word: its contexts, as similar.ts has them. */
  of(word: number, checkpoint: () => void): Contexts {
    const { reader } = this;
    const { relations, counts: totals } = reader.relationsOf(word);
    let numbers = new Uint32Array(1 << 10);
    let weights = new Uint16Array(1 << 10);
    let met = 0;
    for (let r = 0; r < relations.length; r++) {
      if (reader.info.relations[relations[r]].kind === "unary") continue;
      checkpoint();
      const { words, counts } = reader.collocatesOf(word, relations[r]);
      const own = this.#numbered(relations[r], words);
      if (met + own.length > numbers.length) {
        const room = Math.max(numbers.length * 2, met + own.length);
        numbers = enlarged(numbers, new Uint32Array(room));
        weights = enlarged(weights, new Uint16Array(room));
      }
      for (let i = 0; i < own.length; i++) {
        if (this.#heads[own[i]] > limits.promiscuousMax) continue;
        const weight = contextWeight(counts[i], totals[r], this.#counts[own[i]]);
        if (weight === 0) continue;
        numbers[met] = own[i];
        weights[met++] = weight;
      }
    }
    return { numbers: numbers.slice(0, met), weights: weights.slice(0, met), total: reader.weight(word) };
  }

  #numbered(relation: number, collocates: Uint32Array): Uint32Array {
    let known = this.#numbers.get(relation);
    if (!known) this.#numbers.set(relation, (known = new Map()));
    const numbers = new Uint32Array(collocates.length);
    const first = this.count;
    const fresh: number[] = [];
    for (let i = 0; i < collocates.length; i++) {
      let number = known.get(collocates[i]);
      if (number === undefined) {
        number = this.count++;
        known.set(collocates[i], number);
        fresh.push(collocates[i]);
      }
      numbers[i] = number;
    }
    if (fresh.length === 0) return numbers;
    if (this.count > this.#counts.length) {
      const room = Math.max(this.#counts.length * 2, this.count);
      this.#counts = enlarged(this.#counts, new Uint32Array(room));
      this.#heads = enlarged(this.#heads, new Uint32Array(room));
    }
    const { counts, heads } = this.reader.contextsOf(relation, fresh);
    this.#counts.set(counts, first);
    this.#heads.set(heads, first);
    return numbers;
  }
}

function enlarged<Values extends Uint32Array | Uint16Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}

/** Clusters of words of one index: what was read of a word stays for the next time. */
export class Clusters {
  #known: KnownContexts;
  readonly #words = new Map<number, Contexts>();
  #weights = new Uint16Array(0);
  readonly #least: number;

  constructor(
    readonly reader: SketchReader,
    option: ClusterOption,
    readonly checkpoint: () => void = () => {},
  ) {
    this.#known = new KnownContexts(reader);
    this.#least = typeof option === "number" ? option : limits.clusterSimilarity;
  }

  /** Places of the words, cluster by cluster. */
  of(words: readonly number[]): number[][] {
    if (words.length > limits.clusteredMax)
      throw new QueryError(
        "too_many_to_cluster",
        `${words.length} words cannot be put into clusters: ${limits.clusteredMax} at most (clusteredMax)`,
        "Ask for fewer of them.",
      );
    if (this.#known.count > limits.clusterContextsMax) {
      this.#known = new KnownContexts(this.reader);
      this.#words.clear();
    }
    const all = words.map((word) => this.#contextsOf(word));
    const similarities = all.map((own, i) => this.#sharedBy(own, all.slice(i + 1)));
    return clustersOf(words.length, (i, j) => similarities[i][j - i - 1], this.#least);
  }

  #contextsOf(word: number): Contexts {
    let contexts = this.#words.get(word);
    if (contexts) return contexts;
    contexts = this.#known.of(word, this.checkpoint);
    this.#words.set(word, contexts);
    return contexts;
  }

  /** How similar a word is to each of the others: its weights lie by the numbers of contexts while they are compared. */
  #sharedBy(own: Contexts, others: readonly Contexts[]): number[] {
    this.checkpoint();
    const { numbers, weights, total } = own;
    if (this.#weights.length < this.#known.count) this.#weights = new Uint16Array(this.#known.count * 2);
    const lying = this.#weights;
    for (let i = 0; i < numbers.length; i++) lying[numbers[i]] = weights[i];
    const similarities = others.map((other) => {
      let common = 0;
      for (let i = 0; i < other.numbers.length; i++) {
        const weight = lying[other.numbers[i]];
        common += Math.min(weight, other.weights[i]);
      }
      return common === 0 ? 0 : similarityOf(common, total, other.total);
    });
    for (let i = 0; i < numbers.length; i++) lying[numbers[i]] = 0;
    return similarities;
  }
}

/** Clusters of `count` things by how similar each two of them are. */
export function clustersOf(
  count: number,
  similarity: (i: number, j: number) => number,
  least: number,
): number[][] {
  const clusters: number[][] = Array.from({ length: count }, (_, i) => [i]);
  // Sums over all pairs of two clusters, by the place of their first words.
  const sums = Array.from({ length: count }, () => new Float64Array(count));
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) {
      sums[i][j] = similarity(i, j);
      sums[j][i] = sums[i][j];
    }
  for (;;) {
    let best: [a: number[], b: number[]] | undefined;
    let highest = Number.NEGATIVE_INFINITY;
    for (let x = 0; x < clusters.length; x++)
      for (let y = x + 1; y < clusters.length; y++) {
        const [a, b] = [clusters[x], clusters[y]];
        const average = sums[a[0]][b[0]] / (a.length * b.length);
        if (average <= highest) continue;
        highest = average;
        best = [a, b];
      }
    if (!best || highest < least) return clusters;
    const [a, b] = best;
    const [own, gone] = [sums[a[0]], sums[b[0]]];
    for (let i = 0; i < count; i++) {
      own[i] += gone[i];
      sums[i][a[0]] = own[i];
    }
    a.push(...b);
    a.sort((i, j) => i - j);
    clusters.splice(clusters.indexOf(b), 1);
  }
}
