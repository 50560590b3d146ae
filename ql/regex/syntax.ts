/**
 * The language of patterns, and its parser.
 *
 *   pattern    = sequence ("|" sequence)*
 *   sequence   = (atom quantifier?)*
 *   quantifier = ("?" | "*" | "+" | "{n}" | "{n,}" | "{,m}" | "{n,m}") ("?" | "+")?
 *   atom       = character | "." | "[" "^"? member* "]" | escape | "^" | "$"
 *              | "(" pattern ")" | "(?<name>" pattern ")" | "(?:" pattern ")"
 *              | "(?=" pattern ")" | "(?!" pattern ")" | "(?i:" pattern ")" | "(?i)" | "(?#" comment ")"
 *   escape     = \d \D \w \W \s \S \p{..} \P{..} \pL | \t \n \r \f \v \a \e \0 \xhh \x{h..} \uhhhh \u{h..}
 *              | \A \z \Z | \1 … \99 \k<name> | \ and a character that is neither letter nor digit
 *   member     = character | character "-" character | escape of one or more characters | [:name:] | [:^name:]
 *
 * A pattern must match the whole value; ^ and $ (also \A, \z, \Z) say "here the value begins" and "here it ends", so
 * they change nothing at the ends and are of use inside lookaheads. A lazy or possessive quantifier ("+?", "++")
 * matches the same values as the plain one. "." is any character. "{" that begins no quantifier, "}" and "]" are
 * themselves; so is "]" right behind "[" or "[^".
 *
 *   \d  \p{Nd}          \w  letters, marks, digits, connector punctuation          \s  \p{White_Space}
 *   \p{..}              a general category (Lu, L, L&), a script (Greek, Script=Greek), a binary property (Alphabetic)
 *   (?i)                ignores case up to the end of the group it stands in; (?-i) minds it again
 *   \1                  the text of a group, as JavaScript has it: of a group that took no part, the empty string
 *
 * A negated class or property is what its positive does not match, also where case or diacritics are ignored.
 * Not supported, and said so: lookbehind, \b, atomic groups, conditions, recursion, \Q…\E, the flags m and x.
 */
import { type CodeSet, classSet, codeSet, complementOf, noCode, propertySet, unionOf } from "./codes.js";
import { PatternError, tooLarge } from "./errors.js";
import { regexLimits } from "./limits.js";

export { PatternError } from "./errors.js";

export type PatternNode =
  | { kind: "literal"; text: string; ignoreCase: boolean }
  | { kind: "any" }
  | { kind: "set"; members: SetMember[]; negated: boolean; ignoreCase: boolean }
  | { kind: "sequence"; items: PatternNode[] }
  | { kind: "alternation"; items: PatternNode[] }
  /** `max` is Infinity where there is none. */
  | { kind: "repeat"; item: PatternNode; min: number; max: number }
  /** A group that can be referred to; numbers count from 1 in the order of opening brackets. */
  | { kind: "group"; number: number; name?: string; item: PatternNode }
  | { kind: "lookahead"; negated: boolean; item: PatternNode }
  | { kind: "anchor"; edge: "start" | "end" }
  | { kind: "backreference"; group: number; ignoreCase: boolean };

/** Part of a class: the code points in `codes`, or with `negated` all others. */
export interface SetMember {
  codes: CodeSet;
  negated: boolean;
}

export interface ParseOptions {
  /** As if the pattern began with (?i). */
  ignoreCase?: boolean;
  /** Called for each alternative; what it throws ends it. */
  look?: () => void;
}

/** Reads a pattern; throws a PatternError with the place of what is wrong. */
export function parsePattern(pattern: string, options: ParseOptions = {}): PatternNode {
  if (pattern.length > regexLimits.patternCharsMax) {
    throw tooLarge(`the pattern has ${pattern.length.toLocaleString("en")} characters`, "patternCharsMax");
  }
  return new Parser(pattern, options).parse();
}

const digits = () => classSet("\\p{Nd}");
const words = () => classSet("[\\p{L}\\p{M}\\p{N}\\p{Pc}]");
const spaces = () => classSet("\\p{White_Space}");

const classEscapes: Record<string, () => CodeSet> = { d: digits, w: words, s: spaces };

const posixClasses: Record<string, () => CodeSet> = {
  alpha: () => classSet("\\p{L}"),
  digit: digits,
  alnum: () => classSet("[\\p{L}\\p{N}]"),
  upper: () => classSet("\\p{Lu}"),
  lower: () => classSet("\\p{Ll}"),
  space: spaces,
  blank: () => classSet("[\\t\\p{Zs}]"),
  punct: () => classSet("[\\p{P}$+<=>^`|~]"),
  print: () => classSet("[^\\p{Zl}\\p{Zp}\\p{C}]"),
  graph: () => classSet("[^\\p{Z}\\p{C}]"),
  cntrl: () => classSet("\\p{Cc}"),
  xdigit: () => codeSet([0x30, 0x39, 0x41, 0x46, 0x61, 0x66]),
  word: words,
  ascii: () => codeSet([0, 127]),
};

const characterEscapes: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, e: 27, a: 7 };

const plainText = /[^\\^$.|?*+()[{]+/y;
const counted = /\{(?:(\d+)(?:(,)(\d*))?|,(\d+))\}/y;

interface Reference {
  node: Extract<PatternNode, { kind: "backreference" }>;
  name?: string;
  offset: number;
}

class Parser {
  #at = 0;
  #depth = 0;
  #ignoreCase: boolean;
  #groups = 0;
  readonly #names = new Map<string, number>();
  readonly #references: Reference[] = [];
  readonly #look: () => void;

  constructor(
    readonly pattern: string,
    { ignoreCase = false, look = () => {} }: ParseOptions,
  ) {
    this.#ignoreCase = ignoreCase;
    this.#look = look;
  }

  parse(): PatternNode {
    const node = this.#alternation();
    if (this.#at < this.pattern.length) {
      throw new PatternError('a ")" without its "("', this.#at, "Write \\) for the character itself.");
    }
    for (const reference of this.#references) this.#resolve(reference);
    return node;
  }

  #resolve({ node, name, offset }: Reference): void {
    if (name !== undefined) {
      const number = this.#names.get(name);
      if (number === undefined) throw new PatternError(`no group is named ${JSON.stringify(name)}`, offset);
      node.group = number;
    } else if (node.group > this.#groups) {
      const groups = this.#groups === 1 ? "one group" : `${this.#groups || "no"} groups`;
      throw new PatternError(`\\${node.group} refers to a group that is not there: it has ${groups}`, offset);
    }
  }

  /** Up to a ")" or the end. */
  #alternation(): PatternNode {
    const outside = this.#ignoreCase;
    const items = [this.#sequence()];
    while (this.pattern[this.#at] === "|") {
      this.#at++;
      this.#look();
      items.push(this.#sequence());
    }
    this.#ignoreCase = outside;
    return items.length === 1 ? items[0] : { kind: "alternation", items };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    for (;;) {
      const start = this.#at;
      const item = this.#text() ?? this.#atom();
      if (!item) break;
      if (item === nothing) continue;
      const repeated = this.#quantified(item, start);
      const last = items.at(-1);
      if (
        last?.kind === "literal" &&
        repeated.kind === "literal" &&
        last.ignoreCase === repeated.ignoreCase
      ) {
        last.text += repeated.text;
      } else items.push(repeated);
    }
    return items.length === 1 ? items[0] : { kind: "sequence", items };
  }

  /** Characters that stand for themselves, as many as follow; one less where a quantifier takes the last. */
  #text(): PatternNode | undefined {
    plainText.lastIndex = this.#at;
    let text = plainText.exec(this.pattern)?.[0];
    if (text === undefined) return undefined;
    const next = this.pattern[this.#at + text.length];
    if (text.length > 1 && next !== undefined && "?*+{".includes(next)) {
      const last = text.codePointAt(text.length - 2)! > 0xffff ? 2 : 1;
      if (text.length > last) text = text.slice(0, -last);
    }
    this.#at += text.length;
    return this.#literal(text);
  }

  #literal(text: string): PatternNode {
    return { kind: "literal", text, ignoreCase: this.#ignoreCase };
  }

  #set(codes: CodeSet, negated = false): PatternNode {
    return {
      kind: "set",
      members: [{ codes, negated: false }],
      negated,
      ignoreCase: this.#ignoreCase,
    };
  }

  #quantified(item: PatternNode, start: number): PatternNode {
    const bounds = this.#quantifier();
    if (!bounds) return item;
    if (item.kind === "anchor") {
      throw new PatternError("an anchor cannot be repeated", start, "Leave the quantifier out.");
    }
    const again = this.#at;
    if (this.#quantifier()) {
      throw new PatternError("a quantifier right behind a quantifier", again, "Put what it repeats in ( ).");
    }
    return { kind: "repeat", item, ...bounds };
  }

  #quantifier(): { min: number; max: number } | undefined {
    const start = this.#at;
    const character = this.pattern[start];
    let bounds: { min: number; max: number };
    if (character === "?") bounds = { min: 0, max: 1 };
    else if (character === "*") bounds = { min: 0, max: Number.POSITIVE_INFINITY };
    else if (character === "+") bounds = { min: 1, max: Number.POSITIVE_INFINITY };
    else if (character === "{") {
      counted.lastIndex = start;
      const found = counted.exec(this.pattern);
      if (!found) return undefined;
      const [, low, comma, high, upTo] = found;
      const min = low === undefined ? 0 : Number(low);
      const max =
        upTo !== undefined ? Number(upTo) : !comma ? min : high ? Number(high) : Number.POSITIVE_INFINITY;
      if (max < min) throw new PatternError(`{${min},${max}}: the first number is the larger one`, start);
      const largest = max === Number.POSITIVE_INFINITY ? min : max;
      if (largest > regexLimits.repeatMax)
        throw tooLarge(`something is repeated ${largest} times`, "repeatMax", start);
      bounds = { min, max };
      this.#at += found[0].length - 1;
    } else return undefined;
    this.#at++;
    const mode = this.pattern[this.#at];
    if (mode === "?" || mode === "+") this.#at++;
    return bounds;
  }

  /** Anything that is not plain text; undefined at the end of a sequence, `nothing` where nothing is matched. */
  #atom(): PatternNode | undefined {
    const { pattern } = this;
    const start = this.#at;
    const character = pattern[start];
    switch (character) {
      case undefined:
      case "|":
      case ")":
        return undefined;
      case ".":
        this.#at++;
        return { kind: "any" };
      case "^":
      case "$":
        this.#at++;
        return { kind: "anchor", edge: character === "^" ? "start" : "end" };
      case "(":
        return this.#group();
      case "[":
        return this.#class();
      case "\\":
        return this.#escape();
      case "{":
        counted.lastIndex = start;
        if (counted.test(pattern)) break;
        this.#at++;
        return this.#literal("{");
    }
    throw new PatternError(
      `nothing to repeat before ${JSON.stringify(character)}`,
      start,
      `Write \\${character} for the character itself.`,
    );
  }

  #group(): PatternNode {
    const start = this.#at++;
    if (++this.#depth > regexLimits.groupDepthMax) {
      throw tooLarge("groups are nested too deeply", "groupDepthMax", start);
    }
    const node = this.pattern[this.#at] === "?" ? this.#specialGroup(start) : this.#capturing(start);
    this.#depth--;
    return node;
  }

  #capturing(start: number, name?: string): PatternNode {
    const number = ++this.#groups;
    if (name !== undefined) {
      if (this.#names.has(name))
        throw new PatternError(`a second group named ${JSON.stringify(name)}`, start);
      this.#names.set(name, number);
    }
    const item = this.#inner(start);
    return name === undefined ? { kind: "group", number, item } : { kind: "group", number, name, item };
  }

  /** What is inside a group, and its ")". */
  #inner(start: number): PatternNode {
    const item = this.#alternation();
    if (this.pattern[this.#at] !== ")") {
      throw new PatternError('a "(" without its ")"', start, "Write \\( for the character itself.");
    }
    this.#at++;
    return item;
  }

  #specialGroup(start: number): PatternNode {
    const { pattern } = this;
    const rest = pattern.slice(this.#at, this.#at + 80);
    if (rest.startsWith("?#")) {
      const end = pattern.indexOf(")", this.#at);
      if (end < 0) throw new PatternError('a comment "(?#" without its ")"', start);
      this.#at = end + 1;
      return nothing;
    }
    if (rest.startsWith("?=") || rest.startsWith("?!")) {
      this.#at += 2;
      return { kind: "lookahead", negated: rest[1] === "!", item: this.#inner(start) };
    }
    if (rest.startsWith("?<=") || rest.startsWith("?<!")) {
      throw new PatternError("lookbehind is not supported", start, "A lookahead can often say the same.");
    }
    const named = /^\?P?<([\p{L}_][\p{L}\p{N}_]*)>/u.exec(rest);
    if (named) {
      this.#at += named[0].length;
      return this.#capturing(start, named[1]);
    }
    const again = /^\?P=([\p{L}_][\p{L}\p{N}_]*)\)/u.exec(rest);
    if (again) {
      this.#at += again[0].length;
      return this.#backreference(0, start, again[1]);
    }
    const flags = /^\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/.exec(rest);
    if (!flags) {
      if (/^\?>/.test(rest)) throw new PatternError("atomic groups are not supported", start, "Use (?: ).");
      throw new PatternError(
        "unknown kind of group",
        start,
        "There are ( ), (?: ), (?<name> ), (?= ), (?! ), (?i).",
      );
    }
    return this.#flags(start, flags);
  }

  #flags(start: number, [text, on, off = "", end]: RegExpExecArray): PatternNode {
    // "." matches any character and patterns are Unicode's, with or without being told.
    const unknown = /[^isu]/.exec(on + off)?.[0];
    if (unknown !== undefined) {
      throw new PatternError(
        `no flag ${unknown} in patterns`,
        start + text.indexOf(unknown) + 1,
        "There is i.",
      );
    }
    this.#at += text.length;
    const outside = this.#ignoreCase;
    if (off.includes("i")) this.#ignoreCase = false;
    else if (on.includes("i")) this.#ignoreCase = true;
    if (end === ")") return nothing;
    const item = this.#inner(start);
    this.#ignoreCase = outside;
    return item;
  }

  #backreference(group: number, offset: number, name?: string): PatternNode {
    const node = { kind: "backreference" as const, group, ignoreCase: this.#ignoreCase };
    this.#references.push({ node, name, offset });
    return node;
  }

  #escape(): PatternNode {
    const { pattern } = this;
    const start = this.#at;
    const character = pattern[start + 1];
    if (character === undefined) {
      throw new PatternError("a backslash at the end", start, "Write \\\\ for the character itself.");
    }
    const edge = character === "A" ? "start" : character === "z" || character === "Z" ? "end" : undefined;
    if (edge) {
      this.#at += 2;
      return { kind: "anchor", edge };
    }
    if (/[1-9]/.test(character)) {
      const digits = /\d+/.exec(pattern.slice(start + 1, start + 8))![0];
      this.#at += 1 + digits.length;
      return this.#backreference(Number(digits), start);
    }
    if (character === "k") {
      const found = /^[<{']([\p{L}_][\p{L}\p{N}_]*)[>}']/u.exec(pattern.slice(start + 2, start + 80));
      if (!found) throw new PatternError("\\k needs the name of a group: \\k<name>", start);
      this.#at += 2 + found[0].length;
      return this.#backreference(0, start, found[1]);
    }
    if (character === "b" || character === "B") {
      throw new PatternError(
        `\\${character} is not supported`,
        start,
        "A pattern matches the whole value; lookaheads say what follows.",
      );
    }
    const member = this.#escapedMember();
    if (typeof member === "number") return this.#literal(String.fromCodePoint(member));
    return this.#set(member.codes, member.negated);
  }

  /** An escape that may stand in a class too: a code point or a set. */
  #escapedMember(): number | SetMember {
    const { pattern } = this;
    const start = this.#at;
    const character = pattern[start + 1];
    this.#at += 2;
    const lower = character.toLowerCase();
    if (Object.hasOwn(classEscapes, lower))
      return { codes: classEscapes[lower](), negated: lower !== character };
    if (lower === "p") return this.#property(start, character === "P");
    if (Object.hasOwn(characterEscapes, character)) return characterEscapes[character];
    if (character === "x") return this.#hexadecimal(start, /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/);
    if (character === "u") {
      const code = this.#hexadecimal(start, /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/);
      const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(pattern.slice(this.#at, this.#at + 6));
      if (code < 0xd800 || code > 0xdbff || !low) return code;
      this.#at += 6;
      return 0x10000 + ((code - 0xd800) << 10) + (Number.parseInt(low[1], 16) - 0xdc00);
    }
    if (character === "0" && !/\d/.test(pattern[this.#at] ?? "")) return 0;
    if (/[a-zA-Z0-9]/.test(character)) {
      throw new PatternError(
        `unknown escape \\${character}`,
        start,
        /[a-zA-Z]/.test(character)
          ? `Write ${character} for the character itself.`
          : "Write \\x{..} for a code point.",
      );
    }
    const code = pattern.codePointAt(start + 1)!;
    if (code > 0xffff) this.#at++;
    return code;
  }

  #hexadecimal(start: number, form: RegExp): number {
    const found = form.exec(this.pattern.slice(this.#at, this.#at + 16));
    const letter = this.pattern[start + 1];
    if (!found) {
      throw new PatternError(
        `\\${letter} needs a code point in hexadecimal`,
        start,
        letter === "x" ? "Like \\x41 or \\x{1F600}." : "Like \\u0041 or \\u{1F600}.",
      );
    }
    const code = Number.parseInt(found[1] ?? found[2], 16);
    if (code > 0x10ffff) throw new PatternError("the last code point is 10FFFF", start);
    this.#at += found[0].length;
    return code;
  }

  #property(start: number, upper: boolean): SetMember {
    const found = /^(?:\{(\^?)([^}]*)\}|([A-Z]))/.exec(this.pattern.slice(this.#at, this.#at + 100));
    if (!found) throw new PatternError("\\p needs a property: \\p{Lu}, \\p{Greek}", start);
    const name = found[3] ?? found[2];
    const codes = propertySet(name);
    if (!codes) {
      throw new PatternError(
        `no Unicode property ${JSON.stringify(name)}`,
        start,
        "There are categories (Lu, L), scripts (Greek, Script=Greek) and properties (Alphabetic).",
      );
    }
    this.#at += found[0].length;
    return { codes, negated: upper !== (found[1] === "^") };
  }

  #class(): PatternNode {
    const { pattern } = this;
    const start = this.#at++;
    const negated = pattern[this.#at] === "^";
    if (negated) this.#at++;
    const ranges: number[] = [];
    const members: SetMember[] = [];
    for (let first = true; ; first = false) {
      if (this.#at >= pattern.length) {
        throw new PatternError('a "[" without its "]"', start, "Write \\[ for the character itself.");
      }
      if (pattern[this.#at] === "]" && !first) break;
      const place = this.#at;
      const low = this.#member(start);
      if (typeof low !== "number") {
        members.push(low);
        continue;
      }
      const high = this.#rangeEnd(start);
      if (high !== undefined && high < low) {
        throw new PatternError("a range in the wrong order", place, "Write the smaller character first.");
      }
      ranges.push(low, high ?? low);
    }
    this.#at++;
    const codes = codeSet(ranges);
    if (ranges.length > 0) members.push({ codes, negated: false });
    return { kind: "set", members, negated, ignoreCase: this.#ignoreCase };
  }

  /** Behind a "-" that is part of a range: its last character. */
  #rangeEnd(start: number): number | undefined {
    const { pattern } = this;
    if (pattern[this.#at] !== "-" || this.#at + 1 >= pattern.length || pattern[this.#at + 1] === "]")
      return undefined;
    const hyphen = this.#at++;
    const high = this.#member(start);
    if (typeof high === "number") return high;
    // [a-\d]: the hyphen is a hyphen.
    this.#at = hyphen;
    return undefined;
  }

  /** One character of a class, or a set inside it. */
  #member(start: number): number | SetMember {
    const { pattern } = this;
    const character = pattern[this.#at];
    if (character === "[" && /[:.=]/.test(pattern[this.#at + 1] ?? "")) {
      const found = /^\[:(\^?)([a-z]+):\]/.exec(pattern.slice(this.#at, this.#at + 20));
      if (found) {
        if (!Object.hasOwn(posixClasses, found[2])) {
          const known = Object.keys(posixClasses).join(", ");
          throw new PatternError(`no class [:${found[2]}:]`, this.#at, `There are ${known}.`);
        }
        this.#at += found[0].length;
        return { codes: posixClasses[found[2]](), negated: found[1] === "^" };
      }
      if (/^\[([.=])[^\]]*\1\]/.test(pattern.slice(this.#at, this.#at + 20))) {
        throw new PatternError("collating elements are not supported", this.#at);
      }
    }
    if (character === "\\") {
      const next = pattern[this.#at + 1];
      if (next === undefined) {
        throw new PatternError('a "[" without its "]"', start, "Write \\[ for the character itself.");
      }
      if (next === "b") {
        this.#at += 2;
        return 8;
      }
      return this.#escapedMember();
    }
    const code = pattern.codePointAt(this.#at)!;
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }
}

/** What a flag or a comment matches: it leaves no trace in the tree. */
const nothing: PatternNode = { kind: "sequence", items: [] };

/** Does the pattern refer back to the text of a group? */
export function hasBackreference(node: PatternNode): boolean {
  switch (node.kind) {
    case "backreference":
      return true;
    case "sequence":
    case "alternation":
      return node.items.some(hasBackreference);
    case "repeat":
    case "group":
    case "lookahead":
      return hasBackreference(node.item);
    default:
      return false;
  }
}

/** The code points of a class, case variants included where it ignores case. `prepare` is applied to each positive part. */
export function resolveSet(
  node: Extract<PatternNode, { kind: "set" }>,
  prepare: (codes: CodeSet) => CodeSet,
): CodeSet {
  const parts = node.members.map(({ codes, negated }) => {
    const prepared = prepare(codes);
    return negated ? complementOf(prepared) : prepared;
  });
  const all = parts.length === 0 ? noCode : unionOf(parts);
  return node.negated ? complementOf(all) : all;
}
