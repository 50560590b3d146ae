/**
 * What charset bytes look like, whatever is said of them. Some charsets show themselves: UTF-16 by its zeros, ISO-2022-JP by its
 * escape sequences, Thai by the order of its vowels and tone marks, the Cyrillic of DOS by letters where others have none. For the
 * rest there are the frequencies of letters (chardet).
 */
import { isAscii, isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import { limits } from "../limits.js";

/** What is looked at to tell UTF-16. */
const utf16Bytes = 4096;

/**
 * UTF-16 without a byte order mark: every other byte of its markup, spaces and line ends is zero. In a page full of ideographs these
 * are few, but its first character is one. A page of single bytes with some zeros in it is mostly pairs of ASCII.
 */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (!bytes.subarray(0, utf16Bytes).includes(0)) return undefined;
  const pairs = Math.min(bytes.length, utf16Bytes) >> 1;
  let [first, second, neither, ascii] = [0, 0, 0, 0];
  for (let i = 0; i < 2 * pairs; i += 2) {
    if (bytes[i] === 0) first++;
    if (bytes[i + 1] === 0) second++;
    if (bytes[i] === 0 || bytes[i + 1] === 0) continue;
    neither++;
    if (isPrintable(bytes[i]) && isPrintable(bytes[i + 1])) ascii++;
  }
  if (first + second < 4 || (isUtf8(bytes) && !isAscii(bytes))) return undefined;
  let label: "utf-16le" | "utf-16be" | undefined;
  if (bytes[0] === 0x3c && bytes[1] === 0) label = "utf-16le";
  else if (bytes[0] === 0 && bytes[1] === 0x3c) label = "utf-16be";
  else if (ascii * 2 > neither) return undefined;
  else if (second * 10 >= pairs && first * 10 <= second) label = "utf-16le";
  else if (first * 10 >= pairs && second * 10 <= first) label = "utf-16be";
  return label && isUtf16(label, bytes) ? label : undefined;
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}

/** Numbers of 16 bits have zeros, too; but taken for characters, many of them are controls, and others half a character. */
export function isUtf16(label: string, bytes: Uint8Array): boolean {
  const text = new TextDecoder(label).decode(bytes.subarray(0, Math.min(bytes.length, utf16Bytes) & ~1));
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x09 || (code > 0x0d && code < 0x20) || code === 0xfffd) odd++;
  }
  return odd * 50 <= text.length;
}

/** Seven bits a byte, and escape sequences to two bytes a character and back. */
export function hasJapaneseEscapes(bytes: Uint8Array, isSaid: boolean): boolean {
  if (!bytes.includes(0x1b)) return false;
  if (isSaid) return true;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return /\x1b\$[@B](?:[!-~]{2}|[\r\n]){1,1000}\x1b\([BJ]/.test(text);
}

/** What the bytes look like, judged by the parts of the page that are not ASCII. */
export function guessed(bytes: Uint8Array): string | undefined {
  const sample = sampleOf(bytes);
  if (sample.length === 0) return undefined;
  if (isThai(sample)) return "windows-874";
  if (isDosCyrillic(sample)) return "ibm866";
  const [best] = analyse(sample);
  const label = best && labelOf(best.name);
  return label === "utf-8" || label?.startsWith("utf-16") ? undefined : label;
}

/** How much likelier a second charset is than a first, in per cent of chardet's confidence. */
export function preference(bytes: Uint8Array, first: string, second: string): number {
  const sample = sampleOf(bytes);
  if (sample.length === 0) return 0;
  const shown = isThai(sample) ? "windows-874" : isDosCyrillic(sample) ? "ibm866" : undefined;
  const found = analyse(sample);
  const confidenceOf = (label: string) => {
    const family = familyOf(label);
    if (family === shown) return 100;
    const own = found.filter(({ name }) => familyOf(labelOf(name) ?? name) === family);
    return Math.max(0, ...own.map(({ confidence }) => (shown ? confidence / 2 : confidence)));
  };
  return confidenceOf(second) - confidenceOf(first);
}

/** Charsets that have the same letters, or nearly, in the same places; the windows ones have more around them. */
const families: Record<string, string> = {
  "iso-8859-1": "windows-1252",
  "iso-8859-15": "windows-1252",
  "iso-8859-2": "windows-1250",
  "iso-8859-4": "windows-1257",
  "iso-8859-13": "windows-1257",
  "iso-8859-7": "windows-1253",
  "iso-8859-8": "windows-1255",
  "iso-8859-8-i": "windows-1255",
  "koi8-u": "koi8-r",
  gb18030: "gbk",
};

export function familyOf(label: string): string {
  return families[label] ?? label;
}

function labelOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(limits.charsetSampleBytes);
  let length = 0;
  const around = 24;
  for (let i = 0; i < bytes.length && length < sample.length; i++) {
    if (bytes[i] < 0x80 && bytes[i] !== 0x1b) continue;
    // Letters around it too, but no markup: it looks like Western European to any statistics.
    let to = i;
    while (to < bytes.length && bytes[to] !== 0x3c && to < i + around) to++;
    let from = i;
    while (from > 0 && bytes[from - 1] !== 0x3e && from > i - around) from--;
    const piece = bytes.subarray(from, Math.min(to + 1, from + sample.length - length));
    sample.set(piece, length);
    length += piece.length;
    i = Math.max(i, to);
  }
  return sample.subarray(0, length);
}

/** Fewer bytes beyond ASCII say nothing of their order. */
const orderedMin = 20;

/** Vowels and tone marks above and below stand behind a consonant, and those written first stand before one. */
function isThai(sample: Uint8Array): boolean {
  let [high, marks, wrong, outside] = [0, 0, 0, 0];
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i];
    if (byte < 0x80) continue;
    high++;
    if (byte < 0xa1 || (byte > 0xda && byte < 0xdf) || byte > 0xfb) outside++;
    else if (isThaiMark(byte)) {
      marks++;
      // A piece of the sample may begin with one.
      if (i > 0 && !isThaiConsonant(sample[i - 1]) && !isThaiMark(sample[i - 1])) wrong++;
    } else if (byte >= 0xe0 && byte <= 0xe4) {
      marks++;
      if (i + 1 < sample.length && !isThaiConsonant(sample[i + 1])) wrong++;
    }
  }
  return high >= orderedMin && outside * 20 <= high && marks * 5 >= high && wrong * 12 <= marks;
}

function isThaiConsonant(byte: number): boolean {
  return byte >= 0xa1 && byte <= 0xce;
}

function isThaiMark(byte: number): boolean {
  return byte === 0xd1 || (byte >= 0xd4 && byte <= 0xda) || (byte >= 0xe7 && byte <= 0xee);
}

/** Half of its small letters lie where the other charsets of one byte have signs, and none where those have most letters. */
function isDosCyrillic(sample: Uint8Array): boolean {
  let [high, early, late, outside] = [0, 0, 0, 0];
  for (const byte of sample) {
    if (byte < 0x80) continue;
    high++;
    if (byte >= 0xa0 && byte <= 0xaf) early++;
    else if (byte >= 0xe0 && byte <= 0xf1) late++;
    else if (byte > 0xaf) outside++;
  }
  return high >= orderedMin && outside * 25 <= high && early * 3 >= high && late * 6 >= high;
}
