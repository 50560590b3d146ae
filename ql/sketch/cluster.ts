/**
 * Words that belong together, among the collocates of a relation or the neighbours of a word: clusters by average linkage. At first each
 * word is alone; then, again and again, the two clusters are joined whose words are most similar on average (over all pairs of a word
 * of the one and a word of the other; of equals those whose first words come first), as long as that is at least some similarity
 * (thesaurus/similar.ts has what it is). Clusters and their words stay in the order in which the words came.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";
import type { SketchReader } from "./reader.js";
import { contextsOf } from "./thesaurus/similar.js";
import { similarityOf } from "./thesaurus/sums.js";

/** `true`: at the usual similarity. */
export type ClusterOption = boolean | number;

/** A word's contexts, by ascending numbers, and what each weighs for it. */
interface Contexts {
  keys: Float64Array;
  weights: Uint16Array;
  total: number;
}

/** Clusters of words of one index: what was read of a word stays for the next time. */
export class Clusters {
  readonly #known = new Map<number, Contexts>();
  readonly #least: number;

  constructor(
    readonly reader: SketchReader,
    option: ClusterOption,
    readonly checkpoint: () => void = () => {},
  ) {
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
    const all = words.map((word) => this.#contextsOf(word));
    return clustersOf(
      words.length,
      (i, j) => {
        this.checkpoint();
        return shared(all[i], all[j]);
      },
      this.#least,
    );
  }

  #contextsOf(word: number): Contexts {
    let contexts = this.#known.get(word);
    if (!contexts) {
      const keys: number[] = [];
      const weights: number[] = [];
      const { count } = this.reader.words;
      for (const { relation, collocate, weight } of contextsOf(this.reader, word, this.checkpoint)) {
        keys.push(relation * count + collocate);
        weights.push(weight);
      }
      contexts = {
        keys: Float64Array.from(keys),
        weights: Uint16Array.from(weights),
        total: this.reader.weight(word),
      };
      this.#known.set(word, contexts);
    }
    return contexts;
  }
}

/** How similar two words are. */
function shared(a: Contexts, b: Contexts): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.keys.length && j < b.keys.length; ) {
    if (a.keys[i] < b.keys[j]) i++;
    else if (a.keys[i] > b.keys[j]) j++;
    else common += Math.min(a.weights[i++], b.weights[j++]);
  }
  return common === 0 ? 0 : similarityOf(common, a.total, b.total);
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
