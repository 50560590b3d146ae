/** Every cap on running a query, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Rounds of an unbounded repeat that no `within` bounds. */
  gapMax: 100,
  /** The same under the strategies of CQP. */
  gapMaxOfStrategies: 499,
  /** States of a pattern's automaton, counted repeats written out. */
  patternStatesMax: 50_000,
  /** Different combinations of conditions on one token, in one pattern with more than eight conditions. */
  tokenClassesMax: 256,
  /** Rows of the automaton that are kept: when they are used up, all are forgotten and made again. */
  automatonBytesMax: 4 * 1024 * 1024,
  /** States looked at while rows are made, in one query: some seconds. */
  automatonVisitsMax: 5_000_000,
  /** Tokens from the beginning of a match to where it is looked for at most, if a `within` bounds it. */
  reachTokensMax: 4_000_000,
  /** Ranges of a part of a query that has to be known as a whole (a filter's, a complement's). */
  rangesMax: 50_000_000,
  /** Steps of trying ways to bind labels, some for each part of a way, from one beginning. */
  derivationsMax: 200_000,
  /** The same from all beginnings of a query together: some seconds. */
  derivationsOfQueryMax: 5_000_000,
  /** … and so many more for each token of the corpus. */
  derivationsPerTokenMax: 20,
  /** Rounds inside rounds that are followed when labels are bound. */
  derivationDepthMax: 2_000,
  /** Structures of segments kept decoded. */
  structureBytesMax: 256 * 1024 * 1024,
  /** Conditions on one kind of structure whose outcome is kept. */
  keptConditionsMax: 64,
  /** Tokens classified at a time. */
  windowTokens: 1 << 16,
  /** Queries that are estimated to take less are answered by the thread that asks alone. */
  sharedFromNs: 1_000_000,
  /** Threads of one engine. */
  threadsMax: 48,
  /** Memory for matches that a thread keeps for what it will find next. */
  roomBytesMax: 32 * 1024 * 1024,
  /** Matches that the automaton hands over at a time. */
  blockMatches: 1 << 16,
} as const;
