/**
 * Files that are made while somebody else may hold their corpus for writing: the ranges of subcorpora, alignments, sketches, spaces.
 * Each gets a number of its own, and is written, synced, and only then named by a record of the catalogue.
 *
 *   ["writing", corpus, number]   the process that writes <corpus>/parts/<number>.<ending>
 *
 * A file whose writer is gone, and that no record names, is nobody's: whoever sweeps the corpus removes it.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "./catalog.js";
import { identify } from "./process.js";
import { syncFolder } from "./sweep.js";

/** What files in the folder of parts may be. */
export const partEndings = ["ranges", "alignment", "sketch", "space"] as const;
export type PartEnding = (typeof partEndings)[number];

/** A file that a record names. */
export interface NumberedFile {
  /** Its name in the corpus's folder of parts. */
  file: string;
  bytes: number;
}

/**
 * Writes a file and has it named, in one transaction, by what `name` puts into the catalogue. Where `name` finds that
 * nobody needs it any more, it is removed again.
 */
export async function writeNumbered(
  catalog: Catalog,
  corpus: string,
  ending: PartEnding,
  write: (path: string) => Promise<number>,
  name: (file: NumberedFile) => boolean,
): Promise<void> {
  catalog.checkWritable();
  const { database } = catalog;
  const number = database.transactionSync(() => {
    catalog.manifestOfAnyFormat(corpus);
    const own = catalog.takeNumber(corpus);
    database.putSync(["writing", corpus, own], identify());
    return own;
  });
  const folder = catalog.partsFolder(corpus);
  const file = `${number}.${ending}`;
  try {
    const bytes = await write(join(folder, file));
    syncFolder(folder);
    syncFolder(catalog.corpusFolder(corpus));
    const named = database.transactionSync(() => {
      database.removeSync(["writing", corpus, number]);
      return name({ file, bytes });
    });
    if (!named) rmSync(join(folder, file), { force: true });
  } catch (error) {
    database.removeSync(["writing", corpus, number]);
    rmSync(join(folder, file), { force: true });
    throw error;
  }
}
