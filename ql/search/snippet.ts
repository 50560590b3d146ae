/**
 * A snippet: the stretch of a unit that shows best why it was found. Of all stretches of so many tokens it is the one whose different
 * terms weigh most, then the one that has them closest together, then the first. It begins with a sentence where the terms stay
 * inside, and ends with one where that is not too early.
 */
import { Stretches } from "../concordance/stretches.js";
import { Words } from "../concordance/words.js";
import { limits } from "./limits.js";
import type { Scorer } from "./scorer.js";

export interface Snippet {
  /** With the terms between marks, and … where the unit goes on. */
  marked: string;
  /** The same without marks, and where in it terms are: [from, to) in UTF-16 units. */
  text: string;
  terms: [from: number, to: number][];
  /** Tokens [begin, end) of the corpus. */
  begin: number;
  end: number;
}

export interface SnippetOptions {
  tokens: number;
  /** What stands before and behind a term. */
  marks: readonly [string, string];
}

export class SnippetReader {
  readonly #words: Words;
  readonly #weights: Float64Array;

  constructor(
    readonly scorer: Scorer,
    readonly options: SnippetOptions,
  ) {
    this.#words = new Words(scorer.units.snapshot.defaultAttribute.lexicon);
    this.#weights = scorer.idfs;
  }

  /** Of the unit that the walks have taken last. */
  of(unit: number): Snippet {
    const { units } = this.scorer;
    const marks = this.#occurrences();
    const [first, last] = this.#bestStretch(marks);
    const begin = units.begins[unit];
    const [from, to] = this.#placed(begin, units.ends[unit], begin + first, begin + last);
    return this.#text(unit, from, to, marks);
  }

  /** Places of all terms, ascending, with the term of each. */
  #occurrences(): { places: Uint32Array; terms: Uint32Array } {
    const { walks, counts } = this.scorer;
    const present = walks
      .map((walk, term) => ({ places: walk.places, term }))
      .filter(({ term }) => counts[term] > 0);
    const total = present.reduce((sum, { places }) => sum + places.length, 0);
    const keys = new Float64Array(total);
    let at = 0;
    for (const { places, term } of present)
      for (let i = 0; i < places.length; i++) keys[at++] = places.values[i] * 1024 + term;
    if (present.length > 1) keys.sort();
    const found = { places: new Uint32Array(total), terms: new Uint32Array(total) };
    for (let i = 0; i < total; i++) {
      found.places[i] = keys[i] / 1024;
      found.terms[i] = keys[i] % 1024;
    }
    return found;
  }

  /** The first and last place of the best stretch. */
  #bestStretch({ places, terms }: { places: Uint32Array; terms: Uint32Array }): [number, number] {
    const here = new Uint32Array(this.#weights.length);
    let [weight, from] = [0, 0];
    let best = { weight: -1, length: 0, first: 0, last: 0 };
    for (let to = 0; to < places.length; to++) {
      if (here[terms[to]]++ === 0) weight += this.#weights[terms[to]];
      // What is too far away goes, and at the front what comes again.
      while (places[to] - places[from] >= this.options.tokens || here[terms[from]] > 1)
        if (--here[terms[from++]] === 0) weight -= this.#weights[terms[from - 1]];
      const length = places[to] - places[from] + 1;
      // Sums of the same weights in another order differ in the last digits.
      if (weight > best.weight + 1e-9 || (weight > best.weight - 1e-9 && length < best.length))
        best = { weight: Math.max(weight, best.weight), length, first: places[from], last: places[to] };
    }
    return [best.first, best.last];
  }

  /** The stretch that is shown: it has all from `first` to `last`. */
  #placed(begin: number, end: number, first: number, last: number): [number, number] {
    const { tokens } = this.options;
    if (end - begin <= tokens) return [begin, end];
    const room = tokens - (last - first + 1);
    let from = Math.max(begin, first - (room >> 1));
    const sentence = this.#sentence(first);
    if (sentence && sentence[0] >= begin && last < sentence[0] + tokens) from = sentence[0];
    let to = Math.min(end, from + tokens);
    if (to === end && !sentence) from = Math.max(begin, end - tokens);
    // Back to the end of a sentence, if most of the room is used then.
    for (let at = last; at < to; ) {
      const own = this.#sentence(at);
      if (!own || own[1] > to) break;
      at = own[1];
      const isNext = this.#sentence(at);
      if ((!isNext || isNext[1] > to) && at - from >= tokens / 3 && at > last) to = at;
    }
    // Not with half of what is written as one.
    while (from > begin && from < first && this.#isGlued(from)) from++;
    return [from, to];
  }

  #isGlued(position: number): boolean {
    const segment = this.scorer.units.snapshot.segmentAt(position);
    return segment.glued(position - segment.start);
  }

  #sentence(position: number): [number, number] | undefined {
    const { snapshot, structure } = this.scorer.units;
    const sentences = snapshot.structures.find(({ name }) => name === "s");
    if (!sentences || structure === sentences || position >= snapshot.tokens) return undefined;
    const number = sentences.containing(position);
    return number < 0 ? undefined : sentences.range(number);
  }

  #text(unit: number, from: number, to: number, marks: { places: Uint32Array }): Snippet {
    const { units } = this.scorer;
    const { snapshot } = units;
    const stretches = new Stretches(snapshot, Float64Array.of(from), Float64Array.of(to), 0, 1);
    const ids = stretches.ids(snapshot.defaultAttribute);
    const glue = stretches.glue();
    const isMarked = new Uint8Array(to - from);
    for (const place of marks.places) {
      const at = units.begins[unit] + place - from;
      if (at >= 0 && at < isMarked.length) isMarked[at] = 1;
    }
    const [open, close] = this.options.marks;
    const terms: [number, number][] = [];
    let text = from > units.begins[unit] ? "… " : "";
    let marked = text;
    for (let i = 0; i < ids.length; i++) {
      const blank = i === 0 || glue[i] ? "" : " ";
      const goesOn = isMarked[i] && i > 0 && isMarked[i - 1];
      if (i > 0 && isMarked[i - 1] && !isMarked[i]) marked += close;
      text += blank;
      marked += blank;
      if (isMarked[i] && !goesOn) {
        marked += open;
        terms.push([text.length, 0]);
      }
      const word = this.#words.string(ids[i]);
      text += word;
      marked += word;
      if (isMarked[i]) terms[terms.length - 1][1] = text.length;
    }
    if (ids.length > 0 && isMarked[ids.length - 1]) marked += close;
    const tail = to < units.ends[unit] ? " …" : "";
    return { marked: marked + tail, text: text + tail, terms, begin: from, end: to };
  }
}

export function checkSnippetTokens(tokens: number | undefined): number {
  return Math.min(tokens ?? limits.snippetTokensDefault, limits.snippetTokensMax);
}
