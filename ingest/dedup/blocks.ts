/**
 * Inputs cut into blocks of bytes for threads: about as much text as limits.blockBytes, cut before the tag of a document, so
 * that no document lies in two. A document that is longer than limits.documentCharsMax is cut in two with the same tag.
 */
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { findSources, readSource, type Source } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import type { Reading } from "../stream/lines.js";

export interface Block {
  source: string;
  bytes: Uint8Array;
  /** Is it the first of its source? */
  isFirst: boolean;
  /** Lines that were put before it: the tag of a document that was cut. */
  inserted: number;
}

/** What can be read twice: pipes and standard input are copied into `folder`, as they come. */
export async function rereadable(inputs: readonly string[], folder: string): Promise<Source[]> {
  const sources: Source[] = [];
  for (const source of findSources(inputs)) {
    if (source.path !== null && (await stat(source.path)).isFile()) {
      sources.push(source);
      continue;
    }
    const path = join(folder, `input-${sources.length}`);
    await pipeline(
      readSource(source, () => {}),
      createWriteStream(path),
    );
    const { size: bytes } = await stat(path);
    sources.push({ ...source, path, bytes, compression: "none" });
  }
  return sources;
}

/** All blocks of all sources, in order. `document` is the name of the tag at which they may be cut. */
export async function* blocksOf(
  sources: readonly Source[],
  document: string,
  { warnings, onRead, signal }: Reading,
  blockBytes: number = limits.blockBytes,
  documentBytes: number = limits.documentCharsMax,
): AsyncGenerator<Block> {
  let before = 0;
  for (const source of sources) {
    const { name } = source;
    let read = 0;
    const chunks = readSource(
      source,
      ({ kind, message }) => warnings.add(kind, message, { source: name }),
      (bytes) => {
        read = bytes;
        onRead?.(before + bytes);
      },
    );
    let isFirst = true;
    let inserted = 0;
    const block = (bytes: Uint8Array): Block => {
      const found = { source: name, bytes, isFirst, inserted };
      isFirst = false;
      inserted = 0;
      return found;
    };
    let pending: Uint8Array[] = [];
    let length = 0;
    // Where nothing can be cut, the next look is after twice as much: time stays in proportion to the text.
    let enough = blockBytes;
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      pending.push(chunk);
      length += chunk.length;
      if (length < enough) continue;
      const text = Buffer.concat(pending);
      let cut = lastDocument(text, document);
      let rest: Uint8Array = text.subarray(cut);
      if (cut === 0 && length >= documentBytes) {
        const forced = cutInTwo(text, document);
        warnings.add("long_document", `a document of over ${documentBytes} bytes is cut in two`, {
          source: name,
        });
        yield block(forced.first);
        inserted = forced.inserted;
        rest = forced.rest;
        cut = -1;
      } else if (cut > 0) yield block(Uint8Array.prototype.slice.call(text, 0, cut));
      pending = [rest];
      length = rest.length;
      enough = cut === 0 ? Math.min(2 * length, Math.max(length + 1, documentBytes)) : blockBytes;
      if (cut !== 0 && length >= enough) enough = 2 * length;
    }
    if (length > 0) yield block(Uint8Array.prototype.slice.call(Buffer.concat(pending)));
    before += read;
  }
}

const newline = 0x0a;

/** Where the last document begins whose tag is here as a whole; 0 if that is the start, or nowhere. */
function lastDocument(text: Buffer, document: string): number {
  const tag = `\n<${document}`;
  for (let at = text.lastIndexOf(tag); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(tag, at - 1)) {
    if (isTag(text, at + 1, document)) return at + 1;
  }
  return 0;
}

/** Is the line that begins here the opening tag of a document? */
function isTag(text: Buffer, at: number, document: string): boolean {
  const after = text[at + 1 + Buffer.byteLength(document)];
  if (after !== 0x20 && after !== 0x09 && after !== 0x3e) return false;
  let end = text.indexOf(newline, at);
  if (end < 0) return false;
  while (text[end - 1] === 0x0d) end--;
  return text[end - 1] === 0x3e;
}

/** At the last line end; the document that is open there is closed, and opened again. */
function cutInTwo(text: Buffer, document: string) {
  let cut = text.lastIndexOf(newline) + 1;
  if (cut === 0) {
    cut = text.length;
    while (cut > 0 && (text[cut] & 0xc0) === 0x80) cut--;
  }
  const isOpen = isTag(text, 0, document) && text.lastIndexOf(`\n</${document}>`) < 0;
  if (!isOpen) {
    return { first: Uint8Array.prototype.slice.call(text, 0, cut), rest: text.subarray(cut), inserted: 0 };
  }
  const tag = text.subarray(0, text.indexOf(newline) + 1);
  return {
    first: new Uint8Array(Buffer.concat([text.subarray(0, cut), Buffer.from(`</${document}>\n`)])),
    rest: Buffer.concat([tag, text.subarray(cut)]),
    inserted: 1,
  };
}
