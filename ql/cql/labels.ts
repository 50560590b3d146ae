/**
 * Which labels a query binds, and whether those its conditions use are among them.
 *
 * A condition sees what the expression before it binds, also inside ( ). It does not see what a filter binds, nor what
 * stands where nothing is matched: in !( ), in (meet a not b), at the end of a !> edge.
 */
import { nearestName } from "../../storage/derive/nearest.js";
import type { Expression, Query, Span, Where, WhereTest } from "./ast.js";
import type { Diagnostic } from "./parse.js";
import { matchedPartsOf, partsOf } from "./tree.js";
import { shown } from "./wording.js";

/** Labels that every match has. */
const ofMatch = new Set(["match", "matchend"]);
/** Labels that a match has where the query sets them: conditions on them do not hold elsewhere. */
const anchors = new Set(["target", "keyword"]);

type Report = (diagnostic: Diagnostic) => void;

/** The labels that the conditions of a query may use, in the order in which they are bound. */
export function labelsOf(expression: Expression): Set<string> {
  const labels = new Set<string>();
  bind(expression, labels);
  return labels;
}

function bind(expression: Expression, labels: Set<string>): void {
  if (expression.kind === "labelled") labels.add(expression.label);
  for (const part of matchedPartsOf(expression)) bind(part, labels);
}

/** Reports labels that are used and never bound, and warns of those that are bound twice in a row. */
export function checkLabels(query: Query, report: Report): void {
  if (query.where) checkWhere(query.where, labelsOf(query.expression), report);
  checkInside(query.expression, report);
  for (const { scope } of query.filters) if ("expression" in scope) checkInside(scope.expression, report);
}

function checkInside(expression: Expression, report: Report): void {
  if (expression.kind === "sequence") warnOfRepeated(expression.items, report);
  if (expression.kind === "filtered") checkLabels(expression.query, report);
  else for (const part of partsOf(expression)) checkInside(part, report);
}

/** Of two tokens in a row with one label, a condition can mean only one. */
function warnOfRepeated(items: Expression[], report: Report): void {
  const bound = new Set<string>();
  for (const item of items) {
    if (item.kind === "labelled" && bound.has(item.label)) {
      report({
        code: "repeated_label",
        severity: "warning",
        message: `label ${shown({ image: item.label })} is bound twice in one sequence`,
        span: item.span ?? [0, 0],
        hint: "Give one of the two another name.",
      });
    }
    if (item.kind === "labelled") bound.add(item.label);
  }
}

function checkWhere(where: Where, bound: Set<string>, report: Report): void {
  for (const test of testsOf(where)) {
    if (test.kind === "labelBound") checkLabel(test.label, test.span, bound, report);
    else {
      for (const operand of [test.left, test.right]) {
        const used =
          "label" in operand
            ? [operand.label]
            : operand.kind === "distance"
              ? [operand.left, operand.right]
              : [];
        for (const label of used) checkLabel(label, operand.span ?? test.span, bound, report);
      }
    }
  }
}

function testsOf(where: Where): WhereTest[] {
  if (where.kind === "and" || where.kind === "or") return where.items.flatMap(testsOf);
  if (where.kind === "not") return testsOf(where.item);
  if (where.kind === "implies") return [where.left, where.right].flatMap(testsOf);
  return [where];
}

function checkLabel(label: string, span: Span = [0, 0], bound: Set<string>, report: Report): void {
  if (bound.has(label) || ofMatch.has(label)) return;
  if (anchors.has(label)) {
    const how = label === "target" ? "@ before a token sets it." : `${label}: before a token sets it.`;
    report({
      code: "unknown_label",
      severity: "warning",
      message: `nothing sets ${label}, so the condition never holds`,
      span,
      hint: how,
    });
    return;
  }
  const near = nearestName(label, bound);
  const name = shown({ image: label });
  const known = [...bound].slice(0, shownLabelsMax).map((image) => shown({ image }));
  if (bound.size > shownLabelsMax) known.push("…");
  report({
    code: "unknown_label",
    severity: "error",
    message: `label ${name} is never bound${bound.size > 0 ? ` (there are ${known.join(", ")})` : ""}`,
    span,
    hint: near ? `Did you mean ${shown({ image: near })}?` : `Put ${name}: before a token.`,
  });
}

const shownLabelsMax = 10;
