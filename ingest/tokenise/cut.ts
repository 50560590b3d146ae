/**
 * What lies between two spaces, cut into tokens, with what the sentences have to know of it: how it begins, how it
 * ends. None of it depends on what stands around, so it is found once for each different piece of text.
 */
import { classOf, noToken } from "./boundaries.js";
import { digit, kindAt, lower, upper } from "./characters.js";
import { group, openingMarks, type Rules, straight } from "./rules.js";
import { segment } from "./segmenter.js";

/** How a piece begins, behind the marks that open something. */
export type Start = "lower" | "upper" | "digit" | "letter" | "mark";

/**
 * How it ends, before the marks that close something: with a period or another mark that ends sentences; an ellipsis; a title
 * or an abbreviation, whose period is part of it; a letter with a period, which may be an initial.
 */
export type End = "none" | "period" | "strong" | "ellipsis" | "title" | "abbreviation" | "initial";

export interface Cut {
  /** The text that it is of. */
  piece: string;
  /** Lines of the stream: tokens with glue between them. */
  text: string;
  tokens: number;
  start: Start;
  /** Where it begins with a dash: what stands behind that, or that nothing does. */
  behindDash: Start | "nothing" | undefined;
  /** The first word, without the marks before it. */
  first: string;
  end: End;
  /** Does anything close behind the end? */
  isClosed: boolean;
  /** Nothing but marks that close. */
  isCloser: boolean;
  /** Straight double quotes in it: of an even number before it, one opens. */
  quotes: number;
  /** Of its first two tokens and its last two, what boundaries.ts takes them for; noToken where there is but one. */
  classes: readonly [number, number, number, number];
  /** Ends of sentences inside: lines as pieces of which each but the last ends one. */
  pieces?: string[];
  /** What it is before a number ("No. 5"), or where a period makes an ordinal ("3. mai"). */
  beforeNumber?: Cut;
  ordinal?: Cut;
}

const glue = "<g/>\n";

export function cutOf(text: string, rules: Rules): Cut {
  const tokens = tokensOf(text, rules);
  const cut = described(text, tokens, rules);
  const last = tokens.length - 1;
  if (last >= 1 && tokens[last] === ".") {
    const whole = tokens[last - 1] + ".";
    const together = [...tokens.slice(0, last - 1), whole];
    if (rules.beforeNumbers.has(whole))
      cut.beforeNumber = { ...described(text, together, rules), end: "title" };
    else if (rules.table.ordinals !== "none" && /^(?:\p{Nd}{1,4}|[IVXLC]+)$/u.test(tokens[last - 1])) {
      const kept = rules.table.ordinals === "join" ? together : tokens;
      cut.ordinal = { ...described(text, kept, rules), end: "title" };
    }
  }
  return cut;
}

/** Letters that are the same in all scripts' rules; no period, which may belong to the word. */
const plainWord = /^([A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0400-\u04ff]+)([,;:!?)]?)$/;

export function tokensOf(text: string, rules: Rules): string[] {
  const tokens: string[] = [];
  const plain = plainWord.exec(text);
  if (plain) {
    // Most pieces: a word, perhaps with one mark behind it.
    addWord(plain[1], rules, tokens);
    if (plain[2] !== "") tokens.push(plain[2]);
    return tokens;
  }
  let at = 0;
  while (at < text.length) {
    const found = nextToken(text, at, rules);
    const token = found[0];
    at += token.length;
    if (found[group.word] !== undefined) {
      const isWhole = addWord(token, rules, tokens);
      if (rules.splitsHyphens && isWhole) at = addHyphened(text, at, rules, tokens);
    } else if (found[group.dotted] !== undefined) at += addDotted(token, rules, tokens);
    else if (found[group.unspaced] !== undefined) segment(token, rules.language, tokens);
    else tokens.push(token);
  }
  return tokens.some(looksLikeTag) ? tokens.flatMap(untagged) : tokens;
}

/** Abbreviations have to have their capitals; and "house.It" is no host: a space was left out. */
function nextToken(text: string, at: number, rules: Rules): RegExpExecArray {
  const { next } = rules;
  next.lastIndex = at;
  const found = next.exec(text)!;
  const abbreviation = found[group.abbreviation];
  const host = found[group.host];
  if (abbreviation !== undefined ? isAbbreviation(abbreviation, rules) : !host || !endsInWord(host, rules))
    return found;
  const { nextPlain } = rules;
  nextPlain.lastIndex = at;
  return nextPlain.exec(text)!;
}

/** "It" and "No" begin sentences; "Com" does not, but where the table says so. */
function endsInWord(host: string, { starters }: Rules): boolean {
  const last = /\.(\p{Lu}\p{Ll}+)$/u.exec(host)?.[1];
  return last !== undefined && (last.length === 2 || starters.has(last));
}

function isAbbreviation(text: string, { titles, abbreviations }: Rules): boolean {
  return titles.has(text) || abbreviations.has(text);
}

/** Whatever starts and ends as a tag does: its first character is a token of its own. */
function looksLikeTag(token: string): boolean {
  return token.length > 1 && token.charCodeAt(0) === 0x3c && token.charCodeAt(token.length - 1) === 0x3e;
}

function untagged(token: string): string[] {
  return looksLikeTag(token) ? ["<", ...untagged(token.slice(1))] : [token];
}

/** A word, without the clitics that lean on it. Says whether it had none. */
function addWord(found: string, rules: Rules, tokens: string[]): boolean {
  const small = straight(found.toLowerCase());
  // Lower case may be longer ("İ"): then places in it say nothing.
  if (small.length !== found.length || rules.wholes.has(small)) {
    tokens.push(found);
    return true;
  }
  const lengths = rules.splits.get(small);
  if (lengths) {
    let at = 0;
    for (const length of lengths) tokens.push(found.slice(at, (at += length)));
    return false;
  }
  let from = 0;
  for (;;) {
    const prefix = rules.prefixes.find(
      (one) => small.startsWith(one, from) && from + one.length < small.length,
    );
    if (prefix === undefined) break;
    tokens.push(found.slice(from, (from += prefix.length)));
  }
  const ends: string[] = [];
  let to = found.length;
  for (;;) {
    const suffix = rules.suffixes.find((one) => small.endsWith(one, to) && to - one.length > from);
    if (suffix === undefined) break;
    ends.push(found.slice(to - suffix.length, to));
    to -= suffix.length;
  }
  tokens.push(found.slice(from, to));
  while (ends.length > 0) tokens.push(ends.pop()!);
  return from === 0 && to === found.length;
}

const compound = /[-‐‑][\p{L}\p{N}][\p{L}\p{M}\p{N}_]*/uy;

/**
 * Where hyphens split, some stay: "co-operate", "child-like". The word before the hyphen is the last token. Says where
 * to go on.
 */
function addHyphened(text: string, at: number, rules: Rules, tokens: string[]): number {
  for (;;) {
    compound.lastIndex = at;
    const found = compound.exec(text)?.[0];
    if (!found) return at;
    const before = tokens[tokens.length - 1].toLowerCase();
    const isPart = rules.hyphenParts.has(`${before}-`) || rules.hyphenParts.has(found.toLowerCase());
    if (!isPart) return at;
    tokens[tokens.length - 1] += found;
    at += found.length;
  }
}

/**
 * Words with periods: whole if they are known or can only be abbreviated. Says by how many
 * characters to go on: 0, or back.
 */
function addDotted(found: string, rules: Rules, tokens: string[]): number {
  const isAcronym = /^(?:\p{L}\p{M}*\.-?){2,}$/u.test(found);
  const isInitial = /^\p{Lu}\p{M}*\.$/u.test(found) && found !== "I.";
  if (isAbbreviation(found, rules) || isAcronym || isInitial || /^(?:\p{Lu}\p{Ll}?\.-?){2,}$/u.test(found)) {
    tokens.push(found);
    return 0;
  }
  // Periods inside: "x.y." of names and versions stays, if letters follow at once; sentences that run together do not.
  const first = found.indexOf(".");
  const word = found.slice(0, first);
  const parts = found.slice(0, -1);
  if (first < parts.length && /^(?:\p{L}{1,2}\.)+\p{L}{1,2}$/u.test(parts)) {
    tokens.push(parts);
    return -1;
  }
  addWord(word, rules, tokens);
  return word.length - found.length;
}

/** Puts tokens down as lines, and looks at both ends. */
function described(piece: string, tokens: readonly string[], rules: Rules): Cut {
  const first = firstBehindOpening(tokens, 0);
  let last = tokens.length - 1;
  while (last > 0 && rules.closers.has(tokens[last])) last--;
  const isCloser = last === 0 && rules.closers.has(tokens[0]);
  const pieces = tokens.length > 2 ? piecesOf(tokens, rules) : undefined;
  return {
    piece,
    text: tokens.length === 1 ? `${tokens[0]}\n` : `${tokens.join(`\n${glue}`)}\n`,
    tokens: tokens.length,
    start: startOf(tokens[first]),
    behindDash: behindDash(tokens),
    first: tokens[first],
    end: endOf(tokens[last], rules),
    isClosed: last < tokens.length - 1,
    isCloser,
    classes: rules.boundaries ? classesOf(tokens, rules) : none,
    quotes: tokens.reduce((count, token) => count + (token === '"' ? 1 : 0), 0),
    ...(pieces && { pieces }),
  };
}

function firstBehindOpening(tokens: readonly string[], from: number): number {
  let first = from;
  while (first < tokens.length - 1 && openingMarks.has(tokens[first])) first++;
  return first;
}

const dash = /^(?:[-‐‑‒–—―]|--+)$/;

function behindDash(tokens: readonly string[]): Start | "nothing" | undefined {
  if (!dash.test(tokens[0])) return undefined;
  return tokens.length === 1 ? "nothing" : startOf(tokens[firstBehindOpening(tokens, 1)]);
}

const none = [noToken, noToken, noToken, noToken] as const;

function classesOf(tokens: readonly string[], rules: Rules): Cut["classes"] {
  const count = tokens.length;
  const first = classOf(tokens[0], rules);
  if (count === 1) return [first, noToken, noToken, first];
  const last = classOf(tokens[count - 1], rules);
  if (count === 2) return [first, last, first, last];
  return [first, classOf(tokens[1], rules), classOf(tokens[count - 2], rules), last];
}

function startOf(token: string): Start {
  const kind = kindAt(token, 0);
  if (kind & upper) return "upper";
  if (kind & lower) return "lower";
  if (kind & digit) return "digit";
  return /^\p{L}/u.test(token) ? "letter" : "mark";
}

function endOf(token: string, rules: Rules): End {
  if (token === ".") return "period";
  if (/^(?:\.{2,}|…+)$/.test(token)) return "ellipsis";
  if (rules.sentenceEnds.has(token[token.length - 1]) && /^[\p{P}\p{S}]+$/u.test(token)) return "strong";
  if (!token.endsWith(".") || token.length === 1) return "none";
  if (rules.titles.has(token)) return "title";
  if (rules.abbreviations.has(token)) return "abbreviation";
  return /^\p{L}\p{M}*\.$/u.test(token) ? "initial" : "abbreviation";
}

/** Ends of sentences that no space follows: where the script has none, or where it was left out before a capital. */
function piecesOf(tokens: readonly string[], rules: Rules): string[] | undefined {
  let pieces: string[] | undefined;
  let from = 0;
  for (let i = 0; i + 1 < tokens.length; i++) {
    const end = endOf(tokens[i], rules);
    if (end !== "strong" && end !== "period" && end !== "ellipsis") continue;
    let next = i + 1;
    while (next < tokens.length && rules.closers.has(tokens[next])) next++;
    if (next === tokens.length) break;
    if (endOf(tokens[next], rules) !== "none") continue;
    const start = startOf(tokens[next]);
    const breaks = /[。！？｡．]/.test(tokens[i]) || (start === "upper" && end !== "ellipsis" && i > from);
    if (!breaks) continue;
    pieces ??= [];
    pieces.push((from > 0 ? glue : "") + tokens.slice(from, next).join(`\n${glue}`) + "\n");
    from = next;
    i = next - 1;
  }
  pieces?.push(glue + tokens.slice(from).join(`\n${glue}`) + "\n");
  return pieces;
}
