/** Structures by the values of an attribute: all with the same value, in the order in which they open. */
import { DugongError, type Snapshot, type Structure } from "../../storage/index.js";
import { checkStructureAttribute } from "../plan/names.js";
import { limits } from "./limits.js";

export interface StructureValues {
  /** How many different values there are. */
  readonly size: number;
  /** The number of a value, or −1. */
  find(text: string): number;
  text(value: number): string;
  /** The value of a structure, or −1. */
  of(number: number): number;
  /** The structures with a value, ascending. */
  structures(value: number): Uint32Array;
}

export function structureValues(
  snapshot: Snapshot,
  structure: Structure,
  attribute: string,
): StructureValues {
  checkStructureAttribute(snapshot, structure, attribute);
  const lexicon = structure.lexicon(attribute);
  const values = new Int32Array(structure.count).fill(-1);
  if (lexicon) {
    eachSegment(snapshot, structure, (first, carriedIn, structures) => {
      const ids = new Uint32Array(structures.count);
      structures.valueIds(attribute, 0, structures.count, ids);
      for (let i = carriedIn; i < ids.length; i++) values[first + i - carriedIn] = ids[i] - 1;
    });
    return byValue(
      values,
      lexicon.size,
      (text) => lexicon.find(text),
      (value) => lexicon.string(value),
    );
  }
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  eachSegment(snapshot, structure, (first, carriedIn, structures) => {
    for (let i = carriedIn; i < structures.count; i++) {
      const text = structures.uniqueValue(i, attribute);
      if (text === undefined) continue;
      let value = numbers.get(text);
      if (value === undefined) {
        value = texts.push(text) - 1;
        if (value >= limits.distinctValuesMax) throw tooManyValues(structure, attribute);
        numbers.set(text, value);
      }
      values[first + i - carriedIn] = value;
    }
  });
  return byValue(
    values,
    texts.length,
    (text) => numbers.get(text) ?? -1,
    (value) => texts[value],
  );
}

function tooManyValues({ name }: Structure, attribute: string): DugongError {
  return new DugongError(
    "too_many_values",
    `${name}.${attribute} has more than ${limits.distinctValuesMax.toLocaleString("en")} values (limit distinctValuesMax)`,
    "Encode it without --unique, or align by numbers.",
  );
}

type SegmentStructures = NonNullable<ReturnType<Snapshot["segments"][number]["structures"]>>;

/** Calls back with the number of the first structure that begins in each segment. */
function eachSegment(
  snapshot: Snapshot,
  { name }: Structure,
  call: (first: number, carriedIn: number, structures: SegmentStructures) => void,
): void {
  let first = 0;
  for (const segment of snapshot.segments) {
    const record = segment.structureRecord(name);
    if (!record) continue;
    call(first, record.carriedIn, segment.structures(name)!);
    first += record.count - record.carriedIn;
  }
}

function byValue(
  values: Int32Array,
  size: number,
  find: (text: string) => number,
  text: (value: number) => string,
): StructureValues {
  const offsets = new Uint32Array(size + 1);
  for (const value of values) if (value >= 0) offsets[value + 1]++;
  for (let value = 0; value < size; value++) offsets[value + 1] += offsets[value];
  const numbers = new Uint32Array(offsets[size]);
  const next = offsets.slice();
  values.forEach((value, number) => {
    if (value >= 0) numbers[next[value]++] = number;
  });
  return {
    size,
    find,
    text,
    of: (number) => values[number],
    structures: (value) => numbers.subarray(offsets[value], offsets[value + 1]),
  };
}
