/** The coordinates of units: what a dimension's source says of each, measured by its scale. Each different value is measured once. */
import type { Snapshot } from "../corpus/snapshot.js";
import type { Structure } from "../corpus/structure.js";
import type { DimensionRecord } from "./dimensions.js";
import { cellOf, daysOf, isBeyond, numberOf, type Scale } from "./quantise.js";

/** A dimension that units have one value of. */
export interface Measure {
  /** The coordinate of a unit with the tokens [begin, end). */
  coordinate(unit: number, begin: number, end: number): number;
  /** How many lay beyond the ends of the scale. */
  beyond: number;
}

/** Strings that get coordinates as they come: of categories, and of combined words. */
export class GrowingDictionary {
  readonly places = new Map<string, number>();
  readonly strings: string[] = [];

  /** `known`: strings that segments before have. Of a category the empty string is that of units without a value. */
  constructor(known: readonly string[] = []) {
    for (const string of known) this.place(string);
  }

  place(string: string): number {
    let place = this.places.get(string);
    if (place === undefined) {
      place = this.strings.push(string) - 1;
      this.places.set(string, place);
    }
    return place;
  }
}

/** Structures around tokens that ascend. */
export class Around {
  #number = -1;
  #end = -1;
  #begin = 0;

  constructor(readonly structure: Structure) {}

  at(position: number): number {
    if (position >= this.#begin && position < this.#end) return this.#number;
    this.#number = this.structure.containing(position);
    if (this.#number < 0) [this.#begin, this.#end] = [0, -1];
    else [this.#begin, this.#end] = this.structure.range(this.#number);
    return this.#number;
  }
}

/**
 * How units are measured in a dimension. `missing` is the coordinate of those without a value, `ranks` by document what PageRank says.
 */
export function measureOf(
  snapshot: Snapshot,
  unit: string,
  { scale, of }: DimensionRecord,
  missing: number,
  dictionary: GrowingDictionary | undefined,
  ranks: Float64Array | undefined,
): Measure {
  if (of.from === "token") throw new Error("words are read token by token");
  if (of.from === "length") return new LengthMeasure(scale);
  const structure = snapshot.structure(of.structure);
  const numberAt = structure.name === unit ? undefined : new Around(structure);
  if (of.from === "links") return new RankMeasure(numberAt, scale, missing, ranks ?? new Float64Array(0));
  const read = of.from === "recency" ? daysAgo(of.newest) : scale.kind === "date" ? day : numberOf;
  const measured = (text: string) => (dictionary ? dictionary.place(text) : read(text));
  const none = dictionary ? dictionary.place("") : missing;
  return new AttributeMeasure(
    structure,
    of.attribute,
    numberAt,
    scale,
    none,
    measured,
    dictionary !== undefined,
  );
}

const day = (text: string) => daysOf(text)?.[0] ?? Number.NaN;
const daysAgo = (newest: number) => (text: string) => newest - day(text);

class LengthMeasure implements Measure {
  beyond = 0;

  constructor(readonly scale: Scale) {}

  coordinate(_: number, begin: number, end: number): number {
    if (isBeyond(this.scale, end - begin)) this.beyond++;
    return cellOf(this.scale, end - begin);
  }
}

class RankMeasure implements Measure {
  beyond = 0;

  constructor(
    readonly around: Around | undefined,
    readonly scale: Scale,
    readonly missing: number,
    readonly ranks: Float64Array,
  ) {}

  coordinate(unit: number, begin: number): number {
    const number = this.around ? this.around.at(begin) : unit;
    const rank = this.ranks[number] ?? Number.NaN;
    if (Number.isNaN(rank)) return this.missing;
    if (isBeyond(this.scale, rank)) this.beyond++;
    return cellOf(this.scale, rank);
  }
}

class AttributeMeasure implements Measure {
  beyond = 0;
  /** By id of the value, and one more than the coordinate: 0 is not measured yet. */
  readonly #cells: Float64Array;
  readonly #isBeyond: Uint8Array;

  constructor(
    readonly structure: Structure,
    readonly attribute: string,
    readonly around: Around | undefined,
    readonly scale: Scale,
    readonly missing: number,
    readonly read: (text: string) => number,
    readonly isPlace: boolean,
  ) {
    const { size } = structure.lexicon(attribute) ?? { size: 0 };
    this.#cells = new Float64Array(size);
    this.#isBeyond = new Uint8Array(size);
  }

  coordinate(unit: number, begin: number): number {
    const number = this.around ? this.around.at(begin) : unit;
    if (number < 0) return this.missing;
    const lexicon = this.structure.lexicon(this.attribute);
    if (!lexicon) {
      const text = this.structure.value(number, this.attribute);
      return text === undefined ? this.missing : this.#measured(this.read(text));
    }
    const id = this.structure.valueId(number, this.attribute);
    if (id < 0) return this.missing;
    if (this.#cells[id] === 0) {
      const before = this.beyond;
      this.#cells[id] = this.#measured(this.read(lexicon.string(id))) + 1;
      this.#isBeyond[id] = this.beyond - before;
      this.beyond = before;
    }
    this.beyond += this.#isBeyond[id];
    return this.#cells[id] - 1;
  }

  #measured(value: number): number {
    if (Number.isNaN(value)) return this.missing;
    if (this.isPlace) return value;
    if (isBeyond(this.scale, value)) this.beyond++;
    return cellOf(this.scale, value);
  }
}
