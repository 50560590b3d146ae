/**
 * Conditions on the dimensions of a space, as they are written: year>=1990 and genre=fiction.
 *
 *   conditions = condition { ("and" | "&" | ",") condition }
 *   condition  = name ("=" | "<" | "<=" | ">" | ">=") value
 *   value      = anything up to the next separator, or in "double quotes" (\" and \\ inside)
 */
import { DugongError } from "../errors.js";
import type { Condition } from "./types.js";

const condition =
  /\s*([\p{L}_][\p{L}\p{N}_.+-]*)\s*(<=|>=|=|<|>)\s*(?:"((?:[^"\\]|\\.)*)"|((?:(?!\s+and\s)[^,&])+?))\s*(?=$|,|&|\s+and\s|(?<=")\s*and\s)/uy;
const separator = /\s*(?:,|&|and\s)\s*/uy;

export function parseConditions(text: string): Condition[] {
  const found: Condition[] = [];
  if (text.trim() === "") return found;
  for (let at = 0; ; ) {
    condition.lastIndex = at;
    const match = condition.exec(text);
    if (!match) throw unreadable(text, at);
    const [all, dimension, operator, quoted, plain] = match;
    const value = quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/gu, "$1");
    found.push({ dimension, operator: operator as Condition["operator"], value });
    at += all.length;
    if (text.slice(at).trim() === "") return found;
    separator.lastIndex = at;
    const between = separator.exec(text);
    if (!between) throw unreadable(text, at);
    at += between[0].length;
  }
}

function unreadable(text: string, at: number): DugongError {
  return new DugongError(
    "bad_condition",
    `cannot read the condition at ${at + 1}\n  ${text}\n  ${" ".repeat(at)}^`,
    'Write a dimension, one of = < <= > >= and a value: "year>=1990 and genre=fiction".',
  );
}
