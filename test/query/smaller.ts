/** Makes a query that fails smaller, part by part, as long as it still fails. */
import { isDeepStrictEqual } from "node:util";
import type { Query } from "../../ql/cql/ast.js";
import { parse } from "../../ql/cql/parse.js";
import { print } from "../../ql/cql/print.js";
import { withoutSpans } from "../../ql/cql/tree.js";

export function smallest(query: Query, fails: (query: Query) => boolean): Query {
  for (const smaller of simpler(query) as Generator<Query>) {
    if (isQuery(smaller) && fails(smaller)) return smallest(smaller, fails);
  }
  return query;
}

/** Each way to leave something out of a tree: what may be missing, an item of several, or all of a node but one part. */
function* simpler(node: unknown): Generator<unknown> {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) yield node.filter((_, j) => j !== i);
    for (let i = 0; i < node.length; i++) {
      for (const item of simpler(node[i])) yield node.map((other, j) => (j === i ? item : other));
    }
    return;
  }
  const fields = node as Record<string, unknown>;
  const parts = Object.values(fields).flat();
  for (const part of parts) if (typeof part === "object" && part !== null && "kind" in part) yield part;
  for (const key of Object.keys(fields)) {
    if (key === "kind") continue;
    const { [key]: value, ...others } = fields;
    yield others;
    if (value === true) yield { ...fields, [key]: false };
    if (typeof value === "number" && value > 0) yield { ...fields, [key]: value - 1 };
    for (const inner of simpler(value)) yield { ...fields, [key]: inner };
  }
}

/** Not everything that is left is a query: what text can say is. */
function isQuery(tree: Query): boolean {
  try {
    const { query } = parse(print(tree));
    return query !== undefined && isDeepStrictEqual(withoutSpans(query), tree);
  } catch {
    return false;
  }
}
