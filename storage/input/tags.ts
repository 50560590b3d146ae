/**
 * Tags: the lines of a vertical file that open and close structures.
 *
 *   line      = open | close | empty | comment | token        (a token is whatever is none of the others)
 *   open      = "<" name attribute* white? ">"
 *   empty     = "<" name attribute* white? "/>"
 *   close     = "</" name white? ">"
 *   attribute = white? name white? "=" white? value           (white needed where names would run together)
 *   value     = '"' any but '"' '"'  |  "'" any but "'" "'"  |  one or more of any but white ' " < >
 *   name      = ( letter | "_" ) ( letter | digit | "_" | "." | ":" | "-" )*
 *   comment   = "<!--" … "-->"  |  "<?" … "?>"  |  "<!DOCTYPE" white … ">"
 *   white     = ( space | tab )+
 *
 * The whole line has to be the tag: "<", "<3", "<foo", "< b >", "<a b>" and "<b> x" are tokens, as people
 * write such things. The last "/" of an unquoted value belongs to "/>" if anything is left of the value
 * without it: <a b=c/> is empty with b="c", and <a b=/> opens with b="/".
 *
 * One pass from left to right, so a line costs time in proportion to its length, whatever is in it.
 */

import { limits } from "../limits.js";

export interface Tag {
  kind: "open" | "close" | "empty";
  name: string;
  /** In the order of the line. Of a name given twice the first value counts. */
  attributes: [name: string, value: string][];
  /** Names given more than once, each once; absent if there are none. */
  repeated?: string[];
  /** Entities of no character in its values, which were decoded to U+FFFD; absent if there are none. */
  replaced?: number;
}

const tab = 0x09;
const space = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const slash = 0x2f;
const less = 0x3c;
const equals = 0x3d;
const greater = 0x3e;

const nameStart = 1;
const nameRest = 2;
/** What each ASCII character may be in a name: nothing, nameStart (and rest), or nameRest alone. */
const asciiNames = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") {
  asciiNames[char.charCodeAt(0)] = nameStart | nameRest;
}
for (const char of "0123456789.:-") asciiNames[char.charCodeAt(0)] = nameRest;

const letter = /^\p{L}$/u;
const letterOrDigit = /^[\p{L}\p{Nd}]$/u;

/** Can a name be that of a file, and of a property of an object? A character has three bytes at most. */
export function isUsableName(name: string): boolean {
  if (name.length * 3 > limits.nameBytesMax && Buffer.byteLength(name) > limits.nameBytesMax) return false;
  return name !== "__proto__";
}

/** Reads a line as a tag; null if it is a token. Entities in values are decoded only if asked for. */
export function parseTag(line: string, decode: boolean): Tag | null {
  const length = line.length;
  if (length < 3 || line.charCodeAt(0) !== less || line.charCodeAt(length - 1) !== greater) return null;
  const closes = line.charCodeAt(1) === slash;
  const from = closes ? 2 : 1;
  let at = endOfName(line, from);
  if (at === from) return null;
  const tag: Tag = { kind: closes ? "close" : "open", name: line.slice(from, at), attributes: [] };
  let times: Map<string, number> | undefined;
  const numeric = (char: string | null) => {
    if (char === null) tag.replaced = (tag.replaced ?? 0) + 1;
    return char ?? replacement;
  };
  for (;;) {
    at = skipWhite(line, at);
    const code = line.charCodeAt(at);
    if (code === greater) return at === length - 1 ? tag : null;
    if (closes) return null;
    if (code === slash) {
      tag.kind = "empty";
      return at === length - 2 ? tag : null;
    }
    const nameEnd = endOfName(line, at);
    if (nameEnd === at) return null;
    const name = line.slice(at, nameEnd);
    at = skipWhite(line, nameEnd);
    if (line.charCodeAt(at) !== equals) return null;
    at = skipWhite(line, at + 1);
    const quote = line.charCodeAt(at);
    let start = at;
    let end: number;
    if (quote === doubleQuote || quote === singleQuote) {
      start = at + 1;
      end = line.indexOf(quote === doubleQuote ? '"' : "'", start);
      if (end < 0) return null;
      at = end + 1;
    } else {
      end = endOfUnquoted(line, at);
      if (end === length - 1 && end - start > 1 && line.charCodeAt(end - 1) === slash) end--;
      if (end === start) return null;
      at = end;
    }
    times ??= new Map();
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    if (before === 0) {
      const value = line.slice(start, end);
      tag.attributes.push([name, decode ? decodeEntities(value, numeric) : value]);
    } else if (before === 1) {
      tag.repeated ??= [];
      tag.repeated.push(name);
    }
  }
}

/** Whether the whole line is an XML comment, a processing instruction or a document type. */
export function isComment(line: string): boolean {
  if (line.startsWith("<!--")) return line.length >= 7 && line.indexOf("-->", 4) === line.length - 3;
  if (line.startsWith("<?")) return line.length >= 4 && line.indexOf("?>", 2) === line.length - 2;
  if (!line.endsWith(">") || line.slice(0, 9).toUpperCase() !== "<!DOCTYPE") return false;
  return line.charCodeAt(9) === space || line.charCodeAt(9) === tab;
}

/**
 * The text of a tag.
 *
 * With `escaped`, the characters & < > " and line ends in values are written as entities, and
 * parseTag(text, true) gives the tag back. Without it, values are written as they are, in double quotes or,
 * if they hold one, in single quotes: parseTag(text, false) gives the tag back, but for a value with both
 * kinds of quotes, whose double quotes are written as &quot; for want of anything better.
 */
export function printTag(tag: Tag, escaped = false): string {
  if (tag.kind === "close") return `</${tag.name}>`;
  let text = `<${tag.name}`;
  for (const [name, value] of tag.attributes) {
    if (escaped) text += ` ${name}="${escapeEntities(value)}"`;
    else if (!value.includes('"')) text += ` ${name}="${value}"`;
    else if (!value.includes("'")) text += ` ${name}='${value}'`;
    else text += ` ${name}="${value.replaceAll('"', "&quot;")}"`;
  }
  return text + (tag.kind === "empty" ? "/>" : ">");
}

const namedEntities = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Stands for what is no character. */
const replacement = "\uFFFD";

/**
 * Replaces the five entities of XML and numeric ones. Others stay as they are. `numeric` says what a numeric one
 * becomes: it is given its character, or null where there is none of that number (zero, surrogates, past U+10FFFF).
 */
export function decodeEntities(
  text: string,
  numeric: (char: string | null) => string = (char) => char ?? replacement,
): string {
  let ampersand = text.indexOf("&");
  if (ampersand < 0) return text;
  let decoded = "";
  let copied = 0;
  while (ampersand >= 0) {
    const end = endOfEntity(text, ampersand + 1);
    if (text.charCodeAt(end) === 0x3b) {
      const char = entity(text.slice(ampersand + 1, end), numeric);
      if (char !== undefined) {
        decoded += text.slice(copied, ampersand) + char;
        copied = end + 1;
      }
    }
    ampersand = text.indexOf("&", end);
  }
  return decoded + text.slice(copied);
}

/** Where the run of letters, digits and "#" after an ampersand ends. */
function endOfEntity(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const alphanumeric = (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
    if (!alphanumeric && code !== 0x23) break;
  }
  return at;
}

function entity(name: string, numeric: (char: string | null) => string): string | undefined {
  if (!name.startsWith("#")) return namedEntities.get(name);
  const hexadecimal = name[1] === "x" || name[1] === "X";
  const digits = name.slice(hexadecimal ? 2 : 1);
  if (!(hexadecimal ? /^[0-9a-fA-F]+$/ : /^[0-9]+$/).test(digits)) return undefined;
  const code = Number.parseInt(digits, hexadecimal ? 16 : 10);
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return numeric(valid ? String.fromCodePoint(code) : null);
}

function escapeEntities(value: string): string {
  return value.replace(/[&<>"\n\r]/g, (char) => {
    switch (char) {
      case "&":
        return "&amp;";
      case "<":
        return "&lt;";
      case ">":
        return "&gt;";
      case '"':
        return "&quot;";
      default:
        return `&#${char.charCodeAt(0)};`;
    }
  });
}

function skipWhite(line: string, at: number): number {
  for (let code = line.charCodeAt(at); code === space || code === tab; code = line.charCodeAt(++at));
  return at;
}

/** The end of the name that starts here, which is here if none does. */
export function endOfName(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code < 128) {
      if ((asciiNames[code] & (at === from ? nameStart : nameRest)) === 0) break;
      at++;
    } else {
      const char = String.fromCodePoint(line.codePointAt(at)!);
      if (!(at === from ? letter : letterOrDigit).test(char)) break;
      at += char.length;
    }
  }
  return at;
}

function endOfUnquoted(line: string, at: number): number {
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === space || code === tab || code === doubleQuote || code === singleQuote) break;
    if (code === less || code === greater) break;
  }
  return at;
}
