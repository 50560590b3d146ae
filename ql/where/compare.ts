/**
 * What a comparison means for one value.
 *
 *   a number    is compared with the values that are numbers, whole or decimal
 *   a date      2013-05 or 2013-05-09, is compared with the values that are dates or years, as exactly as it is written itself:
 *               2013-05-09 is neither before 2013-05 nor behind it. What a value leaves open is the first: 2013 is
 *               2013-01-01. Four digits are a year where the value is a date, else a number
 *   the rest    is compared by code points
 *
 * What cannot be compared so (a name with a number) is neither less nor greater nor equal. In quotes, "=" is about the
 * very string. A pattern matches whole values.
 */
import type { Lexicon } from "../../storage/index.js";
import { compilePattern, idsMatching, PatternError } from "../regex/index.js";
import { type Test, whereError } from "./parse.js";

export interface Comparing {
  test(value: string): boolean;
  /** The ids of a lexicon whose strings pass, ascending. */
  idsOf(lexicon: Lexicon): Uint32Array;
  /** How they are found, for people. */
  how: string;
}

const numeral = /^[+-]?\d+(\.\d+)?$/;
const dated = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ].*)?$/;
const yearly = /^\d{4}$/;

/** The opposite of !=, !~ and the like is left to the caller: here they are = and ~. */
export function comparing({ operator, value, quoted, valueSpan }: Test, checkpoint: () => void): Comparing {
  if (operator === "~" || operator === "!~") return byPattern(value, valueSpan, checkpoint);
  if (operator === "=" || operator === "!=") {
    if (quoted || !(numeral.test(value) || dated.test(value))) return bySameString(value);
    return byTest((own) => own === value || orderOf(own, value) === 0, checkpoint);
  }
  const passes = orders[operator];
  const test = (own: string) => passes(orderOf(own, value));
  // A year may meet dates as well as numbers, so every string is looked at; other numbers have an order of their own.
  if (!numeral.test(value) || yearly.test(value)) return byTest(test, checkpoint);
  const number = Number(value);
  return {
    test,
    how: "by the order of its numbers",
    idsOf: (lexicon) => {
      const between = lexicon.idsBetween(
        operator.startsWith(">") ? number : Number.NEGATIVE_INFINITY,
        operator.startsWith("<") ? number : Number.POSITIVE_INFINITY,
      );
      const { values } = lexicon.numbers;
      return between.filter((id) => passes(Math.sign(values[id] - number))).sort();
    },
  };
}

const orders = {
  "<": (order: number) => order < 0,
  "<=": (order: number) => order <= 0,
  ">": (order: number) => order > 0,
  ">=": (order: number) => order >= 0,
};

/** Negative: the value comes before the literal; NaN: there is no order between them. */
export function orderOf(value: string, literal: string): number {
  if (numeral.test(literal)) {
    if (numeral.test(value)) return Math.sign(Number(value) - Number(literal));
    const year = yearly.test(literal) ? dated.exec(value)?.[1] : undefined;
    return year === undefined ? Number.NaN : Math.sign(Number(year) - Number(literal));
  }
  const asked = dateOf(literal);
  if (!asked) return Buffer.compare(Buffer.from(value), Buffer.from(literal));
  const own = dateOf(value);
  if (!own) return Number.NaN;
  for (let i = 0; i < asked.length; i++) {
    const order = Math.sign((own[i] ?? 1) - asked[i]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Year, and month and day as far as they are written. */
function dateOf(text: string): number[] | undefined {
  if (yearly.test(text)) return [Number(text)];
  const found = dated.exec(text);
  return found ? [found[1], found[2], found[3]].filter((part) => part !== undefined).map(Number) : undefined;
}

/** A date as years, with what it leaves open as the first; NaN where it is none. */
export function yearsOf(text: string): number {
  const date = dateOf(text);
  if (!date) return numeral.test(text) ? Number(text) : Number.NaN;
  const [year, month = 1, day = 1] = date;
  return year + (month - 1) / 12 + (day - 1) / 365;
}

function bySameString(string: string): Comparing {
  return {
    test: (own) => own === string,
    how: "a value that is looked up",
    idsOf: (lexicon) => {
      // Half a character is in no text: in UTF-8 it would turn into another one.
      const id = /\p{Surrogate}/u.test(string) ? -1 : lexicon.find(string);
      return id < 0 ? new Uint32Array(0) : Uint32Array.of(id);
    },
  };
}

function byPattern(pattern: string, span: Test["valueSpan"], checkpoint: () => void): Comparing {
  const located = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      if (error instanceof PatternError) throw whereError(error.message, error.hint, span);
      throw error;
    }
  };
  const compiled = located(() => compilePattern(pattern, {}));
  return {
    test: (own) => located(() => compiled.matches(own, { checkpoint })),
    how: "by a pattern over its values",
    idsOf: (lexicon) =>
      lexicon.size === 0
        ? new Uint32Array(0)
        : located(() => Uint32Array.from(idsMatching(lexicon, compiled, { checkpoint }).ids)),
  };
}

function byTest(test: (value: string) => boolean, checkpoint: () => void): Comparing {
  return {
    test,
    how: "by trying its values",
    idsOf: (lexicon) => {
      const ids: number[] = [];
      let seen = 0;
      for (const { id, bytes } of lexicon.inOrder()) {
        if ((++seen & 0xfff) === 0) checkpoint();
        if (test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())) ids.push(id);
      }
      return Uint32Array.from(ids).sort();
    },
  };
}
