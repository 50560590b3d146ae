/** Removes a corpus: first its name, then its files. Readers that have it open keep their open files. */
import { rmSync } from "node:fs";
import { Catalog } from "../catalog/catalog.js";

export async function removeCorpus(options: { data: string; corpus: string }): Promise<void> {
  const catalog = Catalog.open(options.data);
  try {
    catalog.manifest(options.corpus);
    // Holding it for writing, so that nobody is encoding it meanwhile.
    catalog.beginJob(options.corpus, "remove", "remove");
    catalog.remove(options.corpus);
    rmSync(catalog.corpusFolder(options.corpus), { recursive: true, force: true });
  } finally {
    await catalog.close();
  }
}
