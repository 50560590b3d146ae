/** The manifest of a snapshot: everything that one state of a corpus is made of. Segments are whole and immutable. */
import type { CorpusConfig, ReadingConfig } from "../encode/config.js";

export interface LexiconRecord {
  /** How many ids. */
  size: number;
  /** Files in the corpus's lexicon folder. */
  generations: { file: string; bytes: number }[];
  statistics: { file: string; bytes: number };
  /** For a derived lexicon: the key of its base, and the maps, one per generation of the base. */
  base?: string;
  maps?: { file: string; bytes: number }[];
}

/** The structures of one kind in a segment. */
export interface StructureRecord {
  count: number;
  /** The first so many continue structures of the segment before. */
  carriedIn: number;
  /** The indexes of those that go on in the next segment, where they stand in the same order. */
  carriedOut: number[];
}

export interface SegmentRecord {
  /** Its folder in the corpus's segments folder. */
  id: string;
  /** Global position of its first token. */
  start: number;
  tokens: number;
  glue: number;
  structures: Record<string, StructureRecord>;
  files: { name: string; bytes: number }[];
}

export interface Manifest {
  format: number;
  corpus: string;
  snapshot: number;
  created: string;
  config: CorpusConfig;
  /** How the input was read: an append reads in the same way unless it is told otherwise. */
  reading: ReadingConfig;
  tokens: number;
  segments: SegmentRecord[];
  lexicons: Record<string, LexiconRecord>;
  /** The job that encoded the corpus anew: what was appended since belongs to it, and left numbers and positions as they were. */
  origin?: number;
  /** Tells what the last encode or append was given: the same again is nothing new. */
  fingerprint: string;
  /** Target bytes of text per segment, for appends and compaction. */
  segmentBytes: number;
}

export const manifestFormat = 2;

/** Bytes of all files of a snapshot. */
export function manifestBytes(manifest: Manifest): number {
  let bytes = 0;
  for (const segment of manifest.segments) for (const file of segment.files) bytes += file.bytes;
  for (const lexicon of Object.values(manifest.lexicons)) {
    bytes += lexicon.statistics.bytes;
    for (const file of [...lexicon.generations, ...(lexicon.maps ?? [])]) bytes += file.bytes;
  }
  return bytes;
}

/** How many structures of a kind there are: a structure that goes over several segments counts once. */
export function structureCount(manifest: Manifest, name: string): number {
  let count = 0;
  for (const segment of manifest.segments) {
    const structure = Object.hasOwn(segment.structures, name) ? segment.structures[name] : undefined;
    if (structure) count += structure.count - structure.carriedIn;
  }
  return count;
}
