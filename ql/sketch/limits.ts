/** Every cap on sketches, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Text of a grammar, also when its macros are expanded, in UTF-16 units. */
  grammarCharsMax: 4 * 1024 * 1024,
  macroExpansionsMax: 100_000,
  macroDepthMax: 1_000,
  relationsMax: 1_000,
  /** Errors of a grammar that are told at once. */
  diagnosticsMax: 20,
  /** Collocates of a relation that are shown, unless something else is asked for. */
  itemsDefault: 25,
  /** Collocates of a relation that are shown at most, and that two sketches are compared by. */
  comparedMax: 100_000,
  /** Relations of a head that are looked at: families have many. */
  relationsShownMax: 10_000,
  /** Occurrences of a pair that its typical phrase is found by; tokens of the phrase; the share of occurrences that it is longer for. */
  phraseSampleMax: 20,
  phraseTokensMax: 8,
  phraseShare: 0.25,
  /** Words that stay in memory for that. */
  phraseWordsMax: 500_000,
  /** Words that are similar to another: shown, kept by a thesaurus that is computed, and at most. */
  neighboursDefault: 40,
  neighboursStored: 100,
  neighboursMax: 1_000,
  /** A context that more heads have says little of each: it counts nowhere. */
  promiscuousMax: 5_000,
  /** Heads that words are compared with unless a count is given: the most frequent ones, none in fewer occurrences of relations. */
  frequentHeadsMax: 20_000,
  frequentCountMin: 5,
  /** Heads of a thesaurus at most. */
  thesaurusHeadsMax: 1_000_000,
  /** Heads whose neighbours one task finds. */
  thesaurusTaskHeads: 512,
  /** Sums of shared weights that a thread has in memory at a time. */
  thesaurusSumsMax: 16 * 1024 * 1024,
  /** Rows of contexts that one task weighs. */
  thesaurusRowsMax: 4_000_000,
  /** Words that are put into clusters, and how similar they are on average to be in one. */
  clusteredMax: 200,
  clusterSimilarity: 0.1,
  /** Contexts of words that are put into clusters that stay in memory, from one relation to the next. */
  clusterContextsMax: 4_000_000,
  /** Tokens of one task, as far as a segment has them. */
  taskTokensMax: 4 * 1024 * 1024,
  /** Rows of a task in memory; with more, it puts them away as a block. */
  taskRowsMax: 2_000_000,
  /** Rows that a thread sorts in memory at a time when blocks are merged. */
  mergeRowsMax: 4_000_000,
  /** Tokens at the end of what is computed already that are computed again after an append, where matches may look over it. */
  tailTokensMax: 1_000_000,
  /** Threads that compute sketches. */
  workersMax: 48,
  nameCharsMax: 100,
} as const;
