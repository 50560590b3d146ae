/**
 * Which format a file has, told from its first bytes (decompressed); its name counts only where it says .html: pages are so
 * broken, or empty, that nothing in them shows what they are.
 *
 *   warc, wet   WARC/1.0 …; wet if records of type conversion come first
 *   arc         filedesc://… or a line "url address date type length"
 *   html        <!doctype html>, <html …, or tags of HTML where text starts
 *   tei         XML whose root is TEI, TEI.2 or teiCorpus
 *   conllu      lines of ten columns that begin with a number, or comments as CoNLL-U has them
 *   leipzig     lines of a number, a tab and a sentence, with rising numbers
 *   vertical    lines of a token each between tags: <s> or <g/>, or tabs in most lines
 *   stream      <doc …> or <p> and lines of text: the text stream
 *   text        whatever else is text
 *   none        what is not text
 */
import { DugongError } from "../../storage/errors.js";
import { encodingOf } from "../stream/encoding.js";
import { startsArcRecord, startsWarcRecord } from "../warc/headers.js";

export const formats = [
  "warc",
  "arc",
  "wet",
  "html",
  "text",
  "leipzig",
  "tei",
  "conllu",
  "vertical",
  "stream",
] as const;

export type Format = (typeof formats)[number];

/** Of these bytes, the first of a file. */
export function formatOf(sample: Uint8Array): Format | "none" {
  const start = skipWhite(sample);
  if (startsWarcRecord(sample.subarray(start))) return isWet(sample) ? "wet" : "warc";
  if (startsArcRecord(sample.subarray(start))) return "arc";
  const text = textOf(sample);
  if (text === undefined) return "none";
  return rootOf(text) ?? formatOfLines(text) ?? (isHtmlFragment(text) ? "html" : "text");
}

/** page.html, page.htm.gz */
export function isNamedPage(name: string): boolean {
  return /\.x?html?(\.(gz|zst))?$/i.test(name);
}

export function checkFormat(name: string): Format {
  const found = formats.find((format) => format === name);
  if (found) return found;
  throw new DugongError("bad_option", `no format "${name}"`, `There are auto, ${formats.join(", ")}.`);
}

function skipWhite(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x20) at++;
  return at;
}

/** The first record that is not about the file itself decides. */
function isWet(sample: Uint8Array): boolean {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.length).toString("latin1");
  for (const [, type] of text.matchAll(/^WARC-Type:[ \t]*(\w+)/gim))
    if (type.toLowerCase() !== "warcinfo") return type.toLowerCase() === "conversion";
  return false;
}

/** Undefined if it cannot be text: zeros and other control characters. UTF-16 shows by its mark. */
function textOf(sample: Uint8Array): string | undefined {
  const encoding = encodingOf(sample);
  if (encoding !== "utf-8") return new TextDecoder(encoding).decode(sample);
  let odd = 0;
  for (const byte of sample) {
    if (byte === 0) return undefined;
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) odd++;
  }
  return odd * 100 > sample.length ? undefined : new TextDecoder().decode(sample);
}

const prolog = /^\s*(?:<\?[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!doctype\s[^>[]*(?:\[[\s\S]*?\])?[^>]*>\s*)*/i;

/** What the first tag says. */
function rootOf(text: string): Format | undefined {
  if (/^\s*<!doctype\s+html/i.test(text)) return "html";
  const [skipped] = prolog.exec(text)!;
  const [, root = ""] = /^<([\w:.-]+)[\s/>]/.exec(text.slice(skipped.length, skipped.length + 128)) ?? [];
  if (/^(?:\w+:)?(?:TEI|TEI\.2|teiCorpus(?:\.2)?)$/.test(root)) return "tei";
  return /^(?:html|head|body)$/i.test(root) ? "html" : undefined;
}

const tagLine = /^<\/?[\p{L}_][^<>]*>$/u;

function formatOfLines(text: string): Format | undefined {
  const lines = text.split(/\r?\n/, 400).filter((line) => line.trim() !== "");
  // The last may be cut.
  if (lines.length > 1 && lines.length < 400 && !text.endsWith("\n")) lines.pop();
  const tags = lines.filter((line) => tagLine.test(line));
  const others = lines.filter((line) => !tagLine.test(line));
  if (others.length === 0) return tags.some((tag) => /^<(doc|p)[\s>]/.test(tag)) ? "stream" : undefined;
  if (tags.length === 0) {
    const words = others.filter((line) => !line.startsWith("#"));
    const columns = /^\d+(?:[-.]\d+)?\t/;
    const good = words.filter((line) => columns.test(line) && line.split("\t").length >= 8).length;
    // Some lines may be broken; whoever reads them counts them.
    const isCommented = /^#\s*(?:(?:global\.columns|sent_id|newdoc|newpar)\b|text\s*=)/.test(others[0]);
    if (good > 0 && good >= words.length * (isCommented ? 0.5 : 0.9)) return "conllu";
    if (isNumbered(others)) return "leipzig";
  }
  const first = lines[0];
  if (!tagLine.test(first)) {
    // Tokens may come before any tag.
    const isTokens = others.every((line) => line.includes("\t")) && others.length > 1;
    return isTokens || lines.includes("<g/>") ? "vertical" : undefined;
  }
  if (!tags.some((tag) => /^<(doc|text|p|s|corpus|file)[\s>]/.test(tag))) return undefined;
  if (tags.some((tag) => tag === "<g/>" || /^<s[\s>]/.test(tag))) return "vertical";
  const withTabs = others.filter((line) => line.includes("\t")).length;
  if (withTabs * 2 > others.length) return "vertical";
  return tags.some((tag) => /^<(doc|p)[\s>]/.test(tag)) ? "stream" : undefined;
}

/** "17 TAB sentence", and every line of a higher number than the one before. */
function isNumbered(lines: string[]): boolean {
  let last = -1;
  for (const line of lines) {
    const [, number] = /^(\d+)\t[^\t]+$/.exec(line) ?? [];
    if (number === undefined || Number(number) <= last) return false;
    last = Number(number);
  }
  return lines.length > 0;
}

/** Tags of HTML, and more than one. */
function isHtmlFragment(text: string): boolean {
  const tags = text.match(
    /<\/?(?:p|div|h[1-6]|table|tr|td|ul|ol|li|a|span|title|meta|script|br|img|article)(?:\s[^<>]*)?\/?>/gi,
  );
  return tags !== null && tags.length > 1;
}
