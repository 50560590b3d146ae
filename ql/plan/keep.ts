/** Which structures of a kind a condition keeps: <doc year="199.*" & genre!="news">. */
import type { Structure } from "../../storage/index.js";
import type { StructureCondition, StructureTest } from "../cql/ast.js";
import { isSpan } from "../cql/tree.js";
import type { StructureIndex } from "../match/structures.js";
import type { Notice } from "./errors.js";
import { type Ids, noIds } from "./ids.js";
import { checkStructureAttribute } from "./names.js";
import { idsOfValue, testOfValue, type ValueOptions, valueText } from "./values.js";

/** Of each piece in a segment: is it kept? undefined: all are. */
export interface Keep {
  /** 1 for each piece that is kept. */
  ofSegment(at: number): Uint8Array | undefined;
  /** About how many of all are kept, as a share. */
  share: number;
  /** Tells conditions apart. */
  text: string;
  /** Which of its tests no value of the corpus fits, by their number from left to right. */
  unmet: readonly number[];
}

export const keepAll: Keep = { ofSegment: () => undefined, share: 1, text: "", unmet: [] };

type Predicate = (at: number) => Uint8Array;

export function keepOf(
  index: StructureIndex,
  condition: StructureCondition | undefined,
  options: ValueOptions,
  notices: Notice[] = [],
): Keep {
  if (!condition) return keepAll;
  const text = JSON.stringify(condition, (key, value) => (isSpan(key, value) ? undefined : value));
  // A list comes with its query, and may be another one next time.
  const keep = text.includes('"kind":"list"')
    ? newKeep(index, condition, options, text)
    : index.keep(text, () => newKeep(index, condition, options, text));
  if (keep.unmet.length > 0) {
    const tests = testsOf(condition);
    for (const number of keep.unmet) notices.push(noSuchValue(index, tests[number]));
  }
  return keep;
}

/** From left to right. */
function testsOf(condition: StructureCondition): StructureTest[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.items.flatMap(testsOf);
    case "not":
      return testsOf(condition.item);
    case "implies":
      return [...testsOf(condition.left), ...testsOf(condition.right)];
    case "structureNumber":
      return [];
    case "structureAttribute":
      return [condition];
  }
}

function noSuchValue({ snapshot, structure }: StructureIndex, test: StructureTest): Notice {
  const { attribute, value, order } = test;
  const text = `${attribute}${order ?? "="}${valueText(test)}`;
  return {
    code: "no_such_value",
    message: `no ${structure.name} in ${snapshot.corpus} has ${order ? "a value that compares so" : "such a value"}: ${text}`,
    span: value.span,
  };
}

function newKeep(
  index: StructureIndex,
  condition: StructureCondition,
  options: ValueOptions,
  text: string,
): Keep {
  const tests = testsOf(condition);
  const unmet: number[] = [];
  const { predicate, share } = compile(index, condition, options, (test) => unmet.push(tests.indexOf(test)));
  const cache = new Map<number, Uint8Array>();
  return {
    share,
    text,
    unmet,
    ofSegment: (at) => {
      let kept = cache.get(at);
      if (!kept) {
        kept = predicate(at);
        cache.set(at, kept);
      }
      return kept;
    },
  };
}

interface Compiled {
  predicate: Predicate;
  share: number;
}

function compile(
  index: StructureIndex,
  condition: StructureCondition,
  options: ValueOptions,
  noteUnmet: (test: StructureTest) => void,
): Compiled {
  const part = (item: StructureCondition) => compile(index, item, options, noteUnmet);
  const parts = (items: StructureCondition[]) => items.map(part);
  switch (condition.kind) {
    case "and": {
      const all = parts(condition.items);
      return {
        predicate: (at) => all.map((part) => part.predicate(at)).reduce((a, b) => a.map((x, i) => x & b[i])),
        share: all.reduce((share, part) => share * part.share, 1),
      };
    }
    case "or": {
      const all = parts(condition.items);
      return {
        predicate: (at) => all.map((part) => part.predicate(at)).reduce((a, b) => a.map((x, i) => x | b[i])),
        share: Math.min(
          1,
          all.reduce((share, part) => share + part.share, 0),
        ),
      };
    }
    case "not":
      return not(part(condition.item));
    case "implies": {
      const left = part(condition.left);
      const right = part(condition.right);
      return {
        predicate: (at) => {
          const b = right.predicate(at);
          return left.predicate(at).map((x, i) => (1 - x) | b[i]);
        },
        share: Math.min(1, 1 - left.share + right.share),
      };
    }
    case "structureNumber": {
      const { from, to } = condition;
      return {
        predicate: (at) => {
          const kept = new Uint8Array(index.pieces(at).count);
          for (let i = 0; i < kept.length; i++) {
            const number = index.numberOf(at, i);
            kept[i] = number >= from && number < to ? 1 : 0;
          }
          return kept;
        },
        share: Math.min(1, (to - from) / Math.max(1, index.structure.count)),
      };
    }
    case "structureAttribute":
      return compileTest(index, condition, options, noteUnmet);
  }
}

function not({ predicate, share }: Compiled): Compiled {
  return { predicate: (at) => predicate(at).map((x) => 1 - x), share: 1 - share };
}

function compileTest(
  index: StructureIndex,
  condition: StructureTest,
  options: ValueOptions,
  noteUnmet: (test: StructureTest) => void,
): Compiled {
  const { snapshot, structure } = index;
  const { attribute, value, order, negated, span } = condition;
  checkStructureAttribute(snapshot, structure, attribute, span);
  const lexicon = structure.lexicon(attribute);
  let compiled: Compiled;
  if (lexicon) {
    const ids = structureIds(structure, attribute, (values) => idsOfValue(values, value, order, options));
    if (ids.ids.length === 0 && !ids.negated) noteUnmet(condition);
    compiled = ofIds(index, attribute, ids, lexicon.size, lexicon.frequencies);
  } else {
    const test = testOfValue(value, order, options);
    compiled = ofStrings(index, attribute, test);
  }
  return negated ? not(compiled) : compiled;
}

/** The ids of whole values, for a question about single ones where there are several in a value. */
export function structureIds(
  structure: Structure,
  attribute: string,
  ask: (lexicon: NonNullable<ReturnType<Structure["lexicon"]>>) => Ids,
): Ids {
  const values = structure.values(attribute);
  if (!values) return ask(structure.lexicon(attribute)!);
  return basesOf(values.map, ask(values.lexicon));
}

/** Of single values, or derived ones: the ids they come from. */
export function basesOf(
  map: { of(base: number): Uint32Array; from(derived: number): Uint32Array; baseSize: number; size: number },
  { ids, negated }: Ids,
): Ids {
  const found = new Uint8Array(map.baseSize);
  if (negated) {
    const without = new Set(ids);
    for (let id = 0; id < map.size; id++)
      if (!without.has(id)) for (const base of map.from(id)) found[base] = 1;
  } else for (const id of ids) for (const base of map.from(id)) found[base] = 1;
  const bases: number[] = [];
  for (let base = 0; base < found.length; base++) if (found[base]) bases.push(base);
  return bases.length === 0 ? noIds : { ids: Uint32Array.from(bases), negated: false };
}

function ofIds(
  index: StructureIndex,
  attribute: string,
  set: Ids,
  size: number,
  frequencies: Float64Array,
): Compiled {
  const wanted = new Uint8Array(size + 1);
  for (const id of set.ids) wanted[id + 1] = 1;
  if (set.negated) for (let id = 1; id <= size; id++) wanted[id] = 1 - wanted[id];
  let count = 0;
  for (const id of set.ids) count += frequencies[id];
  const share = Math.min(1, count / Math.max(1, index.structure.count));
  return {
    share: set.negated ? 1 - share : share,
    predicate: (at) => {
      const { count: pieces } = index.pieces(at);
      const kept = new Uint8Array(pieces);
      const structures = index.snapshot.segments[at].structures(index.structure.name);
      if (!structures) return kept;
      // Few values: their lists say where they are. Many: one pass over the column.
      if (!set.negated && set.ids.length <= 16) {
        const block = new Uint32Array(1024);
        for (const id of set.ids) {
          const cursor = structures.withValue(attribute, id);
          for (let got = cursor.fill(block); got > 0; got = cursor.fill(block))
            for (let i = 0; i < got; i++) kept[block[i]] = 1;
        }
        return kept;
      }
      const values = new Uint32Array(pieces);
      structures.valueIds(attribute, 0, pieces, values);
      for (let i = 0; i < pieces; i++) kept[i] = wanted[values[i]];
      return kept;
    },
  };
}

function ofStrings(index: StructureIndex, attribute: string, test: (string: string) => boolean): Compiled {
  return {
    share: 0.5,
    predicate: (at) => {
      const { count } = index.pieces(at);
      const kept = new Uint8Array(count);
      const structures = index.snapshot.segments[at].structures(index.structure.name);
      for (let i = 0; structures && i < count; i++) {
        const value = structures.uniqueValue(i, attribute);
        kept[i] = value !== undefined && test(value) ? 1 : 0;
      }
      return kept;
    },
  };
}
