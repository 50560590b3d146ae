/**
 * Retrieval units: the structures of one kind, as ranges that do not overlap, in the order of the corpus. What begins inside
 * another of its kind belongs to that one; what is empty is no unit. And what is known of each unit: numbers in columns that
 * are made once.
 */
import { DugongError, type Snapshot, type Structure } from "../../storage/index.js";
import { type Positions, positionColumn } from "../chain/hits.js";
import { firstAbove } from "../chain/search.js";
import { structureIndex } from "../match/structures.js";
import { findStructure } from "../plan/names.js";
import { limits } from "./limits.js";

export interface Units {
  snapshot: Snapshot;
  structure: Structure;
  count: number;
  begins: Positions;
  ends: Positions;
  /** The number of each as a structure of the corpus. */
  numbers: Uint32Array;
  /** In all of them. */
  tokens: number;
  /** Is each structure of the kind a unit? */
  isAll: boolean;
  /** Columns of numbers by what they are, NaN where a unit has none (fields.ts). */
  columns: Map<string, Float64Array>;
  /** Of each unit, by the name of another structure: the number of the one around it, −1 without one (fields.ts). */
  around: Map<string, Int32Array>;
  /** In how many units a term is, by its ids. */
  counts: Map<string, number>;
}

const kept = new WeakMap<Snapshot, Map<string, Units>>();

/** Of a structure that is named; else of documents. Cost: O(structures), once. */
export function unitsOf(snapshot: Snapshot, name?: string): Units {
  const structure = name === undefined ? usual(snapshot) : findStructure(snapshot, name);
  let ofSnapshot = kept.get(snapshot);
  if (!ofSnapshot) kept.set(snapshot, (ofSnapshot = new Map()));
  let units = ofSnapshot.get(structure.name);
  if (!units) ofSnapshot.set(structure.name, (units = read(snapshot, structure)));
  return units;
}

function usual(snapshot: Snapshot): Structure {
  for (const name of [snapshot.config.document, "doc", "text", "p", "s"]) {
    const found = snapshot.structures.find((one) => one.name === name);
    if (found && found.count > 0) return found;
  }
  throw new DugongError(
    "no_unit",
    `corpus ${snapshot.corpus} has no documents to rank (its structures are ${snapshot.structures.map(({ name }) => name).join(", ") || "none"})`,
    "Name a structure that is there (--unit s).",
  );
}

function read(snapshot: Snapshot, structure: Structure): Units {
  if (structure.count > limits.unitsMax)
    throw new DugongError(
      "too_many_units",
      `corpus ${snapshot.corpus} has ${structure.count.toLocaleString("en")} ${structure.name}, and ${limits.unitsMax.toLocaleString("en")} can be ranked (limit unitsMax)`,
      "Rank larger units.",
    );
  const index = structureIndex(snapshot, structure);
  const begins = positionColumn(snapshot, structure.count);
  const ends = positionColumn(snapshot, structure.count);
  const numbers = new Uint32Array(structure.count);
  let count = 0;
  let reached = 0;
  let number = 0;
  let tokens = 0;
  snapshot.segments.forEach((_, at) => {
    snapshot.pool.checkpoint();
    const pieces = index.pieces(at);
    const goesOn = new Set(pieces.carriedOut);
    for (let i = pieces.carriedIn; i < pieces.count; i++, number++) {
      const begin = pieces.start + pieces.begins[i];
      const end = goesOn.has(i) ? index.endOf(at, i) : pieces.start + pieces.ends[i];
      if (end <= begin || begin < reached) continue;
      begins[count] = begin;
      ends[count] = end;
      numbers[count++] = number;
      tokens += end - begin;
      reached = end;
    }
  });
  return {
    snapshot,
    structure,
    count,
    begins: begins.subarray(0, count),
    ends: ends.subarray(0, count),
    numbers: numbers.subarray(0, count),
    tokens,
    isAll: count === structure.count,
    columns: new Map(),
    around: new Map(),
    counts: new Map(),
  };
}

/** The unit around a position, or the first behind it; looked for from unit `from` on. */
export function unitAt({ begins, ends, count }: Units, position: number, from: number): number {
  // Of a frequent term most often this one, or the next.
  if (from + 1 < count && position < begins[from + 1] && position >= begins[from])
    return position < ends[from] ? from : from + 1;
  const at = firstAbove(begins, position, from) - 1;
  return at >= 0 && position < ends[at] ? at : at + 1;
}
