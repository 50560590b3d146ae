/**
 * Responses of HTTP as archives hold them: as they came over the wire, or nearly so.
 *
 *   response = "HTTP/" version SP status SP reason CRLF ( name ":" value CRLF )* CRLF body
 *   chunked  = ( hexadecimal length [ ";" … ] CRLF  bytes  CRLF )* "0" CRLF …
 *
 * Archives lie: crawlers took the chunks or the compression off and left the header that tells of them. So each encoding
 * is taken off if the body has it, and left if it does not. Chunks that go wrong on the way: what follows is taken as it is.
 * Compressed data that end too soon: what there is. Text under an encoding that nobody knows: the text. Both are told to who asks.
 * Data that are corrupt, or grow past the limit: no body.
 */
import zlib from "node:zlib";
import { Decompress } from "fzstd";
import { limits } from "../limits.js";
import { endOfFields, fieldsOf } from "./headers.js";

export interface Response {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** As it lies there; `bodyOf` takes its encodings off. */
  raw: Uint8Array;
}

/** Why there is no body. */
export interface NoBody {
  problem: "broken_encoding" | "unknown_encoding" | "large_page";
  message: string;
}

/** What is odd about a body that there is. */
export interface BodyOddity {
  problem: "cut_encoding" | "wrong_encoding";
  message: string;
}

/** Undefined if it is none: HTTP/0.9 had no headers, and DNS has no HTTP. */
export function responseOf(block: Uint8Array): Response | undefined {
  // HTTP, or with white space before it
  let from = 0;
  while (from < 8 && (block[from] === 0x0a || block[from] === 0x0d || block[from] === 0x20)) from++;
  if (latin1(block, from, from + 5) !== "HTTP/") return undefined;
  const end = endOfFields(block, from);
  const text = latin1(block, from, end < 0 ? block.length : end);
  const [, status] = /^HTTP\/\d+(?:\.\d+)?\s+(\d{3})(?!\d)/.exec(text) ?? [];
  if (status === undefined) return undefined;
  return {
    status: Number(status),
    headers: fieldsOf(text),
    raw: end < 0 ? block.subarray(block.length) : block.subarray(end),
  };
}

/** The body without its transfer and content encodings; `onOdd` hears, once for each encoding, what is odd about it. */
export function bodyOf(
  { headers, raw }: Response,
  onOdd: (oddity: BodyOddity) => void = () => {},
): Uint8Array | NoBody {
  let body = raw;
  if (/\bchunked\b/i.test(headers["transfer-encoding"] ?? "")) body = withoutChunks(body);
  const named = (headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (named.length > limits.contentEncodingsMax)
    return { problem: "broken_encoding", message: "a page has too many content encodings" };
  for (const name of named.reverse()) {
    const decoded = decode(name, body, onOdd);
    if (!(decoded instanceof Uint8Array)) return decoded;
    body = decoded;
  }
  if (body.length > limits.pageBytesMax) return large;
  return body;
}

const large: NoBody = {
  problem: "large_page",
  message: `a page of over ${limits.pageBytesMax} bytes is passed over`,
};

const cut: BodyOddity = {
  problem: "cut_encoding",
  message: "a page whose compressed data end too soon is read as far as they go",
};

const wrong: BodyOddity = {
  problem: "wrong_encoding",
  message: "a page that is text has a content encoding that it is not in, and is read as it is",
};

// ---- chunks

/** The body as it is if it does not start with a chunk. */
export function withoutChunks(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < body.length) {
    const chunk = chunkAt(body, at);
    if (!chunk) {
      parts.push(body.subarray(at));
      break;
    }
    if (chunk.length === 0) break;
    parts.push(body.subarray(chunk.from, chunk.from + chunk.length));
    at = chunk.from + chunk.length;
    // The line end behind the bytes, which some leave out.
    if (body[at] === 0x0d) at++;
    if (body[at] === 0x0a) at++;
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}

function chunkAt(body: Uint8Array, at: number): { from: number; length: number } | undefined {
  const end = body.indexOf(0x0a, at);
  if (end < 0 || end - at > 1024) return undefined;
  const [, digits] = /^\s*([0-9a-f]{1,8})\s*(?:;.*)?$/i.exec(latin1(body, at, end).trimEnd()) ?? [];
  return digits === undefined ? undefined : { from: end + 1, length: Number.parseInt(digits, 16) };
}

// ---- compression

function decode(name: string, body: Uint8Array, onOdd: (oddity: BodyOddity) => void): Uint8Array | NoBody {
  if (body.length === 0) return body;
  const maxOutputLength = limits.pageBytesMax;
  try {
    switch (name) {
      case "gzip":
      case "x-gzip":
        // Crawlers take it off and leave the header: that is not worth a word.
        if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
        return asFarAsItGoes(zlib.gunzipSync, body, { maxOutputLength }, zlib.constants.Z_SYNC_FLUSH, onOdd);
      case "deflate":
        return inflate(body, { maxOutputLength }, onOdd);
      case "br": {
        const flush = zlib.constants.BROTLI_OPERATION_FLUSH;
        return asFarAsItGoes(zlib.brotliDecompressSync, body, { maxOutputLength }, flush, onOdd);
      }
      case "zstd":
        return zstd(body, maxOutputLength);
      case "identity":
      case "none":
      case "utf-8":
      case "utf8":
      case "binary":
        return body;
      default:
        if (!looksLikeText(body))
          return { problem: "unknown_encoding", message: "a page has a content encoding that is not known" };
        onOdd(wrong);
        return body;
    }
  } catch (error) {
    if (isTooLarge(error)) return large;
    if (looksLikeText(body)) return body;
    return { problem: "broken_encoding", message: "a page whose compressed data are corrupt is left out" };
  }
}

/** All of it; of data that end too soon, what there is. */
function asFarAsItGoes<Options extends object>(
  undo: (body: Uint8Array, options: Options) => Uint8Array,
  body: Uint8Array,
  options: Options,
  finishFlush: number,
  onOdd: (oddity: BodyOddity) => void,
): Uint8Array {
  try {
    return undo(body, options);
  } catch (error) {
    if (!isCut(error)) throw error;
    const found = undo(body, { ...options, finishFlush });
    onOdd(cut);
    return found;
  }
}

/** zlib and brotli say the same of data that end too soon. */
function isCut(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
}

/** With the header of zlib, as it should be, or without. */
function inflate(
  body: Uint8Array,
  options: zlib.ZlibOptions,
  onOdd: (oddity: BodyOddity) => void,
): Uint8Array {
  const flush = zlib.constants.Z_SYNC_FLUSH;
  const hasHeader = (body[0] & 0x0f) === 8 && ((body[0] << 8) | body[1]) % 31 === 0;
  try {
    return asFarAsItGoes(hasHeader ? zlib.inflateSync : zlib.inflateRawSync, body, options, flush, onOdd);
  } catch (error) {
    if (!hasHeader || isTooLarge(error)) throw error;
    return asFarAsItGoes(zlib.inflateRawSync, body, options, flush, onOdd);
  }
}

function zstd(body: Uint8Array, bytesMax: number): Uint8Array {
  if (body[0] !== 0x28 || body[1] !== 0xb5) return body;
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((part) => {
    length += part.length;
    if (length > bytesMax) throw Object.assign(new Error("too large"), { code: "ERR_BUFFER_TOO_LARGE" });
    parts.push(part);
  });
  // It gives back at once all that a piece holds.
  const pieceBytes = 16 * 1024;
  for (let at = 0; at < body.length; at += pieceBytes)
    stream.push(body.subarray(at, at + pieceBytes), at + pieceBytes >= body.length);
  return Buffer.concat(parts);
}

function looksLikeText(body: Uint8Array): boolean {
  return !body.subarray(0, 1024).includes(0) && /[<\w]/.test(latin1(body, 0, 64)) && isMostlyPrintable(body);
}

function isMostlyPrintable(body: Uint8Array): boolean {
  const start = body.subarray(0, 1024);
  let odd = 0;
  for (const byte of start) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) odd++;
  return odd * 100 < start.length;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", from, to);
}
