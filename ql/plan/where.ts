/** Conditions across labels: 1.tag = 2.tag & distance(1,2) < 6. Computed for one way to match at a time. */
import type { Attribute, Snapshot } from "../../storage/index.js";
import type { Comparison, Operand, Value, Where } from "../cql/ast.js";
import type { Ground } from "../match/ground.js";
import type { Conditions } from "../match/query.js";
import type { Bindings } from "../match/source.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import { keepAll } from "./keep.js";
import { attributeOrStructure, findStructure, isStructural, type StructureAttribute } from "./names.js";
import { checkExact, compare, measured, testOfValue, type ValueOptions } from "./values.js";

/** Where a label is in a match; undefined: nowhere. */
type Place = (begin: number, end: number, labels: Bindings) => number | undefined;

function placeOf(label: string): Place {
  if (label === "match") return (begin) => begin;
  if (label === "matchend") return (_, end) => end - 1;
  return (_begin, _end, labels) => labels[label]?.[0];
}

export class WhereCompiler {
  constructor(
    readonly ground: Ground,
    readonly options: ValueOptions,
  ) {}

  get snapshot(): Snapshot {
    return this.ground.snapshot;
  }

  compile(where: Where): Conditions {
    switch (where.kind) {
      case "and": {
        const all = where.items.map((item) => this.compile(item));
        return (...match) => all.every((test) => test(...match));
      }
      case "or": {
        const all = where.items.map((item) => this.compile(item));
        return (...match) => all.some((test) => test(...match));
      }
      case "not": {
        const test = this.compile(where.item);
        return (...match) => !test(...match);
      }
      case "implies": {
        const [left, right] = [this.compile(where.left), this.compile(where.right)];
        return (...match) => !left(...match) || right(...match);
      }
      case "labelBound":
        return this.#bound(where);
      case "compare":
        return this.#compare(where.left, where.comparison, where.right);
    }
  }

  #bound(where: Extract<Where, { kind: "labelBound" }>): Conditions {
    const index = structureIndex(this.snapshot, findStructure(this.snapshot, where.structure, where.span));
    const place = placeOf(where.label);
    const edge = where.edge === "start" ? "start" : "last";
    return (...match) => {
      const at = place(...match);
      return at !== undefined && isEdge(this.ground, index, edge, at);
    };
  }

  /** No comparison holds of a label that nothing is bound to, != as little as the others. */
  #compare(left: Operand, comparison: Comparison, right: Operand): Conditions {
    const places = [...labelsIn(left), ...labelsIn(right)].map(placeOf);
    const isBound: Conditions = (...match) => places.every((place) => place(...match) !== undefined);
    const test = this.#compareBound(left, comparison, right);
    return (...match) => isBound(...match) && test(...match);
  }

  #compareBound(left: Operand, comparison: Comparison, right: Operand): Conditions {
    if (right.kind === "value") return this.#compareValue(left, comparison, right.value);
    const same = this.#sameAttribute(left, comparison, right);
    if (same) return same;
    const [a, b] = [this.#operand(left), this.#operand(right)];
    return (...match) => {
      const [x, y] = [a(...match), b(...match)];
      if (isNumber(x) || isNumber(y)) return compare(asNumber(x), comparison, asNumber(y));
      if (comparison === "=" || comparison === "!=")
        return (x !== undefined && x === y) === (comparison === "=");
      return (
        x !== undefined &&
        y !== undefined &&
        testOfValue({ kind: "literal", string: y }, comparison, this.options)(x)
      );
    };
  }

  /** Two tokens' values of one attribute are the same if their ids are. */
  #sameAttribute(left: Operand, comparison: Comparison, right: Operand): Conditions | undefined {
    if (left.kind !== "labelAttribute" || right.kind !== "labelAttribute") return undefined;
    if (left.attribute !== right.attribute || (comparison !== "=" && comparison !== "!=")) return undefined;
    const attribute = attributeOrStructure(this.snapshot, left.attribute, false, left.span);
    if (isStructural(attribute)) return undefined;
    const [a, b] = [placeOf(left.label), placeOf(right.label)];
    const ids = new IdReader(this.ground, attribute);
    return (...match) => {
      const [x, y] = [ids.at(a(...match)!), ids.at(b(...match)!)];
      return (x >= 0 && x === y) === (comparison === "=");
    };
  }

  #compareValue(left: Operand, comparison: Comparison, value: Value): Conditions {
    const isEqual = comparison === "=" || comparison === "!=";
    const test = testOfValue(value, isEqual ? undefined : comparison, this.options);
    const known = new Map<string, boolean>();
    const passes = (string: string) => {
      let passed = known.get(string);
      if (passed === undefined) {
        passed = test(string);
        if (known.size < 100_000) known.set(string, passed);
      }
      return passed;
    };
    const strings = this.#strings(left);
    return (...match) => strings(...match).some(passes) !== (comparison === "!=");
  }

  /** What is compared with a pattern: of a multi-value attribute, any of its values. */
  #strings(operand: Operand): (...match: Parameters<Conditions>) => string[] {
    if (operand.kind !== "labelAttribute") {
      const value = this.#operand(operand);
      return (...match) => [String(value(...match))];
    }
    const found = attributeOrStructure(this.snapshot, operand.attribute, false, operand.span);
    const separator = isStructural(found)
      ? found.structure.attributes.find(({ name }) => name === found.attribute)?.separator
      : found.config.separator;
    const value = this.#value(found);
    const place = placeOf(operand.label);
    return (...match) => {
      const string = value(place(...match)!);
      if (string === undefined) return [];
      if (separator === undefined || !string.includes(separator)) return [string];
      return string.split(separator).filter((part) => part !== "");
    };
  }

  #operand(operand: Operand): (...match: Parameters<Conditions>) => string | number | bigint | undefined {
    switch (operand.kind) {
      case "number":
        checkExact(operand.number, operand.span);
        return () => operand.number;
      case "distance": {
        const [a, b] = [placeOf(operand.left), placeOf(operand.right)];
        return (...match) => {
          const distance = b(...match)! - a(...match)!;
          return operand.absolute ? Math.abs(distance) : distance;
        };
      }
      case "labelAttribute": {
        const value = this.#value(
          attributeOrStructure(this.snapshot, operand.attribute, false, operand.span),
        );
        const place = placeOf(operand.label);
        return (...match) => value(place(...match)!);
      }
      case "labelMeasure": {
        const place = placeOf(operand.label);
        const found = attributeOrStructure(this.snapshot, operand.attribute, false, operand.span);
        const { measure } = operand;
        if (measure === "f" && !isStructural(found)) {
          const ids = new IdReader(this.ground, found);
          const { frequencies } = found.lexicon;
          return (...match) => frequencies[ids.at(place(...match)!)] ?? Number.NaN;
        }
        const value = this.#value(found);
        return (...match) => {
          const string = value(place(...match)!);
          return string === undefined || measure === "f" ? Number.NaN : measured(string, measure);
        };
      }
      case "value":
        throw new Error("a value stands only on the right");
    }
  }

  #value(found: Attribute | StructureAttribute): (position: number) => string | undefined {
    if (isStructural(found)) {
      const { structure, attribute } = found;
      return (position) => {
        const number = structure.containing(position);
        return number < 0 ? undefined : structure.value(number, attribute);
      };
    }
    const ids = new IdReader(this.ground, found);
    return (position) => {
      const id = ids.at(position);
      return id < 0 ? undefined : found.lexicon.string(id);
    };
  }
}

/** Single ids, read some thousand at a time where they lie near each other. */
class IdReader {
  constructor(
    readonly ground: Ground,
    readonly attribute: Attribute,
  ) {}

  /** −1 behind the last token: a label of zero tokens may be there. */
  at(position: number): number {
    if (position >= this.ground.tokens) return -1;
    const segment = this.ground.snapshot.segments[this.ground.segmentAt(position)];
    return segment.stream(this.attribute).at(position - segment.start);
  }
}

function isEdge(ground: Ground, index: StructureIndex, edge: "start" | "last", position: number): boolean {
  const { segments } = ground.snapshot;
  for (
    let at = ground.firstTouching(position);
    at < segments.length && segments[at].start <= position;
    at++
  ) {
    const { start } = segments[at];
    if (index.edges(at, edge, true, keepAll).includes(position - start)) return true;
  }
  return false;
}

function isNumber(value: string | number | bigint | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function asNumber(value: string | number | bigint | undefined): number | bigint {
  return isNumber(value) ? value : measured(value ?? "", "int");
}

function labelsIn(operand: Operand): string[] {
  if (operand.kind === "distance") return [operand.left, operand.right];
  return "label" in operand ? [operand.label] : [];
}
