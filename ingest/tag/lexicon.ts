/**
 * What words were in the training set, as one number each: the set of their tags (those of at least a twentieth of their
 * occurrences), the most frequent of them, and about how often they occur. It is a feature of the word and of its neighbours.
 *
 * While learning, the occurrence at hand is not counted: a word that occurs once is unknown there, as it would be in new text.
 */
import { mix } from "./words.js";

const share = 20;

/** Counts of tags of one word. */
export type Counts = Uint32Array;

/** 0 if it does not occur but here (`but` is its tag, to be left out; -1 for none). */
export function classOf(counts: Counts | undefined, but: number): number {
  if (!counts) return 0;
  let sum = but >= 0 ? -1 : 0;
  for (let tag = 0; tag < counts.length; tag++) sum += counts[tag];
  if (sum <= 0) return 0;
  let set = 0;
  let best = 0;
  let most = 0;
  for (let tag = 0; tag < counts.length; tag++) {
    const count = counts[tag] - (tag === but ? 1 : 0);
    if (count > 0 && count * share >= sum) set = mix(98, set, tag + 1);
    if (count > most) {
      most = count;
      best = tag;
    }
  }
  return mix(99, set, best * 4 + (sum > 20 ? 3 : sum > 4 ? 2 : sum > 1 ? 1 : 0));
}

/** Hashes of words to classes, both in sorted columns. */
export class Lexicon {
  readonly #classes = new Map<number, number>();

  constructor(
    readonly hashes: Int32Array,
    readonly classes: Int32Array,
  ) {
    for (let i = 0; i < hashes.length; i++) this.#classes.set(hashes[i], classes[i]);
  }

  static of(found: ReadonlyMap<number, number>): Lexicon {
    const hashes = Int32Array.from(found.keys()).sort();
    return new Lexicon(
      hashes,
      hashes.map((hash) => found.get(hash)!),
    );
  }

  classOf(hash: number): number {
    return this.#classes.get(hash) ?? 0;
  }
}
