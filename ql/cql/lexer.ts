/**
 * The words of the language: what a query's text is cut into before the grammar sees it.
 *
 * Keywords are names in a certain place, in any case: a label, an attribute or a structure may be called `within` or
 * `cut` as well. A function's name is one that stands right before its "(".
 */
import { createToken, type IToken, Lexer, type TokenType } from "chevrotain";
import type { Diagnostic } from "./parse.js";
import { endOfString } from "./strings.js";

const mark = (name: string, pattern: string | RegExp): TokenType =>
  createToken({
    name,
    pattern,
    label: typeof pattern === "string" ? pattern : undefined,
    line_breaks: false,
  });

// ---- names, numbers, strings

/** A pattern that the lexer cannot look into, and what it may begin with. */
const unicode = (name: string, pattern: RegExp, starts: (string | number)[]): TokenType =>
  createToken({
    name,
    pattern: (text: string, offset: number) => {
      pattern.lastIndex = offset;
      return pattern.exec(text);
    },
    start_chars_hint: starts,
    line_breaks: false,
  });

/** Letters: those of ASCII, and as many others that the lexer, which asks 255 at a time, takes all of them. */
const letters = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
  ...Array.from({ length: 128 }, (_, code) => 128 + code),
  ...Array.from({ length: 257 }, (_, bucket) => Math.min(255 * (bucket + 1) + 1, 0xffff)),
];

/** Letters, digits and "_", not beginning with a digit; also "-" between them. */
export const nameSource = "[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*(?:-[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_]*)*";

export const Name = unicode("Name", new RegExp(nameSource, "uy"), letters);

const keyword = (label: string): TokenType =>
  createToken({
    name: label.toUpperCase(),
    label,
    pattern: new RegExp(label, "i"),
    longer_alt: Name,
    categories: Name,
    line_breaks: false,
  });

export const Within = keyword("within");
export const Containing = keyword("containing");
export const Expand = keyword("expand");
export const Left = keyword("left");
export const Right = keyword("right");
export const To = keyword("to");
export const Cut = keyword("cut");
export const Meet = keyword("meet");
export const Union = keyword("union");
export const Mu = keyword("mu");
export const Tab = keyword("tab");
export const NotWord = keyword("not");
export const Contains = keyword("contains");
export const Matches = keyword("matches");

/** f( strlen( int( */
export const MeasureName = mark("MeasureName", /(?:f|strlen|int)(?=\()/i);
/** distance( distabs( */
export const DistanceName = mark("DistanceName", /(?:distance|distabs)(?=\()/i);
/** lbound( rbound( */
export const BoundName = mark("BoundName", /[lr]bound(?=\()/i);
/** ws( */
export const SketchName = mark("SketchName", /ws(?=\()/i);

export const NumberWord = mark("Number", /\d+(?:\.\d+)?/);
/** $animals */
export const ListName = unicode("ListName", new RegExp(`\\$${nameSource}`, "uy"), ["$"]);

/** Strings are scanned by hand: a regular expression may run out of stack on a string of a megabyte. */
const quoted = (name: string, endOf: (text: string, start: number) => number): TokenType =>
  createToken({
    name,
    pattern: (text: string, offset: number) => {
      if (text[offset] !== '"' && text[offset] !== "'") return null;
      const end = endOf(text, offset);
      return end === -1 ? null : ([text.slice(offset, end)] as unknown as RegExpExecArray);
    },
    start_chars_hint: ['"', "'"],
    line_breaks: true,
  });
export const Text = quoted("Text", endOfString);
const UnclosedText = quoted("UnclosedText", (text) => text.length);

// ---- marks

/** (?longest) */
export const StrategyMark = mark("StrategyMark", /\(\?\w*\)/);
/** %cd */
export const Flags = mark("Flags", /%\w*/);

export const NotIdentical = mark("NotIdentical", "!==");
export const NotEqual = mark("NotEqual", "!=");
export const Identical = mark("Identical", "==");
export const Equal = mark("Equal", "=");
export const Not = mark("Not", "!");
export const Arrow = mark("Arrow", "->");
export const Minus = mark("Minus", "-");
export const DoubleColon = mark("DoubleColon", "::");
export const CloseLookahead = mark("CloseLookahead", ":]");
export const Colon = mark("Colon", ":");
export const OpenLookahead = mark("OpenLookahead", "[:");
export const OpenBracket = mark("OpenBracket", "[");
export const CloseBracket = mark("CloseBracket", "]");
export const OpenGroup = mark("OpenGroup", "(");
export const CloseGroup = mark("CloseGroup", ")");
export const OpenBrace = mark("OpenBrace", "{");
export const CloseBrace = mark("CloseBrace", "}");
export const EndTag = mark("EndTag", "</");
export const DoubleLess = mark("DoubleLess", "<<");
export const LessEqual = mark("LessEqual", "<=");
export const Less = mark("Less", "<");
export const CloseEmptyTag = mark("CloseEmptyTag", "/>");
export const DoubleGreater = mark("DoubleGreater", ">>");
/** Not in <s>=="The": there the tag ends and a literal begins. */
export const GreaterEqual = mark("GreaterEqual", />=(?!=)/);
export const Greater = mark("Greater", ">");
export const And = mark("And", "&");
export const Or = mark("Or", "|");
export const Comma = mark("Comma", ",");
export const Dot = mark("Dot", ".");
export const Hash = mark("Hash", "#");
export const At = mark("At", "@");
export const Tilde = mark("Tilde", "~");
export const Question = mark("Question", "?");
export const Star = mark("Star", "*");
export const Plus = mark("Plus", "+");
export const Semicolon = mark("Semicolon", ";");

const Blank = createToken({ name: "Blank", pattern: /[\s\uFEFF]+/, group: Lexer.SKIPPED, line_breaks: true });

// ---- what stands between brackets, as one word: see groups.ts

/** ( … ) */
export const Group = createToken({ name: "Group", pattern: Lexer.NA });
/** [ … ] */
export const Brackets = createToken({ name: "Brackets", pattern: Lexer.NA });
/** [: … :] */
export const LookaheadBrackets = createToken({ name: "LookaheadBrackets", pattern: Lexer.NA });

/** In the order in which they are tried: the longer before its beginning, and keywords before names. */
const cut = [
  ...[
    Blank,
    Text,
    UnclosedText,
    OpenLookahead,
    OpenBracket,
    CloseBracket,
    StrategyMark,
    OpenGroup,
    CloseGroup,
  ],
  ...[NotIdentical, NotEqual, Identical, Equal, Not, Arrow, Minus, DoubleColon, CloseLookahead, Colon],
  ...[OpenBrace, CloseBrace, EndTag, DoubleLess, LessEqual, Less, CloseEmptyTag, DoubleGreater, GreaterEqual],
  ...[Greater, And, Or, Comma, Dot, Hash, At, Tilde, Question, Star, Plus, Semicolon, Flags, NumberWord],
  ...[ListName, MeasureName, DistanceName, BoundName, SketchName],
  ...[
    Within,
    Containing,
    Contains,
    Expand,
    Left,
    Right,
    Cut,
    Meet,
    Matches,
    Union,
    Mu,
    Tab,
    To,
    NotWord,
    Name,
  ],
];

export const vocabulary: TokenType[] = [...cut, Group, Brackets, LookaheadBrackets];

/** Validating takes longer than reading a query: tests do it. */
export function lexerOf({ validate = false } = {}): Lexer {
  return new Lexer(cut, {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: !validate,
  });
}

const lexer = lexerOf();

/** The words of a query; what is none is reported and left out. */
export function words(text: string, report: (diagnostic: Diagnostic) => void): IToken[] {
  const { tokens, errors } = lexer.tokenize(text);
  const last = tokens.at(-1);
  if (last?.tokenType === UnclosedText) {
    const start = last.startOffset;
    report({
      code: "unbalanced",
      severity: "error",
      message: `a ${text[start]} has no closing ${text[start]}`,
      span: [start, start + 1],
    });
    // What follows an open quote is anybody's guess: nothing else is said about this query.
    return [];
  }
  for (const { offset, length } of errors) {
    const [first] = text.slice(offset, offset + length);
    const isQuote = /[\u00ab\u00bb\u2018-\u201f\u2039\u203a\u300c-\u300f]/.test(first);
    report({
      code: "syntax_error",
      severity: "error",
      message: `${shown(first)} is no part of the language`,
      span: [offset, offset + length],
      hint: isQuote ? `Strings stand between straight quotes: " or '.` : undefined,
    });
    if (isQuote) return [];
  }
  for (const token of tokens) token.endOffset = token.startOffset + token.image.length - 1;
  return tokens;
}

/** A character as a message shows it: one that cannot be seen by its number. */
function shown(character: string): string {
  if (/[\p{C}\p{Z}]/u.test(character)) {
    return `the character U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  }
  return `the character ${character}`;
}
