/**
 * An alignment (kind "alignment", version 1): beads, each of which has structures of one corpus and of another that
 * belong together. Either side may have none.
 *
 *   offsets0, offsets1   u32 each: where the structures of a bead begin on this side; one more for the end
 *   numbers0, numbers1   u32 each: numbers of structures, ascending within a bead
 *   meta                 {beads}
 */
import { broken, FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { bytesOf } from "./ranges.js";

export const alignmentVersion = 1;

export interface BeadSide {
  /** Of bead i: numbers[offsets[i]] up to numbers[offsets[i + 1]]. */
  offsets: Uint32Array;
  numbers: Uint32Array;
}

export interface Beads {
  count: number;
  sides: [BeadSide, BeadSide];
}

export function writeAlignment(path: string, { count, sides }: Beads): Promise<number> {
  const file = new FileWriter(path, "alignment", alignmentVersion);
  file.meta.beads = count;
  sides.forEach(({ offsets, numbers }, i) => {
    file.add(`offsets${i}`, bytesOf(offsets));
    file.add(`numbers${i}`, bytesOf(numbers));
  });
  return file.finish();
}

/** All of it, after its checksums have been compared. */
export function readAlignment(path: string): Beads {
  const file = FileReader.open(path, "alignment", alignmentVersion);
  try {
    const [problem] = file.verify();
    if (problem) throw broken(path, "its checksums are wrong");
    const side = (i: number): BeadSide => ({
      offsets: file.integers(`offsets${i}`),
      numbers: file.integers(`numbers${i}`),
    });
    return { count: file.contents.meta.beads as number, sides: [side(0), side(1)] };
  } finally {
    file.close();
  }
}

/** What a reader relies on, and does not hold. `counts`: structures of each side, where that is known. */
export function problemsOfAlignment(
  { count, sides }: Beads,
  record: { beads: number },
  counts: (number | undefined)[],
): string[] {
  if (count !== record.beads) return [`it has ${count} beads; the catalogue says ${record.beads}`];
  const problems: string[] = [];
  sides.forEach(({ offsets, numbers }, side) => {
    if (offsets.length !== count + 1 || offsets[0] !== 0 || offsets[count] !== numbers.length) {
      problems.push(`side ${side} does not have as many numbers as its beads say`);
      return;
    }
    for (let bead = 0; bead < count; bead++) {
      for (let i = offsets[bead]; i < offsets[bead + 1]; i++) {
        if (i > offsets[bead] && numbers[i] <= numbers[i - 1]) {
          problems.push(`bead ${bead} is out of order on side ${side}`);
          return;
        }
      }
    }
    const structures = counts[side];
    if (structures !== undefined && numbers.some((number) => number >= structures))
      problems.push(`side ${side} has a structure that its corpus does not have`);
  });
  return problems;
}
