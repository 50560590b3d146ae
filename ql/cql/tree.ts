/** What can be asked of any syntax tree. */
import type { Expression, Span } from "./ast.js";

/** The tree without spans and without fields that say nothing: two queries that mean the same text are equal then. */
export function withoutSpans<Tree>(tree: Tree): Tree {
  if (Array.isArray(tree)) return tree.map((item) => withoutSpans(item)) as Tree;
  if (typeof tree !== "object" || tree === null) return tree;
  const bare: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(tree)) {
    if (!isSpan(key, value) && value !== undefined) bare[key] = withoutSpans(value);
  }
  return bare as Tree;
}

/** Is a field a place in a text? A list of words may be called so, too. */
export function isSpan(key: string, value: unknown): boolean {
  return /^span$|Span$/.test(key) && Array.isArray(value) && typeof value[0] === "number";
}

/** The first node that lies deeper than so many others, if there is one. Does not recurse: the tree may be of any depth. */
export function nodeBelow(tree: object, depthMax: number): { span?: Span } | undefined {
  const open: object[] = [tree];
  const depths: number[] = [1];
  for (let node = open.pop(); node; node = open.pop()) {
    const depth = depths.pop()!;
    if (depth > depthMax) return node;
    const fields = node as Record<string, unknown>;
    for (const key in fields) {
      const value = fields[key];
      if (typeof value !== "object" || value === null || isSpan(key, value)) continue;
      open.push(value);
      depths.push(Array.isArray(node) ? depth : depth + 1);
    }
  }
  return undefined;
}

/** The expressions that an expression is made of; of ( query ) only what it finds, not what it filters by. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case "sequence":
    case "alternation":
    case "union":
    case "tab":
      return expression.items;
    case "repeat":
    case "labelled":
    case "complement":
      return [expression.item];
    case "meet":
      return [expression.item, expression.other];
    case "edge":
      return [expression.head, expression.dependant];
    case "filtered":
      return [expression.query.expression];
    default:
      return [];
  }
}

/** Those of its parts that a match of the expression has a match of: not what must not be there. */
export function matchedPartsOf(expression: Expression): Expression[] {
  if (expression.kind === "complement") return [];
  if (expression.kind === "meet" && expression.negated) return [expression.item];
  if (expression.kind === "edge" && expression.negated) return [expression.head];
  return partsOf(expression);
}
