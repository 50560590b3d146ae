/** What an expression says before it is compiled, and what it is turned into. */
import type { Condition, Edge, Expression } from "../cql/ast.js";
import type { Pattern } from "./pattern.js";
import { conjunction, type Test } from "./tests.js";

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
    value: { kind: "pattern", pattern: relation },
    span: e.span,
  };
  const asked: Expression = {
    ...token,
    condition: token.condition ? { kind: "and", items: [token.condition, deprel] } : deprel,
  };
  return { dependant: dependant.kind === "labelled" ? { ...dependant, item: asked } : asked };
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
