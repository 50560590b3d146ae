/**
 * How much of their contexts a word shares with each of the frequent heads: the sum of the weights that both have, and how many
 * contexts these are, in one number (whole ones, exact up to 2^53): contexts · 2^32 + sum.
 */
import type { FrequentHeads } from "./frequent.js";

export const oneContext = 2 ** 32;

/** 2 · what both have / what each has. */
export function similarityOf(common: number, weight: number, other: number): number {
  return (2 * common) / (weight + other);
}

export interface Nearest {
  /** Slots of the frequent heads, the most similar first; of equals, the one whose word comes first. */
  slots: Uint32Array;
  common: Uint32Array;
  shared: Uint32Array;
}

/** The `limit` heads that are most similar to a word with so much weight. `sums`: by slot. */
export function nearestOf(
  sums: Float64Array,
  weight: number,
  { tables: { weights } }: FrequentHeads,
  limit: number,
): Nearest {
  const best = new Best(limit);
  for (let slot = 0; slot < sums.length; slot++) {
    if (sums[slot] === 0) continue;
    best.offer(slot, similarityOf(sums[slot] % oneContext, weight, weights[slot]));
  }
  const slots = best.inOrder();
  return {
    slots,
    common: slots.map((slot) => sums[slot] % oneContext),
    shared: slots.map((slot) => Math.floor(sums[slot] / oneContext)),
  };
}

/** The best of what is offered, in a heap whose root is the worst of them. Of equals, the lower number is better. */
class Best {
  readonly #numbers: Uint32Array;
  readonly #scores: Float64Array;
  #count = 0;

  constructor(readonly limit: number) {
    this.#numbers = new Uint32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** Numbers come ascending. */
  offer(number: number, score: number): void {
    if (this.#count < this.limit) {
      let at = this.#count++;
      while (at > 0) {
        const up = (at - 1) >> 1;
        if (!this.#isWorse(number, score, up)) break;
        this.#move(up, at);
        at = up;
      }
      this.#put(at, number, score);
    } else if (this.limit > 0 && score > this.#scores[0]) this.#sink(number, score);
  }

  #sink(number: number, score: number): void {
    let at = 0;
    for (;;) {
      let down = at * 2 + 1;
      if (down >= this.#count) break;
      if (down + 1 < this.#count && this.#isWorse(this.#numbers[down + 1], this.#scores[down + 1], down))
        down++;
      if (this.#isWorse(number, score, down)) break;
      this.#move(down, at);
      at = down;
    }
    this.#put(at, number, score);
  }

  #isWorse(number: number, score: number, at: number): boolean {
    return score < this.#scores[at] || (score === this.#scores[at] && number > this.#numbers[at]);
  }

  #put(at: number, number: number, score: number): void {
    this.#numbers[at] = number;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#numbers[from], this.#scores[from]);
  }

  inOrder(): Uint32Array {
    const places = Array.from({ length: this.#count }, (_, i) => i);
    const [numbers, scores] = [this.#numbers, this.#scores];
    places.sort((a, b) => scores[b] - scores[a] || numbers[a] - numbers[b]);
    return Uint32Array.from(places, (place) => numbers[place]);
  }
}
