/**
 * What is known of units besides their text: a title and an address, in which terms are looked for; a date and a page rank, which
 * are numbers. Each is an attribute of the unit's structure, or of the documents around it.
 */
import type { Snapshot, Structure } from "../../storage/index.js";
import { pieces } from "../pace.js";
import { checkStructureAttribute, findStructure } from "../plan/names.js";
import { yearsOf } from "../where/compare.js";
import { recency } from "./formula.js";
import type { Units } from "./units.js";
import type { FieldName, Weights } from "./weights.js";

export interface Field {
  structure: Structure;
  attribute: string;
  /** "doc.title" */
  path: string;
}

/** Under which names each is looked for, the first that is there. */
const usualNames: Record<FieldName, readonly string[]> = {
  title: ["title", "headline"],
  url: ["url", "uri", "address"],
  date: ["date", "year", "published"],
  rank: ["pagerank", "page_rank"],
};

export function fieldOf(units: Units, name: FieldName, { attributes }: Weights): Field | undefined {
  const { snapshot, structure } = units;
  const path = attributes[name];
  if (path !== undefined) return namedField(snapshot, structure, path);
  const document = snapshot.structures.find((one) => one.name === snapshot.config.document);
  for (const own of [structure, ...(document && document !== structure ? [document] : [])]) {
    for (const attribute of usualNames[name])
      if (own.attributes.some((one) => one.name === attribute))
        return { structure: own, attribute, path: `${own.name}.${attribute}` };
  }
  return undefined;
}

function namedField(snapshot: Snapshot, unit: Structure, path: string): Field {
  const dot = path.indexOf(".");
  const structure = dot < 0 ? unit : findStructure(snapshot, path.slice(0, dot));
  const attribute = path.slice(dot + 1);
  checkStructureAttribute(snapshot, structure, attribute);
  return { structure, attribute, path: `${structure.name}.${attribute}` };
}

/** The number of the structure that has the field of a unit, or −1. */
export function holderOf({ structure, numbers, begins }: Units, field: Field, unit: number): number {
  return field.structure === structure ? numbers[unit] : field.structure.containing(begins[unit]);
}

/** The same of all units, in a column. Cost: O(units), once. */
export function holdersOf(units: Units, { structure }: Field): Uint32Array | Int32Array {
  if (structure === units.structure) return units.numbers;
  let holders = units.around.get(structure.name);
  if (holders) return holders;
  holders = new Int32Array(units.count);
  const { checkpoint } = units.snapshot.pool;
  const { begins, count } = units;
  // As long as all of a structure's kind follow each other, one that reaches over a unit is the innermost around it.
  const isFlat = units.snapshot.segments.every((segment) => !segment.structures(structure.name)?.nested);
  for (let unit = 0, end = 0; unit < count; unit++) {
    if ((unit & 0xfff) === 0) checkpoint();
    if (begins[unit] < end) {
      holders[unit] = holders[unit - 1];
      continue;
    }
    const number = structure.containing(begins[unit]);
    holders[unit] = number;
    end = isFlat && number >= 0 ? structure.range(number)[1] : 0;
  }
  units.around.set(structure.name, holders);
  return holders;
}

/** The field of one unit. */
export function fieldValue(units: Units, field: Field, unit: number): string | undefined {
  const number = holderOf(units, field, unit);
  return number < 0 ? undefined : field.structure.value(number, field.attribute);
}

/** A number for each unit, NaN where it has none. Cost: O(units), once. */
export function numbersOf(units: Units, field: Field, read: "number" | "date"): Float64Array {
  const key = `${read} ${field.path}`;
  let column = units.columns.get(key);
  if (column) return column;
  column = new Float64Array(units.count);
  const { checkpoint } = units.snapshot.pool;
  const parse =
    read === "date" ? yearsOf : (text: string) => (text.trim() === "" ? Number.NaN : Number(text));
  const hasIds = field.structure.lexicon(field.attribute) !== undefined;
  const parsed = new Map<number, number>();
  const holders = holdersOf(units, field);
  for (let unit = 0; unit < units.count; unit++) {
    if ((unit & 0xfff) === 0) checkpoint();
    const number = holders[unit];
    if (number < 0) {
      column[unit] = Number.NaN;
      continue;
    }
    if (unit > 0 && number === holders[unit - 1]) {
      column[unit] = column[unit - 1];
      continue;
    }
    if (!hasIds) {
      column[unit] = parse(field.structure.value(number, field.attribute) ?? "");
      continue;
    }
    const id = field.structure.valueId(number, field.attribute);
    let value = id < 0 ? Number.NaN : parsed.get(id);
    if (value === undefined)
      parsed.set(id, (value = parse(field.structure.lexicon(field.attribute)!.string(id))));
    column[unit] = value;
  }
  for (let unit = 0; unit < units.count; unit++)
    if (!Number.isFinite(column[unit])) column[unit] = Number.NaN;
  units.columns.set(key, column);
  return column;
}

/** How new each unit is, between 0 and 1. Cost: O(units), once for a half-life. */
export function recencyOf(units: Units, field: Field, halfLife: number): Float64Array {
  const key = `recency ${halfLife} ${field.path}`;
  let column = units.columns.get(key);
  if (column) return column;
  const dates = numbersOf(units, field, "date");
  let newest = Number.NEGATIVE_INFINITY;
  for (const date of dates) if (date > newest) newest = date;
  column = new Float64Array(units.count);
  for (const [from, to] of pieces(units.count, units.snapshot.pool.checkpoint))
    for (let unit = from; unit < to; unit++)
      column[unit] =
        unit > 0 && dates[unit] === dates[unit - 1]
          ? column[unit - 1]
          : recency(dates[unit], newest, halfLife);
  for (const old of units.columns.keys()) if (/^recency /.test(old)) units.columns.delete(old);
  units.columns.set(key, column);
  return column;
}

/** The words of a title or an address: runs of letters, marks and digits, in lower case. */
export function fieldWords(text: string): string[] {
  let plain = text;
  if (text.includes("%")) {
    try {
      plain = decodeURIComponent(text);
    } catch {}
  }
  return plain.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Is a term there? It is if all its own words are. */
export function isIn(words: ReadonlySet<string>, forms: readonly string[][]): boolean {
  return forms.some((form) => form.length > 0 && form.every((word) => words.has(word)));
}
