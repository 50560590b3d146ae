/**
 * The ranges of a subcorpus in one snapshot (kind "ranges", version 1):
 *
 *   begins, ends   ascending positions, ends[i] < begins[i + 1]; u32 each, or f64 where the corpus has 2^32 tokens or more
 *   meta           {count, wide}: how many there are, and whether they are f64
 *
 * They are read whole: looking a hit up is a walk along both.
 */
import { broken, FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";

export const rangesVersion = 1;

export interface StoredRanges {
  begins: Uint32Array | Float64Array;
  ends: Uint32Array | Float64Array;
}

/** Resolves to the file's bytes, once it is safe. */
export function writeRanges(path: string, { begins, ends }: StoredRanges): Promise<number> {
  const file = new FileWriter(path, "ranges", rangesVersion);
  Object.assign(file.meta, { count: begins.length, wide: begins instanceof Float64Array });
  file.add("begins", bytesOf(begins));
  file.add("ends", bytesOf(ends));
  return file.finish();
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** All of them, after their checksums have been compared. */
export function readRanges(path: string): StoredRanges {
  const file = FileReader.open(path, "ranges", rangesVersion);
  try {
    const [problem] = file.verify();
    if (problem) throw broken(path, "its checksums are wrong");
    const { wide } = file.contents.meta as { wide: boolean };
    const column = (name: string) => {
      const { buffer } = file.read(name);
      return wide ? new Float64Array(buffer) : new Uint32Array(buffer);
    };
    return { begins: column("begins"), ends: column("ends") };
  } finally {
    file.close();
  }
}

/** What a reader relies on, and does not hold. */
export function problemsOfRanges(
  { begins, ends }: StoredRanges,
  record: { tokens: number; ranges: number },
  corpusTokens: number,
): string[] {
  const problems: string[] = [];
  if (begins.length !== record.ranges || ends.length !== record.ranges)
    return [`it has ${begins.length} ranges; the catalogue says ${record.ranges}`];
  let tokens = 0;
  for (let i = 0; i < begins.length; i++) {
    if (!(begins[i] < ends[i]) || (i > 0 && begins[i] <= ends[i - 1])) {
      problems.push(`range ${i} is empty, or out of order`);
      break;
    }
    tokens += ends[i] - begins[i];
  }
  if (ends.length > 0 && ends[ends.length - 1] > corpusTokens)
    problems.push(`its last range ends at ${ends[ends.length - 1]}; the corpus has ${corpusTokens} tokens`);
  if (problems.length === 0 && tokens !== record.tokens)
    problems.push(`it has ${tokens} tokens; the catalogue says ${record.tokens}`);
  return problems;
}
