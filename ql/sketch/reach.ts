/**
 * How far a grammar's matches look: what was found in a corpus stays as it is when text is appended, but for matches that look
 * over the end of what was there. A match inside one structure does not, since structures end where their text does; another
 * looks so many tokens ahead as its query has, and a boundary or a lookahead at its end one more.
 *
 * Some queries depend on all of the corpus (how frequent a value is, ws(), `cut`), or reach who knows how far: nothing is said of them,
 * and their sketches are computed anew.
 */
import type { Condition, Expression, Filter, Query, Where } from "../cql/ast.js";
import { limits as planLimits } from "../plan/limits.js";
import type { SketchGrammar } from "./grammar.js";

/** Tokens from the beginning of a match to what it looks at last, at most; 0: it never looks over the end of a text. */
export function reachOf({ relations, structure }: SketchGrammar): number | undefined {
  let furthest = 0;
  for (const { queries } of relations)
    for (const { query } of queries) {
      const reach = reachOfQuery(query, structure !== undefined);
      if (reach === undefined || reach === Number.POSITIVE_INFINITY) return undefined;
      furthest = Math.max(furthest, reach);
    }
  return furthest;
}

/** Tokens that something takes; does it look at the one behind the last? */
interface Extent {
  min: number;
  max: number;
  looksOn: boolean;
}

function reachOfQuery(query: Query, isEnclosed: boolean): number | undefined {
  if (query.strategy && query.strategy !== "all") return undefined;
  if (query.expand || query.cut !== undefined) return undefined;
  if (query.where && !isLocalWhere(query.where)) return undefined;
  const { filters } = query;
  const extents = [extentOf(query.expression), ...filters.map(extentOfFilter)];
  if (extents.some((extent) => extent === undefined)) return undefined;
  const within = filters.some((filter) => filter.kind === "within" && !filter.negated && isStructure(filter));
  const looksOn = extents.some((extent) => extent!.looksOn);
  if ((isEnclosed || within) && !looksOn) return 0;
  return extents[0]!.max + 1;
}

function isStructure({ scope }: Extract<Filter, { kind: "within" }>): boolean {
  return scope.kind === "structures" || (scope.kind === "matches" && scope.expression.kind === "structure");
}

const nothing: Extent = { min: 0, max: 0, looksOn: false };

function extentOfFilter({ kind, scope }: Filter): Extent | undefined {
  switch (scope.kind) {
    case "structures":
    case "tokens":
      return nothing;
    case "matches":
      if (kind === "within" && scope.expression.kind !== "structure") return undefined;
      return extentOf(scope.expression);
    default:
      return undefined;
  }
}

function extentOf(expression: Expression): Extent | undefined {
  switch (expression.kind) {
    case "token":
      return isLocal(expression.condition) ? { min: 1, max: 1, looksOn: false } : undefined;
    case "lookahead":
      return isLocal(expression.condition) ? { ...nothing, looksOn: true } : undefined;
    case "boundary":
      return { ...nothing, looksOn: true };
    case "structure":
      return { min: 0, max: Number.POSITIVE_INFINITY, looksOn: false };
    case "labelled":
      return extentOf(expression.item);
    case "sequence":
      return all(expression.items, (a, b) => ({
        min: a.min + b.min,
        max: a.max + b.max,
        looksOn: b.looksOn || (a.looksOn && b.min === 0),
      }));
    case "alternation":
      return all(expression.items, (a, b) => ({
        min: Math.min(a.min, b.min),
        max: Math.max(a.max, b.max),
        looksOn: a.looksOn || b.looksOn,
      }));
    case "repeat": {
      const item = extentOf(expression.item);
      // Without an end: as many rounds as are ever tried.
      const rounds = expression.max ?? planLimits.gapMaxOfStrategies;
      return item && { ...item, min: item.min * expression.min, max: item.max === 0 ? 0 : item.max * rounds };
    }
    case "edge":
      // Whether a head has no dependant, or one over others, tokens outside the match may decide.
      if (expression.negated || expression.depth === "any") return undefined;
      return all([expression.head, expression.dependant], (a, b) => ({
        min: Math.min(a.min, b.min),
        max: Number.POSITIVE_INFINITY,
        looksOn: a.looksOn || b.looksOn,
      }));
    default:
      return undefined;
  }
}

function all(items: Expression[], join: (a: Extent, b: Extent) => Extent): Extent | undefined {
  return items.map(extentOf).reduce((a, b) => (a && b ? join(a, b) : undefined));
}

/** Does it ask only of the token what will stay so? */
function isLocal(condition: Condition | undefined): boolean {
  switch (condition?.kind) {
    case undefined:
    case "attribute":
    case "set":
    case "position":
    case "sameToken":
    case "bound":
      return true;
    case "measure":
      return condition.measure.measure !== "f";
    case "and":
    case "or":
      return condition.items.every(isLocal);
    case "not":
      return isLocal(condition.item);
    case "implies":
      return isLocal(condition.left) && isLocal(condition.right);
    default:
      return false;
  }
}

function isLocalWhere(where: Where): boolean {
  switch (where.kind) {
    case "compare":
      return [where.left, where.right].every((side) => side.kind !== "labelMeasure" || side.measure !== "f");
    case "labelBound":
      return true;
    case "and":
    case "or":
      return where.items.every(isLocalWhere);
    case "not":
      return isLocalWhere(where.item);
    case "implies":
      return isLocalWhere(where.left) && isLocalWhere(where.right);
  }
}
