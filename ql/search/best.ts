/** The best so many of what comes by: numbers with scores; of equal scores the lower number is better. A heap, the worst at its root. */
export class Best {
  readonly #scores: Float64Array;
  readonly #numbers: Uint32Array;
  #count = 0;

  constructor(readonly size: number) {
    this.#scores = new Float64Array(size);
    this.#numbers = new Uint32Array(size);
  }

  /** What a score must be above to come in, for a number that is higher than all so far. */
  get threshold(): number {
    if (this.#count < this.size) return Number.NEGATIVE_INFINITY;
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#scores[0];
  }

  #isWorse(a: number, b: number): boolean {
    const scores = this.#scores;
    return scores[a] < scores[b] || (scores[a] === scores[b] && this.#numbers[a] > this.#numbers[b]);
  }

  #swap(a: number, b: number): void {
    const [scores, numbers] = [this.#scores, this.#numbers];
    [scores[a], scores[b]] = [scores[b], scores[a]];
    [numbers[a], numbers[b]] = [numbers[b], numbers[a]];
  }

  /** Numbers must come ascending. */
  add(number: number, score: number): void {
    if (this.#count === this.size) {
      if (this.size === 0 || score <= this.#scores[0]) return;
      this.#scores[0] = score;
      this.#numbers[0] = number;
      this.#sink();
      return;
    }
    let at = this.#count++;
    this.#scores[at] = score;
    this.#numbers[at] = number;
    for (let up = (at - 1) >> 1; at > 0 && this.#isWorse(at, up); up = (at - 1) >> 1) {
      this.#swap(at, up);
      at = up;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      if (left >= this.#count) return;
      const worst = left + 1 < this.#count && this.#isWorse(left + 1, left) ? left + 1 : left;
      if (!this.#isWorse(worst, at)) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  /** All that are in, the best first. */
  sorted(): { number: number; score: number }[] {
    return Array.from({ length: this.#count }, (_, i) => ({
      number: this.#numbers[i],
      score: this.#scores[i],
    })).sort((a, b) => b.score - a.score || a.number - b.number);
  }
}
