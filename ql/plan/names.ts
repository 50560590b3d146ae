/** Names in a query meet those of a corpus: attributes, structures, and attributes of structures. */

import { nearestName } from "../../storage/derive/nearest.js";
import { type Attribute, DugongError, type Snapshot, type Structure } from "../../storage/index.js";
import type { Measure, Span } from "../cql/ast.js";
import { QueryError } from "./errors.js";

export interface StructureAttribute {
  structure: Structure;
  attribute: string;
}

/** The positional attribute of that name; "" is the default one. */
export function findAttribute(snapshot: Snapshot, name: string, span?: Span): Attribute {
  return located(span, () => (name === "" ? snapshot.defaultAttribute : snapshot.attribute(name)));
}

export function findStructure(snapshot: Snapshot, name: string, span?: Span): Structure {
  return located(span, () => snapshot.structure(name));
}

/** Is there an attribute of that name, or is it structure_attribute? */
export function attributeOrStructure(
  snapshot: Snapshot,
  name: string,
  structural: boolean | undefined,
  span?: Span,
): Attribute | StructureAttribute {
  if (name === "") return snapshot.defaultAttribute;
  const attribute = structural ? undefined : snapshot.attributes.find((one) => one.name === name);
  if (attribute) return attribute;
  const found = splitName(snapshot, name);
  if (found) return found;
  const known = [
    ...(structural ? [] : snapshot.attributes.map((one) => one.name)),
    ...snapshot.structures.flatMap((one) => one.attributes.map((a) => `${one.name}_${a.name}`)),
  ];
  const near = nearestName(name, known);
  // Every corpus has attributes of tokens.
  const there =
    known.length > 0
      ? `it has ${known.join(", ")}`
      : snapshot.structures.length > 0
        ? "its structures have none"
        : "it has no structures";
  throw new QueryError(
    "unknown_attribute",
    `no attribute ${JSON.stringify(name)} in corpus ${snapshot.corpus} (${there})`,
    near && `Did you mean ${near}?`,
    span,
  );
}

/** The attribute that a measure is computed of, in a condition on a token. */
export function attributeOfTokens(
  snapshot: Snapshot,
  { measure, attribute, nameSpan, span = nameSpan }: Measure,
): Attribute {
  const found = attributeOrStructure(snapshot, attribute, false, nameSpan ?? span);
  if (!isStructural(found)) return found;
  throw new QueryError(
    "not_of_tokens",
    `${measure}(…) is computed of attributes of tokens, and ${attribute} is one of a structure`,
    undefined,
    span,
  );
}

export function isStructural(found: Attribute | StructureAttribute): found is StructureAttribute {
  return "structure" in found;
}

/** doc_year: a structure and its attribute; either may have a "_" in its name. */
export function splitName(snapshot: Snapshot, name: string): StructureAttribute | undefined {
  for (let at = name.indexOf("_"); at >= 0; at = name.indexOf("_", at + 1)) {
    const structure = snapshot.structures.find((one) => one.name === name.slice(0, at));
    const attribute = name.slice(at + 1);
    if (structure?.attributes.some((one) => one.name === attribute)) return { structure, attribute };
  }
  return undefined;
}

export function checkStructureAttribute(
  snapshot: Snapshot,
  structure: Structure,
  name: string,
  span?: Span,
): void {
  const known = structure.attributes.map((one) => one.name);
  if (known.includes(name)) return;
  const near = nearestName(name, known);
  throw new QueryError(
    "unknown_attribute",
    `no attribute ${JSON.stringify(name)} in structure ${structure.name} of ${snapshot.corpus} (it has ${known.join(", ") || "none"})`,
    near && `Did you mean ${near}?`,
    span,
  );
}

/** An error of the storage gets the place in the query. */
function located<Result>(span: Span | undefined, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof DugongError && !(error instanceof QueryError))
      throw new QueryError(error.code, error.message, error.hint, span);
    throw error;
  }
}
