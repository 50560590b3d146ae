/** Every cap of pattern matching, in one place, units last. A limit that is hit is reported by name. */
export const regexLimits = {
  /** Longest pattern: a million words in one alternation fit many times over. */
  patternCharsMax: 64 * 1024 * 1024,
  /** Groups inside groups. */
  groupDepthMax: 500,
  /** Largest number in {n,m}. */
  repeatMax: 100_000,
  /** Nodes of a pattern's automaton, counted repeats written out. */
  automatonNodesMax: 1_000_000,
  /** Strings that a pattern without alternation at its top may stand for and still be looked up one by one. */
  productLiteralsMax: 500,
  /** Memory for the states of one automaton in one direction; when it is full, all are forgotten. */
  stateBytesMax: 16 * 1024 * 1024,
  /** After so many times in one run, states are no longer kept. */
  flushesMax: 4,
  /** Alternatives with lookaheads still to be decided, in one state; with more, strings are read backwards. */
  pendingConfigurationsMax: 2_000,
  /** Nodes visited in one run over a lexicon, on the way to states that were not there yet: some ten seconds. */
  visitsMax: 2_000_000_000,
  /** A lexicon of up to so many bytes of text is kept decoded once a pattern needed it so. */
  decodedBytesMax: 256 * 1024 * 1024,
  /** Blocks of 16 strings decoded at a time where a lexicon is larger. */
  decodedBlocksMax: 4_096,
  /** A pattern with a backreference may take so long over one lexicon, unless told otherwise. */
  backreferenceMsDefault: 2_000,
  /** How long the thread for backreferences may take to come up. */
  threadStartMsMax: 20_000,
  /** Results kept for one lexicon. */
  resultBytesMax: 32 * 1024 * 1024,
} as const;
