/**
 * Sources: the files (or standard input) that text comes from, plain or compressed.
 *
 * A directory stands for the files in it and below it, in the order of their paths; hidden ones (with a
 * leading dot) are passed over. Whether a file is compressed is told from its first bytes, never its name:
 *
 *   1f 8b                         gzip, of any number of members
 *   28 b5 2f fd  or  5x 2a 4d 18  Zstandard, of any number of frames
 *
 * Reading goes in chunks of about a megabyte, of which none is held longer than the consumer holds it.
 */

import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { DugongError } from "../errors.js";
import { engineBytes } from "./engine.js";
import { ByteFeed } from "./feed.js";
import { readGzip } from "./gzip.js";
import { readZstd, startsZstdFrame } from "./zstd.js";

export type Compression = "none" | "gzip" | "zstd" | "unknown";

export interface Source {
  /** The path as given (of a directory's files: below the path as given), or "<stdin>". */
  name: string;
  /** The absolute path; null for standard input. */
  path: string | null;
  /** As it lies on the disk; 0 for standard input and pipes. */
  bytes: number;
  mtimeMs: number;
  /** Unknown for standard input and pipes, until they are read. */
  compression: Compression;
}

export interface SourceIssue {
  kind: "truncated_compression" | "trailing_garbage";
  message: string;
}

const magicBytes = 4;
/** What sources are read from that have a stream of their own: given, or looked at already. */
const streams = new WeakMap<Source, Readable>();

/**
 * The sources that the inputs name, in order: files, directories, and "-" for standard input, at most once.
 * Throws input_not_found if one does not exist or is a directory without files.
 */
export function findSources(inputs: readonly string[], stdin?: Readable): Source[] {
  const sources: Source[] = [];
  let stdinNamed = false;
  for (const input of inputs) {
    if (input === "-") {
      if (stdinNamed) {
        throw new DugongError("input_repeated", 'standard input ("-") is named twice', 'Name "-" once.');
      }
      stdinNamed = true;
      const source: Source = { name: "<stdin>", path: null, bytes: 0, mtimeMs: 0, compression: "unknown" };
      if (stdin) streams.set(source, stdin);
      sources.push(source);
      continue;
    }
    const stats = statsOf(input);
    if (!stats.isDirectory()) {
      sources.push(sourceOf(input, stats));
      continue;
    }
    const found = filesBelow(input);
    if (found.length === 0) {
      throw new DugongError(
        "input_not_found",
        `no files in the directory ${input}`,
        "Hidden files (with a leading dot) are passed over; name them one by one to read them.",
      );
    }
    for (const path of found) sources.push(sourceOf(path, statsOf(path)));
  }
  return sources;
}

/** The regular files below a directory, sorted by code units. */
function filesBelow(directory: string): string[] {
  const files: string[] = [];
  const walk = (folder: string, above: readonly string[]) => {
    const real = reading(folder, () => realpathSync(folder));
    if (above.includes(real)) return; // a link to a folder that it lies in
    for (const entry of reading(folder, () => readdirSync(folder))) {
      if (entry.startsWith(".")) continue;
      const path = folder.endsWith("/") ? folder + entry : `${folder}/${entry}`;
      const stats = statsOf(path);
      if (stats.isDirectory()) walk(path, [...above, real]);
      else if (stats.isFile()) files.push(path);
    }
  };
  walk(directory, []);
  return files.sort();
}

function statsOf(path: string): Stats {
  return reading(path, () => statSync(path));
}

function sourceOf(name: string, stats: Stats): Source {
  const regular = stats.isFile();
  return {
    name,
    path: resolve(name),
    bytes: regular ? stats.size : 0,
    mtimeMs: stats.mtimeMs,
    compression: regular ? reading(name, () => compressionOf(firstBytes(name))) : "unknown",
  };
}

function firstBytes(path: string): Uint8Array {
  const bytes = new Uint8Array(magicBytes);
  const descriptor = openSync(path, "r");
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, magicBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

function compressionOf(start: Uint8Array): Compression {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  return startsZstdFrame(start) ? "zstd" : "none";
}

/** Does something with a file and says in our words what went wrong. */
function reading<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw inOurWords(name, error);
  }
}

function inOurWords(name: string, error: unknown): unknown {
  if (error instanceof DugongError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") {
    const target = targetOf(name);
    if (target !== undefined)
      return new DugongError(
        "input_not_found",
        `${name} is a link to ${target}, which is not there`,
        "Bring back what it leads to, or remove the link.",
      );
    return new DugongError("input_not_found", `no file ${name}`, 'Check the path; "-" is standard input.');
  }
  if (syscall === undefined) return error;
  const hint = code === "EACCES" ? "Check who may read it." : undefined;
  return new DugongError("input_unreadable", `cannot read ${name}: ${error.message}`, hint);
}

function targetOf(name: string): string | undefined {
  try {
    return readlinkSync(name);
  } catch {
    return undefined;
  }
}

/** Standard input, a pipe or a device: its bytes come once, and nobody knows how many there are. */
export function isStream({ compression }: Source): boolean {
  return compression === "unknown";
}

/**
 * How the bytes of a stream begin, as they lie there: as many chunks as make `bytesMin`, if there are so many. Nothing
 * of it is lost: readSource gives them again, and then the rest.
 */
export async function lookInto(source: Source, bytesMin: number): Promise<Uint8Array[]> {
  const input = openStream(source);
  const rest: AsyncIterator<Uint8Array> = input[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  try {
    for (let bytes = 0; bytes < bytesMin; ) {
      const { value, done } = await rest.next();
      if (done) break;
      head.push(value);
      bytes += value.length;
    }
  } catch (error) {
    throw inOurWords(source.name, error);
  }
  const again = async function* () {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  };
  const whole = Readable.from(again(), { objectMode: false });
  whole.once("close", () => input.destroy());
  streams.set(source, whole);
  return head;
}

function openStream(source: Source): Readable {
  const own = streams.get(source);
  if (own) return own;
  return source.path === null ? process.stdin : createReadStream(source.path, { highWaterMark: engineBytes });
}

/**
 * Yields the text of a source, decompressed. Text that ends too soon, or has something after its end, is
 * reported when all of it was yielded; text that is corrupt throws broken_compression. A consumer that stops
 * early closes the file. `onRead` is told how many bytes of the source, as it lies on the disk, have been read.
 */
export async function* readSource(
  source: Source,
  onIssue: (issue: SourceIssue) => void,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const input = openStream(source);
  const feed = new ByteFeed(counted(input, onRead));
  const report = (kind: SourceIssue["kind"], message: string) => onIssue({ kind, message });
  try {
    await feed.has(magicBytes);
    const compression = compressionOf(feed.rest);
    if (compression === "gzip") {
      yield* readGzip(feed, source.name, report);
    } else if (compression === "zstd") {
      yield* readZstd(feed, source.name, report);
    } else {
      for (let chunk = await feed.take(); chunk !== undefined; chunk = await feed.take()) yield chunk;
    }
  } catch (error) {
    throw inOurWords(source.name, error);
  } finally {
    input.destroy();
    if (source.path !== null && !input.closed) await new Promise((closed) => input.once("close", closed));
  }
}

async function* counted(input: Readable, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of input) {
    bytes += (chunk as Uint8Array).length;
    onRead(bytes);
    yield chunk as Uint8Array;
  }
}
