/** Sets of ids of one lexicon, with their complements: sorted ids, or all but those. */
export interface Ids {
  /** Ascending, each once. */
  ids: Uint32Array;
  /** The set is all ids but these. */
  negated: boolean;
}

export const noIds: Ids = { ids: new Uint32Array(0), negated: false };

export function complement({ ids, negated }: Ids): Ids {
  return { ids, negated: !negated };
}

export function intersection(a: Ids, b: Ids): Ids {
  if (a.negated && b.negated) return { ids: merge(a.ids, b.ids, true, true, true), negated: true };
  if (a.negated) return { ids: merge(a.ids, b.ids, false, true, false), negated: false };
  if (b.negated) return { ids: merge(a.ids, b.ids, true, false, false), negated: false };
  return { ids: merge(a.ids, b.ids, false, false, true), negated: false };
}

export function union(a: Ids, b: Ids): Ids {
  return complement(intersection(complement(a), complement(b)));
}

/** Walks two sorted lists; keeps what is only in the first, only in the second, in both. */
function merge(a: Uint32Array, b: Uint32Array, onlyA: boolean, onlyB: boolean, both: boolean): Uint32Array {
  const out = new Uint32Array(
    (onlyA ? a.length : 0) + (onlyB ? b.length : 0) + (both ? Math.min(a.length, b.length) : 0),
  );
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] < b[j]) {
      if (onlyA) out[count++] = a[i];
      i++;
    } else if (a[i] > b[j]) {
      if (onlyB) out[count++] = b[j];
      j++;
    } else {
      if (both) out[count++] = a[i];
      i++;
      j++;
    }
  }
  if (onlyA) for (; i < a.length; i++) out[count++] = a[i];
  if (onlyB) for (; j < b.length; j++) out[count++] = b[j];
  return out.slice(0, count);
}

/** How many tokens have one of the ids, of a lexicon with these frequencies in a corpus of so many tokens. */
export function tokensOf({ ids, negated }: Ids, frequencies: Float64Array, tokens: number): number {
  let sum = 0;
  for (let i = 0; i < ids.length; i++) sum += frequencies[ids[i]];
  return negated ? tokens - sum : sum;
}

/** The ids of a set, one by one. */
export function listed({ ids, negated }: Ids, size: number): Uint32Array {
  if (!negated) return ids;
  const out = new Uint32Array(size - ids.length);
  let at = 0;
  let skip = 0;
  for (let id = 0; id < size; id++) {
    if (skip < ids.length && ids[skip] === id) skip++;
    else out[at++] = id;
  }
  return out;
}
