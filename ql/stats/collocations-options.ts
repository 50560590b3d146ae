/** What can be asked of collocations, and what is meant where nothing is said. */
import { nearestName } from "../../storage/derive/nearest.js";
import { DugongError } from "../../storage/index.js";
import { checkWindowShape, type WindowShape } from "../chain/windows.js";
import type { Query } from "../cql/ast.js";
import type { Desk } from "../desk.js";
import { isMeasure, type MeasureName, measureNames } from "./measures.js";

/** What is counted. */
export interface CollocateOptions {
  /** "lemma", or "lemma/i" without case. Default: the corpus's default attribute. */
  attribute?: string;
  /** Default: -5 to 5. */
  window?: { from: number; to: number };
  /** A structure that windows do not leave. */
  within?: string;
  /** A query for tokens that neither count nor take up a place in the window. */
  skip?: string | Query;
}

export interface CollocationOptions extends CollocateOptions {
  /** Count each occurrence, and not one a line. */
  every?: boolean;
  /** At least so often in windows. Default: 3. */
  minCount?: number;
  /** At least so often in the corpus, or the subcorpus. Default: 5. */
  minTotal?: number;
  /** Default: logDice, MI, T. */
  measures?: readonly MeasureName[];
  /** What rows are ordered by, the highest first. Default: the first measure. */
  order?: MeasureName | "count" | "total";
  /** Default: all rows. */
  limit?: number;
  /**
   * Leave out what may be as frequent outside of the windows: with this confidence, none is kept by chance
   * (logRatioMargin). 0: leave out nothing. Default: 0.95 where rows are ordered by logRatio, else 0.
   */
  confidence?: number;
  /** Give the chain of each row's lines. */
  chains?: boolean;
}

export const defaults = {
  window: { from: -5, to: 5 },
  minCount: 3,
  minTotal: 5,
  measures: ["logDice", "MI", "T"] as MeasureName[],
  confidence: 0.95,
} as const;

export function attributeOf({ snapshot }: Desk, { attribute }: CollocateOptions): string {
  return attribute ?? snapshot.config.defaultAttribute;
}

export function windowShape({ window = defaults.window, within, skip }: CollocateOptions): WindowShape {
  return { ...window, ...(within !== undefined && { within }), ...(skip !== undefined && { skip }) };
}

export interface Asked {
  minCount: number;
  minTotal: number;
  measures: readonly MeasureName[];
  order: MeasureName | "count" | "total";
  limit: number;
  confidence: number;
}

/** What options mean, or an error that says what they may be. */
export function checked(options: CollocationOptions): Asked {
  checkWindowShape(windowShape(options));
  const { minCount = defaults.minCount, minTotal = defaults.minTotal } = options;
  const { measures = defaults.measures, limit = Number.POSITIVE_INFINITY } = options;
  for (const [name, number] of Object.entries({ minCount, minTotal, limit })) {
    if (!(number >= 0)) throw new DugongError("bad_option", `${name} is a number from 0 on, not ${number}`);
  }
  if (measures.length === 0) throw new DugongError("bad_measure", "no measure is named");
  for (const name of measures) checkMeasure(name, []);
  const order = options.order ?? measures[0];
  checkMeasure(order, ["count", "total"]);
  const confidence = options.confidence ?? (order === "logRatio" ? defaults.confidence : 0);
  if (!(confidence >= 0 && confidence < 1))
    throw new DugongError(
      "bad_option",
      `a confidence of ${confidence} cannot be`,
      "It is a number from 0 to less than 1, as 0.95.",
    );
  return { minCount: Math.max(1, minCount), minTotal, measures, order, limit, confidence };
}

function checkMeasure(name: string, others: string[]): void {
  if (isMeasure(name) || others.includes(name)) return;
  const known = [...measureNames, ...others];
  const alike = known.find((one) => one.toLowerCase() === name.toLowerCase()) ?? nearestName(name, known);
  throw new DugongError(
    "bad_measure",
    `there is no measure ${JSON.stringify(name)} (there are ${known.join(", ")})`,
    alike && `Did you mean ${alike}?`,
  );
}
