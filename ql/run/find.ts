/** All matches of a query at once, in this thread. */
import type { Snapshot } from "../../storage/index.js";
import type { Query } from "../cql/ast.js";
import { labelsOfRange, settle } from "../match/chosen.js";
import type { Notice } from "../plan/errors.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";

export type FindOptions = QueryOptions;

export interface Found {
  count: number;
  begins: Float64Array;
  ends: Float64Array;
  /** NaN where a label is not bound. */
  labels: Record<string, { begins: Float64Array; ends: Float64Array }>;
  notices: Notice[];
}

export function findAll(snapshot: Snapshot, query: string | Query, options: FindOptions = {}): Found {
  const prepared = prepare(snapshot, query, options);
  try {
    return find(prepared);
  } finally {
    prepared.ground.release();
  }
}

function find({ query, strategy, ground, source, expandIndex, notices }: Prepared): Found {
  const { begins, ends, from, to } = settle(ground, source, strategy, query, expandIndex);
  const labels: Found["labels"] = {};
  for (const label of source.labels) {
    labels[label] = {
      begins: new Float64Array(begins.length).fill(Number.NaN),
      ends: new Float64Array(begins.length).fill(Number.NaN),
    };
  }
  for (let i = 0; i < begins.length && source.labels.length > 0; i++) {
    const bound = labelsOfRange(source, from[i], to[i]);
    for (const [label, [begin, end]] of Object.entries(bound)) {
      labels[label].begins[i] = begin;
      labels[label].ends[i] = end;
    }
  }
  return { count: begins.length, begins, ends, labels, notices };
}
