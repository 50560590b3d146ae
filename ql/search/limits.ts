/** Every cap on ranked retrieval, in one place, units last. */
export const limits = {
  queryCharsMax: 20_000,
  /** Different terms of a query. */
  termsMax: 256,
  /** A longer run of characters without a blank is cut between letters and signs only. */
  chunkCharsMax: 64,
  /** The longest piece that is looked for in a text without blanks. */
  pieceCharsMax: 24,
  /** Items that can be reached by paging: from + limit. */
  depthMax: 10_000,
  itemsDefault: 10,
  /** Units of a corpus that can be ranked. */
  unitsMax: 50_000_000,
  /** Places of a term in one unit that closeness and pairs look at. */
  placesMax: 1 << 20,
  /** Up to so many places of terms every unit with one is counted; above, units that cannot be among the best are passed over. */
  countedPlacesMax: 20_000_000,
  /** Terms whose document counts are kept. */
  countsKeptMax: 10_000,
  /** Tokens of a snippet. */
  snippetTokensDefault: 40,
  snippetTokensMax: 500,
  /** Terms that are not in the corpus for which others are suggested, and the most frequent words that are looked through. */
  suggestedTermsMax: 5,
  suggestedFromWords: 50_000,
  /** Places of a word by which its lemma is told. */
  lemmaPlacesMax: 256,
} as const;
