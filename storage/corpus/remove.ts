/** Removes a corpus, or what an encoding has left that was stopped: first the name, then the files. */
import { rmSync } from "node:fs";
import { alignmentsOf } from "../catalog/alignments.js";
import { Catalog } from "../catalog/catalog.js";
import { DugongError } from "../errors.js";

/** Refuses while other processes read the corpus, unless `force`d: they would find their files gone. */
export async function removeCorpus(options: {
  data: string;
  corpus: string;
  force?: boolean;
}): Promise<void> {
  const { corpus } = options;
  const catalog = Catalog.open(options.data);
  try {
    if (!catalog.hasAnything(corpus)) throw catalog.noCorpus(corpus);
    // Holding it for writing, so that nobody is encoding it meanwhile.
    catalog.beginJob(corpus, "remove", "remove");
    const readers = catalog.readers(corpus);
    if (readers.length > 0 && !options.force) {
      catalog.endJob(corpus);
      throw new DugongError(
        "corpus_in_use",
        `corpus ${corpus} is being read by process ${readers.join(", ")}`,
        "Wait until it is done, or use --force.",
      );
    }
    const alignments = alignmentsOf(catalog, corpus);
    catalog.remove(corpus);
    for (const alignment of alignments) catalog.removeParts(alignment.first, [alignment]);
    rmSync(catalog.corpusFolder(corpus), { recursive: true, force: true });
  } finally {
    await catalog.close();
  }
}
