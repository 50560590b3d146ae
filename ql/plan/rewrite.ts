/** What an expression says before it is compiled, and what it is turned into. */
import type { Condition, Edge, Expression, Repeat } from "../cql/ast.js";
import { hasTag, type Pattern } from "./pattern.js";
import { type Atom, conjunction, renumbered, type Test } from "./tests.js";

/**
 * An edge to a token: its relation is a condition of that token, and so the lists of deprel can lead to it. What else an
 * edge arrives at is asked for its relation afterwards.
 */
export function withRelation(e: Edge): { dependant: Expression; relation?: string } {
  const { dependant, relation } = e;
  if (relation === undefined) return { dependant };
  const token = dependant.kind === "labelled" ? dependant.item : dependant;
  if (token.kind !== "token") return { dependant, relation };
  const deprel: Condition = {
    kind: "attribute",
    attribute: "deprel",
    negated: false,
    value: { kind: "pattern", pattern: relation, span: e.relationSpan },
    span: e.span,
  };
  const asked: Expression = {
    ...token,
    condition: token.condition ? { kind: "and", items: [token.condition, deprel] } : deprel,
  };
  return { dependant: dependant.kind === "labelled" ? { ...dependant, item: asked } : asked };
}

/**
 * A repeat of a repeat without a maximum comes to one repeat, or to one that may be left out: (A+)* is A*, and so is
 * ((A*)?)*. Its rounds are counted once, and the limit on them is that of one.
 */
export function oneRepeat(e: Repeat): Repeat {
  if (e.item.kind !== "repeat" || e.max === 0) return e;
  const inner = oneRepeat(e.item);
  // Nothing, or so many rounds: several times that is the same.
  if (isOptional(inner) && inner.item.kind === "repeat" && inner.item.max === null) return inner;
  if (inner.max !== null) return e;
  if (e.min === 0 && inner.min > 1) return { kind: "repeat", item: inner, min: 0, max: 1 };
  return { ...inner, min: e.min * inner.min };
}

function isOptional({ min, max }: Repeat): boolean {
  return min === 0 && max === 1;
}

/** Boundaries and nothing else. */
export function isZeroWidth(e: Expression): boolean {
  if (e.kind === "boundary" || e.kind === "lookahead") return true;
  if (e.kind === "labelled" || e.kind === "repeat") return isZeroWidth(e.item);
  return (e.kind === "sequence" || e.kind === "alternation") && e.items.every(isZeroWidth);
}

/** Tokens are tokens: not what stands behind the last one. */
export function onlyTokens(pattern: Pattern, isToken: Test): Pattern {
  switch (pattern.kind) {
    case "token":
      return { kind: "token", test: conjunction([pattern.test, isToken]) };
    case "sequence":
    case "alternation":
      return { kind: pattern.kind, items: pattern.items.map((item) => onlyTokens(item, isToken)) };
    case "repeat":
    case "label":
      return { ...pattern, item: onlyTokens(pattern.item, isToken) };
    default:
      return pattern;
  }
}

/** A part of a pattern with the atoms that it asks, and no others: each would be told of every token. */
export function withOwnAtoms(
  pattern: Pattern,
  atoms: readonly Atom[],
): { pattern: Pattern; atoms: readonly Atom[] } {
  const used: number[] = [];
  const own = (one: Pattern): Pattern => {
    switch (one.kind) {
      case "token":
      case "zero":
      case "tag":
        return { ...one, test: renumbered(one.test, used) };
      case "sequence":
      case "alternation":
        return { kind: one.kind, items: one.items.map(own) };
      case "repeat":
      case "label":
        return { ...one, item: own(one.item) };
      case "jump":
        return one;
    }
  };
  const renamed = own(pattern);
  return { pattern: renamed, atoms: used.map((atom) => atoms[atom]) };
}

/** The same where end tags need not belong to start tags: all matches of the pattern are among its. */
export function withoutPairs(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "tag":
      return { kind: "zero", test: pattern.test };
    case "sequence":
    case "alternation":
      return { kind: pattern.kind, items: pattern.items.map(withoutPairs) };
    case "repeat":
    case "label":
      return { ...pattern, item: withoutPairs(pattern.item) };
    default:
      return pattern;
  }
}

/** The tags of a pattern that begins with a start tag and ends with its end tag, and has no others between them. */
export function outerPair(pattern: Pattern): { start: TagPattern; end: TagPattern } | undefined {
  if (pattern.kind === "label") return outerPair(pattern.item);
  if (pattern.kind !== "sequence") return undefined;
  const [start, end] = [pattern.items[0], pattern.items[pattern.items.length - 1]];
  if (start.kind !== "tag" || end.kind !== "tag") return undefined;
  if (start.edge !== "start" || end.edge !== "end" || start.index !== end.index) return undefined;
  return pattern.items.slice(1, -1).some(hasTag) ? undefined : { start, end };
}

type TagPattern = Extract<Pattern, { kind: "tag" }>;

/** Structures of which an expression has start tags and end tags. */
export function pairedTags(expression: Expression): Set<string> {
  const tags = { start: new Set<string>(), end: new Set<string>() };
  const collect = (e: Expression): void => {
    switch (e.kind) {
      case "boundary":
        tags[e.edge].add(e.structure);
        break;
      case "sequence":
      case "alternation":
        e.items.forEach(collect);
        break;
      case "repeat":
      case "labelled":
        collect(e.item);
    }
  };
  collect(expression);
  return new Set([...tags.start].filter((name) => tags.end.has(name)));
}
