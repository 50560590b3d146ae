/** Page rank of units, between 0 and 1: from an attribute that has it, or from a dimension of a space that was built. */

import { spaceOf } from "../where/space.js";
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
  return field ? ofAttribute(units, field) : ofSpace(units);
}

/** A space that has computed it knows it by cells: of each the least value. */
function ofSpace(units: Units): RankColumn | undefined {
  const space = spaceOf(units.snapshot);
  const dimension = space?.info.dimensions.find(
    ({ source, single }) => single && source.startsWith("computed: PageRank"),
  );
  if (!space || !dimension || space.info.unit !== units.structure.name) return undefined;
  const source = `dimension ${dimension.name} of the space`;
  let column = units.columns.get(source);
  if (!column) {
    const number = space.dimension(dimension.name);
    const { checkpoint } = units.snapshot.pool;
    const cells = space.coordinatesOfUnits(number, { checkpoint });
    const values = Float64Array.from({ length: dimension.max + 1 }, (_, cell) =>
      cell < dimension.max ? Number(space.value(number, cell)) : Number.NaN,
    );
    column = Float64Array.from(units.numbers, (unit) => values[cells[unit] ?? dimension.max]);
    units.columns.set(source, column);
  }
  return ofColumn(source, column);
}

function ofAttribute(units: Units, field: Field): RankColumn {
  return ofColumn(field.path, numbersOf(units, field, "number"));
}

function ofColumn(source: string, column: Float64Array): RankColumn {
  let highest = 0;
  for (const value of column) if (value > highest) highest = value;
  return { source, of: (unit) => ranked(column[unit], highest) };
}
