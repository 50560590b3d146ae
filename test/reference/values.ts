/** When a value fits, in plain JavaScript: patterns by RegExp, order by numbers or by code points. */
import type { Value } from "../../ql/cql/ast.js";

/** Says of strings whether they fit a pattern or a literal as a whole; each string is looked at once. */
export function fitter(value: Exclude<Value, { kind: "list" }>): (string: string) => boolean {
  const test = testOf(value);
  const known = new Map<string, boolean>();
  return (string) => {
    let fits = known.get(string);
    if (fits === undefined) {
      fits = test(string);
      known.set(string, fits);
    }
    return fits;
  };
}

function testOf(value: Exclude<Value, { kind: "list" }>): (string: string) => boolean {
  const fold = (text: string) =>
    value.ignoreDiacritics ? text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC") : text;
  if (value.kind === "literal") {
    const same = (text: string) => (value.ignoreCase ? fold(text).toLowerCase() : fold(text));
    return (string) => same(string) === same(value.string);
  }
  const inline = /^\(\?i\)/.test(value.pattern);
  const pattern = unicodeClasses(fold(inline ? value.pattern.slice(4) : value.pattern));
  const regex = new RegExp(`^(?:${pattern})$`, inline || value.ignoreCase ? "siu" : "su");
  return (string) => regex.test(fold(string));
}

/** \w and \d mean letters with their marks and digits of any script, and all that joins words; in RegExp they are of ASCII alone. */
function unicodeClasses(pattern: string): string {
  const classes: Record<string, string> = {
    w: "[\\p{L}\\p{M}\\p{N}\\p{Pc}]",
    W: "[^\\p{L}\\p{M}\\p{N}\\p{Pc}]",
    d: "\\p{Nd}",
    D: "\\P{Nd}",
  };
  return pattern.replace(/\\(.)/gsu, (escaped, letter) => classes[letter] ?? escaped);
}

/** The single values of a multi-value string: distinct, and those of no characters are none. */
export function split(value: string, separator: string | undefined): string[] {
  if (separator === undefined || !value.includes(separator)) return [value];
  return [...new Set(value.split(separator).filter((part) => part !== ""))];
}

const whole = /^[+-]?\d+$/;

/** The integer that a string spells, however large, or NaN. */
export function integer(string: string): number | bigint {
  return whole.test(string) ? BigInt(string.replace("+", "")) : Number.NaN;
}

/** Two integers compare by number, anything else by code points: as UTF-8 bytes do. */
export function inOrder(left: string, order: string, right: string): boolean {
  if (whole.test(left) && whole.test(right)) return compare(integer(left), order, integer(right));
  return compare(Buffer.compare(Buffer.from(left), Buffer.from(right)), order, 0);
}

/** What is not a number is not equal to one, nor before or behind it. */
export function compare(left: number | bigint, comparison: string, right: number | bigint): boolean {
  // An integer may be of either kind: they are the same where neither is the larger.
  const same = left >= right && left <= right;
  switch (comparison) {
    case "=":
      return same;
    case "!=":
      return !same;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}
