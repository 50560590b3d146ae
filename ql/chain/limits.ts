/** Every cap on what is done with hits, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Hits of a result that has to be known as a whole: sorted, shuffled, paged through. */
  hitsMax: 100_000_000,
  /** Steps of a chain. */
  chainStepsMax: 100,
  /** Results that are kept for chains that begin in the same way. */
  resultBytesMax: 256 * 1024 * 1024,
  /** What a kept result takes besides its columns and its key: results without a hit are no gift. */
  resultEntryBytes: 1024,
  /** Hits that go from step to step at a time. */
  blockHits: 1 << 16,
  /** Tokens that a key of several tokens looks at. */
  keyTokensMax: 1000,
  /** Structures whose value a key remembers. */
  keptStructuresMax: 1_000_000,
  /** Hits of a sample. */
  sampleMax: 10_000_000,
  /** Tokens to each side of a hit where a filter may look. */
  windowTokensMax: 10_000,
  /** Tokens of a structure that is measured as an example; longer ones are none. */
  exampleTokensMax: 1000,
  /** Characters of a formula, and parts of one inside each other. */
  formulaCharsMax: 20_000,
  formulaDepthMax: 200,
  /** Lists of words that a formula speaks of: a bit of a word's record for each, two of them taken. */
  formulaListsMax: 32,
} as const;
