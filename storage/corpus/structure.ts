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

interface Part {
  segment: Segment;
  structures: Structures;
  /** Number of the first structure that begins in the segment, and how many of its first ones are continued. */
  first: number;
  carriedIn: number;
}

export class Structure {
  readonly count: number;
  readonly #parts: { segment: Segment; first: number; carriedIn: number; count: number }[] = [];
  /** Number of the first structure that begins in each segment. */
  readonly #firsts = new Map<Segment, number>();
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
      if (!record) continue;
      this.#parts.push({ segment, first, ...record });
      this.#firsts.set(segment, first);
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

  /** The lexicon of an attribute; undefined for a unique one. */
  lexicon(attribute: string): Lexicon | undefined {
    return this.#lexicons.get(structureKey(this.name, attribute))?.lexicon;
  }

  /** The lexicon of the single values of a multi-value attribute, and how whole values map to them. */
  values(attribute: string): { lexicon: Lexicon; map: DerivedMap } | undefined {
    return this.#lexicons.get(structureKey(this.name, attribute))?.values;
  }

  #partOf(number: number): Part {
    if (!(number >= 0 && number < this.count))
      throw new RangeError(`no ${this.name} ${number} of ${this.count}`);
    const at = firstWhere(this.#parts.length, (i) => this.#parts[i].first > number) - 1;
    const { segment, first, carriedIn } = this.#parts[at];
    return { segment, structures: segment.structures(this.name) as Structures, first, carriedIn };
  }

  /** The range [begin, end) of a structure. O(log structures). */
  range(number: number): [begin: number, end: number] {
    const { segment, structures, first, carriedIn } = this.#partOf(number);
    const index = number - first + carriedIn;
    const begin = segment.start + structures.begin(index);
    return [begin, this.#endOf(segment, structures, index)];
  }

  /** Where a structure ends, in whichever segment that is. */
  #endOf(segment: Segment, structures: Structures, index: number): number {
    let place = structures.meta.carriedOut.indexOf(index);
    if (place < 0) return segment.start + structures.end(index);
    for (let at = this.segments.indexOf(segment) + 1; ; at++) {
      const next = this.segments[at].structures(this.name) as Structures;
      index = place;
      place = next.meta.carriedOut.indexOf(index);
      if (place < 0) return this.segments[at].start + next.end(index);
    }
  }

  /** The number of the innermost structure around a global position, or −1. O(log structures). */
  containing(position: number): number {
    const at = firstWhere(this.segments.length, (i) => this.segments[i].start > position) - 1;
    const segment = this.segments[at];
    if (!segment || position >= segment.start + segment.tokens) return -1;
    const index = segment.structures(this.name)?.containing(position - segment.start) ?? -1;
    return index < 0 ? -1 : this.#numberOf(at, index);
  }

  /** The number of structure `index` of segment `at`, which may have begun in an earlier one. */
  #numberOf(at: number, index: number): number {
    for (;;) {
      const { carriedIn } = this.segments[at].structureRecord(this.name) as { carriedIn: number };
      if (index >= carriedIn) return (this.#firsts.get(this.segments[at]) as number) + index - carriedIn;
      const before = this.segments[--at].structures(this.name) as Structures;
      index = before.meta.carriedOut[index];
    }
  }

  /** The value of an attribute of a structure, or undefined where it has none. */
  value(number: number, attribute: string): string | undefined {
    const { structures, first, carriedIn } = this.#partOf(number);
    const index = number - first + carriedIn;
    const lexicon = this.lexicon(attribute);
    if (!lexicon) return structures.uniqueValue(index, attribute);
    const id = structures.valueId(index, attribute);
    return id < 0 ? undefined : lexicon.string(id);
  }

  /** The id of that value, or −1. Not for unique attributes. */
  valueId(number: number, attribute: string): number {
    const { structures, first, carriedIn } = this.#partOf(number);
    return structures.valueId(number - first + carriedIn, attribute);
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
