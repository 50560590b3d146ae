/**
 * What the rules of the grammar do besides reading: they look ahead, make nodes, put off what stands in brackets, and
 * say what is wrong where the words fit the grammar and still make no sense.
 */
import { EmbeddedActionsParser, type IToken, type TokenType, tokenMatcher } from "chevrotain";
import { nearestName } from "../../storage/derive/nearest.js";
import type {
  And as AndNode,
  Comparison,
  Condition,
  Expand as ExpandNode,
  Expression,
  Filter,
  Implies,
  Lookahead,
  Meet as MeetNode,
  Node,
  Not as NotNode,
  Operand,
  Order,
  Or as OrNode,
  Query,
  Span,
  Strategy,
  StructureCondition,
  StructureTest,
  Token,
  Union as UnionNode,
  Value,
  Where,
} from "./ast.js";
import { type Inside, insideOf } from "./groups.js";
import * as word from "./lexer.js";
import type { Diagnostic } from "./parse.js";
import { literalOf, patternOf } from "./strings.js";
import { noFunction, noLabelsHere, shown, Wording } from "./wording.js";

/** What a pair of brackets may hold. */
export type Start = "statement" | "group" | "condition" | "ofStructure" | "across";

/** Words that are still to be parsed, and what to do with the outcome. */
export interface Task {
  rule: Start;
  words: IToken[];
  /** Where the words end: the place of the closing bracket, or the end of the text. */
  end: number;
  put: (outcome: never) => void;
}

const strategies: Strategy[] = ["all", "shortest", "standard", "longest", "traditional"];
const flagMeanings = "c: ignoring case, d: ignoring diacritics, l: literally";

export type Logical<Test extends Node> =
  | AndNode<Logical<Test>>
  | OrNode<Logical<Test>>
  | NotNode<Logical<Test>>
  | Implies<Logical<Test>>
  | Test;

/** A comparison as it is written: `literal` for == and !==, `order` for < and the like. */
export interface Compared {
  negated: boolean;
  literal?: boolean;
  order?: Order;
  span: Span;
}

/** A value as it is written: whether it is a pattern or a literal depends on the comparison too. */
export interface Written {
  text?: IToken;
  flags?: IToken;
  list?: IToken;
}

/** What follows a & or ::, and where. */
export interface WherePart {
  where: Where;
  span: Span;
}

/** 1.tag */
export interface Reference {
  label: string;
  name: string;
  nameSpan?: Span;
}

/** What stands in a tag. */
export interface TagName {
  structure: string;
  nameSpan?: Span;
  condition?: StructureCondition;
}

export interface Bounds {
  min: number;
  max: number | null;
}

/** The grammar's foundation: conditions.ts and grammar.ts build on it. */
export abstract class Building extends EmbeddedActionsParser {
  /** What is still to be done, last first. */
  tasks: Task[] = [];
  /** Names of CQP's start tags with a condition, such as doc_year: their end tags are split as well. */
  splitTags = new Set<string>();
  /** Regular expressions, as they are quoted: looked into where something else is wrong with the text. */
  patterns: IToken[] = [];
  report: (diagnostic: Diagnostic) => void = () => {};
  readonly wording: Wording;

  constructor({ validate = false }: GrammarOptions = {}) {
    const wording = new Wording();
    super(word.vocabulary, {
      recoveryEnabled: true,
      maxLookahead: 2,
      skipValidations: !validate,
      errorMessageProvider: wording,
    });
    this.wording = wording;
  }

  // ---- looking ahead

  protected is(ahead: number, type: TokenType): boolean {
    return tokenMatcher(this.LA(ahead), type);
  }

  protected isOneOf(ahead: number, types: TokenType[]): boolean {
    return types.some((type) => this.is(ahead, type));
  }

  protected isOrder(ahead: number): boolean {
    return this.isOneOf(ahead, [word.Less, word.LessEqual, word.Greater, word.GreaterEqual]);
  }

  /** Whether a word begins a clause of a query, such as "within". */
  protected isClause(ahead: number): boolean {
    return this.isOneOf(ahead, [word.Within, word.Containing, word.Expand, word.Cut]);
  }

  protected beginsItem(ahead: number): boolean {
    const type = this.LA(ahead).tokenType;
    if (itemStarts.has(type)) return true;
    if (type === word.Not) return this.is(ahead + 1, word.Group);
    if (this.is(ahead, word.Name) || type === word.NumberWord) {
      return this.is(ahead + 1, word.Colon) || (type === word.Mu && this.is(ahead + 1, word.Group));
    }
    return false;
  }

  protected beginsExpression(): boolean {
    return this.beginsItem(1) || (this.is(1, word.Tab) && this.beginsItem(2));
  }

  protected beginsRepeat(): boolean {
    return this.isOneOf(1, [word.Question, word.Star, word.Plus, word.OpenBrace]);
  }

  /** After a >: a string that touches it; or a name that is no label, keyword or MU( ). */
  protected beginsRelation(): boolean {
    const next = this.LA(1);
    if (next.tokenType === word.Text) return this.LA(0).endOffset! + 1 === next.startOffset;
    if (this.isClause(1) || (this.is(1, word.Mu) && this.is(2, word.Group))) return false;
    const isPart = (ahead: number) => this.is(ahead, word.Name) || this.is(ahead, word.NumberWord);
    if (!isPart(1)) return false;
    let ahead = 2;
    while (this.is(ahead, word.Colon) && isPart(ahead + 1)) ahead += 2;
    return !this.is(ahead, word.Colon);
  }

  // ---- making nodes

  protected start(): number {
    return this.LA(1).startOffset;
  }

  protected spanFrom(start: number): Span {
    return [start, this.LA(0).endOffset! + 1];
  }

  protected fail(code: string, message: string, span: Span, hint?: string): void {
    // A word that recovery put in stands nowhere: what it leads to has been told already.
    if (Number.isNaN(span[0] + span[1])) return;
    this.report({ code, severity: "error", message, span, ...(hint && { hint }) });
  }

  /** Puts off what is inside brackets; the node that is returned becomes what is found there. */
  protected later<Outcome extends object>(
    rule: Start,
    token: IToken,
    put = (node: Outcome, outcome: Outcome): void => void Object.assign(node, outcome),
  ): Outcome {
    const node = {} as Outcome;
    this.ACTION(() => {
      const inside = insideOf(token);
      // A word that recovery put in has nothing inside.
      if (!inside) return;
      const { words, end, closed } = inside;
      if (words.length === 0 && closed) this.fail("syntax_error", "( ) is empty", spanOf(token));
      if (words.length > 0)
        this.tasks.push({ rule, words, end, put: (outcome: Outcome) => put(node, outcome) });
    });
    return node;
  }

  /** ( … ) in an expression: a query with more than an expression keeps a node of its own. */
  protected grouped(token: IToken, start: number): Expression {
    return this.later("group", token, (node: Expression, outcome) => {
      const span: Span = [start, token.endOffset! + 1];
      const found = outcome as unknown as Query | MeetNode | UnionNode;
      if (found.kind !== "query") Object.assign(node, found, { span });
      else if (isPlain(found)) Object.assign(node, found.expression);
      else Object.assign(node, { kind: "filtered", query: found, span });
    });
  }

  protected bracketed(kind: "token" | "lookahead", token: IToken): Expression {
    const node: Token | Lookahead = { kind, span: spanOf(token) };
    this.ACTION(() => {
      const { words, end } = insideOf(token) ?? noWords;
      if (words.length === 0) return;
      this.tasks.push({
        rule: "condition",
        words,
        end,
        put: (condition: Condition) => {
          node.condition = condition;
        },
      });
    });
    return node;
  }

  protected addWhere(query: Query, parts: WherePart[], part: WherePart | undefined, first: IToken): void {
    this.ACTION(() => {
      this.checkOrder(query, first);
      if (part) parts.push(part);
    });
  }

  protected addFilter(query: Query, filter: Filter, first: IToken): void {
    this.ACTION(() => {
      this.checkOrder(query, first);
      query.filters.push(filter);
    });
  }

  protected addExpand(query: Query, expand: ExpandNode, first: IToken): void {
    this.ACTION(() => {
      if (query.expand) this.fail("repeated", "expand stands twice", this.spanFrom(first.startOffset));
      else if (query.cut !== undefined) this.checkOrder(query, first);
      query.expand = expand;
    });
  }

  protected addCut(query: Query, cut: number, first: IToken): void {
    this.ACTION(() => {
      if (query.cut !== undefined)
        this.fail("repeated", "cut stands twice", this.spanFrom(first.startOffset));
      query.cut = cut;
    });
  }

  /** What changes the matches afterwards stands after what selects them. */
  protected checkOrder(query: Query, first: IToken): void {
    const after = query.cut !== undefined ? "cut" : query.expand ? "expand" : undefined;
    if (!after) return;
    const hint = `Put ${after} at the end, or what it belongs to in ( ).`;
    this.fail("syntax_error", `${first.image} stands after ${after}`, this.spanFrom(first.startOffset), hint);
  }

  protected strategyOf(token: IToken): Strategy | undefined {
    return this.ACTION(() => {
      const name = token.image.slice(2, -1).toLowerCase();
      const strategy = strategies.find((known) => known === name);
      if (!strategy) {
        const near = nearestName(name, strategies);
        this.fail(
          "unknown_strategy",
          `no strategy "${shown({ image: name })}" (there are ${strategies.join(", ")})`,
          spanOf(token),
          near && `Did you mean ${near}?`,
        );
      }
      return strategy;
    });
  }

  protected integerOf(token: IToken): number {
    return this.ACTION(() => {
      const number = Number(token.image);
      if (!/^\d*$/.test(token.image))
        this.fail("bad_number", `${shown(token)} is no whole number`, spanOf(token));
      else if (!Number.isSafeInteger(number + 1)) {
        this.fail("bad_number", `the number is larger than ${Number.MAX_SAFE_INTEGER - 1}`, spanOf(token));
      }
      return number;
    });
  }

  protected boundsOf(min: number | undefined, max: number | null | undefined, span: Span): Bounds {
    if (min === undefined && typeof max !== "number") {
      this.fail(
        "bad_repeat",
        "{ } holds no number",
        span,
        "{2}, {2,}, {,3} and {2,3} are repetitions; * is any number.",
      );
    } else if (typeof max === "number" && (min ?? 0) > max) {
      this.fail("bad_repeat", `{${min},${max}} ends before it begins`, span, `Write {${max},${min}}.`);
    }
    return { min: min ?? 0, max: max ?? null };
  }

  protected endOfEdge(item: Expression): Expression {
    return this.ACTION(() => {
      if (item?.kind === "repeat") {
        const hint = "Put what is repeated in ( ).";
        this.fail("syntax_error", "an edge joins two tokens, not a repetition", item.span!, hint);
      }
      return item;
    });
  }

  protected splitName(name: IToken, compared: Compared, written: Written): TagName {
    const at = name.image.indexOf("_", 1);
    const attribute = name.image.slice(at + 1);
    if (at === -1 || attribute === "") {
      const structure = shown(name);
      const hint = `Name one: <${structure} attribute=…>, or in CQP's way <${structure}_attribute=…>.`;
      this.fail("syntax_error", `<${structure}…> compares no attribute`, spanOf(name), hint);
    }
    const [start, end] = spanOf(name);
    const condition: StructureTest = {
      kind: "structureAttribute",
      attribute,
      ...this.comparedValue(compared, written),
      nameSpan: [start + at + 1, end],
      span: this.spanFrom(start),
    };
    return { structure: name.image.slice(0, at), nameSpan: [start, start + at], condition };
  }

  protected comparedValue({ negated, literal, order, span }: Compared, written: Written) {
    if (order && written.list) {
      this.fail(
        "syntax_error",
        `${order} compares with a string, not with a list`,
        span,
        "Lists go with = and !=.",
      );
    }
    if (order && written.flags && /[cd]/i.test(written.flags.image)) {
      const message = `${order} compares by number or code point, which ${shown(written.flags)} does not change`;
      this.fail("syntax_error", message, spanOf(written.flags), "%c and %d go with = and !=.");
    }
    const value = this.toValue(written, literal === true || order !== undefined);
    return order ? { negated, order, value } : { negated, value };
  }

  protected toValue({ text, flags, list }: Written, literal: boolean): Value {
    if (list) return { kind: "list", name: list.image.slice(1), span: spanOf(list) };
    const marks = flags?.image.slice(1).toLowerCase() ?? "";
    if (flags && !/^[cdl]+$/.test(marks)) {
      this.fail("unknown_flag", `no flag ${shown(flags)} (there are ${flagMeanings})`, spanOf(flags));
    }
    const quoted = text?.image || '""';
    const options = {
      ...(marks.includes("c") && { ignoreCase: true }),
      ...(marks.includes("d") && { ignoreDiacritics: true }),
      ...(text && { span: spanOf(text) }),
    };
    if (literal || marks.includes("l")) return { kind: "literal", string: literalOf(quoted), ...options };
    return { kind: "pattern", pattern: text ? this.pattern(text) : "", ...options };
  }

  protected pattern(text: IToken): string {
    this.patterns.push(text);
    return patternOf(text.image || '""');
  }

  protected checkSameToken({ order, span }: Compared, structural: boolean): void {
    if (order) {
      const hint = "A value stands in quotes.";
      this.fail("syntax_error", "two attributes are compared by = or != only", span, hint);
    } else if (structural) {
      this.fail("syntax_error", "an attribute of a structure is compared with a value only", span);
    }
  }

  protected labelInBrackets(label: IToken): void {
    this.fail("syntax_error", `${shown(label)} is a label, and stands in [ ]`, spanOf(label), noLabelsHere);
  }

  protected unknownFunction(name: IToken): void {
    const { code, message, hint } = noFunction(name);
    this.fail(code, message, spanOf(name), hint);
  }

  protected leftOperand(left: Operand | Written, { span }: Compared): Operand {
    if ("kind" in left) return left;
    this.fail(
      "syntax_error",
      "a value stands on the right of a comparison",
      span,
      'For example: 1.word = "house".',
    );
    return nothing;
  }

  protected rightOperand(right: Operand | Written, compared: Compared): Operand {
    if ("kind" in right) return right;
    const { value } = this.comparedValue(compared, right);
    return { kind: "value", value, ...(value.span && { span: value.span }) };
  }
}

export interface GrammarOptions {
  /** Whether the grammar is checked for contradictions: it takes a while, and tests do it. */
  validate?: boolean;
}

/** Stand where none is written, or a mistake was made. */
const noWords: Inside = { words: [], end: 0, closed: true };
export const noComparison: Compared = { negated: false, span: [0, 0] };
export const nothing: Operand = { kind: "number", number: 0 };

const itemStarts = new Set<TokenType>([
  ...[word.Brackets, word.LookaheadBrackets, word.Text, word.Identical, word.Group, word.Tilde, word.At],
  ...[word.Less, word.EndTag, word.DoubleLess],
]);

/** Whether a query is nothing but its expression. */
export function isPlain({ strategy, where, filters, expand, cut }: Query): boolean {
  return !strategy && !where && filters.length === 0 && !expand && cut === undefined;
}

/** Conditions of several & and :: of one query hold together. */
export function joined(parts: WherePart[]): Where | undefined {
  if (parts.length < 2) return parts[0]?.where;
  const items = parts.flatMap(({ where }) => (where?.kind === "and" ? where.items : [where]));
  return { kind: "and", items, span: [parts[0].span[0], parts.at(-1)!.span[1]] };
}

/** A word stands for something else than itself. */
export function means<const Meaning>(_: IToken, meaning: Meaning): Meaning {
  return meaning;
}

export function spanOf(token: IToken): Span {
  return [token.startOffset, token.endOffset! + 1];
}

export function edgeOf(bound: IToken): "start" | "end" {
  return bound.image.toLowerCase() === "lbound" ? "start" : "end";
}

export function measureOf(token: IToken): "f" | "strlen" | "int" {
  return token.image.toLowerCase() as "f" | "strlen" | "int";
}

export function plain({ negated }: Compared): "=" | "!=" {
  return negated ? "!=" : "=";
}

export function comparisonOf(compared: Compared): Comparison {
  return compared.order ?? plain(compared);
}

/** a !>= b is !(a >= b) where a test has no negation of its own. */
export function negatedOrder<Test extends Node>(compared: Compared, test: Test): Test | NotNode<Test> {
  return compared.order && compared.negated ? { kind: "not", item: test, span: test.span } : test;
}

export function withoutUndefined<Kept extends object>(node: Kept): Kept {
  for (const key of Object.keys(node) as (keyof Kept)[]) if (node[key] === undefined) delete node[key];
  return node;
}
