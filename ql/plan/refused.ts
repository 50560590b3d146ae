/**
 * All that is wrong with a query on a corpus, once the first thing was found: names that it does not have, lists that did
 * not come along, patterns that cannot be read. Each is looked up as the compiler does it, and nothing is made ready.
 */
import type { Snapshot } from "../../storage/index.js";
import type {
  Boundary,
  Condition,
  Edge,
  Expression,
  Filter,
  Operand,
  Query,
  StructureCondition,
  StructureRange,
  Where,
} from "../cql/ast.js";
import { limits } from "../cql/limits.js";
import { partsOf } from "../cql/tree.js";
import { openAligned } from "../parallel/within.js";
import { QueryError } from "./errors.js";
import {
  attributeOfTokens,
  attributeOrStructure,
  checkStructureAttribute,
  findAttribute,
  findStructure,
  splitName,
} from "./names.js";
import { checkValue, type ValueOptions } from "./values.js";

/** The error with the others beside it, in the order of the text: its code and message are those of the first. */
export function withOthers(
  error: QueryError,
  query: Query,
  snapshot: Snapshot,
  options: ValueOptions,
): QueryError {
  const refused = new Refused(snapshot, options);
  refused.query(query);
  const { found } = refused;
  // What is found only as a query is made ready has no others like it.
  if (!found.some(({ code, message }) => code === error.code && message === error.message))
    found.unshift(error);
  const told = found.flatMap(({ diagnostics }) => diagnostics);
  // Without places there is no order but that of the tree.
  if (told.every(({ span }) => span)) told.sort((a, b) => a.span![0] - b.span![0] || a.span![1] - b.span![1]);
  const [{ code, message, hint, span }] = told;
  return new QueryError(code, message, hint, span, told.slice(0, limits.diagnosticsMax));
}

class Refused {
  readonly found: QueryError[] = [];

  constructor(
    readonly snapshot: Snapshot,
    readonly options: ValueOptions,
  ) {}

  query({ expression, filters, where, expand }: Query): void {
    this.#expression(expression);
    for (const filter of filters) this.#filter(filter);
    if (where) this.#where(where);
    if (expand) this.#structure(expand.structure, expand.nameSpan ?? expand.span);
  }

  /** What is refused is kept, and the rest is looked at. */
  #try(look: () => void): void {
    try {
      look();
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      this.found.push(error);
    }
  }

  #structure(name: string, span: Query["span"]): void {
    this.#try(() => findStructure(this.snapshot, name, span));
  }

  #value(value: Parameters<typeof checkValue>[0]): void {
    this.#try(() => checkValue(value, this.options));
  }

  // ---- expressions

  #expression(e: Expression): void {
    switch (e.kind) {
      case "token":
      case "lookahead":
        if (e.condition) this.#condition(e.condition);
        return;
      case "boundary":
      case "structure":
        this.#tag(e);
        return;
      case "filtered":
        this.query(e.query);
        return;
      case "edge":
        this.#arrow(e);
        break;
      default:
    }
    for (const part of partsOf(e)) this.#expression(part);
    if (e.kind === "meet" && "structure" in e.window)
      this.#structure(e.window.structure, e.window.span ?? e.span);
  }

  /** Names of structures may have a "_", and so may CQP's names of structures with an attribute. */
  #tag({ structure: name, condition, nameSpan, span }: Boundary | StructureRange): void {
    const structure = this.snapshot.structures.find((one) => one.name === name);
    const own = condition?.kind === "structureAttribute" ? `${name}_${condition.attribute}` : name;
    const isSplit = (condition === undefined || own !== name) && splitName(this.snapshot, own) !== undefined;
    if (!structure && !isSplit) this.#structure(name, nameSpan ?? span);
    if (!condition) return;
    this.#ofStructure(condition, (attribute, place) => {
      if (structure) this.#try(() => checkStructureAttribute(this.snapshot, structure, attribute, place));
    });
  }

  #arrow({ relation, arrowSpan, relationSpan, span }: Edge): void {
    this.#try(() => findAttribute(this.snapshot, "head", arrowSpan ?? span));
    if (relation === undefined) return;
    this.#try(() => findAttribute(this.snapshot, "deprel", relationSpan ?? span));
    this.#value({ kind: "pattern", pattern: relation, span: relationSpan });
  }

  #filter({ scope }: Filter): void {
    switch (scope.kind) {
      case "matches":
        this.#expression(scope.expression);
        return;
      case "structures":
        this.#structure(scope.structure, scope.span);
        return;
      case "corpus":
        this.#try(() => {
          const there = new Refused(openAligned(this.snapshot, scope).snapshot, this.options);
          there.#expression(scope.expression);
          this.found.push(...there.found);
        });
    }
  }

  // ---- conditions

  #condition(condition: Condition): void {
    const { snapshot } = this;
    switch (condition.kind) {
      case "and":
      case "or":
        for (const item of condition.items) this.#condition(item);
        return;
      case "not":
        this.#condition(condition.item);
        return;
      case "implies":
        this.#condition(condition.left);
        this.#condition(condition.right);
        return;
      case "attribute": {
        const { attribute, structural, nameSpan, span, value } = condition;
        this.#try(() => attributeOrStructure(snapshot, attribute, structural, nameSpan ?? span));
        this.#value(value);
        return;
      }
      case "set":
        this.#try(() => findAttribute(snapshot, condition.attribute, condition.nameSpan ?? condition.span));
        this.#value(condition.value);
        return;
      case "measure":
        this.#try(() => attributeOfTokens(snapshot, condition.measure));
        return;
      case "sameToken":
        this.#try(() => findAttribute(snapshot, condition.left, condition.leftSpan ?? condition.span));
        this.#try(() => findAttribute(snapshot, condition.right, condition.rightSpan ?? condition.span));
        return;
      case "bound":
        this.#structure(condition.structure, condition.nameSpan ?? condition.span);
    }
  }

  #ofStructure(
    condition: StructureCondition,
    check: (attribute: string, place: Query["span"]) => void,
  ): void {
    switch (condition.kind) {
      case "and":
      case "or":
        for (const item of condition.items) this.#ofStructure(item, check);
        return;
      case "not":
        this.#ofStructure(condition.item, check);
        return;
      case "implies":
        this.#ofStructure(condition.left, check);
        this.#ofStructure(condition.right, check);
        return;
      case "structureAttribute":
        check(condition.attribute, condition.nameSpan ?? condition.span);
        this.#value(condition.value);
    }
  }

  #where(where: Where): void {
    switch (where.kind) {
      case "and":
      case "or":
        for (const item of where.items) this.#where(item);
        return;
      case "not":
        this.#where(where.item);
        return;
      case "implies":
        this.#where(where.left);
        this.#where(where.right);
        return;
      case "labelBound":
        this.#structure(where.structure, where.nameSpan ?? where.span);
        return;
      case "compare":
        this.#operand(where.left);
        this.#operand(where.right);
    }
  }

  #operand(operand: Operand): void {
    if (operand.kind === "value") this.#value(operand.value);
    else if ("attribute" in operand) {
      const { attribute, nameSpan, span } = operand;
      this.#try(() => attributeOrStructure(this.snapshot, attribute, false, nameSpan ?? span));
    }
  }
}
