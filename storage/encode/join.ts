/** Makes one generation of a lexicon of several, and one map of several: the same strings with the same ids. */
import { columnsOfArena } from "../column/reader.js";
import type { Arena } from "../kernels/arena.js";
import { compareBytes, Generation, StringWalk } from "../lexicon/generation.js";
import { writeLexicon, writeMap } from "../lexicon/writer.js";
import { loadMap } from "./write.js";

export interface JoinTask {
  generations: string[];
  lexiconPath: string;
  maps?: string[];
  mapPath: string;
}

export async function joinGenerations(
  arena: Arena,
  task: JoinTask,
): Promise<{ bytes: number; mapBytes: number }> {
  arena.reset();
  const load = columnsOfArena(arena);
  const walks = task.generations.map((path) => {
    const generation = Generation.load(load, path);
    const walk = new StringWalk(generation, 0);
    return { generation, walk, rank: 0, more: walk.next() };
  });
  const count = walks.reduce((sum, { generation }) => sum + generation.count, 0);
  const ids = new Uint32Array(count);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let filled = 0;
  let heap = new Uint8Array(walks.reduce((sum, { generation }) => sum + generation.strings.length * 2, 1024));
  for (let rank = 0; rank < count; rank++) {
    const least = walks
      .filter(({ more }) => more)
      .reduce((a, b) =>
        compareBytes(b.walk.bytes, b.walk.length, a.walk.bytes.subarray(0, a.walk.length)) < 0 ? b : a,
      );
    if (filled + least.walk.length > heap.length) {
      const larger = new Uint8Array((filled + least.walk.length) * 2);
      larger.set(heap.subarray(0, filled));
      heap = larger;
    }
    heap.set(least.walk.bytes.subarray(0, least.walk.length), filled);
    starts[rank] = filled;
    ends[rank] = filled += least.walk.length;
    ids[rank] = least.generation.base + least.generation.ids[least.rank++];
    least.more = least.walk.next();
  }
  const bytes = await writeLexicon(task.lexiconPath, arena, { heap, starts, ends }, ids, 0);
  let mapBytes = 0;
  if (task.maps) {
    const { values, starts } = loadMap(arena, "", task.maps);
    mapBytes = await writeMap(task.mapPath, arena, 0, values, starts);
  }
  return { bytes, mapBytes };
}
