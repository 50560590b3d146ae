/**
 * A within corpus2: B. Matches of B in the other corpus lead to beads that have one on their other side; what they have on
 * this side are the ranges that A has to lie within.
 */

import { DugongError, type Snapshot } from "../../storage/index.js";
import type { Scope } from "../cql/ast.js";
import { print } from "../cql/print.js";
import { Ground } from "../match/ground.js";
import { allOf, KnownSource } from "../match/ranges.js";
import type { Source } from "../match/source.js";
import { QueryError } from "../plan/errors.js";
import { type Aligned, alignedWith } from "./aligned.js";

/** Ranges that were found in the thread that was asked, and that others need not look for again. */
export type Regions = Map<string, { begins: Float64Array; ends: Float64Array }>;

type CorpusScope = Extract<Scope, { kind: "corpus" }>;

/** `compile` makes a source of B on the ground of the other corpus. */
export function alignedSource(
  ground: Ground,
  scope: CorpusScope,
  regions: Regions | undefined,
  gapMax: number,
  compile: (there: Ground) => Source,
): KnownSource {
  const text = `${scope.corpus}: ${print({ kind: "query", expression: scope.expression, filters: [] })}`;
  const key = `${ground.snapshot.citation} ${gapMax} ${text}`;
  let found = regions?.get(key);
  if (!found) {
    found = findRegions(ground, scope, compile);
    regions?.set(key, found);
  }
  return new KnownSource(ground, found.begins, found.ends, { operator: "aligned regions", detail: text });
}

function findRegions(ground: Ground, scope: CorpusScope, compile: (there: Ground) => Source) {
  const aligned = openAligned(ground.snapshot, scope);
  const there = new Ground(aligned.snapshot, ground.checkpoint);
  try {
    const source = compile(there);
    source.prepare();
    return aligned.regionsWith(allOf(there, source));
  } finally {
    there.release();
  }
}

/** An error about the corpora is shown at the other one's name. */
export function openAligned(snapshot: Snapshot, { corpus, span }: CorpusScope): Aligned {
  try {
    return alignedWith(snapshot, corpus);
  } catch (error) {
    if (!(error instanceof DugongError)) throw error;
    throw new QueryError(error.code, error.message, error.hint, span);
  }
}
