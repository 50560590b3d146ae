/**
 * Keys: what hits are sorted and counted by.
 *
 *   keys  = key ("," key)*
 *   key   = attribute ["/" flags] place            a token beside the hit, or in it
 *         | structure "." attribute ["/" flags]    of the structure around the hit's first token
 *   place = [label ":"] where                      beside what a label is bound to, instead of the hit
 *   where = 0 | first                              the first token
 *         | last                                   the last one
 *         | node                                   all of it
 *         | -1 | 1L, -2 | 2L …                     so many tokens to the left of it
 *         | 1 | 1R, 2 | 2R …                       … to the right
 *         | where ".." where                       all tokens from one to the other, in that order: -1..-3 goes left
 *   flags = any of  i ignoring case · d ignoring diacritics · r from the end of the word · f the most frequent first
 *           · - falling
 *
 * A key without a place asks the node's first token. A place outside the corpus has no value.
 */
import { DugongError } from "../../storage/index.js";

export interface Key {
  /** A positional attribute, or "doc.year". */
  attribute: string;
  /** Not for attributes of structures. */
  place?: Place;
  ignoreCase: boolean;
  ignoreDiacritics: boolean;
  retrograde: boolean;
  byFrequency: boolean;
  falling: boolean;
}

export interface Place {
  label?: string;
  from: Offset;
  to: Offset;
}

/** Tokens from the first token of the range (`of: "begin"`), or from its last one. */
export interface Offset {
  of: "begin" | "end";
  tokens: number;
}

const flagNames = {
  i: "ignoreCase",
  d: "ignoreDiacritics",
  r: "retrograde",
  f: "byFrequency",
  "-": "falling",
} as const;

function badKey(text: string, why: string): DugongError {
  return new DugongError(
    "bad_key",
    `${JSON.stringify(text)} is not a key: ${why}`,
    'Write an attribute and a place, as in "word 0", "lemma/i -1", "tag 1R", "word node", "word -3..-1", "lemma 2:node" of a label, or "doc.year".',
  );
}

export function parseKeys(text: string): Key[] {
  return text.split(",").map((key) => parseKey(key));
}

export function parseKey(text: string): Key {
  const words = text.trim().split(/\s+/);
  const [name, where] = words;
  if (!name || words.length > 2) throw badKey(text, "it is not one attribute and one place");
  const slash = name.lastIndexOf("/");
  const attribute = slash > 0 ? name.slice(0, slash) : name;
  const key: Key = {
    attribute,
    ignoreCase: false,
    ignoreDiacritics: false,
    retrograde: false,
    byFrequency: false,
    falling: false,
  };
  for (const flag of slash > 0 ? name.slice(slash + 1) : "") {
    if (!Object.hasOwn(flagNames, flag)) throw badKey(text, `there is no flag ${JSON.stringify(flag)}`);
    key[flagNames[flag as keyof typeof flagNames]] = true;
  }
  if (attribute.includes(".")) {
    if (where !== undefined) throw badKey(text, "an attribute of a structure has no place");
    return key;
  }
  key.place = parsePlace(where ?? "0", text);
  return key;
}

function parsePlace(where: string, text: string): Place {
  const colon = where.lastIndexOf(":");
  const label = colon >= 0 ? where.slice(0, colon) : undefined;
  if (label === "") throw badKey(text, "the label before the colon is missing");
  // "2:" alone is all that the label is bound to.
  const rest = where.slice(colon + 1) || (label === undefined ? "" : "node");
  const dots = rest.indexOf("..");
  const [from, to] = dots >= 0 ? [rest.slice(0, dots), rest.slice(dots + 2)] : [rest, rest];
  const place = { from: parseOffset(from, text, "from"), to: parseOffset(to, text, "to") };
  return label === undefined ? place : { label, ...place };
}

function parseOffset(where: string, text: string, side: "from" | "to"): Offset {
  if (where === "node") return { of: side === "from" ? "begin" : "end", tokens: 0 };
  if (where === "first") return { of: "begin", tokens: 0 };
  if (where === "last") return { of: "end", tokens: 0 };
  const [, digits, hand] = /^([+-]?\d{1,6})([lr]?)$/i.exec(where) ?? [];
  if (digits === undefined) throw badKey(text, `${JSON.stringify(where)} is not a place`);
  const number = Number(digits);
  if (hand && number < 1) throw badKey(text, `write ${Math.abs(number) || 1}${hand.toUpperCase()}`);
  const tokens = hand.toLowerCase() === "l" ? -number : number;
  return { of: tokens > 0 ? "end" : "begin", tokens };
}

/** As it can be read again. */
export function printKey(key: Key): string {
  const flags = Object.entries(flagNames).flatMap(([flag, name]) => (key[name] ? [flag] : []));
  const name = `${key.attribute}${flags.length > 0 ? `/${flags.join("")}` : ""}`;
  if (!key.place) return name;
  const { label, from, to } = key.place;
  const at = ({ of, tokens }: Offset) => (tokens === 0 && of === "end" ? "last" : String(tokens));
  const where =
    from.tokens === 0 && to.tokens === 0 && from.of === "begin" && to.of === "end"
      ? "node"
      : from.of === to.of && from.tokens === to.tokens
        ? at(from)
        : `${at(from)}..${at(to)}`;
  return `${name} ${label === undefined ? "" : `${label}:`}${where}`;
}

/** The labels that keys speak of. */
export function labelsOfKeys(keys: readonly Key[]): string[] {
  return [...new Set(keys.flatMap(({ place }) => (place?.label === undefined ? [] : [place.label])))];
}

/** One token, or as many as the place says? */
export function isSingle({ from, to }: Place): boolean {
  return from.of === to.of && from.tokens === to.tokens;
}
