/**
 * Two sketches beside each other: of two heads, of one head in two parts of the corpus, or of two forms of one. A collocate is
 * exclusive if the other side does not have it in this relation at all, and common otherwise; it is left out if it is rare on both.
 */
import { limits } from "./limits.js";
import type { Sketch, SketchItem } from "./sketch.js";

export interface DiffItem {
  collocate: string;
  /** Of the first and the second; 0 where it does not occur. */
  counts: [number, number];
  /** logDice; null where it does not occur. */
  scores: [number | null, number | null];
}

export interface DiffRelation {
  name: string;
  counts: [number, number];
  first: DiffItem[];
  common: DiffItem[];
  second: DiffItem[];
}

export interface SketchDiff {
  heads: [string, string];
  counts: [number, number];
  relations: DiffRelation[];
}

export interface DiffOptions {
  /** Collocates that are at least so frequent on one of the sides. Default: 1. */
  minCount?: number;
  /** Of each of the three lists. Default: 25. */
  maxItems?: number;
}

/** Of sketches that have all their collocates, however rare. */
export function diffOf(first: Sketch, second: Sketch, options: DiffOptions = {}): SketchDiff {
  const names = [...new Set([...first.relations, ...second.relations].map(({ name }) => name))];
  return {
    heads: [first.head, second.head],
    counts: [first.count, second.count],
    relations: names.map((name) => {
      const [a, b] = [first, second].map(({ relations }) => relations.find((one) => one.name === name));
      return {
        name,
        counts: [a?.count ?? 0, b?.count ?? 0],
        ...compared(a?.items ?? [], b?.items ?? [], options),
      };
    }),
  };
}

function compared(
  first: readonly SketchItem[],
  second: readonly SketchItem[],
  { minCount = 1, maxItems = limits.itemsDefault }: DiffOptions,
): Pick<DiffRelation, "first" | "common" | "second"> {
  const others = new Map(second.map((item) => [item.collocate, item]));
  const lists = { first: [] as DiffItem[], common: [] as DiffItem[], second: [] as DiffItem[] };
  for (const { collocate, count, score } of first) {
    const other = others.get(collocate);
    others.delete(collocate);
    if (Math.max(count, other?.count ?? 0) < minCount) continue;
    const item: DiffItem = {
      collocate,
      counts: [count, other?.count ?? 0],
      scores: [score, other?.score ?? null],
    };
    lists[other ? "common" : "first"].push(item);
  }
  for (const { collocate, count, score } of others.values())
    if (count >= minCount) lists.second.push({ collocate, counts: [0, count], scores: [null, score] });
  // What is most the first's stands first.
  const lean = ({ scores: [a, b] }: DiffItem) => (a ?? 0) - (b ?? 0);
  lists.common.sort((a, b) => best(b) - best(a));
  lists.common = lists.common.slice(0, maxItems).sort((a, b) => lean(b) - lean(a));
  return { ...lists, first: lists.first.slice(0, maxItems), second: lists.second.slice(0, maxItems) };
}

function best({ scores: [a, b] }: DiffItem): number {
  return Math.max(a ?? Number.NEGATIVE_INFINITY, b ?? Number.NEGATIVE_INFINITY);
}
