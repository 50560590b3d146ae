/**
 * What of a head's occurrences is looked at: all of them, or those whose own position (label 1) lies in a part of the corpus,
 * has one of some forms, or stands with another collocate as well. Counts of collocates, f(*, R, collocate), are of the same part of
 * the corpus; forms and other collocates say something of this head alone, and do not change them.
 */
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import type { Occurrences, SketchReader, WordCounts } from "./reader.js";

export interface View {
  part?: Subcorpus;
  /** Besides: is an occurrence of the head at this position looked at? */
  keeps?: (position: number) => boolean;
}

/** Collocates of a head in a relation with their counts, those with none left out. */
export function collocatesIn(
  reader: SketchReader,
  head: number,
  relation: number,
  { part, keeps }: View,
): WordCounts {
  if (!part && !keeps) return reader.collocatesOf(head, relation);
  const { words, counts, positions } = reader.occurrencesOf(head, relation);
  const isIn = isInside(part, keeps);
  const own = { words: new Uint32Array(words.length), counts: new Uint32Array(words.length) };
  let kept = 0;
  let at = 0;
  for (let i = 0; i < words.length; i++) {
    let count = 0;
    for (const end = at + counts[i]; at < end; at++) if (isIn(positions[at])) count++;
    if (count === 0) continue;
    own.words[kept] = words[i];
    own.counts[kept++] = count;
  }
  return { words: own.words.slice(0, kept), counts: own.counts.slice(0, kept) };
}

/** Heads of a collocate in a relation with their counts, those with none left out. */
export function headsIn(
  reader: SketchReader,
  collocate: number,
  relation: number,
  view: View,
  checkpoint: () => void,
): WordCounts {
  const all = reader.headsOf(collocate, relation);
  if (!view.part && !view.keeps) return all;
  const counts = all.words.map((head) => {
    checkpoint();
    return occurrencesIn(reader, [head, relation, collocate], view).positions.length;
  });
  return {
    words: all.words.filter((_, i) => counts[i] > 0),
    counts: counts.filter((count) => count > 0),
  };
}

/** f(head, R, *) of each. */
export function headTotalsIn(
  reader: SketchReader,
  relation: number,
  heads: Uint32Array,
  { part }: View,
  checkpoint: () => void,
): Uint32Array {
  const isIn = isInside(part);
  return heads.map((head) => {
    checkpoint();
    if (!part) return reader.countOfHead(head, relation);
    let count = 0;
    for (const position of reader.occurrencesOf(head, relation).positions) if (isIn(position)) count++;
    return count;
  });
}

/** Occurrences of one triple. */
export function occurrencesIn(
  reader: SketchReader,
  [head, relation, collocate]: [head: number, relation: number, collocate: number],
  view: View,
): Occurrences {
  return lookedAt(reader.positionsOf(head, relation, collocate), view);
}

/** Occurrences of each of some collocates of a head. */
export function occurrencesOfEachIn(
  reader: SketchReader,
  head: number,
  relation: number,
  collocates: ArrayLike<number>,
  view: View,
): Occurrences[] {
  return reader.positionsOfEach(head, relation, collocates).map((one) => lookedAt(one, view));
}

function lookedAt(all: Occurrences, { part, keeps }: View): Occurrences {
  if (!part && !keeps) return all;
  const isIn = isInside(part, keeps);
  const kept = Array.from(all.positions.keys()).filter((i) => isIn(all.positions[i]));
  return {
    positions: Uint32Array.from(kept, (i) => all.positions[i]),
    collocates: Uint32Array.from(kept, (i) => all.collocates[i]),
  };
}

/** f(*, R, collocate) of each. */
export function totalsIn(
  reader: SketchReader,
  relation: number,
  collocates: Uint32Array,
  { part }: View,
  checkpoint: () => void,
): Uint32Array {
  if (!part) return reader.countsOfCollocates(relation, collocates);
  const isIn = isInside(part);
  return collocates.map((collocate) => {
    checkpoint();
    let count = 0;
    for (const position of reader.positionsOfHeads(collocate, relation)) if (isIn(position)) count++;
    return count;
  });
}

/** Tells whether a position lies in a part of the corpus, and is looked at. */
export function isInside(
  part?: Subcorpus,
  keeps?: (position: number) => boolean,
): (position: number) => boolean {
  if (!part) return keeps ?? (() => true);
  const { begins, ends } = part;
  return (position) => {
    let low = 0;
    let high = begins.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (begins[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low > 0 && position < ends[low - 1] && (!keeps || keeps(position));
  };
}

/** Where a head stands together with a collocate in relations that are wanted: what multi-word sketches are filtered by. */
export function standingWith(
  reader: SketchReader,
  head: number,
  collocates: readonly number[],
  isWanted: (relation: number) => boolean,
): number[] {
  const positions = new Set<number>();
  for (const number of reader.relationsOf(head).relations) {
    if (!isWanted(number)) continue;
    for (const collocate of collocates)
      for (const position of reader.positionsOf(head, number, collocate).positions) positions.add(position);
  }
  return [...positions];
}
