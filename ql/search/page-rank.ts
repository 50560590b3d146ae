/** Page rank of units, between 0 and 1: from an attribute that has it, or from a dimension of a space that was built. */
import { type Field, fieldOf, numbersOf } from "./fields.js";
import { ranked } from "./formula.js";
import type { Units } from "./units.js";
import type { Weights } from "./weights.js";

export interface RankColumn {
  /** Where it comes from, for people. */
  source: string;
  of(unit: number): number;
}

export function rankColumn(units: Units, weights: Weights): RankColumn | undefined {
  if (weights.rank === 0) return undefined;
  const field = fieldOf(units, "rank", weights);
  return field && ofAttribute(units, field);
}

function ofAttribute(units: Units, field: Field): RankColumn {
  const column = numbersOf(units, field, "number");
  let highest = 0;
  for (const value of column) if (value > highest) highest = value;
  return { source: field.path, of: (unit) => ranked(column[unit], highest) };
}
