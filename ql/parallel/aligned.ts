/**
 * A corpus that is aligned with another, opened beside it: which tokens there belong to which tokens here.
 *
 * An alignment was made on one snapshot of each corpus. Numbers of structures stay what they are when text is appended:
 *
 *   older snapshots    what they do not have yet is left out
 *   newer snapshots    an alignment from a file holds for what it was made of, and says nothing of what came later; one by
 *                      matching values is made again, and stored
 *   encoded anew       numbers mean nothing any more: from a file it is refused; by matching it is made again
 */
import { dirname, join } from "node:path";
import {
  type AlignedSide,
  type AlignmentRecord,
  type Beads,
  Catalog,
  DugongError,
  findAlignment,
  noAlignment,
  openCorpus,
  readAlignment,
  type Snapshot,
} from "../../storage/index.js";
import { matchValues } from "./match.js";
import { Runs } from "./runs.js";
import { storeAlignment } from "./store.js";

/** The other corpus of an alignment, as seen from one. */
export class Aligned {
  constructor(
    /** The other corpus; closed with the one it was opened for. */
    readonly snapshot: Snapshot,
    readonly here: Runs,
    readonly there: Runs,
    readonly record: AlignmentRecord,
  ) {}

  /** The ranges there that belong to what [begin, end) touches here: ascending, those that overlap or touch as one. */
  ranges(begin: number, end: number): [begin: number, end: number][] {
    const { offsets, begins, ends } = this.there;
    const found: [number, number][] = [];
    for (const bead of this.here.touching(begin, end)) {
      for (let run = offsets[bead]; run < offsets[bead + 1]; run++) found.push([begins[run], ends[run]]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const merged: [number, number][] = [];
    for (const range of found) {
      const last = merged.at(-1);
      if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
      else merged.push(range);
    }
    return merged;
  }

  /** The regions here whose counterparts there contain one of the ranges, which are sorted by begins. */
  regionsWith({ begins, ends }: { begins: Float64Array; ends: Float64Array }): {
    begins: Float64Array;
    ends: Float64Array;
  } {
    return this.here.ofBeads(this.there.containing(begins, ends));
  }
}

/** What a snapshot has open beside it. */
class Neighbours {
  readonly catalog: Catalog;
  readonly #open = new Map<string, Aligned>();
  readonly #storing: Promise<void>[] = [];

  constructor(readonly snapshot: Snapshot) {
    this.catalog = Catalog.open(dirname(snapshot.folder));
    snapshot.closeWith(this);
  }

  async close(): Promise<void> {
    neighbours.delete(this.snapshot);
    await Promise.all(this.#storing);
    for (const { snapshot } of this.#open.values()) await snapshot.close();
    await this.catalog.close();
  }

  find(other: string): Aligned {
    const record = findAlignment(this.catalog, this.snapshot.corpus, other);
    if (!record) throw noAlignment(this.catalog, this.snapshot.corpus, other);
    const known = this.#open.get(other);
    if (known && known.record.first === record.first && known.record.file === record.file) return known;
    const snapshot = known?.snapshot ?? this.#openOther(other);
    const aligned = this.#align(snapshot, record);
    this.#open.set(other, aligned);
    return aligned;
  }

  #openOther(corpus: string): Snapshot {
    return openCorpus({ data: dirname(this.snapshot.folder), corpus, pool: this.snapshot.pool });
  }

  #align(other: Snapshot, record: AlignmentRecord): Aligned {
    const swapped = record.first !== this.snapshot.corpus;
    const snapshots: [Snapshot, Snapshot] = swapped ? [other, this.snapshot] : [this.snapshot, other];
    const beads = this.#beads(snapshots, record);
    const runs = snapshots.map(
      (snapshot, i) =>
        new Runs(snapshot, snapshot.structure(record.sides[i].structure), beads.sides[i], beads.count),
    );
    const [here, there] = swapped ? [runs[1], runs[0]] : runs;
    return new Aligned(other, here, there, record);
  }

  #beads(snapshots: [Snapshot, Snapshot], record: AlignmentRecord): Beads {
    const { sides, kind, first, file } = record;
    const isSame = snapshots.every((snapshot, i) => originOf(snapshot) === sides[i].origin);
    const isCovered = snapshots.every((snapshot, i) => snapshot.number <= sides[i].snapshot);
    if (isSame && (kind === "file" || isCovered))
      return readAlignment(join(this.catalog.partsFolder(first), file));
    if (kind === "file") throw outdated(snapshots, sides);
    const { beads } = matchValues([
      { snapshot: snapshots[0], ...namesOf(snapshots[0], sides[0]) },
      { snapshot: snapshots[1], ...namesOf(snapshots[1], sides[1]) },
    ]);
    const isNewer = snapshots.every((snapshot, i) => snapshot.number >= sides[i].snapshot);
    if (isNewer && this.catalog.writable) {
      const next = sides.map((side, i) => sideOf(snapshots[i], side)) as [AlignedSide, AlignedSide];
      // Nobody waits for it; if it fails, the same is computed next time.
      this.#storing.push(
        storeAlignment(this.catalog, { ...record, sides: next }, beads, record).catch(() => {}),
      );
    }
    return beads;
  }
}

function namesOf(snapshot: Snapshot, { structure, attribute }: AlignedSide) {
  return { structure: snapshot.structure(structure), attribute };
}

export function originOf({ manifest }: Snapshot): number {
  return manifest.origin ?? 0;
}

export function sideOf(
  snapshot: Snapshot,
  { structure, attribute }: Pick<AlignedSide, "structure" | "attribute">,
): AlignedSide {
  return {
    corpus: snapshot.corpus,
    snapshot: snapshot.number,
    origin: originOf(snapshot),
    structure,
    ...(attribute !== undefined && { attribute }),
  };
}

function outdated(snapshots: Snapshot[], sides: AlignedSide[]): DugongError {
  const at = snapshots.findIndex((snapshot, i) => originOf(snapshot) !== sides[i].origin);
  const [first, second] = snapshots;
  return new DugongError(
    "alignment_outdated",
    `${snapshots[at].corpus} was encoded anew after it was aligned with ${snapshots[1 - at].corpus}: its numbers are others now`,
    `Align them again: \`dugong align ${first.corpus} ${second.corpus} --replace\`.`,
  );
}

const neighbours = new WeakMap<Snapshot, Neighbours>();

/**
 * The corpus of that name that is aligned with a snapshot's, in the same data directory. Opened once, at the snapshot that
 * is current then; a new alignment of the two is noticed.
 */
export function alignedWith(snapshot: Snapshot, other: string): Aligned {
  let own = neighbours.get(snapshot);
  if (!own) {
    own = new Neighbours(snapshot);
    neighbours.set(snapshot, own);
  }
  return own.find(other);
}
