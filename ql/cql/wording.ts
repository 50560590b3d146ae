/** What is said when the words of a query do not fit the grammar: what, where, and what to do. */
import { EOF, type IParserErrorMessageProvider, type IToken, type TokenType } from "chevrotain";
import { nearestName } from "../../storage/derive/nearest.js";
import * as word from "./lexer.js";
import type { Diagnostic } from "./parse.js";

const aToken = 'a token such as [lemma="go"] or "go"';
const aName = "a name";

/** What a rule expects where none of its alternatives fits. */
const expectations: Record<string, string> = {
  filter: "within or containing",
  scope: "a structure, a number of tokens or a query",
  contained: "a query or a number of tokens",
  expand: "left or right",
  relation: "a relation",
  label: "a label",
  edge: aToken,
  primary: aToken,
  repeat: "a repetition",
  window: "two numbers or a structure",
  tag: ">",
  comparison: "a comparison such as =",
  value: 'a value such as "house"',
  conditionNot: 'a condition such as word="house"',
  tokenTest: 'a condition such as word="house"',
  ofStructureNot: 'a condition such as year="1990"',
  structureTest: 'a condition such as year="1990"',
  acrossNot: "a condition such as 1.tag = 2.tag",
  acrossTest: "a condition such as 1.tag = 2.tag",
  operand: 'something such as 2.tag, 100 or "house"',
  boundLabel: "a label and a structure such as 1.s",
};

/** What a kind of word is called where it is expected. */
const names = new Map<TokenType, string>([
  [word.NumberWord, "a number"],
  [word.Name, aName],
  [word.Text, "a string in quotes"],
  [word.To, "to"],
  [word.Brackets, aToken],
  [word.Group, "( )"],
]);

/** What ends a { or a tag, and what it may have begun with. */
const openings = new Map<TokenType, TokenType[]>([
  [word.CloseBrace, [word.OpenBrace]],
  [word.Greater, [word.Less, word.EndTag]],
  [word.DoubleGreater, [word.DoubleLess]],
]);

const clauses = [word.Within, word.Containing, word.Expand, word.Cut, word.And, word.DoubleColon];
const repetitions = [word.Question, word.Star, word.Plus, word.OpenBrace];

/** Also for labels that fit the grammar. */
export const noLabelsHere = "Labels are compared after the tokens: … & 1.tag = 2.tag.";

export class Wording implements IParserErrorMessageProvider {
  /** The words that are being parsed, and where they end. */
  private words: IToken[] = [];
  private end = 0;
  /** Where something was said; what follows from it is not. */
  private readonly told = new Set<number>();
  private silent = false;
  report: (diagnostic: Diagnostic) => void = () => {};

  /** Begins with other words. */
  begin(words: IToken[], end: number): void {
    this.words = words;
    this.end = end;
    this.told.clear();
    this.silent = false;
  }

  buildMismatchTokenMessage({ expected, actual, previous, ruleName }: Mismatch): string {
    if (expected === EOF) return this.tooMuch(actual, ruleName);
    if (ruleName === "tag" || ruleName === "bounds") {
      const open = this.unclosed(expected, actual);
      if (open) return this.unbalanced(open, expected);
    }
    if (expected === word.Dot && isName(previous.tokenType)) {
      if (actual.tokenType === word.Group) {
        const { code, message, hint } = noFunction(previous);
        return this.say(code, message, spanOf(previous), hint);
      }
      const name = shown(previous);
      const hint = `Write 1.${name}, by the label of a token, or match.${name}.`;
      return this.say("syntax_error", `${name} has no label`, spanOf(previous), hint);
    }
    return this.unexpected(actual, names.get(expected) ?? expected.LABEL ?? expected.name, ruleName);
  }

  buildNotAllInputParsedMessage({ firstRedundant, ruleName }: Redundant): string {
    return this.tooMuch(firstRedundant, ruleName);
  }

  buildNoViableAltMessage({ actual: [actual], ruleName, expectedPathsPerAlt }: NoAlternative): string {
    const open = ruleName === "tag" ? this.unclosed(word.Greater, actual) : undefined;
    if (open) return this.unbalanced(open, word.Greater);
    let expected = expectations[ruleName];
    if (ruleName === "attributeTest") {
      const startsValue = expectedPathsPerAlt.flat().some(([first]) => first === word.Text);
      expected = startsValue ? expectations.value : expectations.comparison;
    }
    return this.unexpected(actual, expected ?? aToken, ruleName);
  }

  buildEarlyExitMessage({ actual: [actual], ruleName }: EarlyExit): string {
    const expected = expectations[`${ruleName.replace(/(?:And|Or)$/, "")}Not`];
    return this.unexpected(actual, expected ?? aToken, ruleName);
  }

  /** The words fit the grammar up to here. */
  private tooMuch(actual: IToken, ruleName: string): string {
    const span = spanOf(actual);
    if (repetitions.includes(actual.tokenType)) {
      const hint = "Put what is repeated in ( ).";
      return this.say("syntax_error", "only one repetition may follow a token or a group", span, hint);
    }
    if (actual.tokenType === word.StrategyMark) {
      return this.say("syntax_error", `${shown(actual)} stands in front of a query only`, span);
    }
    const inCondition = ruleName === "condition" || ruleName === "ofStructure" || ruleName === "across";
    let hint = inCondition ? "Join conditions by & or |." : undefined;
    if (ruleName === "condition" && actual.tokenType === word.Dot) hint = noLabelsHere;
    if (!inCondition && isName(actual.tokenType)) hint = `Words stand in quotes: "${shown(actual)}".`;
    return this.say(
      "syntax_error",
      `${shown(actual)} cannot stand ${after(this.before(actual))}`,
      span,
      hint,
    );
  }

  private unexpected(actual: IToken, expected: string, ruleName: string): string {
    const before = this.before(actual);
    if (actual.tokenType === EOF) {
      const place = before ? before.endOffset! + 1 : this.end;
      const message = `${expected} is missing${before ? ` ${after(before)}` : ""}`;
      const touches = ruleName === "edge" && before?.tokenType === word.Text;
      const hint = touches ? `Put a blank after > if ${shown(before)} is the dependant.` : undefined;
      return this.say("syntax_error", message, [place, place], hint);
    }
    if (expected === aToken && clauses.includes(actual.tokenType)) {
      return this.say("syntax_error", `${expected} is missing before ${actual.image}`, spanOf(actual));
    }
    if (expected === aToken && isName(actual.tokenType)) {
      const message = `${shown(actual)} stands without quotes`;
      return this.say("syntax_error", message, spanOf(actual), `Write "${shown(actual)}".`);
    }
    const message = `${shown(actual)} cannot stand ${after(before)}: ${expected} is expected`;
    return this.say("syntax_error", message, spanOf(actual), this.hintFor(actual, ruleName));
  }

  private hintFor(actual: IToken, ruleName: string): string | undefined {
    const { tokenType } = actual;
    if (tokenType === word.NumberWord) {
      if (ruleName === "value" || ruleName === "attributeTest")
        return `Put it in quotes: "${shown(actual)}".`;
      if (ruleName.startsWith("condition")) return noLabelsHere;
    }
    if (ruleName === "tag") return "Join conditions by & or |.";
    if (ruleName === "contained" && isName(tokenType))
      return `A structure is written <${shown(actual)}/> here.`;
    return undefined;
  }

  private before(actual: IToken): IToken | undefined {
    return actual.tokenType === EOF ? this.words.at(-1) : this.words[this.words.indexOf(actual) - 1];
  }

  /** The bracket that is open at `actual`, if what would close it never comes. */
  private unclosed(closing: TokenType, actual: IToken): IToken | undefined {
    const opens = openings.get(closing);
    if (!opens) return undefined;
    const closers = closing === word.Greater ? [word.Greater, word.CloseEmptyTag] : [closing];
    const at = actual.tokenType === EOF ? this.words.length : this.words.indexOf(actual);
    const open = this.words.findLast(({ tokenType }, index) => index < at && opens.includes(tokenType));
    const next = this.words.find(
      ({ tokenType }, index) => index >= at && (closers.includes(tokenType) || opens.includes(tokenType)),
    );
    return next && closers.includes(next.tokenType) ? undefined : open;
  }

  private unbalanced(open: IToken, closing: TokenType): string {
    const message = this.say("unbalanced", `a ${open.image} has no ${closing.LABEL}`, spanOf(open));
    this.silent = true;
    return message;
  }

  private say(code: string, message: string, span: [number, number], hint?: string): string {
    if (this.silent || this.told.has(span[0])) return message;
    this.told.add(span[0]);
    this.report({ code, severity: "error", message, span, ...(hint && { hint }) });
    return message;
  }
}

type Provider = IParserErrorMessageProvider;
type Mismatch = Parameters<Provider["buildMismatchTokenMessage"]>[0];
type Redundant = Parameters<Provider["buildNotAllInputParsedMessage"]>[0];
type NoAlternative = Parameters<Provider["buildNoViableAltMessage"]>[0];
type EarlyExit = Parameters<Provider["buildEarlyExitMessage"]>[0];

const functionNames = ["f", "strlen", "int", "lbound", "rbound", "ws", "distance", "distabs"];

/** What is wrong with a name in front of a ( that is taken for no function's. */
export function noFunction(name: IToken): Pick<Diagnostic, "code" | "message" | "hint"> {
  const { image } = name;
  if (functionNames.includes(image.toLowerCase())) {
    const message = `${image} stands apart from its (`;
    return { code: "syntax_error", message, hint: `Write ${image}( without a blank.` };
  }
  const near = nearestName(image, functionNames);
  const message = `no function ${shown(name)} (there are ${functionNames.join(", ")})`;
  return { code: "unknown_function", message, hint: near && `Did you mean ${near}?` };
}

function isName(type: TokenType): boolean {
  return type === word.Name || (type.CATEGORIES?.includes(word.Name) ?? false);
}

function spanOf(token: IToken): [number, number] {
  return [token.startOffset, token.endOffset! + 1];
}

/** A word as a message shows it: not more of it than people read. */
export function shown({ image }: { image: string }): string {
  return image.length > shownCharsMax ? `${image.slice(0, shownCharsMax)}…` : image;
}

const shownCharsMax = 30;

function after(previous: IToken | undefined): string {
  return previous ? `after ${shown(previous)}` : "here";
}
