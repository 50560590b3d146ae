/** Which structure is the document? Told from the beginning of the input, where nobody said it. */
import { closeSync, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { findSources, isStream, lookInto, readSource, type Source } from "../input/sources.js";
import { parseTag } from "../input/tags.js";
import type { InputFormat } from "./config.js";

const usual = ["doc", "text", "document", "article"];
const sniffBytes = 1 << 20;

/**
 * The sources that the inputs name, and how their text begins: that of the first and, where it is short, of the files
 * after it. Nothing of it is lost. Streams after the first are not looked at: who writes them may be waiting.
 */
export async function openInputs(
  inputs: string[],
  stdin: Readable = process.stdin,
): Promise<{ sources: Source[]; beginning: Buffer }> {
  const sources = findSources(inputs, stdin);
  const parts: Buffer[] = [];
  let left = sniffBytes;
  for (const [i, source] of sources.entries()) {
    if (left <= 0) break;
    if (isStream(source) ? i > 0 : source.bytes === 0) continue;
    const part = withoutMark(await beginningOf(await lookOf(source), left));
    // A file ends its last line, whether it says so or not.
    parts.push(part, Buffer.from("\n"));
    left -= part.length + 1;
  }
  return { sources, beginning: Buffer.concat(parts) };
}

/** What can be read without taking it from who reads it in earnest. */
async function lookOf(source: Source): Promise<Source> {
  if (!isStream(source)) return source;
  const head = await lookInto(source, sniffBytes);
  const [look] = findSources(["-"], Readable.from(head, { objectMode: false }));
  return look;
}

async function beginningOf(source: Source, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (source.compression === "none" && source.path !== null) {
      return startOf(source.path, Math.min(bytesMax, source.bytes));
    }
    for await (const chunk of readSource(source, () => {})) {
      parts.push(Uint8Array.prototype.slice.call(chunk));
      bytes += chunk.length;
      if (bytes >= bytesMax) break;
    }
  } catch {
    // A broken file is met again, and told, when it is read in earnest.
  }
  return Buffer.concat(parts).subarray(0, bytesMax);
}

function startOf(path: string, bytes: number): Buffer {
  const start = Buffer.allocUnsafe(bytes);
  const file = openSync(path, "r");
  try {
    return start.subarray(0, readSync(file, start, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}

function withoutMark(text: Buffer): Buffer {
  return text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? text.subarray(3) : text;
}

/** The usual names if they are there; else the first structure that opens; null if none does. */
export function sniffDocument(beginning: Buffer, format: InputFormat): string | null {
  if (format === "conllu") return /^# ?newdoc\b/m.test(beginning.toString("latin1")) ? "doc" : null;
  const found: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; at >= 0 && at < beginning.length; ) {
    if (beginning[at] === 60) {
      let end = beginning.indexOf(10, at);
      if (end < 0) end = beginning.length;
      const line = beginning.toString("utf8", at, end).trimEnd();
      const tag = seen.has(line) ? null : parseTag(line, false);
      seen.add(line);
      if (tag?.kind === "open" && !found.includes(tag.name)) found.push(tag.name);
      if (found.at(-1) === usual[0]) break;
    }
    const next = beginning.indexOf("\n<", at);
    at = next < 0 ? -1 : next + 1;
  }
  return usual.find((name) => found.includes(name)) ?? found[0] ?? null;
}
