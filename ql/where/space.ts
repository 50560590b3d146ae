/**
 * Conditions through a space (`dugong space-build`), where one was built of the snapshot. Its cells may hold more values than are
 * meant: what it gives is looked at once more. And what it computed of units, which no attribute has (length, rank, age), can be
 * asked for by the name of the dimension: length in tokens; of others a unit has the least value of its cell.
 */
import {
  type DimensionInfo,
  DugongError,
  findSpace,
  type Snapshot,
  type Space,
} from "../../storage/index.js";
import type { StructureIndex } from "../match/structures.js";
import { costs } from "../plan/costs.js";
import { comparing } from "./compare.js";
import type { Test } from "./parse.js";
import { type Condition, estimate, notCondition } from "./structures.js";

/** Whether a space was built meanwhile is looked up no more often. */
const lookMs = 2000;

const known = new WeakMap<Snapshot, { space: Space | undefined; at: number }>();

export function spaceOf(snapshot: Snapshot): Space | undefined {
  const last = known.get(snapshot);
  if (last && (last.space || performance.now() - last.at < lookMs)) return last.space;
  const space = findSpace(snapshot);
  known.set(snapshot, { space, at: performance.now() });
  if (space) snapshot.closeWith({ close: async () => space.close() });
  return space;
}

/** Units may be tokens: then it says nothing of structures. */
function isOfStructures(snapshot: Snapshot): boolean {
  return snapshot.structures.some(({ name }) => name === spaceOf(snapshot)?.info.unit);
}

/** Dimensions of what was computed: no attribute has it. */
export function computedDimension(snapshot: Snapshot, name: string): DimensionInfo | undefined {
  return spaceOf(snapshot)?.info.dimensions.find(
    (one) =>
      one.name === name && one.single && one.source.startsWith("computed:") && isOfStructures(snapshot),
  );
}

/** The same condition, by the units that a space has for it, where that is cheaper. */
export function throughSpace(
  index: StructureIndex,
  attribute: string,
  test: Test,
  otherwise: Condition,
  checkpoint: () => void,
): Condition {
  const { snapshot, structure } = index;
  const space = spaceOf(snapshot);
  const dimension = space?.info.dimensions.find(
    ({ source, single }) => single && source === `${structure.name}.${attribute}`,
  );
  const { operator, value } = test;
  if (!space || !dimension || space.info.unit !== structure.name || !/^[<>]?=?$/.test(operator))
    return otherwise;
  const box = boxOf(space, { dimension: dimension.name, operator: operator as "=", value });
  if (!box) return otherwise;
  const units = space.units(box, { checkpoint });
  const cost = units.cost + units.remaining * costs.fetch;
  if (cost >= otherwise.cost) return otherwise;
  let found: Uint32Array | undefined;
  const candidates = (at: number): Uint32Array => {
    found ??= drained(space.units(box, { checkpoint }));
    return piecesOf(index, at, found);
  };
  return {
    ...otherwise,
    cost,
    holds: (at, among) => otherwise.holds(at, among ?? candidates(at)),
    describe: () => ({
      ...otherwise.describe(),
      ...estimate(units.remaining, cost),
      why: `${structure.name}: through the space (dimension ${dimension.name}), up to ${units.remaining.toLocaleString("en")} points; then each is looked at`,
    }),
  };
}

function boxOf(space: Space, condition: { dimension: string; operator: "="; value: string }) {
  try {
    return space.box([condition]);
  } catch (error) {
    // What is no number for the space may still be compared otherwise.
    if (error instanceof DugongError) return undefined;
    throw error;
  }
}

function drained(cursor: { fill(out: Uint32Array): number; remaining: number }): Uint32Array {
  const all = new Uint32Array(Math.max(1, cursor.remaining));
  let count = 0;
  for (let got = cursor.fill(all); got > 0; got = count < all.length ? cursor.fill(all.subarray(count)) : 0)
    count += got;
  return all.subarray(0, count);
}

/** The pieces of structures by their numbers (ascending) in a segment. */
function piecesOf(index: StructureIndex, at: number, numbers: Uint32Array): Uint32Array {
  const { count, carriedIn } = index.pieces(at);
  const found: number[] = [];
  const place = (number: number) => {
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numbers[middle] < number) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  for (let i = 0; i < carriedIn; i++) {
    const number = index.numberOf(at, i);
    if (numbers[place(number)] === number) found.push(i);
  }
  if (carriedIn === count) return Uint32Array.from(found);
  const first = index.numberOf(at, carriedIn);
  for (let i = place(first); i < numbers.length && numbers[i] - first < count - carriedIn; i++)
    found.push(numbers[i] - first + carriedIn);
  return Uint32Array.from(found);
}

/** A condition on what a space computed of its units. */
export function computedCondition(
  index: StructureIndex,
  dimension: DimensionInfo,
  test: Test,
  text: string,
  checkpoint: () => void,
): Condition {
  const { snapshot, structure } = index;
  const space = spaceOf(snapshot) as Space;
  const { test: passes } = comparing(test, checkpoint);
  const isLength = dimension.source === "computed: tokens";
  const number = space.dimension(dimension.name);
  let wanted: Uint8Array | undefined;
  const coordinates = isLength ? undefined : space.coordinatesOfUnits(number, { checkpoint });
  const isWanted = (unit: number): number => {
    if (isLength) {
      const [begin, end] = structure.range(unit);
      return passes(String(end - begin)) ? 1 : 0;
    }
    if (!wanted) {
      wanted = new Uint8Array(dimension.max + 1);
      for (let cell = 0; cell < dimension.max; cell++)
        wanted[cell] = passes(space.value(number, cell)) ? 1 : 0;
    }
    return wanted[coordinates![unit] ?? dimension.max];
  };
  const cost = structure.count * (isLength ? 200 : 5);
  const positive: Condition = {
    outside: false,
    share: 0.5,
    cost,
    holds: (at, among) => {
      const { count } = index.pieces(at);
      const kept = new Uint8Array(count);
      const length = among?.length ?? count;
      for (let n = 0; n < length; n++) {
        if ((n & 0xfff) === 0) checkpoint();
        const i = among ? among[n] : n;
        kept[i] = isWanted(index.numberOf(at, i));
      }
      return kept;
    },
    describe: () => ({
      operator: "structures",
      detail: text,
      why: `${structure.name}: ${isLength ? "by their lengths" : `by the cells of dimension ${dimension.name} of the space`}`,
      ...estimate(structure.count / 2, cost),
    }),
  };
  return test.operator.startsWith("!") ? notCondition(index, positive, text) : positive;
}
