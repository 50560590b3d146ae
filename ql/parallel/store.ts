/** Writes an alignment and names it in the catalogue, in the place of the one before. */
import {
  type AlignmentRecord,
  type Beads,
  type Catalog,
  DugongError,
  findAlignment,
  putAlignment,
  writeAlignment,
  writeNumbered,
} from "../../storage/index.js";

type Stored = Omit<AlignmentRecord, "file" | "bytes" | "beads" | "created">;

/**
 * `instead`: the one whose place it takes; if that is gone meanwhile, nothing is stored. "any": whichever there is.
 * undefined: there must be none.
 */
export async function storeAlignment(
  catalog: Catalog,
  { first, second, kind, sides }: Stored,
  beads: Beads,
  instead?: AlignmentRecord | "any",
): Promise<void> {
  let before: AlignmentRecord | undefined;
  await writeNumbered(
    catalog,
    first,
    "alignment",
    (path) => writeAlignment(path, beads),
    (file) => {
      const there = findAlignment(catalog, first, second);
      if (typeof instead === "object" && (there?.first !== instead.first || there.file !== instead.file))
        return false;
      if (there && !instead) throw alignmentExists(there);
      if (!catalog.has(second)) return false;
      const created = new Date().toISOString();
      before = putAlignment(catalog, { first, second, kind, sides, beads: beads.count, created, ...file });
      return true;
    },
  );
  if (before) catalog.removeParts(before.first, [before]);
}

export function alignmentExists({ first, second }: AlignmentRecord): DugongError {
  return new DugongError(
    "alignment_exists",
    `${first} and ${second} are aligned already`,
    "Use --replace to put this in its place; one alignment serves both directions.",
  );
}
