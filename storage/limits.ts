/** Every cap of the storage room, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Largest piece of a file that is read at once, and the size of a frame in the buffer pool. */
  extentBytes: 65_536,
  /** Integers in one block of a column or a posting list. */
  blockValues: 128,
  /** Text of one segment as cut from the input, unless --segment-bytes says otherwise. */
  segmentBytesDefault: 32 * 1024 * 1024,
  segmentBytesMin: 1,
  segmentBytesMax: 128 * 1024 * 1024,
  /** A document longer than this many segments' text is cut all the same; its structures continue in the next segment. */
  segmentOverrun: 2,
  /** Follows from the two above: a token takes a line, and a line two bytes at least. */
  segmentTokensMax: 2 ** 27,
  /** Compaction joins neighbouring segments up to this many tokens together. */
  compactTokens: 4_000_000,
  /** An append compacts when this many small segments stand side by side, or a lexicon has this many generations. */
  smallSegmentsMax: 8,
  generationsMax: 8,
  /** Structures of one name open at once; one more closes the innermost. */
  structureDepthMax: 256,
  /** Positional attributes of one corpus. */
  attributesMax: 64,
  /** Kinds of structure, and attributes of one kind. */
  structuresMax: 256,
  structureAttributesMax: 256,
  /** Names of structures and their attributes, which become names of files; a tag with a longer one is a token. */
  nameBytesMax: 100,
  /** Places kept for each kind of warning. */
  warningPlacesMax: 5,
  corpusNameCharsMax: 100,
  subcorpusNameCharsMax: 100,
  /** Budget of a buffer pool that nobody said more about. */
  poolBytesDefault: 256 * 1024 * 1024,
  /** Snapshots of the past that are kept while all their segments are still in use. */
  snapshotsKept: 10,
  /** One line of input; a longer one is refused. */
  lineBytesMax: 64 * 1024 * 1024,
  /** Dimensions of a space, its largest coordinate, and points of one of its leaves. */
  spaceDimensionsMin: 2,
  spaceDimensionsMax: 8,
  spaceCoordinateMax: 2 ** 24,
  spaceLeafPointsMax: 1024,
  spaceNameCharsMax: 100,
  /** For the points of a space on their way to it, unless --memory says otherwise. */
  spaceMemoryBytesDefault: 256 * 1024 * 1024,
  /** Pages that a link table may name. */
  linkPagesMax: 2 ** 31,
  /** Directories of lists that a thread keeps decoded. */
  directoryBytesMax: 256 * 1024 * 1024,
} as const;
