/**
 * The name that was probably meant, for "Did you mean …?".
 *
 * A name is near if it differs in case only, or by at most two slips (a letter too many, too few, another,
 * or two swapped; one slip if the names are short), or if what was written is the beginning of it.
 */

const slipsMax = 2;

/** The nearest of the names, the first of those equally near; undefined if none is near. */
export function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  const lower = wanted.toLowerCase();
  for (const name of names) {
    const candidate = name.toLowerCase();
    const allowed = Math.min(slipsMax, Math.floor(Math.max(lower.length, candidate.length) / 2));
    let distance = slips(lower, candidate, allowed);
    if (distance > allowed) {
      if (lower.length < 2 || !candidate.startsWith(lower)) continue;
      distance = slipsMax + 1 + candidate.length - lower.length;
    }
    if (distance < fewest) {
      fewest = distance;
      nearest = name;
    }
  }
  return nearest;
}

/**
 * How many slips lie between two strings, no letter being touched twice (optimal string alignment);
 * any number past `most` if they are further apart.
 */
function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2] + 1);
      }
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    // A swap may still reach back over this row, but never for less than the row before had.
    if (smallest > most && Math.min(...last) > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length];
}
