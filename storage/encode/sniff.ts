/** Which structure is the document? Told from the beginning of the input, where nobody said it. */
import { closeSync, openSync, readSync } from "node:fs";
import { Readable } from "node:stream";
import { findSources, readSource, type Source } from "../input/sources.js";
import { parseTag } from "../input/tags.js";
import type { InputFormat } from "./config.js";

const usual = ["doc", "text", "document", "article"];
const sniffBytes = 1 << 20;

/** The sources that the inputs name, and how the text of the first begins. Nothing of it is lost. */
export async function openInputs(
  inputs: string[],
  stdin: Readable = process.stdin,
): Promise<{ sources: Source[]; beginning: Buffer }> {
  if (inputs[0] !== "-") {
    const sources = findSources(inputs, stdin);
    return { sources, beginning: sources.length > 0 ? await beginningOf(sources[0]) : Buffer.alloc(0) };
  }
  // What was read of standard input to look at it stands before the rest of it.
  const head: Buffer[] = [];
  let bytes = 0;
  const rest = stdin[Symbol.asyncIterator]();
  while (bytes < sniffBytes) {
    const next = await rest.next();
    if (next.done) break;
    head.push(next.value as Buffer);
    bytes += (next.value as Buffer).length;
  }
  const again = async function* () {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value as Buffer;
  };
  const sources = findSources(inputs, Readable.from(again(), { objectMode: false }));
  const [look] = findSources(["-"], Readable.from(head, { objectMode: false }));
  return { sources, beginning: await beginningOf(look) };
}

async function beginningOf(source: Source): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (source.compression === "none" && source.path !== null && source.bytes > 0)
      return startOf(source.path);
    for await (const chunk of readSource(source, () => {})) {
      parts.push(Uint8Array.prototype.slice.call(chunk));
      bytes += chunk.length;
      if (bytes >= sniffBytes) break;
    }
  } catch {
    // A broken file is met again, and told, when it is read in earnest.
  }
  return Buffer.concat(parts).subarray(0, sniffBytes);
}

function startOf(path: string): Buffer {
  const start = Buffer.alloc(sniffBytes);
  const file = openSync(path, "r");
  try {
    return start.subarray(0, readSync(file, start, 0, sniffBytes, 0));
  } finally {
    closeSync(file);
  }
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
