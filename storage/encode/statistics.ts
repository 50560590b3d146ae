/** Statistics of a lexicon at a snapshot: those of the snapshot before, plus what new segments count. */
import { columnShape, columnsOfArena, decodeColumn } from "../column/reader.js";
import { FileReader } from "../file/reader.js";
import type { Arena } from "../kernels/arena.js";
import { statisticsVersion } from "../lexicon/format.js";
import { writeStatistics } from "../lexicon/writer.js";
import { postingsVersion } from "../postings/writer.js";
import { streamVersion } from "../stream/format.js";
import { type StructureMeta, structureVersion } from "../structures/writer.js";
import { loadMap } from "./write.js";

export interface SumTask {
  size: number;
  /** The statistics that the new segments are added to. */
  before?: string;
  /** Files with the counts of new segments, and the prefix of their columns there. */
  counts: {
    path: string;
    kind: "postings" | "structure";
    prefix: string;
    /** Of a structure: the attribute. */
    attribute?: string;
    split?: SplitDocument & { stream: string };
  }[];
  /** How ids of the streams become ids of this lexicon, if it is derived. */
  maps?: string[];
  /** Instead, for the values of a structure's attribute: what their base counts, through the maps. */
  through?: { statistics: string; maps: string[] };
  path: string;
}

/** Documents that are cut at the borders of a segment: a word that is in two parts is in one document. */
export interface SplitDocument {
  /** Tokens [0, head) belong to a document that began in an earlier segment. */
  head: number;
  /** Tokens from here on belong to a document that began here and goes on; −1 where there is none. */
  tail: number;
}

export async function sumStatistics(arena: Arena, task: SumTask): Promise<{ bytes: number }> {
  arena.reset();
  const { kernels } = arena;
  const load = columnsOfArena(arena);
  const frequency = arena.zeroed(task.size * 2);
  const documents = arena.zeroed(task.size);
  const documentsOf = arena.integers(documents, task.size);
  const frequencyOf = new BigUint64Array(arena.memory.buffer, frequency, task.size);
  if (task.through) addThrough(arena, task.through, frequencyOf, documentsOf);
  if (task.before) {
    const file = FileReader.open(task.before, "statistics", statisticsVersion);
    const mark = arena.mark();
    const low = decodeColumn(arena, file, "frequency");
    const high = decodeColumn(arena, file, "frequencyHigh");
    kernels.joinHalves(low, high, columnShape(file, "frequency").count, frequency);
    arena.release(mark);
    documentsOf.set(load(file, "documents"));
    file.close();
  }
  const map = task.maps && loadMap(arena, "", task.maps);
  /** What occurs in the parts that have been met of the document that is cut. */
  let met = new Set<number>();
  const idsBetween = (stream: string, from: number, to: number) => {
    const file = FileReader.open(stream, "stream", streamVersion);
    const ids = new Set(load(file, "ids").subarray(from, to));
    file.close();
    if (!map) return ids;
    const derived = new Set<number>();
    for (const id of ids) {
      const first = map.starts ? map.starts[id] : id;
      const last = map.starts ? map.starts[id + 1] : id + 1;
      for (let v = first; v < last; v++) derived.add(map.values[v]);
    }
    return derived;
  };
  for (const { path, kind, prefix, attribute, split } of task.counts) {
    if (split && split.head > 0) {
      for (const id of idsBetween(split.stream, 0, split.head)) {
        if (met.has(id)) documentsOf[id]--;
        met.add(id);
      }
    }
    if (split && split.tail >= 0) met = idsBetween(split.stream, split.tail, Number.POSITIVE_INFINITY);
    const file = FileReader.open(path, kind, kind === "postings" ? postingsVersion : structureVersion);
    const mark = arena.mark();
    const [ids, counts, inDocuments] = ["ids", "counts", "documents"].map((column) =>
      decodeColumn(arena, file, prefix + column),
    );
    kernels.addCounts(
      ids,
      counts,
      inDocuments,
      columnShape(file, `${prefix}ids`).count,
      frequency,
      documents,
    );
    arena.release(mark);
    if (kind === "structure") {
      // A structure that came in from the segment before has been counted there.
      const { carriedIn } = file.contents.meta as unknown as StructureMeta;
      if (carriedIn > 0) {
        for (const value of load(file, `value:${attribute}`).subarray(0, carriedIn)) {
          if (value === 0) continue;
          frequencyOf[value - 1]--;
          documentsOf[value - 1]--;
        }
      }
    }
    file.close();
  }
  return { bytes: await writeStatistics(task.path, arena, task.size, frequency, documents) };
}

function addThrough(
  arena: Arena,
  through: { statistics: string; maps: string[] },
  frequency: BigUint64Array,
  documents: Uint32Array,
): void {
  const load = columnsOfArena(arena);
  const file = FileReader.open(through.statistics, "statistics", statisticsVersion);
  const low = load(file, "frequency");
  const high = load(file, "frequencyHigh");
  const inDocuments = load(file, "documents");
  file.close();
  const map = loadMap(arena, "", through.maps);
  for (let id = 0; id < low.length; id++) {
    const from = map.starts ? map.starts[id] : id;
    const to = map.starts ? map.starts[id + 1] : id + 1;
    for (let v = from; v < to; v++) {
      frequency[map.values[v]] += (BigInt(high[id]) << 32n) + BigInt(low[id]);
      documents[map.values[v]] += inDocuments[id];
    }
  }
}
