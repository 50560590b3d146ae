/**
 * Conditions across labels that come down to one token, or to two at a fixed distance, become conditions of that token:
 * then they are told by the lexicon, or by comparing streams, and not match by match.
 *
 *   1:[tag="ADJ"] 2:[] & f(1.lemma) < 10      1:[tag="ADJ" & f(lemma) < 10] 2:[]
 *   1:[] 2:[] & 1.word = 2.word               1:[word is that of the next token] 2:[]
 *
 * A label qualifies if every match binds it, once, to one token.
 */
import type { Condition, Expression, Labelled, Operand, Query, Token, Where } from "../cql/ast.js";

/** The token has the same value of an attribute as the one `distance` tokens behind it. Made here, never written. */
export interface SameFurtherOn {
  kind: "sameFurtherOn";
  attribute: string;
  distance: number;
  negated: boolean;
}

export type PushedCondition = Condition | SameFurtherOn;

interface Place {
  token: Token;
  /** Tokens before it, at least and at most. */
  min: number;
  max: number;
}

export function pushConditions(query: Query): Query {
  if (!query.where) return query;
  const places = placesOf(query.expression);
  const pushed = new Map<Token, PushedCondition[]>();
  const rest: Where[] = [];
  for (const part of query.where.kind === "and" ? query.where.items : [query.where]) {
    const target = pushOne(part, places);
    if (!target) rest.push(part);
    else pushed.set(target.token, [...(pushed.get(target.token) ?? []), target.condition]);
  }
  if (pushed.size === 0) return query;
  const { where: _, ...others } = query;
  const where: Where | undefined = rest.length > 1 ? { kind: "and", items: rest } : rest[0];
  return { ...others, expression: rebuilt(query.expression, pushed), ...(where && { where }) };
}

/** Tokens that every match binds a label to, once. */
function placesOf(expression: Expression): Map<string, Place> {
  const places = new Map<string, Place>();
  const repeated = new Set<string>();
  const walk = (e: Expression, min: number, max: number): { min: number; max: number } => {
    if (e.kind === "sequence") {
      let at = { min, max };
      for (const item of e.items) at = walk(item, at.min, at.max);
      return at;
    }
    if (e.kind === "labelled") {
      if (places.has(e.label)) repeated.add(e.label);
      if (e.item.kind === "token") places.set(e.label, { token: e.item, min, max });
      else repeated.add(e.label);
      return e.item.kind === "token" ? { min: min + 1, max: max + 1 } : walkInside(e.item, min, max);
    }
    return walkInside(e, min, max);
  };
  /** Labels further inside may be bound several times, or not at all. */
  const walkInside = (e: Expression, min: number, max: number): { min: number; max: number } => {
    for (const label of labelsIn(e)) repeated.add(label);
    const lengths = lengthsOf(e);
    return { min: min + lengths.min, max: max + lengths.max };
  };
  walk(expression, 0, 0);
  for (const label of repeated) places.delete(label);
  return places;
}

function labelsIn(e: Expression): string[] {
  switch (e.kind) {
    case "labelled":
      return [e.label, ...labelsIn(e.item)];
    case "sequence":
    case "alternation":
    case "union":
    case "tab":
      return e.items.flatMap(labelsIn);
    case "repeat":
    case "complement":
      return labelsIn(e.item);
    case "meet":
      return [...labelsIn(e.item), ...labelsIn(e.other)];
    case "edge":
      return [...labelsIn(e.head), ...labelsIn(e.dependant)];
    case "filtered":
      return labelsIn(e.query.expression);
    default:
      return [];
  }
}

function lengthsOf(e: Expression): { min: number; max: number } {
  switch (e.kind) {
    case "token":
      return { min: 1, max: 1 };
    case "boundary":
    case "lookahead":
      return { min: 0, max: 0 };
    case "labelled":
      return lengthsOf(e.item);
    case "sequence":
      return e.items.map(lengthsOf).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }));
    case "repeat": {
      const { min, max } = lengthsOf(e.item);
      return { min: min * e.min, max: max === 0 ? 0 : max * (e.max ?? Number.POSITIVE_INFINITY) };
    }
    default:
      return { min: 0, max: Number.POSITIVE_INFINITY };
  }
}

function pushOne(
  where: Where,
  places: Map<string, Place>,
): { token: Token; condition: PushedCondition } | undefined {
  if (where.kind !== "compare") return undefined;
  const { left, comparison, right } = where;
  const at = placeOf(left, places);
  if (!at) return undefined;
  if (left.kind === "labelMeasure" && right.kind === "number") {
    const { measure, attribute } = left;
    return {
      token: at.token,
      condition: {
        kind: "measure",
        measure: { measure, attribute, span: left.span },
        comparison,
        number: right.number,
      },
    };
  }
  if (left.kind !== "labelAttribute") return undefined;
  const equality = comparison === "=" || comparison === "!=";
  if (right.kind === "value") {
    return {
      token: at.token,
      condition: {
        kind: "attribute",
        attribute: left.attribute,
        negated: comparison === "!=",
        ...(comparison !== "=" && comparison !== "!=" && { order: comparison }),
        value: right.value,
        span: left.span,
      },
    };
  }
  const other = placeOf(right, places);
  if (right.kind !== "labelAttribute" || !other || !equality || left.attribute !== right.attribute)
    return undefined;
  const [first, second] = at.min <= other.min ? [at, other] : [other, at];
  const distance = second.min - first.min;
  if (distance === 0 || second.max - first.max !== distance) return undefined;
  return {
    token: first.token,
    condition: { kind: "sameFurtherOn", attribute: left.attribute, distance, negated: comparison === "!=" },
  };
}

/** An expression as it can be shown, with what was added to it in words. */
export function shown<Node>(node: Node): Node {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map(shown) as Node;
  if ((node as { kind?: string }).kind === "sameFurtherOn") {
    const { attribute, distance, negated } = node as unknown as SameFurtherOn;
    const right = `${attribute || "value"} ${distance} further on`;
    return {
      kind: "sameToken",
      left: `${attribute || "value"} `,
      right: ` ${right}`,
      comparison: negated ? "!=" : "=",
    } as Node;
  }
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, shown(part)])) as Node;
}

function placeOf(operand: Operand, places: Map<string, Place>): Place | undefined {
  return "label" in operand ? places.get(operand.label) : undefined;
}

/** The same expression with conditions added to some tokens. Only sequences and labels stand above those. */
function rebuilt(e: Expression, pushed: Map<Token, PushedCondition[]>): Expression {
  if (e.kind === "sequence") return { ...e, items: e.items.map((item) => rebuilt(item, pushed)) };
  if (e.kind === "labelled") return { ...e, item: rebuilt(e.item, pushed) } as Labelled;
  const more = e.kind === "token" ? pushed.get(e) : undefined;
  if (!more) return e;
  const items = [
    ...((e as Token).condition ? [(e as Token).condition as Condition] : []),
    ...(more as Condition[]),
  ];
  return { ...(e as Token), condition: items.length === 1 ? items[0] : { kind: "and", items } };
}
