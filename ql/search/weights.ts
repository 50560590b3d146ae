/**
 * What counts how much. Every part of a score is between 0 and 1 before its weight; a score is the sum of the weighted parts.
 *
 *   bm25: 1          how often the terms occur, the rare ones counting more
 *   title: 0.5       terms in the title
 *   url: 0.25        terms in the address
 *   pairs: 0.5       terms that follow each other as in the query
 *   terms: 0.5       how many of the terms occur
 *   closeness: 0.25  how close together
 *   rank: 0.25       page rank
 *   recency: 0.05    how new
 *   k1: 1.2          how soon more occurrences stop to count; b: 0.75, how much long texts pay for being long
 *   halfLife: 10     years after which recency is half
 *   attributes:      where these things are, if not where they are looked for
 *     title: doc.title
 *     url: doc.url
 *     date: doc.date
 *     rank: doc.pagerank
 */
import { nearestName } from "../../storage/derive/nearest.js";
import { DugongError } from "../../storage/index.js";

export const partNames = ["bm25", "title", "url", "pairs", "terms", "closeness", "rank", "recency"] as const;
export type PartName = (typeof partNames)[number];

export const fieldNames = ["title", "url", "date", "rank"] as const;
export type FieldName = (typeof fieldNames)[number];

export interface Weights extends Record<PartName, number> {
  k1: number;
  b: number;
  halfLife: number;
  attributes: Partial<Record<FieldName, string>>;
}

export const defaultWeights: Weights = {
  bm25: 1,
  title: 0.5,
  url: 0.25,
  pairs: 0.5,
  terms: 0.5,
  closeness: 0.25,
  rank: 0.25,
  recency: 0.05,
  k1: 1.2,
  b: 0.75,
  halfLife: 10,
  attributes: {},
};

function badWeights(message: string, hint?: string): DugongError {
  return new DugongError("bad_weights", message, hint ?? "docs/SEARCH.md has all of them.");
}

function unknown(name: string, known: readonly string[], what: string): DugongError {
  const near = nearestName(name, known);
  return badWeights(
    `there is no ${what} ${JSON.stringify(name)} (there are ${known.join(", ")})`,
    near && `Did you mean ${near}?`,
  );
}

/** What came from a file or over a wire, if it says how much things count: the rest is as it is by default. */
export function checkWeights(given: unknown): Weights {
  if (given === undefined || given === null) return defaultWeights;
  if (typeof given !== "object" || Array.isArray(given))
    throw badWeights("weights are names with numbers, as {title: 2}");
  const weights: Weights = { ...defaultWeights, attributes: {} };
  const names = [...partNames, "k1", "b", "halfLife", "attributes"] as const;
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name as PartName)) throw unknown(name, names, "weight");
    if (name === "attributes") weights.attributes = checkAttributes(value);
    else weights[name as PartName] = checkNumber(name, value);
  }
  return weights;
}

function checkNumber(name: string, value: unknown): number {
  const most = name === "b" ? 1 : 1e6;
  const isRight =
    typeof value === "number" &&
    Number.isFinite(value) &&
    value >= 0 &&
    value <= most &&
    !(name === "halfLife" && value === 0);
  if (!isRight)
    throw badWeights(
      `${name} cannot be ${JSON.stringify(value)}`,
      name === "halfLife" ? "It is a number of years above 0." : `It is a number from 0 to ${most}.`,
    );
  return value;
}

function checkAttributes(value: unknown): Weights["attributes"] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw badWeights("attributes are names with names, as {title: doc.headline}");
  for (const [name, path] of Object.entries(value)) {
    if (!fieldNames.includes(name as FieldName)) throw unknown(name, fieldNames, "attribute");
    if (typeof path !== "string") throw badWeights(`attributes.${name} cannot be ${JSON.stringify(path)}`);
  }
  return value as Weights["attributes"];
}
