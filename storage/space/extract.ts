/** Points of a corpus: for each unit one, or one for each different word that it has. */
import type { Attribute } from "../corpus/attribute.js";
import type { Snapshot } from "../corpus/snapshot.js";
import { DugongError } from "../errors.js";
import type { PointCollector } from "./builder.js";
import type { DimensionRecord } from "./dimensions.js";
import { type GrowingDictionary, type Measure, measureOf } from "./measure.js";
import { unitStructure } from "./plan.js";

/** Tokens that are read at once. */
const blockTokens = 1 << 18;

/** Units [from, to) by number, and how many. */
export interface UnitRange {
  from: number;
  to: number;
}

/** The units that begin in one segment after the other: by number, as `Structure` counts them. */
export function unitsOfSegments(snapshot: Snapshot, unit: string): UnitRange[] {
  let next = 0;
  return snapshot.segments.map((segment) => {
    const from = next;
    if (unit === "token") next += segment.tokens;
    else {
      const { count, carriedIn } = segment.structureRecord(unit) ?? { count: 0, carriedIn: 0 };
      next += count - carriedIn;
    }
    return { from, to: next };
  });
}

/** Words of tokens, as coordinates: ids of a lexicon, or places of combinations in a dictionary. */
export class WordReader {
  readonly #attributes: Attribute[];
  readonly #block = new Uint32Array(blockTokens);
  readonly #other = new Uint32Array(blockTokens);
  #from = 0;
  #to = 0;
  readonly #places: Map<number, number> | undefined;

  constructor(
    readonly snapshot: Snapshot,
    attributes: readonly string[],
    dictionary?: GrowingDictionary,
  ) {
    this.#attributes = attributes.map((name) => snapshot.attribute(name));
    checkCombined(this.#attributes);
    if (dictionary) this.#places = this.#placesOf(dictionary);
  }

  /** Combinations as numbers, and their places. */
  #placesOf(dictionary: GrowingDictionary): Map<number, number> {
    const places = new Map<number, number>();
    dictionary.strings.forEach((string, place) => {
      const parts = string.split("\t");
      let code = 0;
      for (const [a, { lexicon }] of this.#attributes.entries()) {
        const id = lexicon.find(parts[a] ?? "");
        if (id < 0) return;
        code = code * lexicon.size + id;
      }
      places.set(code, place);
    });
    return places;
  }

  /** The words of tokens [from, to), which are at most a block; good until the next call. */
  read(from: number, to: number): Uint32Array {
    if (from < this.#from || to > this.#to) {
      this.#from = from;
      this.#to = Math.min(this.snapshot.tokens, from + blockTokens);
      this.#fill(this.#to - from);
    }
    return this.#block.subarray(from - this.#from, to - this.#from);
  }

  #fill(count: number): void {
    const [first, ...others] = this.#attributes;
    this.snapshot.ids(first, this.#from, count, this.#block);
    if (others.length === 0) return;
    const codes = Float64Array.from(this.#block.subarray(0, count));
    this.#addDigits(codes, others, count);
    for (let i = 0; i < count; i++) this.#block[i] = this.#places?.get(codes[i]) ?? 0;
  }

  #addDigits(codes: Float64Array, others: readonly Attribute[], count: number): void {
    for (const attribute of others) {
      this.snapshot.ids(attribute, this.#from, count, this.#other);
      const { size } = attribute.lexicon;
      for (let i = 0; i < count; i++) codes[i] = codes[i] * size + this.#other[i];
    }
  }

  /** How often each combination occurs in tokens [from, to): strings with tabs in them, the most frequent first. */
  combinations(from: number, to: number, checkpoint: () => void): string[] {
    const counts = new Map<number, number>();
    const [first, ...others] = this.#attributes;
    for (let at = from; at < to; at += blockTokens) {
      checkpoint();
      const count = Math.min(blockTokens, to - at);
      this.#from = at;
      this.snapshot.ids(first, at, count, this.#block);
      const codes = Float64Array.from(this.#block.subarray(0, count));
      this.#addDigits(codes, others, count);
      for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    [this.#from, this.#to] = [0, 0];
    const sorted = [...counts].sort(([a, one], [b, other]) => other - one || a - b);
    return sorted.map(([code]) => this.#combination(code));
  }

  #combination(code: number): string {
    const parts: string[] = [];
    let rest = code;
    for (const { lexicon } of [...this.#attributes].reverse()) {
      parts.unshift(lexicon.string(rest % lexicon.size));
      rest = Math.floor(rest / lexicon.size);
    }
    return parts.join("\t");
  }
}

function checkCombined(attributes: readonly Attribute[]): void {
  const product = attributes.reduce((all, { lexicon }) => all * Math.max(1, lexicon.size), 1);
  if (product > Number.MAX_SAFE_INTEGER)
    throw new DugongError(
      "bad_dimensions",
      `${attributes.map(({ name }) => name).join("+")} have too many combinations to be numbered`,
      "Combine fewer attributes.",
    );
}

export class Extractor {
  readonly #measures: (Measure | undefined)[];
  readonly #words: (WordReader | undefined)[];
  /** The dimension of words of a unit that is no token. */
  readonly #wordDimension: number;
  /** Which unit each word was last seen in. */
  readonly #seen: Uint32Array;
  #serial = 0;

  constructor(
    readonly snapshot: Snapshot,
    readonly unit: string,
    readonly dimensions: readonly DimensionRecord[],
    dictionaries: readonly (GrowingDictionary | undefined)[],
    ranks: Float64Array | undefined,
  ) {
    this.#measures = dimensions.map((dimension, d) =>
      dimension.of.from === "token"
        ? undefined
        : measureOf(snapshot, unit, dimension, dimension.max, dictionaries[d], ranks),
    );
    this.#words = dimensions.map(({ of }, d) =>
      of.from === "token" ? new WordReader(snapshot, of.attributes, dictionaries[d]) : undefined,
    );
    this.#wordDimension = unit === "token" ? -1 : dimensions.findIndex(({ of }) => of.from === "token");
    const most = this.#wordDimension < 0 ? 0 : dimensions[this.#wordDimension].max;
    this.#seen = new Uint32Array(most);
  }

  /** Values beyond the ends of scales so far, by dimension. */
  get beyond(): number[] {
    return this.#measures.map((measure) => measure?.beyond ?? 0);
  }

  /** Adds the points of units to a collector; their numbers are less `base` there. */
  extract({ from, to }: UnitRange, base: number, collector: PointCollector, checkpoint: () => void): void {
    if (this.unit === "token") this.#tokens(from, to, base, collector, checkpoint);
    else this.#structures(from, to, base, collector, checkpoint);
  }

  #tokens(from: number, to: number, base: number, collector: PointCollector, checkpoint: () => void): void {
    for (let at = from; at < to; at += blockTokens) {
      checkpoint();
      const end = Math.min(to, at + blockTokens);
      collector.reserve(end - at);
      const { columns, count } = collector;
      this.dimensions.forEach((_, d) => {
        const words = this.#words[d]?.read(at, end);
        if (words) columns[d].set(words, count);
        else {
          const measure = this.#measures[d] as Measure;
          for (let p = at; p < end; p++) columns[d][count + p - at] = measure.coordinate(p, p, p + 1);
        }
      });
      const units = columns[this.dimensions.length];
      for (let p = at; p < end; p++) units[count + p - at] = p - base;
      collector.count += end - at;
    }
  }

  #structures(
    from: number,
    to: number,
    base: number,
    collector: PointCollector,
    checkpoint: () => void,
  ): void {
    const structure = unitStructure(this.snapshot, this.unit);
    if (!structure) return;
    const k = this.dimensions.length;
    const own = new Uint32Array(k);
    for (let number = from; number < to; number++) {
      if ((number & 255) === 0) checkpoint();
      const [begin, end] = structure.range(number);
      for (let d = 0; d < k; d++) {
        const measure = this.#measures[d];
        if (measure) own[d] = measure.coordinate(number, begin, end);
      }
      if (this.#wordDimension < 0) this.#add(collector, own, number - base);
      else this.#addWords(collector, own, number - base, begin, end);
    }
  }

  #add(collector: PointCollector, own: Uint32Array, unit: number): void {
    collector.reserve(1);
    const { columns } = collector;
    const at = collector.count++;
    for (let d = 0; d < own.length; d++) columns[d][at] = own[d];
    columns[own.length][at] = unit;
  }

  #addWords(collector: PointCollector, own: Uint32Array, unit: number, begin: number, end: number): void {
    const w = this.#wordDimension;
    const reader = this.#words[w] as WordReader;
    const seen = this.#seen;
    const serial = ++this.#serial;
    const k = own.length;
    for (let from = begin; from < end; from += blockTokens) {
      const words = reader.read(from, Math.min(end, from + blockTokens));
      collector.reserve(words.length);
      const { columns } = collector;
      const first = collector.count;
      let at = first;
      for (let i = 0; i < words.length; i++) {
        const word = words[i];
        columns[w][at] = word;
        if (seen[word] !== serial) at++;
        seen[word] = serial;
      }
      for (let d = 0; d < k; d++) if (d !== w) columns[d].fill(own[d], first, at);
      columns[k].fill(unit, first, at);
      collector.count = at;
    }
  }
}
