/** All matches of a query at once, in this thread. */
import type { Snapshot } from "../../storage/index.js";
import type { Query } from "../cql/ast.js";
import { labelsOfRange, settle } from "../match/chosen.js";
import type { Notice } from "../plan/errors.js";
import { prepare, type QueryOptions } from "./prepare.js";

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
  const { query: tree, strategy, ground, source, expandIndex, notices } = prepare(snapshot, query, options);
  const { begins, ends, from, to } = settle(ground, source, strategy, tree, expandIndex);
  const labels: Found["labels"] = {};
  for (const label of source.labels) {
    labels[label] = {
      begins: new Float64Array(begins.length).fill(Number.NaN),
      ends: new Float64Array(begins.length).fill(Number.NaN),
    };
  }
  if (source.labels.length > 0) {
    for (let i = 0; i < begins.length; i++) {
      const bound = labelsOfRange(source, from[i], to[i]);
      for (const [label, [begin, end]] of Object.entries(bound)) {
        labels[label].begins[i] = begin;
        labels[label].ends[i] = end;
      }
    }
  }
  return { count: begins.length, begins, ends, labels, notices };
}
