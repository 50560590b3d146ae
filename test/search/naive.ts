/**
 * Ranked retrieval over plain arrays, by the formula as docs/SEARCH.md has it: slow and obvious. Nothing here is shared with the
 * implementation.
 */
import type { NaiveStructure } from "../reference/matcher.js";

export interface NaiveText {
  /** In lower case. */
  words: string[];
  structures: Record<string, NaiveStructure[]>;
}

export interface NaiveWeights extends Record<string, number> {
  bm25: number;
  title: number;
  url: number;
  pairs: number;
  terms: number;
  closeness: number;
  rank: number;
  recency: number;
  k1: number;
  b: number;
  halfLife: number;
}

export interface NaiveItem {
  number: number;
  score: number;
  parts: Record<string, number>;
}

export function unitsOf(text: NaiveText, kind: string): (NaiveStructure & { number: number })[] {
  const units: (NaiveStructure & { number: number })[] = [];
  for (const [number, one] of (text.structures[kind] ?? []).entries()) {
    const last = units.at(-1);
    if (one.end > one.begin && !(last && one.begin < last.end)) units.push({ ...one, number });
  }
  return units;
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** All units that match, the best first. */
export function searchNaively(
  text: NaiveText,
  kind: string,
  asked: { sequence: string[]; phrases: string[][] },
  weights: NaiveWeights,
  isIn: (unit: NaiveStructure) => boolean,
): NaiveItem[] {
  const units = unitsOf(text, kind);
  const terms = [...new Set(asked.sequence)].filter((term) => text.words.includes(term));
  const inside = (unit: NaiveStructure) => text.words.slice(unit.begin, unit.end);
  const idf = (term: string) => {
    const having = units.filter((unit) => inside(unit).includes(term)).length;
    return Math.log(1 + (units.length - having + 0.5) / (having + 0.5));
  };
  const idfs = new Map(terms.map((term) => [term, idf(term)]));
  const all = sum([...idfs.values()]);
  const average = sum(units.map(({ begin, end }) => end - begin)) / units.length;
  const pairs: [string, string][] = [];
  asked.sequence.forEach((second, i) => {
    const first = asked.sequence[i - 1];
    if (i === 0 || !idfs.has(first) || !idfs.has(second)) return;
    if (!pairs.some(([a, b]) => a === first && b === second)) pairs.push([first, second]);
  });
  const pairWeight = ([a, b]: [string, string]) => (idfs.get(a)! + idfs.get(b)!) / 2;
  const attribute = (unit: NaiveStructure, name: string) => {
    if (name in unit.attributes || kind === "doc") return unit.attributes[name];
    return text.structures.doc.find((doc) => doc.begin <= unit.begin && unit.begin < doc.end)?.attributes[
      name
    ];
  };
  const dates = units.map((unit) => yearsOf(attribute(unit, "date")));
  const newest = Math.max(...dates.filter((date) => !Number.isNaN(date)));
  const ranks = units.map((unit) => Number(attribute(unit, "pagerank") ?? Number.NaN));
  const highest = Math.max(0, ...ranks.filter((rank) => !Number.isNaN(rank)));

  const items = units.flatMap((unit, i): NaiveItem[] => {
    const own = inside(unit);
    const matched = terms.filter((term) => own.includes(term));
    const stands = (phrase: string[]) => own.some((_, at) => phrase.every((word, n) => own[at + n] === word));
    if (matched.length === 0 || !isIn(unit) || !asked.phrases.every(stands)) return [];
    const saturated = (term: string) => {
      const count = own.filter((word) => word === term).length;
      return count / (count + weights.k1 * (1 - weights.b + (weights.b * own.length) / average));
    };
    const field = (name: string) => {
      const value = attribute(unit, name);
      if (value === undefined) return 0;
      const found = wordsOf(name === "url" ? decodeURIComponent(value) : value);
      const there = terms.filter(
        (term) => wordsOf(term).length > 0 && wordsOf(term).every((w) => found.includes(w)),
      );
      return sum(there.map((term) => idfs.get(term)!)) / all;
    };
    const pairPart = pairs.map((pair) => {
      const n = own.filter((word, at) => word === pair[0] && own[at + 1] === pair[1]).length;
      return (pairWeight(pair) * n) / (n + 1);
    });
    const m = matched.length;
    let closeness = 0;
    if (m > 1) {
      let shortest = Number.POSITIVE_INFINITY;
      for (let from = 0; from < own.length; from++)
        for (let to = from + m; to <= own.length; to++) {
          const stretch = own.slice(from, to);
          if (matched.every((term) => stretch.includes(term))) shortest = Math.min(shortest, to - from);
        }
      closeness = ((m / shortest) * (m - 1)) / (terms.length - 1);
    }
    const raw: Record<string, number> = {
      bm25: sum(matched.map((term) => idfs.get(term)! * saturated(term))) / all,
      title: field("title"),
      url: field("url"),
      pairs: pairs.length === 0 ? 0 : sum(pairPart) / sum(pairs.map(pairWeight)),
      terms: m / terms.length,
      closeness,
      rank: ranks[i] > 0 ? Math.log10(1 + (9 * ranks[i]) / highest) : 0,
      recency: Number.isNaN(dates[i]) ? 0 : 2 ** (-(newest - dates[i]) / weights.halfLife),
    };
    const parts = Object.fromEntries(
      Object.entries(raw).map(([name, value]) => [name, value * weights[name]]),
    );
    const score = Math.round(sum(Object.values(parts)) * 1e6) / 1e6;
    return [{ number: unit.number, score, parts }];
  });
  return items.sort((a, b) => b.score - a.score || a.number - b.number);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function yearsOf(text: string | undefined): number {
  const [, year, month = "1", day = "1"] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text ?? "") ?? [];
  return year === undefined ? Number.NaN : Number(year) + (Number(month) - 1) / 12 + (Number(day) - 1) / 365;
}
