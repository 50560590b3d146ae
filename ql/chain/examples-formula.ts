/**
 * Formulas: how good an example is, as text.
 *
 *   formula    = and ("or" and)*
 *   and        = not ("and" not)*
 *   not        = "not" not | comparison
 *   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        = product (("+" | "-") product)*
 *   product    = unary (("*" | "/") unary)*
 *   unary      = "-" unary | power
 *   power      = primary ["^" unary]
 *   primary    = number | "(" formula ")" | name ["(" [argument ("," argument)*] ")"]
 *   argument   = formula | "word"
 *
 * Everything is a number: what holds is 1, what does not is 0, and whatever is not 0 holds. Dividing by 0 gives 0. Names
 * are those of measures (examples-measures.ts) and of these functions:
 *
 *   all(a, …)  any(a, …)             1 if all hold, if any does
 *   min(a, …)  max(a, …)  abs(a)     the least, the greatest, without its sign
 *   if(a, b, c)                      b if a holds, else c
 *   between(x, low, high)            1 if low <= x <= high
 *   optimal_interval(x, low, high)   1 there; below it falls to 0 at 0, above it to 0 at twice `high`, evenly
 */
import { nearestName } from "../../storage/derive/nearest.js";
import { DugongError } from "../../storage/index.js";
import { limits } from "./limits.js";

/** A formula made ready for what it is about. */
export type Formula<Subject> = (subject: Subject) => number;

/** What names in a formula mean. */
export interface Vocabulary<Subject> {
  measures: Record<string, Formula<Subject>>;
  /** Functions of numbers, and of what is measured. */
  functions: Record<string, { arguments: number; value: (subject: Subject, ...values: number[]) => number }>;
  /** Functions of words, which are told which when the formula is read. */
  lists: Record<string, (words: string[]) => Formula<Subject>>;
}

export class FormulaError extends DugongError {
  constructor(
    message: string,
    hint: string | undefined,
    readonly span: [number, number],
  ) {
    super("bad_formula", message, hint);
  }
}

interface Token {
  kind: "number" | "string" | "name" | "sign" | "end";
  text: string;
  span: [number, number];
}

const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?|\.\d+)|"([^"]*)"|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|==|!=|[-+*/^<>(),])|$)/uy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(tokenPattern);
  for (;;) {
    const from = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      const what = text[at] === '"' ? "a word that does not end" : JSON.stringify(text[at]);
      throw new FormulaError(`the formula has ${what} at character ${at + 1}`, undefined, [at, at + 1]);
    }
    const [all, number, string, name, sign] = found;
    const end = from + all.length;
    const add = (kind: Token["kind"], own: string, length = own.length) =>
      tokens.push({ kind, text: own, span: [end - length, end] });
    if (number !== undefined) add("number", number);
    else if (string !== undefined) add("string", string, string.length + 2);
    else if (name !== undefined) add("name", name);
    else if (sign !== undefined) add("sign", sign);
    else {
      tokens.push({ kind: "end", text: "", span: [text.length, text.length] });
      return tokens;
    }
  }
}

const truth = (value: boolean) => (value ? 1 : 0);

const comparisons: Record<string, (a: number, b: number) => number> = {
  "<": (a, b) => truth(a < b),
  "<=": (a, b) => truth(a <= b),
  ">": (a, b) => truth(a > b),
  ">=": (a, b) => truth(a >= b),
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
};

/** With how many arguments: at least, at most. */
const general: Record<string, { least: number; most: number; value: (values: number[]) => number }> = {
  all: { least: 1, most: 100, value: (values) => truth(values.every((value) => value !== 0)) },
  any: { least: 1, most: 100, value: (values) => truth(values.some((value) => value !== 0)) },
  min: { least: 1, most: 100, value: (values) => Math.min(...values) },
  max: { least: 1, most: 100, value: (values) => Math.max(...values) },
  abs: { least: 1, most: 1, value: ([value]) => Math.abs(value) },
  if: { least: 3, most: 3, value: ([test, then, otherwise]) => (test !== 0 ? then : otherwise) },
  between: { least: 3, most: 3, value: ([x, low, high]) => truth(low <= x && x <= high) },
  optimal_interval: { least: 3, most: 3, value: ([x, low, high]) => optimalInterval(x, low, high) },
};

function optimalInterval(x: number, low: number, high: number): number {
  if (x < low) return low > 0 ? Math.max(0, x / low) : 0;
  if (x > high) return high > 0 ? Math.max(0, 2 - x / high) : 0;
  return 1;
}

export function parseFormula<Subject>(text: string, vocabulary: Vocabulary<Subject>): Formula<Subject> {
  return new FormulaReader(text, vocabulary).read();
}

class FormulaReader<Subject> {
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(
    text: string,
    readonly vocabulary: Vocabulary<Subject>,
  ) {
    if (text.length > limits.formulaCharsMax) {
      const { formulaCharsMax } = limits;
      throw new FormulaError(
        `the formula has more than ${formulaCharsMax} characters (limit formulaCharsMax)`,
        undefined,
        [formulaCharsMax, text.length],
      );
    }
    this.#tokens = tokensOf(text);
  }

  read(): Formula<Subject> {
    const formula = this.#or();
    if (this.#next.kind !== "end") throw this.#unexpected("the formula to end, or an operator");
    return formula;
  }

  get #next(): Token {
    return this.#tokens[this.#at];
  }

  #unexpected(wanted: string): FormulaError {
    const { kind, text, span } = this.#next;
    const found = kind === "end" ? "it ends" : `there is ${JSON.stringify(text)}`;
    return new FormulaError(
      `the formula should have ${wanted} at character ${span[0] + 1}, where ${found}`,
      undefined,
      span,
    );
  }

  #takes(...texts: string[]): string | undefined {
    const { kind, text } = this.#next;
    if ((kind !== "sign" && kind !== "name") || !texts.includes(text)) return undefined;
    this.#at++;
    return text;
  }

  #enter(): void {
    if (++this.#depth <= limits.formulaDepthMax) return;
    throw new FormulaError(
      `the formula has more than ${limits.formulaDepthMax} parts inside each other (limit formulaDepthMax)`,
      undefined,
      this.#next.span,
    );
  }

  #or(): Formula<Subject> {
    this.#enter();
    let left = this.#and();
    while (this.#takes("or")) {
      const [a, b] = [left, this.#and()];
      left = (subject) => truth(a(subject) !== 0 || b(subject) !== 0);
    }
    this.#depth--;
    return left;
  }

  #and(): Formula<Subject> {
    let left = this.#not();
    while (this.#takes("and")) {
      const [a, b] = [left, this.#not()];
      left = (subject) => truth(a(subject) !== 0 && b(subject) !== 0);
    }
    return left;
  }

  #not(): Formula<Subject> {
    let count = 0;
    while (this.#takes("not")) count++;
    const inner = this.#comparison();
    if (count === 0) return inner;
    const negated = count % 2 === 1;
    return (subject) => truth((inner(subject) === 0) === negated);
  }

  #comparison(): Formula<Subject> {
    const left = this.#sum();
    const sign = this.#takes(...Object.keys(comparisons));
    if (!sign) return left;
    const right = this.#sum();
    const compare = comparisons[sign];
    return (subject) => compare(left(subject), right(subject));
  }

  #sum(): Formula<Subject> {
    let left = this.#product();
    for (let sign = this.#takes("+", "-"); sign; sign = this.#takes("+", "-")) {
      const [a, b] = [left, this.#product()];
      left = sign === "+" ? (subject) => a(subject) + b(subject) : (subject) => a(subject) - b(subject);
    }
    return left;
  }

  #product(): Formula<Subject> {
    let left = this.#unary();
    for (let sign = this.#takes("*", "/"); sign; sign = this.#takes("*", "/")) {
      const [a, b] = [left, this.#unary()];
      left =
        sign === "*" ? (subject) => a(subject) * b(subject) : (subject) => quotient(a(subject), b(subject));
    }
    return left;
  }

  #unary(): Formula<Subject> {
    let negative = false;
    while (this.#takes("-")) negative = !negative;
    const inner = this.#power();
    return negative ? (subject) => -inner(subject) : inner;
  }

  #power(): Formula<Subject> {
    const base = this.#primary();
    if (!this.#takes("^")) return base;
    this.#enter();
    const exponent = this.#unary();
    this.#depth--;
    return (subject) => base(subject) ** exponent(subject);
  }

  #primary(): Formula<Subject> {
    const token = this.#next;
    if (token.kind === "number") {
      this.#at++;
      const value = Number(token.text);
      return () => value;
    }
    if (token.kind === "name" && !["and", "or", "not"].includes(token.text)) {
      this.#at++;
      return this.#takes("(") ? this.#call(token) : this.#measure(token);
    }
    if (!this.#takes("(")) throw this.#unexpected("a number, a name or a bracket");
    const inner = this.#or();
    this.#close();
    return inner;
  }

  #close(): void {
    if (!this.#takes(")")) throw this.#unexpected("a closing bracket");
  }

  #measure({ text, span }: Token): Formula<Subject> {
    const { measures } = this.vocabulary;
    if (Object.hasOwn(measures, text)) return measures[text];
    if (this.#functionNames.includes(text))
      throw new FormulaError(
        `${text} at character ${span[0] + 1} of the formula is a function`,
        `Write ${text}(…).`,
        span,
      );
    throw this.#unknown("measure", text, span, [...Object.keys(measures)]);
  }

  get #functionNames(): string[] {
    const { functions, lists } = this.vocabulary;
    return [...Object.keys(general), ...Object.keys(functions), ...Object.keys(lists)];
  }

  #unknown(what: string, name: string, span: [number, number], known: string[]): FormulaError {
    const near = nearestName(name, known);
    return new FormulaError(
      `no ${what} ${JSON.stringify(name)}, at character ${span[0] + 1} of the formula (there are ${known.join(", ")})`,
      near && `Did you mean ${near}?`,
      span,
    );
  }

  #call({ text: name, span }: Token): Formula<Subject> {
    const { functions, lists } = this.vocabulary;
    if (Object.hasOwn(lists, name)) return lists[name](this.#strings());
    if (!this.#functionNames.includes(name)) throw this.#unknown("function", name, span, this.#functionNames);
    const values = this.#arguments();
    const own = Object.hasOwn(functions, name) ? functions[name] : undefined;
    const { least, most } = own ? { least: own.arguments, most: own.arguments } : general[name];
    if (values.length < least || values.length > most) {
      const wanted = least === most ? String(least) : `at least ${least}`;
      throw new FormulaError(
        `${name} at character ${span[0] + 1} of the formula takes ${wanted} argument${wanted === "1" ? "" : "s"}, not ${values.length}`,
        undefined,
        span,
      );
    }
    if (own) return (subject) => own.value(subject, ...values.map((value) => value(subject)));
    const { value } = general[name];
    return (subject) => value(values.map((argument) => argument(subject)));
  }

  #arguments(): Formula<Subject>[] {
    if (this.#takes(")")) return [];
    const values = [this.#or()];
    while (this.#takes(",")) values.push(this.#or());
    this.#close();
    return values;
  }

  #strings(): string[] {
    const words: string[] = [];
    do {
      if (this.#next.kind !== "string") throw this.#unexpected('a word in " "');
      words.push(this.#next.text);
      this.#at++;
    } while (this.#takes(","));
    this.#close();
    return words;
  }
}

function quotient(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}
