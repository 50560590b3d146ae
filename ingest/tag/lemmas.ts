/**
 * Lemmas, of a word and its tags. For the word in lower case a linear model chooses among the edits (edits.ts) that were learnt
 * with the tag and can be made of the word: by its ending, by that of the lemma, and by whether the lemma is one of which other
 * words are known. Another one chooses the case, by the tag, by how the word is written, by what is known of it in other
 * cases, and by where it stands. What they get wrong in training is in lists of their own.
 */
import { applyEdit, asItIs, caseKinds, inSmall, lemmaBy, markOf, titled, unchanged } from "./edits.js";
import { FeatureList } from "./features.js";
import type { Lexicon } from "./lexicon.js";
import type { Weights } from "./weights.js";
import { hashOf, mix, type Word } from "./words.js";

export interface LemmaModel {
  /** tag → edits that are made of words that are not known; the most frequent first */
  edits: Record<string, string[]>;
  /** tag, tab, word in lower case → edit */
  smallWords: Record<string, string>;
  /** tag, tab, form → lemma */
  words: Record<string, string>;
  /** Hashes of lemmas with their part of speech, sorted. */
  lemmas: Int32Array;
  editWeights: Weights;
  caseWeights: Weights;
}

/** Where a word stands, as far as that tells about capitals: 1 first of its sentence, and whether that is written in capitals. */
export const placesOfCase = 8;

export function placeOfCase(words: readonly Word[], capitals: number, at: number): number {
  const { mark } = words[at];
  if (mark === 0) return capitals === 1 ? 2 : 0;
  let first = 0;
  while (first < at && !words[first].isLetters) first++;
  return (first === at ? 1 : 0) + 2 * capitals;
}

/** "NOUN" of "NOUN NNS". */
const coarse = (tag: string) => tag.split(" ", 1)[0];

export const lemmaHash = (lemma: string, tag: string) => hashOf(lemma, hashOf(coarse(tag), 31));

const editSuffixes = 7;

/** Of making an edit of a word with a tag. `isLemma`: is its result the lemma of other words? */
export function editFeatures(
  list: FeatureList,
  small: string,
  mark: number,
  tag: string,
  edit: string,
  result: string,
  isLemma: boolean,
  knownResult: number,
): void {
  const tagged = hashOf(tag, 41);
  const made = hashOf(edit, tagged);
  const upos = hashOf(coarse(tag), 42);
  const word = small.replace(/\p{Nd}/gu, "0");
  list.add(0, made);
  list.add(1, made, mark);
  list.add(2, tagged, isLemma ? 1 : 2);
  list.add(3, made, isLemma ? 1 : 2);
  list.add(4, tagged, knownResult);
  list.add(5, made, Math.min(small.length, 6));
  for (let k = 1; k <= editSuffixes && k <= word.length; k++)
    list.add(10 + k, made, hashOf(word.slice(-k), 43));
  for (let k = 1; k <= 4 && k <= result.length; k++) list.add(20 + k, upos, hashOf(result.slice(-k), 44));
  for (let k = 1; k <= 3 && k < word.length; k++) list.add(30 + k, made, hashOf(word.slice(0, k), 45));
}

/** Of the case of a word's lemma; what is known of the word as it is written is left out, of other ways to write it not. */
export function caseFeatures(
  list: FeatureList,
  form: string,
  tag: string,
  place: number,
  lexicon: Pick<Lexicon, "classOf">,
  isHidden: boolean,
): void {
  const small = form.toLowerCase();
  const mark = markOf(form, small);
  const tagged = mix(50, hashOf(tag, 41), mark);
  const upos = mix(51, hashOf(coarse(tag), 42), mark);
  const variant = (text: string) => (text === form ? 1 : lexicon.classOf(hashOf(text, 1)));
  const asSmall = variant(small);
  const asTitle = variant(titled(small));
  const asShouted = variant(form.toUpperCase());
  list.add(59, hashOf(tag, 41));
  list.add(60, tagged);
  list.add(61, tagged, place);
  list.add(62, upos, place);
  list.add(63, upos, asSmall);
  list.add(64, upos, asTitle);
  list.add(65, upos, asShouted);
  list.add(66, mix(0, upos, place), asSmall === 0 ? 0 : 1);
  list.add(67, mix(0, upos, asSmall === 0 ? 0 : 1), mix(1, asTitle === 0 ? 0 : 1, asShouted === 0 ? 0 : 1));
  for (let k = 1; k <= 4 && k <= small.length; k++) list.add(70 + k, tagged, hashOf(small.slice(-k), 46));
  list.add(68, upos, Math.min(small.length, 8));
  list.add(69, mix(0, upos, place), Math.min(small.length, 8));
  if (isHidden) return;
  list.add(80, upos, hashOf(small, 2));
  list.add(81, tagged, hashOf(small, 2));
}

/** Edits that can be made of a word, with what comes of it. */
export function* resultsOf(edits: readonly string[] | undefined, small: string): Generator<[string, string]> {
  yield [unchanged, small];
  for (const edit of edits ?? []) {
    if (edit === unchanged) continue;
    const result = applyEdit(small, edit);
    if (result !== null) yield [edit, result];
  }
}

/** The choice of edits, as far as it is learnt. */
export class Lemmatiser {
  readonly #lemmas: ReadonlySet<number>;
  readonly #list = new FeatureList();
  readonly #score = new Float32Array(1);
  readonly #cases = new Float32Array(caseKinds);

  constructor(
    readonly model: LemmaModel,
    readonly lexicon: Lexicon,
  ) {
    this.#lemmas = new Set(model.lemmas);
  }

  lemmaOf(form: string, tag: string, place: number): string {
    const known = this.model.words[`${tag}\t${form}`];
    if (known !== undefined) return known;
    return this.guess(form, tag, place);
  }

  /** Without the list of words. */
  guess(form: string, tag: string, place: number): string {
    const small = form.toLowerCase();
    const edit = this.model.smallWords[`${tag}\t${small}`] ?? this.editOf(small, markOf(form, small), tag);
    const kind = this.#caseOf(form, tag, place);
    return lemmaBy(form, edit, kind) ?? lemmaBy(form, edit, inSmall) ?? form;
  }

  editOf(small: string, mark: number, tag: string): string {
    const list = this.#list;
    const score = this.#score;
    let best = unchanged;
    let most = Number.NEGATIVE_INFINITY;
    for (const [edit, result] of resultsOf(this.model.edits[tag], small)) {
      list.count = 0;
      const isLemma = this.#lemmas.has(lemmaHash(result, tag));
      const known = edit === unchanged ? 0 : this.lexicon.classOf(hashOf(result, 2));
      editFeatures(list, small, mark, tag, edit, result, isLemma, known);
      score[0] = 0;
      this.model.editWeights.score(list.values, list.count, score);
      if (score[0] > most) {
        most = score[0];
        best = edit;
      }
    }
    return best;
  }

  #caseOf(form: string, tag: string, place: number): number {
    const list = this.#list;
    const scores = this.#cases.fill(0);
    list.count = 0;
    caseFeatures(list, form, tag, place, this.lexicon, false);
    this.model.caseWeights.score(list.values, list.count, scores);
    let best = asItIs;
    for (let kind = 1; kind < caseKinds; kind++) if (scores[kind] > scores[best]) best = kind;
    return best;
  }
}
