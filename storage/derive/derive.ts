/**
 * Derivations: functions that make one string of another, for attributes whose values follow from those of
 * another attribute. Each is pure, so a derived attribute is computed once for each different value.
 *
 *   derivation = name "=" function [ "(" [ attribute { "," argument } ] ")" ]
 *              | "lc" | function                        (named after itself, of the default attribute)
 *   argument   = any but , ( ) and quotes  |  '"' any '"'  |  "'" any "'"
 *
 *   lowercase, uppercase   in lower, upper case, by Unicode's rules for no language in particular
 *   capital                the first character in upper case, the rest as it is
 *   fold                   without combining marks and in lower case: "Élan", "élan", "elan" are one
 *   undiacritic            without combining marks, in the case it was
 *   getnchar(n)            the n-th character, from 1; empty if there are fewer
 *   getfirstn(n)           the first n characters
 *   getlastn(n)            the last n characters
 *   striplastn(n)          all but the last n characters
 *   getfirstbysep(c)       what comes before the first c; all if there is none
 *   getnbysep(c,n)         the n-th of the parts between c's, from 1; empty if there are fewer
 *   url2domain(n)          of a web address the host without "www." and port: 0 all of it, n its last n parts
 *
 * Those from getnchar on, and the names with utf8 in front (utf8lowercase, utf8uppercase, utf8capital,
 * utf8getfirstn, utf8getlastn), are Manatee's internal functions. A character is a Unicode code point here,
 * where Manatee's functions without utf8 count bytes; the locale that Manatee's case functions may be given
 * is accepted and has no effect. A host that is a number (10.0.0.1) stays whole here; Manatee takes its last
 * digits for a port. Left out: ascii (what it gives depends on the C library and its locale), url3domain
 * (on a list of domains under which others are registered) and getnextchar(s) (documented one way and
 * behaving another).
 */

import { DugongError } from "../errors.js";
import { nearestName } from "./nearest.js";

/** How the values of one attribute follow from those of another. */
export interface Derivation {
  /** The attribute that is read. */
  from: string;
  function: string;
  /** What the function takes besides the value. */
  arguments: string[];
}

type Deriver = (value: string) => string;
type Parameter = "count" | "character" | "locale";

interface Definition {
  parameters: readonly Parameter[];
  make(first: string, second: string): Deriver;
}

const caseParameters = ["locale"] as const;
const lowercase: Definition = { parameters: caseParameters, make: () => (value) => value.toLowerCase() };
const uppercase: Definition = { parameters: caseParameters, make: () => (value) => value.toUpperCase() };
const capital: Definition = { parameters: caseParameters, make: () => capitalized };
const getFirst: Definition = {
  parameters: ["count"],
  make: (n) => (value) => value.slice(0, endOfCharacters(value, Number(n))),
};
const getLast: Definition = {
  parameters: ["count"],
  make: (n) => (value) => value.slice(startOfLast(value, Number(n))),
};

const definitions = new Map<string, Definition>([
  ["lowercase", lowercase],
  ["uppercase", uppercase],
  ["capital", capital],
  ["fold", { parameters: [], make: () => fold }],
  ["undiacritic", { parameters: [], make: () => undiacritic }],
  ["utf8lowercase", lowercase],
  ["utf8uppercase", uppercase],
  ["utf8capital", capital],
  ["getnchar", { parameters: ["count"], make: (n) => (value) => nthCharacter(value, Number(n)) }],
  ["getfirstn", getFirst],
  ["utf8getfirstn", getFirst],
  ["getlastn", getLast],
  ["utf8getlastn", getLast],
  [
    "striplastn",
    { parameters: ["count"], make: (n) => (value) => value.slice(0, startOfLast(value, Number(n))) },
  ],
  [
    "getfirstbysep",
    { parameters: ["character"], make: (separator) => (value) => value.split(separator, 1)[0] },
  ],
  [
    "getnbysep",
    {
      parameters: ["character", "count"],
      make: (separator, n) => (value) => value.split(separator, Number(n))[Number(n) - 1] ?? "",
    },
  ],
  ["url2domain", { parameters: ["count"], make: (n) => (value) => domain(value, Number(n)) }],
]);

/** The names of all functions. */
export const derivations: readonly string[] = [...definitions.keys()];

/** The function that a derivation names, with its arguments bound. */
export function deriver(derivation: { function: string; arguments: readonly string[] }): Deriver {
  const name = derivation.function;
  const definition = definitions.get(name);
  if (!definition) {
    const near = nearestName(name, derivations);
    throw new DugongError(
      "unknown_derivation",
      `no function "${name}" to derive an attribute with (there are ${derivations.join(", ")})`,
      near ? `Did you mean ${near}?` : undefined,
    );
  }
  const given = derivation.arguments;
  const optional = definition.parameters.filter((parameter) => parameter === "locale").length;
  const most = definition.parameters.length;
  if (given.length > most || given.length < most - optional) {
    throw badArguments(name, definition, `takes ${counted(most - optional, most)}, not ${given.length}`);
  }
  definition.parameters.forEach((parameter, index) => {
    const argument = given[index];
    if (parameter === "count" && !/^\d{1,9}$/.test(argument)) {
      throw badArguments(name, definition, `takes a number, not "${argument}"`);
    }
    if (parameter === "character" && [...argument].length !== 1) {
      throw badArguments(name, definition, `takes a single character, not "${argument}"`);
    }
  });
  return definition.make(given[0], given[1]);
}

function counted(least: number, most: number): string {
  if (most === 0) return "no arguments besides the attribute";
  const number = least === most ? `${most}` : `${least} to ${most}`;
  return `${number} argument${most === 1 ? "" : "s"} besides the attribute`;
}

function badArguments(name: string, definition: Definition, what: string): DugongError {
  const shown = definition.parameters.map((parameter) => (parameter === "count" ? "n" : parameter));
  return new DugongError(
    "bad_derivation",
    `${name} ${what}`,
    `Write it as name=${name}(${["attribute", ...shown].join(",")}).`,
  );
}

/** Reads a derivation as written on a command line, e.g. "lc", "fold" or "dom=url2domain(url,2)". */
export function parseDerivation(text: string, defaultAttribute: string): { name: string } & Derivation {
  const [, before, called, rest] = /^(?:([^=()"']*)=)?([^=()"']*)(\(.*\))?$/su.exec(text.trim()) ?? [];
  if (called === undefined) throw unreadable(text);
  const name = (before ?? called).trim();
  const functionName = before === undefined && name === "lc" ? "lowercase" : called.trim();
  if (name === "" || functionName === "" || /\s/.test(name)) throw unreadable(text);
  const listed = rest === undefined ? [] : splitArguments(rest.slice(1, -1), text);
  const [from = defaultAttribute, ...given] = listed;
  if (from === "") throw unreadable(text);
  const derivation = { name, from, function: functionName, arguments: given };
  deriver(derivation);
  return derivation;
}

function unreadable(text: string): DugongError {
  return new DugongError(
    "bad_derivation",
    `cannot read "${text}" as a derived attribute`,
    'Write it as name=function(attribute), e.g. lc=lowercase(word), or with arguments, e.g. dom=url2domain(url,2); "lc" alone is lowercase of the default attribute.',
  );
}

/** Splits at commas outside of quotes. Arguments lose the white space around them, and then their quotes. */
function splitArguments(list: string, text: string): string[] {
  if (list.trim() === "") return [];
  const found: string[] = [];
  let start = 0;
  let quote = "";
  for (let at = 0; at <= list.length; at++) {
    const char = list[at];
    if (quote !== "" && char !== undefined) {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === "," || char === undefined) {
      const argument = list.slice(start, at).trim();
      const quoted = /^("[^"]*"|'[^']*')$/s.test(argument);
      if (!quoted && /["'()]/.test(argument)) throw unreadable(text);
      found.push(quoted ? argument.slice(1, -1) : argument);
      start = at + 1;
    }
  }
  return found;
}

const ascii = /^[\0-\x7f]*$/;

function undiacritic(value: string): string {
  if (ascii.test(value)) return value;
  return value
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFC");
}

function fold(value: string): string {
  if (ascii.test(value)) return value.toLowerCase();
  return value
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

function capitalized(value: string): string {
  const end = endOfCharacters(value, 1);
  return value.slice(0, end).toUpperCase() + value.slice(end);
}

/** Where the first n characters end. */
function endOfCharacters(value: string, n: number): number {
  let at = 0;
  for (; n > 0 && at < value.length; n--) at += value.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

/** Where the last n characters start. */
function startOfLast(value: string, n: number): number {
  let at = value.length;
  for (; n > 0 && at > 0; n--) at -= at > 1 && value.codePointAt(at - 2)! > 0xffff ? 2 : 1;
  return at;
}

function nthCharacter(value: string, n: number): string {
  if (n === 0) return "";
  const start = endOfCharacters(value, n - 1);
  return value.slice(start, start + endOfCharacters(value.slice(start, start + 2), 1));
}

function domain(address: string, parts: number): string {
  const firstSlash = address.indexOf("/");
  const protocol = firstSlash > 0 && address[firstSlash - 1] === ":" && address[firstSlash + 1] === "/";
  let host = address.slice(protocol ? firstSlash + 2 : 0);
  if (host.startsWith("www.")) host = host.slice(4);
  host = host.split("/", 1)[0].replace(/:\d*$/, "");
  if (parts === 0) return host;
  return host.split(".").slice(-parts).join(".");
}
