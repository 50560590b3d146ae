/** The storage room, as other rooms see it. */
export * from "./catalog/alignments.js";
export { Catalog } from "./catalog/catalog.js";
export type { Manifest, SegmentRecord } from "./catalog/manifest.js";
export { writeNumbered } from "./catalog/numbered.js";
export * from "./catalog/sketches.js";
export { removeSpace, type SpaceRecord, type SpaceSegmentRecord, spaceRecords } from "./catalog/spaces.js";
export * from "./catalog/subcorpora.js";
export { Attribute } from "./corpus/attribute.js";
export { type DumpOptions, dumpCorpus } from "./corpus/dump.js";
export { type CorpusInfo, describeCorpus } from "./corpus/info.js";
export { removeCorpus } from "./corpus/remove.js";
export { Segment } from "./corpus/segment.js";
export { attachSnapshot, type OpenOptions, openCorpus, Snapshot } from "./corpus/snapshot.js";
export { Structure } from "./corpus/structure.js";
export { type VerifyOptions, type VerifyReport, verifyCorpus } from "./corpus/verify.js";
export { ArrayCursor, END, emptyCursor, type PositionCursor } from "./cursor.js";
export { type CompactResult, compactCorpus } from "./encode/compact.js";
export type { InputFormat } from "./encode/config.js";
export {
  type AppendOptions,
  appendToCorpus,
  type EncodeOptions,
  type EncodeResult,
  encodeCorpus,
} from "./encode/encode.js";
export type { ProgressReport } from "./encode/progress.js";
export type { Warning } from "./encode/warnings.js";
export { DugongError } from "./errors.js";
export type { Automaton, Lexicon } from "./lexicon/lexicon.js";
export { limits } from "./limits.js";
export { type PageRankOptions, type PageRanks, pageRanks } from "./links/pagerank.js";
export { type LinkTable, readLinks } from "./links/table.js";
export { type BeadSide, type Beads, readAlignment, writeAlignment } from "./parts/alignment.js";
export { clearOthers, hashOf } from "./parts/leftovers.js";
export * from "./parts/subcorpus.js";
export { Pool, type PoolHandle } from "./pool/pool.js";
export * from "./space/index.js";
export type { TokenStream } from "./stream/stream.js";
export type { Structures } from "./structures/reader.js";
