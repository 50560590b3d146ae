/**
 * The vertical stream in parts: lines up to the end of a sentence or of a document, as they are. A line that is a tag is
 * structure; any other is a token, whose first column is the word.
 */
import { type LineBatch, linesOf, type Reading } from "../stream/lines.js";
import { tagOf } from "../stream/tags.js";

/** Tags that no sentence goes beyond. Others stand inside of sentences. */
const sentenceEnds = new Set(["s", "p", "doc"]);

export function isStructure(line: string): boolean {
  return tagOf(line) !== null;
}

export function endsSentence(line: string): boolean {
  const tag = tagOf(line);
  return tag !== null && tag.kind !== "empty" && sentenceEnds.has(tag.name);
}

export function wordOfLine(line: string): string {
  const tab = line.indexOf("\t");
  return tab < 0 ? line : line.slice(0, tab);
}

export interface Part {
  lines: string[];
  source: string;
  /** The number of its first line. */
  from: number;
  documents: number;
}

/**
 * Parts of about `chars` characters, which end with a sentence; with `byDocument` at the end of each document too. A file ends a
 * part. Text without any tag is cut after ten times as much.
 */
export async function* partsOf(
  inputs: readonly string[],
  reading: Reading,
  { chars, byDocument = false }: { chars: number; byDocument?: boolean },
): AsyncGenerator<Part> {
  let part: Part | undefined;
  let size = 0;
  for await (const { lines, source, from } of linesOf(inputs, reading) as AsyncGenerator<LineBatch>) {
    if (part && part.source !== source) {
      yield part;
      part = undefined;
    }
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (!part) {
        part = { lines: [], source, from: from + i, documents: 0 };
        size = 0;
      }
      part.lines.push(line);
      size += line.length + 1;
      if (line.charCodeAt(0) !== 0x3c && size < 10 * chars) continue;
      const tag = tagOf(line);
      if (tag?.name === "doc" && tag.kind === "open") part.documents++;
      const isDocumentEnd = byDocument && tag?.name === "doc" && tag.kind === "close";
      const isSentenceEnd = tag?.kind === "close" && sentenceEnds.has(tag.name);
      if (isDocumentEnd || (size >= chars && isSentenceEnd) || size >= 10 * chars) {
        yield part;
        part = undefined;
      }
    }
  }
  if (part) yield part;
}
