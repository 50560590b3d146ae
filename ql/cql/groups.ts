/**
 * Brackets are matched before the grammar runs. What stands between ( and ), [ and ], [: and :] becomes one word, which
 * the grammar takes as a whole and comes back to when it is done with what is around it:
 *
 *   "a" ( "b" | [tag="N"] ) "c"     "a" Group "c"
 *                                       └── "b" | Brackets
 *                                                 └── tag = "N"
 *
 * So nesting costs no stack, a mistake in one pair of brackets leaves the others alone, and what has no partner is told
 * where it stands. The ( ) of a function hold no expression and stay as they are.
 */
import { createTokenInstance, type IToken, type TokenType } from "chevrotain";
import {
  BoundName,
  Brackets,
  CloseBracket,
  CloseGroup,
  CloseLookahead,
  DistanceName,
  Group,
  LookaheadBrackets,
  MeasureName,
  OpenBracket,
  OpenGroup,
  OpenLookahead,
  SketchName,
} from "./lexer.js";
import { limits } from "./limits.js";
import type { Diagnostic } from "./parse.js";

/** What a Group, Brackets or LookaheadBrackets holds. */
export interface Inside {
  words: IToken[];
  /** Where the closing bracket stands. */
  end: number;
  /** Whether there is one. */
  closed: boolean;
}

export const insideOf = (token: IToken): Inside => token.payload;

interface Pair {
  close: TokenType;
  whole: TokenType;
}

const pairs = new Map<TokenType, Pair>([
  [OpenGroup, { close: CloseGroup, whole: Group }],
  [OpenBracket, { close: CloseBracket, whole: Brackets }],
  [OpenLookahead, { close: CloseLookahead, whole: LookaheadBrackets }],
]);
const openerOf = new Map([...pairs].map(([open, { close }]) => [close, open.LABEL]));
const functions = new Set([MeasureName, DistanceName, BoundName, SketchName]);

interface Open {
  token: IToken;
  pair: Pair;
  words: IToken[];
  /** The ( of a function. */
  call: boolean;
}

/** Puts together what stands between brackets; reports brackets without a partner, and nesting past the limit. */
export function grouped(words: IToken[], report: (diagnostic: Diagnostic) => void): IToken[] {
  const outermost: IToken[] = [];
  const stack: Open[] = [];
  /** How many of each kind are open, by what closes them. */
  const open = new Map<TokenType, number>([...openerOf.keys()].map((close) => [close, 0]));
  let current = outermost;

  const count = (close: TokenType, more: number) => open.set(close, open.get(close)! + more);
  const push = (token: IToken, pair: Pair, call: boolean) => {
    if (call) current.push(token);
    else current = [];
    stack.push({ token, pair, words: current, call });
    count(pair.close, 1);
  };
  /** Ends the innermost, by its closing bracket or, where that is missing, before `end`. */
  const pop = (closer: IToken | undefined, end: number) => {
    const { token, pair, words, call } = stack.pop()!;
    const { whole, close } = pair;
    count(close, -1);
    current = stack.at(-1)?.words ?? outermost;
    if (call) {
      if (closer) current.push(closer);
      return;
    }
    const last = closer ? closer.endOffset! : end - 1;
    const group = createTokenInstance(
      whole,
      `${token.image} … ${close.LABEL}`,
      token.startOffset,
      last,
      ...noLines,
    );
    group.payload = { words, end: closer?.startOffset ?? end, closed: !!closer } satisfies Inside;
    current.push(group);
  };
  const giveUp = (end: number) => {
    const { token, pair } = stack.at(-1)!;
    report(unbalanced(token, `a ${token.image} has no ${pair.close.LABEL}`));
    pop(undefined, end);
  };

  for (let index = 0; index < words.length; index++) {
    const token = words[index];
    const pair = pairs.get(token.tokenType);
    if (pair) {
      // [ ] holds no other [ ]: where a second one opens, the first was meant to end.
      if (pair.whole !== Group) {
        while (open.get(CloseBracket)! + open.get(CloseLookahead)! > 0) giveUp(token.startOffset);
      }
      if (stack.length === limits.nestingMax) {
        report(tooDeep([token.startOffset, token.endOffset! + 1]));
        return [];
      }
      push(token, pair, functions.has(words[index - 1]?.tokenType));
    } else if (!open.has(token.tokenType)) {
      current.push(token);
    } else if (open.get(token.tokenType)! > 0) {
      while (stack.at(-1)!.pair.close !== token.tokenType) giveUp(token.startOffset);
      pop(token, token.startOffset);
    } else {
      report(unbalanced(token, `a ${token.image} has no ${openerOf.get(token.tokenType)}`));
    }
  }
  const end = words.length > 0 ? words.at(-1)!.endOffset! + 1 : 0;
  while (stack.length > 0) giveUp(end);
  return outermost;
}

/** Offsets are all that is kept of a word's place. */
const noLines = [Number.NaN, Number.NaN, Number.NaN, Number.NaN] as const;

export function tooDeep(span: [number, number]): Diagnostic {
  return {
    code: "too_deep",
    severity: "error",
    message: `more than ${limits.nestingMax.toLocaleString("en")} levels of nesting (nestingMax)`,
    span,
    hint: "Take out brackets that change nothing, or split the query.",
  };
}

function unbalanced(token: IToken, message: string): Diagnostic {
  return { code: "unbalanced", severity: "error", message, span: [token.startOffset, token.endOffset! + 1] };
}
