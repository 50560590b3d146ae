/**
 * Decision trees whose leaves are added up (gradient boosting): numbers in, how likely something is out. As text, so that it
 * can be kept with the program:
 *
 *   head = the number of features, and what all sums begin with
 *   tree = nodes in preorder with " " between them: "feature:threshold" (left if not above), or a leaf's value
 */

/**
 * What is so unlikely after so many trees is not asked about any further: more than half of all blocks, of which none became
 * likely on any page that was looked at.
 */
const sureAfterTrees = 30;
const sureBelow = -2.5;

export class Forest {
  readonly #feature: Int16Array;
  /** A threshold, or a leaf's value. */
  readonly #value: Float32Array;
  /** Where the right branch is; the left one is next. */
  readonly #right: Int32Array;
  readonly #roots: Int32Array;

  constructor(
    readonly featureCount: number,
    readonly base: number,
    trees: readonly string[],
  ) {
    const nodes = trees.map((tree) => tree.split(" "));
    const count = nodes.reduce((sum, { length }) => sum + length, 0);
    this.#feature = new Int16Array(count);
    this.#value = new Float32Array(count);
    this.#right = new Int32Array(count);
    this.#roots = new Int32Array(trees.length);
    let at = 0;
    nodes.forEach((list, t) => {
      this.#roots[t] = at;
      let next = 0;
      const place = (): void => {
        const own = at++;
        const [first, second] = list[next++].split(":");
        if (second === undefined) {
          this.#feature[own] = -1;
          this.#value[own] = Number(first);
          return;
        }
        this.#feature[own] = Number(first);
        this.#value[own] = Number(second);
        place();
        this.#right[own] = at;
        place();
      };
      place();
    });
  }

  /** Of the head, and then the trees. */
  static parse([head, ...trees]: readonly string[]): Forest {
    const [features, base] = head.split(" ").map(Number);
    return new Forest(features, base, trees);
  }

  /** How likely each row is, from 0 to 1. */
  likelihoods(rows: Float32Array): Float32Array {
    const { featureCount } = this;
    const feature = this.#feature;
    const value = this.#value;
    const right = this.#right;
    const roots = this.#roots;
    const count = rows.length / featureCount;
    const sums = new Float64Array(count).fill(this.base);
    let left = Uint32Array.from({ length: count }, (_, row) => row);
    // Tree by tree, not row by row: a tree stays in the fastest memory.
    for (let t = 0; t < roots.length; t++) {
      const root = roots[t];
      for (let i = 0; i < left.length; i++) {
        const row = left[i];
        const from = row * featureCount;
        let node = root;
        let own = feature[node];
        while (own >= 0) {
          node = rows[from + own] <= value[node] ? node + 1 : right[node];
          own = feature[node];
        }
        sums[row] += value[node];
      }
      if (t + 1 === sureAfterTrees) left = left.filter((row) => sums[row] >= sureBelow);
    }
    const found = new Float32Array(count);
    for (let row = 0; row < count; row++) found[row] = 1 / (1 + Math.exp(-sums[row]));
    return found;
  }
}
