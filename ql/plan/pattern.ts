/**
 * Patterns: what an expression asks of the tokens from a start on, with names resolved and conditions turned into tests
 * of classes. What is not about single tokens (a structure as a whole, meet, a query in brackets) is a `jump`: a source
 * of ranges of its own.
 */
import type { Source } from "../match/source.js";
import type { StructureIndex } from "../match/structures.js";
import type { Keep } from "./keep.js";
import type { Test } from "./tests.js";

export type Pattern =
  | { kind: "token"; test: Test }
  /** Zero tokens wide: about the boundary before the next token, or that token. */
  | { kind: "zero"; test: Test }
  | { kind: "sequence"; items: Pattern[] }
  | { kind: "alternation"; items: Pattern[] }
  | { kind: "repeat"; item: Pattern; min: number; max: number; cut: boolean }
  | { kind: "label"; label: string; item: Pattern }
  /** A boundary that belongs to another: an end tag ends the structure that the last start tag of its name began. */
  | { kind: "tag"; edge: "start" | "end"; index: StructureIndex; keep: Keep; test: Test }
  | { kind: "jump"; source: Source };

/** How many tokens a match has. */
export interface Lengths {
  min: number;
  max: number;
}

export function lengthsOf(pattern: Pattern): Lengths {
  switch (pattern.kind) {
    case "token":
      return { min: 1, max: 1 };
    case "zero":
    case "tag":
      return { min: 0, max: 0 };
    case "sequence":
      return pattern.items.map(lengthsOf).reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }));
    case "alternation":
      return pattern.items
        .map(lengthsOf)
        .reduce((a, b) => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }));
    case "repeat": {
      const { min, max } = lengthsOf(pattern.item);
      return { min: min * pattern.min, max: max === 0 ? 0 : max * pattern.max };
    }
    case "label":
      return lengthsOf(pattern.item);
    case "jump":
      return { min: 1, max: pattern.source.lengthMax };
  }
}

/** Has it parts that an automaton over classes of tokens does not know? */
export function hasJump(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "jump":
    case "tag":
      return true;
    case "sequence":
    case "alternation":
      return pattern.items.some(hasJump);
    case "repeat":
    case "label":
      return hasJump(pattern.item);
    default:
      return false;
  }
}

/** Has it a repeat that the gap limit may end? */
export function hasCut(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "sequence":
    case "alternation":
      return pattern.items.some(hasCut);
    case "repeat":
      return pattern.cut || hasCut(pattern.item);
    case "label":
      return hasCut(pattern.item);
    default:
      return false;
  }
}

export function hasLabel(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "label":
    case "tag":
      return true;
    case "jump":
      return pattern.source.labels.length > 0;
    case "sequence":
    case "alternation":
      return pattern.items.some(hasLabel);
    case "repeat":
      return hasLabel(pattern.item);
    default:
      return false;
  }
}

/** Does a match have to look at what stands behind its last token? */
export function hasZero(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "zero":
      return true;
    case "sequence":
    case "alternation":
      return pattern.items.some(hasZero);
    case "repeat":
    case "label":
      return hasZero(pattern.item);
    default:
      return false;
  }
}

export function hasTag(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case "tag":
      return true;
    case "sequence":
    case "alternation":
      return pattern.items.some(hasTag);
    case "repeat":
    case "label":
      return hasTag(pattern.item);
    default:
      return false;
  }
}

/** A pattern whose repeats have no limit but what can be found: for matches that are shorter than the limit anyway. */
export function withoutCuts(pattern: Pattern, lengthMax: number): Pattern {
  switch (pattern.kind) {
    case "sequence":
    case "alternation":
      return { kind: pattern.kind, items: pattern.items.map((item) => withoutCuts(item, lengthMax)) };
    case "label":
      return withoutCuts(pattern.item, lengthMax);
    case "repeat": {
      const item = withoutCuts(pattern.item, lengthMax);
      const isFar = pattern.cut && pattern.max >= lengthMax;
      return { ...pattern, item, ...(isFar && { max: Number.POSITIVE_INFINITY, cut: false }) };
    }
    default:
      return pattern;
  }
}

/**
 * What a match would end with if a repeat went on where the limit on gaps ends it: one round more than that, and what
 * stands behind. One pattern for each such repeat.
 */
export function beyondCuts(pattern: Pattern): Pattern[] {
  switch (pattern.kind) {
    case "sequence":
      return pattern.items.flatMap((item, i) =>
        beyondCuts(item).map(
          (tail): Pattern => ({ kind: "sequence", items: [tail, ...pattern.items.slice(i + 1)] }),
        ),
      );
    case "alternation":
      return pattern.items.flatMap(beyondCuts);
    case "label":
      return beyondCuts(pattern.item);
    case "repeat": {
      const { item, max, cut } = pattern;
      const rest: Pattern = { kind: "repeat", item, min: 0, max, cut: false };
      const inner = beyondCuts(item).map((tail): Pattern => ({ kind: "sequence", items: [tail, rest] }));
      return cut ? [{ kind: "repeat", item, min: max + 1, max: max + 1, cut: false }, ...inner] : inner;
    }
    default:
      return [];
  }
}

/** The same where nobody asks whether the limit on gaps ended something. */
export function uncut(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "sequence":
    case "alternation":
      return { kind: pattern.kind, items: pattern.items.map(uncut) };
    case "label":
      return uncut(pattern.item);
    case "repeat":
      return { ...pattern, item: uncut(pattern.item), cut: false };
    default:
      return pattern;
  }
}

/** The same without matches of no tokens; undefined where what those are depends on what stands behind them. */
export function withTokens(pattern: Pattern): Pattern | undefined {
  if (lengthsOf(pattern).min > 0) return pattern;
  if (hasZero(pattern)) return undefined;
  switch (pattern.kind) {
    case "label":
      return withTokens(pattern.item);
    case "alternation": {
      const items = pattern.items.filter((item) => lengthsOf(item).max > 0).map(withTokens);
      return items.some((item) => !item) ? undefined : { kind: "alternation", items: items as Pattern[] };
    }
    case "repeat": {
      if (pattern.max === 0) return undefined;
      const item = withTokens(pattern.item);
      const min = Math.max(1, lengthsOf(pattern.item).min === 0 ? 1 : pattern.min);
      return item && { ...pattern, item, min };
    }
    case "sequence": {
      // All of them may be left out: the first that is not begins.
      const ways = pattern.items.map((item, i): Pattern | undefined => {
        const first = withTokens(item);
        return first && { kind: "sequence", items: [first, ...pattern.items.slice(i + 1)] };
      });
      return ways.some((way) => !way) ? undefined : { kind: "alternation", items: ways as Pattern[] };
    }
    default:
      return undefined;
  }
}
