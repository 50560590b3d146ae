/**
 * Sets of code points: sorted ranges, both ends included, two numbers each; no two touch. Surrogates are in no set,
 * because they are in no text.
 *
 * The sets of Unicode's properties are asked of the JavaScript engine, once each, and kept.
 */
import { deriver } from "../../storage/derive/derive.js";

export type CodeSet = Uint32Array;

export const lastCode = 0x10ffff;
export const anyCode: CodeSet = Uint32Array.of(0, 0xd7ff, 0xe000, lastCode);
export const noCode: CodeSet = new Uint32Array(0);

/** The set of any ranges in any order: [low, high, low, high, …]. */
export function codeSet(ranges: ArrayLike<number>): CodeSet {
  const order = new Float64Array(ranges.length / 2).map((_, i) => ranges[i * 2] * 2 ** 22 + i * 2).sort();
  const merged: number[] = [];
  const add = (low: number, high: number) => {
    if (low > high) return;
    const end = merged.length - 1;
    if (end > 0 && low <= merged[end] + 1) merged[end] = Math.max(merged[end], high);
    else merged.push(low, high);
  };
  for (const key of order) {
    const i = key % 2 ** 22;
    add(ranges[i], Math.min(ranges[i + 1], 0xd7ff));
    add(Math.max(ranges[i], 0xe000), ranges[i + 1]);
  }
  return Uint32Array.from(merged);
}

export function unionOf(sets: CodeSet[]): CodeSet {
  if (sets.length === 1) return sets[0];
  return codeSet(sets.flatMap((set) => [...set]));
}

/** The same function, which remembers what it made of a set for as long as the set is there. */
function remembering(make: (set: CodeSet) => CodeSet): (set: CodeSet) => CodeSet {
  const made = new WeakMap<CodeSet, CodeSet>();
  return (set) => {
    let result = made.get(set);
    if (!result) {
      result = make(set);
      made.set(set, result);
    }
    return result;
  };
}

/** All code points that are not in a set. */
export const complementOf = remembering((set) => {
  const ranges: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i] > next) ranges.push(next, set[i] - 1);
    next = set[i + 1] + 1;
  }
  if (next <= lastCode) ranges.push(next, lastCode);
  return codeSet(ranges);
});

export function hasCode(set: CodeSet, code: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[middle * 2 + 1] < code) low = middle + 1;
    else high = middle;
  }
  return low * 2 < set.length && set[low * 2] <= code;
}

/** The only code point of a set, or −1. */
export function onlyCode(set: CodeSet): number {
  return set.length === 2 && set[0] === set[1] ? set[0] : -1;
}

export function isAny(set: CodeSet): boolean {
  return set.length === 4 && set[0] === 0 && set[1] === 0xd7ff && set[2] === 0xe000 && set[3] === lastCode;
}

const kept = new Map<string, CodeSet>();

/** The code points of a JavaScript character class (with the u flag), e.g. "[\\p{L}_]". It must be a valid one. */
export function classSet(source: string): CodeSet {
  let set = kept.get(source);
  if (!set) {
    set = askEngine(new RegExp(`${source}+`, "gu"));
    kept.set(source, set);
  }
  return set;
}

/** The set of a property as patterns name it: Lu, L, L&, Greek, Script=Greek, Alphabetic; undefined if there is none. */
export function propertySet(name: string): CodeSet | undefined {
  if (!/^[A-Za-z_]+(=[A-Za-z_0-9]+)?$|^L&$/.test(name)) return undefined;
  if (name === "L&") return classSet("\\p{LC}");
  for (const spelled of [name, `Script=${name}`]) {
    try {
      return classSet(`\\p{${spelled}}`);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** The code points up to `last` that the engine says are in a class: `run` matches as many as stand side by side. */
function askEngine(run: RegExp, last = lastCode): CodeSet {
  const ranges: number[] = [];
  for (let from = 0; from <= last; from += blockCodes) {
    if (from >= 0xd800 && from < 0xe000) continue;
    const text = textOf(from, from === 0xd000 ? 0xd800 : from + blockCodes);
    const width = from < 0x10000 ? 1 : 2;
    run.lastIndex = 0;
    for (let found = run.exec(text); found; found = run.exec(text)) {
      ranges.push(from + found.index / width, from + (found.index + found[0].length) / width - 1);
    }
  }
  return codeSet(ranges);
}

/** So many are looked at at a time: none lie in two planes. */
const blockCodes = 4096;

/** The code points [from, to) as a text, with line feeds behind each if they are asked for. All have as many units. */
function textOf(from: number, to: number, lineFeeds = 0): string {
  const width = from < 0x10000 ? 1 : 2;
  const units = new Uint16Array((to - from) * (width + lineFeeds)).fill(10);
  for (let code = from, at = 0; code < to; code++, at += width + lineFeeds) {
    if (width === 1) units[at] = code;
    else {
      units[at] = 0xd7c0 + (code >>> 10);
      units[at + 1] = 0xdc00 | (code & 0x3ff);
    }
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** The planes behind are for ideographs, for special and for private use, or for nothing yet: no letters with case. */
const lastCased = 0x1ffff;

/** Every code point that has others that differ from it in case only, with all of those, itself included. */
let cases: Map<number, number[]> | undefined;

function caseTable(): Map<number, number[]> {
  if (cases) return cases;
  const table = new Map<number, number[]>();
  const cased = askEngine(/\p{Changes_When_Casemapped}+/gu, lastCased);
  const capitals = new Map<string, number>();
  for (let i = 0; i < cased.length; i += 2) {
    for (let code = cased[i]; code <= cased[i + 1]; code++) {
      // The dotless i has a capital of its own only in Turkic languages.
      if (code === 0x131) continue;
      const text = String.fromCodePoint(code);
      for (const other of [text.toLowerCase(), text.toUpperCase()]) {
        const mapped = other.codePointAt(0)!;
        // Only single characters: ß is not SS here. But two that become the same capitals are the same, as ﬅ and ﬆ.
        if (other.length === String.fromCodePoint(mapped).length) join(table, code, mapped);
        else join(table, code, capitals.get(other) ?? code);
        capitals.set(other, code);
      }
    }
  }
  cases = table;
  return table;
}

function join(table: Map<number, number[]>, a: number, b: number): void {
  if (a === b) return;
  const ofA = table.get(a) ?? [a];
  const ofB = table.get(b) ?? [b];
  const joined = ofA === ofB ? ofA : [...new Set([...ofA, ...ofB])].sort((x, y) => x - y);
  for (const code of joined) table.set(code, joined);
}

/** A code point and all that differ from it in case only, ascending (Unicode's simple case folding). */
export function caseVariants(code: number): readonly number[] {
  return caseTable().get(code) ?? [code];
}

/** A set with all the case variants of what is in it. */
export const withCases = remembering((set) => {
  const more: number[] = [];
  for (const [code, variants] of caseTable()) {
    if (hasCode(set, code)) for (const variant of variants) more.push(variant, variant);
  }
  return more.length === 0 ? set : codeSet([...set, ...more]);
});

/** A string without combining marks, as the derivation "undiacritic" makes it. */
export const withoutMarks = deriver({ function: "undiacritic", arguments: [] });

/** Code points that are another one without their marks. */
let bare: Map<number, number> | undefined;

function bareTable(): Map<number, number> {
  if (bare) return bare;
  bare = new Map();
  for (let from = 0; from <= lastCode; from += blockCodes) {
    if (from >= 0xd000 && from < 0xe000) continue;
    if (!isTakenApart(from, from + blockCodes)) continue;
    for (let part = from; part < from + blockCodes; part += 64) {
      // Syllables of Hangul are put together of letters, which are no marks.
      if ((part >= 0xac00 && part < 0xd780) || !isTakenApart(part, part + 64)) continue;
      for (let code = part; code < part + 64; code++) {
        const plain = withoutMarks(String.fromCodePoint(code));
        if (plain === "") continue;
        const first = plain.codePointAt(0)!;
        if (first !== code) bare.set(code, first);
      }
    }
  }
  return bare;
}

/** Does Unicode take some of these apart? A line feed belongs to nothing and keeps neighbours apart. */
function isTakenApart(from: number, to: number): boolean {
  const text = textOf(from, to, 2);
  return text.normalize("NFD") !== text;
}

/** A set as it is compared with values without marks: each member without its own; the marks themselves go. */
export const withoutMarksSet = remembering((set) => {
  const marks = classSet("\\p{M}");
  const gone: number[] = [];
  const images: number[] = [];
  for (const [code, plain] of bareTable()) {
    if (!hasCode(set, code)) continue;
    gone.push(code, code);
    images.push(plain, plain);
  }
  const rest = complementOf(codeSet([...complementOf(set), ...marks, ...gone]));
  return codeSet([...rest, ...images]);
});
