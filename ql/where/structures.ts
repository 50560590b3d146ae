/**
 * Conditions on structures of one kind: of each piece in a segment, does it hold? Of a token outside all of them, does it?
 *
 * A comparison becomes a set of values. Which structures have one of them is found by the cheapest of three ways: by the
 * lists of these values, where they are few and rare; in one pass over the column of values; through a space (space.ts); or,
 * where something else has left few structures, by looking at those alone.
 */
import type { Structure } from "../../storage/index.js";
import type { StructureIndex } from "../match/structures.js";
import { costs } from "../plan/costs.js";
import type { PlanStep } from "../plan/explain.js";
import { structureIds } from "../plan/keep.js";
import { type Comparing, comparing } from "./compare.js";
import type { Test } from "./parse.js";
import { throughSpace } from "./space.js";

/** What a value costs in a column, and as a string of its own, in nanoseconds. */
const columnCost = 2;
const stringCost = 300;

export interface Condition {
  /** 1 for each piece of a segment for which it holds; of `among` alone where that is given. */
  holds(at: number, among?: Uint32Array): Uint8Array;
  /** Does it hold for a token that is in no such structure? */
  outside: boolean;
  /** About which share of the structures it holds for. */
  share: number;
  /** What all of it takes, in nanoseconds. */
  cost: number;
  describe(): PlanStep;
}

export function testCondition(
  index: StructureIndex,
  attribute: string,
  test: Test,
  text: string,
  checkpoint: () => void,
): Condition {
  const compare = comparing(test, checkpoint);
  const { structure } = index;
  const lexicon = structure.lexicon(attribute);
  const own = lexicon
    ? byIds(index, attribute, compare, text)
    : byStrings(index, attribute, compare, text, checkpoint);
  const positive = throughSpace(index, attribute, test, own, checkpoint);
  return test.operator.startsWith("!") ? notCondition(index, positive, text) : positive;
}

function byIds(index: StructureIndex, attribute: string, compare: Comparing, text: string): Condition {
  const { snapshot, structure } = index;
  const { ids } = structureIds(structure, attribute, (lexicon) => ({
    ids: compare.idsOf(lexicon),
    negated: false,
  }));
  const { size, frequencies } = structure.lexicon(attribute)!;
  const wanted = new Uint8Array(size + 1);
  let rows = 0;
  for (const id of ids) {
    wanted[id + 1] = 1;
    rows += frequencies[id];
  }
  const listCost = ids.length * costs.list * snapshot.segments.length + rows * costs.posting;
  const scanCost = structure.count * columnCost;
  const byLists = listCost < scanCost;
  /** What a structure takes of it. */
  const costEach = Math.min(listCost, scanCost) / Math.max(1, structure.count);
  return {
    outside: false,
    share: Math.min(1, rows / Math.max(1, structure.count)),
    cost: Math.min(listCost, scanCost),
    holds: (at, among) => {
      const { count } = index.pieces(at);
      const kept = new Uint8Array(count);
      const structures = snapshot.segments[at].structures(structure.name);
      if (!structures || count === 0 || ids.length === 0) return kept;
      if (among && among.length * costs.fetch < costEach * count) {
        for (const i of among) kept[i] = wanted[structures.valueId(i, attribute) + 1];
        return kept;
      }
      if (byLists) {
        const block = new Uint32Array(1024);
        for (const id of ids) {
          const cursor = structures.withValue(attribute, id);
          for (let got = cursor.fill(block); got > 0; got = cursor.fill(block))
            for (let i = 0; i < got; i++) kept[block[i]] = 1;
        }
        return kept;
      }
      const values = new Uint32Array(count);
      structures.valueIds(attribute, 0, count, values);
      for (let i = 0; i < count; i++) kept[i] = wanted[values[i]];
      return kept;
    },
    describe: () =>
      step(structure, rows, Math.min(listCost, scanCost), {
        detail: text,
        why: `${ids.length} of ${size} values, ${compare.how}; then ${byLists ? "by their lists" : "in one pass over the column"}`,
      }),
  };
}

/** Of an attribute with a value of its own for each structure, the strings are all there is. */
function byStrings(
  index: StructureIndex,
  attribute: string,
  compare: Comparing,
  text: string,
  checkpoint: () => void,
): Condition {
  const { snapshot, structure } = index;
  const cost = structure.count * stringCost;
  return {
    outside: false,
    share: 0.5,
    cost,
    holds: (at, among) => {
      const { count } = index.pieces(at);
      const kept = new Uint8Array(count);
      const structures = snapshot.segments[at].structures(structure.name);
      const length = structures ? (among?.length ?? count) : 0;
      for (let i = 0; i < length; i++) {
        if ((i & 0xfff) === 0) checkpoint();
        const own = among ? among[i] : i;
        const value = structures!.uniqueValue(own, attribute);
        kept[own] = value !== undefined && compare.test(value) ? 1 : 0;
      }
      return kept;
    },
    describe: () =>
      step(structure, structure.count / 2, cost, {
        detail: text,
        why: "every structure has a value of its own: each is tried",
      }),
  };
}

export function notCondition(index: StructureIndex, inner: Condition, text?: string): Condition {
  return {
    outside: !inner.outside,
    share: 1 - inner.share,
    cost: inner.cost,
    holds: (at, among) => {
      const kept = inner.holds(at, among);
      if (!among) {
        for (let i = 0; i < kept.length; i++) kept[i] ^= 1;
        return kept;
      }
      const others = new Uint8Array(kept.length);
      for (const i of among) others[i] = kept[i] ^ 1;
      return others;
    },
    describe: () => {
      const own = inner.describe();
      const estimatedRows = index.structure.count - own.estimatedRows;
      return own.operator === "structures"
        ? { ...own, detail: text ?? `not ${own.detail}`, why: `all without it; ${own.why}`, estimatedRows }
        : { ...own, operator: `not ${own.operator}`, estimatedRows };
    },
  };
}

/** The one that leaves least is asked first, and the next only of what is left. */
export function andCondition(index: StructureIndex, items: Condition[]): Condition {
  const ordered = [...items].sort((a, b) => a.share - b.share || a.cost - b.cost);
  const share = items.reduce((product, item) => product * item.share, 1);
  return {
    outside: items.every(({ outside }) => outside),
    share,
    cost: costOfAll(ordered),
    holds: (at, among) => {
      const kept = ordered[0].holds(at, among);
      for (const item of ordered.slice(1)) {
        const left = placesOf(kept);
        if (left.length === 0) break;
        const next = item.holds(at, left);
        for (const i of left) kept[i] &= next[i];
      }
      return kept;
    },
    describe: () => ({
      operator: "all of",
      why: "the one that leaves least is asked first",
      ...estimate(index.structure.count * share, costOfAll(ordered)),
      inputs: ordered.map((item) => item.describe()),
    }),
  };
}

function costOfAll(ordered: Condition[]): number {
  let left = 1;
  let cost = 0;
  for (const item of ordered) {
    cost += item.cost * Math.min(1, left * 4);
    left *= item.share;
  }
  return cost;
}

export function orCondition(index: StructureIndex, items: Condition[]): Condition {
  const share = 1 - items.reduce((product, item) => product * (1 - item.share), 1);
  const cost = items.reduce((sum, item) => sum + item.cost, 0);
  return {
    outside: items.some(({ outside }) => outside),
    share,
    cost,
    holds: (at, among) => {
      const kept = items[0].holds(at, among);
      for (const item of items.slice(1)) {
        const next = item.holds(at, among);
        for (let i = 0; i < kept.length; i++) kept[i] |= next[i];
      }
      return kept;
    },
    describe: () => ({
      operator: "any of",
      ...estimate(index.structure.count * share, cost),
      inputs: items.map((item) => item.describe()),
    }),
  };
}

function placesOf(kept: Uint8Array): Uint32Array {
  const places = new Uint32Array(kept.length);
  let count = 0;
  for (let i = 0; i < kept.length; i++) if (kept[i]) places[count++] = i;
  return places.subarray(0, count);
}

function step(
  { name }: Structure,
  rows: number,
  cost: number,
  { detail, why }: { detail: string; why: string },
): PlanStep {
  return { operator: "structures", detail, why: `${name}: ${why}`, ...estimate(rows, cost) };
}

export function estimate(rows: number, cost: number): Pick<PlanStep, "estimatedRows" | "estimatedMs"> {
  return { estimatedRows: Math.round(rows), estimatedMs: Number((cost / 1e6).toPrecision(3)) };
}
