/**
 * From a collocate back to its lines: the given chain, and a filter that keeps the hits with the collocate in their
 * window. The same window, with what it skips and where it ends; in the same subcorpus.
 */
import { DugongError } from "../../storage/index.js";
import { checkChain } from "../chain/check.js";
import type { Chain, FilterStep } from "../chain/steps.js";
import { checkWindowShape, skipCondition } from "../chain/windows.js";
import type { Condition, Query } from "../cql/ast.js";
import { print } from "../cql/print.js";
import type { Desk } from "../desk.js";
import { attributeOf, type CollocateOptions, windowShape } from "./collocations-options.js";
import { type CollocateValues, collocateValues } from "./collocations-values.js";

/** The chain whose hits are the lines that have `value` in their window. */
export function collocateChain(desk: Desk, chain: Chain, options: CollocateOptions, value: string): Chain {
  checkChain(chain);
  checkWindowShape(windowShape(options));
  if (options.within !== undefined) desk.snapshot.structure(options.within);
  return chainOfValue(collocateValues(desk.snapshot, attributeOf(desk, options)), chain, options, value);
}

export function chainOfValue(
  values: CollocateValues,
  chain: Chain,
  options: CollocateOptions,
  value: string,
): Chain {
  const number = values.find(value);
  const strings = number < 0 ? [] : values.strings(number);
  const { name } = values.attribute;
  if (strings.length === 0) {
    throw new DugongError(
      "unknown_value",
      `no token has the ${name} ${JSON.stringify(value)}`,
      "Write values as the rows have them.",
    );
  }
  const tests: Condition[] = strings.map((string) => ({
    kind: "attribute",
    attribute: name,
    negated: false,
    value: { kind: "literal", string },
  }));
  const isValue: Condition = tests.length === 1 ? tests[0] : { kind: "or", items: tests };
  const [{ subcorpus, lists }] = chain;
  const window = windowShape(options);
  const condition = withoutSkipped(isValue, window.skip);
  const step: FilterStep = {
    step: "filter",
    query: print({ kind: "query", expression: { kind: "token", condition }, filters: [] }),
    ...(window.skip !== undefined && lists && { lists }),
    ...(subcorpus !== undefined && { subcorpus }),
    window,
    node: false,
  };
  return [...chain, step];
}

/** What is skipped does not count, also where it has the value. */
function withoutSkipped(isValue: Condition, skip: string | Query | undefined): Condition {
  if (skip === undefined) return isValue;
  return { kind: "and", items: [isValue, { kind: "not", item: skipCondition(skip) }] };
}
