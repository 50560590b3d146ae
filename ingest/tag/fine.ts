/**
 * Finer layers (xpos, feats): when all parts of speech of a sentence are known, chooses among the labels that were seen with
 * them, from left to right.
 *
 * What a word and its part of speech add to the scores, whatever stands around them, is kept with the word.
 */
import { contextFineFeatures, FeatureList, ownFineFeatures, type Sentence } from "./features.js";
import type { Layer } from "./model.js";
import type { Word } from "./words.js";

export interface FineWord extends Word {
  /** By the number of a choice: what the word adds to the score of each of its labels. */
  choices: Map<number, Int32Array>;
}

/** Labels of a layer that were seen with a part of speech, or with that and an xpos. */
interface Choice {
  id: number;
  labels: readonly number[];
}

export class FineTagger {
  readonly #layer: Layer;
  /** Of each part of speech; then of each with each xpos, where the layer comes after that. */
  readonly #choices: Choice[];
  readonly #choicesOfBoth: (Choice | undefined)[] = [];
  readonly #xposCount: number;
  readonly #scores: Float32Array;
  readonly #list = new FeatureList();

  /** `before` are the layers before it; choices are numbered from `firstId`. */
  constructor(layer: Layer, before: readonly Layer[], firstId: number) {
    this.#layer = layer;
    this.#scores = new Float32Array(layer.labels.length);
    const [tags, xpos] = before;
    let id = firstId;
    const choice = (key: string): Choice => ({ id: id++, labels: layer.candidates[key] ?? [0] });
    this.#choices = tags.labels.map(choice);
    this.#xposCount = xpos?.labels.length ?? 0;
    for (const tag of tags.labels) {
      for (let x = 0; x < this.#xposCount; x++) {
        const key = `${tag}\t${xpos.labels[x]}`;
        this.#choicesOfBoth.push(layer.candidates[key] && choice(key));
      }
    }
    this.lastId = id;
  }

  readonly lastId: number;

  labelsOf(
    sentence: Sentence,
    words: readonly FineWord[],
    tags: Uint16Array,
    xpos: Uint16Array | undefined,
  ): Uint16Array {
    const { labels, weights } = this.#layer;
    const scores = this.#scores;
    const list = this.#list;
    const found = new Uint16Array(tags.length);
    let fine1 = labels.length;
    let fine2 = labels.length;
    for (let i = 0; i < tags.length; i++) {
      const tag = tags[i];
      const choice = (xpos && this.#choicesOfBoth[tag * this.#xposCount + xpos[i]]) ?? this.#choices[tag];
      const allowed = choice.labels;
      let best = allowed[0];
      if (allowed.length > 1) {
        const own = words[i].choices.get(choice.id) ?? this.#ownScores(words[i], tag, choice);
        for (let k = 0; k < allowed.length; k++) scores[allowed[k]] = own[k];
        list.count = 0;
        contextFineFeatures(list, sentence, i, tags, fine1, fine2);
        weights.score(list.values, list.count, scores);
        for (let k = 1; k < allowed.length; k++) if (scores[allowed[k]] > scores[best]) best = allowed[k];
      }
      found[i] = best;
      fine2 = fine1;
      fine1 = best;
    }
    return found;
  }

  #ownScores(word: FineWord, tag: number, { id, labels }: Choice): Int32Array {
    const scores = this.#scores;
    const list = this.#list;
    scores.fill(0);
    list.count = 0;
    ownFineFeatures(list, word, tag);
    this.#layer.weights.score(list.values, list.count, scores);
    const own = Int32Array.from(labels, (label) => scores[label]);
    word.choices.set(id, own);
    return own;
  }
}
