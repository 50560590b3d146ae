/**
 * Raw bytes of a piece of a file become valid UTF-8 vertical text: byte order mark, encoding, invalid bytes,
 * CoNLL-U, entities. Most need none of it but to be looked at (slices.ts).
 */
import { isUtf8 } from "node:buffer";
import { ConlluConverter, tokenMark } from "../input/conllu.js";
import { decodeEntities, isComment, parseTag } from "../input/tags.js";
import { limits } from "../limits.js";
import type { ReadingConfig } from "./config.js";
import type { WarningCollector, WarningKind } from "./warnings.js";

export interface PieceText {
  bytes: Uint8Array;
  /** Lines of the text correspond to lines of the file. */
  linesKept: boolean;
  /** Newlines in the piece as it was in the file. */
  lines: number;
}

const newline = 10;
const carriageReturn = 13;
const ampersand = 38;
const less = 60;
const replacement = Buffer.from("\ufffd");

/** Does the text of pieces have to be made, from all of a piece? */
export function isConverted({ encoding, format, entities }: ReadingConfig): boolean {
  return encoding !== "utf-8" || format === "conllu" || entities;
}

/** The beginning of a file without its byte order mark. */
export function withoutMark(bytes: Uint8Array, piece: number, warnings: WarningCollector): Uint8Array {
  if (bytes[0] !== 0xef || bytes[1] !== 0xbb || bytes[2] !== 0xbf) return bytes;
  warnings.add("byte_order_mark", 1, () => ({ piece, line: 0 }));
  return bytes.subarray(3);
}

/** The text of a piece that has to be converted. */
export function pieceText(
  raw: Uint8Array,
  piece: { index: number; startsFile: boolean; endsFile: boolean; endsDocument: boolean },
  config: ReadingConfig,
  warnings: WarningCollector,
): PieceText {
  let bytes = piece.startsFile ? withoutMark(raw, piece.index, warnings) : raw;
  if (config.encoding !== "utf-8") bytes = decoded(bytes, config.encoding, piece.index, warnings);
  else if (!isUtf8(bytes)) bytes = repairUtf8(bytes, piece.index, 0, warnings);
  const lines = countNewlines(bytes);
  if (piece.endsFile && bytes.length > 0 && bytes[bytes.length - 1] !== newline) {
    warnings.add("no_final_newline", 1, () => ({ piece: piece.index, line: lines }));
  }
  if (config.format === "conllu") return convert(bytes, piece, config, warnings, lines);
  if (config.entities) bytes = decodeTokens(markTokens(bytes), piece.index, warnings);
  return { bytes, linesKept: true, lines };
}

/** Text of another encoding as UTF-8. What is no text in it becomes U+FFFD, which hardly ever stands there itself. */
function decoded(bytes: Uint8Array, encoding: string, piece: number, warnings: WarningCollector): Uint8Array {
  const text = Buffer.from(new TextDecoder(encoding).decode(bytes));
  let at = text.indexOf(replacement);
  if (at < 0 || isText(bytes, encoding)) return text;
  let line = 0;
  for (let lineStart = 0; at >= 0; ) {
    for (
      let end = text.indexOf(newline, lineStart);
      end >= 0 && end < at;
      end = text.indexOf(newline, end + 1)
    ) {
      line++;
      lineStart = end + 1;
    }
    let lineEnd = text.indexOf(newline, at);
    if (lineEnd < 0) lineEnd = text.length;
    const place = { piece, line };
    warnings.add("invalid_utf8", countReplacements(text.subarray(at, lineEnd)), () => place);
    at = text.indexOf(replacement, lineEnd);
  }
  return text;
}

function isText(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Where a line begins that is longer than a line may be. */
export function longLine(bytes: Uint8Array): number | undefined {
  for (let at = 0; bytes.length - at > limits.lineBytesMax; ) {
    const end = bytes.lastIndexOf(newline, at + limits.lineBytesMax);
    if (end < at) return at;
    at = end + 1;
  }
  return undefined;
}

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

/** Replaces what is not UTF-8, line by line, so that each place can be told; `line` is the number of the first. */
export function repairUtf8(
  bytes: Uint8Array,
  piece: number,
  line: number,
  warnings: WarningCollector,
): Uint8Array {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: Uint8Array[] = [];
  let good = 0;
  for (let start = 0; start < bytes.length; line++) {
    let end = bytes.indexOf(newline, start);
    if (end < 0) end = bytes.length;
    const part = bytes.subarray(start, end);
    if (!isUtf8(part)) {
      const text = decoder.decode(part);
      // U+FFFD in the file itself is three valid bytes: count only what the decoder put in.
      const before = countReplacements(part);
      warnings.add("invalid_utf8", Math.max(1, text.split("\ufffd").length - 1 - before), () => ({
        piece,
        line,
      }));
      parts.push(bytes.subarray(good, start), Buffer.from(text));
      good = end;
    }
    start = end + 1;
  }
  parts.push(bytes.subarray(good));
  return Buffer.concat(parts);
}

function countReplacements(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] === 0xef && bytes[i + 1] === 0xbf && bytes[i + 2] === 0xbd) count++;
  }
  return count;
}

function convert(
  bytes: Uint8Array,
  piece: { index: number; endsFile: boolean; endsDocument: boolean },
  config: ReadingConfig,
  warnings: WarningCollector,
  lines: number,
): PieceText {
  const converter = new ConlluConverter({ columns: config.columns, skipComments: config.skipComments });
  const converted = converter.convert(bytes, piece.endsFile || piece.endsDocument);
  for (const issue of converted.issues) {
    const known: WarningKind = issue.kind === "crlf" ? "carriage_return" : issue.kind;
    const [first, ...others] = issue.lines;
    warnings.add(known, issue.count, () => ({ piece: piece.index, line: first }));
    for (const line of others) warnings.addPlace(known, { piece: piece.index, line });
  }
  return { bytes: converted.vertical.subarray(0, converted.length), linesKept: false, lines };
}

/** Lines that begin with the byte that marks tokens are tokens that begin with it: marks them. */
function markTokens(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let good = 0;
  for (let at = bytes.indexOf(tokenMark); at >= 0; at = bytes.indexOf(tokenMark, at + 1)) {
    if (at > 0 && bytes[at - 1] !== newline) continue;
    parts.push(bytes.subarray(good, at), Uint8Array.of(tokenMark));
    good = at;
  }
  return good === 0 && parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(good)]);
}

/** Decodes entities in token lines; what would then look like a tag is marked as a token. */
function decodeTokens(bytes: Uint8Array, piece: number, warnings: WarningCollector): Uint8Array {
  // A line is counted only where there is something to tell of it.
  let lines = 0;
  let counted = 0;
  const place = () => {
    for (
      let end = bytes.indexOf(newline, counted);
      end >= 0 && end < at;
      end = bytes.indexOf(newline, counted)
    ) {
      lines++;
      counted = end + 1;
    }
    return { piece, line: lines };
  };
  const numeric = (char: string | null) => {
    if (char === null) {
      warnings.add("entity_of_nothing", 1, place);
      return "\ufffd";
    }
    // A tab or line break would change the columns.
    if (char !== "\t" && char !== "\n" && char !== "\r") return char;
    warnings.add("entity_of_break", 1, place);
    return " ";
  };
  const parts: Uint8Array[] = [];
  let good = 0;
  let at = bytes.indexOf(ampersand);
  while (at >= 0) {
    const start = bytes.lastIndexOf(newline, at) + 1;
    let end = bytes.indexOf(newline, at);
    if (end < 0) end = bytes.length;
    if (end > start && bytes[end - 1] === carriageReturn) end--;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
    if (bytes[start] !== less || (parseTag(line, false) === null && !isComment(line))) {
      const decoded = decodeEntities(line, numeric);
      const mark =
        decoded.startsWith("<") || (decoded.charCodeAt(0) === tokenMark && line.charCodeAt(0) !== tokenMark)
          ? String.fromCharCode(tokenMark)
          : "";
      parts.push(bytes.subarray(good, start), Buffer.from(mark + decoded));
      good = end;
    }
    at = bytes.indexOf(ampersand, end);
  }
  parts.push(bytes.subarray(good));
  return Buffer.concat(parts);
}
