/** Every cap on lines to read, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Tokens of context on each side of a hit, whatever was asked for: a book, not a library. */
  contextTokensMax: 1_000_000,
  /** Tokens of a hit that are shown. */
  matchTokensMax: 1_000_000,
  /** Context where there should be a structure around the hit, and there is none. */
  fallbackTokens: 10,
  /** Context of a hit that is looked at more closely. */
  extendedTokens: 100,
  /** Tokens whose ids are read at a time: lines are made of so many together. */
  batchTokens: 1 << 18,
  /** Hits up to which structures are looked up one by one, instead of merged with all of a segment. */
  lookupHitsMax: 512,
  /** Frequent words whose strings are kept as long as lines are made; ids go by frequency. */
  keptWords: 1 << 16,
  /** Other words, and values of structures, that are kept before all are forgotten. */
  keptOthersMax: 1 << 17,
} as const;
