/**
 * A pattern reduced to what decides which strings it matches: groups, flags and spellings are gone, case is written
 * out as sets, and a backreference is replaced by something that matches at least as much.
 */
import {
  anyCode,
  type CodeSet,
  caseVariants,
  codeSet,
  isAny,
  onlyCode,
  withCases,
  withoutMarks,
  withoutMarksSet,
} from "./codes.js";
import { hasBackreference, type PatternNode, resolveSet } from "./syntax.js";

export type Shape =
  /** The empty string. */
  | { kind: "empty" }
  /** No string at all. */
  | { kind: "nothing" }
  /** This string, which is not empty and is well-formed. */
  | { kind: "text"; text: string }
  /** One code point of a set that has several. */
  | { kind: "set"; codes: CodeSet }
  | { kind: "sequence"; items: Shape[] }
  | { kind: "alternation"; items: Shape[] }
  | { kind: "repeat"; item: Shape; min: number; max: number }
  | { kind: "lookahead"; negated: boolean; item: Shape }
  | { kind: "start" }
  | { kind: "end" };

export interface ShapeOptions {
  /** Compare without combining marks: values are given without theirs. */
  ignoreDiacritics?: boolean;
  /** Called for each alternative; what it throws ends it. */
  look?: () => void;
}

const empty: Shape = { kind: "empty" };
const nothing: Shape = { kind: "nothing" };
const any: Shape = { kind: "set", codes: anyCode };
const anything: Shape = { kind: "repeat", item: any, min: 0, max: Number.POSITIVE_INFINITY };

/** The shape of a pattern, to be matched with whole values. */
export function shapeOf(
  node: PatternNode,
  { ignoreDiacritics = false, look = () => {} }: ShapeOptions = {},
): Shape {
  const groups = new Map<number, PatternNode>();
  if (hasBackreference(node)) collectGroups(node, groups);
  const shape = new Shaper(ignoreDiacritics, groups, look).shape(node, false);
  return withoutEdge(withoutEdge(shape, "start"), "end");
}

function collectGroups(node: PatternNode, groups: Map<number, PatternNode>): void {
  if (node.kind === "group") groups.set(node.number, node.item);
  if ("items" in node) for (const item of node.items) collectGroups(item, groups);
  else if ("item" in node) collectGroups(node.item, groups);
}

class Shaper {
  constructor(
    readonly ignoreDiacritics: boolean,
    readonly groups: Map<number, PatternNode>,
    readonly look: () => void,
  ) {}

  /** `folded`: case is ignored whatever the node says. */
  shape(node: PatternNode, folded: boolean): Shape {
    switch (node.kind) {
      case "literal":
        return literalShape(
          this.ignoreDiacritics ? withoutMarks(node.text) : node.text,
          folded || node.ignoreCase,
        );
      case "any":
        return any;
      case "set":
        return setShape(
          setCodes(node, this.ignoreDiacritics, folded),
          onlyMarks(node, this.ignoreDiacritics),
        );
      case "sequence":
        return sequenceOf(node.items.map((item) => this.shape(item, folded)));
      case "alternation":
        return alternationOf(
          node.items.map((item) => {
            this.look();
            return this.shape(item, folded);
          }),
        );
      case "repeat":
        return repeatOf(this.shape(node.item, folded), node.min, node.max);
      case "group":
        return this.shape(node.item, folded);
      case "lookahead":
        // What matches too much must not be negated: the condition is left out.
        if (node.negated && this.groups.size > 0 && hasBackreference(node.item)) return empty;
        return lookaheadOf(this.shape(node.item, folded), node.negated);
      case "anchor":
        return { kind: node.edge };
      case "backreference":
        return this.#repetition(node.group, folded || node.ignoreCase);
    }
  }

  /** What a group may have matched, without the conditions it was under; or nothing, if it took no part. */
  #repetition(group: number, folded: boolean): Shape {
    const item = this.groups.get(group)!;
    if (hasBackreference(item)) return anything;
    return alternationOf([empty, withoutConditions(this.shape(item, folded))]);
  }
}

/** The code points of a class as values are compared with it. */
export function setCodes(
  node: Extract<PatternNode, { kind: "set" }>,
  ignoreDiacritics: boolean,
  folded = false,
): CodeSet {
  return resolveSet(node, (codes) => {
    const bare = ignoreDiacritics ? withoutMarksSet(codes) : codes;
    return folded || node.ignoreCase ? withCases(bare) : bare;
  });
}

/** A class of nothing but combining marks, where they are ignored, stands for the empty string. */
export function onlyMarks(node: Extract<PatternNode, { kind: "set" }>, ignoreDiacritics: boolean): boolean {
  if (!ignoreDiacritics || node.negated || node.members.length === 0) return false;
  return node.members.every(
    ({ codes, negated }) => !negated && codes.length > 0 && withoutMarksSet(codes).length === 0,
  );
}

function setShape(codes: CodeSet, marks: boolean): Shape {
  if (marks) return empty;
  if (codes.length === 0) return nothing;
  const only = onlyCode(codes);
  if (only >= 0) return { kind: "text", text: String.fromCodePoint(only) };
  return isAny(codes) ? any : { kind: "set", codes };
}

function literalShape(text: string, ignoreCase: boolean): Shape {
  if (text === "") return empty;
  if (!ignoreCase) return !/\p{Surrogate}/u.test(text) ? { kind: "text", text } : nothing;
  const items = [...text].map((character): Shape => {
    const code = character.codePointAt(0)!;
    if (code >= 0xd800 && code <= 0xdfff) return nothing;
    const variants = caseVariants(code);
    if (variants.length === 1) return { kind: "text", text: character };
    return { kind: "set", codes: codeSet(variants.flatMap((variant) => [variant, variant])) };
  });
  return sequenceOf(items);
}

export function sequenceOf(given: Shape[]): Shape {
  const items: Shape[] = [];
  for (const item of given) {
    if (item.kind === "nothing") return nothing;
    if (item.kind === "empty") continue;
    for (const part of item.kind === "sequence" ? item.items : [item]) {
      const last = items.at(-1);
      if (last?.kind === "text" && part.kind === "text") {
        items[items.length - 1] = { kind: "text", text: last.text + part.text };
      } else items.push(part);
    }
  }
  return items.length === 0 ? empty : items.length === 1 ? items[0] : { kind: "sequence", items };
}

export function alternationOf(given: Shape[]): Shape {
  const items: Shape[] = [];
  let hasEmpty = false;
  for (const item of given) {
    for (const part of item.kind === "alternation" ? item.items : [item]) {
      if (part.kind === "nothing" || (part.kind === "empty" && hasEmpty)) continue;
      if (part.kind === "empty") hasEmpty = true;
      items.push(part);
    }
  }
  return items.length === 0 ? nothing : items.length === 1 ? items[0] : { kind: "alternation", items };
}

function repeatOf(item: Shape, min: number, max: number): Shape {
  if (max === 0 || item.kind === "empty") return empty;
  if (item.kind === "nothing") return min === 0 ? empty : nothing;
  if (min === 1 && max === 1) return item;
  return { kind: "repeat", item, min, max };
}

function lookaheadOf(item: Shape, negated: boolean): Shape {
  if (item.kind === "nothing") return negated ? empty : nothing;
  if (item.kind === "empty") return negated ? nothing : empty;
  return { kind: "lookahead", negated, item };
}

/** Without lookaheads and anchors: matches at least as much. */
function withoutConditions(shape: Shape): Shape {
  switch (shape.kind) {
    case "lookahead":
    case "start":
    case "end":
      return empty;
    case "sequence":
      return sequenceOf(shape.items.map(withoutConditions));
    case "alternation":
      return alternationOf(shape.items.map(withoutConditions));
    case "repeat":
      return repeatOf(withoutConditions(shape.item), shape.min, shape.max);
    default:
      return shape;
  }
}

/** Drops an anchor where it says nothing: ^ at the very beginning, $ at the very end. */
function withoutEdge(shape: Shape, edge: "start" | "end"): Shape {
  if (shape.kind === edge) return empty;
  if (shape.kind === "alternation") {
    return shape.items.some((item) => item.kind !== "text")
      ? alternationOf(shape.items.map((item) => withoutEdge(item, edge)))
      : shape;
  }
  if (shape.kind !== "sequence") return shape;
  const items = shape.items.slice();
  const at = edge === "start" ? 0 : items.length - 1;
  items[at] = withoutEdge(items[at], edge);
  return sequenceOf(items);
}
