/** The encoding of a text, as far as its first bytes say: a byte order mark, or else UTF-8. */

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** Bytes that have to be there to tell. */
export const markBytes = 2;

export function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
