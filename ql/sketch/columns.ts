/** The columns of the index, from its pieces in their order: each is read in parts and packed at once. */
import { closeSync, openSync, readSync } from "node:fs";
import { writeColumnFrom } from "../../storage/column/writer.js";
import type { FileWriter } from "../../storage/file/writer.js";
import type { Arena } from "../../storage/kernels/arena.js";
import { type PieceSizes, pieceFile } from "./pieces.js";
import { bytesOf } from "./rows.js";

type Parts = () => Iterable<Uint32Array>;

const partValues = 1 << 16;

/** All values of a column of the pieces. A part is good until the next. */
export function* valuesOf(pieces: PieceSizes[], column: string): Generator<Uint32Array> {
  const buffer = new Uint32Array(partValues);
  for (const { path } of pieces) {
    const fd = openSync(pieceFile(path, column), "r");
    try {
      for (;;) {
        const got = readSync(fd, bytesOf(buffer), 0, buffer.byteLength, null);
        if (got === 0) break;
        yield buffer.subarray(0, got / 4);
      }
    } finally {
      closeSync(fd);
    }
  }
}

/** Counts become where each begins, and where the last ends. */
function* sums(counts: Iterable<Uint32Array>): Generator<Uint32Array> {
  let sum = 0;
  for (const part of counts)
    yield part.map((count) => {
      sum += count;
      return sum - count;
    });
  yield Uint32Array.of(sum);
}

/** For each word its first slice, from the words of all slices, ascending; and the end. */
function* starts(heads: Iterable<Uint32Array>, words: number): Generator<Uint32Array> {
  const buffer = new Uint32Array(partValues);
  let filled = 0;
  let next = 0;
  let slice = 0;
  for (const part of heads)
    for (let i = 0; i < part.length; i++, slice++)
      for (; next <= part[i]; next++) {
        if (filled === buffer.length) {
          yield buffer;
          filled = 0;
        }
        buffer[filled++] = slice;
      }
  yield buffer.subarray(0, filled);
  for (; next <= words; ) {
    const part = new Uint32Array(Math.min(partValues, words + 1 - next)).fill(slice);
    next += part.length;
    yield part;
  }
}

/** Writes one direction of the index. `side`: what its columns' names begin with. */
export function writeDirection(
  file: FileWriter,
  arena: Arena,
  side: "" | "back.",
  pieces: PieceSizes[],
  words: number,
): void {
  const slices = pieces.reduce((sum, piece) => sum + piece.slices, 0);
  const triples = pieces.reduce((sum, piece) => sum + piece.triples, 0);
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  const write = (name: string, count: number, parts: Parts, ordered = false) =>
    writeColumnFrom(file, arena, `${side}${name}`, count, parts, { ordered });
  const of = (column: string): Parts => {
    return () => valuesOf(pieces, column);
  };
  write("heads", words + 1, () => starts(valuesOf(pieces, "slice.head"), words), true);
  write("slice.relation", slices, of("slice.relation"));
  write("slice.triples", slices + 1, () => sums(valuesOf(pieces, "slice.triples")), true);
  write("slice.rows", slices + 1, () => sums(valuesOf(pieces, "slice.rows")), true);
  write("triple.word", triples, of("triple.word"));
  write("triple.count", triples, of("triple.count"));
  if (side === "") {
    write("triple.first", triples, of("triple.first"));
    write("gaps", rows - triples, of("gaps"));
    write("distances", rows, of("distances"));
  } else {
    write("first", slices, of("slice.first"));
    write("gaps", rows - slices, of("gaps"));
  }
}

/** Occurrences of each relation. */
export function relationCounts(pieces: PieceSizes[], relations: number): Float64Array {
  const counts = new Float64Array(relations);
  const rows = valuesOf(pieces, "slice.rows");
  for (const part of valuesOf(pieces, "slice.relation")) {
    const own = rows.next().value as Uint32Array;
    for (let i = 0; i < part.length; i++) counts[part[i]] += own[i];
  }
  return counts;
}
