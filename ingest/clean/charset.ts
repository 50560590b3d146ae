/**
 * From a page's bytes to its characters. Servers and authors are often wrong about how a page is encoded, so what they say is
 * checked against the bytes. In order:
 *
 *   1. a byte order mark decides; so do the zeros of UTF-16 without one, and the escape sequences of ISO-2022-JP;
 *   2. bytes that are valid UTF-8, and not plain ASCII, are UTF-8, whoever says otherwise: other encodings make them only by
 *      design;
 *   3. so are bytes with a few flaws among many valid sequences, if nobody says otherwise (or somebody says UTF-8); where there are
 *      many flaws, too, pieces of two encodings were put together: the valid sequences are UTF-8, and every other byte is
 *      windows-1252, or the charset of one byte that is said;
 *   4. then the HTTP header, then the page's own <meta> or XML declaration, unless the bytes make no sense in it. If both
 *      make sense, and what they say differs, the frequencies of letters decide; where they do not, the header does, but for latin1,
 *      which servers say without looking;
 *   5. then what the bytes look like (guess.ts);
 *   6. then windows-1252.
 *
 * Names are those of the WHATWG, where latin1 and ASCII mean windows-1252, and a <meta> that says UTF-16 means UTF-8 (in UTF-16 it
 * could not have been read). Text that was encoded twice (UTF-8 read as windows-1252 and encoded again: "Ã©") is decoded twice.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { limits } from "../limits.js";
import { familyOf, guessed, hasJapaneseEscapes, preference, utf16Of } from "./guess.js";

export interface Decoded {
  text: string;
  /** The WHATWG's name of what it was decoded from. */
  charset: string;
  /** How it was found out. */
  from: "bom" | "header" | "page" | "bytes" | "nothing";
  /** What was odd: names of warnings. */
  odd: CharsetIssue[];
}

export type CharsetIssue =
  | "charset_wrong"
  | "charset_unknown"
  | "charset_guessed"
  | "invalid_bytes"
  | "mixed_charsets"
  | "encoded_twice";

export function decodePage(bytes: Uint8Array, contentType?: string): Decoded {
  const odd: CharsetIssue[] = [];
  const mark = byteOrderMark(bytes);
  if (mark) {
    const text = decodeAs(mark, bytes);
    if (text.includes("\ufffd")) odd.push("invalid_bytes");
    return { text, charset: mark, from: "bom", odd };
  }
  const utf16 = utf16Of(bytes);
  const said = [
    { from: "header" as const, label: labelOf(headerCharset(contentType), odd) },
    { from: "page" as const, label: asciiBased(labelOf(pageCharset(bytes), odd)) },
  ].filter((one): one is Said => one.label !== undefined);
  const as = (label: string): Decoded => {
    const sayer = said.find((one) => one.label === label);
    if (said.length > 0 && said[0].label !== label) odd.push("charset_wrong");
    return { text: decodeAs(label, bytes), charset: label, from: sayer?.from ?? "bytes", odd };
  };

  if (utf16) return as(utf16);
  if (isAscii(bytes) && !(bytes.includes(0) && said.some(({ label }) => label.startsWith("utf-16")))) {
    if (
      hasJapaneseEscapes(
        bytes,
        said.some(({ label }) => label === "iso-2022-jp"),
      )
    )
      return as("iso-2022-jp");
    return { text: latin(bytes), charset: "utf-8", from: said[0]?.from ?? "bytes", odd };
  }
  if (isUtf8(bytes) && !isAscii(bytes)) {
    const read = as("utf-8");
    const once = decodedOnceMore(read.text);
    if (once !== undefined) odd.push("encoded_twice");
    return { ...read, text: once ?? read.text };
  }
  return flawedUtf8(bytes, said, odd) ?? saidOrGuessed(bytes, said, odd);
}

interface Said {
  from: "header" | "page";
  label: string;
}

/** UTF-8 but for some bytes, if it is that. */
function flawedUtf8(bytes: Uint8Array, said: readonly Said[], odd: CharsetIssue[]): Decoded | undefined {
  const text = decodeAs("utf-8", bytes);
  const { bad, good } = validity(text);
  const isSaid = said.some(({ label }) => label === "utf-8");
  const other = said.find(({ label }) => label !== "utf-8")?.label;
  const from = said.find(({ label }) => label === "utf-8")?.from ?? "bytes";
  const fewFlaws = good >= 4 * bad;
  // In text of other encodings, valid sequences are at most an eighth of the others.
  const isMixed = good >= (isSaid ? 1 : validMin) && 2 * good >= bad;
  if (isSaid || said.length === 0 ? !fewFlaws && !isMixed : !isMixed) return undefined;
  const isOneByte = other === undefined || oneByte.test(other);
  if (!fewFlaws && !isOneByte) return undefined;
  if (said.length > 0 && said[0].label !== "utf-8") odd.push("charset_wrong");
  if (fewFlaws && (isSaid || said.length === 0 || !isOneByte)) {
    odd.push("invalid_bytes");
    return { text, charset: "utf-8", from, odd };
  }
  odd.push("mixed_charsets");
  return { text: mixed(bytes, other ?? "windows-1252"), charset: "utf-8", from, odd };
}

/** Valid sequences that are no accident where nobody says UTF-8. */
const validMin = 3;
const oneByte = /^(?:windows-\d+|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;

/** What is said and makes sense; else what the bytes look like. */
function saidOrGuessed(bytes: Uint8Array, said: readonly Said[], odd: CharsetIssue[]): Decoded {
  const sensible: { one: Said; text: string; bad: number }[] = [];
  for (const one of said) {
    // No page is in UTF-16 without a zero: its markup has some.
    if (one.label === "utf-8" || (one.label.startsWith("utf-16") && !bytes.includes(0))) continue;
    const text = decodeAs(one.label, bytes);
    const { bad, good } = validity(text);
    if (bad === 0 || good >= 4 * bad) sensible.push({ one, text, bad });
  }
  const [first, second] = sensible;
  if (first) {
    const { one, text, bad } = second && isBetter(second.one, first.one, bytes) ? second : first;
    if (bad > 0) odd.push("invalid_bytes");
    if (one.label !== said[0].label) odd.push("charset_wrong");
    return { text, charset: one.label, from: one.from, odd };
  }
  if (said.length > 0) odd.push("charset_wrong");
  const guess = guessed(bytes);
  odd.push("charset_guessed");
  const text = decodeAs(guess ?? "windows-1252", bytes);
  if (text.includes("\ufffd")) odd.push("invalid_bytes");
  return { text, charset: guess ?? "windows-1252", from: guess ? "bytes" : "nothing", odd };
}

/** Per cent of confidence that make one of two charsets clearly the likelier. */
const preferenceMin = 12;

/** Is what the page says better than what the header says? Both make sense. */
function isBetter(page: Said, header: Said, bytes: Uint8Array): boolean {
  if (page.label === header.label) return false;
  if (familyOf(page.label) === familyOf(header.label)) {
    // ISO 8859 has controls where the windows charsets have quotes and dashes: nobody writes those.
    const isWider = (label: string) => label.startsWith("windows-");
    if (isWider(page.label) === isWider(header.label)) return false;
    return isWider(page.label) === bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);
  }
  const percent = preference(bytes, header.label, page.label);
  if (Math.abs(percent) >= preferenceMin) return percent > 0;
  return header.label === "windows-1252";
}

/** Valid sequences as UTF-8, all other bytes beyond ASCII as a charset of one byte. */
function mixed(bytes: Uint8Array, label: string): string {
  const upper = Array.from({ length: 128 }, (_, i) => decodeAs(label, Uint8Array.of(0x80 + i)));
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  let from = 0;
  for (let i = 0; i < bytes.length; ) {
    const length = bytes[i] < 0x80 ? 1 : sequenceAt(bytes, i);
    if (length === 0) {
      text += buffer.toString("utf8", from, i) + upper[bytes[i] - 0x80];
      from = i + 1;
    }
    i += Math.max(1, length);
  }
  return text + buffer.toString("utf8", from);
}

/** How long the valid sequence of UTF-8 is that begins there; 0 if none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at];
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function headerCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? "")?.[1];
}

/** What the page says of itself near its start, as far as it can be read without knowing how it is encoded. */
function pageCharset(bytes: Uint8Array): string | undefined {
  const start = latin(bytes.subarray(0, limits.charsetDeclarationBytes));
  const meta = /<meta\s[^>]{0,400}?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return meta ?? /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1];
}

/** The WHATWG's name for a label; unknown ones are counted and mean nothing. */
function labelOf(name: string | undefined, odd: CharsetIssue[]): string | undefined {
  if (name === undefined) return undefined;
  const label = name.trim().toLowerCase();
  // Names that people use and the WHATWG does not know.
  const known = /^utf-?8(?:mb4|n)?$/.test(label)
    ? "utf-8"
    : label.replace(/^(?:x-)?(iso)-?8859[_-]/, "$1-8859-").replace(/^(cp|win)-?(125\d)$/, "windows-$2");
  try {
    const { encoding } = new TextDecoder(known);
    if (encoding !== "replacement") return encoding;
  } catch {}
  if (!odd.includes("charset_unknown")) odd.push("charset_unknown");
  return undefined;
}

/** A declaration that could be read byte by byte is not in UTF-16. */
function asciiBased(label: string | undefined): string | undefined {
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

export function decodeAs(label: string, bytes: Uint8Array): string {
  // Some versions of Node decode windows-1252 as if it were ISO 8859-1.
  if (label === "windows-1252")
    return latin(bytes).replace(/[\x80-\x9f]/g, (char) => upper1252[char.charCodeAt(0) - 0x80]);
  return new TextDecoder(label).decode(bytes);
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

const upper1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** How many characters came out wrong, and how many beyond ASCII came out right. */
function validity(text: string): { bad: number; good: number } {
  let bad = 0;
  let good = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) bad++;
    else if (code > 0x7f) good++;
  }
  return { bad, good };
}

const marksOfTwice = /[ÂÃ][\u0080-\u00bf]|â€[\u0080-\u00bf™œ˜“”¦]/g;

/** The text that was encoded, if what was encoded is UTF-8 that somebody took for windows-1252. */
function decodedOnceMore(text: string): string | undefined {
  if (!text.includes("Ã") && !text.includes("â€") && !text.includes("Â")) return undefined;
  if ((text.match(marksOfTwice)?.length ?? 0) < 3) return undefined;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x100) bytes[i] = code;
    else {
      const at = upper1252.indexOf(text[i]);
      if (at < 0) return undefined;
      bytes[i] = 0x80 + at;
    }
  }
  return isUtf8(bytes) ? decodeAs("utf-8", bytes) : undefined;
}
