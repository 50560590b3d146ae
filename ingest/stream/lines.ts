/**
 * Lines of text from files, directories and standard input, plain or compressed (storage/input says how they are
 * told apart). UTF-8, or UTF-16 where a byte order mark says so: what is not valid becomes U+FFFD and is counted. CRLF and the mark are passed over.
 *
 * Lines come in batches, as many as a chunk of input held: a generator that yields them one by one spends more time
 * on yielding than most steps do on the line.
 */
import type { Readable } from "node:stream";
import { findSources, readSource, type Source } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import { encodingOf, markBytes } from "./encoding.js";
import type { Warnings } from "./report.js";

export interface LineBatch {
  source: string;
  /** The number of the first of them, from 1. */
  from: number;
  lines: string[];
}

export interface Reading {
  warnings: Warnings;
  /** How many bytes of all inputs, as they lie on the disk, have been read. */
  onRead?: (bytes: number) => void;
  /** Instead of the process's own. */
  stdin?: Readable;
  signal?: AbortSignal;
  /** A CR that no LF follows ends a line too, as in text of old Macs. */
  endsAtReturns?: boolean;
}

/** All lines of all inputs. Inputs are paths, directories, or "-" for standard input. */
export async function* linesOf(inputs: readonly string[], reading: Reading): AsyncGenerator<LineBatch> {
  let before = 0;
  for (const source of findSources(inputs, reading.stdin)) {
    let read = 0;
    const onRead = (bytes: number) => {
      read = bytes;
      reading.onRead?.(before + bytes);
    };
    yield* linesOfSource(source, { ...reading, onRead });
    before += read;
  }
}

/** How much there is to read, as far as that is known: 0 for pipes. */
export function bytesOf(inputs: readonly string[]): number {
  return findSources(inputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function* linesOfSource(
  source: Source,
  { warnings, onRead, signal, endsAtReturns }: Reading,
): AsyncGenerator<LineBatch> {
  const { name } = source;
  let decoder: TextDecoder | undefined;
  const onIssue = ({ kind, message }: { kind: string; message: string }) =>
    warnings.add(kind, message, { source: name });
  let rest = "";
  let from = 1;
  const batch = (text: string, isLast: boolean): LineBatch | undefined => {
    let lines = text.split("\n");
    rest = lines.pop()!;
    if (endsAtReturns && text.includes("\r")) {
      const more = cutAtReturns(rest);
      rest = more.pop()!;
      lines = [...lines.flatMap(cutAtReturns), ...more];
    }
    if (isLast && rest !== "") {
      lines.push(rest);
      rest = "";
    } else if (rest.length > limits.lineCharsMax) {
      warnings.add("long_line", `a line of over ${limits.lineCharsMax} characters is cut`, {
        source: name,
        line: from + lines.length,
      });
      lines.push(rest);
      rest = "";
    }
    if (lines.length === 0) return undefined;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (line.charCodeAt(line.length - 1) === 0x0d) lines[i] = line.slice(0, -1);
      if (line.includes("\ufffd")) {
        const encoding = decoder?.encoding ?? "utf-8";
        const message = `a line has U+FFFD, or bytes that are not ${encoding.toUpperCase()} and became it`;
        warnings.add(encoding === "utf-8" ? "invalid_utf8" : "invalid_utf16", message, {
          source: name,
          line: from + i,
        });
      }
    }
    const found = { source: name, from, lines };
    from += lines.length;
    return found;
  };
  let start: Uint8Array = new Uint8Array(0);
  for await (const chunk of readSource(source, onIssue, onRead)) {
    signal?.throwIfAborted();
    let bytes = chunk;
    if (!decoder) {
      bytes = start = Buffer.concat([start, chunk]);
      if (start.length < markBytes) continue;
      decoder = new TextDecoder(encodingOf(start));
    }
    const found = batch(rest + decoder.decode(bytes, { stream: true }), false);
    if (found) yield found;
  }
  const last = decoder ? decoder.decode() : new TextDecoder().decode(start);
  const found = batch(rest + last, true);
  if (found) yield found;
}

/** Those at its end, which an LF may follow, stay with the last part. */
function cutAtReturns(line: string): string[] {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === 0x0d) end--;
  const parts = line.slice(0, end).split("\r");
  parts[parts.length - 1] += line.slice(end);
  return parts;
}
