/** The dimensions of a space, as the catalogue keeps them. */
import type { Scale } from "./quantise.js";
import type { DimensionInfo } from "./types.js";

/** Where the values of a dimension come from. */
export type Source =
  /** Positional attributes: one, by its lexicon; or several together, by a dictionary of the space. */
  | { from: "token"; attributes: string[] }
  | { from: "structure"; structure: string; attribute: string }
  /** Tokens of the unit. */
  | { from: "length" }
  /** PageRank of the document with this attribute, by a link table: 1 is the average. */
  | { from: "links"; structure: string; attribute: string }
  /** Days before the newest date that the corpus had when the space was built first. */
  | { from: "recency"; structure: string; attribute: string; newest: number };

export interface DimensionRecord extends DimensionInfo {
  scale: Scale;
  of: Source;
}

/** Does the space keep the strings of this dimension itself? */
export function hasDictionary({ scale, of }: DimensionRecord): boolean {
  return scale.kind === "category" || (of.from === "token" && of.attributes.length > 1);
}
