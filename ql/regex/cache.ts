/** Results of patterns, for as long as their lexicon is there; those not asked for longest go first. */
import type { Lexicon } from "../../storage/index.js";
import type { IdSet } from "./ids.js";
import { regexLimits } from "./limits.js";

interface Results {
  sets: Map<string, IdSet>;
  bytes: number;
}

const kept = new WeakMap<Lexicon, Results>();

export function cachedResult(lexicon: Lexicon, key: string): IdSet | undefined {
  const results = kept.get(lexicon);
  const set = results?.sets.get(key);
  if (results && set) {
    // Last in the map's order: asked for last.
    results.sets.delete(key);
    results.sets.set(key, set);
  }
  return set;
}

export function keepResult(lexicon: Lexicon, key: string, set: IdSet): void {
  const bytes = bytesOf(key, set);
  if (bytes > regexLimits.resultBytesMax / 4) return;
  let results = kept.get(lexicon);
  if (!results) {
    results = { sets: new Map(), bytes: 0 };
    kept.set(lexicon, results);
  }
  const before = results.sets.get(key);
  if (before) {
    results.sets.delete(key);
    results.bytes -= bytesOf(key, before);
  }
  results.sets.set(key, set);
  results.bytes += bytes;
  for (const [oldest, other] of results.sets) {
    if (results.bytes <= regexLimits.resultBytesMax) break;
    results.sets.delete(oldest);
    results.bytes -= bytesOf(oldest, other);
  }
}

function bytesOf(key: string, set: IdSet): number {
  return key.length * 2 + set.ids.byteLength + 200;
}
