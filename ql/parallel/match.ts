/** Beads of structures that have the same value: s.id here and s.id there. */
import type { Beads, Snapshot, Structure } from "../../storage/index.js";
import { BeadBuilder, Warnings } from "./beads.js";
import { type StructureValues, structureValues } from "./values.js";

/** One corpus of an alignment. */
export interface Side {
  snapshot: Snapshot;
  structure: Structure;
  attribute?: string;
}

export interface Gathered {
  beads: Beads;
  /** Beads with structures on both sides. */
  pairs: number;
  warnings: Warnings;
}

export function matchValues(sides: [Side, Side]): Gathered {
  const warnings = new Warnings();
  const counts = sides.map(({ structure }) => structure.count) as [number, number];
  const names = sides.map(({ structure }) => structure.name) as [string, string];
  const builder = new BeadBuilder(counts, names, warnings);
  const [here, there] = sides.map(({ snapshot, structure, attribute }) =>
    structureValues(snapshot, structure, attribute as string),
  );
  const matched = new Uint8Array(there.size);
  const seen = new Uint8Array(here.size);
  for (let number = 0; number < sides[0].structure.count; number++) {
    const value = here.of(number);
    if (value < 0) {
      unmatched(warnings, sides[0], `number ${number}`);
      continue;
    }
    if (seen[value]) continue;
    seen[value] = 1;
    const text = here.text(value);
    const other = there.find(text);
    const own = here.structures(value);
    const others = other < 0 ? [] : there.structures(other);
    if (others.length === 0) {
      for (let i = 0; i < own.length; i++) unmatched(warnings, sides[0], JSON.stringify(text));
      continue;
    }
    matched[other] = 1;
    if (own.length > 1 || others.length > 1) repeated(warnings, text);
    builder.add([own, others]);
  }
  rest(warnings, sides[1], there, matched);
  return { beads: builder.done(), pairs: builder.pairs, warnings };
}

function rest(warnings: Warnings, side: Side, values: StructureValues, matched: Uint8Array): void {
  for (let number = 0; number < side.structure.count; number++) {
    const value = values.of(number);
    if (value < 0) unmatched(warnings, side, `number ${number}`);
    else if (!matched[value]) unmatched(warnings, side, JSON.stringify(values.text(value)));
  }
}

function unmatched(
  warnings: Warnings,
  { snapshot: { corpus }, structure: { name }, attribute }: Side,
  what: string,
): void {
  const message = `${name} of ${corpus} without a counterpart`;
  warnings.add("unmatched", message, { what: `${name}.${attribute} ${what}` }, corpus);
}

function repeated(warnings: Warnings, text: string): void {
  const message =
    "values that several structures of a corpus have; all with the same value are aligned together";
  warnings.add("repeated_value", message, { what: JSON.stringify(text) });
}
