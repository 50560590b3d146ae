/**
 * What is asked of a token: a boolean combination of atoms. An atom is one thing that can be told of every position at
 * once: does the id of an attribute lie in a set, does a structure begin here, and the like. Atoms are shared by all
 * tests of a pattern; each gets a bit in the classes of tokens.
 */
import type { Attribute } from "../../storage/index.js";
import type { StructureIndex } from "../match/structures.js";
import type { Ids } from "./ids.js";
import type { Keep } from "./keep.js";

export type Atom =
  /** The id of a stored attribute is in a set. `tokens`: how many are. */
  | { kind: "ids"; attribute: Attribute; ids: Ids; tokens: number; text: string }
  /** The values of two attributes are the same string, the second's `distance` tokens further on. */
  | { kind: "same"; left: Attribute; right: Attribute; distance: number; text: string }
  /** The position lies in [from, to). */
  | { kind: "positions"; from: number; to: number; text: string }
  /** The position is one of these, which ascend. */
  | { kind: "listed"; positions: Uint32Array; text: string }
  /** A structure (that is kept) begins here, ends before this token, or is a last token's. */
  | {
      kind: "edge";
      edge: "start" | "end" | "last";
      index: StructureIndex;
      keep: Keep;
      filled: boolean;
      text: string;
    }
  /** The innermost structure around is one that is kept. */
  | { kind: "around"; index: StructureIndex; keep: Keep; text: string }
  /** There is no token here: the corpus has ended. */
  | { kind: "end"; text: string };

export type Test =
  | { op: "true" }
  | { op: "atom"; atom: number }
  | { op: "not"; item: Test }
  | { op: "and" | "or"; items: Test[] };

export const always: Test = { op: "true" };
export const never: Test = { op: "not", item: always };

export function negation(test: Test): Test {
  return test.op === "not" ? test.item : { op: "not", item: test };
}

export function conjunction(items: Test[]): Test {
  const rest = items.filter((item) => item.op !== "true");
  return rest.length === 0 ? always : rest.length === 1 ? rest[0] : { op: "and", items: rest };
}

export function disjunction(items: Test[]): Test {
  if (items.some((item) => item.op === "true")) return always;
  return items.length === 1 ? items[0] : { op: "or", items };
}

/** Does a test hold, given which atoms do? */
export function holds(test: Test, has: (atom: number) => boolean): boolean {
  switch (test.op) {
    case "true":
      return true;
    case "atom":
      return has(test.atom);
    case "not":
      return !holds(test.item, has);
    case "and":
      return test.items.every((item) => holds(item, has));
    case "or":
      return test.items.some((item) => holds(item, has));
  }
}

/** A test where it is known whether an atom holds. */
export function given(test: Test, atom: number, value: boolean): Test {
  switch (test.op) {
    case "true":
      return test;
    case "atom":
      return test.atom === atom ? (value ? always : never) : test;
    case "not":
      return negation(given(test.item, atom, value));
    case "and": {
      const items = test.items.map((item) => given(item, atom, value));
      return items.some(isNever) ? never : conjunction(items);
    }
    case "or": {
      const items = test.items.map((item) => given(item, atom, value)).filter((item) => !isNever(item));
      return items.length === 0 ? never : disjunction(items);
    }
  }
}

function isNever(test: Test): boolean {
  return test.op === "not" && test.item.op === "true";
}

/** The same test with its atoms numbered from 0, in the order of `used`. */
export function renumbered(test: Test, used: number[]): Test {
  switch (test.op) {
    case "true":
      return test;
    case "atom": {
      let number = used.indexOf(test.atom);
      if (number < 0) number = used.push(test.atom) - 1;
      return { op: "atom", atom: number };
    }
    case "not":
      return { op: "not", item: renumbered(test.item, used) };
    default:
      return { op: test.op, items: test.items.map((item) => renumbered(item, used)) };
  }
}

/** The atoms of one pattern. */
export class Atoms {
  readonly list: Atom[] = [];
  readonly #known = new Map<string, number>();

  /** An atom with the same text is the same atom. */
  add(atom: Atom): Test {
    let number = this.#known.get(atom.text);
    if (number === undefined) {
      number = this.list.length;
      this.list.push(atom);
      this.#known.set(atom.text, number);
    }
    return { op: "atom", atom: number };
  }
}
