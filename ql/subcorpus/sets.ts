/** Subcorpora as sets of tokens: what several have together, in common, or one without another. */
import type { Snapshot } from "../../storage/index.js";
import { positionColumn } from "../chain/hits.js";
import { looking } from "../pace.js";
import { Subcorpus } from "./subcorpus.js";

export function unionOf(snapshot: Snapshot, parts: readonly Subcorpus[]): Subcorpus {
  return Subcorpus.ofParts(snapshot, parts);
}

export function intersectionOf(snapshot: Snapshot, a: Subcorpus, b: Subcorpus): Subcorpus {
  const count = a.begins.length + b.begins.length;
  const common = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
  let own = 0;
  const look = looking(snapshot.pool.checkpoint);
  for (let i = 0, j = 0; i < a.begins.length && j < b.begins.length; ) {
    look();
    const begin = Math.max(a.begins[i], b.begins[j]);
    const end = Math.min(a.ends[i], b.ends[j]);
    if (begin < end) {
      common.begins[own] = begin;
      common.ends[own++] = end;
    }
    if (a.ends[i] < b.ends[j]) i++;
    else j++;
  }
  return Subcorpus.of(snapshot, common, own);
}

/** `a` without `b`. */
export function differenceOf(snapshot: Snapshot, a: Subcorpus, b: Subcorpus): Subcorpus {
  const count = a.begins.length + b.begins.length;
  const rest = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
  let own = 0;
  let j = 0;
  const look = looking(snapshot.pool.checkpoint);
  for (let i = 0; i < a.begins.length; i++) {
    look();
    let begin = a.begins[i];
    while (j < b.begins.length && b.ends[j] <= begin) j++;
    for (let k = j; k < b.begins.length && b.begins[k] < a.ends[i]; k++) {
      if (begin < b.begins[k]) {
        rest.begins[own] = begin;
        rest.ends[own++] = b.begins[k];
      }
      begin = Math.max(begin, b.ends[k]);
    }
    if (begin < a.ends[i]) {
      rest.begins[own] = begin;
      rest.ends[own++] = a.ends[i];
    }
  }
  return Subcorpus.of(snapshot, rest, own);
}
