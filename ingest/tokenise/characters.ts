/**
 * What each character is to a tokeniser, as bits, looked up by code unit. What lies beyond the basic plane is told by
 * its code point.
 */
export const white = 1;
export const upper = 2;
export const lower = 4;
export const digit = 8;
/** Ends words without being seen: nothing is lost without it. */
export const invisible = 16;

/**
 * Scripts whose letters have a case in Unicode, but begin sentences like any others: Georgian is written without capitals
 * (Mtavruli is for headings), Cherokee with nothing but capitals. Asomtavruli and Nuskhuri are a pair with both.
 */
const caseless = "[\u10d0-\u10ff\u1c90-\u1cbf\u13a0-\u13ff\uab70-\uabbf]";

const kinds: [RegExp, number][] = [
  [/[\s\p{Cc}]/u, white],
  [new RegExp(`(?!${caseless})[\\p{Lu}\\p{Lt}]`, "u"), upper],
  [new RegExp(`(?!${caseless})\\p{Ll}`, "u"), lower],
  [/\p{Nd}/u, digit],
  [/\u200b/u, invisible],
];

function kindOf(char: string): number {
  return kinds.reduce((bits, [pattern, bit]) => (pattern.test(char) ? bits | bit : bits), 0);
}

/** Filled as characters are met: most texts have few. */
const table = new Uint8Array(0x10000);
const seen = 128;

/** The bits of a code unit; of half a surrogate pair none. */
export function unitKind(unit: number): number {
  const kind = table[unit];
  return kind !== 0 ? kind : (table[unit] = seen | kindOf(String.fromCharCode(unit)));
}

/** The bits of the code point that starts here. */
export function kindAt(text: string, at: number): number {
  const code = text.codePointAt(at);
  if (code === undefined) return 0;
  return code < 0x10000 ? unitKind(code) : kindOf(String.fromCodePoint(code));
}

export function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}
