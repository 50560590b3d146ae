/** From the bytes of a response to the text of its page: content encodings undone, within limits, and the charset found. */
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

export const acceptedEncodings = "gzip, deflate, br";

export type Decoded = { bytes: Uint8Array; failure?: undefined } | { failure: "too_large" | "bad_encoding" };

/** A body that was cut off is decoded as far as it goes. */
export function decodeContent(body: Uint8Array, contentEncoding: string, bytesMax: number): Decoded {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  let bytes = body;
  try {
    for (const coding of codings.reverse()) bytes = undo(coding, bytes, bytesMax);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { failure: code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "bad_encoding" };
  }
  return { bytes };
}

function undo(coding: string, bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(bytes, options);
    case "deflate":
      // Meant is zlib's format; some send the bare one.
      return (bytes[0] & 0x0f) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0
        ? inflateSync(bytes, options)
        : inflateRawSync(bytes, options);
    case "br":
      return brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new Error(`unknown content encoding ${coding}`);
  }
}

const sniffedBytes = 2048;

/**
 * By a byte order mark, else the response's charset, else the page's own; without any, or with one that nobody knows,
 * UTF-8 if it is that, and windows-1252 if not.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = markOf(bytes) ?? charsetIn(contentType) ?? declaredIn(bytes);
  if (label !== undefined) {
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {}
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return undefined;
}

function charsetIn(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
}

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffedBytes)).toString(
    "latin1",
  );
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // It could be read: it cannot be what it says.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}
