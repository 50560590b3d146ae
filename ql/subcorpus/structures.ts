/** Structures as parts of a corpus: those that hits begin in, those with some values, and how many a part touches. */
import type { Snapshot, Structure } from "../../storage/index.js";
import { structureNumbers } from "../chain/around.js";
import { type Hits, positionColumn } from "../chain/hits.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import { structureIds } from "../plan/keep.js";
import { checkStructureAttribute } from "../plan/names.js";
import { Subcorpus } from "./subcorpus.js";

/** The tokens of structures. `kept` says of each piece in a segment whether its structure is wanted. */
function partOf(index: StructureIndex, kept: (at: number) => Uint8Array): Subcorpus {
  const { snapshot } = index;
  const parts = snapshot.segments.map((_, at) => {
    snapshot.pool.checkpoint();
    const { start, begins, ends, count } = index.pieces(at);
    const isKept = count > 0 ? kept(at) : undefined;
    const own = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
    let size = 0;
    for (let i = 0; isKept && i < count; i++) {
      if (!isKept[i]) continue;
      own.begins[size] = start + begins[i];
      own.ends[size++] = start + ends[i];
    }
    return Subcorpus.of(snapshot, own, size);
  });
  return Subcorpus.ofParts(snapshot, parts);
}

/** Marks structures by their numbers. */
export class StructureMarks {
  readonly #index: StructureIndex;
  readonly #bits: Uint32Array;

  constructor(
    readonly snapshot: Snapshot,
    readonly structure: Structure,
  ) {
    this.#index = structureIndex(snapshot, structure);
    this.#bits = new Uint32Array((structure.count >>> 5) + 1);
  }

  /** Those that hits begin in. */
  markAround(hits: Hits): void {
    const numbers = structureNumbers(this.snapshot, this.structure, hits);
    for (let i = 0; i < hits.count; i++)
      if (numbers[i] >= 0) this.#bits[numbers[i] >>> 5] |= 1 << (numbers[i] & 31);
  }

  toSubcorpus(): Subcorpus {
    const index = this.#index;
    return partOf(index, (at) => {
      const kept = new Uint8Array(index.pieces(at).count);
      for (let i = 0; i < kept.length; i++) {
        const number = index.numberOf(at, i);
        kept[i] = (this.#bits[number >>> 5] >>> (number & 31)) & 1;
      }
      return kept;
    });
  }
}

/** The structures whose attribute has one of these values, and the values that no structure has. */
export function structuresWithValues(
  snapshot: Snapshot,
  structure: Structure,
  attribute: string,
  values: readonly string[],
): { part: Subcorpus; missing: string[] } {
  checkStructureAttribute(snapshot, structure, attribute);
  return structure.lexicon(attribute)
    ? withValues(snapshot, structure, attribute, values)
    : withUniqueValues(snapshot, structure, attribute, values);
}

function withValues(
  snapshot: Snapshot,
  structure: Structure,
  attribute: string,
  values: readonly string[],
): { part: Subcorpus; missing: string[] } {
  const missing: string[] = [];
  const { ids } = structureIds(structure, attribute, (lexicon) => {
    const found = new Set<number>();
    for (const value of new Set(values)) {
      const id = lexicon.find(value);
      if (id < 0) missing.push(value);
      else found.add(id);
    }
    return { ids: Uint32Array.from(found).sort(), negated: false };
  });
  const wanted = new Uint8Array(structure.lexicon(attribute)!.size + 1);
  for (const id of ids) wanted[id + 1] = 1;
  const index = structureIndex(snapshot, structure);
  const part = partOf(index, (at) => {
    const { count } = index.pieces(at);
    const own = new Uint32Array(count);
    snapshot.segments[at].structures(structure.name)!.valueIds(attribute, 0, count, own);
    return Uint8Array.from(own, (id) => wanted[id]);
  });
  return { part, missing };
}

/** Of an attribute with a value of its own for each structure, the strings are all there is. */
function withUniqueValues(
  snapshot: Snapshot,
  structure: Structure,
  attribute: string,
  values: readonly string[],
): { part: Subcorpus; missing: string[] } {
  const missing = new Set(values);
  const wanted = new Set(values);
  const index = structureIndex(snapshot, structure);
  const part = partOf(index, (at) => {
    const kept = new Uint8Array(index.pieces(at).count);
    const structures = snapshot.segments[at].structures(structure.name)!;
    for (let i = 0; i < kept.length; i++) {
      const value = structures.uniqueValue(i, attribute);
      if (value === undefined || !wanted.has(value)) continue;
      kept[i] = 1;
      missing.delete(value);
    }
    return kept;
  });
  return { part, missing: [...missing] };
}

/** How many structures have a token in a subcorpus. */
export function structuresTouched(snapshot: Snapshot, structure: Structure, part: Subcorpus): number {
  const index = structureIndex(snapshot, structure);
  let touched = 0;
  /** Of those that go on in the next segment: which were counted. */
  let counted = new Set<number>();
  snapshot.segments.forEach((_, at) => {
    snapshot.pool.checkpoint();
    const { start, begins, ends, count, carriedIn, carriedOut } = index.pieces(at);
    const before = counted;
    const here = new Set<number>();
    const goingOn = new Set(carriedOut);
    for (let i = 0; i < count; i++) {
      const known = i < carriedIn && before.has(index.numberOf(at, i));
      const isIn = known || part.touches(start + begins[i], start + ends[i]);
      if (!isIn) continue;
      if (!known) touched++;
      if (goingOn.has(i)) here.add(index.numberOf(at, i));
    }
    counted = here;
  });
  return touched;
}
