/**
 * Canonical text of a syntax tree: parse(print(tree)) is the tree again, without its spans.
 *
 * Brackets stand only where the tree would be another one without them, and around a negation or a choice where people
 * would otherwise have to know the precedence.
 */
import type {
  Condition,
  Containing,
  Edge,
  Expression,
  Filter,
  Node,
  Operand,
  Order,
  Query,
  Scope,
  StructureCondition,
  StructureNumberTest,
  StructureTest,
  Tab,
  TokenTest,
  Value,
  Where,
  WhereTest,
} from "./ast.js";
import type { Logical } from "./building.js";
import { nameSource } from "./lexer.js";
import { quoteLiteral, quotePattern } from "./strings.js";

export { withoutSpans } from "./tree.js";

export function print(query: Query): string {
  const { strategy, expression, where, filters, expand, cut } = query;
  const parts = [printExpression(expression)];
  if (strategy) parts.unshift(`(?${strategy})`);
  if (where) parts.push(`& ${printWhere(where)}`);
  for (const filter of filters) parts.push(printFilter(filter));
  if (expand) {
    const side = expand.side === "both" ? "" : `${expand.side} `;
    parts.push(`expand ${side}to ${counted(expand.count, expand.structure)}`);
  }
  if (cut !== undefined) parts.push(`cut ${printNumber(cut)}`);
  return parts.join(" ");
}

function printWhere(where: Where): string {
  const text = printLogical(where, printAcross);
  return where.kind === "or" || where.kind === "implies" ? `(${text})` : text;
}

function printFilter({ kind, negated, scope }: Filter): string {
  return `${negated ? "!" : ""}${kind} ${printScope(scope)}`;
}

function printScope(scope: Scope | Containing["scope"]): string {
  switch (scope.kind) {
    case "tokens":
      return printNumber(scope.count);
    case "structures":
      return counted(scope.count, scope.structure);
    case "corpus":
      return `${scope.corpus}: ${printExpression(scope.expression)}`;
    case "matches": {
      const text = printExpression(scope.expression);
      // A name and a colon would be a corpus, a lone keyword a structure.
      return beginsWithName(scope.expression) ? `(${text})` : text;
    }
  }
}

function counted(count: number, structure: string): string {
  return count === 1 ? structure : `${printNumber(count)} ${structure}`;
}

function beginsWithName(expression: Expression): boolean {
  switch (expression.kind) {
    case "tab":
      return true;
    case "labelled":
      return expression.label !== "target" && !/^\d/.test(expression.label);
    case "sequence":
    case "alternation":
      return beginsWithName(expression.items[0]);
    case "repeat":
      return beginsWithName(expression.item);
    case "edge":
      return beginsWithName(expression.head);
    default:
      return false;
  }
}

// ---- expressions

type Kind = Expression["kind"];

/** What needs ( ) around it: among alternatives, in a sequence, before an edge, and before a repetition or after a label. */
const looserThanSequence: Kind[] = ["tab", "alternation"];
const looserThanEdge: Kind[] = [...looserThanSequence, "sequence"];
const looserThanHead: Kind[] = [...looserThanEdge, "repeat"];
const looserThanLabel: Kind[] = [...looserThanHead, "edge"];

function inside(expression: Expression, looser: Kind[]): string {
  const text = printExpression(expression);
  return looser.includes(expression.kind) ? `(${text})` : text;
}

function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "token":
      return printToken(expression.condition);
    case "lookahead":
      return expression.condition ? `[: ${printCondition(expression.condition)} :]` : "[: :]";
    case "sequence":
      return expression.items.map((item) => inside(item, looserThanEdge)).join(" ");
    case "alternation":
      return expression.items.map((item) => inside(item, looserThanSequence)).join(" | ");
    case "repeat":
      return inside(expression.item, looserThanLabel) + printBounds(expression);
    case "labelled": {
      const item = inside(expression.item, looserThanLabel);
      return expression.label === "target" ? `@${item}` : `${expression.label}:${item}`;
    }
    case "boundary": {
      const { edge, structure, condition } = expression;
      return `${edge === "start" ? "<" : "</"}${structure}${printOfStructure(condition)}>`;
    }
    case "structure":
      return `<${expression.structure}${printOfStructure(expression.condition)}/>`;
    case "filtered":
      return `(${print(expression.query)})`;
    case "meet": {
      const { item, other, negated, window } = expression;
      const items = `${inside(item, looserThanLabel)} ${negated ? "not " : ""}${inside(other, looserThanLabel)}`;
      return `(meet ${items} ${"structure" in window ? window.structure : `${window.from} ${window.to}`})`;
    }
    case "union":
      return `(union ${expression.items.map((item) => inside(item, looserThanLabel)).join(" ")})`;
    case "tab":
      return printTab(expression);
    case "complement": {
      const text = printExpression(expression.item);
      return hasBrackets.includes(expression.item.kind) ? `!${text}` : `!(${text})`;
    }
    case "edge":
      return printEdge(expression);
    case "similar":
      return `~${printNumber(expression.count)}${quoteLiteral(expression.word)}`;
  }
}

const hasBrackets: Kind[] = ["filtered", "meet", "union"];

function printToken(condition: Condition | undefined): string {
  if (!condition) return "[]";
  if (
    condition.kind === "attribute" &&
    condition.attribute === "" &&
    !condition.negated &&
    !condition.order
  ) {
    if (condition.value.kind === "pattern") return printValue(condition.value);
    if (condition.value.kind === "literal") return `==${printValue(condition.value)}`;
  }
  return `[${printCondition(condition)}]`;
}

function printBounds({ min, max }: { min: number; max: number | null }): string {
  if (max === null) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === max) return `{${min}}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

function printTab({ items, gaps }: Tab): string {
  const words = items.flatMap((item, index) => {
    const gap = index === 0 ? { min: 0, max: 0 } : gaps[index - 1];
    const text = inside(item, looserThanLabel);
    return gap.max === 0 ? [text] : [printBounds(gap), text];
  });
  return `TAB ${words.join(" ")}`;
}

function printEdge({ head, dependant, relation, depth, negated }: Edge): string {
  const mark = `${negated ? "!" : ""}${depth === "one" ? ">" : ">>"}`;
  const headText = inside(head, looserThanHead);
  return `${headText} ${mark}${printRelation(relation)} ${inside(dependant, looserThanLabel)}`;
}

const bareRelation = new RegExp(`^${nameSource}(?::${nameSource})*$`, "u");
const notBare = /^(?:within|containing|expand|cut|mu)(?![^:])/i;

function printRelation(relation: string | undefined): string {
  if (relation === undefined) return "";
  return bareRelation.test(relation) && !notBare.test(relation) ? relation : quotePattern(relation);
}

// ---- conditions

/** -> binds loosest and to the right, then |, then &. */
function printLogical<Test extends Node>(
  condition: Logical<Test>,
  printTest: (test: Test) => string,
): string {
  const within = (part: Logical<Test>, looser: string[]) => {
    const text = printLogical(part, printTest);
    return "kind" in part && looser.includes(part.kind) ? `(${text})` : text;
  };
  const logical = condition as Logical<never>;
  switch (logical.kind) {
    case "and":
      return logical.items.map((item) => within(item, ["implies", "or", "and"])).join(" & ");
    case "or":
      return logical.items.map((item) => within(item, ["implies", "or"])).join(" | ");
    case "not":
      return `!(${printLogical(logical.item, printTest)})`;
    case "implies":
      return `${within(logical.left, ["implies"])} -> ${printLogical(logical.right, printTest)}`;
    default:
      return printTest(condition as Test);
  }
}

function printCondition(condition: Condition): string {
  return printLogical<TokenTest>(condition, printTokenTest);
}

function printOfStructure(condition: StructureCondition | undefined): string {
  if (!condition) return "";
  return ` ${printLogical<StructureTest | StructureNumberTest>(condition, printStructureTest)}`;
}

function printTokenTest(test: TokenTest): string {
  switch (test.kind) {
    case "attribute":
      return `${test.structural ? "_." : ""}${test.attribute}${printCompared(test)}`;
    case "set": {
      const { attribute, negated, operator, value } = test;
      return `${attribute} ${negated ? "not " : ""}${operator} ${printValue(value, "l")}`;
    }
    case "position":
      return printRange(test);
    case "measure": {
      const { measure, comparison, number } = test;
      return `${measure.measure}(${measure.attribute}) ${comparison} ${printNumber(number)}`;
    }
    case "sameToken":
      return test.left + test.comparison + test.right;
    case "bound":
      return `${test.edge === "start" ? "lbound" : "rbound"}(${test.structure})`;
    case "sketch":
      return `ws(${[test.head, test.relation, test.collocate].map(quoteLiteral).join(", ")})`;
  }
}

function printStructureTest(test: StructureTest | StructureNumberTest): string {
  return test.kind === "structureNumber" ? printRange(test) : test.attribute + printCompared(test);
}

function printAcross(test: WhereTest): string {
  if (test.kind === "labelBound") {
    return `${test.edge === "start" ? "lbound" : "rbound"}(${test.label}.${test.structure})`;
  }
  const { left, comparison, right } = test;
  const literal = right.kind === "value" && right.value.kind === "literal";
  const mark = literal && (comparison === "=" || comparison === "!=") ? `${comparison}=` : comparison;
  return `${printOperand(left)} ${mark} ${printOperand(right)}`;
}

function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case "labelAttribute":
      return `${operand.label}.${operand.attribute}`;
    case "labelMeasure":
      return `${operand.measure}(${operand.label}.${operand.attribute})`;
    case "distance":
      return `${operand.absolute ? "distabs" : "distance"}(${operand.left}, ${operand.right})`;
    case "number":
      return printNumber(operand.number);
    case "value":
      return printValue(operand.value);
  }
}

interface ComparedValue {
  negated: boolean;
  order?: Order;
  value: Value;
}

function printCompared({ negated, order, value }: ComparedValue): string {
  const mark = order ?? (value.kind === "literal" ? "==" : "=");
  return (negated ? "!" : "") + mark + printValue(value);
}

/** `literalFlag`: what marks a literal, where the comparison does not. */
function printValue(value: Value, literalFlag = ""): string {
  if (value.kind === "list") return `$${value.name}`;
  const text = value.kind === "pattern" ? quotePattern(value.pattern) : quoteLiteral(value.string);
  const flags =
    (value.ignoreCase ? "c" : "") +
    (value.ignoreDiacritics ? "d" : "") +
    (value.kind === "literal" ? literalFlag : "");
  return flags === "" ? text : `${text} %${flags}`;
}

function printRange({ from, to }: { from: number; to: number }): string {
  return to === from + 1 ? `#${from}` : `#${from}-${to - 1}`;
}

/** Digits only: no exponent. */
function printNumber(number: number): string {
  const text = String(number);
  return text.includes("e")
    ? number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}
