/**
 * The words of running text, for comparing: what stands between white space; in scripts that are written without spaces,
 * each character, since there a line would be one word and hardly ever seen twice.
 */
import { type Hashes, pushWord } from "./hash.js";

/** Adds the hash of each word of text[from…to - 1]. Returns how many words there are between white space. */
export function pushWords(words: Hashes, text: string, from: number, to: number): number {
  let count = 0;
  let start = -1;
  /** Is there something since the last white space? */
  let inside = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (isWhite(code)) {
      if (start >= 0) pushWord(words, text, start, i);
      start = -1;
      inside = false;
      continue;
    }
    if (!inside) count++;
    inside = true;
    if (code < 0x0e00) {
      if (start < 0) start = i;
      continue;
    }
    const units = unitsAlone(code);
    if (units === 0) {
      if (start < 0) start = i;
    } else {
      if (start >= 0) pushWord(words, text, start, i);
      start = -1;
      pushWord(words, text, i, Math.min(to, i + units));
      i += units - 1;
    }
  }
  if (start >= 0) pushWord(words, text, start, to);
  return count;
}

/** White space, as wordCount() has it. */
function isWhite(code: number): boolean {
  if (code <= 0x20) return true;
  if (code < 0xa0) return false;
  return code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a) || code === 0x2028;
}

/** How many UTF-16 units a character that is a word of its own has: 0 if it is none. */
function unitsAlone(code: number): number {
  if (code < 0x10a0) return 1; // Thai, Lao, Tibetan, Burmese: from 0x0e00
  if (code < 0x2e80) return code >= 0x1780 && code < 0x1800 ? 1 : 0; // Khmer
  if (code < 0x3000) return 1; // radicals
  if (code < 0x3040) return 0; // punctuation
  if (code < 0xa000) return code < 0x3100 || code >= 0x31f0 ? 1 : 0; // kana, Han; Bopomofo and Hangul letters are not
  if (code >= 0xf900 && code < 0xfb00) return 1; // Han, compatibility
  return code >= 0xd840 && code < 0xd890 ? 2 : 0; // Han outside the basic plane
}
