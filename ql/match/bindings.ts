/**
 * Labels that a range alone says: each begins and ends at a fixed distance from the begin of the match or from its end, in
 * `1:[] []{0,15} 2:[]` as in `1:[] x:([]*) 2:[]`. Then nothing has to be derived to know what they are bound to.
 */
import { hasLabel, lengthsOf, type Pattern } from "../plan/pattern.js";
import type { Bindings } from "./source.js";

/** What labels are bound to in a range that matches. */
export type Binder = (begin: number, end: number) => Bindings;

/** A place: so many tokens behind the begin, or before the end. */
type Place = { behindBegin: number } | { beforeEnd: number };

interface Bound {
  label: string;
  from: Place;
  to: Place;
}

/** Undefined where labels may be bound in several ways, or more than once, or are not bound by every match. */
export function binderOf(pattern: Pattern): Binder | undefined {
  const bounds: Bound[] = [];
  if (!collect(pattern, 0, 0, bounds)) return undefined;
  if (new Set(bounds.map(({ label }) => label)).size < bounds.length) return undefined;
  return (begin, end) => {
    const at = (place: Place) => ("behindBegin" in place ? begin + place.behindBegin : end - place.beforeEnd);
    const labels: Bindings = {};
    for (const { label, from, to } of bounds) labels[label] = [at(from), at(to)];
    return labels;
  };
}

/** `before` and `behind`: tokens of the match on either side of this part of it; NaN where they are not always as many. */
function collect(pattern: Pattern, before: number, behind: number, bounds: Bound[]): boolean {
  switch (pattern.kind) {
    case "sequence": {
      const { items } = pattern;
      const lengths = items.map(lengthOf);
      const allBehind = new Float64Array(items.length).fill(behind);
      for (let i = items.length - 2; i >= 0; i--) allBehind[i] = allBehind[i + 1] + lengths[i + 1];
      let own = before;
      return items.every((item, i) => {
        const fits = collect(item, own, allBehind[i], bounds);
        own += lengths[i];
        return fits;
      });
    }
    case "label": {
      if (!collect(pattern.item, before, behind, bounds)) return false;
      const length = lengthOf(pattern.item);
      const from = placeOf(before, behind + length);
      const to = placeOf(before + length, behind);
      if (from && to) bounds.push({ label: pattern.label, from, to });
      return from !== undefined && to !== undefined;
    }
    case "tag":
      return true;
    default:
      return !hasLabel(pattern);
  }
}

function placeOf(behindBegin: number, beforeEnd: number): Place | undefined {
  if (!Number.isNaN(behindBegin)) return { behindBegin };
  return Number.isNaN(beforeEnd) ? undefined : { beforeEnd };
}

/** Tokens of each of its matches, if all have as many. */
function lengthOf(pattern: Pattern): number {
  const { min, max } = lengthsOf(pattern);
  return min === max ? min : Number.NaN;
}
