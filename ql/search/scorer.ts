/** Scores units, part by part (formula.ts): what is cheap first, so that units which cannot be among the best are left early. */
import { type Field, fieldOf, fieldWords, holdersOf, isIn, recencyOf } from "./fields.js";
import { followings, idf, rounded, saturated, shortestStretch } from "./formula.js";
import type { RankColumn } from "./page-rank.js";
import type { Terms } from "./terms.js";
import type { Units } from "./units.js";
import { type Places, TermWalk } from "./walk.js";
import { type PartName, partNames, type Weights } from "./weights.js";

export type Parts = Record<PartName, number>;

/** Titles whose scores are kept. */
const keptScoresMax = 100_000;

/** What terms score in a field, by the structures that have it: many sentences share a title. */
interface FieldScores {
  field: Field;
  holders: Uint32Array | Int32Array;
  known: Map<number, number>;
  /** Of the unit that was looked at last. */
  holder: number;
  score: number;
}

export class Scorer {
  readonly walks: TermWalk[];
  /** How often each term is in the unit that is looked at. */
  readonly counts: Float64Array;
  readonly idfs: Float64Array;
  readonly parts: Parts = Object.fromEntries(partNames.map((name) => [name, 0])) as Parts;
  readonly title: Field | undefined;
  readonly url: Field | undefined;
  readonly date: Field | undefined;
  readonly #idfSum: number;
  readonly #pairWeights: number[];
  readonly #pairSum: number;
  readonly #average: number;
  readonly #mostOfFields: number;
  readonly #titles: FieldScores | undefined;
  readonly #urls: FieldScores | undefined;
  readonly #recency: Float64Array | undefined;
  readonly #forms: string[][][];
  readonly #present: Places[] = [];

  constructor(
    readonly units: Units,
    readonly asked: Terms,
    /** In how many units each term is. */
    readonly having: readonly number[],
    readonly weights: Weights,
    readonly ranks: RankColumn | undefined,
  ) {
    const { terms, pairs } = asked;
    this.walks = terms.map((term) => new TermWalk(term, units));
    this.counts = new Float64Array(terms.length);
    this.idfs = Float64Array.from(having, (count) => idf(units.count, count));
    this.#idfSum = this.idfs.reduce((sum, own) => sum + own, 0);
    this.#pairWeights = pairs.map(([a, b]) => (this.idfs[a] + this.idfs[b]) / 2);
    this.#pairSum = this.#pairWeights.reduce((sum, own) => sum + own, 0);
    this.#average = units.tokens / Math.max(1, units.count);
    this.title = weights.title > 0 ? fieldOf(units, "title", weights) : undefined;
    this.url = weights.url > 0 ? fieldOf(units, "url", weights) : undefined;
    this.#mostOfFields = (this.title ? weights.title : 0) + (this.url ? weights.url : 0);
    this.#titles = this.#scoresOf(this.title);
    this.#urls = this.#scoresOf(this.url);
    this.date = weights.recency > 0 ? fieldOf(units, "date", weights) : undefined;
    this.#recency = this.date && recencyOf(units, this.date, weights.halfLife);
    this.#forms = terms.map(({ text, typed }) => [...new Set([text, typed])].map(fieldWords));
  }

  /** No unit with these terms alone scores more. */
  mostOf(terms: readonly number[]): number {
    const { weights, asked } = this;
    const has = new Set(terms);
    let idfs = 0;
    for (const term of terms) idfs += this.idfs[term];
    let pairs = 0;
    asked.pairs.forEach(([a, b], i) => {
      if (has.has(a) && has.has(b)) pairs += this.#pairWeights[i];
    });
    const count = asked.terms.length;
    return (
      (weights.bm25 * idfs) / this.#idfSum +
      (weights.terms * terms.length) / count +
      (this.#pairSum > 0 ? (weights.pairs * pairs) / this.#pairSum : 0) +
      (count > 1 ? (weights.closeness * Math.max(0, terms.length - 1)) / (count - 1) : 0) +
      this.#mostOfFields +
      (this.ranks ? weights.rank : 0) +
      (this.#recency ? weights.recency : 0)
    );
  }

  #scoresOf(field: Field | undefined): FieldScores | undefined {
    if (!field) return undefined;
    return { field, holders: holdersOf(this.units, field), known: new Map(), holder: -2, score: 0 };
  }

  /** What the unit may score at most when some terms are known (`counts`) and these others are not yet looked for. */
  mostSoFar(unit: number, others: readonly number[]): number {
    const { weights, asked } = this;
    let idfs = this.#textSum(unit);
    let known = 0;
    for (const count of this.counts) if (count > 0) known++;
    for (const term of others) idfs += this.idfs[term];
    const count = asked.terms.length;
    const most = known + others.length;
    return (
      (weights.bm25 * idfs) / this.#idfSum +
      (weights.terms * most) / count +
      (this.#pairSum > 0 && most > 1 ? weights.pairs : 0) +
      (count > 1 ? (weights.closeness * Math.max(0, most - 1)) / (count - 1) : 0) +
      this.#mostOfFields +
      this.#static(unit)
    );
  }

  #static(unit: number): number {
    const { weights, parts } = this;
    parts.rank = this.ranks ? weights.rank * this.ranks.of(unit) : 0;
    parts.recency = this.#recency ? weights.recency * this.#recency[unit] : 0;
    return parts.rank + parts.recency;
  }

  /** Σ idf · saturated count over the terms that are there. */
  #textSum(unit: number): number {
    const { weights, units, counts } = this;
    const length = units.ends[unit] - units.begins[unit];
    let sum = 0;
    for (let term = 0; term < counts.length; term++) {
      if (counts[term] > 0)
        sum += this.idfs[term] * saturated(counts[term], length, this.#average, weights.k1, weights.b);
    }
    return sum;
  }

  /** What a term adds to bm25 in the unit that is looked at. */
  shareOf(term: number, unit: number): number {
    const { weights, units, counts } = this;
    const length = units.ends[unit] - units.begins[unit];
    const count = counts[term];
    const own = count > 0 ? saturated(count, length, this.#average, weights.k1, weights.b) : 0;
    return (weights.bm25 * this.idfs[term] * own) / this.#idfSum;
  }

  /** The score of a unit whose terms are known: −1 as soon as it cannot be above `threshold`. `parts` are those of the last unit. */
  score(unit: number, threshold: number): number {
    const { weights, parts, counts, asked } = this;
    const count = counts.length;
    let matched = 0;
    for (let term = 0; term < count; term++) if (counts[term] > 0) matched++;
    parts.bm25 = (weights.bm25 * this.#textSum(unit)) / this.#idfSum;
    parts.terms = (weights.terms * matched) / count;
    const known = parts.bm25 + parts.terms + this.#static(unit);
    const isClose = count > 1 && matched > 1;
    const close = isClose ? (weights.closeness * (matched - 1)) / (count - 1) : 0;
    const most = known + (isClose && asked.pairs.length > 0 ? weights.pairs : 0) + close + this.#mostOfFields;
    if (!isAbove(most, threshold)) return -1;
    parts.pairs = this.#pairs();
    parts.closeness = close > 0 ? close * this.#closeness() : 0;
    const text = known + parts.pairs + parts.closeness;
    if (!isAbove(text + this.#mostOfFields, threshold)) return -1;
    parts.title = this.#titles ? weights.title * this.#inField(this.#titles, unit) : 0;
    if (!isAbove(text + parts.title + (this.#urls ? weights.url : 0), threshold)) return -1;
    parts.url = this.#urls ? weights.url * this.#inField(this.#urls, unit) : 0;
    return rounded(text + parts.title + parts.url);
  }

  #pairs(): number {
    const { weights, counts, walks } = this;
    if (this.#pairSum === 0 || weights.pairs === 0) return 0;
    let sum = 0;
    const { pairs } = this.asked;
    for (let i = 0; i < pairs.length; i++) {
      const [a, b] = pairs[i];
      if (counts[a] === 0 || counts[b] === 0) continue;
      const found = followings(walks[a].places, walks[b].places);
      sum += (this.#pairWeights[i] * found) / (found + 1);
    }
    return (weights.pairs * sum) / this.#pairSum;
  }

  #closeness(): number {
    const present = this.#present;
    present.length = 0;
    for (let term = 0; term < this.counts.length; term++)
      if (this.counts[term] > 0) present.push(this.walks[term].places);
    return present.length / shortestStretch(present);
  }

  #inField(field: FieldScores, unit: number): number {
    const holder = field.holders[unit];
    if (holder === field.holder) return field.score;
    let score = field.known.get(holder);
    if (score === undefined) {
      const { structure, attribute } = field.field;
      score = this.#scoreOf(holder < 0 ? undefined : structure.value(holder, attribute));
      if (field.known.size >= keptScoresMax) field.known.clear();
      field.known.set(holder, score);
    }
    field.holder = holder;
    field.score = score;
    return score;
  }

  #scoreOf(text: string | undefined): number {
    if (!text) return 0;
    const words = new Set(fieldWords(text));
    let sum = 0;
    for (let term = 0; term < this.#forms.length; term++)
      if (isIn(words, this.#forms[term])) sum += this.idfs[term];
    return sum / this.#idfSum;
  }
}

/** Scores are rounded: what is as much as a millionth below may come out above. */
export function isAbove(most: number, threshold: number): boolean {
  return most + 1e-6 > threshold;
}
