/**
 * A condition as a set of tokens: those for which it holds. A comparison is about the innermost structure of its kind around
 * a token; where there is none, or it has no value, the value is not there: then only != and !~, and what is negated, hold.
 * What is asked inside it is asked of matches all of whose tokens are in it.
 *
 * Conditions on one kind of structure are decided structure by structure (structures.ts); what belongs to different kinds
 * meets as ranges of tokens.
 */
import type { Snapshot } from "../../storage/index.js";
import { positionColumn, type Ranges } from "../chain/hits.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import type { PlanStep } from "../plan/explain.js";
import { differenceOf, intersectionOf, unionOf } from "../subcorpus/sets.js";
import { Subcorpus } from "../subcorpus/subcorpus.js";
import { resolveName } from "./names.js";
import { parseWhere, type Where } from "./parse.js";
import { computedCondition, computedDimension, spaceOf } from "./space.js";
import {
  andCondition,
  type Condition,
  estimate,
  notCondition,
  orCondition,
  testCondition,
} from "./structures.js";

/** A condition that has met a corpus. */
export interface PlannedWhere {
  /** Its tokens. Cost: O(structures of each kind that it names), and O(tokens) of those kinds that nest. */
  part(): Subcorpus;
  plan(): PlanStep;
}

/** Reads a condition and finds its names and values. Cost: O(values of its attributes). */
export function planWhere(snapshot: Snapshot, text: string): PlannedWhere {
  const node = compile(snapshot, parseWhere(text), text);
  return { part: () => node.part(), plan: () => ({ ...planOf(node), detail: text }) };
}

function planOf(node: Node): PlanStep {
  const own = node.describe();
  return { operator: "where", ...estimate(own.estimatedRows, own.estimatedMs * 1e6), inputs: [own] };
}

/** A condition on one kind of structure, or on several. */
type Node = OfStructures | OfTokens;

interface OfStructures {
  kind: "structures";
  index: StructureIndex;
  condition: Condition;
  part(): Subcorpus;
  describe(): PlanStep;
}

interface OfTokens {
  kind: "tokens";
  part(): Subcorpus;
  describe(): PlanStep;
}

function compile(snapshot: Snapshot, where: Where, text: string): Node {
  switch (where.kind) {
    case "test": {
      const own = text.slice(...where.span);
      const { checkpoint } = snapshot.pool;
      const dimension = computedDimension(snapshot, where.name);
      if (dimension && !hasAttribute(snapshot, where.name)) {
        const ofUnits = structureIndex(snapshot, snapshot.structure(spaceOf(snapshot)!.info.unit));
        return ofStructures(ofUnits, computedCondition(ofUnits, dimension, where, own, checkpoint));
      }
      const { structure, attribute } = resolveName(snapshot, where);
      const index = structureIndex(snapshot, structure);
      return ofStructures(index, testCondition(index, attribute, where, own, checkpoint));
    }
    case "not":
      return negated(snapshot, compile(snapshot, where.item, text));
    case "and":
    case "or": {
      const items = grouped(
        where.kind,
        where.items.map((item) => compile(snapshot, item, text)),
      );
      return items.length === 1 ? items[0] : together(snapshot, where.kind, items);
    }
  }
}

function hasAttribute(snapshot: Snapshot, name: string): boolean {
  return snapshot.structures.some(({ attributes }) => attributes.some((one) => one.name === name));
}

function ofStructures(index: StructureIndex, condition: Condition): OfStructures {
  return {
    kind: "structures",
    index,
    condition,
    part: () => tokensOf(index, condition),
    describe: () => condition.describe(),
  };
}

function negated(snapshot: Snapshot, node: Node): Node {
  if (node.kind === "structures") return ofStructures(node.index, notCondition(node.index, node.condition));
  return {
    kind: "tokens",
    part: () => differenceOf(snapshot, whole(snapshot), node.part()),
    describe: () => {
      const own = node.describe();
      return { operator: "the rest", ...estimate(own.estimatedRows, own.estimatedMs * 1e6), inputs: [own] };
    },
  };
}

/** Those on the same kind of structure become one. */
function grouped(kind: "and" | "or", items: Node[]): Node[] {
  const byIndex = new Map<StructureIndex, Condition[]>();
  const others: Node[] = [];
  for (const item of items) {
    if (item.kind === "tokens") others.push(item);
    else byIndex.set(item.index, [...(byIndex.get(item.index) ?? []), item.condition]);
  }
  const combine = kind === "and" ? andCondition : orCondition;
  const own = [...byIndex].map(([index, conditions]) =>
    ofStructures(index, conditions.length === 1 ? conditions[0] : combine(index, conditions)),
  );
  return [...own, ...others];
}

function together(snapshot: Snapshot, kind: "and" | "or", items: Node[]): OfTokens {
  return {
    kind: "tokens",
    part: () => {
      const parts = items.map((item) => item.part());
      if (kind === "or") return unionOf(snapshot, parts);
      return parts.reduce((a, b) => intersectionOf(snapshot, a, b));
    },
    describe: () => {
      const inputs = items.map((item) => item.describe());
      const rows = inputs.map(({ estimatedRows }) => estimatedRows);
      return {
        operator: kind === "or" ? "ranges of any" : "ranges in all",
        estimatedRows: kind === "or" ? rows.reduce((a, b) => a + b) : Math.max(...rows),
        estimatedMs: inputs.reduce((sum, { estimatedMs }) => sum + estimatedMs, 0),
        inputs,
      };
    },
  };
}

export function whole(snapshot: Snapshot): Subcorpus {
  return Subcorpus.of(snapshot, { begins: Float64Array.of(0), ends: Float64Array.of(snapshot.tokens) });
}

/** The tokens whose innermost structure meets a condition; and those in none, where it holds for these. */
function tokensOf(index: StructureIndex, condition: Condition): Subcorpus {
  const { snapshot } = index;
  const parts = snapshot.segments.map((segment, at) => {
    snapshot.pool.checkpoint();
    const kept = condition.holds(at);
    const own = index.isFlat(at)
      ? flatRanges(index, at, kept, condition.outside)
      : paintedRanges(index, at, kept, condition.outside, segment.tokens);
    return Subcorpus.of(snapshot, own.ranges, own.count);
  });
  return Subcorpus.ofParts(snapshot, parts);
}

interface Found {
  ranges: Ranges;
  count: number;
}

function flatRanges(index: StructureIndex, at: number, kept: Uint8Array, outside: boolean): Found {
  const { snapshot } = index;
  const { start, begins, ends, count } = index.pieces(at);
  const room = outside ? count * 2 + 1 : count;
  const ranges = { begins: positionColumn(snapshot, room), ends: positionColumn(snapshot, room) };
  let own = 0;
  let reached = 0;
  const add = (from: number, to: number) => {
    ranges.begins[own] = start + from;
    ranges.ends[own++] = start + to;
  };
  for (let i = 0; i < count; i++) {
    if (outside && begins[i] > reached) add(reached, begins[i]);
    if (kept[i]) add(begins[i], ends[i]);
    reached = ends[i];
  }
  const { tokens } = snapshot.segments[at];
  if (outside && tokens > reached) add(reached, tokens);
  return { ranges, count: own };
}

/** In the order in which they open: what an inner structure says rules inside it. */
function paintedRanges(
  index: StructureIndex,
  at: number,
  kept: Uint8Array,
  outside: boolean,
  tokens: number,
): Found {
  const { snapshot } = index;
  const { start, begins, ends, count } = index.pieces(at);
  const holds = new Uint8Array(tokens + 1).fill(outside ? 1 : 0);
  for (let i = 0; i < count; i++) holds.fill(kept[i], begins[i], Math.min(tokens, ends[i]));
  holds[tokens] = 0;
  const found: number[] = [];
  for (let i = 0; i <= tokens; i++) if (holds[i] !== (i === 0 ? 0 : holds[i - 1])) found.push(start + i);
  const own = found.length >> 1;
  const ranges = { begins: positionColumn(snapshot, own), ends: positionColumn(snapshot, own) };
  for (let i = 0; i < own; i++) {
    ranges.begins[i] = found[i * 2];
    ranges.ends[i] = found[i * 2 + 1];
  }
  return { ranges, count: own };
}
