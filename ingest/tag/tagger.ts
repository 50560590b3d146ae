/**
 * Tags sentences with a model: the part of speech from left to right, each token with what was decided for the two before
 * it; then finer layers, where the coarser one leaves a choice; then lemmas.
 *
 * What a word alone adds to the scores is kept with the word, for each place where it can stand: five rows of numbers.
 */
import { limits } from "../limits.js";
import {
  contextFeatures,
  FeatureList,
  neighbourFeatures,
  ownFeatures,
  places,
  type Sentence,
  sentenceOf,
  shapeFeature,
} from "./features.js";
import { FineTagger, type FineWord } from "./fine.js";
import { Lemmatiser, placeOfCase, placesOfCase } from "./lemmas.js";
import { tagsBySigns } from "./letterless.js";
import type { Layer, LayerName, Model } from "./model.js";
import { edge, type Word, wordOf } from "./words.js";

interface KnownWord extends FineWord {
  /** What it adds to the score of each label, as the token, as the word before, and so on. */
  rows: Float32Array;
  /** Lemmas by the number of tag, xpos and place, as they were needed. */
  lemmas: Map<number, string>;
  /** The labels that it can have, if its signs say that. */
  possible: readonly number[] | undefined;
}

export type OutputColumn = "word" | "lemma" | LayerName;

/** What an analysis of a sentence has: a list for each column but the word. */
export type Analysis = Partial<Record<Exclude<OutputColumn, "word">, string[]>>;

export class Tagger {
  readonly #words = new Map<string, KnownWord>();
  readonly #edge: KnownWord;
  readonly #list = new FeatureList();
  readonly #scores: Float32Array;
  readonly #lemmatiser: Lemmatiser | undefined;
  readonly #layer: Layer;
  readonly #fine: FineTagger[] = [];

  constructor(readonly model: Model) {
    const [layer] = model.layers;
    this.#layer = layer;
    this.#scores = new Float32Array(layer.labels.length);
    for (let i = 1; i < model.layers.length; i++)
      this.#fine.push(
        new FineTagger(model.layers[i], model.layers.slice(0, i), this.#fine.at(-1)?.lastId ?? 0),
      );
    this.#lemmatiser = model.lemmas && new Lemmatiser(model.lemmas, model.lexicon);
    this.#edge = {
      ...edge,
      rows: this.#rowsOf(edge),
      lemmas: new Map(),
      choices: new Map(),
      possible: undefined,
    };
  }

  /** What it can say of a word. */
  get columns(): OutputColumn[] {
    return [
      "word",
      ...(this.#lemmatiser ? (["lemma"] as const) : []),
      ...this.model.layers.map(({ name }) => name),
    ];
  }

  analyse(forms: readonly string[], wanted: ReadonlySet<string>): Analysis {
    const words: KnownWord[] = [];
    for (const form of forms) words.push(this.#words.get(form) ?? this.#made(form));
    const sentence = sentenceOf(words);
    const tags = this.#tags(words, sentence);
    const analysis: Analysis = { tag: named(tags, this.#layer.labels) };
    let xpos: Uint16Array | undefined;
    this.#fine.forEach((layer, i) => {
      const { name, labels } = this.model.layers[i + 1];
      // Lemmas are learnt with the finest tag but feats, so that layer is needed for them.
      if (!wanted.has(name) && (name === "feats" || !(wanted.has("lemma") || wanted.has("feats")))) return;
      const found = layer.labelsOf(sentence, words, tags, xpos);
      if (name === "xpos") xpos = found;
      if (wanted.has(name)) analysis[name] = named(found, labels);
    });
    if (this.#lemmatiser && wanted.has("lemma"))
      analysis.lemma = this.#lemmas(forms, words, sentence, tags, xpos);
    return analysis;
  }

  #made(form: string): KnownWord {
    const word = wordOf(form);
    word.known = this.model.lexicon.classOf(word.form);
    word.knownSmall = this.model.lexicon.classOf(word.small);
    const possible = this.#possible(form, word);
    const made = { ...word, rows: this.#rowsOf(word), lemmas: new Map(), choices: new Map(), possible };
    if (this.#words.size >= limits.wordsKept) this.#words.clear();
    this.#words.set(form, made);
    return made;
  }

  #possible(form: string, word: Word): readonly number[] | undefined {
    if (word.known !== 0 || word.knownSmall !== 0) return undefined;
    const { labels, weights } = this.#layer;
    const names = tagsBySigns(form, (one) => weights.has(shapeFeature(wordOf(one))));
    const possible = (names ?? []).map((name) => labels.indexOf(name)).filter((label) => label >= 0);
    return possible.length > 0 ? possible : undefined;
  }

  #rowsOf(word: Word): Float32Array {
    const { labels, weights } = this.#layer;
    const count = labels.length;
    const rows = new Float32Array(places * count);
    const list = this.#list;
    for (let place = 0; place < places; place++) {
      list.count = 0;
      if (place === 0) ownFeatures(list, word);
      else neighbourFeatures(list, word, place);
      weights.score(list.values, list.count, rows.subarray(place * count, (place + 1) * count));
    }
    return rows;
  }

  #tags(words: readonly KnownWord[], sentence: Sentence): Uint16Array {
    const { labels, weights } = this.#layer;
    const count = labels.length;
    const scores = this.#scores;
    const list = this.#list;
    const tags = new Uint16Array(words.length);
    const rowsAt = (at: number) => (at < 0 || at >= words.length ? this.#edge : words[at]).rows;
    for (let i = 0; i < words.length; i++) {
      const own = words[i].rows;
      const before = rowsAt(i - 1);
      const before2 = rowsAt(i - 2);
      const next = rowsAt(i + 1);
      const next2 = rowsAt(i + 2);
      for (let label = 0; label < count; label++) {
        scores[label] =
          own[label] +
          before[count + label] +
          before2[2 * count + label] +
          next[3 * count + label] +
          next2[4 * count + label];
      }
      list.count = 0;
      contextFeatures(list, sentence, i, words[i], i > 0 ? tags[i - 1] : count, i > 1 ? tags[i - 2] : count);
      weights.score(list.values, list.count, scores);
      const { possible } = words[i];
      let best = 0;
      if (possible) [best] = possible;
      for (let label = 1; label < count; label++)
        if (scores[label] > scores[best] && (!possible || possible.includes(label))) best = label;
      tags[i] = best;
    }
    return tags;
  }

  #lemmas(
    forms: readonly string[],
    words: readonly KnownWord[],
    { capitals }: Sentence,
    tags: Uint16Array,
    xpos: Uint16Array | undefined,
  ): string[] {
    const [tagLayer, xposLayer] = this.model.layers;
    const found: string[] = [];
    for (let i = 0; i < forms.length; i++) {
      const { lemmas } = words[i];
      const place = placeOfCase(words, capitals, i);
      const both = xpos ? tags[i] * xposLayer.labels.length + xpos[i] : tags[i];
      const key = both * placesOfCase + place;
      let lemma = lemmas.get(key);
      if (lemma === undefined) {
        const tag = tagLayer.labels[tags[i]];
        const finest = xpos ? `${tag} ${xposLayer.labels[xpos[i]]}` : tag;
        lemma = this.#lemmatiser!.lemmaOf(forms[i], finest, place);
        lemmas.set(key, lemma);
      }
      found.push(lemma);
    }
    return found;
  }
}

function named(numbers: Uint16Array, labels: readonly string[]): string[] {
  const names: string[] = [];
  for (let i = 0; i < numbers.length; i++) names.push(labels[numbers[i]]);
  return names;
}
