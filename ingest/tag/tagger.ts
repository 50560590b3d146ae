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
  fineFeatures,
  neighbourFeatures,
  ownFeatures,
  places,
  type Sentence,
  sentenceOf,
} from "./features.js";
import { lemmatiser } from "./lemmas.js";
import type { Layer, LayerName, Model } from "./model.js";
import { edge, type Word, wordOf } from "./words.js";

interface KnownWord extends Word {
  /** What it adds to the score of each label, as the token, as the word before, and so on. */
  rows: Float32Array;
  /** Lemmas by tag, as they were needed. */
  lemmas: Map<string, string>;
}

export type OutputColumn = "word" | "lemma" | LayerName;

/** What an analysis of a sentence has: a list for each column but the word. */
export type Analysis = Partial<Record<Exclude<OutputColumn, "word">, string[]>>;

export class Tagger {
  readonly #words = new Map<string, KnownWord>();
  readonly #edge: KnownWord;
  readonly #list = new FeatureList();
  readonly #scores: Float32Array;
  readonly #lemmatise: ((form: string, tag: string) => string) | undefined;
  readonly #layer: Layer;

  constructor(readonly model: Model) {
    const [layer] = model.layers;
    this.#layer = layer;
    this.#scores = new Float32Array(Math.max(...model.layers.map(({ labels }) => labels.length)));
    this.#lemmatise = model.lemmas && lemmatiser(model.lemmas);
    this.#edge = { ...edge, rows: this.#rowsOf(edge), lemmas: new Map() };
  }

  /** What it can say of a word. */
  get columns(): OutputColumn[] {
    return [
      "word",
      ...(this.#lemmatise ? (["lemma"] as const) : []),
      ...this.model.layers.map(({ name }) => name),
    ];
  }

  analyse(forms: readonly string[], wanted: ReadonlySet<string>): Analysis {
    const words = forms.map((form) => this.#wordOf(form));
    const sentence = sentenceOf(words);
    const tags = this.#tags(words, sentence);
    const { labels } = this.#layer;
    const analysis: Analysis = { tag: Array.from(tags, (tag) => labels[tag]) };
    // Lemmas are learnt with the finest tag but feats, so that layer is needed for them.
    const needsFine =
      this.model.layers.length > 1 && (wanted.has("xpos") || wanted.has("feats") || wanted.has("lemma"));
    if (needsFine) {
      for (const layer of this.model.layers.slice(1)) {
        if (layer.name === "feats" && !wanted.has("feats")) continue;
        analysis[layer.name] = this.#fine(layer, sentence, tags, analysis);
      }
    }
    if (this.#lemmatise && wanted.has("lemma")) analysis.lemma = this.#lemmas(forms, words, analysis);
    return analysis;
  }

  #wordOf(form: string): KnownWord {
    const known = this.#words.get(form);
    if (known) return known;
    const word = wordOf(form);
    word.known = this.model.lexicon.classOf(word.form);
    word.knownSmall = this.model.lexicon.classOf(word.small);
    const made = { ...word, rows: this.#rowsOf(word), lemmas: new Map() };
    if (this.#words.size >= limits.wordsKept) this.#words.clear();
    this.#words.set(form, made);
    return made;
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
      let best = 0;
      for (let label = 1; label < count; label++) if (scores[label] > scores[best]) best = label;
      tags[i] = best;
    }
    return tags;
  }

  #fine(layer: Layer, sentence: Sentence, tags: Uint16Array, before: Analysis): string[] {
    const { labels, weights, candidates } = layer;
    const scores = this.#scores;
    const list = this.#list;
    const found: string[] = [];
    let fine1 = labels.length;
    let fine2 = labels.length;
    for (let i = 0; i < tags.length; i++) {
      const tag = before.tag![i];
      const allowed = (before.xpos && candidates[`${tag}\t${before.xpos[i]}`]) ?? candidates[tag];
      let best = allowed[0];
      if (allowed.length > 1) {
        scores.fill(0);
        list.count = 0;
        fineFeatures(list, sentence, i, tags, fine1, fine2);
        weights.score(list.values, list.count, scores);
        for (const label of allowed) if (scores[label] > scores[best]) best = label;
      }
      found.push(labels[best]);
      fine2 = fine1;
      fine1 = best;
    }
    return found;
  }

  #lemmas(forms: readonly string[], words: readonly KnownWord[], analysis: Analysis): string[] {
    const { tag, xpos } = analysis;
    return forms.map((form, i) => {
      const key = xpos ? `${tag![i]} ${xpos[i]}` : tag![i];
      const { lemmas } = words[i];
      let lemma = lemmas.get(key);
      if (lemma === undefined) lemmas.set(key, (lemma = this.#lemmatise!(form, key)));
      return lemma;
    });
  }
}
