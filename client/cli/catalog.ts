/** What commands that make corpora look up in the catalogue of the data directory. */
import type { Catalog as OpenCatalog } from "../../storage/index.js";

/** What is read from the catalogue; undefined where there is no data directory yet. */
export async function fromCatalog<Result>(
  data: string,
  read: (catalog: OpenCatalog) => Result,
): Promise<Result | undefined> {
  const { Catalog, DugongError } = await import("../../storage/index.js");
  let catalog: OpenCatalog;
  try {
    catalog = Catalog.open(data);
  } catch (error) {
    if (error instanceof DugongError && error.code === "no_data") return undefined;
    throw error;
  }
  try {
    return read(catalog);
  } finally {
    await catalog.close();
  }
}
