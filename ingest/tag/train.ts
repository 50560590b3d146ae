/**
 * Trains a tagger on treebanks: one averaged perceptron a layer, with a margin, over sentences in an order that is shuffled
 * anew in each round, always in the same way; lemmas from what stands there.
 */
import { DugongError } from "../../storage/errors.js";
import type { GoldSentence, GoldToken } from "./conllu.js";
import {
  contextFeatures,
  contextFineFeatures,
  FeatureList,
  neighbourFeatures,
  ownFeatures,
  ownFineFeatures,
  type Sentence,
  sentenceOf,
  wordAt,
} from "./features.js";
import { LemmaLearning } from "./lemma-learning.js";
import { placeOfCase } from "./lemmas.js";
import { type Counts, classOf, Lexicon } from "./lexicon.js";
import type { Layer, LayerName, Model } from "./model.js";
import { randomOf, shuffle } from "./random.js";
import { Learning, type Weights } from "./weights.js";
import { type Word, wordOf } from "./words.js";

export interface TrainOptions {
  language?: string;
  /** Beside the part of speech (default: xpos, where the treebank has it). */
  layers?: readonly ("xpos" | "feats")[];
  rounds?: number;
  seed?: number;
  /** After each round of each layer. */
  onRound?: (round: Round) => void;
  signal?: AbortSignal;
}

export interface Round {
  layer: LayerName;
  round: number;
  rounds: number;
  /** Of the training set, while it was being learnt. */
  accuracy: number;
  seconds: number;
}

const roundsDefault = 8;
const margin = 1.5;
/** Words that occur no more often are hidden now and then; those that occur once always. */
const rareMax = 3;
const hiddenShare = 0.3;
/** Of the features of a part of speech, so many are left out each time: others have to learn to say the same. */
const leftOutShare = 0.1;
/**
 * Of parts of speech so many learn in orders of their own, and the mean of them is right more often than each is; it also shows which
 * weights matter. Finer layers have not gained from it.
 */
const learners = { tag: 3, xpos: 1, feats: 1 };
const weightLeast = { tag: 0.375, xpos: 0.125, feats: 0.125 };

interface Example extends Sentence {
  gold: readonly GoldToken[];
  /** Labels of the layer at hand, and of the parts of speech. */
  labels: Uint16Array;
  tags: Uint16Array;
}

/** Gives way to others in a long computation. */
const breath = () => new Promise((resolve) => setImmediate(resolve));

export async function train(sentences: readonly GoldSentence[], options: TrainOptions = {}): Promise<Model> {
  if (sentences.length === 0)
    throw new DugongError("empty_treebank", "there are no sentences to learn from", "Give CoNLL-U files.");
  const hasXpos = sentences.some(({ tokens }) => tokens.some(({ xpos }) => xpos !== "_"));
  const layers = options.layers ?? (hasXpos ? ["xpos"] : []);
  const trainer = new Trainer(sentences, options);
  const model = await trainer.tagLayer();
  if (layers.includes("xpos")) model.layers.push(await trainer.fineLayer("xpos", model.layers));
  if (layers.includes("feats")) model.layers.push(await trainer.fineLayer("feats", model.layers));
  const lemmas = trainer.lemmas(layers.includes("xpos"), model.lexicon);
  return lemmas ? { ...model, lemmas } : model;
}

class Trainer {
  readonly #words = new Map<string, Word>();
  readonly #counts = new Map<number, Counts>();
  readonly #examples: Example[];
  readonly #random: () => number;
  readonly #list = new FeatureList();

  constructor(
    readonly sentences: readonly GoldSentence[],
    readonly options: TrainOptions,
  ) {
    this.#random = randomOf(options.seed ?? 1);
    this.#examples = sentences.map(({ tokens }) => ({
      ...sentenceOf(tokens.map(({ form }) => this.#wordOf(form))),
      gold: tokens,
      labels: new Uint16Array(tokens.length),
      tags: new Uint16Array(tokens.length),
    }));
  }

  #wordOf(form: string): Word {
    let word = this.#words.get(form);
    if (!word) this.#words.set(form, (word = wordOf(form)));
    return word;
  }

  async tagLayer(): Promise<Model> {
    const labels = this.#label(({ upos }) => upos);
    for (const { words, labels: tags } of this.#examples) {
      words.forEach(({ form, small }, i) => {
        for (const hash of [form, small]) {
          let counts = this.#counts.get(hash);
          if (!counts) this.#counts.set(hash, (counts = new Uint32Array(labels.length)));
          counts[tags[i]]++;
        }
      });
    }
    const classes = new Map([...this.#counts].map(([hash, counts]) => [hash, classOf(counts, -1)]));
    for (const word of this.#words.values()) {
      word.known = classes.get(word.form)!;
      word.knownSmall = classes.get(word.small)!;
    }
    const weights = await this.#learn("tag", labels, this.#tagExample);
    for (const example of this.#examples) example.tags.set(example.labels);
    return {
      language: this.options.language ?? "und",
      sentences: this.sentences.length,
      tokens: this.sentences.reduce((sum, { tokens }) => sum + tokens.length, 0),
      lexicon: Lexicon.of(classes),
      layers: [{ name: "tag", labels, candidates: {}, weights }],
    };
  }

  /** Sets the labels of all examples; the list of labels has the most frequent first. */
  #label(labelOf: (token: GoldToken) => string): string[] {
    const counts = new Map<string, number>();
    for (const { gold } of this.#examples)
      for (const token of gold) counts.set(labelOf(token), (counts.get(labelOf(token)) ?? 0) + 1);
    const labels = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([label]) => label);
    if (labels.length > 65_535)
      throw new DugongError(
        "too_many_labels",
        `the treebank has ${labels.length} different labels in a column`,
      );
    const numbers = new Map(labels.map((label, i) => [label, i]));
    for (const { gold, labels: own } of this.#examples)
      gold.forEach((token, i) => {
        own[i] = numbers.get(labelOf(token))!;
      });
    return labels;
  }

  readonly #tagExample = (example: Example, at: number, found: Uint16Array, none: number): undefined => {
    const list = this.#list;
    const word = example.words[at];
    const gold = example.labels[at];
    const small = this.#counts.get(word.small)!;
    let occurrences = 0;
    for (const count of small) occurrences += count;
    const isHidden = occurrences <= 1 || (occurrences <= rareMax && this.#random() < hiddenShare);
    // As the word would be seen, were it not for this occurrence.
    const { known, knownSmall } = word;
    word.known = classOf(this.#counts.get(word.form), gold);
    word.knownSmall = classOf(small, gold);
    ownFeatures(list, word, isHidden);
    for (const [place, offset] of [
      [1, -1],
      [2, -2],
      [3, 1],
      [4, 2],
    ])
      neighbourFeatures(list, wordAt(example, at + offset), place);
    const tag1 = at > 0 ? found[at - 1] : none;
    const tag2 = at > 1 ? found[at - 2] : none;
    contextFeatures(list, example, at, word, tag1, tag2, isHidden);
    list.leaveOut(leftOutShare, this.#random);
    word.known = known;
    word.knownSmall = knownSmall;
  };

  async fineLayer(name: "xpos" | "feats", before: readonly Layer[]): Promise<Layer> {
    const hasXpos = before.length > 1;
    const labels = this.#label((token) => token[name]);
    const candidates: Record<string, number[]> = Object.create(null);
    const allow = (key: string, label: number) => {
      candidates[key] ??= [];
      if (!candidates[key].includes(label)) candidates[key].push(label);
    };
    for (const { gold, labels: own } of this.#examples) {
      gold.forEach(({ upos, xpos }, i) => {
        allow(upos, own[i]);
        if (hasXpos) allow(`${upos}\t${xpos}`, own[i]);
      });
    }
    for (const allowed of Object.values(candidates)) allowed.sort((a, b) => a - b);
    const weights = await this.#learn(name, labels, (example, at, found, none) => {
      const { upos, xpos } = example.gold[at];
      const allowed = candidates[hasXpos ? `${upos}\t${xpos}` : upos];
      if (allowed.length === 1) return allowed;
      const fine1 = at > 0 ? found[at - 1] : none;
      const fine2 = at > 1 ? found[at - 2] : none;
      ownFineFeatures(this.#list, example.words[at], example.tags[at]);
      contextFineFeatures(this.#list, example, at, example.tags, fine1, fine2);
      return allowed;
    });
    return { name, labels, candidates, weights };
  }

  /** `describe` fills the list of features, and says which labels may be chosen, if not all. */
  async #learn(
    layer: LayerName,
    labels: readonly string[],
    describe: (
      example: Example,
      at: number,
      found: Uint16Array,
      none: number,
    ) => readonly number[] | undefined,
  ): Promise<Weights> {
    const { rounds: each = roundsDefault, onRound, signal } = this.options;
    const rounds = each * learners[layer];
    const learning = new Learning();
    const scores = new Float32Array(labels.length);
    const all = labels.map((_, i) => i);
    const list = this.#list;
    const order = Uint32Array.from(this.#examples, (_, i) => i);
    const began = performance.now();
    for (let round = 1; round <= rounds; round++) {
      shuffle(order, this.#random);
      let right = 0;
      let seen = 0;
      for (const one of order) {
        if (seen % 5000 < 20) {
          await breath();
          signal?.throwIfAborted();
        }
        const example = this.#examples[one];
        const found = new Uint16Array(example.words.length);
        for (let i = 0; i < found.length; i++) {
          const gold = example.labels[i];
          list.count = 0;
          const allowed = describe(example, i, found, labels.length) ?? all;
          learning.steps++;
          seen++;
          if (allowed.length === 1) {
            found[i] = gold;
            right++;
            continue;
          }
          scores.fill(0);
          learning.score(list.values, list.count, scores);
          let best = allowed[0];
          let rival = -1;
          for (const label of allowed) {
            if (scores[label] > scores[best]) best = label;
            if (label !== gold && (rival < 0 || scores[label] > scores[rival])) rival = label;
          }
          if (scores[gold] - scores[rival] < margin) {
            learning.update(list.values, list.count, gold, 1);
            learning.update(list.values, list.count, rival, -1);
          }
          if (best === gold) right++;
          found[i] = best;
        }
      }
      const seconds = (performance.now() - began) / 1000;
      if (round % each === 0) learning.settle();
      onRound?.({ layer, round, rounds, accuracy: right / seen, seconds });
    }
    return learning.frozen(weightLeast[layer]);
  }

  /** Undefined where the treebank has none: some have them for punctuation alone. */
  lemmas(hasXpos: boolean, lexicon: Lexicon) {
    const learning = new LemmaLearning(lexicon);
    let without = 0;
    let all = 0;
    for (const { gold, words, capitals } of this.#examples) {
      gold.forEach(({ form, upos, xpos, lemma }, i) => {
        all++;
        if (lemma === "_" && form !== "_") without++;
        else learning.add(form, hasXpos ? `${upos} ${xpos}` : upos, lemma, placeOfCase(words, capitals, i));
      });
    }
    return learning.isEmpty || without > all / 2 ? undefined : learning.model();
  }
}
