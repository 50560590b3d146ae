/**
 * The structures of one kind in a whole snapshot, numbered from 0, with global positions. A structure that was cut
 * between segments is one structure here.
 */
import type { StructureAttributeConfig, StructureConfig } from "../encode/config.js";
import { structureKey } from "../encode/config.js";
import type { DerivedMap } from "../lexicon/derived.js";
import { firstWhere, type Lexicon } from "../lexicon/lexicon.js";
import type { Structures } from "../structures/reader.js";
import type { Segment } from "./segment.js";

export interface StructureLexicon {
  lexicon: Lexicon;
  /** The single values of a multi-value attribute. */
  values?: { lexicon: Lexicon; map: DerivedMap };
}

/** The structures of one segment. */
interface Part {
  segment: Segment;
  /** Number of the first structure that begins in the segment, and how many of its first ones are continued. */
  first: number;
  carriedIn: number;
}

/** What goes over the ends of segments: the manifest knows it, no file has to be opened. */
interface Carried {
  /** For each segment: the numbers of the structures that it continues. */
  numbers: number[][];
  /** For each structure that goes on: the segment where it ends, and its index there. */
  ends: Map<number, { segment: Segment; index: number }>;
}

export class Structure {
  readonly count: number;
  readonly #parts: Part[] = [];
  /** For each segment: the number of the first structure that begins in it or behind it. */
  readonly #firsts: number[] = [];
  #carriedOver: Carried | undefined;
  readonly #lexicons: Map<string, StructureLexicon>;

  constructor(
    readonly config: StructureConfig,
    readonly segments: Segment[],
    lexicons: Map<string, StructureLexicon>,
  ) {
    this.#lexicons = lexicons;
    let first = 0;
    for (const segment of segments) {
      const record = segment.structureRecord(config.name);
      this.#firsts.push(first);
      if (!record) continue;
      this.#parts.push({ segment, first, carriedIn: record.carriedIn });
      first += record.count - record.carriedIn;
    }
    this.count = first;
  }

  get name(): string {
    return this.config.name;
  }

  get attributes(): StructureAttributeConfig[] {
    return this.config.attributes;
  }

  /**
   * The lexicon of an attribute; undefined for a unique one. Its frequencies count structures, and so do its document
   * frequencies: in how many documents a value stands is not counted.
   */
  lexicon(attribute: string): Lexicon | undefined {
    return this.#lexicons.get(structureKey(this.name, attribute))?.lexicon;
  }

  /** The lexicon of the single values of a multi-value attribute, and how whole values map to them. */
  values(attribute: string): { lexicon: Lexicon; map: DerivedMap } | undefined {
    return this.#lexicons.get(structureKey(this.name, attribute))?.values;
  }

  /** The segment where a structure begins, and its index there. */
  #placeOf(number: number): { segment: Segment; structures: Structures; index: number } {
    if (!(number >= 0 && number < this.count))
      throw new RangeError(`no ${this.name} ${number} of ${this.count}`);
    const at = firstWhere(this.#parts.length, (i) => this.#parts[i].first > number) - 1;
    const { segment, first, carriedIn } = this.#parts[at];
    const structures = segment.structures(this.name) as Structures;
    return { segment, structures, index: number - first + carriedIn };
  }

  /** One pass over the manifest, when it is first needed. */
  get #carried(): Carried {
    if (this.#carriedOver) return this.#carriedOver;
    const carried: Carried = { numbers: [], ends: new Map() };
    let numbers: number[] = [];
    this.segments.forEach((segment, at) => {
      carried.numbers.push(numbers);
      numbers.forEach((number, index) => {
        carried.ends.set(number, { segment, index });
      });
      const { carriedIn, carriedOut } = segment.structureRecord(this.name) ?? {
        carriedIn: 0,
        carriedOut: [],
      };
      const own = numbers;
      numbers = carriedOut.map((i) => (i < carriedIn ? own[i] : this.#firsts[at] + i - carriedIn));
    });
    this.#carriedOver = carried;
    return carried;
  }

  /** The range [begin, end) of a structure. O(log structures); two files at most, however far it goes. */
  range(number: number): [begin: number, end: number] {
    const { segment, structures, index } = this.#placeOf(number);
    const begin = segment.start + structures.begin(index);
    const last = this.#carried.ends.get(number);
    if (!last) return [begin, segment.start + structures.end(index)];
    const rest = last.segment.structures(this.name) as Structures;
    return [begin, last.segment.start + rest.end(last.index)];
  }

  /** The number of the innermost structure around a global position, or −1. O(log structures); one file. */
  containing(position: number): number {
    const at = firstWhere(this.segments.length, (i) => this.segments[i].start > position) - 1;
    const segment = this.segments[at];
    if (!segment || position >= segment.start + segment.tokens) return -1;
    const index = segment.structures(this.name)?.containing(position - segment.start) ?? -1;
    if (index < 0) return -1;
    const continued = this.#carried.numbers[at];
    return index < continued.length ? continued[index] : this.#firsts[at] + index - continued.length;
  }

  /** The value of an attribute of a structure, or undefined where it has none. */
  value(number: number, attribute: string): string | undefined {
    const { structures, index } = this.#placeOf(number);
    const lexicon = this.lexicon(attribute);
    if (!lexicon) return structures.uniqueValue(index, attribute);
    const id = structures.valueId(index, attribute);
    return id < 0 ? undefined : lexicon.string(id);
  }

  /** The id of that value, or −1. Not for unique attributes. */
  valueId(number: number, attribute: string): number {
    const { structures, index } = this.#placeOf(number);
    return structures.valueId(index, attribute);
  }

  /** The numbers of the structures whose attribute has the value with that id, ascending. */
  *withValue(attribute: string, id: number): Generator<number> {
    const block = new Uint32Array(1024);
    for (const { segment, first, carriedIn } of this.#parts) {
      const cursor = (segment.structures(this.name) as Structures).withValue(attribute, id);
      for (let got = cursor.fill(block); got > 0; got = cursor.fill(block)) {
        for (let i = 0; i < got; i++) if (block[i] >= carriedIn) yield first + block[i] - carriedIn;
      }
    }
  }
}
