/** Matches by the position where they begin, for whoever asks position by position. */
import { type Found, type Source, Spans } from "./source.js";

const windowTokens = 1 << 12;

export class SpansByBegin {
  #from = 0;
  #to = 0;
  #spans = new Spans(0);

  constructor(
    readonly source: Pick<Source, "spans">,
    readonly tokens: number,
  ) {}

  /** The ends of the matches that begin at a position, ascending. */
  ends(position: number): number[] {
    if (position < this.#from || position >= this.#to) {
      if (position >= this.tokens) return [];
      this.#from = position;
      this.#to = Math.min(position + windowTokens, this.tokens);
      this.#spans = this.source.spans(this.#from, this.#to);
    }
    const { base, begins, ends, count } = this.#spans;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (base + begins[middle] < position) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (; low < count && base + begins[low] === position; low++) found.push(base + ends[low]);
    return found;
  }

  at(position: number, limit: number): Found[] {
    return this.ends(position)
      .filter((end) => end <= limit)
      .map((end) => ({ end, labels: {} }));
  }
}
