/**
 * Values meet lexicons: which ids have a value that is equal to a literal, matches a pattern, stands in a list, or comes
 * before or behind a literal.
 */
import type { Lexicon } from "../../storage/index.js";
import { compareBytes } from "../../storage/lexicon/generation.js";
import type { Comparison, Measure, Order, Span, Value } from "../cql/ast.js";
import { offsetInText } from "../cql/strings.js";
import { cachedResult, keepResult } from "../regex/cache.js";
import { compilePattern, idsMatching, idsOfStrings, PatternError, parsePattern } from "../regex/index.js";
import { QueryError } from "./errors.js";
import { type Ids, noIds } from "./ids.js";

export interface ValueOptions {
  lists?: Record<string, string[]>;
  /** How long a pattern with backreferences may take. */
  backreferenceMs?: number;
  /** Called now and then; what it throws ends the query. */
  checkpoint?: () => void;
  /** The query as it was typed, for places in it. */
  text?: string;
}

const whole = /^[+-]?\d+$/;

export function idsOfValue(
  lexicon: Lexicon,
  value: Value,
  order: Order | undefined,
  options: ValueOptions,
): Ids {
  if (lexicon.size === 0) return noIds;
  if (value.kind === "list") {
    const strings = listOf(value, options).filter(isText);
    return { ids: idsOfStrings(lexicon, strings, options.checkpoint).ids, negated: false };
  }
  if (order) return idsInOrder(lexicon, order, stringOf(value));
  if (value.kind === "literal" && !value.ignoreCase && !value.ignoreDiacritics) {
    const id = isText(value.string) ? lexicon.find(value.string) : -1;
    return id < 0 ? noIds : { ids: Uint32Array.of(id), negated: false };
  }
  return withPlace(value, options, () => ({
    ids: idsMatching(lexicon, compiled(value, options), options).ids,
    negated: false,
  }));
}

/** Half a character is in no text: in UTF-8 it would turn into another one. */
function isText(string: string): boolean {
  return !/\p{Surrogate}/u.test(string);
}

/** The same as a test of one string, for values that no lexicon has. */
export function testOfValue(
  value: Value,
  order: Order | undefined,
  options: ValueOptions,
): (string: string) => boolean {
  if (value.kind === "list") {
    const strings = new Set(listOf(value, options));
    return (string) => strings.has(string);
  }
  if (order) {
    const limit = stringOf(value);
    return (string) => inOrder(string, order, limit);
  }
  if (value.kind === "literal" && !value.ignoreCase && !value.ignoreDiacritics)
    return (string) => string === value.string;
  const pattern = withPlace(value, options, () => compiled(value, options));
  return (string) => withPlace(value, options, () => pattern.matches(string, options));
}

/** Refuses a list that did not come along, and a pattern that cannot be read: nothing is compiled. */
export function checkValue(value: Value, options: ValueOptions): void {
  if (value.kind === "list") listOf(value, options);
  else if (value.kind === "pattern") withPlace(value, options, () => parsePattern(value.pattern));
}

function listOf(value: Extract<Value, { kind: "list" }>, { lists }: ValueOptions): string[] {
  if (lists && Object.hasOwn(lists, value.name)) return lists[value.name];
  throw new QueryError(
    "unknown_list",
    `no list $${value.name} came with the query`,
    "Pass it along (--list name=file).",
    value.span,
  );
}

function stringOf(value: Exclude<Value, { kind: "list" }>): string {
  return value.kind === "literal" ? value.string : value.pattern;
}

type Written = Exclude<Value, { kind: "list" }>;

function compiled(value: Written, { checkpoint }: ValueOptions) {
  const { ignoreCase, ignoreDiacritics } = value;
  const pattern = value.kind === "pattern" ? value.pattern : escaped(value.string);
  return compilePattern(pattern, { ignoreCase, ignoreDiacritics }, checkpoint);
}

/** A pattern that matches the string alone. */
export function escaped(string: string): string {
  return string.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** An error in a pattern becomes one in the query: where the pattern stands in it. */
function withPlace<Result>(value: Written, { text }: ValueOptions, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    let span: Span | undefined = value.span;
    if (span && text !== undefined && value.kind === "pattern" && error.offset !== undefined) {
      const at = offsetInText(text, span[0], error.offset);
      span = [at, Math.min(span[1], at + 1)];
    }
    throw new QueryError(error.code, error.message, error.hint, span);
  }
}

function idsInOrder(lexicon: Lexicon, order: Order, limit: string): Ids {
  const asNumber = whole.test(limit);
  const number = wholeNumber(limit);
  const bytes = Buffer.from(limit);
  return idsWhere(lexicon, (value) => {
    if (asNumber && value.length > 0 && value[0] <= 57) {
      const text = value.toString("latin1");
      if (whole.test(text)) return compare(wholeNumber(text), order, number);
    }
    return compare(compareBytes(value, value.length, bytes), order, 0);
  });
}

function inOrder(string: string, order: Order, limit: string): boolean {
  if (whole.test(string) && whole.test(limit)) return compare(wholeNumber(string), order, wholeNumber(limit));
  return compare(Buffer.compare(Buffer.from(string), Buffer.from(limit)), order, 0);
}

/** The ids whose strings pass a test. Reads the whole lexicon. */
function idsWhere(lexicon: Lexicon, test: (bytes: Buffer) => boolean): Ids {
  const ids: number[] = [];
  for (const { id, bytes } of lexicon.inOrder()) {
    if (test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) ids.push(id);
  }
  return { ids: Uint32Array.from(ids).sort(), negated: false };
}

/** The ids for which a number that is computed of their values compares as asked. */
export function idsOfMeasure(
  lexicon: Lexicon,
  measure: Measure["measure"],
  comparison: Comparison,
  number: number,
): Ids {
  // No pattern is kept under a key like this: theirs have a colon in front.
  const key = `${measure}()${comparison}${number}`;
  const kept = cachedResult(lexicon, key);
  if (kept) return { ids: kept.ids, negated: false };
  const found = measuredIds(lexicon, measure, comparison, number);
  keepResult(lexicon, key, { ids: found.ids, count: found.ids.length });
  return found;
}

function measuredIds(
  lexicon: Lexicon,
  measure: Measure["measure"],
  comparison: Comparison,
  number: number,
): Ids {
  if (measure === "f") {
    const { frequencies } = lexicon;
    const ids = new Uint32Array(lexicon.size);
    let count = 0;
    for (let id = 0; id < lexicon.size; id++)
      if (compare(frequencies[id], comparison, number)) ids[count++] = id;
    return { ids: ids.slice(0, count), negated: false };
  }
  return idsWhere(lexicon, (bytes) => compare(measured(bytes.toString(), measure), comparison, number));
}

/** So many characters, a sign among them, are a number that loses nothing as a double. */
const exactCharsMax = 15;

/** What a string of digits stands for, however many there are. NaN: it is none. */
function wholeNumber(string: string): number | bigint {
  if (string.length <= exactCharsMax || !whole.test(string)) return Number(string);
  return string.startsWith("+") ? BigInt(string.slice(1)) : BigInt(string);
}

/** A whole number of a query, which is read as a double: beyond this some stand for their neighbours. */
export function checkExact(number: number, span?: Span): void {
  if (Number.isSafeInteger(number) || !Number.isInteger(number)) return;
  throw new QueryError(
    "bad_number",
    `numbers above ${Number.MAX_SAFE_INTEGER} are not told from each other here`,
    'Compare the value with a string: [attribute>="9007199254740993"].',
    span,
  );
}

/** Characters of a string, or the string as a whole number (NaN if it is none). */
export function measured(string: string, measure: "strlen" | "int"): number | bigint {
  if (measure === "int") return whole.test(string) ? wholeNumber(string) : Number.NaN;
  let length = 0;
  for (const _ of string) length++;
  return length;
}

export function compare(left: number | bigint, comparison: Comparison, right: number | bigint): boolean {
  switch (comparison) {
    case "=":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

/** Numbers of either kind are in order with each other, but === tells the kinds apart. */
function isEqual(left: number | bigint, right: number | bigint): boolean {
  return left === right || (typeof left !== typeof right && left <= right && left >= right);
}

/** As it is written. */
export function valueText({ value }: { value: Value }): string {
  switch (value.kind) {
    case "list":
      return `$${value.name}`;
    case "literal":
      return `==${JSON.stringify(value.string)}${flags(value)}`;
    case "pattern":
      return `${JSON.stringify(value.pattern)}${flags(value)}`;
  }
}

function flags({
  ignoreCase,
  ignoreDiacritics,
}: {
  ignoreCase?: boolean;
  ignoreDiacritics?: boolean;
}): string {
  return ignoreCase || ignoreDiacritics ? `%${ignoreCase ? "c" : ""}${ignoreDiacritics ? "d" : ""}` : "";
}
