/**
 * Words as numbers: hashes of a word, its beginnings and ends, its shape. They are made once for each different word, so
 * that what is done for each token is arithmetic.
 */

import { markOf } from "./edits.js";

/** 32 bits of a string; never 0, which stands for "none". */
export function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash | 0 || 1;
}

/** One number of a template's number and two values. */
export function mix(template: number, a: number, b: number): number {
  let hash = Math.imul(template + 1, 0x9e3779b1) ^ a;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0 || 1;
}

export const suffixes = 6;
export const prefixes = 4;

export interface Word {
  /** As it is written, and in lower case. */
  form: number;
  small: number;
  /** Its last and its first letters, in lower case; 0 where it is too short. */
  suffixes: Int32Array;
  prefixes: Int32Array;
  /** "Xx", "9.9": kinds of characters, runs as one. */
  shape: number;
  length: number;
  /** How it is written, as far as that concerns its lemma (edits.ts). */
  mark: number;
  /** Does it begin with a capital? Has it letters at all? */
  isCapital: boolean;
  isLetters: boolean;
  /** What it was in training, as written and in lower case (lexicon.ts); 0 if it was not. */
  known: number;
  knownSmall: number;
}

export function wordOf(text: string): Word {
  const small = text.toLowerCase();
  const chars = Array.from(small);
  const tails = new Int32Array(suffixes);
  const heads = new Int32Array(prefixes);
  for (let k = 1; k <= suffixes; k++)
    tails[k - 1] = chars.length > k ? hashOf(chars.slice(-k).join(""), 10 + k) : 0;
  for (let k = 1; k <= prefixes; k++)
    heads[k - 1] = chars.length > k ? hashOf(chars.slice(0, k).join(""), 20 + k) : 0;
  return {
    form: hashOf(text, 1),
    small: hashOf(small, 2),
    suffixes: tails,
    prefixes: heads,
    shape: hashOf(shapeOf(text), 3),
    length: Math.min(chars.length, 8),
    mark: markOf(text, small),
    isCapital: /^\p{Lu}/u.test(text),
    isLetters: /^\p{L}/u.test(text),
    known: 0,
    knownSmall: 0,
  };
}

/** Stands where a sentence has no word. */
export const edge: Word = { ...wordOf(""), form: 2, small: 3, shape: 4, known: 5, knownSmall: 6 };

const shapeCharsMax = 8;

function shapeOf(text: string): string {
  let shape = "";
  let before = "";
  for (const char of text) {
    const kind = /\p{Lu}/u.test(char) ? "X" : /\p{L}/u.test(char) ? "x" : /\p{Nd}/u.test(char) ? "9" : char;
    if (kind !== before) shape += kind;
    before = kind;
    if (shape.length >= shapeCharsMax) break;
  }
  return shape;
}
