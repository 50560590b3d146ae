/**
 * How a unit is scored. Every part is between 0 and 1, and multiplied by its weight; the score is their sum.
 * With terms t, of which m occur in the unit; N units, df(t) of them with t; tf occurrences in the unit; L its tokens:
 *
 *   idf(t)      ln(1 + (N − df + 0.5) / (df + 0.5))                       Σ is over the terms of the query that the corpus has
 *   bm25        Σ idf(t) · tf / (tf + k1·(1 − b + b·L/average L))  /  Σ idf(t)
 *   title, url  Σ idf(t) of the terms there  /  Σ idf(t)
 *   pairs       Σ w · n / (n + 1)  /  Σ w, over pairs of terms that follow each other in the query: n times they do so in the unit;
 *               w is the mean idf of both
 *   terms       m / number of terms
 *   closeness   m / tokens of the shortest stretch with all m  ·  (m − 1) / (number of terms − 1);  0 where m < 2
 *   rank        log10(1 + 9 · rank / highest rank)
 *   recency     2 ^ −((newest − date) / half-life), in years
 *
 * bm25 is the usual formula divided by the most that it can be, (k1 + 1) · Σ idf. Scores are rounded to millionths; of equal ones the
 * first in the corpus comes first.
 */
import type { Places } from "./walk.js";

export function idf(units: number, having: number): number {
  return Math.log(1 + (units - having + 0.5) / (having + 0.5));
}

export function saturated(count: number, length: number, average: number, k1: number, b: number): number {
  return count / (count + k1 * (1 - b + (b * length) / average));
}

export function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

export function recency(date: number, newest: number, halfLife: number): number {
  return Number.isNaN(date) ? 0 : 2 ** (-(newest - date) / halfLife);
}

export function ranked(rank: number, highest: number): number {
  return rank > 0 && highest > 0 ? Math.log10(1 + (9 * rank) / highest) : 0;
}

/** How often a place of the first is followed by one of the second. */
export function followings(first: Places, second: Places): number {
  const [a, b] = [first.values, second.values];
  let count = 0;
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    const next = a[i] + 1;
    if (b[j] < next) j++;
    else {
      if (b[j] === next) count++;
      i++;
    }
  }
  return count;
}

/** Do places of these stand one behind the other somewhere? */
export function standsThere(phrase: readonly Places[]): boolean {
  // From the word that is rarest here.
  let rarest = 0;
  for (let i = 1; i < phrase.length; i++) if (phrase[i].length < phrase[rarest].length) rarest = i;
  const at = new Uint32Array(phrase.length);
  const { values, length } = phrase[rarest];
  for (let i = 0; i < length; i++) {
    const begin = values[i] - rarest;
    let fits = begin >= 0;
    for (let word = 0; fits && word < phrase.length; word++) {
      const own = phrase[word];
      let next = at[word];
      while (next < own.length && own.values[next] < begin + word) next++;
      at[word] = next;
      fits = next < own.length && own.values[next] === begin + word;
    }
    if (fits) return true;
  }
  return false;
}

/** Up to so many lists the first place is looked for among all; of more, a heap has it. */
const listedMax = 8;

/** Tokens of the shortest stretch with a place of each; there are some of each. */
export function shortestStretch(lists: readonly Places[]): number {
  return lists.length <= listedMax ? shortestOfFew(lists) : shortestOfMany(lists);
}

function shortestOfFew(lists: readonly Places[]): number {
  const count = lists.length;
  const at = new Uint32Array(count);
  let last = 0;
  for (const { values } of lists) if (values[0] > last) last = values[0];
  let shortest = Number.POSITIVE_INFINITY;
  for (;;) {
    let first = lists[0].values[at[0]];
    let list = 0;
    for (let i = 1; i < count; i++) {
      const head = lists[i].values[at[i]];
      if (head < first) {
        first = head;
        list = i;
      }
    }
    if (last - first + 1 < shortest) shortest = last - first + 1;
    // No stretch has fewer tokens than terms.
    if (shortest <= count || ++at[list] === lists[list].length) return shortest;
    const head = lists[list].values[at[list]];
    if (head > last) last = head;
  }
}

function shortestOfMany(lists: readonly Places[]): number {
  const count = lists.length;
  // The list whose next place is first is at the root of a heap.
  const heap = new Uint32Array(count);
  const at = new Uint32Array(count);
  const head = (list: number) => lists[list].values[at[list]];
  let last = 0;
  for (let i = 0; i < count; i++) {
    heap[i] = i;
    last = Math.max(last, head(i));
  }
  const sink = (from: number) => {
    for (let place = from; ; ) {
      const left = place * 2 + 1;
      if (left >= count) return;
      const least = left + 1 < count && head(heap[left + 1]) < head(heap[left]) ? left + 1 : left;
      if (head(heap[least]) >= head(heap[place])) return;
      [heap[place], heap[least]] = [heap[least], heap[place]];
      place = least;
    }
  };
  for (let i = (count >> 1) - 1; i >= 0; i--) sink(i);
  let shortest = Number.POSITIVE_INFINITY;
  for (;;) {
    const list = heap[0];
    shortest = Math.min(shortest, last - head(list) + 1);
    // No stretch has fewer tokens than terms.
    if (shortest <= count || ++at[list] === lists[list].length) return shortest;
    last = Math.max(last, head(list));
    sink(0);
  }
}
