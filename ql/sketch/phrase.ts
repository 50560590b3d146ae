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
import { Stretches } from "../concordance/stretches.js";
import { limits } from "./limits.js";
import type { Occurrences } from "./reader.js";

/** The phrase [begin, end), longer and longer, in what may belong to it, [from, to), which starts at `offset` of the columns. */
interface Place {
  core: { begin: number; end: number };
  from: number;
  begin: number;
  end: number;
  to: number;
  offset: number;
}

/** The token at a place of the columns, without regard to case: a number that equal ones share. */
type Fold = (at: number) => number;

export class Phrases {
  readonly #attribute: Attribute;
  readonly #structure: Structure | undefined;
  readonly #foldedOfId = new Map<number, number>();
  readonly #numbers = new Map<string, number>();

  constructor(
    readonly snapshot: Snapshot,
    structure?: string,
  ) {
    this.#attribute = snapshot.defaultAttribute;
    this.#structure = snapshot.structures.find(({ name }) => name === structure);
  }

  /** Of a pair that stands there; undefined if head and collocate are everywhere too far apart. */
  of(occurrences: Occurrences): string | undefined {
    const places = this.#sample(occurrences);
    if (places.length === 0) return undefined;
    const [froms, tos] = [places.map(({ from }) => from), places.map(({ to }) => to)];
    const stretches = new Stretches(
      this.snapshot,
      Float64Array.from(froms),
      Float64Array.from(tos),
      0,
      places.length,
    );
    places.forEach((place, i) => {
      place.offset = stretches.offsets[i];
    });
    const ids = stretches.ids(this.#attribute);
    const fold: Fold = (at) => this.#fold(ids[at]);
    const longest = this.#longest(commonest(places, fold), places.length, ids, fold);
    return this.#spelled(longest, ids, stretches.glue());
  }

  #sample({ positions, collocates }: Occurrences): Place[] {
    const count = Math.min(positions.length, limits.phraseSampleMax);
    const places: Place[] = [];
    for (let i = 0; i < count; i++) {
      const at = Math.floor((i * positions.length) / count);
      const begin = Math.min(positions[at], collocates[at]);
      const end = Math.max(positions[at], collocates[at]) + 1;
      if (end - begin > limits.phraseTokensMax) continue;
      const reach = limits.phraseTokensMax - (end - begin);
      const around = this.#structure?.containing(begin) ?? -1;
      const [first, last] = around < 0 ? [0, this.snapshot.tokens] : this.#structure!.range(around);
      const from = Math.max(first, begin - reach);
      const to = Math.max(end, Math.min(last, end + reach));
      places.push({ core: { begin, end }, from, begin, end, to, offset: 0 });
    }
    return places;
  }

  #fold(id: number): number {
    let folded = this.#foldedOfId.get(id);
    if (folded === undefined) {
      const text = this.#attribute.lexicon.string(id).toLowerCase();
      folded = this.#numbers.get(text) ?? this.#numbers.size;
      this.#numbers.set(text, folded);
      this.#foldedOfId.set(id, folded);
    }
    return folded;
  }

  #longest(places: Place[], sampled: number, ids: Uint32Array, fold: Fold): Place[] {
    const needed = Math.max(2, Math.ceil(limits.phraseShare * sampled));
    let alike = places;
    while (alike[0].end - alike[0].begin < limits.phraseTokensMax) {
      const left = sharing(alike, fold, ({ begin, from }) => (begin > from ? begin - 1 : -1));
      const right = sharing(alike, fold, ({ end, to }) => (end < to ? end : -1));
      const isLeft = left.length > right.length;
      const longer = isLeft ? left : right;
      if (longer.length < needed) break;
      alike = longer.map((place) =>
        isLeft ? { ...place, begin: place.begin - 1 } : { ...place, end: place.end + 1 },
      );
    }
    const [one] = alike;
    const isWord = (position: number) =>
      /[\p{L}\p{N}]/u.test(this.#attribute.lexicon.string(ids[position - one.from + one.offset]));
    let [left, right] = [one.begin, one.end];
    while (left < one.core.begin && !isWord(left)) left++;
    while (right > one.core.end && !isWord(right - 1)) right--;
    const [cutLeft, cutRight] = [left - one.begin, one.end - right];
    return alike.map((place) => ({ ...place, begin: place.begin + cutLeft, end: place.end - cutRight }));
  }

  /** As most of them are spelled. */
  #spelled(places: readonly Place[], ids: Uint32Array, glue: Uint8Array): string {
    const texts = new Map<string, number>();
    for (const { from, begin, end, offset } of places) {
      let text = "";
      for (let position = begin; position < end; position++) {
        const at = position - from + offset;
        if (position > begin && glue[at] === 0) text += " ";
        text += this.#attribute.lexicon.string(ids[at]);
      }
      texts.set(text, (texts.get(text) ?? 0) + 1);
    }
    return [...texts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  }
}

/** The occurrences whose core is the most common one. */
function commonest(places: readonly Place[], fold: Fold): Place[] {
  const groups = new Map<string, Place[]>();
  for (const place of places) {
    const at = place.begin - place.from + place.offset;
    let key = "";
    for (let i = 0; i < place.end - place.begin; i++) key += `${fold(at + i)} `;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  const length = ([{ begin, end }]: Place[]) => end - begin;
  return [...groups.values()].reduce((best, one) =>
    one.length > best.length || (one.length === best.length && length(one) < length(best)) ? one : best,
  );
}

/** Those that have the most common token there; −1 is nowhere. */
function sharing(places: readonly Place[], fold: Fold, where: (place: Place) => number): Place[] {
  const groups = new Map<number, Place[]>();
  for (const place of places) {
    const position = where(place);
    if (position < 0) continue;
    const token = fold(position - place.from + place.offset);
    const group = groups.get(token);
    if (group) group.push(place);
    else groups.set(token, [place]);
  }
  return [...groups.values()].reduce((best, one) => (one.length > best.length ? one : best), []);
}
