/**
 * A thesaurus that was computed (kind "thesaurus", version 1): of every head that is frequent enough, those that are most similar to it.
 *
 *   words         ordered column: numbers of the heads in the index of sketches, ascending
 *   starts        ordered column: where the neighbours of each begin; one more for the end
 *   neighbours    column: numbers in the same index, the most similar first
 *   common        column: Σ of the smaller one of both weights, in steps of 1/256
 *   shared        column: contexts that both have
 *   meta          {info: {sketches, minCount, limit}}: sketches is the file of the index whose numbers these are
 *
 * Similarities are not stored: the index has what each head weighs.
 */
import { join } from "node:path";
import { Column } from "../../../storage/column/reader.js";
import { writeColumnFrom, writeColumnOf } from "../../../storage/column/writer.js";
import { FileReader } from "../../../storage/file/reader.js";
import { FileWriter } from "../../../storage/file/writer.js";
import { type SketchesRecord, type Snapshot, thesaurusVersion } from "../../../storage/index.js";
import { Arena } from "../../../storage/kernels/arena.js";
import { PooledFile } from "../../../storage/pool/pool.js";
import type { SketchReader } from "../reader.js";
import { OpenRun } from "../rows.js";
import type { NeighbourCounts } from "./task.js";

export interface ThesaurusInfo {
  sketches: string;
  /** Of heads that are so often in relations. */
  minCount: number;
  /** Neighbours of each, at most. */
  limit: number;
}

export class StoredThesaurus {
  readonly info: ThesaurusInfo;
  readonly #file: FileReader;
  readonly #columns: Record<"words" | "starts" | "neighbours" | "common" | "shared", Column>;

  constructor(snapshot: Snapshot, path: string) {
    this.#file = FileReader.open(path, "thesaurus", thesaurusVersion);
    this.info = this.#file.contents.meta.info as ThesaurusInfo;
    const pooled = new PooledFile(this.#file);
    const column = (name: string) => new Column(snapshot.pool, pooled, name);
    this.#columns = {
      words: column("words"),
      starts: column("starts"),
      neighbours: column("neighbours"),
      common: column("common"),
      shared: column("shared"),
    };
  }

  /**
   * The first `limit` neighbours of a head that are frequent enough, or undefined where it is not known whether there are others: the
   * head is not in it, rarer words are asked for than it has, or more of them.
   */
  neighboursOf(reader: SketchReader, head: number, limit: number, minCount: number) {
    const { words, starts, neighbours, common, shared } = this.#columns;
    if (minCount < this.info.minCount) return undefined;
    const slot = words.upperBound(head, 0, words.count) - 1;
    if (slot < 0 || words.get(slot) !== head) return undefined;
    const [from, to] = [starts.get(slot), starts.get(slot + 1)];
    const all = read(neighbours, from, to);
    const kept: number[] = [];
    for (let i = 0; i < all.length && kept.length < limit; i++)
      if (minCount === this.info.minCount || reader.headCount(all[i]) >= minCount) kept.push(i);
    if (kept.length < limit && all.length === this.info.limit) return undefined;
    const [commons, shareds] = [read(common, from, to), read(shared, from, to)];
    return {
      words: Uint32Array.from(kept, (i) => all[i]),
      common: Uint32Array.from(kept, (i) => commons[i]),
      shared: Uint32Array.from(kept, (i) => shareds[i]),
    };
  }

  close(): void {
    this.#file.close();
  }
}

function read(column: Column, from: number, to: number): Uint32Array {
  const values = new Uint32Array(to - from);
  if (to > from) column.read(from, to - from, values);
  return values;
}

/** The thesaurus of sketches, if one was computed. */
export function openThesaurus(
  snapshot: Snapshot,
  { thesaurus }: SketchesRecord,
): StoredThesaurus | undefined {
  if (!thesaurus) return undefined;
  return new StoredThesaurus(snapshot, join(snapshot.folder, "parts", thesaurus.file));
}

/** Writes one from the runs of neighbours, which come in the order of the slots. `sizes`: slots of each run. Returns its bytes. */
export async function writeThesaurus(
  path: string,
  info: ThesaurusInfo,
  words: Uint32Array,
  runs: { path: string; slots: number }[],
): Promise<{ bytes: number; neighbours: number }> {
  const file = new FileWriter(path, "thesaurus", thesaurusVersion);
  try {
    file.meta.info = info;
    const arena = new Arena();
    const counts = runs.flatMap(countsOf);
    const starts = new Uint32Array(words.length + 1);
    counts.forEach((count, slot) => {
      starts[slot + 1] = starts[slot] + count;
    });
    const total = starts[words.length];
    writeColumnOf(file, arena, "words", words.slice(), { ordered: true });
    writeColumnOf(file, arena, "starts", starts, { ordered: true });
    const columns = [() => neighboursIn(runs, words), () => valuesIn(runs, 1), () => valuesIn(runs, 2)];
    ["neighbours", "common", "shared"].forEach((name, i) => {
      writeColumnFrom(file, arena, name, total, columns[i]);
    });
    return { bytes: await file.finish(), neighbours: total };
  } catch (error) {
    file.abandon();
    throw error;
  }
}

/** A run in which nobody has a neighbour has no block. */
function countsOf({ path, slots }: { path: string; slots: number }): number[] {
  const run = new OpenRun(path);
  try {
    return run.blocks<NeighbourCounts>()[0]?.counts ?? new Array(slots).fill(0);
  } finally {
    run.close();
  }
}

function* valuesIn(runs: { path: string }[], column: number): Generator<Uint32Array> {
  for (const { path } of runs) {
    const run = new OpenRun(path);
    try {
      for (const block of run.blocks()) {
        const values = new Uint32Array(block.count);
        run.read(block, column, 0, values);
        yield values;
      }
    } finally {
      run.close();
    }
  }
}

function* neighboursIn(runs: { path: string }[], words: Uint32Array): Generator<Uint32Array> {
  for (const slots of valuesIn(runs, 0)) yield slots.map((slot) => words[slot]);
}
