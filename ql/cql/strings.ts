/**
 * Strings as they stand in a query, between " or ', and what they mean.
 *
 *   pattern   \" is the quote itself, and so is a doubled quote; any other backslash belongs to the regular expression
 *             and stays, with what follows it: "\\" is the pattern of one backslash
 *   literal   \" and a doubled quote as above; backslashes that stand right before a quote (also the closing one) count
 *             half, so that every string can be written: "a\\" is a and one backslash; all others stay
 */

/** The end of the string that begins at `start`, past its closing quote; -1 if it is never closed. */
export function endOfString(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === backslash) at++;
    else if (unit === quote) {
      if (text.charCodeAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
  return -1;
}

const backslash = 0x5c;

/** The regular expression that a quoted string stands for. */
export function patternOf(quoted: string): string {
  const quote = quoted[0];
  const units = quote === '"' ? /\\[\s\S]|""/g : /\\[\s\S]|''/g;
  return quoted.slice(1, -1).replace(units, (unit) => (unit[1] === quote ? quote : unit));
}

/** The literal that a quoted string stands for. */
export function literalOf(quoted: string): string {
  const quote = quoted[0];
  const inside = quoted.slice(1, -1);
  let literal = "";
  for (let at = 0; at < inside.length; ) {
    let slashes = 0;
    while (inside[at + slashes] === "\\") slashes++;
    at += slashes;
    const end = at === inside.length;
    if (!end && inside[at] !== quote) {
      literal += "\\".repeat(slashes) + inside[at++];
      continue;
    }
    literal += "\\".repeat(slashes >> 1);
    if (end) break;
    literal += quote;
    // Without a backslash of its own, a quote inside is doubled.
    at += slashes % 2 === 1 ? 1 : 2;
  }
  return literal;
}

/**
 * A regular expression as a quoted string. Every pattern that text can express comes back as it was; the few others
 * (an escaped " and an escaped ' in one pattern, a lone backslash at the end) come back with the same meaning.
 */
export function quotePattern(pattern: string): string {
  const escapes = new Set(pattern.match(/\\[\s\S]/g));
  const quote = escapes.has('\\"') && !escapes.has("\\'") ? "'" : '"';
  const inside = pattern.replace(/\\[\s\S]|\\$|["']/g, (unit) => {
    if (unit === "\\") return "\\\\";
    return unit === quote ? `\\${unit}` : unit;
  });
  return quote + inside + quote;
}

/** A literal as a quoted string. */
export function quoteLiteral(literal: string): string {
  const inside = literal.replace(/\\+|"/g, (unit, at: number) => {
    if (unit === '"') return '\\"';
    const next = literal[at + unit.length];
    return next === undefined || next === '"' ? unit + unit : unit;
  });
  return `"${inside}"`;
}

/**
 * Where in the query's text the unit `offset` of a pattern stands, for a string that begins at `start`: errors in a
 * regular expression are told by offset in the pattern, and the text has a backslash more before each quote.
 */
export function offsetInText(text: string, start: number, offset: number): number {
  const quote = text[start];
  let at = start + 1;
  for (let done = 0; done < offset && at < text.length; done++) {
    if (text[at] === "\\") {
      // \" is one unit of the pattern, any other escape sequence is two.
      if (text[at + 1] !== quote) done++;
      if (done >= offset) return at + 1;
      at += 2;
    } else at += text[at] === quote && text[at + 1] === quote ? 2 : 1;
  }
  return at;
}
