/**
 * Close languages: what tells those of a small group apart, when it is clear that a text is in one of them.
 *
 * Counting the runs of each language for itself (train.ts) gives most votes to what close languages share. Here each run of
 * characters has a weight for each language of the group, as large as the run is good at telling them apart (logistic regression):
 *
 *   z(language) = bias(language) + scale × sum over the runs of the text of weight(run, language) / √(number of runs, at least 300)
 *   P(language, if it is one of the group) = e^z(language) / sum of e^z
 *
 * What is learnt from should say the same things in all languages of the group (messages with the same keys), so that what a text
 * is about says nothing. The same texts give the same weights.
 */
import { Grams } from "./grams.js";

/** The runs that tell the languages of a group apart, with rising keys. */
export interface CloseGroup {
  languages: readonly string[];
  scale: number;
  /** What is added to z of each language, where a text without any run that tells them apart is more likely to be in one than in another. */
  bias?: readonly number[];
  keys: Uint32Array;
  /** Run by run, one for each language: -127 to 127. */
  weights: Int8Array;
}

/** Something to learn from. */
export interface CloseText {
  /** Which of the group's it is in. */
  language: number;
  text: string;
  /** How much it counts. */
  weight: number;
  /** Languages that it could have been in, if not all: those of the others it says nothing. */
  among?: readonly number[];
}

/** Hashes of runs are cut to so many bits. */
export const keyBits = 26;
const keyMask = 2 ** keyBits - 1;

/** Runs of two characters and more are looked at. */
const orderMin = 1;
/** A run must be in so many texts. */
const textsMin = 2;
/** Texts are judged as if they had so many runs at least: a word alone is no proof, and a table of words teaches as much as texts do. */
const runsMin = 300;
const epochs = 40;
/** Weights of so many epochs at the end are averaged. */
const epochsAveraged = 6;
const rate = 0.3;
/** How much of a weight is taken off with each text that has its run. */
const decay = 1e-3;
/** Runs whose weights are all below this share of the largest are left out. */
const shareMin = 0.02;
const stepsMax = 127;
const textCharsMax = 100_000;

export function learnClose(
  languages: readonly string[],
  texts: readonly CloseText[],
  bias?: readonly number[],
): CloseGroup {
  const { keys, runsOf } = frequentRuns(texts);
  const weights = regression(languages.length, texts, keys.length, runsOf);
  const width = languages.length;
  // Only differences between languages count.
  for (let at = 0; at < weights.length; at += width) {
    const own = weights.subarray(at, at + width);
    const mean = own.reduce((sum, weight) => sum + weight, 0) / width;
    for (let i = 0; i < width; i++) own[i] -= mean;
  }
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
  const good: number[] = [];
  for (let run = 0; run < keys.length; run++)
    if (weights.subarray(run * width, (run + 1) * width).some((w) => Math.abs(w) >= shareMin * largest))
      good.push(run);
  const scale = largest / stepsMax;
  return {
    languages,
    scale,
    ...(bias && { bias }),
    keys: Uint32Array.from(good, (run) => keys[run]),
    weights: Int8Array.from({ length: good.length * width }, (_, i) =>
      Math.round(weights[good[Math.floor(i / width)] * width + (i % width)] / scale),
    ),
  };
}

/** The keys of runs that are in several texts, and the numbers of those of each text. */
function frequentRuns(texts: readonly CloseText[]): { keys: number[]; runsOf: Int32Array[] } {
  const grams = new Grams(textCharsMax);
  const all = texts.map(({ text }) => {
    grams.fill(text);
    return grams.hashes
      .slice(0, grams.count)
      .filter((_, i) => grams.orderOf[i] >= orderMin)
      .map((hash) => hash & keyMask);
  });
  const textsWith = new Map<number, number>();
  for (const own of all) for (const key of new Set(own)) textsWith.set(key, (textsWith.get(key) ?? 0) + 1);
  const keys = [...textsWith.keys()].filter((key) => textsWith.get(key)! >= textsMin).sort((a, b) => a - b);
  const numberOf = new Map(keys.map((key, run) => [key, run]));
  const runsOf = all.map((own) => Int32Array.from(own, (key) => numberOf.get(key) ?? -1));
  return { keys, runsOf };
}

/** Weights by the slopes of single texts (AdaGrad); -1 stands for a run that has none. */
function regression(
  width: number,
  texts: readonly CloseText[],
  runs: number,
  runsOf: readonly Int32Array[],
): Float64Array {
  const weights = new Float64Array(runs * width);
  const squares = new Float64Array(weights.length).fill(1e-8);
  const mean = new Float64Array(weights.length);
  const z = new Float64Array(width);
  const order = shuffled(texts.length);
  const all = Array.from({ length: width }, (_, l) => l);
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const i of order) {
      const own = runsOf[i];
      const share = 1 / Math.sqrt(Math.max(runsMin, own.length));
      z.fill(0);
      for (const run of own) if (run >= 0) for (let l = 0; l < width; l++) z[l] += weights[run * width + l];
      const { among = all } = texts[i];
      for (let l = 0; l < width; l++) z[l] = among.includes(l) ? z[l] * share : Number.NEGATIVE_INFINITY;
      softmax(z);
      for (const l of among) {
        const slope = texts[i].weight * share * ((l === texts[i].language ? 1 : 0) - z[l]);
        for (const run of own) {
          if (run < 0) continue;
          const at = run * width + l;
          const step = slope - decay * weights[at];
          squares[at] += step * step;
          weights[at] += (rate * step) / Math.sqrt(squares[at]);
        }
      }
    }
    if (epoch >= epochs - epochsAveraged)
      for (let at = 0; at < weights.length; at++) mean[at] += weights[at] / epochsAveraged;
  }
  return mean;
}

/** Probabilities in the place of their logarithms. */
export function softmax(z: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of z) most = Math.max(most, value);
  let sum = 0;
  for (let i = 0; i < z.length; i++) sum += z[i] = Math.exp(z[i] - most);
  for (let i = 0; i < z.length; i++) z[i] /= sum;
}

/** Numbers below `count` in an order that looks random, and is always the same. */
function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  let state = 1;
  for (let i = count - 1; i > 0; i--) {
    state = Math.imul(state, 1664525) + 1013904223;
    const other = (state >>> 8) % (i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/** Asks about texts that are in one of the languages of a group. */
export class CloseJudge {
  /** Open addressing: key + 1, and the number of the run. */
  readonly #slots: Uint32Array;
  readonly #runAt: Uint32Array;
  readonly #mask: number;
  readonly #z: Float64Array;

  constructor(readonly group: CloseGroup) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, group.keys.length * 2)));
    this.#mask = size - 1;
    this.#slots = new Uint32Array(size);
    this.#runAt = new Uint32Array(size);
    this.#z = new Float64Array(group.languages.length);
    group.keys.forEach((key, run) => {
      let at = this.#slotOf(key);
      while (this.#slots[at] !== 0) at = (at + 1) & this.#mask;
      this.#slots[at] = key + 1;
      this.#runAt[at] = run;
    });
  }

  /** How probable each language of the group is (filled anew with each call); 0 for those that are not possible. */
  probabilities(grams: Grams, isPossible: readonly boolean[]): Float64Array {
    const { scale, bias, weights } = this.group;
    const z = this.#z.fill(0);
    const width = z.length;
    let runs = 0;
    for (let i = 0; i < grams.count; i++) {
      if (grams.orderOf[i] < orderMin) continue;
      runs++;
      const key = grams.hashes[i] & keyMask;
      let at = this.#slotOf(key);
      while (this.#slots[at] !== 0 && this.#slots[at] !== key + 1) at = (at + 1) & this.#mask;
      if (this.#slots[at] === 0) continue;
      const from = this.#runAt[at] * width;
      for (let l = 0; l < width; l++) z[l] += weights[from + l];
    }
    for (let l = 0; l < width; l++)
      z[l] = isPossible[l]
        ? (z[l] * scale) / Math.sqrt(Math.max(runsMin, runs)) + (bias?.[l] ?? 0)
        : Number.NEGATIVE_INFINITY;
    softmax(z);
    return z;
  }

  #slotOf(key: number): number {
    return (Math.imul(key, 0x9e3779b1) >>> 6) & this.#mask;
  }
}
