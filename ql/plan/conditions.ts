/** Conditions on tokens become tests: what can be decided by one attribute's lexicon becomes a set of ids. */

import type { Attribute, Snapshot } from "../../storage/index.js";
import type { AttributeTest, Condition, MeasureTest, SetTest } from "../cql/ast.js";
import { structureIndex } from "../match/structures.js";
import { sketchesOf } from "../sketch/open.js";
import { positionsOfTriple } from "../sketch/triple.js";
import type { Notice } from "./errors.js";
import { complement, type Ids, intersection, tokensOf, union } from "./ids.js";
import { basesOf, keepAll, keepOf } from "./keep.js";
import {
  attributeOfTokens,
  attributeOrStructure,
  findAttribute,
  findStructure,
  isStructural,
  type StructureAttribute,
} from "./names.js";
import type { PushedCondition } from "./push.js";
import { type Atoms, always, conjunction, disjunction, negation, type Test } from "./tests.js";
import { checkExact, idsOfMeasure, idsOfValue, type ValueOptions, valueText } from "./values.js";

/** Conditions of one attribute stay sets of ids as long as they can: they take one bit together. */
type Compiled = { attribute: Attribute; ids: Ids; text: string } | { test: Test };

/** A condition that so many tokens meet is told of. */
const commonShare = 0.9;

export class ConditionCompiler {
  constructor(
    readonly snapshot: Snapshot,
    readonly atoms: Atoms,
    readonly options: ValueOptions,
    readonly notices: Notice[] = [],
  ) {}

  test(condition: Condition | undefined): Test {
    return condition ? this.asTest(this.#compile(condition)) : always;
  }

  asTest(compiled: Compiled): Test {
    if ("test" in compiled) return compiled.test;
    const { attribute, ids, text } = compiled;
    if (ids.ids.length === 0) return ids.negated ? always : negation(always);
    const tokens = tokensOf(ids, attribute.lexicon.frequencies, this.snapshot.tokens);
    const key = ids.negated ? complement(ids) : ids;
    const test = this.atoms.add({
      kind: "ids",
      attribute,
      ids: key,
      tokens: ids.negated ? this.snapshot.tokens - tokens : tokens,
      text,
    });
    return ids.negated ? negation(test) : test;
  }

  #compile(condition: PushedCondition): Compiled {
    switch (condition.kind) {
      case "sameFurtherOn": {
        const attribute = findAttribute(this.snapshot, condition.attribute);
        const { distance, negated } = condition;
        const text = `${attribute.name} as ${distance} further on`;
        const test = this.atoms.add({ kind: "same", left: attribute, right: attribute, distance, text });
        return { test: negated ? negation(test) : test };
      }
      case "and":
      case "or":
        return this.#combine(
          condition.kind,
          condition.items.map((item) => this.#compile(item)),
        );
      case "not":
        return this.#not(this.#compile(condition.item));
      case "implies":
        return this.#combine("or", [
          this.#not(this.#compile(condition.left)),
          this.#compile(condition.right),
        ]);
      case "attribute":
        return this.#attribute(condition);
      case "set":
        return this.#set(condition);
      case "measure":
        return this.#measure(condition);
      case "position": {
        const { from, to } = condition;
        return { test: this.atoms.add({ kind: "positions", from, to, text: `#${from}-${to}` }) };
      }
      case "sameToken":
        return this.#sameToken(
          condition.left,
          condition.right,
          condition.comparison === "!=",
          condition.span,
        );
      case "bound": {
        const structure = findStructure(this.snapshot, condition.structure, condition.span);
        const index = structureIndex(this.snapshot, structure);
        const edge = condition.edge === "start" ? "start" : "last";
        return {
          test: this.atoms.add({
            kind: "edge",
            edge,
            index,
            keep: keepAll,
            filled: true,
            text: `${edge} token of ${structure.name}`,
          }),
        };
      }
      case "sketch":
        return {
          test: this.atoms.add({
            kind: "listed",
            positions: positionsOfTriple(sketchesOf(this.snapshot, { span: condition.span }), condition),
            text: `ws(${[condition.head, condition.relation, condition.collocate].map((one) => JSON.stringify(one)).join(", ")})`,
          }),
        };
    }
  }

  #not(compiled: Compiled): Compiled {
    if ("test" in compiled) return { test: negation(compiled.test) };
    const { attribute, ids, text } = compiled;
    return { attribute, ids: complement(ids), text: text.startsWith("!") ? text.slice(1) : `!${text}` };
  }

  /** Sets of one attribute are joined as sets, the rest as tests. */
  #combine(kind: "and" | "or", items: Compiled[]): Compiled {
    const byAttribute = new Map<Attribute, Extract<Compiled, { ids: Ids }>>();
    const tests: Test[] = [];
    for (const item of items) {
      if ("test" in item) {
        tests.push(item.test);
        continue;
      }
      const other = byAttribute.get(item.attribute);
      if (!other) byAttribute.set(item.attribute, item);
      else {
        const join = kind === "and" ? intersection : union;
        byAttribute.set(item.attribute, {
          attribute: item.attribute,
          ids: join(other.ids, item.ids),
          text: `(${other.text} ${kind === "and" ? "&" : "|"} ${item.text})`,
        });
      }
    }
    if (tests.length === 0 && byAttribute.size === 1) return [...byAttribute.values()][0];
    for (const item of byAttribute.values()) tests.push(this.asTest(item));
    return { test: kind === "and" ? conjunction(tests) : disjunction(tests) };
  }

  #attribute(condition: AttributeTest): Compiled {
    const { value, order, negated } = condition;
    const found = attributeOrStructure(
      this.snapshot,
      condition.attribute,
      condition.structural,
      condition.nameSpan ?? condition.span,
    );
    const text = `${condition.attribute || this.snapshot.defaultAttribute.name}${order ?? "="}${valueText(condition)}`;
    if (isStructural(found)) {
      const compiled = this.#around(found, condition);
      return negated ? this.#not(compiled) : compiled;
    }
    const ids = this.#idsOf(found, (lexicon) => idsOfValue(lexicon, value, order, this.options));
    if (ids.ids.length === 0 && !ids.negated) {
      this.notices.push({
        code: "no_such_value",
        message: `no ${found.name} in ${this.snapshot.corpus} ${order ? "compares so" : "matches"}: ${text}`,
        span: value.span,
      });
    }
    if (!negated) this.#noteCommon(found, ids, text, value.span);
    const compiled = { attribute: stored(found), ids, text };
    return negated ? this.#not(compiled) : compiled;
  }

  /**
   * Says so where nearly every token passes: as a rule, more was meant than was written. What asks for other values than
   * one (!=) is meant to.
   */
  #noteCommon(attribute: Attribute, ids: Ids, text: string, span: AttributeTest["span"]): void {
    const { corpus, tokens } = this.snapshot;
    const fitting = tokensOf(ids, stored(attribute).lexicon.frequencies, tokens);
    if (tokens === 0 || fitting < tokens * commonShare) return;
    const share = fitting === tokens ? "all" : `${Math.floor((100 * fitting) / tokens)} %`;
    this.notices.push({
      code: "common_value",
      message: `${share} of the tokens of ${corpus} are such that ${text}`,
      span,
    });
  }

  /** Ids of the stored attribute that an attribute is, or is derived from. */
  #idsOf(attribute: Attribute, ask: (lexicon: Attribute["lexicon"]) => Ids): Ids {
    if (attribute.values) return basesOf(attribute.values.derived!.map, ask(attribute.values.lexicon));
    let ids = ask(attribute.lexicon);
    for (let one = attribute; one.derived; one = one.derived.base) ids = basesOf(one.derived.map, ids);
    return ids;
  }

  #around({ structure, attribute }: StructureAttribute, { value, order }: AttributeTest): Compiled {
    const index = structureIndex(this.snapshot, structure);
    const keep = keepOf(
      index,
      { kind: "structureAttribute", attribute, negated: false, order, value },
      this.options,
      this.notices,
    );
    return {
      test: this.atoms.add({ kind: "around", index, keep, text: `in ${structure.name} ${keep.text}` }),
    };
  }

  #set(condition: SetTest): Compiled {
    const attribute = findAttribute(this.snapshot, condition.attribute, condition.span);
    const every = condition.operator === "matches";
    // All values match if there is none that does not.
    const ids = this.#idsOf(attribute, (lexicon) => {
      const matching = idsOfValue(lexicon, condition.value, undefined, this.options);
      return every ? complement(matching) : matching;
    });
    if (!condition.negated) {
      const fitting = every ? complement(ids) : ids;
      const text = `${attribute.name} ${condition.operator} ${valueText(condition)}`;
      this.#noteCommon(attribute, fitting, text, condition.value.span);
    }
    const compiled = {
      attribute: stored(attribute),
      ids,
      text: `${attribute.name} ${every ? "does not match" : "contains"} ${valueText(condition)}`,
    };
    return condition.negated === every ? compiled : this.#not(compiled);
  }

  #measure({ measure, comparison, number, span }: MeasureTest): Compiled {
    const found = attributeOfTokens(this.snapshot, measure);
    const text = `${measure.measure}(${measure.attribute || this.snapshot.defaultAttribute.name})${comparison}${number}`;
    checkExact(number, span);
    let ids = idsOfMeasure(found.lexicon, measure.measure, comparison, number);
    for (let one = found; one.derived; one = one.derived.base) ids = basesOf(one.derived.map, ids);
    return { attribute: stored(found), ids, text };
  }

  #sameToken(left: string, right: string, negated: boolean, span: AttributeTest["span"]): Compiled {
    const test = this.atoms.add({
      kind: "same",
      left: findAttribute(this.snapshot, left, span),
      right: findAttribute(this.snapshot, right, span),
      distance: 0,
      text: `${left}=${right}`,
    });
    return { test: negated ? negation(test) : test };
  }
}

/** The attribute whose ids are stored. */
function stored(attribute: Attribute): Attribute {
  return attribute.derived ? stored(attribute.derived.base) : attribute;
}
