/**
 * What a pattern says about its matches without being run: the strings it stands for, if they can be listed; what every
 * match begins with, ends with, contains.
 */
import type { Lexicon } from "../../storage/index.js";
import { looking } from "../pace.js";
import { isAny } from "./codes.js";
import { IdCollector, type IdSet } from "./ids.js";
import { regexLimits } from "./limits.js";
import type { Shape } from "./shape.js";
import { decodedPieces } from "./strings.js";

export interface Literals {
  /** All strings that the shape matches, some perhaps twice; undefined if they cannot be listed. */
  strings?: string[];
  prefix: string;
  suffix: string;
  /** The longest string that is known to be in every match. */
  inside: string;
  /** Every string with `inside` in it is a match. */
  onlyInside: boolean;
}

/** Time grows with the size of the shape; `look` is called for each alternative. */
export function literalsOf(shape: Shape, look: () => void = () => {}): Literals {
  const { strings, prefix, suffix, inside } = analyse(shape, look);
  return { strings, prefix, suffix, inside, onlyInside: isInside(shape) };
}

/** .*text.* */
function isInside(shape: Shape): boolean {
  if (shape.kind !== "sequence" || shape.items.length !== 3) return false;
  const [before, text, after] = shape.items;
  return isAnything(before) && text.kind === "text" && isAnything(after);
}

function isAnything(shape: Shape): boolean {
  return (
    shape.kind === "repeat" &&
    shape.min === 0 &&
    shape.max === Number.POSITIVE_INFINITY &&
    shape.item.kind === "set" &&
    isAny(shape.item.codes)
  );
}

interface Known {
  strings?: string[];
  prefix: string;
  suffix: string;
  inside: string;
}

const unknown: Known = { prefix: "", suffix: "", inside: "" };

function analyse(shape: Shape, look: () => void): Known {
  switch (shape.kind) {
    case "empty":
      return { ...unknown, strings: [""] };
    case "nothing":
      return { ...unknown, strings: [] };
    case "text":
      return { strings: [shape.text], prefix: shape.text, suffix: shape.text, inside: shape.text };
    case "set":
      return analyseSet(shape.codes);
    case "sequence":
      return analyseSequence(shape.items, look);
    case "alternation":
      return analyseAlternation(shape.items, look);
    case "repeat":
      return analyseRepeat(shape, look);
    default:
      return unknown;
  }
}

function analyseSet(codes: Uint32Array): Known {
  let size = 0;
  for (let i = 0; i < codes.length; i += 2) size += codes[i + 1] - codes[i] + 1;
  if (size > 64) return unknown;
  const strings: string[] = [];
  for (let i = 0; i < codes.length; i += 2) {
    for (let code = codes[i]; code <= codes[i + 1]; code++) strings.push(String.fromCodePoint(code));
  }
  return { ...unknown, strings };
}

function analyseSequence(items: Shape[], look: () => void): Known {
  const parts = items.map((item) => analyse(item, look));
  let strings: string[] | undefined = [""];
  let prefix = "";
  let prefixEnded = false;
  /** What is known to end whatever the items so far have matched. */
  let tail = "";
  let inside = "";
  for (const [i, part] of parts.entries()) {
    if (strings && part.strings && strings.length * part.strings.length <= regexLimits.productLiteralsMax) {
      const more: string[] = part.strings;
      strings = strings.flatMap((before) => more.map((after) => before + after));
    } else strings = undefined;
    // Lookaheads and anchors take no room: what is before them and behind them touches.
    if (isCondition(items[i])) continue;
    const whole = part.strings?.length === 1 ? part.strings[0] : undefined;
    if (!prefixEnded) prefix += whole ?? part.prefix;
    if (whole === undefined) prefixEnded = true;
    inside = longest(inside, tail + (whole ?? part.prefix), part.inside);
    tail = whole === undefined ? part.suffix : tail + whole;
  }
  if (items.some(isCondition)) strings = undefined;
  return { strings, prefix, suffix: tail, inside: longest(inside, tail) };
}

function isCondition({ kind }: Shape): boolean {
  return kind === "lookahead" || kind === "start" || kind === "end";
}

function analyseAlternation(items: Shape[], look: () => void): Known {
  let strings: string[] | undefined = [];
  let common: Known | undefined;
  for (const item of items) {
    look();
    const part = analyse(item, look);
    if (strings && part.strings) for (const string of part.strings) strings.push(string);
    else strings = undefined;
    common = !common
      ? part
      : {
          prefix: commonPrefix(common.prefix, part.prefix),
          suffix: commonSuffix(common.suffix, part.suffix),
          inside: common.inside === part.inside ? common.inside : "",
        };
  }
  const { prefix, suffix, inside } = common!;
  return { strings, prefix, suffix, inside: longest(inside, prefix, suffix) };
}

function analyseRepeat({ item, min, max }: Extract<Shape, { kind: "repeat" }>, look: () => void): Known {
  const part = analyse(item, look);
  if (min === 0) {
    return part.strings && max === 1 ? { ...unknown, strings: ["", ...part.strings] } : unknown;
  }
  const { strings, prefix, suffix, inside } = part;
  if (strings?.length === 1 && min === max && strings[0].length * min <= 1000) {
    const whole = strings[0].repeat(min);
    return { strings: [whole], prefix: whole, suffix: whole, inside: whole };
  }
  return { prefix, suffix, inside };
}

function longest(...texts: string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best));
}

function commonPrefix(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  // Not half a character.
  if (length > 0 && length < a.length && isHighSurrogate(a.charCodeAt(length - 1))) length--;
  return a.slice(0, length);
}

function commonSuffix(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++;
  if (length > 0 && length < a.length && isHighSurrogate(a.charCodeAt(a.length - length - 1))) length--;
  return length === 0 ? "" : a.slice(-length);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * The ids of those of the strings that the lexicon has: looked up one by one, O(log size) each, or, when there are many,
 * in one pass through the lexicon.
 */
export function idsOfStrings(lexicon: Lexicon, strings: string[], checkpoint: () => void = () => {}): IdSet {
  const found = new IdCollector();
  const look = looking(checkpoint);
  if (strings.length < 64 + lexicon.size / 32) {
    for (const string of strings) {
      look();
      const id = lexicon.find(string);
      if (id >= 0) found.add(id);
    }
  } else findInOnePass(lexicon, new StringTable(strings, look), found, look);
  return found.finish(lexicon.size);
}

function findInOnePass(lexicon: Lexicon, table: StringTable, found: IdCollector, look: () => void): void {
  for (const generation of lexicon.generations) {
    for (const { firstRank, bytes, starts } of decodedPieces(generation, 0, generation.count)) {
      for (let i = 0; i < starts.length - 1; i++) {
        look();
        if (table.has(bytes, starts[i], starts[i + 1] - 1))
          found.add(generation.base + generation.ids[firstRank + i]);
      }
    }
  }
}

/** A set of strings that can be asked for bytes. */
export class StringTable {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** Open addressing: number of the string + 1, or 0. */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(strings: string[], look: () => void = () => {}) {
    const encoder = new TextEncoder();
    let bytes = new Uint8Array(1 << 16);
    let end = 0;
    const starts = new Uint32Array(strings.length + 1);
    for (let i = 0; i < strings.length; i++) {
      look();
      // A UTF-16 unit takes at most three bytes.
      const most = end + strings[i].length * 3;
      if (most > bytes.length) {
        const larger = new Uint8Array(most * 2);
        larger.set(bytes.subarray(0, end));
        bytes = larger;
      }
      end += encoder.encodeInto(strings[i], bytes.subarray(end)).written;
      starts[i + 1] = end;
    }
    let slots = 64;
    while (slots < strings.length * 2) slots *= 2;
    this.#bytes = bytes;
    this.#starts = starts;
    this.#slots = new Uint32Array(slots);
    this.#mask = slots - 1;
    for (let i = 0; i < strings.length; i++) {
      look();
      const slot = this.#slot(bytes, starts[i], starts[i + 1]);
      if (this.#slots[slot] === 0) this.#slots[slot] = i + 1;
    }
  }

  /** Is the string with the bytes [from, to) in the set? */
  has(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#slots[this.#slot(bytes, from, to)] !== 0;
  }

  /** The slot that has the string, or the free one where it would be. */
  #slot(bytes: Uint8Array, from: number, to: number): number {
    const own = this.#bytes;
    const starts = this.#starts;
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const number = this.#slots[slot];
      if (number === 0) return slot;
      const start = starts[number - 1];
      if (starts[number] - start !== to - from) continue;
      let i = to - from - 1;
      while (i >= 0 && own[start + i] === bytes[from + i]) i--;
      if (i < 0) return slot;
    }
  }
}
