/** Every cap on what is counted and listed, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Distinct rows of a frequency list: some 40 bytes each. */
  frequencyRowsMax: 20_000_000,
  /** Rows of a frequency list that are given at once. */
  frequencyRowsShownMax: 1_000_000,
  /** Hits that are kept for a second look; of more, the chain is run again. */
  keptHitsMax: 1 << 21,
  /** Parts that a corpus is divided into. */
  partsMax: 1_000_000,
  /** Points that a trend is computed of: a slope for each pair. */
  trendPointsMax: 3000,
  /** Counts and foldings of lexicons that a desk remembers. */
  rememberedBytesMax: 256 * 1024 * 1024,
  /** Tokens that are read at a time. */
  blockTokens: 1 << 16,
  /** Different pairs of values that a word list of several attributes may have. */
  pairsMax: 50_000_000,
  /** Two attributes with so many possible pairs of values at most: pairs are numbered by a table of all of them. */
  pairTableEntriesMax: 1 << 25,
  /** Tokens of an n-gram. */
  ngramTokensMax: 100,
  /** The table that n-grams of one length are counted in: more of them are counted in several passes. */
  ngramTableBytesMax: 256 * 1024 * 1024,
  /** Counts by hash, which tell before n-grams are counted that most of them are too rare. */
  ngramSketchBytesMax: 128 * 1024 * 1024,
  /** N-grams that are kept until all are known: beyond that, the rarest are given up. */
  ngramsMax: 5_000_000,
  /** Different candidates for terms. */
  termsMax: 50_000_000,
  /** Tokens of a candidate for a term. */
  termTokensMax: 100,
} as const;
