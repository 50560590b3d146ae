/**
 * Learns lemmas: which edits a tag has, when each of them is made, and the case of lemmas; one perceptron for the edits and one
 * for the case. They learn from each different word, not from each token: words that are frequent say nothing of those that
 * are not known, and are in lists where they are exceptions.
 */
import { caseKinds, caseOf, changesStart, editOf, markOf, unchanged } from "./edits.js";
import { FeatureList } from "./features.js";
import { caseFeatures, editFeatures, type LemmaModel, Lemmatiser, lemmaHash, resultsOf } from "./lemmas.js";
import type { Lexicon } from "./lexicon.js";
import { randomOf, shuffle } from "./random.js";
import { Learning, type Weights } from "./weights.js";
import { hashOf } from "./words.js";

/** An edit is a rule of the language if so many words have it with a tag, and else an exception. */
const editWordsMin = 2;
/** Of edits that change the start of words, so many with any tag. */
const startWordsMin = 3;
const rounds = 10;
const margin = 1;
const weightLeast = 0.125;
/** Words are hidden from the choice of case so often; those that occur once always. */
const hiddenShare = 0.3;

/** One word with one tag. */
interface Known {
  form: string;
  tag: string;
  lemmas: Map<string, number>;
  /** Lemmas in each place (lemmas.ts). */
  places: Map<number, Map<string, number>>;
}

interface SmallWord {
  small: string;
  mark: number;
  tag: string;
  lemma: string;
  /** Null if none makes its lemma. */
  edit: string | null;
}

export class LemmaLearning {
  readonly #known = new Map<string, Known>();
  /** Lemmas and the different words that have them. */
  readonly #wordsOfLemmas = new Map<number, Set<string>>();
  readonly #random = randomOf(1);
  readonly #list = new FeatureList();

  constructor(readonly lexicon: Lexicon) {}

  add(form: string, tag: string, lemma: string, place: number): void {
    if (lemma === "_" && form !== "_") return;
    const key = `${tag}\t${form}`;
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = { form, tag, lemmas: new Map(), places: new Map() }));
    count(known.lemmas, lemma);
    let here = known.places.get(place);
    if (!here) known.places.set(place, (here = new Map()));
    count(here, lemma);
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  model(): LemmaModel {
    const smallWords = this.#smallWords();
    const edits = editsOf(smallWords);
    for (const { small, tag, lemma } of smallWords) {
      const hash = lemmaHash(lemma, tag);
      const words = this.#wordsOfLemmas.get(hash) ?? new Set();
      this.#wordsOfLemmas.set(hash, words.add(small));
    }
    const model: LemmaModel = {
      edits,
      smallWords: Object.create(null),
      words: Object.create(null),
      lemmas: Int32Array.from(this.#wordsOfLemmas.keys()).sort(),
      editWeights: this.#learnEdits(smallWords, edits),
      caseWeights: new Learning().frozen(weightLeast),
    };
    const editor = new Lemmatiser(model, this.lexicon);
    for (const { small, mark, tag, edit } of smallWords)
      if (edit !== null && editor.editOf(small, mark, tag) !== edit)
        model.smallWords[`${tag}\t${small}`] = edit;
    const editBySmall = new Map(smallWords.map(({ small, tag, edit }) => [`${tag}\t${small}`, edit]));
    model.caseWeights = this.#learnCase(editBySmall);
    const lemmatiser = new Lemmatiser(model, this.lexicon);
    for (const [key, { form, tag, lemmas, places }] of this.#known) {
      const lemma = mostFrequent(lemmas);
      if ([...places.keys()].some((place) => lemmatiser.guess(form, tag, place) !== lemma))
        model.words[key] = lemma;
    }
    return model;
  }

  /** Words in lower case, with their most frequent lemmas. */
  #smallWords(): SmallWord[] {
    const found = new Map<
      string,
      { small: string; tag: string; lemmas: Map<string, number>; marks: Map<string, number> }
    >();
    for (const { form, tag, lemmas } of this.#known.values()) {
      const small = form.toLowerCase();
      const key = `${tag}\t${small}`;
      let one = found.get(key);
      if (!one) found.set(key, (one = { small, tag, lemmas: new Map(), marks: new Map() }));
      for (const [lemma, times] of lemmas) {
        count(one.lemmas, lemma.toLowerCase(), times);
        count(one.marks, String(markOf(form, small)), times);
      }
    }
    return [...found.values()].map(({ small, tag, lemmas, marks }) => {
      const lemma = mostFrequent(lemmas);
      // Edits have tabs between their parts.
      const edit = small.includes("\t") || lemma.includes("\t") ? null : editOf(small, lemma);
      return { small, tag, lemma, edit, mark: Number(mostFrequent(marks)) };
    });
  }

  #learnEdits(smallWords: readonly SmallWord[], edits: LemmaModel["edits"]): Weights {
    const learning = new Learning();
    const list = this.#list;
    const score = new Float32Array(1);
    const describe = ({ small, mark, tag }: SmallWord, edit: string, result: string) => {
      list.count = 0;
      // This word alone does not make it a lemma.
      const words = this.#wordsOfLemmas.get(lemmaHash(result, tag));
      const isLemma = words !== undefined && words.size > (words.has(small) ? 1 : 0);
      const known = edit === unchanged ? 0 : this.lexicon.classOf(hashOf(result, 2));
      editFeatures(list, small, mark, tag, edit, result, isLemma, known);
    };
    const choices = smallWords.flatMap((word) => {
      const results = [...resultsOf(edits[word.tag], word.small)];
      const gold = results.findIndex(([edit]) => edit === word.edit);
      return gold < 0 || results.length === 1 ? [] : [{ word, results, gold }];
    });
    this.#inRounds(choices.length, (at) => {
      const { word, results, gold } = choices[at];
      learning.steps++;
      let right = 0;
      let rival = -1;
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < results.length; i++) {
        describe(word, ...results[i]);
        score[0] = 0;
        learning.score(list.values, list.count, score);
        if (i === gold) right = score[0];
        else if (score[0] > most) {
          most = score[0];
          rival = i;
        }
      }
      if (right - most >= margin) return;
      describe(word, ...results[gold]);
      learning.update(list.values, list.count, 0, 1);
      describe(word, ...results[rival]);
      learning.update(list.values, list.count, 0, -1);
    });
    learning.settle();
    return learning.frozen(weightLeast);
  }

  #learnCase(edits: ReadonlyMap<string, string | null>): Weights {
    const learning = new Learning();
    const list = this.#list;
    const scores = new Float32Array(caseKinds);
    const choices = [...this.#known.values()].flatMap(({ form, tag, lemmas, places }) => {
      const edit = edits.get(`${tag}\t${form.toLowerCase()}`);
      if (edit === null || edit === undefined) return [];
      const isOne = lemmas.size === 1 && [...lemmas.values()][0] === 1;
      return [...places].flatMap(([place, here]) => {
        const gold = caseOf(form, edit, mostFrequent(here));
        return gold < 0 ? [] : [{ form, tag, place, gold, isOne }];
      });
    });
    this.#inRounds(choices.length, (at) => {
      const { form, tag, place, gold, isOne } = choices[at];
      learning.steps++;
      list.count = 0;
      caseFeatures(list, form, tag, place, this.lexicon, isOne || this.#random() < hiddenShare);
      scores.fill(0);
      learning.score(list.values, list.count, scores);
      let rival = gold === 0 ? 1 : 0;
      for (let kind = 0; kind < caseKinds; kind++)
        if (kind !== gold && scores[kind] > scores[rival]) rival = kind;
      if (scores[gold] - scores[rival] >= margin) return;
      learning.update(list.values, list.count, gold, 1);
      learning.update(list.values, list.count, rival, -1);
    });
    learning.settle();
    return learning.frozen(weightLeast);
  }

  #inRounds(choices: number, learn: (at: number) => void): void {
    const order = Uint32Array.from({ length: choices }, (_, i) => i);
    for (let round = 0; round < rounds; round++) {
      shuffle(order, this.#random);
      for (const at of order) learn(at);
    }
  }
}

/** Of each tag the edits that are rules. */
function editsOf(smallWords: readonly SmallWord[]): Record<string, string[]> {
  const counts = new Map<string, Map<string, number>>();
  const starts = new Map<string, Set<string>>();
  for (const { small, tag, edit } of smallWords) {
    if (edit === null) continue;
    let found = counts.get(tag);
    if (!found) counts.set(tag, (found = new Map()));
    count(found, edit);
    if (!changesStart(edit)) continue;
    const start = startOf(edit);
    starts.set(start, (starts.get(start) ?? new Set()).add(small));
  }
  const edits: Record<string, string[]> = Object.create(null);
  for (const [tag, found] of counts) {
    edits[tag] = [...found]
      .filter(([edit, words]) =>
        changesStart(edit) ? starts.get(startOf(edit))!.size >= startWordsMin : words >= editWordsMin,
      )
      // Of digits nothing can be learnt: "8th" is not like "38th".
      .filter(([edit]) => !/\p{Nd}/u.test(edit))
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([edit]) => edit);
  }
  return edits;
}

const startOf = (edit: string) => edit.split("\t", 2).join("\t");

function count(counts: Map<string, number>, value: string, by = 1): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}

/** Of equal ones the first in the order of the alphabet, so that learning twice gives the same. */
function mostFrequent(counts: ReadonlyMap<string, number>): string {
  return [...counts].reduce((best, one) =>
    one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best,
  )[0];
}
