/** Inputs, opened so far that their format is known; standard input and pipes are read once all the same. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { engineBytes } from "../../storage/input/engine.js";
import { findSources, type Source } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import { type LineBatch, linesOf, type Reading } from "../stream/lines.js";
import { Warnings } from "../stream/report.js";
import { type OpenSource, piecesOf } from "../warc/members.js";
import { type Format, formatOf, isNamedPage } from "./formats.js";

export interface Input extends OpenSource {
  format: Format | "none";
}

/** One after the other; `reading.onRead` is told of the bytes of all together. */
export async function* openInputs(
  inputs: readonly string[],
  reading: Reading,
  format?: Format,
): AsyncGenerator<{ input: Input; reading: Reading }> {
  let before = 0;
  for (const found of findSources(inputs, reading.stdin)) {
    reading.signal?.throwIfAborted();
    const isFile = found.path !== null && found.compression !== "unknown";
    const open = isFile ? { source: found } : await openPipe(found, reading.stdin);
    const told = format ?? formatOf(await sampleOf(open));
    const isArchive = told === "warc" || told === "arc" || told === "wet";
    const isPage = format === undefined && !isArchive && isNamedPage(found.name);
    const input = { ...open, format: isPage ? "html" : told };
    let read = 0;
    const onRead = (bytes: number) => {
      read = bytes;
      reading.onRead?.(before + bytes);
    };
    yield { input, reading: { ...reading, onRead } };
    before += read;
  }
}

/** The lines of an input, as ingest/stream/lines.ts gives them. */
export function linesOfInput({ source, stream }: Input, reading: Reading): AsyncGenerator<LineBatch> {
  return linesOf([stream ? "-" : source.name], { ...reading, stdin: stream });
}

type PipedSource = OpenSource & { start: Uint8Array };

async function openPipe(found: Source, stdin: Readable | undefined): Promise<PipedSource> {
  const stream = found.path === null ? (stdin ?? process.stdin) : createReadStream(found.path);
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < engineBytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const start = Buffer.concat(parts);
  async function* again(): AsyncGenerator<Uint8Array> {
    if (start.length > 0) yield start;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const replayed = Readable.from(again(), { objectMode: false, highWaterMark: engineBytes });
  const [source] = findSources(["-"], replayed);
  // The same object: streams are known by it.
  Object.assign(source, { name: found.name, compression: compressionOf(start) });
  return { source, stream: replayed, start };
}

function compressionOf([first, second]: Uint8Array): Source["compression"] {
  if (first === 0x1f && second === 0x8b) return "gzip";
  return (first === 0x28 && second === 0xb5) || (first >> 4 === 5 && second === 0x2a) ? "zstd" : "none";
}

/** The first bytes of what the source holds. What is wrong with it is told when it is read. */
async function sampleOf(open: OpenSource | PipedSource): Promise<Uint8Array> {
  const quiet: Reading = { warnings: new Warnings() };
  const parts: Uint8Array[] = [];
  let length = 0;
  const from: OpenSource = "start" in open ? samplePipe(open) : open;
  for await (const { bytes } of piecesOf(from, quiet)) {
    parts.push(bytes);
    length += bytes.length;
    if (length >= limits.sampleBytes) break;
  }
  return Buffer.concat(parts).subarray(0, limits.sampleBytes);
}

function samplePipe({ source, start }: PipedSource): OpenSource {
  const stream = Readable.from([start], { objectMode: false });
  const [own] = findSources(["-"], stream);
  own.compression = source.compression;
  return { source: own, stream };
}
