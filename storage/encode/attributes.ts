/**
 * The files of one attribute in one segment, from the ids of its tokens:
 *
 *   <attribute>.stream     kind "stream": column `ids`, the id at each position
 *   <attribute>.postings   kind "postings": postings, and under "<derived>:" the counts of each derived lexicon
 */
import { writeColumn } from "../column/writer.js";
import { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { postingsVersion, writeCounts, writePostings } from "../postings/writer.js";
import { streamVersion } from "../stream/format.js";

/** In a one-byte stream, values as frequent as one in this many tokens are found by scanning. */
const scanEvery = 256;

/** Derived ids of base ids: one each, or those between two starts. */
export interface IdMap {
  key: string;
  values: Uint32Array;
  starts?: Uint32Array;
}

export interface AttributeIds {
  /** Address in the arena: for each position, the place of its id among `ids`. */
  places: number;
  tokens: number;
  /** Addresses, `types` integers each: the ids that occur, ascending, and how often each does. */
  types: number;
  ids: number;
  counts: number;
}

export interface WrittenFile {
  name: string;
  bytes: number;
}

/** `bounds`: begins and ends of documents by turns. */
export async function writeAttribute(
  folder: string,
  name: string,
  arena: Arena,
  input: AttributeIds,
  bounds: Uint32Array,
  maps: IdMap[],
): Promise<WrittenFile[]> {
  const { kernels } = arena;
  const { tokens, types, ids, counts } = input;
  const mark = arena.mark();
  const stream = arena.allocate(tokens * 4 + 512);
  kernels.gather(input.places, tokens, ids, stream);
  const streamFile = new FileWriter(`${folder}/${name}.stream`, "stream", streamVersion);
  const scannable = { largest: types > 0 ? arena.u32[(ids >>> 2) + types - 1] : 0 };
  const shape = writeColumn(streamFile, arena, "ids", stream, tokens, { scannable });
  const streamBytes = streamFile.finish();

  const starts = arena.allocate(types * 4);
  kernels.sumBefore(counts, types, starts);
  const documents = arena.zeroed(types + 1);
  const seen = arena.zeroed(types + 1);
  // The stream is written: its memory serves for the positions.
  kernels.invert(input.places, tokens, starts, stream, arena.put(bounds), bounds.length, documents, seen);
  const postingsFile = new FileWriter(`${folder}/${name}.postings`, "postings", postingsVersion);
  const scanCount = shape.encoding === "raw8" ? Math.max(128, Math.ceil(tokens / scanEvery)) : 0;
  writePostings(
    postingsFile,
    arena,
    "",
    { count: types, ids, counts, documents, positions: stream },
    { universe: tokens, scanCount },
  );
  for (const map of maps) {
    const derived = derivedCounts(arena, input, bounds, map);
    const derivedMark = arena.mark();
    writeCounts(postingsFile, arena, `${map.key}:`, {
      count: derived.ids.length,
      ids: arena.put(derived.ids),
      counts: arena.put(derived.counts),
      documents: arena.put(derived.documents),
    });
    arena.release(derivedMark);
  }
  const postingsBytes = postingsFile.finish();
  arena.release(mark);
  return [
    { name: `${name}.stream`, bytes: await streamBytes },
    { name: `${name}.postings`, bytes: await postingsBytes },
  ];
}

/** How often, and in how many documents, each derived id occurs in the segment. */
function derivedCounts(arena: Arena, input: AttributeIds, bounds: Uint32Array, map: IdMap) {
  const baseIds = arena.integers(input.ids, input.types);
  const baseCounts = arena.integers(input.counts, input.types);
  const from = (id: number) => (map.starts ? map.starts[id] : id);
  const to = (id: number) => (map.starts ? map.starts[id + 1] : id + 1);
  let total = 0;
  for (const id of baseIds) total += to(id) - from(id);
  const all = new Uint32Array(total);
  let at = 0;
  for (const id of baseIds) for (let v = from(id); v < to(id); v++) all[at++] = map.values[v];
  const ids = all.sort().filter((id, i) => i === 0 || id !== all[i - 1]);
  const placeOf = new Map<number, number>();
  ids.forEach((id, i) => {
    placeOf.set(id, i);
  });
  const counts = new Uint32Array(ids.length);
  const documents = new Uint32Array(ids.length);
  // Places of the derived ids of each base place, one after the other.
  const firsts = new Uint32Array(input.types + 1);
  const places = new Uint32Array(total);
  at = 0;
  baseIds.forEach((id, i) => {
    for (let v = from(id); v < to(id); v++) {
      const place = placeOf.get(map.values[v]) as number;
      places[at++] = place;
      counts[place] += baseCounts[i];
    }
    firsts[i + 1] = at;
  });
  const tokens = arena.integers(input.places, input.tokens);
  const seen = new Uint32Array(input.types);
  const seenDerived = new Uint32Array(ids.length);
  for (let d = 0; d + 1 < bounds.length; d += 2) {
    const mark = d + 1;
    for (let position = bounds[d]; position < bounds[d + 1]; position++) {
      const place = tokens[position];
      if (seen[place] === mark) continue;
      seen[place] = mark;
      for (let v = firsts[place]; v < firsts[place + 1]; v++) {
        if (seenDerived[places[v]] === mark) continue;
        seenDerived[places[v]] = mark;
        documents[places[v]]++;
      }
    }
  }
  return { ids, counts, documents };
}
