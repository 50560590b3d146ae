/** Statistics of a lexicon at a snapshot: those of the snapshot before, plus what new segments count. */
import { columnsOfArena } from "../column/reader.js";
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
  const load = columnsOfArena(arena);
  const frequency = new Float64Array(task.size);
  const documents = new Uint32Array(task.size);
  if (task.through) addThrough(arena, task.through, frequency, documents);
  if (task.before) {
    const file = FileReader.open(task.before, "statistics", statisticsVersion);
    const high = load(file, "frequencyHigh");
    load(file, "frequency").forEach((low, id) => {
      frequency[id] = high[id] * 2 ** 32 + low;
    });
    documents.set(load(file, "documents"));
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
        if (met.has(id)) documents[id]--;
        met.add(id);
      }
    }
    if (split && split.tail >= 0) met = idsBetween(split.stream, split.tail, Number.POSITIVE_INFINITY);
    const file = FileReader.open(path, kind, kind === "postings" ? postingsVersion : structureVersion);
    const ids = load(file, `${prefix}ids`);
    const counts = load(file, `${prefix}counts`);
    const inDocuments = load(file, `${prefix}documents`);
    for (let i = 0; i < ids.length; i++) {
      frequency[ids[i]] += counts[i];
      documents[ids[i]] += inDocuments[i];
    }
    if (kind === "structure") {
      // A structure that came in from the segment before has been counted there.
      const { carriedIn } = file.contents.meta as unknown as StructureMeta;
      if (carriedIn > 0) {
        for (const value of load(file, `value:${attribute}`).subarray(0, carriedIn)) {
          if (value === 0) continue;
          frequency[value - 1]--;
          documents[value - 1]--;
        }
      }
    }
    file.close();
  }
  return { bytes: await writeStatistics(task.path, arena, frequency, documents) };
}

function addThrough(
  arena: Arena,
  through: { statistics: string; maps: string[] },
  frequency: Float64Array,
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
      frequency[map.values[v]] += high[id] * 2 ** 32 + low[id];
      documents[map.values[v]] += inDocuments[id];
    }
  }
}
