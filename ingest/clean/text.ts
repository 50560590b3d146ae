/**
 * How the characters of a page become lines of text:
 *
 *   white space      runs of it, no-break spaces among them, are one space; in <pre>, lines stay lines
 *   no text          control characters, soft hyphens, byte order marks, word joiners are left out
 *   U+200B           is left out, too, but between letters of Thai, Lao, Khmer and Myanmar, where it parts words
 *   U+200C, U+200D   stay: Persian is spelled with them, and emoji are made of them
 */

const invisible = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u2060-\u2064\ufeff\ufff9-\ufffb]/g;
const anyInvisible = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/;
const wordBreak =
  /\u200b(?<!(?=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]).\u200b(?=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]))/g;
/** White space that is not one space already: most is. */
const white = / [\s\x85]+|(?! )[\s\x85]+/g;

export function visible(raw: string): string {
  return anyInvisible.test(raw) ? raw.replace(invisible, "").replace(wordBreak, "") : raw;
}

/** A paragraph's text on one line. */
export function oneLine(raw: string): string {
  return visible(raw).replace(white, " ").trim();
}

/** Its lines as they stand in <pre>; none of them is empty. */
export function keptLines(raw: string): string {
  return raw
    .split(/\r\n?|\n/)
    .map(oneLine)
    .filter((line) => line !== "")
    .join("\n");
}
