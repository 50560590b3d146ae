/**
 * What the perceptrons look at. Features of a token are numbers (hashes of a template and its values), in two kinds: those that are
 * of one word alone, whatever stands around it, and those of several words or of tags. The sums of the first are kept
 * with the word when text is tagged; so each function here says which word it is about, and in which place.
 */
import { edge, mix, prefixes, suffixes, type Word } from "./words.js";

export const featuresMax = 64;
/** Where a word may stand, seen from the token: features of one word are told apart by it. */
export const places = 5;

const shapeTemplate = 6;

/** The feature of words of one shape, whatever else they are. */
export function shapeFeature({ shape }: Word): number {
  return mix(shapeTemplate, shape, 0);
}

export class FeatureList {
  readonly values = new Int32Array(featuresMax);
  count = 0;

  add(template: number, a: number, b = 0): void {
    this.values[this.count++] = mix(template, a, b);
  }

  leaveOut(share: number, random: () => number): void {
    let left = 0;
    for (let f = 0; f < this.count; f++) if (random() >= share) this.values[left++] = this.values[f];
    this.count = left;
  }
}

/** Of the token itself. While learning, rare words are hidden now and then, so that endings are learnt for unknown ones. */
export function ownFeatures(list: FeatureList, word: Word, isHidden = false): void {
  list.add(0, 0);
  if (!isHidden) {
    list.add(1, word.form);
    list.add(2, word.small);
  }
  for (let k = 0; k < suffixes; k++) if (word.suffixes[k] !== 0) list.add(4, word.suffixes[k]);
  for (let k = 0; k < prefixes; k++) if (word.prefixes[k] !== 0) list.add(5, word.prefixes[k]);
  list.add(shapeTemplate, word.shape);
  list.add(8, word.known);
  list.add(9, word.knownSmall);
  list.add(33, word.length, word.shape);
}

/** Of a neighbour: 1 is the word before, 2 the one before that, 3 the next, 4 the next but one. */
export function neighbourFeatures(list: FeatureList, word: Word, place: number): void {
  if (place === 1) {
    list.add(14, word.small);
    list.add(22, word.suffixes[2]);
  } else if (place === 2) {
    list.add(15, word.small);
  } else if (place === 3) {
    list.add(16, word.small);
    list.add(18, word.knownSmall);
    list.add(23, word.suffixes[2]);
  } else {
    list.add(17, word.small);
    list.add(19, word.knownSmall);
  }
}

export interface Sentence {
  words: readonly Word[];
  /** 0 mixed, 1 without capitals, 2 words mostly with one, as in headlines, 3 mostly in capitals. */
  capitals: number;
}

export function sentenceOf(words: readonly Word[]): Sentence {
  let letters = 0;
  let capitals = 0;
  let shouted = 0;
  for (const { isLetters, isCapital, mark } of words) {
    if (isLetters) letters++;
    if (isCapital) capitals++;
    if (mark === 2) shouted++;
  }
  const are = (some: number) => letters > 2 && some > 0.6 * letters;
  return { words, capitals: are(shouted) ? 3 : are(capitals) ? 2 : capitals === 0 ? 1 : 0 };
}

export function wordAt({ words }: Sentence, at: number): Word {
  return at < 0 || at >= words.length ? edge : words[at];
}

/** Of words together, and of the tags of the two tokens before. */
export function contextFeatures(
  list: FeatureList,
  sentence: Sentence,
  at: number,
  word: Word,
  tag1: number,
  tag2: number,
  isHidden = false,
): void {
  const before = wordAt(sentence, at - 1);
  const next = wordAt(sentence, at + 1);
  const next2 = wordAt(sentence, at + 2);
  const { known, knownSmall } = word;
  const isFirst = at === 0 ? 1 : 0;
  list.add(7, word.shape, isFirst);
  list.add(10, known, tag1);
  list.add(11, knownSmall, tag1 ^ (tag2 << 12));
  list.add(12, tag1);
  list.add(13, tag1, tag2);
  list.add(20, known, next.knownSmall);
  list.add(21, tag1, next.knownSmall);
  list.add(24, next.shape, word.shape);
  list.add(25, before.small, next.small);
  list.add(26, mix(0, knownSmall, next.knownSmall), next2.knownSmall);
  list.add(27, mix(0, tag1, knownSmall), next.knownSmall);
  list.add(31, word.suffixes[2] || word.small, tag1);
  list.add(32, before.knownSmall, next.knownSmall);
  list.add(34, sentence.capitals, word.shape ^ isFirst);
  list.add(35, before.shape, word.shape);
  list.add(36, word.suffixes[1] || word.small, next.knownSmall);
  if (isHidden) return;
  list.add(3, word.small, tag1);
  list.add(28, word.small, next.small);
  list.add(29, word.small, before.small);
  list.add(30, word.small, next.knownSmall);
}

/** Of a finer layer (xpos, feats): of the token itself and its part of speech, whatever stands around it. */
export function ownFineFeatures(list: FeatureList, word: Word, tag: number): void {
  list.add(50, tag);
  list.add(51, word.form);
  list.add(52, word.small, tag);
  for (let k = 0; k < suffixes; k++) if (word.suffixes[k] !== 0) list.add(53, word.suffixes[k], tag);
  list.add(54, word.shape, tag);
}

/**
 * Of what stands around it, when all tags of the coarser layer are known: `tags` has them; `fine1` and `fine2` are this
 * layer's labels of the two tokens before.
 */
export function contextFineFeatures(
  list: FeatureList,
  sentence: Sentence,
  at: number,
  tags: ArrayLike<number>,
  fine1: number,
  fine2: number,
): void {
  const word = sentence.words[at];
  const tag = tags[at];
  const before = at > 0 ? tags[at - 1] : -1;
  const next = at + 1 < tags.length ? tags[at + 1] : -1;
  const next2 = at + 2 < tags.length ? tags[at + 2] : -1;
  list.add(55, fine1, tag);
  list.add(56, mix(0, fine1, fine2), tag);
  list.add(57, mix(0, before, next), tag);
  list.add(58, mix(0, next, next2), tag);
  list.add(59, wordAt(sentence, at - 1).small, tag);
  list.add(60, wordAt(sentence, at + 1).small, tag);
  list.add(61, word.small, fine1);
  list.add(62, word.suffixes[1], fine1);
  list.add(63, word.suffixes[2], mix(0, fine1, next));
  list.add(64, wordAt(sentence, at - 1).small, word.suffixes[1]);
  list.add(65, wordAt(sentence, at + 1).suffixes[1], word.suffixes[1]);
  list.add(66, wordAt(sentence, at - 2).small, tag);
  list.add(67, word.small, wordAt(sentence, at - 1).small);
}
