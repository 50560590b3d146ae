/** Every cap of the server that its configuration does not set, in one place, units last. */
export const limits = {
  /** A thread answers messages (a new request, credit, cancel) at least this often while it computes. */
  quickSliceMs: 2,
  heavySliceMs: 10,
  /** After this time a thread that has nothing to do makes what it may need later. */
  idleMs: 200,
  /** While a job computes: how often it is looked whether others were cancelled. */
  lookAroundMs: 10,
  /** What is likely to take longer than this goes to the heavy lane at once … */
  quickEstimateMs: 4,
  /** … and what has taken this long without being done goes there too. */
  quickMs: 8,
  /** … and a stream that goes on for so long in all. */
  quickStreamMs: 50,
  /** Of a pattern with backreferences, in the quick lane. */
  quickBackreferenceMs: 20,
  /** Requests that a thread of the quick lane has at a time, of those that are not standing still. */
  quickJobsMax: 8,
  heavyJobsMax: 16,
  /** A query of the heavy lane that has been looked for so long is helped with by cores that are free … */
  helpedFromMs: 20,
  /** … and threads that help are ended when they were not needed for so long. */
  helpersIdleMs: 10_000,
  /** Requests that went to the heavy lane, by what they asked: asked again, they go there at once. */
  knownHeavyMax: 4096,
  knownHeavyCharsMax: 4096,
  /** Rows of the first block of a stream; later ones are as long as fits into a frame of about this size. */
  firstBlockRows: 64,
  blockRowsMax: 16_384,
  blockBytes: 128 * 1024,
  /** Rows of hits are made for so long at a time, and of so many tokens, each counted once for every attribute that is shown. */
  rowsMs: 10,
  rowsTokens: 1 << 17,
  /** Bytes of a stream that are on the way to its reader: it computes no further before some have been taken. */
  streamBytesMax: 512 * 1024,
  /** Bytes that wait on a connection before nothing more is read from it, and none of its requests begun that wait … */
  unsentBytesPaused: 4 * 1024 * 1024,
  /** … and before it is dropped: no stream alone gets there. */
  unsentBytesMax: 256 * 1024 * 1024,
  /** Messages about how far a stream is. */
  progressMs: 100,
  /** How often a thread looks at its memory. */
  memoryCheckMs: 20,
  /** Frames that make no sense, one after the other, before a connection is closed. */
  badFramesMax: 16,
  /** How often connections, leases and queues are looked at. */
  sweepMs: 1000,
  /** A corpus that nobody asks is closed after this time; an old snapshot as soon as nobody reads it. */
  corpusIdleMs: 600_000,
  /** Corpora that one thread has open with all that it keeps of them; one more closes the least lately used. */
  desksMax: 32,
  /** Budgets are counted by windows of this length. */
  budgetWindowMs: 3_600_000,
  /** How long it is believed what the catalogue says of a token. */
  tokenCacheMs: 1000,
  /** Length of what is told of a running request. */
  summaryCharsMax: 500,
  /** How long requests have to end that were cancelled because the server stops. */
  stoppingMs: 5000,
  /** How long clients have to take what was sent last when the server stops. */
  farewellMs: 2000,
  /** Attributes, tags, references or aligned corpora of a line. */
  lineFieldsMax: 32,
  /** Parts of a distribution. */
  partsMax: 100_000,
  /** Values that are completed or listed at a time. */
  valuesMax: 100_000,
} as const;
