/**
 * A condition on the metadata of a text, as it is written behind --where:
 *
 *   year>=1990 and party="Democratic"
 *   (doc.date < 2013-05 or not genre ~ "news.*") and s.speaker != unknown
 *
 *   condition  = all { "or" all }
 *   all        = one { "and" one }
 *   one        = "not" one | "(" condition ")" | name comparison value
 *   name       = attribute | structure "." attribute | structure "_" attribute
 *   comparison = "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
 *   value      = '"' any '"' | "'" any "'" | whatever goes on to the next blank or bracket
 *
 * Keywords may have any case; & | ! are the same as and, or, not. In quotes a backslash takes the next character as it is,
 * but for "~", where patterns have their own: there only \" is taken so.
 */
import type { Span } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";

export type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~";

export interface Test {
  kind: "test";
  name: string;
  operator: Operator;
  value: string;
  /** In quotes, "=" is about the very string; else about the number or date that it is. */
  quoted: boolean;
  span: Span;
  nameSpan: Span;
  valueSpan: Span;
}

export type Where = Test | { kind: "and" | "or"; items: Where[] } | { kind: "not"; item: Where };

export function whereError(message: string, hint: string | undefined, span: Span): QueryError {
  return new QueryError("bad_where", message, hint, span);
}

export function parseWhere(text: string): Where {
  if (text.length > limits.textCharsMax)
    throw whereError(
      `the condition has more than ${limits.textCharsMax.toLocaleString("en")} characters (limit textCharsMax)`,
      "Save a subcorpus instead (dugong subcorpus).",
      [0, text.length],
    );
  return new Reader(text).whole();
}

const example = 'Write something like year>=1990 and party="Democratic".';

class Reader {
  #at = 0;
  #tests = 0;

  constructor(readonly text: string) {}

  whole(): Where {
    this.#skip();
    if (this.#at === this.text.length) throw this.#wrong("the condition is empty", example);
    const where = this.#either(0);
    if (this.#at < this.text.length)
      throw this.text[this.#at] === ")"
        ? this.#wrong("this bracket closes nothing")
        : this.#wrong("conditions stand one after the other", 'Put "and" or "or" between them.');
    return where;
  }

  #wrong(message: string, hint?: string, from = this.#at, to = from + 1): QueryError {
    const { length } = this.text;
    return whereError(message, hint, [Math.min(from, length), Math.min(Math.max(to, from), length)]);
  }

  #skip(): void {
    while (/\s/.test(this.text.charAt(this.#at))) this.#at++;
  }

  /** Is this what comes next? A word only where it ends, too. */
  #takes(word: string, sign: string): boolean {
    const { text } = this;
    let length = 0;
    if (text.startsWith(sign.repeat(2), this.#at) && sign !== "!") length = 2;
    else if (text.startsWith(sign, this.#at)) length = 1;
    else if (
      text.slice(this.#at, this.#at + word.length).toLowerCase() === word &&
      !/[\p{L}\p{N}_.]/u.test(text.charAt(this.#at + word.length)) &&
      !/^\s*(!?=|!?~|[<>])/.test(text.slice(this.#at + word.length))
    )
      length = word.length;
    this.#at += length;
    if (length > 0) this.#skip();
    return length > 0;
  }

  #either(depth: number): Where {
    const items = [this.#all(depth)];
    while (this.#takes("or", "|")) items.push(this.#all(depth));
    return items.length === 1 ? items[0] : { kind: "or", items };
  }

  #all(depth: number): Where {
    const items = [this.#one(depth)];
    while (this.#takes("and", "&")) items.push(this.#one(depth));
    return items.length === 1 ? items[0] : { kind: "and", items };
  }

  #one(depth: number): Where {
    if (depth > limits.depthMax)
      throw this.#wrong(`brackets and nots go deeper than ${limits.depthMax} (limit depthMax)`);
    if (this.#takes("not", "!")) return { kind: "not", item: this.#one(depth + 1) };
    if (this.text[this.#at] !== "(") return this.#test();
    const open = this.#at++;
    this.#skip();
    const inside = this.#either(depth + 1);
    if (this.text[this.#at] !== ")") throw this.#wrong("this bracket is never closed", "Add a ).", open);
    this.#at++;
    this.#skip();
    return inside;
  }

  #test(): Test {
    if (++this.#tests > limits.testsMax)
      throw this.#wrong(`there are more than ${limits.testsMax} comparisons (limit testsMax)`);
    const { text } = this;
    const start = this.#at;
    const [name] = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:-]*/u.exec(text.slice(start)) ?? [];
    if (!name)
      throw this.#at === text.length
        ? this.#wrong("a comparison is missing at the end", example)
        : this.#wrong("here should be the name of an attribute", example);
    this.#at += name.length;
    const nameSpan: Span = [start, this.#at];
    this.#skip();
    const [written] = /^(==|!==|!=|<=|>=|=|<|>|!~|~)/.exec(text.slice(this.#at)) ?? [];
    if (!written)
      throw this.#wrong(
        `${name} is compared with nothing`,
        `Write ${name}="…"; there are = != < <= > >= ~ and !~ (a regular expression).`,
        ...nameSpan,
      );
    this.#at += written.length;
    this.#skip();
    const operator = written.replace("==", "=") as Operator;
    const from = this.#at;
    const { value, quoted } = this.#value(operator);
    const valueSpan: Span = [from, this.#at];
    const span: Span = [start, this.#at];
    this.#skip();
    return { kind: "test", name, operator, value, quoted, span, nameSpan, valueSpan };
  }

  #value(operator: Operator): { value: string; quoted: boolean } {
    const { text } = this;
    const quote = text[this.#at];
    if (quote !== '"' && quote !== "'") {
      const [value] = /^[^\s()"'&|]+/.exec(text.slice(this.#at)) ?? [];
      if (!value) throw this.#wrong(`there is no value behind ${operator}`, example);
      this.#at += value.length;
      return { value, quoted: false };
    }
    const open = this.#at++;
    let value = "";
    for (;;) {
      const sign = text[this.#at++];
      if (sign === undefined)
        throw this.#wrong("this quote is never closed", `Add a ${quote}.`, open, open + 1);
      if (sign === quote) return { value, quoted: true };
      if (sign === "\\" && this.#at < text.length && (text[this.#at] === quote || !operator.includes("~")))
        value += text[this.#at++];
      else value += sign;
    }
  }
}
