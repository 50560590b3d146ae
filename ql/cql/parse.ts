/**
 * From the text of a query to its tree.
 *
 *   text → words (lexer.ts) → words in brackets put together (groups.ts) → nodes (grammar.ts) → checks
 *
 * Time is linear in the text, and the stack does not grow with it.
 */
import type { IToken } from "chevrotain";
import { PatternError, parsePattern } from "../regex/syntax.js";
import type { Query, Span } from "./ast.js";
import type { Task } from "./building.js";
import { Grammar } from "./grammar.js";
import { grouped, tooDeep } from "./groups.js";
import { checkLabels } from "./labels.js";
import * as word from "./lexer.js";
import { limits } from "./limits.js";
import { offsetInText, patternOf } from "./strings.js";
import { nodeBelow } from "./tree.js";

export interface Diagnostic {
  /**
   * For programs: syntax_error, unbalanced, empty_query, bad_repeat, bad_number, repeated, unknown_strategy,
   * unknown_flag, unknown_function, unknown_label, repeated_label, bad_pattern, pattern_too_large, too_deep, too_long.
   */
  code: string;
  severity: "error" | "warning";
  /** What, and where: for people. */
  message: string;
  /** Of zero width where something is missing. */
  span: Span;
  /** What to do, as a sentence. */
  hint?: string;
}

export interface ParseResult {
  /** Present when there is no error. */
  query?: Query;
  /** In the order of the text; of each severity at most as many as limits.diagnosticsMax. */
  diagnostics: Diagnostic[];
}

/** Parses a query. What is wrong with it comes back as diagnostics, as many at once as can be told apart. */
export function parse(text: string): ParseResult {
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => {
    const { severity, hint } = diagnostic;
    if (!hint) delete diagnostic.hint;
    const said = severity === "error" ? errors : warnings;
    if (said.length < limits.diagnosticsMax) said.push(diagnostic);
    if (errors.length === limits.diagnosticsMax) throw new Enough();
  };
  let query: Query | undefined;
  try {
    query = queryOf(text, report, () => errors.length === 0);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  const diagnostics = [...errors, ...warnings].sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]);
  return query && errors.length === 0 ? { query, diagnostics } : { diagnostics };
}

/** Thrown when there is nothing more to be said. */
class Enough extends Error {}

/** Made when it is first needed: that takes some milliseconds. */
let shared: Grammar | undefined;

function queryOf(
  text: string,
  report: (diagnostic: Diagnostic) => void,
  isRight: () => boolean,
): Query | undefined {
  if (text.length > limits.queryCharsMax) {
    report({
      code: "too_long",
      severity: "error",
      message: `the query has ${text.length} characters; ${limits.queryCharsMax} are allowed (queryCharsMax)`,
      span: [limits.queryCharsMax, text.length],
      hint: "Pass long lists of words along with the query, as $name.",
    });
    return undefined;
  }
  const words = word.words(text, report);
  if (words.length === 0 && isRight()) {
    report({
      code: "empty_query",
      severity: "error",
      message: "the query is empty",
      span: [0, text.length],
      hint: 'For example: [lemma="go"] or "house".',
    });
  }
  const groups = grouped(words, report);
  if (groups.length === 0) return undefined;

  shared ??= new Grammar();
  const grammar = shared;
  grammar.report = report;
  grammar.wording.report = report;
  grammar.splitTags = splitTags(words);
  grammar.patterns = [];
  let query: Query | undefined;
  const put = (outcome: Query) => {
    query = outcome;
  };
  grammar.tasks = [{ rule: "statement", words: groups, end: text.length, put }];
  const done: Done[] = [];
  for (let task = grammar.tasks.pop(); task; task = grammar.tasks.pop()) run(grammar, task, done);
  // Brackets come after what is around them: from the last to the first, what is inside is always there.
  while (done.length > 0) done.pop()!();
  if (query && isRight()) {
    const tooLow = nodeBelow(query, limits.nestingMax);
    if (tooLow) report(tooDeep(tooLow.span ?? [0, text.length]));
    else checkLabels(query, report);
  }
  if (!isRight()) for (const pattern of grammar.patterns) checkPattern(text, pattern, report);
  return query;
}

/** Parses the words of a task; `done` gets what puts its outcome in place. */
function run(grammar: Grammar, { rule, words, end, put }: Task, done: Done[]): void {
  grammar.wording.begin(words, end);
  // The parser adds words of its own to what it is given.
  grammar.input = words.slice();
  const outcome = grammar[rule]();
  if (outcome !== undefined) done.push(() => put(outcome as never));
}

type Done = () => void;

/** A pattern is read when a query is planned; where that will not be, what is wrong with it is told at once. */
function checkPattern(text: string, quoted: IToken, report: (diagnostic: Diagnostic) => void): void {
  const { image, startOffset: start } = quoted;
  // A word that recovery put in stands nowhere.
  if (image === "") return;
  try {
    parsePattern(patternOf(image));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const { code, message, hint, offset } = error;
    const at = offsetInText(text, start, offset);
    const span: Span = [at, Math.min(start + image.length, at + 1)];
    report({ code, severity: "error", message, span, hint });
  }
}

/** Names of CQP's start tags: < name and a comparison. */
function splitTags(words: IToken[]): Set<string> {
  const comparisons = [
    word.Equal,
    word.NotEqual,
    word.Identical,
    word.NotIdentical,
    word.LessEqual,
    word.GreaterEqual,
  ];
  const names = new Set<string>();
  words.forEach((token, index) => {
    if (token.tokenType !== word.Less || !comparisons.includes(words[index + 2]?.tokenType)) return;
    const name = words[index + 1].image;
    if (name.indexOf("_", 1) > 0) names.add(name);
  });
  return names;
}
