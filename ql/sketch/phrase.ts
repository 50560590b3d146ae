/**
 * The longest-commonest match of a pair: the phrase in which a head and its collocate typically stand, as "the civil war".
 *
 *   sample   at most phraseSampleMax of the pair's occurrences, evenly spread over them
 *   core     the tokens from head to collocate, both included, without regard to case: the sequence that is the most common
 *            (of equals the shorter one, then the earlier); occurrences further apart than phraseTokensMax do not count
 *   longer   of the occurrences with the core, by the next token to the left or to the right, whichever more of them have in common, as
 *            long as these are a quarter of the sample (phraseShare), and two at least; never out of the structure that bounds
 *            matches, nor beyond phraseTokensMax tokens; in the end it begins and ends with a word, not with punctuation
 *
 * It is shown in its most common spelling, with spaces as they are in the text.
 */
import type { Attribute, Snapshot, Structure } from "../../storage/index.js";
import { limits } from "./limits.js";
import type { Occurrences } from "./reader.js";

const sampleMax = limits.phraseSampleMax;
/** As far as a phrase can go to either side of where it begins. */
const aroundMax = limits.phraseTokensMax;
/** Tokens that are read of an occurrence: from aroundMax before its core on. */
const windowTokens = 3 * aroundMax;

export class Phrases {
  readonly #attribute: Attribute;
  readonly #structure: Structure | undefined;
  readonly #stream: ReturnType<Snapshot["stream"]>;
  /** By id: a number that tokens share which differ in case alone. */
  readonly #foldedOfId = new Map<number, number>();
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<number, string>();

  /** Of the sampled occurrences: where the core begins and ends; what may belong to the phrase; the ids around it. */
  readonly #begins = new Float64Array(sampleMax);
  readonly #ends = new Float64Array(sampleMax);
  readonly #froms = new Float64Array(sampleMax);
  readonly #tos = new Float64Array(sampleMax);
  readonly #ids = new Uint32Array(sampleMax * windowTokens);
  readonly #folded = new Uint32Array(sampleMax);

  constructor(
    readonly snapshot: Snapshot,
    structure?: string,
  ) {
    this.#attribute = snapshot.defaultAttribute;
    this.#stream = snapshot.stream(this.#attribute);
    this.#structure = snapshot.structures.find(({ name }) => name === structure);
  }

  /** Of a pair that stands there; undefined if head and collocate are everywhere too far apart. */
  of(occurrences: Occurrences): string | undefined {
    // Words that were met stay known, as long as they are not too many.
    if (this.#texts.size > limits.phraseWordsMax) {
      for (const known of [this.#foldedOfId, this.#numbers, this.#texts]) known.clear();
    }
    const count = this.#sample(occurrences);
    if (count === 0) return undefined;
    const { places, left, right } = this.#longest(this.#commonest(count), count);
    return this.#spelled(places, left, right);
  }

  /** Evenly spread; those whose core fits. Returns how many. */
  #sample({ positions, collocates }: Occurrences): number {
    const most = Math.min(positions.length, sampleMax);
    const { tokens } = this.snapshot;
    let count = 0;
    for (let i = 0; i < most; i++) {
      const at = Math.floor((i * positions.length) / most);
      const begin = Math.min(positions[at], collocates[at]);
      const end = Math.max(positions[at], collocates[at]) + 1;
      if (end - begin > limits.phraseTokensMax) continue;
      this.#begins[count] = begin;
      this.#ends[count] = end;
      const from = Math.max(0, begin - aroundMax);
      const to = Math.min(tokens, end + aroundMax);
      const start = count * windowTokens + from - (begin - aroundMax);
      this.#stream.read(from, to - from, this.#ids.subarray(start, start + to - from));
      count++;
    }
    return count;
  }

  #id(place: number, position: number): number {
    return this.#ids[place * windowTokens + position - this.#begins[place] + aroundMax];
  }

  #fold(id: number): number {
    let folded = this.#foldedOfId.get(id);
    if (folded === undefined) {
      const text = this.#text(id).toLowerCase();
      folded = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, folded);
      this.#foldedOfId.set(id, folded);
    }
    return folded;
  }

  #text(id: number): string {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = this.#attribute.lexicon.string(id);
      this.#texts.set(id, text);
    }
    return text;
  }

  /** The occurrences whose core is the most common one. */
  #commonest(count: number): number[] {
    const groups: number[][] = [];
    for (let place = 0; place < count; place++) {
      const group = groups.find(([first]) => this.#isSameCore(first, place));
      if (group) group.push(place);
      else groups.push([place]);
    }
    const length = ([place]: number[]) => this.#ends[place] - this.#begins[place];
    return groups.reduce((best, one) =>
      one.length > best.length || (one.length === best.length && length(one) < length(best)) ? one : best,
    );
  }

  #isSameCore(a: number, b: number): boolean {
    const length = this.#ends[a] - this.#begins[a];
    if (this.#ends[b] - this.#begins[b] !== length) return false;
    for (let i = 0; i < length; i++) {
      const [one, other] = [this.#id(a, this.#begins[a] + i), this.#id(b, this.#begins[b] + i)];
      if (one !== other && this.#fold(one) !== this.#fold(other)) return false;
    }
    return true;
  }

  /** What may belong to the phrase: what stands in the same structure, and not too far away. */
  #bound(places: readonly number[]): void {
    for (const place of places) {
      const [begin, end] = [this.#begins[place], this.#ends[place]];
      const reach = limits.phraseTokensMax - (end - begin);
      const around = this.#structure?.containing(begin) ?? -1;
      const [first, last] = around < 0 ? [0, this.snapshot.tokens] : this.#structure!.range(around);
      this.#froms[place] = Math.max(first, begin - reach);
      this.#tos[place] = Math.max(end, Math.min(last, end + reach));
    }
  }

  /** The occurrences of the longest phrase, and how many tokens more than the core it has to either side. */
  #longest(alike: number[], sampled: number): { places: number[]; left: number; right: number } {
    const needed = Math.max(2, Math.ceil(limits.phraseShare * sampled));
    let places = alike;
    let [left, right] = [0, 0];
    // Where the structure ends is looked up for those alone that may grow: if they could though it did not end.
    if (!this.#canGrow(alike, needed)) return { places, left, right };
    this.#bound(alike);
    const core = this.#ends[alike[0]] - this.#begins[alike[0]];
    while (core + left + right < limits.phraseTokensMax) {
      const toLeft = this.#sharing(places, (place) => {
        const at = this.#begins[place] - left - 1;
        return at >= this.#froms[place] ? at : -1;
      });
      const toRight = this.#sharing(places, (place) => {
        const at = this.#ends[place] + right;
        return at < this.#tos[place] ? at : -1;
      });
      const isLeft = toLeft.length > toRight.length;
      const longer = isLeft ? toLeft : toRight;
      if (longer.length < needed) break;
      places = longer;
      if (isLeft) left++;
      else right++;
    }
    const [one] = places;
    const isWord = (position: number) => /[\p{L}\p{N}]/u.test(this.#text(this.#id(one, position)));
    while (left > 0 && !isWord(this.#begins[one] - left)) left--;
    while (right > 0 && !isWord(this.#ends[one] + right - 1)) right--;
    return { places, left, right };
  }

  #canGrow(places: readonly number[], needed: number): boolean {
    if (places.length < needed) return false;
    const before = (place: number) => this.#begins[place] - 1;
    const behind = (place: number) => (this.#ends[place] < this.snapshot.tokens ? this.#ends[place] : -1);
    return this.#sharing(places, before).length >= needed || this.#sharing(places, behind).length >= needed;
  }

  /** Those that have the most common token there, without regard to case; −1 is nowhere. */
  #sharing(places: readonly number[], where: (place: number) => number): number[] {
    const folded = this.#folded;
    const some: number[] = [];
    for (const place of places) {
      const position = where(place);
      if (position < 0) continue;
      folded[place] = this.#fold(this.#id(place, position));
      some.push(place);
    }
    let best = -1;
    let most = 0;
    for (let i = 0; i < some.length && some.length - i > most; i++) {
      let count = 0;
      for (let j = i; j < some.length; j++) if (folded[some[j]] === folded[some[i]]) count++;
      if (count > most) [best, most] = [folded[some[i]], count];
    }
    return some.filter((place) => folded[place] === best);
  }

  /** As most of them are spelled. */
  #spelled(places: readonly number[], left: number, right: number): string {
    const texts = new Map<string, number>();
    for (const place of places) {
      const [begin, end] = [this.#begins[place] - left, this.#ends[place] + right];
      let text = "";
      for (let position = begin; position < end; position++) {
        if (position > begin && !this.#isGlued(position)) text += " ";
        text += this.#text(this.#id(place, position));
      }
      texts.set(text, (texts.get(text) ?? 0) + 1);
    }
    return [...texts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  }

  /** Is the token written without a space before it? */
  #isGlued(position: number): boolean {
    const segment = this.snapshot.segmentAt(position);
    return segment.glued(position - segment.start);
  }
}

const known = new WeakMap<Snapshot, Map<string, Phrases>>();

/** Those of a snapshot: who asks for one sketch asks for another. */
export function phrasesOf(snapshot: Snapshot, structure = ""): Phrases {
  const own = known.get(snapshot) ?? new Map<string, Phrases>();
  const phrases = own.get(structure) ?? new Phrases(snapshot, structure);
  known.set(snapshot, own.set(structure, phrases));
  return phrases;
}
