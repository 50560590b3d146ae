/**
 * From a page's bytes to its characters. Servers and authors are often wrong about how a page is encoded, so what they say is
 * checked against the bytes. In order:
 *
 *   1. a byte order mark decides;
 *   2. bytes that are valid UTF-8, and not plain ASCII, are UTF-8, whoever says otherwise: other encodings make them only by
 *      design;
 *   3. so are bytes with a few flaws among many valid sequences, if nobody says otherwise (or they say UTF-8);
 *   4. then the HTTP header, then the page's own <meta> or XML declaration, unless the bytes make no sense in it;
 *   5. then what the frequencies of bytes look like (chardet);
 *   6. then windows-1252.
 *
 * Names are those of the WHATWG, where latin1 and ASCII mean windows-1252, and a <meta> that says UTF-16 means UTF-8 (in UTF-16 it
 * could not have been read). Text that was encoded twice (UTF-8 read as windows-1252 and encoded again: "Ã©") is decoded twice.
 */
import { isAscii, isUtf8 } from "node:buffer";
import { detect } from "chardet";
import { limits } from "../limits.js";

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
  | "encoded_twice";

export function decodePage(bytes: Uint8Array, contentType?: string): Decoded {
  const odd: CharsetIssue[] = [];
  const mark = byteOrderMark(bytes);
  if (mark) {
    const text = decodeAs(mark, bytes);
    if (text.includes("\ufffd")) odd.push("invalid_bytes");
    return { text, charset: mark, from: "bom", odd };
  }
  const said = [
    { from: "header" as const, label: labelOf(headerCharset(contentType), odd) },
    { from: "page" as const, label: asciiBased(labelOf(pageCharset(bytes), odd)) },
  ].filter((one): one is { from: "header" | "page"; label: string } => one.label !== undefined);

  if (isUtf8(bytes)) {
    const escaped = said.find(({ label }) => label === "iso-2022-jp");
    if (escaped && bytes.includes(0x1b)) {
      return { text: decodeAs(escaped.label, bytes), charset: escaped.label, from: escaped.from, odd };
    }
    if (isAscii(bytes) && !said.some(({ label }) => label.startsWith("utf-16"))) {
      return { text: latin(bytes), charset: "utf-8", from: said[0]?.from ?? "bytes", odd };
    }
    if (!isAscii(bytes)) {
      const text = decodeAs("utf-8", bytes);
      if (said.length > 0 && said[0].label !== "utf-8") odd.push("charset_wrong");
      const once = decodedOnceMore(text);
      if (once !== undefined) odd.push("encoded_twice");
      return {
        text: once ?? text,
        charset: "utf-8",
        from: said[0]?.label === "utf-8" ? said[0].from : "bytes",
        odd,
      };
    }
  }
  if (said.every(({ label }) => label === "utf-8")) {
    const text = decodeAs("utf-8", bytes);
    const { bad, good } = validity(text);
    if (good >= 4 * bad) {
      odd.push("invalid_bytes");
      return { text, charset: "utf-8", from: said[0]?.from ?? "bytes", odd };
    }
  }
  for (const { from, label } of said) {
    if (label === "utf-8") continue;
    const text = decodeAs(label, bytes);
    const { bad, good } = validity(text);
    if (bad > 0 && good < 4 * bad) continue;
    if (bad > 0) odd.push("invalid_bytes");
    if (label !== said[0].label) odd.push("charset_wrong");
    return { text, charset: label, from, odd };
  }
  if (said.length > 0) odd.push("charset_wrong");
  const guess = guessed(bytes);
  odd.push("charset_guessed");
  const text = decodeAs(guess ?? "windows-1252", bytes);
  if (text.includes("\ufffd")) odd.push("invalid_bytes");
  return { text, charset: guess ?? "windows-1252", from: guess ? "bytes" : "nothing", odd };
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

/** What the bytes look like, judged by the parts of the page that are not ASCII. */
function guessed(bytes: Uint8Array): string | undefined {
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
  const found = length === 0 ? null : detect(sample.subarray(0, length));
  if (!found) return undefined;
  try {
    const { encoding } = new TextDecoder(found);
    return encoding === "utf-8" || encoding.startsWith("utf-16") ? undefined : encoding;
  } catch {
    return undefined;
  }
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
