/** What words are similar, in the fewest lines: every pair, over maps of the triples that there are. Slow, and meant to be. */
import type { NaiveTriple } from "./naive.js";

export interface NaiveNeighbour {
  word: string;
  similarity: number;
  count: number;
  shared: number;
}

/** `isUnary`: of a relation's name. */
export class NaiveThesaurus {
  readonly #weights = new Map<string, Map<string, number>>();
  readonly #counts = new Map<string, number>();

  constructor(
    triples: readonly NaiveTriple[],
    isUnary: (relation: string) => boolean,
    promiscuousMax: number,
  ) {
    const total = (test: (one: NaiveTriple) => boolean) =>
      triples.filter(test).reduce((sum, { places }) => sum + places.length, 0);
    for (const { head, relation, collocate, places } of triples) {
      this.#counts.set(head, (this.#counts.get(head) ?? 0) + places.length);
      const own = this.#weights.get(head) ?? new Map<string, number>();
      this.#weights.set(head, own);
      if (isUnary(relation)) continue;
      const alike = triples.filter((one) => one.relation === relation && one.collocate === collocate);
      if (alike.length > promiscuousMax) continue;
      const f1 = total((one) => one.head === head && one.relation === relation);
      const f2 = total((one) => one.relation === relation && one.collocate === collocate);
      const weight = Math.round(256 * (14 + Math.log2((2 * places.length) / (f1 + f2))));
      if (weight > 0) own.set(JSON.stringify([relation, collocate]), weight);
    }
  }

  get heads(): string[] {
    return [...this.#weights.keys()];
  }

  countOf(word: string): number {
    return this.#counts.get(word) ?? 0;
  }

  similarity(a: string, b: string): { similarity: number; shared: number } {
    const [x, y] = [this.#weights.get(a) ?? new Map(), this.#weights.get(b) ?? new Map()];
    const both = [...x.keys()].filter((context) => y.has(context));
    const common = both.reduce((sum, context) => sum + Math.min(x.get(context), y.get(context)), 0);
    const all = [...x.values(), ...y.values()].reduce((sum, weight) => sum + weight, 0);
    return { similarity: common === 0 ? 0 : (2 * common) / all, shared: both.length };
  }

  neighbours(head: string, limit: number, minCount: number): NaiveNeighbour[] {
    return this.heads
      .filter((word) => word !== head && this.countOf(word) >= minCount)
      .map((word) => ({ word, count: this.countOf(word), ...this.similarity(head, word) }))
      .filter(({ similarity }) => similarity > 0)
      .sort((a, b) => b.similarity - a.similarity || Buffer.compare(Buffer.from(a.word), Buffer.from(b.word)))
      .slice(0, limit);
  }
}

/** Average linkage, every average anew. */
export function clusterNaively(count: number, similarity: number[][], least: number): number[][] {
  let clusters = Array.from({ length: count }, (_, i) => [i]);
  for (;;) {
    const pairs = clusters.flatMap((a, x) =>
      clusters.slice(x + 1).map((b) => ({
        a,
        b,
        average:
          a.flatMap((i) => b.map((j) => similarity[i][j])).reduce((sum, one) => sum + one, 0) /
          (a.length * b.length),
      })),
    );
    if (pairs.length === 0) return clusters;
    const best = pairs.reduce((one, other) => (other.average > one.average ? other : one));
    if (best.average < least) return clusters;
    const joined = [...best.a, ...best.b].sort((i, j) => i - j);
    clusters = clusters.filter((one) => one !== best.b).map((one) => (one === best.a ? joined : one));
  }
}
