/**
 * Learnt ends of sentences: where people write without periods ("Thanks, Kim", addresses, headings that have lost their line),
 * rules find too few. A small linear model looks at what kinds of tokens stand on both sides of a space, and at
 * what the rules say; it knows no words but those of the language's table. Weights are whole numbers:
 *
 *   weights = ( table class* "=" number " " )*         classes as two digits of base 36 each
 *   table   = "b" bias | "r" rule before next | "p" before next | "l" two before, before, next
 *           | "n" before, next, next but one | "s" length of the sentence, before
 *
 * Language tables that have none decide by rules alone.
 */
import type { Rules } from "./rules.js";

const named = ["none", "url", "mail", "time", "date", "number", "I", "clock", "starter", "small starter"];
named.push(
  "capitals",
  "Capital",
  "Capital.",
  "word",
  "parting",
  "greeting",
  "ellipsis",
  "line",
  "face",
  "clitic",
);
const marks = [
  ..."., ! ? ; : ( ) [ ] \" “ ” ' ’ ‘ - – — * / < > & $ % # + = | @ • … { }".replaceAll(" ", ""),
];
const other = named.length + marks.length;
export const classCount = other + 1;
const markClasses = new Map(marks.map((mark, i) => [mark.charCodeAt(0), named.length + i]));
const [, url, mail, time, date, number, I, clock, starter, smallStarter] = named.keys();
const [capitals, capital, capitalDot, word, parting, greeting, ellipsis, line, face, clitic] = [
  ...named.keys(),
].slice(10);
export const noToken = 0;

const plainWord = /^[a-z]+$/;

/** What kind of token it is. */
export function classOf(token: string, rules: Rules): number {
  const code = token.charCodeAt(0);
  if (token.length === 1) {
    const mark = markClasses.get(code);
    if (mark !== undefined) return mark;
  }
  // Most words: small letters, and nothing that an address has.
  if (code >= 0x61 && code <= 0x7a && plainWord.test(token)) {
    if (rules.partings.has(token)) return parting;
    if (rules.greetings.has(token)) return greeting;
    return rules.smallStarters.has(token) ? smallStarter : word;
  }
  if (/^(?:https?:|www\.)/i.test(token)) return url;
  if (/@.*\./.test(token)) return mail;
  if (/^\p{Nd}/u.test(token)) {
    if (/^\p{Nd}+:\p{Nd}\p{Nd}/u.test(token)) return time;
    return /^\p{Nd}+([/.-])\p{Nd}+\1\p{Nd}+$/u.test(token) ? date : number;
  }
  if (/^\p{L}/u.test(token)) return wordClass(token, rules);
  if (/^(?:\.{2,}|…+)$/.test(token)) return ellipsis;
  if (/^[-=_*~#]{3,}$/.test(token)) return line;
  if (/^[:;=][-)(DP]/.test(token)) return face;
  if (/^['’]\p{L}/u.test(token)) return clitic;
  return markClasses.get(code) ?? other;
}

export function isSmallWord(kind: number): boolean {
  return kind === word || kind === smallStarter;
}

function wordClass(token: string, rules: Rules): number {
  if (token === "I") return I;
  if (/^[AP]M$/.test(token)) return clock;
  const small = token.toLowerCase();
  if (rules.partings.has(small)) return parting;
  if (rules.greetings.has(small)) return greeting;
  if (rules.starters.has(token)) return starter;
  if (/^n['’]t$/.test(small)) return clitic;
  if (/^\p{Lu}[\p{Lu}.]+$/u.test(token)) return capitals;
  if (/^\p{Lu}/u.test(token)) return token.endsWith(".") ? capitalDot : capital;
  return rules.smallStarters.has(token) ? smallStarter : word;
}

const n = classCount;
const lengthSteps = [1, 3, 7, 20];
const lengths = lengthSteps.length + 1;
/** Where the weights of each table begin. */
const tables = {
  b: 0,
  r: 1,
  p: 1 + 2 * n * n,
  l: 1 + 3 * n * n,
  n: 1 + 3 * n * n + n ** 3,
  s: 1 + 3 * n * n + 2 * n ** 3,
};
const size = tables.s + lengths * n;

export interface Context {
  /** Do the rules end a sentence here? */
  rule: boolean;
  /** Tokens of the sentence so far. */
  length: number;
  /** Classes of the two tokens before and the two behind. */
  before2: number;
  before: number;
  next: number;
  next2: number;
}

/** The places of the weights that count. */
export function features({ rule, length, before2, before, next, next2 }: Context, into: Int32Array): void {
  const pair = before * n + next;
  let step = 0;
  while (step < lengthSteps.length && length > lengthSteps[step]) step++;
  into[0] = tables.b;
  into[1] = tables.r + (rule ? n * n : 0) + pair;
  into[2] = tables.p + pair;
  into[3] = tables.l + before2 * n * n + pair;
  into[4] = tables.n + pair * n + next2;
  into[5] = tables.s + step * n + before;
}

export const featureCount = 6;

/** What weights look like in a table. */
export const weightsPattern = /^(?:\s*[brplns](?:[0-9a-z]{2})*=-?\d+)*\s*$/;

export class Boundaries {
  readonly weights: Int8Array;
  readonly #places = new Int32Array(featureCount);

  constructor(text: string) {
    this.weights = new Int8Array(size);
    for (const entry of text.split(/\s+/).filter(Boolean)) {
      const [place, weight] = entry.split("=");
      this.weights[placeOf(place)] = Number(weight);
    }
  }

  ends(context: Context): boolean {
    const places = this.#places;
    const { weights } = this;
    features(context, places);
    let sum = 0;
    for (let i = 0; i < featureCount; i++) sum += weights[places[i]];
    return sum > 0;
  }
}

function placeOf(text: string): number {
  const start = tables[text[0] as keyof typeof tables];
  let place = 0;
  for (let at = 1; at < text.length; at += 2) place = place * n + Number.parseInt(text.slice(at, at + 2), 36);
  return start + place;
}

/** Weights as a table has them. */
export function weightsText(weights: Int8Array): string {
  const names = Object.entries(tables).sort((a, b) => a[1] - b[1]);
  const digits: Record<string, number> = { b: 0, r: 3, p: 2, l: 3, n: 3, s: 2 };
  const entries: string[] = [];
  names.forEach(([name, from], i) => {
    const to = names[i + 1]?.[1] ?? size;
    for (let place = from; place < to; place++) {
      if (weights[place] === 0) continue;
      let text = "";
      for (let rest = place - from, d = 0; d < digits[name]; d++, rest = Math.floor(rest / n))
        text = (rest % n).toString(36).padStart(2, "0") + text;
      entries.push(`${name}${text}=${weights[place]}`);
    }
  });
  return entries.join(" ");
}
